"""The page of a supposition: unmistakably none of the game's, with whose orders are supposed, the
sums, and what it hangs on.
"""

from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
from engine.protectors.view_of import view_of
from engine.ruleset import Problem
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages.page import Page, ReceiptItem, SuppositionFacts
from tests.games.protectors.engine.tabletop import orders_of, position
from tests.games.protectors.pages.sample import table
from tests.pages.sample import reader
from tests.rows import each_row

STATE = position("1 Anna 2, 2 Bartek 3, 3 Chloé 1, 4 Chloé 1", ranking=["Anna", "Bartek", "Chloé"])


def page_of(state: State, told: dict[str, str], **more: object) -> Page:
    given = orders_of(state, told)
    outcome = PROTECTORS.suppose(state, 1, given)
    texts = tuple(
        (number, tuple(PROTECTORS.format_order(state, order) for order in theirs))
        for number, theirs in given.items()
    )
    facts = SuppositionFacts(
        question="?",
        is_preview=False,
        most=10,
        orders=texts,
        after=view_of(outcome.state, 1),
        events=outcome.events,
        hangs=outcome.hangs,
        **{"left": 3, **more},  # type: ignore[arg-type]
    )
    return PAGES.supposition(table(), reader(), view_of(state, 1), facts)


def words(page: Page) -> str:
    return " ".join(page.text.split())


def test_it_is_headed_as_a_supposition_in_every_form() -> None:
    page = page_of(STATE, {"Bartek": "March! 3 from P2 to P1"})
    assert "What if?" in page.subject
    assert "a test only" in page.subject
    for form in (page.text, page.html):
        assert "This is only a test" in " ".join(form.split())
        assert "Taken" not in form
        assert "What counts" not in form


def test_it_tells_whose_orders_are_supposed_and_the_arithmetic() -> None:
    told = words(page_of(STATE, {"Bartek": "March! 3 from P2 to P1"}))
    assert "Anna Golden Fortify! P1. (By the rules, since you have sent nothing.)" in told
    assert "Bartek March! 3 from P2 to P1." in told
    assert "I know nothing about the orders of Chloé, so their units hold." in told
    assert "2 units + 2 golden Fortify against 3 units" in told
    assert "You can ask 3 more times in this phase." in told


def test_what_is_stored_is_told_apart_from_what_is_named() -> None:
    facts = {"Anna": "Fortify! P1"}
    assert "(As you have sent it.)" in words(page_of(STATE, facts, stored=True))
    assert "(You have also sent: Fortify! P1.)" in words(
        page_of(STATE, facts, stored=False, standing=("Fortify! P1",))
    )
    assert "Stored" not in words(page_of(STATE, facts, stored=False)).replace("or stored", "")


def test_what_it_hangs_on_is_told() -> None:
    cards = ["Calms of Summer", "The Misty Mountains Cold", "Pirates!"]
    state = position("1 Anna 3, 2 Bartek 1, 3 Chloé 1, 4 Chloé 1", dpl=7, in_play=cards, turn=5)
    told = words(
        page_of(state, {"Anna": "March! 3 from P1 to P2", "Bartek": "Send 30 to Chloé"}, left=0)
    )
    assert "WHAT IT DEPENDS ON" in told
    assert "That Bartek holds at least 30 $Realm" in told
    assert "That Bartek and Chloé name nobody to the Pirates." in told
    assert "half of it would go to you, and is not counted here." in told
    assert "The Dragon would attack with 7." in told
    assert "That was the last question of this kind in this phase." in told


@each_row(
    ("code", "when", "told"),
    [
        ("limit", (), "the most for one phase"),
        ("off", (), "without what-if questions"),
        ("paused", (), "The game is paused"),
        ("game-over", (), "The game is over"),
        ("not-asked", (), "You are out of the game"),
        ("not-now", ("orders",), "while everybody orders (orders)"),
    ],
)
def test_why_nothing_is_supposed_is_told(code: str, when: tuple[str, ...], told: str) -> None:
    facts = SuppositionFacts(
        question="Ben holds", is_preview=False, most=10, refused=code, when=when
    )
    page = PAGES.supposition(table(), reader(), view_of(STATE, 1), facts)
    assert told in words(page)
    assert "Not possible now" in page.subject


def test_somebody_elses_impossible_order_is_not_put_as_the_readers() -> None:
    problems = (
        Problem(
            "not-your-province", rules=("PR-6.19", "PR-6.1"), facts={"province": 3, "own": (2,)}
        ),
        Problem("no-gold-in-bracket", facts={"type": "march"}),
        Problem("no-units", facts={"province": 2}),
        Problem("no-such-ability"),
        Problem("used-up"),
        Problem("hidden-purse"),
    )
    clauses = tuple(
        (2, ReceiptItem(0, "marches 1 from P3 to P1", (15, 17), (), (problem,)))
        for problem in problems
    )
    facts = SuppositionFacts(
        question="?", is_preview=False, most=10, refused="not-understood", clauses=clauses
    )
    told = words(PAGES.supposition(table(), reader(), view_of(STATE, 1), facts))
    assert "P3 is not Bartek's. Bartek has units in P2. [PR-6.1]" in told
    assert "Bartek's place in the ranking allows no golden March." in told
    assert "P2 has no unit of Bartek's." in told
    assert "Bartek does not have that ability." in told
    assert "what if Bartek marches 3 from P2 to P1?" in told
    assert "yours" not in told
    assert "You have" not in told


def test_a_name_and_a_question_are_escaped() -> None:
    facts = SuppositionFacts(
        question="<b>Ben</b> & co", is_preview=False, most=1, refused="", after=view_of(STATE, 1)
    )
    page = PAGES.supposition(table(), reader(), view_of(STATE, 1), facts)
    assert "<b>Ben</b>" not in page.html

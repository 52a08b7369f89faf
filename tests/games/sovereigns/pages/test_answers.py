"""What the letters of States & Sovereigns say can be answered is read as it stands; what a game
master is asked; and a redo that is asked alone.
"""

import re
from datetime import timedelta

import pytest
from msgspec.structs import replace

from engine.ruleset import RulingRequest, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.codes import ACTIONS, COSTS
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import SEASONS, Dice, Discovery, Objection, Played, State, Undone
from pbem.games.sovereigns.pages.cast import order_text
from pbem.games.sovereigns.pages.chances import examples
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.games.sovereigns.reading.reader import READER
from pbem.games.sovereigns.reading.rulings import read_ruling
from pbem.grammar.house.statements import Said
from pbem.pages.chatting import CAPTION_UNITS, units
from pbem.pages.page import PastPhase
from pbem.pages.rendering import phrase
from tests.games.sovereigns.engine.playing import table as position
from tests.games.sovereigns.pages.played import Step, play, reader, table
from tests.games.sovereigns.pages.test_letters import EVERY_KIND, check_page, told
from tests.pages import sample
from tests.rows import each_row

# ------------------------------------------------------------------------------- what can be answered
RICH: dict[str, dict[str, object]] = {
    "Ann": {"name": "Aldermark", "R": 4, "M": 4, "H": 4, "discoveries": [{"great": False}]},
    "Ben": {"name": "Borland", "R": 4, "M": 4, "H": 4},
    "Cara": {"name": "Cyrene"},
}
OFFER = {"id": 2, "from": "Ben", "to": "Ann", "gives": ["1R permanent"], "wants": [], "left": 12}
BALLOT = {"claimant": "Ben", "ayes": [], "left": 40}


def reads(step: Step, player: int, text: str) -> tuple[o.Order, ...]:
    """The orders that this text is taken as; nothing of it may be refused."""
    reading = READER.read(step.state, player, Standing(), Said(text))
    assert not [problem for item in reading.items for problem in item.problems], text
    assert reading.checked is not None, text
    return tuple(reading.checked.accepted)


@pytest.mark.parametrize("seed", [4, 5])
def test_what_a_letter_says_can_be_answered_is_taken_as_it_stands(seed: int) -> None:
    for step in play(4, seed, 10):
        for player in step.view(None).asked if step.closed else ():
            view = step.view(player)
            for text, what in PAGES.answers(view):
                (order,) = reads(step, player, text)
                assert what.endswith("."), what
                assert order_text(view, order)


CODES = (
    *(f"STAT-{of} {attribute}" for of in ("ROLL", "DEF") for attribute in "RMH"),
    *(f"STAT-ACT {kind}" for kind in ACTIONS),
    *("STAT-YEAR", "STAT-CALM", "STAT-DEPL", *(f"ANA-DIE {attribute}" for attribute in "RMH")),
    *COSTS,
    *(f"ANA-CHEAP {building}" for building in COSTS),
    *("ANA-DOUBLE STAT-ROLL M + STAT-DEF H", "ANA-DOUBLE STAT-YEAR + STAT-DEPL"),
    *("ANA-DOUBLE STAT-CALM + STAT-ROLL R", "ANA-DOUBLE STAT-ROLL M + STAT-ACT Attack"),
)


@each_row(
    "text",
    [
        *(f"Research: 3R, moonlight = {code}" for code in CODES),
        *("Research: 3R, moonlight = ANA-DIE M from steel",),
        *("Increase H: 4R", "Expedition: 2M", "Found: 1H"),
        *("Attack Ben: 2M", "Attack Ben: 2M, burn BLD-WALL"),
        *("Espionage Ben: 1M, seek steel", "Espionage Ben: 1M", "Theft Ben: 1M", "Security: all M"),
        *("Every season: Expedition: 1M", "Pass"),
        *('Try: 3R against Ben for -1 "dig a canal"', "Attack Ben: 2M if Ben has 2 H or more"),
    ],
)
def test_third13_what_we_suggest_is_in_words_and_read_as_the_same(text: str) -> None:
    """THIRD-13: of an order that the words cannot say whole, the canonical text is suggested."""
    step = Step(position(RICH), ())
    view = step.view(1)
    assert [order_text(view, order) for order in reads(step, 1, PAGES.spoken(view, text))] == [
        order_text(view, order) for order in reads(step, 1, text)
    ]


def test_third13_a_suggestion_says_no_code() -> None:
    view = Step(position(RICH), ()).view(1)
    assert PAGES.spoken(view, "Attack Ben: 2M") == "Attack Borland with 2 military"
    assert PAGES.spoken(view, "Increase H: 4R") == "Raise harmony with 4 resources"
    steel = PAGES.spoken(view, "Research: 3R, steel = BLD-WALL")
    assert steel == "Research with 3, steel, which allows a wall"
    for code in ("STAT-DEPL", "ANA-DOUBLE STAT-ROLL M + STAT-DEF H", "ANA-CHEAP BLD-WALL"):
        assert code[:4] not in PAGES.spoken(view, f"Research: 3R, steel = {code}")


def test_an_example_is_read_as_the_order_that_its_chance_is_of() -> None:
    step = Step(position(RICH), ())
    view = step.view(1)
    texts = [text for text, _ in PAGES.answers(view)]
    found = [order for text in texts for order in reads(step, 1, text)]
    assert tuple(found[:-1]) == examples(view)
    assert found[-1] == o.Pass()


@each_row("key", ["accept", "decline", "yes", "no", "propose", "redo"])
def test_what_waits_can_be_answered_in_the_words_of_the_letter(key: str) -> None:
    state = position(RICH, offers=[OFFER], ballots=[BALLOT])
    if key == "redo":
        played = Played(12, 1, o.Pass(), Dice(), state)
        state = replace(state, played=(played,), undone=Undone(12, 1, 20))
    step = Step(state, ())
    page = PAGES.turn(table(), reader(1), step.view(1), (), Standing())
    text = {
        "accept": "Accept offer 2",
        "decline": "Decline offer 2",
        "yes": "Vote yes on Borland",
        "no": "Vote no on Borland",
        "propose": "Propose steel, +1 on Military rolls",
        "redo": "Redo: Expedition: 2M",
    }[key]
    assert f'"{text}"' in " ".join(page.text.split())
    (order,) = reads(step, 1, text)
    assert isinstance(order, o.Answer | o.Vote | o.Propose | o.Redo)


@each_row("words", [words for words, _ in PAGES.phrases])
def test_what_the_help_says_is_read(words: str) -> None:
    """Possible or not in this position: it is understood."""
    step = Step(position(RICH), ())
    reading = READER.read(step.state, 1, Standing(), Said(words))
    codes = {problem.code for item in reading.items for problem in item.problems}
    assert reading.items, words
    assert not codes & {"not-understood", "no-order", "unknown-kingdom", "ambiguous"}, codes


# ------------------------------------------------------------------------------- the game master
TRIED = o.Do((o.Action("Try", "R", 3, target=2, words="dig a canal", effect="-1"),))


def asked() -> dict[str, tuple[State, RulingRequest]]:
    """One request of every kind, with the table at which it is made."""
    state = position(RICH)
    ann, ben, cara = state.kingdoms
    proposed = replace(ann, discoveries=(Discovery(False, "steel", "STAT-ROLL M", 24),))
    played = Played(12, 2, o.Pass(), Dice(), state)
    states = (
        state,
        replace(state, kingdoms=(proposed, ben, cara)),
        replace(state, played=(played,), objections=(Objection(3, 12, 1, 20, "a cake"),)),
        replace(state, kingdoms=(ann, ben, replace(cara, missed=4))),
    )
    standings = {1: Standing[o.Order]((TRIED,))}
    found = [
        (one, SOVEREIGNS.ruling_requests(one, standings if one is state else {})) for one in states
    ]
    return {request.kind: (one, request) for one, (request,) in found}


@pytest.mark.parametrize(
    ("kind", "words", "more"),
    [
        (
            "try",
            (
                "ALDERMARK TRIES SOMETHING NEW",
                'Try: 3R against Ben for -1 "dig a canal"',
                "If you say nothing, it is a contest of Resources",
            ),
            "rule Aldermark: needs 9, effect +2 on Military, repercussion -1",
        ),
        (
            "technology",
            ("steel: +1 on all Military rolls", "it is approved"),
            "amend steel: +2 on Military defence",
        ),
        ("objection", ('objects to this order of Borland (Ben): "a cake"', "stands"), "deny 3"),
        ("replacement", ("has sent nothing for 4 seasons",), "remove Cyrene"),
    ],
)
def test_a_plea_has_one_question_one_default_and_answers_that_are_read(
    kind: str, words: tuple[str, ...], more: str
) -> None:
    """SS-7.4, SS-8.4, SS-10.3, SS-11.9."""
    state, request = asked()[kind]
    until = sample.NOW + timedelta(hours=request.hours or 60)
    page = PAGES.ruling_request(table(), Step(state, ()).view(None), request, until)
    check_page(kind, page)
    text = " ".join(page.text.split())
    answers = [phrase("sovereigns/ruling_words.j2", "spoken", one) for one in request.answers]
    for said in (*words, *answers, more):
        assert said in text, said
    standings = {1: Standing[o.Order]((TRIED,))} if kind == "try" else {}
    for answer, code in zip(answers, request.answers, strict=True):
        assert not re.search(r"\b(diff|[RMH])\b", answer), answer
        told = read_ruling(state, standings, code)
        assert told.act, answer
        assert told == read_ruling(state, standings, answer), answer
    assert read_ruling(state, standings, more).act, more


# ------------------------------------------------------------------------------- what is rare
def test_a_redo_over_a_game_that_had_ended_is_asked_alone() -> None:
    """SS-10.5, SS-12.6."""
    before = position(RICH)
    played = Played(12, 1, o.Pass(), Dice(), before)
    state = replace(before, stage="over", winners=(2,), ended_by="last-standing")
    state = replace(state, played=(played,), undone=Undone(12, 1, 20))
    view = Step(state, ()).view(1)
    page = PAGES.turn(table(), reader(1), view, (), Standing())
    check_page("redo", page)
    text = " ".join(page.text.split())
    assert "ANN, WHAT DOES ALDERMARK DO INSTEAD OF ACTION 12?" in text
    assert "Your action 12 was taken back." in text
    assert "Redo: pass" in text
    public = PAGES.bulletin(table(), Step(state, ()).view(None), ())
    assert "Aldermark (Ann) chooses another action by" in " ".join(public.text.split())


def test_a_caption_has_room_for_many_offers() -> None:
    """SS-12.12."""
    offers = [
        {**OFFER, "id": n, "gives": ["1R permanent", "tech steel"], "wants": ["2M for 2 seasons"]}
        for n in range(1, 16)
    ]
    kingdoms = {**RICH, "Ben": {**RICH["Ben"], "tech": ["steel"]}}
    state = position(kingdoms, offers=offers, technologies={"steel": "STAT-ROLL M"})
    page = PAGES.turn(table(), reader(1), Step(state, ()).view(1), told(*EVERY_KIND), Standing())
    assert units(page.chat) <= CAPTION_UNITS
    assert "<code>Accept offer 1</code>" in page.chat


def test_history_names_the_seasons() -> None:
    phases = [
        PastPhase(0, "setup", ("a",)),
        PastPhase(1, "year-start", ("b",)),
        PastPhase(1, "season", (), is_undone=True),
        *(PastPhase(1, "season", (str(number),)) for number in range(4)),
        PastPhase(2, "year-start", ("c",)),
        PastPhase(2, "season", ("d",)),
    ]
    names = [(turn, name) for turn, name, _, _ in reversed(PAGES._past(phases))]
    assert names == [
        (0, "the split of your points"),
        (1, "public support"),
        (1, "Spring"),
        *((1, season) for season in SEASONS),
        (2, "public support"),
        (2, "Spring"),
    ]

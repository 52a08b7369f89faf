"""The pages of States & Sovereigns: every kind of event and every refusal in words, letters of whole
games in every dress, and what a letter says can be answered.
"""

import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

import templates
from engine.ruleset import Event, Problem, Standing
from engine.sovereigns import events as e
from engine.sovereigns import orders as o
from engine.sovereigns.checking.messages import _RULES
from engine.sovereigns.events import AnyFacts
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import Points
from engine.sovereigns.view import view_of
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.pages.cast import Cast, cast_of
from pbem.games.sovereigns.pages.events import lines_of
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.games.sovereigns.pages.news import news_of
from pbem.pages.chatting import CAPTION_UNITS, units
from pbem.pages.news import lead_of
from pbem.pages.page import Page
from pbem.pages.rendering import has_macro
from tests.games.sovereigns.engine.playing import table as position
from tests.games.sovereigns.pages.played import letters, other_pages, play
from tests.pages.english import NOT_TO_BE_USED, broken, check_words
from tests.rows import each_row

TEMPLATES = Path(templates.__file__).parent / "sovereigns"
OURS = list(TEMPLATES.glob("*.j2"))
CAST = Cast(
    ("Ann", "Ben", "Cara"), 1, ("Aldermark", "Borland", "Cyrene"), (1, 2, 3), free=Points(2, 1, 0)
)
ATTACK = e.ActionResolved(
    12,
    1,
    "Attack",
    "M",
    2,
    3,
    0,
    (5, 4, 3),
    (2, 3),
    (e.Term("technology", 1),),
    (e.Term("strike", -1, die=True),),
    13,
    5,
    8,
    "great",
)
EVERY_KIND: tuple[AnyFacts, ...] = (
    e.GameSetUp((2, 1, 3)),
    e.SplitMade(1, 4, 3, 2, "Aldermark", True),
    e.SplitMade(2, 3, 3, 3, "Kingdom 2", True, "Aldermark"),
    e.WindowOpened("season", 72),
    ATTACK,
    e.ActionVoid(3, 2, "target-fallen"),
    e.SupportRolled(1, 3, (5, 4, 3), (e.Term("faith", 1),), 13, "support"),
    e.RebellionRolled(1, 2, (4, 3), (), 7, "success"),
    e.CoupRolled(1, 2, (1, 1), (), 2, "failure"),
    e.FearRuled(2),
    e.PointLost(1, "M"),
    e.PointSaved(1, "M", "BLD-HOSPITAL"),
    e.PointsGained(2, "R", 2),
    e.Captured(2, 1, False),
    e.Destroyed(2, "BLD-HOSPITAL"),
    e.Built(2, "BLD-WORKS R"),
    e.BuildVoid(2, "BLD-TEMPLE"),
    e.CampUsed(1),
    e.CampVoid(1),
    e.Discovered(1, True),
    e.ProposalMade(1, "steel", "STAT-ROLL M"),
    e.ProposalRefused(1, "steel"),
    e.TechnologyGot(1, "steel", "ANA-DOUBLE STAT-CALM + STAT-ACT Attack"),
    e.TechnologyChanged("steel", "STAT-DEF M"),
    e.Reported(1, 2, 2, 1, 3, ((1, 2, 2, "M", 0),), ("BLD-HOSPITAL",)),
    e.Exposed(1, 2),
    e.SecurityRaised(1, True),
    e.FaithFounded(1),
    e.Converted(2, 1),
    e.BoonGranted(1, "dice"),
    e.Affected(1, "next year_start", -1),
    e.OfferMade(3, 2, 1),
    e.OfferExpired(3, 1, 2),
    e.OfferClosed(3, 2, 1, 2),
    e.Traded(3, 2, 1),
    e.TradeFailed(3, 1, 2),
    e.LoanReturned(1, 2, "M", 2),
    e.RulingGiven(1, None, True, "H", "-2", "their fields lie dry"),
    e.Ruled("An army cannot hide in a cake."),
    e.BallotOpened(2),
    e.BallotClosed(2, (1,), "failed"),
    e.ObjectionMade(2, 12, 3, "you cannot smuggle an army in a cake"),
    e.VerdictGiven(2, 12, True),
    e.RolledBack(12, 1),
    e.ReResolved(12),
    e.Abdicated(3),
    e.Fallen(2, "below-zero"),
    e.YearBegan(2),
    e.Corrected(1, "-1 die until year"),
    e.ReplacementWanted(3, 4),
    e.GameOver((1,), "last-standing"),
    e.OddsTold(
        1,
        "Attack",
        "M",
        2,
        3,
        0,
        3,
        (),
        (),
        None,
        (0, 1),
        (0, 1),
        (900, 300),
        (100, 600),
        (0, 100),
        (0, 0),
        (),
    ),
    e.ChartTold(1, 3, 3, (), (5, 100, 500, 300, 90, 5, 0), 900, 2, 0, 0),
)
MORE: tuple[AnyFacts, ...] = (
    e.SplitMade(2, 3, 3, 3, "Kingdom 2", False),
    replace(ATTACK, action="Try", target=None, defence=(), words="dig a canal", result="failure"),
    replace(ATTACK, action="Research", target=None, points=0, depleted=2, result="disaster"),
    replace(ATTACK, points=1, depleted=1, dice=(), result="success", margin=0),
    *(e.ActionVoid(3, 2, reason) for reason in get_args(e.Reason)),
    e.SupportRolled(1, 0, (), (), 0, "coup"),
    e.CoupRolled(1, 2, (6, 6), (), 12, "success"),
    e.RebellionRolled(1, 0, (), (), 0, "failure"),
    e.PointSaved(2, "R", "BLD-VAULT"),
    e.Captured(2, 1, True),
    e.TechnologyChanged("steel", ""),
    e.Reported(1, 2, 0, 0, 0, (), ()),
    *(e.Affected(2, f"next {sort}", 1) for sort in ("research", "R", "M", "H", "roll")),
    e.Affected(2, "rest", -1),
    e.OfferMade(4, 1, 3, (o.OfferItem(1, "R"),), ()),
    e.OfferMade(5, 2, 3, (o.OfferItem(technology="steel"),), (o.OfferItem(2, "M", "seasons", 3),)),
    e.Traded(4, 1, 3, (o.OfferItem(1, "R"),), ()),
    e.Traded(5, 2, 3, (o.OfferItem(technology="steel"),), (o.OfferItem(2, "M", "permanent"),)),
    replace(ATTACK, action="Increase", target=None, defence=(), raises="M"),
    e.LoanReturned(1, 2, "M", 0),
    e.RulingGiven(1, 9, False, None, "+2 M", None),
    e.RulingGiven(1, None, False, None, None, None),
    e.BallotClosed(2, (1, 3), "passed"),
    e.VerdictGiven(2, 12, False),
    e.YearBegan(1),
    e.Corrected(1, "M 3"),
    e.Corrected(1, "+1 flat until season"),
    *(e.Fallen(2, how) for how in ("coup", "abdicated", "removed")),
    e.GameOver((1,), "acclaimed"),
    e.GameOver((1, 2), "years"),
    e.GameOver((1, 2), "gm"),
    e.GameOver((), "draw"),
)
CODES = (*_RULES, "points-missing", "ambiguous")
WARNINGS = ("not-enough", "no-building", "no-boon", "points-missing")
FACTS: dict[str, dict[str, object]] = {
    "split-sum": {"sum": 11},
    "unknown-kingdom": {"word": "Atlantis", "near": ("Aldermark",)},
    "no-tech": {"building": "BLD-HOSPITAL"},
    "already-owned": {"technology": "steel"},
    "not-enough": {"building": "BLD-HOSPITAL", "cost": 3, "attribute": "R", "free": 2},
    "ambiguous": {"choices": ("Borland", "Boreas")},
    "no-code": {"word": "STAT-FLY"},
    "nothing-to-deplete": {"attribute": "R", "free": 1},
    "out-of-range": {"hours": 90},
}
BROKEN = re.compile(rf"{broken('Resources', 'units', 'hours', 'dice').pattern}|\b[A-Z]+-[A-Z]+ ?\(")


def check_page(name: str, page: Page) -> None:
    check_words(name, page, BROKEN)


def told(*facts: AnyFacts) -> tuple[Event, ...]:
    return tuple(Event(one, ("SS-9.2",)) for one in facts)


def _headline(events: tuple[Event, ...]) -> str:
    return lead_of(news_of(events, CAST), "", "").headline


def text_of(*facts: AnyFacts, cast: Cast = CAST) -> str:
    return " ".join(line.body.text for line in lines_of(told(*facts), cast)).replace("\xa0", " ")


# ------------------------------------------------------------------------ every kind, every refusal
def test_there_is_a_sample_of_every_kind() -> None:
    kinds = {kind.__struct_config__.tag for kind in get_args(AnyFacts)}
    assert {facts.__struct_config__.tag for facts in EVERY_KIND} == kinds


@each_row("facts", [*EVERY_KIND, *MORE])
def test_every_event_is_a_sentence_in_every_dress(facts: AnyFacts) -> None:
    found = lines_of(told(facts), CAST)
    if isinstance(facts, e.WindowOpened):
        assert not found
        return
    (line,) = found
    for text in (line.body.text, line.body.html.striptags(), line.body.chat.striptags()):
        assert re.search(r'[.!]["\u201d]?$', text.strip()), text
        assert not BROKEN.search(text), text
        assert not NOT_TO_BE_USED.search(text), text
    _headline(told(facts))


@each_row("code", CODES)
def test_every_refusal_is_a_sentence_with_facts_and_without(code: str) -> None:
    """SF-4: and no sentence is the one for what has none."""
    casts = (CAST, Cast(CAST.names, 2, CAST.kingdoms, (1, 2)))
    for warning in (False, *([True] if code in WARNINGS else [])):
        for cast in casts:
            for facts in (FACTS.get(code, {}), {}):
                problem = Problem(code, ("SS-13.0",), facts, warning)  # type: ignore[arg-type]
                body = PAGES._reason(problem, cast).body
                assert body.text != "That is not possible.", code
                for text in (body.text, body.html.striptags(), body.chat.striptags()):
                    assert text.strip().endswith("."), (code, text)
                    assert not BROKEN.search(text), text


@pytest.mark.parametrize("path", sorted(OURS), ids=lambda path: str(path.stem))
def test_no_word_stands_in_the_templates_that_is_not_to_be_used(path: Path) -> None:
    source = re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not (bad := NOT_TO_BE_USED.search(source)), bad


def test_a_macro_of_the_problems_has_a_code() -> None:
    for code in CODES:
        macro = code.replace("-", "_")
        assert has_macro("sovereigns/problems.j2", macro) or has_macro("game/problems.j2", macro)


# ----------------------------------------------------------------------------------- the chronicle
def test_an_action_is_told_with_all_that_came_of_it() -> None:
    events = told(
        ATTACK,
        e.PointLost(2, "M"),
        e.Captured(2, 1, True),
        e.Destroyed(2, "BLD-HOSPITAL"),
        e.ActionVoid(13, 2, "no-points"),
    )
    attack, void = lines_of(events, CAST)
    assert (attack.label, void.label) == ("12", "13")
    assert attack.body.text.replace("\xa0", " ") == (
        "You attack Borland with 3 Military: 5 4 3 +1 (technology and buildings) = 13 against 2 3"
        " = 5 (−1 die), great success by 8. Borland loses 1 Military. You take 1 Resource from"
        " Borland, for good. Borland loses its hospital."
    )


def test_a_trade_is_told_to_each_side_as_theirs() -> None:
    """SS-5.4."""
    done = e.Traded(
        5, 2, 1, (o.OfferItem(technology="steel"),), (o.OfferItem(2, "M", "seasons", 3),)
    )
    assert text_of(done) == (
        "Your trade with Borland is done (offer 5): you gave 2 Military for 3 seasons and got the"
        " technology steel."
    )
    other = Cast(CAST.names, 2, CAST.kingdoms, (1, 2, 3))
    assert text_of(done, cast=other) == (
        "Your trade with Aldermark is done (offer 5): you gave the technology steel and got"
        " 2 Military for 3 seasons."
    )


def test_what_is_done_again_is_told_once() -> None:
    """SS-10.5."""
    first, *_ = lines_of(told(e.ReResolved(3), e.ReResolved(4), ATTACK), CAST)
    assert first.body.text == "We do actions 3 and 4 again."


def test_a_loan_that_returns_is_no_consequence_of_the_last_action() -> None:
    assert len(lines_of(told(ATTACK, e.LoanReturned(1, 2, "M", 2)), CAST)) == 2


def test_the_weightiest_news_come_first() -> None:
    events = told(e.FearRuled(3), ATTACK, e.Fallen(2, "below-zero"))
    assert _headline(events) == "Borland falls to you, Cyrene rules by fear"
    tried = replace(ATTACK, action="Try", target=None, words="dig a canal")
    assert _headline(told(tried)) == "You try something new"
    assert _headline(told(replace(tried, result="failure"))).endswith("something new and fail")


# ------------------------------------------------------------------------------- what was refused
KINGDOMS = {
    "Ann": {"name": "Aldermark", "R": 3, "M": 4, "H": 3, "ex": {"R": 1}, "tech": ["medicine"]},
    "Ben": {"name": "Borland"},
}


@each_row(
    ("phase", "order", "words"),
    [
        ("setup", "Split 5/5/1", "must add up to 9; yours make 11"),
        ("season", "Attack Ben: 6M", "You have only 4 Military free now."),
        ("season", "Build BLD-HOSPITAL", "A hospital costs 3 free Resources. You have only 2"),
        ("season", "Build BLD-TEMPLE", "No technology of yours allows a temple."),
        ("season", "Offer Ben: tech steel against nothing", '"steel" does not belong to the side'),
        ("season", "Offer Ben: 1R against nothing within 90 hours", "An offer stands for 1 to 48"),
        ("season", "Research: 1R + 2 depleted", "You have only 2 Resources free."),
        ("year-start", "Harmony: 5H", "You have only 3 Harmony free now."),
    ],
)
def test_a_refusal_tells_the_numbers_and_what_to_do(phase: str, order: str, words: str) -> None:
    """E1, E4, E7, E10 of section 13."""
    state = position(KINGDOMS, phase=phase, technologies={"medicine": "BLD-HOSPITAL"})
    checked = SOVEREIGNS.check(state, 1, Standing(), (parse_order(state, order),))
    (problem,) = checked.problems
    cast = cast_of(view_of(state, 1), 1)
    told = PAGES._reason(problem, cast).body.text.replace("\N{NO-BREAK SPACE}", " ")
    assert words in told, told


# ---------------------------------------------------------------------------------------- whole games
@pytest.mark.parametrize(
    ("players", "seed"),
    [
        (2, 1),
        (3, 2),
        pytest.param(
            5,
            3,
            marks=pytest.mark.long(
                held_by="tests/games/sovereigns/pages/test_secrets.py (smaller games)"
            ),
        ),
    ],
)
def test_every_page_of_a_game_can_be_made(players: int, seed: int) -> None:
    kinds = set()
    for number, step in enumerate(play(players, seed, 12, {"max_years": 2})):
        pages = list(letters(step)) if step.closed else []
        if number % 5 == 0 or step.state.undone:
            pages += [
                page for player in range(1, players + 1) for page in other_pages(step, player)
            ]
        for kind, page in pages:
            kinds.add(kind.split()[0])
            check_page(f"{number} {kind}", page)
            if kind.split()[0] in ("bulletin", "setup", "year-start", "season"):
                assert units(page.chat) <= CAPTION_UNITS, (number, kind)
    assert {"setup", "year-start", "season", "bulletin", "receipt", "ending", "request"} <= kinds

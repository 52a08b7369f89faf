"""Pages about why and about chances: every die and every rule of a roll, answers to whatever is
asked, and nothing that the reader may not know.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from engine.chance import Chance
from engine.ruleset import Event, Problem, Standing
from engine.sovereigns import events as e
from engine.sovereigns import orders as o
from engine.sovereigns.odds import MOST_DICE
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from engine.sovereigns.view import view_of
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.games.sovereigns.pages.odds import odds_line
from pbem.games.sovereigns.reading.questions import parse_question
from pbem.games.sovereigns.reading.suppositions import read_supposition
from pbem.pages.page import Page, PhaseEvents, ReceiptItem, SuppositionFacts
from tests.games.sovereigns.engine.playing import table as position
from tests.games.sovereigns.pages.played import play, reader, table
from tests.rows import each_row

KINGDOMS = {
    "Ann": {"name": "Aldermark", "R": 4, "M": 4, "H": 3, "ex": {"R": 2}, "support": "support"},
    "Ben": {"name": "Borland", "R": 3, "M": 3, "H": 3, "support": "strike"},
    "Cara": {"name": "Cyrene", "R": 2, "M": 2, "H": 2},
}
ORDERS = {1: "Attack Ben: 2M", 2: "Increase H: 3R", 3: "Expedition: 2M"}
DICE = (
    ("Ann", "Ben", "Cara"),
    *(5, 3, 4, 6),  # 9 against 10
    *(6, 5),  # one die less than expended: 11 of 10
    *(6, 6),
)


def whole(text: str) -> str:
    """Words as they run, without the breaks of lines."""
    return " ".join(text.split())


@cache
def played() -> tuple[State, tuple[PhaseEvents, ...]]:
    """A year starts, and a season is played."""
    start = position({**KINGDOMS, "Ann": {**KINGDOMS["Ann"], "ex": {}}}, phase="year-start")
    chance = Chance(
        bytes(32), 0, (("Ann", "Ben", "Cara"), *(5, 5, 3), *(2, 2, 1), *(1, 1), *(1, 1))
    )
    years = SOVEREIGNS.adjudicate(start, {}, chance)
    chance = Chance(bytes(32), 0, DICE)
    before = position(KINGDOMS)
    given = {number: (parse_order(before, text),) for number, text in ORDERS.items()}
    season = SOVEREIGNS.adjudicate(before, given, chance)
    assert not chance.unused
    return season.state, (
        PhaseEvents(1, 1, "year-start", years.events),
        PhaseEvents(2, 1, "season", season.events),
        PhaseEvents(3, 1, "season", ()),
    )


def why(asked: str, past: Sequence[PhaseEvents] | None = None, player: int | None = 1) -> Page:
    state, before = played()
    view = view_of(state, player)
    question = parse_question(view, player, asked)
    return PAGES.why(table(), reader(player), view, question, before if past is None else past)


# ----------------------------------------------------------------------------------------- the past
def test_a_contest_is_told_die_by_die() -> None:
    """SS-3.12 to SS-3.14, SS-6.6: dice of both sides, what was added, who won, what was lost."""
    told = whole(why("action 1").text)
    for words in (
        *("WHY: ACTION 1", "YEAR 1, SPRING"),
        *("You attack Borland with 2 Military. The dice: 5 3 +1 (Support) = 9.", "[SS-6.3 3.1]"),
        "Borland defends with all free Military: 4 6 = 10 (Strike: −1 die). [SS-3.11 3.12 3.13]",
        *("9 against 10: 1 short, a failure. [SS-3.14]", "You lose 1 Military. [SS-6.6]"),
    ):
        assert words in told
    assert "Cyrene" not in told


def test_a_roll_against_a_number_says_where_that_comes_from() -> None:
    """SS-6.2, SS-6.8, SS-3.4."""
    told = whole(why("Borland's increase").text)
    assert "The dice: 6 5 = 11 (Strike: −1 die). [SS-6.2 3.1]" in told
    assert "It takes 10: 7, and 1 for each point that Borland has of it already (3)." in told
    assert "11 against 10: 1 above, a success. [SS-3.2]" in told
    told = whole(why("the expedition").text)
    assert "It takes 7: 7, and 1 for each earlier expedition that succeeded (0)." in told
    assert "12 against 7: 5 above" in told


def test_support_is_told_with_its_row_of_the_chart() -> None:
    """SS-4.2, SS-4.4."""
    told = whole(why("is my support so high").text)
    assert "START OF YEAR 1" in told
    assert "You expend 3 Harmony on public support. The dice: 5 5 3 = 13." in told
    assert "A total of 13 to 15 is Support: +1 on every roll this year. [SS-4.4]" in told
    assert "Borland" not in told
    told = whole(why("the rebellion of Cyrene").text)
    assert "A total of 1 or 2 is Rebellion" in told
    assert "against the rebels: 1 1 = 2 against 5" in told
    assert "Cyrene loses 1 Harmony" in told


@each_row(
    ("asked", "words"),
    [
        ("did I lose a military point", "You lose 1 Military."),
        ("did I lose a resource", "Nothing was lost that concerns Aldermark so far."),
        ("did Borland gain harmony", "Borland gains 1 Harmony."),
        ("attack", "9 against 10"),
        ("was I attacked", "9 against 10"),
        ("did Cyrene attack me", "No such action was taken"),
        ("last season", "Cyrene sends out an expedition"),
        ("Spring of Year 1", "Cyrene sends out an expedition"),
        ("Winter", "Nothing has happened in Winter."),
        ("year 1", "START OF YEAR 1"),
        ("action 14", "No such action was taken so far."),
        ("did Cyrene fall", "Nobody has fallen"),
        ("the trade", "No trade that you may know of was made so far."),
        ("the game ended", "The game is not over."),
        ("year 7", "There is no such Year; so far there was 1 Year."),
        ("the moon", "I do not know"),
        ("not attack", "I did not understand the question."),
        ("Cyrena", "did you mean"),
        ("", "I did not understand the question."),
    ],
)
def test_whatever_is_asked_is_answered(asked: str, words: str) -> None:
    page = why(asked)
    assert words in whole(page.text)
    assert "<html" in page.html
    assert page.chat


def test_what_is_not_the_readers_is_not_told() -> None:
    """SS-1.9, SS-5.4: a trade of two others, a report of spies."""
    past = (
        PhaseEvents(
            2,
            1,
            "season",
            (
                Event(e.OfferMade(7, 2, 3), ("SS-5.4",), (2, 3)),
                Event(e.Reported(2, 1, 1, 1, 1, (), ()), ("SS-6.9",), (2,)),
            ),
        ),
    )
    for number, is_told in ((1, False), (None, False), (2, True), (3, True)):
        assert ("offer 7" in whole(why("the offer 7", past, number).text).lower()) is (is_told)
    assert "No trade that you may know of" in whole(why("offer 7", past, 1).text)
    assert "No trade that you may know of" in whole(why("offer 8", past, 2).text)


DEPLETING = e.ActionResolved(
    9, 1, "Research", "R", None, 1, 2, (5, 2, 6), (), (), (), 13, 7, 6, "success"
)
TRIED = e.ActionResolved(
    10, 1, "Try", "M", 2, 2, 0, (3, 2), (), (e.Term("rest", -7),), (), 0, 12, -12, "disaster", "dig"
)
ROBBED = e.ActionResolved(11, 2, "Theft", "M", 1, 3, 0, (6, 6, 6), (1,), (), (), 18, 1, 17, "great")
SEASON = PhaseEvents(
    4,
    1,
    "season",
    (
        Event(DEPLETING, ("SS-6.1",)),
        Event(e.PointLost(1, "R"), ("SS-3.17",)),
        Event(TRIED, ("SS-6.16",)),
        Event(e.ActionVoid(12, 3, "no-points"), ("SS-9.3",)),
        Event(ROBBED, ("SS-6.10",)),
        Event(e.Captured(1, 2, forever=True), ("SS-6.10",)),
        Event(e.LoanReturned(1, 3, "M", 2), ("SS-5.6",), (1, 3)),
        Event(e.Fallen(3, "below-zero"), ("SS-11.1",)),
        Event(e.GameOver((1, 2), "years"), ("SS-11.8",)),
    ),
)


@each_row(
    ("asked", "words"),
    [
        (
            "research",
            "The last 2 of them are depletion dice: 2 6. A depletion die of 3 or less costs",
        ),
        ("action 10", "It takes 12: as the game master ruled."),
        ("action 10", "A total is never below 0."),
        ("action 10", "12 short. From 7 short it is a disaster. [SS-3.2 3.4]"),
        ("the theft", "17 above. From 7 above it is a great success. [SS-3.14 3.4]"),
        ("did Cyrene attack", "Cyrene does nothing"),
        ("did I lose a resource", "takes 1 Resource from you, for good"),
        ("did Borland gain a resource", "takes 1 Resource from you, for good"),
        ("did Cyrene lose military", "2 Military"),
        ("did I gain military", "2 Military"),
        ("is my military so high", "2 Military"),
        ("did Cyrene fall", "an attribute went below zero"),
        ("the loan", "2 Military"),
        ("did the game end", "share the victory"),
    ],
)
def test_what_came_of_a_season_is_found_again(asked: str, words: str) -> None:
    """SS-3.6, SS-3.17, SS-6.10, SS-5.10: by what was lost, gained, taken or sent home."""
    told = whole(
        why(asked, (PhaseEvents(1, 1, "year-start", ()), SEASON)).text.replace(
            "\N{NO-BREAK SPACE}", " "
        )
    )
    assert words in told


def test_what_was_rolled_back_has_not_happened() -> None:
    state, past = played()
    assert state.stage == "season"
    undone = [replace(phase, is_undone=True) for phase in past]
    assert "No such action" in whole(why("action 1", undone).text)


def _known(phase: PhaseEvents, player: int | None) -> tuple[Event, ...]:
    return tuple(event for event in phase.events if event.is_for(player))


def test_whole_games_are_told_whatever_happened() -> None:
    """Every sort of event, to everybody who asks for all of a year, and to nobody what is not
    theirs to know.
    """
    past: list[PhaseEvents] = []
    kind, turn = "start", 0
    state: State | None = None
    for step in play(players=4, seed=3, closes=14):
        if step.closed:
            past.append(PhaseEvents(len(past), turn, kind, step.events))
            phase = SOVEREIGNS.phase(step.state)
            kind, turn, state = phase.kind, phase.turn, step.state
    assert state is not None
    for player in (1, 3, None):
        view = view_of(state, player)
        for asked in ("year 1", "last season", "Borland", "the vote", "public support"):
            question = parse_question(view, player, asked)
            page = PAGES.why(table(), reader(player), view, question, past)
            assert "Why" in page.subject
            told = [replace(one, events=_known(one, player)) for one in past]
            assert page == PAGES.why(table(), reader(player), view, question, told)
            assert page.chat
            assert "YEAR" in page.text or asked == "the vote"


# ------------------------------------------------------------------------------------------ chances
@each_row(
    ("asked", "words"),
    [
        (
            "odds of attacking Borland with 3",
            "need the total of Borland. Borland rolls with 1 die less",
        ),
        (
            "odds of attacking Borland with 3",
            "It has 3 and keeps secret how much of that is free.",
        ),
        (
            "chances of research with 2 + 1 depleted",
            "You may lose depleted Resources for good: 50 % for 1.",
        ),
        ("odds of research", "2 Resources 72 %"),
        ("odds of attacking Borland", "With At least At most 1 Military"),
        ("odds of 3 harmony", "Indifference 9 to 12 48 %"),
        ("odds of harmony", "Harmony Helps Nothing Hurts Rebels"),
        ("odds of Borland attacking me with 3", "Success"),
        ("odds of attacking Atlantis with 3", 'I do not know "atlantis"'),
        ("odds of attacking with 3", "Please say against which kingdom"),
        ("odds of theft from Borland with 2 harmony", "You roll that action with Military."),
        ("odds of a contact with 2 and the boon", "You have no boon to use."),
        ("odds of research with 99", "too many dice to work out the chances."),
        ("odds of attacking me with 2", "Please say against which kingdom"),
        ("odds", "Please say which roll"),
    ],
)
def test_chances_are_told(asked: str, words: str) -> None:
    page = why(asked)
    assert words in whole(page.text.replace("\N{NO-BREAK SPACE}", " "))
    assert page.chat


def line(text: str, state: State | None = None, *lines: str) -> str:
    state = position(KINGDOMS) if state is None else state
    standing = [parse_order(state, each) for each in lines]
    return odds_line(view_of(state, 1), parse_order(state, text), standing)


def test_a_line_of_chances_stands_behind_an_order() -> None:
    """SS-3.2, SS-3.13, SS-4.4."""
    assert line("Research: 2R") == "72 % (needs 7)"
    assert line("Attack Ben: 2M") == "at least 66 %: Borland can roll up to 2 dice"
    assert line("Theft Cara: 4M") == "at least 98 %: Cyrene can roll up to 2 dice"
    assert line("Pass") == line("Every season: Research: 1R") == ""
    assert line("Spread Ben: 1H") == ""
    assert line("Harmony: 2H") == "28 % for Indifference or better, 3 % for Rebellion"
    assert line("Rule by Fear") == ""
    state = position(KINGDOMS, phase="year-start")
    assert line("Harmony: 3H", state) == "74 % for Indifference or better"
    assert line("Research: 1R", state) == ""
    helpless = position({**KINGDOMS, "Ben": {"M": 0, "support": "strike"}})
    assert line("Attack Ben: 1M", helpless) == "100 %"
    assert odds_line(view_of(helpless, None), parse_order(helpless, "Research: 1R")) == ""
    assert line("Research: all R", position({**KINGDOMS, "Ann": {"R": MOST_DICE + 1}})) == ""


def test_what_is_built_is_paid_before() -> None:
    """SS-7.10: of 4 free Resources a hospital leaves 1."""
    kingdoms = {**KINGDOMS, "Ann": {"R": 4, "tech": ["care"]}}
    state = position(kingdoms, technologies={"care": "BLD-HOSPITAL"})
    assert line("Research: 2R", state) == "58 % (needs 7)"
    assert line("Research: 2R", state, "Build BLD-HOSPITAL") == "0 % (needs 7)"


# -------------------------------------------------------------------------------------- suppositions
def supposed(text: str, state: State | None = None, **more: object) -> Page:
    """The page as the desk asks for it."""
    state = position(KINGDOMS) if state is None else state
    read = read_supposition(state, 1, Standing[o.Order](), text)
    clauses = tuple(
        (
            one.player,
            ReceiptItem(0, one.item.quote, one.item.caret, one.item.texts, one.item.problems),
        )
        for one in read.items
    )
    texts = tuple(
        (number, tuple(SOVEREIGNS.format_order(state, order) for order in given))
        for number, given in read.orders.items()
    )
    facts = SuppositionFacts(
        text, is_preview=False, most=5, orders=texts, stored=read.stored, clauses=clauses, left=4
    )
    if not read.is_understood:
        facts = replace(facts, refused="not-understood")
    else:
        told = SOVEREIGNS.suppose(state, 1, read.orders)
        facts = replace(facts, events=told.events, hangs=told.hangs)
    return PAGES.supposition(table(), reader(1), view_of(state, 1), replace(facts, **more))  # type: ignore[arg-type]


def test_a_supposition_tells_chances_and_what_is_certain() -> None:
    """SS-3.13, SS-7.10, SS-9.1."""
    page = supposed("I attack Borland with 3")
    told = whole(page.text.replace("\N{NO-BREAK SPACE}", " "))
    for words in (
        "This is only a test. It orders nothing, and nobody else learns of it.",
        "Attack Ben: 3M",
        "An attack on Borland with 3 Military: you roll 3 dice with +1 (Support)",
        "The actions of a season happen in random order",
        "You can ask 4 more times in this phase.",
    ):
        assert words in told
    kingdoms = {**KINGDOMS, "Ann": {"name": "Aldermark", "R": 4, "tech": ["care"]}}
    state = position(kingdoms, technologies={"care": "BLD-HOSPITAL"})
    told = whole(supposed("we build the hospital and research with 1", state).text)
    assert "You build a hospital" in told
    assert "Research with 1" in told.replace("\N{NO-BREAK SPACE}", " ")


def test_what_is_read_otherwise_than_written_is_said() -> None:
    told = whole(supposed("I attack Borland with 9").text)
    assert "We keep the order as you gave it" in told
    told = whole(supposed("I attack Borland with 2 if Cyrene has fallen").text)
    assert "We would not do it: the condition does not hold now." in told


@pytest.mark.parametrize("code", ["limit", "off", "paused", "game-over", "not-now"])
def test_where_nothing_is_supposed_the_page_says_why(code: str) -> None:
    told = whole(supposed("I attack Borland with 3", refused=code).text)
    assert "This does not change your orders." in told


def test_what_is_not_understood_is_asked_about() -> None:
    for text, words in (
        ("the weather is fine", "I did not understand this question."),
        ("I offer Cyrene 1 military for 1 resource", "takes effect at once"),
        ("x" * 3001, "at most 3000 characters"),
    ):
        told = whole(supposed(text).text)
        assert words in told
        assert "This does not change your orders." in told


def test_a_year_start_is_supposed_by_its_chart() -> None:
    """SS-4.4, SS-4.8."""
    state = position(KINGDOMS, phase="year-start")
    told = whole(supposed("I roll 3 harmony", state).text)
    assert "Full Support 16 or more" in told
    told = whole(supposed("I rule by fear", state).text)
    assert "You rule by fear" in told
    assert isinstance(parse_question(view_of(state, 1), 1, "odds of 0 harmony"), Problem)

"""Pages about why and about chances: every die and every rule of a battle, and answers to whatever
is asked.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.chance import Chance
from engine.fortresses.event_kinds import TurnBegan
from engine.fortresses.odds import Odds
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import State
from engine.fortresses.units import Units
from engine.fortresses.view import view_of
from engine.ruleset import Event, Standing
from pbem.games.fortresses.pages.letters import PAGES
from pbem.games.fortresses.pages.odds import odds_line
from pbem.games.fortresses.reading.questions import parse_question
from pbem.games.fortresses.reading.suppositions import read_supposition
from pbem.pages.page import Page, PhaseEvents, ReceiptItem, SuppositionFacts
from tests.games.fortresses.engine.playing import orders_of
from tests.games.fortresses.engine.playing import table as position
from tests.games.fortresses.pages.played import play, reader, table
from tests.rows import each_row

BEFORE = position(
    "reinforce",
    "red",
    year=2,
    gold=12,
    units={
        "Hungary": "blue 4L 2W 1D",
        "Bulgaria": "gold 2L 1K, silver 2L",
        "Aegean Sea": "gold 1G",
        "Black Sea": "blue 1G",
        "Crete": "gold 1L",
    },
)
BLUE = 3
DICE = (
    *(10, 8),  # both Galleons sink
    *(5, 1, 2, 1, 12, 9, 15, 4, 3, 6, 1, 1),
    *(6, 5, 2, 5, 10, 1, 4, 4, 6),
    *(5, 3, 1, 11, 6, 5),
)


def whole(text: str) -> str:
    """Words as they run, without the breaks of lines."""
    return " ".join(text.split())


def played(*lines: str) -> tuple[State, list[PhaseEvents]]:
    """Red's turn ends, and Blue attacks."""
    ended = FORTRESSES.adjudicate(BEFORE, {}, Chance(b""))
    chance = Chance(bytes(32), 0, DICE)
    fought = FORTRESSES.adjudicate(ended.state, {BLUE: orders_of(lines)}, chance)
    assert not chance.unused
    return fought.state, [
        PhaseEvents(1, 2, "reinforce", (Event(TurnBegan(2, "red"), ()), *ended.events)),
        PhaseEvents(2, 2, "attack", fought.events),
    ]


STATE, PAST = played(
    "Attack Bulgaria with 4L 2W 1D from Hungary",
    "Attack Aegean Sea with 1G from Black Sea",
    "Retreat dragons never",
    "Lose L then W in Bulgaria",
)


def why(asked: str, past: Sequence[PhaseEvents] = PAST, player: int | None = BLUE) -> Page:
    view = view_of(STATE, player)
    question = parse_question(view, player, asked)
    return PAGES.why(table(), reader(player), view, question, past)


def test_a_battle_is_told_die_by_die() -> None:
    """FW-3.3, FW-7.5, FW-7.7, FW-7.9 to FW-7.11, FW-10.1: who hit what, and why who died."""
    told = whole(why("did I win Bulgaria").text)
    for words in (
        *("YEAR 2, BLUE'S TURN: BULGARIA", "4 Legions, 2 Warbeasts and 1 Dragon"),
        "A Castle takes the first hit. [FW-7.2 7.10]",
        "Legions (d6) 5, 1, 2, 1; Warbeasts (d20) 12!, 9!; Dragon (d20) 15!",
        "3 rolls of 6 or more: 3 hits. [FW-7.5 7.6 3.3]",
        "the walls take 1 hit, Silver loses 1 Legion and Gold loses 1 Legion",
        *("[FW-7.9 7.10 7.11]", 'by the order "Lose L then W in Bulgaria". [FW-7.7 10.1]'),
        *("1 hit found nobody left", "Bulgaria is taken from Gold"),
    ):
        assert words in told
    assert "AEGEAN" not in told


def test_one_round_is_told_alone() -> None:
    told = whole(why("round 2 in BUL").text)
    assert "5, 2; Warbeasts (d20) 5, 10!" in told
    assert "15!" not in told
    assert "No battle was fought in Bulgaria" in whole(why("round 9 in Bulgaria").text)


@each_row(
    ("asked", "words"),
    [
        ("the Aegean Sea", "Both sides died in the same round, so the owner stays. [FW-7.16]"),
        ("last turn", "Blue (blue) collects"),
        ("turn 2", "AEGEAN SEA"),
        ("Greece", "No battle was fought in Greece so far."),
        ("Greece in year 1", "No battle was fought in Greece in Year 1."),
        ("my income", "Bulgaria was taken (+1). [FW-7.15]"),
        ("the income of Red", "Red owns 9 Lands and 3 Great Cities: 9 + 3 = 12 gold. [FW-8.2]"),
        ("the income of Gold", "No income was collected"),
        ("what Red bought", "as many Legions as gold and supply allow"),
        ("the end", "The game is not over."),
        ("is the moon green", "I cannot read this question."),
        ("Bulgaira", "did you mean Bulgaria?"),
        ("turn 9", "There is no such Year; so far there were 2 Years."),
        ("odds of taking Crete with 2L", "2 Legions against 1 Legion of Gold."),
        ("odds of taking Naples with 2L", "nobody is there to defend it"),
        ("odds of taking Greece with 2G", "A Galleon never fights in Greece"),
        ("odds of taking Greece with 2L from Egypt", "a Legion moves 1"),
        ("odds of taking Greece", "Say with which units you attack Greece."),
    ],
)
def test_whatever_is_asked_is_answered(asked: str, words: str) -> None:
    page = why(asked)
    assert words in whole(page.text)
    assert page.chat
    assert page.html


def test_the_public_asks_too() -> None:
    assert "Bulgaria is taken" in whole(why("Bulgaria", player=None).text)


def test_what_was_rolled_back_has_not_happened() -> None:
    undone = [replace(phase, is_undone=True, events=()) for phase in PAST]
    assert "No battle was fought" in why("Bulgaria", undone).text


def test_every_battle_of_whole_games_is_told() -> None:
    """Interactive ones too, which go over several phases."""
    for seed in (1, 2):
        past: list[PhaseEvents] = []
        zones: set[str] = set()
        for number, step in enumerate(play(2, seed, 40)):
            view = step.view(None)
            past.append(PhaseEvents(number, view.year, view.stage, step.events))
            zones |= {event.facts.zone for event in step.events if event.kind == "battle"}  # type: ignore[attr-defined]
        view = step.view(1)
        for zone in sorted(zones):
            question = parse_question(view, 1, zone)
            page = PAGES.why(table(), reader(1), view, question, past)
            assert "Year" in page.html
            assert "No battle" not in page.text


# -------------------------------------------------------------------------------------- suppositions
ATTACK = position(
    "attack",
    "gold",
    units={
        "Aegean Sea": "gold 1G",
        "Crete": "gold 1L",
        "Syria": "gold 2L 1K",
        "Levantine Sea": "red 1G",
        "Egypt": "red 2L 1K",
    },
)
GOLD = 4


def suppose(text: str, player: int = GOLD, **more: object) -> str:
    read = read_supposition(ATTACK, player, Standing(), text)
    texts = {
        number: tuple(FORTRESSES.format_order(ATTACK, line) for line in lines)
        for number, lines in read.orders.items()
    }
    facts = SuppositionFacts(
        text,
        False,
        5,
        orders=tuple(texts.items()),
        stored=read.stored,
        clauses=tuple(
            (one.player, ReceiptItem(0, one.item.quote, problems=one.item.problems))
            for one in read.items
        ),
        left=3,
    )
    if read.is_understood:
        found = FORTRESSES.suppose(ATTACK, player, read.orders)
        after = FORTRESSES.view(found.state, player)
        facts = replace(facts, after=after, events=found.events, hangs=found.hangs)
    else:
        facts = replace(facts, refused="not-understood")
    view = view_of(ATTACK, player)
    page = PAGES.supposition(table(), reader(player), view, replace(facts, **more))  # type: ignore[arg-type]
    assert page.chat
    return whole(page.text)


def test_a_supposed_attack_tells_its_chances() -> None:
    told = suppose("I attack Egypt with 2L 1K from Syria")
    assert "Attack Egypt with 2L 1K from Syria" in told
    assert (
        "Gold attacks Egypt with 2 Legions and 1 Knight against 2 Legions and 1 Knight of Red behind"
        in told
    )
    assert "taken 22 %" in told
    assert "On average Gold loses" in told


def test_a_passenger_at_risk_is_told() -> None:
    """FW-6.15."""
    told = suppose("galleon in Aegean Sea carries legion from Crete via Levantine Sea to Egypt")
    assert "Gold attacks the Levantine Sea" in told
    assert "is lost if its Galleon sinks in the Levantine Sea" in told


def test_nothing_supposed_comes_to_nothing() -> None:
    assert "There would be no battle." in suppose("done")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("attack Egypt with 9L from Syria", "your line needs 9"),
        ("attack Avalon with 2L", "You can ask, for example"),
        ("I resign", "That takes effect at once"),
    ],
)
def test_what_is_unclear_is_said(text: str, words: str) -> None:
    assert words in suppose(text)


@pytest.mark.parametrize("refused", ["limit", "off", "paused", "game-over", "not-now"])
def test_why_nothing_is_supposed(refused: str) -> None:
    told = suppose("I attack Egypt with 2L from Syria", refused=refused)
    assert "This does not change your orders." in told


def test_a_line_of_odds() -> None:
    """For a letter, a receipt and a menu; nothing where nothing can be fought."""
    view = view_of(ATTACK, GOLD)
    attack, moved, landing = orders_of(
        [
            "Attack Egypt with 2L 1K from Syria",
            "Done",
            "Galleon in Aegean Sea carries 1L from Crete via Levantine Sea to Egypt",
        ]
    )
    assert odds_line(view, attack).startswith("22 %")
    assert " to take it; you lose about" in odds_line(view, attack)
    assert odds_line(view, moved) == ""
    assert odds_line(view, landing).endswith("gold)")
    assert odds_line(view, Odds("Greece", Units(L=1))) != ""
    assert odds_line(view, Odds("Greece", Units(G=1))) == ""
    assert odds_line(view, Odds("Tunis", Units(L=1))) == "nobody is there"

"""The table of reach: each of its examples does what its row says (F-20, F-21, F-23)."""

from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.discourse import CueRow, reach_table, row_of
from tests.games.protectors.reading.positions import ANNA, EMPTY, codes, table, texts
from tests.rows import each_row

EXAMPLES = {
    ("correct", "nothing"): "march 1 from P2 to P3. No wait.",
    ("correct", "number"): "march 1 from P2 to P3. Sorry, I meant 2.",
    ("correct", "place"): "work P1, I mean P2",
    ("correct", "path"): "march 1 from P2 to P3, no wait, to P1",
    ("correct", "flag"): "fortify P1. No wait, golden!",
    ("correct", "who"): "send 10 to Mark. Sorry, I meant May.",
    ("correct", "same"): "fortify P1. Actually no, P1 should work.",
    ("correct", "kin"): "support May in P3 from P2. Correction: fortify P1.",
    ("correct", "other"): "fortify P1. No wait, P2 works.",
    ("correct", "spread"): "fortify P1. On second thought everybody works.",
    ("correct", "talk"): "fortify P1. No wait, that is foolish.",
    ("soft", "nothing"): "fortify P1, sorry",
    ("soft", "number"): "march 1 from P2 to P3 (sorry, 2)",
    ("soft", "place"): "work P1, sorry, P2",
    ("soft", "path"): "march 1 from P2 to P3, oops, to P1",
    ("soft", "flag"): "fortify P1. Sorry, golden.",
    ("soft", "who"): "send 10 to Mark, sorry, May",
    ("soft", "same"): "fortify P1. Sorry, P1 works.",
    ("soft", "kin"): "support May in P3 from P2. Sorry May! Fortify P1.",
    ("soft", "other"): "Sorry, P2 works.",
    ("soft", "spread"): "fortify P1. Oops, everybody works.",
    ("soft", "talk"): "fortify P1. Sorry, busy here.",
    ("instead", "nothing"): "fortify P1. Instead.",
    ("instead", "number"): "march 1 from P2 to P3. 2 instead.",
    ("instead", "place"): "work P1. P2 instead.",
    ("instead", "path"): "march 1 from P2 to P3. To P1 instead.",
    ("instead", "flag"): "fortify P1. Golden instead.",
    ("instead", "who"): "send 10 to Mark. May instead.",
    ("instead", "same"): "work P1. Fortify P1 instead.",
    ("instead", "kin"): "fortify P1. Fortify P2 instead.",
    ("instead", "other"): "fortify P1. P2 works instead.",
    ("instead", "spread"): "fortify P1. Everybody works instead.",
    ("instead", "talk"): "fortify P1. Something else instead.",
    ("retract", "nothing"): "fortify P1. Forget it.",
    ("retract", "number"): "march 1 from P2 to P3. Forget it, 2.",
    ("retract", "place"): "fortify P1. Forget P2.",
    ("retract", "path"): "march 1 from P2 to P3. Forget it, to P1.",
    ("retract", "flag"): "fortify P1. Forget the gold.",
    ("retract", "who"): "send 10 to Mark. Forget Mark.",
    ("retract", "same"): "fortify P1. Ignore that, golden fortify P1.",
    ("retract", "kin"): "fortify P1. Ignore that, fortify P2.",
    ("retract", "other"): "fortify P1. Forget that. P2 works.",
    ("retract", "spread"): "fortify P1. Ignore the above: everybody works.",
    ("retract", "talk"): "fortify P1. Forget that nonsense.",
    ("draft", "*"): "For example: fortify P1.",
}
"""A message for each row, by its cue and what follows it."""


@each_row("row", reach_table())
def test_the_example_of_a_row_does_what_the_row_says(row: CueRow) -> None:
    example = EXAMPLES[row.cue, row.follows]
    reading = read_alone(READER.read, table(), ANNA, EMPTY, example)
    first = read_alone(
        READER.read, table(), ANNA, EMPTY, example.partition(".")[0].partition(",")[0]
    )
    match row.deed:
        case "ask" | "back":
            assert codes(reading)
            assert (
                row.deed == "back"
                or not set(texts(first)) <= set(texts(reading))
                or not (texts(first))
            )
        case "replace":
            assert not set(texts(first)) <= set(texts(reading))
        case "add":
            assert texts(reading)


def test_what_the_table_does_not_name_is_asked() -> None:
    assert row_of("nobody", "knows").deed == "ask"

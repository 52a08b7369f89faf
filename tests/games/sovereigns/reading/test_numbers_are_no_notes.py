"""F-102: where a phase asks for numbers, a message with numbers is an answer or is asked about. It
is never a note: the numbers are a secret of the writer (SS-1.3, SS-4).
"""

from engine.ruleset import Standing
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.sovereigns.reading.tables import read, table
from tests.rows import each_row

YEAR = {
    "put 2 into support": "Harmony: 2H",
    "I'll put 2 harmony into support": "Harmony: 2H",
    "2 points for public support": "Harmony: 2H",
    "I put 2 on the people": "Harmony: 2H",
    "all of it": "Harmony: all",
    "everything": "Harmony: all",
    "put everything into support": "Harmony: all",
}
SETUP = {
    "split 4 3 2": "Split 4/3/2",
    "4 3 2": "Split 4/3/2",
    "I'll go 4, 3 and 2": "Split 4/3/2",
    "four three two": "Split 4/3/2",
    "4 3 2, and call it Borland": "Split 4/3/2, Borland",
}
UNCLEAR = (
    *("shove two of those dice at it", "all", "half of what there is", "7 would be lovely, or 8"),
    *("we think of a number like 4", "harmony", "some points", "2 of my best"),
)


@each_row(
    ("position", "text", "order"),
    [
        *(("year", text, order) for text, order in YEAR.items()),
        *(("setup", text, order) for text, order in SETUP.items()),
    ],
)
def test_the_questions_own_words_answer_it_f_102(position: str, text: str, order: str) -> None:
    assert read(text, position) == ([order], ())


@each_row("position", ["year", "setup"])
@each_row("text", [*YEAR, *SETUP, *UNCLEAR])
def test_a_message_with_numbers_is_no_note_to_the_game_master_f_102(
    position: str, text: str
) -> None:
    reading = read_alone(READER.read, table(position), 1, Standing(), text)
    assert reading.note is None
    assert reading.items
    assert all(problem.code != "no-order" for item in reading.items for problem in item.problems)


def test_three_numbers_a_thousand_times_end_in_an_answer_f_109() -> None:
    """F-109: no reader calls itself once a word."""
    stands, codes = read("3/3/3 " * 1200, "setup")
    assert (stands, bool(codes)) == ([], True)

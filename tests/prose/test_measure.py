"""Sentences, words and the ease of reading are measured as a reader would count them."""

from tests.prose.measure import reading_ease, sentences_of, syllables_of, too_long
from tests.rows import each_row


def counted(text: str) -> list[tuple[int, int]]:
    return [(sentence.line, sentence.words) for sentence in sentences_of(text)]


@each_row(
    ("text", "counts"),
    [
        ("You march. The Dragon sleeps!", [(1, 2), (1, 3)]),
        ("You march\nto the sea. Why?\n\nDone", [(1, 5), (2, 1), (4, 1)]),
        ("- one thing\n- another thing here", [(1, 2), (2, 3)]),
        ("| a cell | another one. And more |", [(1, 2), (1, 2), (1, 2)]),
        ("It costs 25 $Realm, e.g. at P2, from 18:00 on.", [(1, 10)]),
        ("(He said so.) Then he left.", [(1, 3), (1, 3)]),
        ("-- \n...\n", []),
    ],
)
def test_sentences_are_counted_with_their_lines_and_words(
    text: str, counts: list[tuple[int, int]]
) -> None:
    assert counted(text) == counts


def test_what_is_too_long_is_named() -> None:
    (found,) = too_long(f"Short. A {'word ' * 25}.", 25)
    assert found.words == 26


@each_row(
    ("word", "count"),
    [("march", 1), ("order", 2), ("bulletin", 3), ("asked", 1), ("needed", 2), ("table", 2)],
)
def test_syllables_are_about_right(word: str, count: int) -> None:
    assert syllables_of(word) == count


def test_short_words_read_more_easily_than_long_ones() -> None:
    plain = "We sent you the board. You can march now. The Dragon is near."
    heavy = "Notification concerning administrative adjudication necessitates consideration."
    assert reading_ease(plain) > 90
    assert reading_ease(heavy) < 0
    assert reading_ease("") == 100

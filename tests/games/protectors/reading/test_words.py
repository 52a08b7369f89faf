from importlib.resources import files

import pytest

from pbem.games.protectors.reading.dialect import DIALECT, lexicon
from pbem.grammar.kit.vocabulary import SHORTEST_SLIP, build_vocabulary, parse_words
from tests.rows import each_row


def test_every_order_has_words() -> None:
    words = files("pbem.games.protectors.reading") / "orders.words"
    kinds = {kind for kind, _ in parse_words(words)}
    assert kinds >= DIALECT.verbs


def test_a_phrase_has_one_kind_only() -> None:
    with pytest.raises(ValueError, match="line 2: 'go' is HOLD, but MARCH at line 1"):
        build_vocabulary("MARCH: march, go\nHOLD: go")


def test_a_line_without_a_kind_is_no_words_file() -> None:
    with pytest.raises(ValueError, match="line 1: not `KIND: word, word`"):
        parse_words("march, go")


def test_slips_are_read_in_known_command_words_of_five_letters_or_more() -> None:
    vocabulary = lexicon()
    assert all(len(word) >= SHORTEST_SLIP for word in vocabulary.slips)
    commands = {"status", "history", "resend", "province", "provinces"}
    assert {word for word in vocabulary.slips if word not in vocabulary.known} <= commands


@pytest.mark.parametrize("word", ["marhc", "mrach", "marc", "marchh", "msrch"])
def test_one_slip_in_march_is_read(word: str) -> None:
    assert lexicon().without_slip(word) == "march"


@each_row("word", ["wrok", "hodl", "byu", "bidd", "mrcah", "switch", "match"])
def test_short_words_two_slips_and_real_words_are_not(word: str) -> None:
    assert lexicon().without_slip(word) is None


@pytest.mark.parametrize(
    ("drawn", "word"),
    [("sooo", "so"), ("pleeease", "please"), ("goooo", "go"), ("yesss", "yes"), ("nooo", "no")],
)
def test_a_word_drawn_out_is_that_word(drawn: str, word: str) -> None:
    assert lexicon().without_slip(drawn) == word


@pytest.mark.parametrize("word", ["annna", "brrrr", "p111", "good", "too"])
def test_a_name_or_number_drawn_out_is_nobody_elses(word: str) -> None:
    assert lexicon().without_slip(word) is None

from importlib.resources import files

import pytest

from pbem.games.protectors.reading.drafts import VERBS
from pbem.games.protectors.reading.lines import LANGUAGE
from pbem.grammar.kit.parsing import build_parser, terminals_of
from pbem.grammar.kit.vocabulary import (
    SHORTEST_SLIP,
    build_vocabulary,
    load_vocabulary,
    parse_words,
)


def test_the_grammar_is_lalr_without_a_single_conflict_when_built_strictly() -> None:
    assert build_parser(LANGUAGE, strict=True).options.strict


def test_every_verb_has_words_and_a_terminal() -> None:
    words = (files("pbem.grammar.kit") / "kit.words", files(LANGUAGE) / "orders.words")
    kinds = {kind for file in words for kind, _ in parse_words(file.read_text("utf-8"))}
    assert kinds >= VERBS
    assert terminals_of(LANGUAGE) >= VERBS


def test_a_phrase_has_one_kind_only() -> None:
    with pytest.raises(ValueError, match="'go' is MARCH and HOLD"):
        build_vocabulary("MARCH: march, go\nHOLD: go")


def test_a_line_without_a_kind_is_no_words_file() -> None:
    with pytest.raises(ValueError, match="no line of a words file"):
        parse_words("march, go")


def test_slips_are_read_in_known_command_words_of_five_letters_or_more() -> None:
    vocabulary = load_vocabulary(LANGUAGE)
    assert all(len(word) >= SHORTEST_SLIP for word in vocabulary.slips)
    commands = {"status", "history", "resend", "province", "provinces"}
    assert {word for word in vocabulary.slips if word not in vocabulary.known} <= commands


@pytest.mark.parametrize("word", ["marhc", "mrach", "marc", "marchh", "msrch"])
def test_one_slip_in_march_is_read(word: str) -> None:
    assert load_vocabulary(LANGUAGE).without_slip(word) == "march"


@pytest.mark.parametrize("word", ["wrok", "hodl", "byu", "bidd", "mrcah", "switch", "match"])
def test_short_words_two_slips_and_real_words_are_not(word: str) -> None:
    assert load_vocabulary(LANGUAGE).without_slip(word) is None

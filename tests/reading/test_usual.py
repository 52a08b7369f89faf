"""Offers from the texts of legal orders alone."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from pbem.grammar.kit.lexemes import Lexeme, lexemes_of
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.kit.people import People, Person
from pbem.grammar.kit.sentences import sentences_of
from pbem.grammar.kit.vocabulary import build_vocabulary
from pbem.reading.usual import usual_offering

WORDS = "BID: bid\nSEND: send, sends\nBUY: buy\nNOTHING: nothing\n"
TABLE = People((Person(1, "Anna", "red", "crown"), Person(2, "Ben", "blue", "star")), 1)
LEGAL = (
    *(f"Bid {count}" for count in range(8)),
    *(f"Send {count} to Ben" for count in range(1, 4)),
    "Buy nothing",
)


Offered = Callable[..., tuple[str, ...]]


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> Offered:
    own: Path = tmp_path_factory.mktemp("words") / "orders.words"
    own.write_text(WORDS, "utf-8")
    words = build_vocabulary(files("pbem.grammar.kit") / "kit.words", own)

    def read(text: str) -> list[Lexeme]:
        return lexemes_of(text, words, TABLE)

    def whole(text: str, legal: tuple[str, ...] = LEGAL) -> tuple[str, ...]:
        plain = normalise(text)
        offering = usual_offering(plain, read, words, legal, str)
        kinds = frozenset({"BID", "SEND", "BUY"})
        sentences = sentences_of(plain, read(plain.text), kinds, frozenset())
        return offering.whole(sentences, [], [(0, len(plain.text))])

    return whole


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("bidd 7", ("Bid 7",)),
        ("sned ben two", ("Send 2 to Ben",)),
        ("bid 5 and send 3 to Ben", ("Bid 5", "Send 3 to Ben")),
        ("bid 9", ()),
        ("bid 5 if Ben is poor", ()),
        ("bid sevn 7", ()),
        ("5", ()),
        ("what a week", ()),
    ],
)
def test_what_is_said_of_a_legal_order_is_offered(
    offered: Offered, text: str, orders: tuple[str, ...]
) -> None:
    assert offered(text) == orders


def test_numbers_that_are_spelt_otherwise_are_words_of_their_text(offered: Offered) -> None:
    assert offered("sned ben two", ("Bid 1,000", "Send 2 to Ben")) == ("Send 2 to Ben",)


def test_letters_that_fold_to_more_change_no_place(offered: Offered) -> None:
    assert offered("bidd 3", ("Straße: bid 3", "Straße: bid 4")) == ("Straße: bid 3",)

"""F-76, F-82: what people write around a clear order and orders nothing (signatures, mottos, talk)
leaves it as it was, in every game.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
import yaml

from pbem.grammar.house.parsing import hear
from pbem.grammar.house.statements import Word, Yes
from tests.games.reading.phrases import FOLDERS, Phrase, phrases_of
from tests.rings import ALL_PHRASES

SAID = yaml.safe_load((Path(__file__).parent / "neighbours.yaml").read_text("utf-8"))
NEIGHBOURS: list[str] = [text for kind in SAID.values() for text in kind]
FORMS = ("{talk}\n\n{order}", "{order}\n{talk}", "{order}\n\n{talk}", "{order} {talk}")
EVERY = 40
"""So many phrases lie between two that are looked at; `make phrases` looks at all."""
EACH = 5
"""With so many neighbours."""


def clear_phrases(game: str) -> Iterator[tuple[int, Phrase]]:
    """Those that are read as their writers meant them; some of them, or all (`make phrases`)."""
    told = islice(phrases_of(game), 0, None, 1 if ALL_PHRASES else EVERY)
    return ((number, one) for number, one in enumerate(told) if one.is_clear)


def around(number: int, phrase: Phrase) -> Iterator[str]:
    """Messages that say this phrase and something else: all neighbours, or a few, in a form by
    turns.
    """
    order = phrase.text.rstrip()
    closed = order if order[-1] in ".!?:;" else f"{order}."
    bare = not any(letter.isalpha() for letter in order)
    for at, talk in enumerate(NEIGHBOURS):
        if not ALL_PHRASES and (at + number) % (len(NEIGHBOURS) // EACH):
            continue
        form = FORMS[(at + number) % (len(FORMS) - bare)]  # `4.` numbers what follows
        ended = closed if form is FORMS[-1] else order
        yield form.format(talk=talk, order=ended)


MOST_ASKED = {"protectors": 0.015, "realm_master": 0.015, "fortresses": 0.003, "sovereigns": 0.0}
"""This share of messages at most asks about the order too: a motto that names a land or denies a
play (`Two knights walk into a bar.`), a `final` or an order of all (`everything into the bid`)
beside what is not understood.
"""


def is_for_house(text: str) -> bool:
    """A yes that is no answer to the game's question, or a word of the house, such as a wish to
    leave: the house answers it.
    """
    return any(isinstance(one, Yes | Word) for one in hear(text).statements)


def test_there_are_sixty_neighbours() -> None:
    assert len(NEIGHBOURS) == len(set(NEIGHBOURS)) == 60


@pytest.mark.parametrize("game", FOLDERS)
def test_what_stands_around_a_clear_order_leaves_it_as_it_was(game: str) -> None:
    asked, looked = [], 0
    for number, phrase in clear_phrases(game):
        for text in around(number, phrase):
            looked += 1
            means, codes = phrase.outcome(text)
            assert set(means) <= set(phrase.means), text
            if means != phrase.means:
                assert codes or is_for_house(text), text
                asked.append((phrase.name, text, means))
    assert looked > 60
    assert len(asked) <= MOST_ASKED[game] * looked, asked

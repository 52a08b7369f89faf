"""What is asked, denied, hung on something or told of others is never offered, also where it is
said of a clear order of a real game; and a long message is answered without an offer.
"""

from pathlib import Path

import pytest

from pbem.grammar.house.reading import read_alone
from tests.games.reading.phrases import Phrase, kept_phrases
from tests.games.reading.test_offers import FOLDERS, is_confirmed
from tests.rings import some_of

WRAPPED = [
    *("Should I {}?", "I will not {}.", "Do not {}.", "If you agree, {}.", "Unless it rains, {}."),
    *("Last turn he said: {}.", "I thought about this: {}. But I am not sure."),
    *("What happens if I {}?", "{}. No, forget that.", "Maybe {}."),
]


def _clear(folder: Path) -> list[Phrase]:
    """Short phrases of which orders were meant, and nothing else."""
    return [
        phrase
        for phrase in kept_phrases(folder / "phrases", 2)
        if phrase.is_to_be_clear
        and len(phrase.text) < 80
        and "\n" not in phrase.text
        and not set("?.!;") & {*phrase.text.strip()[:-1]}
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_what_is_turned_is_never_offered(folder: Path) -> None:
    wrong = []
    for i, phrase in enumerate(some_of(_clear(folder), 20)):
        for words in some_of(WRAPPED[i % 2 :], 5):
            text = words.format(phrase.text.strip().rstrip(".!"))
            reading = read_alone(
                phrase.at.game.read, phrase.at.state, phrase.player, phrase.standing, text
            )
            wrong += [
                (text, item.suggestion.text)
                for item in reading.items
                if item.suggestion is not None and not is_confirmed(item)
            ]
    assert not wrong

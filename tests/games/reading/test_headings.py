"""A heading that puts off or denies governs its list, in all games: nothing of it stands and
nothing is offered. A heading that bids changes nothing, and a list ends with its lines.
"""

from itertools import islice
from pathlib import Path

import pytest

from pbem.grammar.kit.headings import put_off
from tests.games.reading.phrases import FOLDERS, Phrase, kept_phrases
from tests.rows import each_row

PUTS_OFF = (
    *("Wish list for later in the game:", "What I won't do:", "Ideas, still undecided:"),
    *("Things for another day:", "Wishlist", "Bucket list", "Please don't do any of this yet:"),
)
BIDS = ("My orders:", "Here is my list:", "To do:")


def plain_ones(folder: Path) -> list[Phrase]:
    """A few messages that are one clear order."""
    clear = (x for x in kept_phrases(folder) if len(x.means) == 1 and len(x.text) < 40)
    return [*islice((x for x in clear if ":" not in x.text and x.is_clear), 0, 60, 12)]


@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_nothing_below_a_heading_that_puts_off_stands_or_is_offered(folder: Path) -> None:
    phrases = plain_ones(folder)
    assert phrases
    for phrase in phrases:
        for heading in PUTS_OFF:
            reading = phrase.reading(f"{heading}\n- {phrase.text}")
            assert not any(x.texts or x.suggestion for x in reading.items), (heading, phrase.text)


@pytest.mark.parametrize("folder", FOLDERS.values(), ids=FOLDERS)
def test_a_heading_that_bids_takes_nothing_away(folder: Path) -> None:
    for phrase in plain_ones(folder):
        for heading in BIDS:
            assert phrase.outcome(f"{heading}\n- {phrase.text}") == (phrase.means, ())


@each_row(
    ("text", "held"),
    [
        ("wish list:\n- a\n- b\nnow: c", ["- a\n- b"]),
        ("wish list:\n\n1. a\n2. b\n\nc", ["1. a\n2. b"]),
        ("some day: a. and now b", [" a"]),
        ("a\nfor later:\nb\nc\n\nd", ["b\nc"]),
        ("orders:\n- a\n- b", []),
        ("i won't do that.\n- a", []),
        ("if you ask me what i won't do this year: a", []),
    ],
)
def test_a_list_ends_with_its_lines(text: str, held: list[str]) -> None:
    assert [text[start:end] for start, end in put_off(text)] == held

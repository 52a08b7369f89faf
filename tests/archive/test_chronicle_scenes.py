"""The boards of an archive tell what has happened, in every game: nothing is asked there."""

from xml.etree import ElementTree as ET

import pytest

from pbem.archive.model import Archive
from tests.archive.played import played
from tests.board.parts import SVG
from tests.played import GAMES


def archive_of(name: str) -> Archive:
    least, most = GAMES[name].ruleset.players
    return played(1, max(least, min(5, most)), 6, name)


@pytest.mark.parametrize("name", GAMES)
def test_a_board_says_the_turn_of_its_caption_and_its_headline_and_nothing_that_is_due(
    name: str,
) -> None:
    archive = archive_of(name)
    for step in archive.steps:
        root = ET.fromstring(step.drawing.svg)  # noqa: S314 - our own drawing
        said = [text.text or "" for text in root.iter(f"{SVG}text")]
        turn = f"{archive.turn_word.capitalize()} {step.turn}" if step.turn else "The start"
        assert turn in said
        assert not step.number or step.name in " ".join(said)
        news = step.lead.headline.removeprefix(f"{turn}: ")
        assert said[-1].casefold() == news.casefold()
        assert not any(" due" in text or text == "Game over" for text in said)
        assert step.lead.headline in step.drawing.alt
        assert turn.casefold() in step.drawing.alt.casefold()
        assert " due" not in step.drawing.alt


@pytest.mark.parametrize("name", GAMES)
def test_no_two_steps_have_one_board(name: str) -> None:
    steps = archive_of(name).steps
    assert len({step.picture for step in steps}) == len(steps)


@pytest.mark.parametrize("name", GAMES)
def test_the_board_at_the_end_says_that_it_is_won_and_no_other_does(name: str) -> None:
    least, most = GAMES[name].ruleset.players
    *before, end = played(2, max(least, min(5, most)), 150, name).steps
    assert "Victory" in end.drawing.svg
    assert not any("Victory" in step.drawing.svg for step in before)

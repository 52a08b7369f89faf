"""Words for another player that are no press go to nobody, the game master least of all."""

import pytest

from tests.desk.harness import Desk, text_of
from tests.desk.mastery import gm_letters


@pytest.mark.parametrize("text", ["Bartek: shall we?", "tell Bartek that I accept his offer"])
async def test_they_come_back_as_press_to_copy(desk: Desk, text: str) -> None:
    await desk.open_game(3)
    noted, others = len(gm_letters(desk)), len(desk.letters("Bartek"))
    told = text_of(await desk.write("Anna", text))
    assert "press to Bartek: " in told
    assert "We sent it to nobody" in told
    assert (len(gm_letters(desk)), len(desk.letters("Bartek"))) == (noted, others)


async def test_what_names_the_game_master_goes_there(desk: Desk) -> None:
    await desk.open_game(3)
    noted = len(gm_letters(desk))
    await desk.write("Anna", "GM: tell Bartek that I am late")
    assert len(gm_letters(desk)) == noted + 1

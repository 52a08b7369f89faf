"""F-78: a receipt numbers what stands, and says what was taken back; the numbers edit."""

from pathlib import Path

import pytest

from tests.desk.harness import open_desk, text_of
from tests.games.reading.test_asked_first import to_play
from tests.games.reading.test_what_is_final import NAMES, flat

SENT = {
    "protectors": ("P1 work. Send 10 to Bartek.", "1. Work, work! P1", "Send 10 to Bartek"),
    "realm-master": ("Reroll swords. Attack.", "1. Reroll: reroll swords", "Attack: yes"),
}
"""What is sent, its first line in the receipt, and its second line."""


@pytest.mark.parametrize("game", SENT)
async def test_f78_a_numbered_line_is_taken_back_and_told(tmp_path: Path, game: str) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(3, names=NAMES, ruleset=game)
        name = await to_play(desk, game)
        sent, first, second = SENT[game]
        told = flat(text_of(await desk.write(name, sent)))
        assert first in told
        assert f"2. {second}" in told
        told = flat(text_of(await desk.write(name, "cancel line 2")))
        assert "We took back" in told
        assert second in told
        assert f"2. {second}" not in told
        assert first in told

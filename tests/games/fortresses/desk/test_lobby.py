"""Kingdoms are chosen before the start, each by one player; who chooses none is dealt one (FW-1.3)."""

from pathlib import Path

from pbem.desk import gm
from tests.desk.harness import open_desk, text_of
from tests.desk.lobbies import answer, join, open_lobby
from tests.desk.mastery import flat
from tests.games.fortresses.desk.test_command import state_of


async def test_fw_1_3_a_kingdom_is_chosen_by_one_player_alone(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await open_lobby(desk, ruleset="fortresses")
        await join(desk, "Anna", "Bartek")
        chosen = flat(text_of(await answer(desk, "Anna", "faction gold")))
        assert "Your faction is gold." in chosen
        refused = flat(text_of(await answer(desk, "Bartek", "faction gold")))
        assert "Anna has that faction." in refused
        assert "Each faction has one player" in refused
        assert "first bid" not in refused
        await gm.start(desk.services, "heron", gm.By("test"))
        seats = {realm.kingdom: realm.seat for realm in (await state_of(desk)).realms}
        assert seats == {"silver": 1, "gold": 1, "red": 2, "blue": 2}

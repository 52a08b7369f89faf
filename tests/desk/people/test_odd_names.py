"""Names that deceive are kept out wherever a name enters: joining, inviting, renaming, game
masters, observers, substitutes.
"""

from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.desk.gm.masters import invite_master
from tests.desk.harness import Desk, address_of, text_of
from tests.desk.lobbies import answer, code_of, flat, join, lobby, names_of
from tests.desk.visitors import person_of
from tests.played import PLAYED

BY = gm.By("test")
ODD = ("Anna\u3164", "4nna", "ᴀɴɴᴀ", "the game master", "Admin", "http://evil.example")


async def test_f56_nobody_at_a_table_is_called_so(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna", "Bartek")
        for odd in ODD:
            with pytest.raises(gm.Refused):
                await gm.invite(desk.services, "heron", odd, address_of("Emil"), BY)
            await answer(desk, "Bartek", f"name {odd}")
        await desk.write(
            "Fenna",
            f"join {await code_of(desk)}",
            token=False,
            sender=f'"the game master" <{address_of("Fenna")}>',
        )
        await desk.write("Fenna", "yes", answering=desk.letters("Fenna")[-1])
        assert [name for name, _ in await names_of(desk)] == ["Anna", "Bartek", "Fenna"]
        assert "looks like Anna" in flat(await answer(desk, "Bartek", "name 4nna"))
        assert "an office of this house" in flat(await answer(desk, "Bartek", "name Post Office"))
        assert "must not look like an address or a link" in flat(
            await answer(desk, "Bartek", "name evil.example")
        )


async def test_f56_neither_game_masters_nor_observers_nor_substitutes_are(desk: Desk) -> None:
    await desk.open_game()
    for odd in ("Greta\u3164", "http://evil.example"):
        with pytest.raises(gm.Refused):
            await invite_master(desk.services, "eve@players.example", BY, name=odd)
        with pytest.raises(gm.Refused):
            await gm.open_table(
                desk.services, gm.NewTable("swan", "Swan", PLAYED, {}, "Europe/Berlin", odd), BY
            )
    await desk.write(
        "Wanda",
        f"observe {await code_of(desk)}",
        token=False,
        sender=f'"Post Office" <{address_of("Wanda")}>',
        dmarc=None,
    )
    await desk.write("Wanda", "yes", answering=desk.letters("Wanda")[-1], dmarc=None)
    async with desk.services.database.read() as work:
        (person,) = await work.people.list_by_ids([await person_of(desk, "Wanda")])
    assert person.name == "Wanda"


async def test_f60_who_made_no_bid_is_not_said_to_have_given_no_answer(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 3")
    await desk.everybody_passes()
    asked = text_of(desk.letters("Anna")[-1])
    told = " ".join(text_of(await desk.write("Anna", "happened")).split())
    assert "Bartek 0 (no bid)" in told
    assert "no answer" not in asked + told

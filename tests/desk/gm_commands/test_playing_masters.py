"""A game master who plays: nothing of the others' orders reaches them, by no road; and they are
told where commands go.
"""

from pathlib import Path

import msgspec

from pbem.desk import gm
from pbem.desk.people.masters import enrol
from pbem.desk.table import decode_settings, encode_settings
from tests.desk.commanding import refused, seats_of
from tests.desk.harness import Desk, address_of, open_desk, text_of
from tests.desk.lobbies import BY, answer, lobby
from tests.desk.looks import kinds_to


async def let_run(desk: Desk, name: str) -> None:
    async with desk.services.database.write() as work:
        await enrol(work, address_of(name), name, "UTC", desk.clock.now())


async def notes_of(desk: Desk) -> list[str]:
    async with desk.services.database.read() as work:
        return [
            row.text
            for state in ("waiting", "passed")
            for row in await work.notes.list_by_state(state, 1)
        ]


async def test_words_that_may_be_orders_are_kept_from_a_game_master_who_plays(desk: Desk) -> None:
    await desk.open_game()
    await let_run(desk, "Bartek")
    before = len(desk.letters("Bartek"))
    asked = await desk.write("Anna", "show them what we are made of")
    assert "Was this an order?" in str(asked["Subject"] if asked is not None else "")
    assert "GM: ..." in text_of(asked)
    assert await notes_of(desk) == []
    assert len(desk.letters("Bartek")) == before
    await desk.write("Anna", "GM: shall we wait for Mei?")
    assert await notes_of(desk) == ["shall we wait for Mei?"]


async def test_the_same_words_are_a_note_where_no_game_master_plays_or_the_table_allows_it(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "show them what we are made of")
    await let_run(desk, "Bartek")
    async with desk.services.database.write() as work:
        game = await work.games.find(1)
        assert game is not None
        await work.games.set_settings(
            1, encode_settings(msgspec.structs.replace(decode_settings(game), secrets=True))
        )
    await desk.write("Anna", "show them much more of it")
    assert await notes_of(desk) == [
        "show them what we are made of",
        "show them much more of it",
    ]


async def test_a_game_master_who_commands_on_a_players_letter_is_told_where_commands_go(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await let_run(desk, "Bartek")
        told = " ".join(text_of(await desk.write("Bartek", "close heron now")).split())
        assert "We read commands only in an answer to a mail to the game master" in told
    (tmp_path / "open").mkdir()
    async with lobby(tmp_path / "open") as desk:
        await gm.invite(desk.services, "heron", "Bartek", address_of("Bartek"), BY)
        await let_run(desk, "Bartek")
        await desk.work()
        told = " ".join(text_of(await answer(desk, "Bartek", "start heron now")).split())
        assert "We read commands only in an answer to a mail to the game master" in told


async def test_an_unlock_tells_a_game_master_who_plays_nothing_of_what_was_final(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 9. final")
    bartek = gm.By("Bartek", (await seats_of(desk))["Bartek"].person_id)
    letters = []
    for name in ("Anna", "Chloé"):
        await gm.unlock(desk.services, "heron", name, bartek)
        await desk.work()
        letters.append(text_of(desk.last("Bartek", "unlocked")).replace(name, "X"))
    assert letters[0] == letters[1]
    assert len(await kinds_to(desk, "unlocked")) == 8
    async with desk.services.database.read() as work:
        assert [row.final for row in await work.orders.history(1, 1)] == [True, False]
        assert await work.orders.history(3, 1) == []
    assert await refused(gm.unlock(desk.services, "heron", "Chloé", gm.By("Greta"))) == "not-final"

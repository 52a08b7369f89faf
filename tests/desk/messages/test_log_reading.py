"""The audit log as players read it: what is for everybody and what is about their own seat, on both
channels, and nobody's address.
"""

from datetime import timedelta
from pathlib import Path

from pbem.desk import gm
from tests.desk.chatting import open_chat_desk
from tests.desk.harness import address_of, parse
from tests.desk.lobbies import answer, flat, join, lobby
from tests.desk.looks import phase_of
from tests.desk.visitors import flat as flat_too

GRETA = gm.By("Greta")
CHLOES = 7005005


async def test_everybody_reads_what_was_done_with_the_table_and_each_what_was_done_about_their_seat(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 3) as there:
        desk = there.desk
        await gm.extend(
            desk.services, "heron", (await phase_of(desk)).deadline + timedelta(hours=5), GRETA
        )
        await gm.announce(desk.services, "heron", "write to greta@elsewhere.example", GRETA)
        async with desk.services.database.write() as work:
            await work.log.add(
                game_id=1,
                actor="gm@house.example",
                command="game unlock",
                at=desk.clock.now(),
                detail='{"seat":"Anna","phase":1}',
            )
            await work.log.add(
                game_id=1,
                actor="Greta",
                command="gm asked",
                at=desk.clock.now(),
                detail='{"seat":"Anna"}',
            )
        await desk.everybody_passes()
        await gm.strike(desk.services, "heron", "Chloé", "shown", GRETA)
        await gm.replace(desk.services, "heron", "Bartek", "Otto", "otto@elsewhere.example", GRETA)
        await desk.work()
        told = flat_too(await desk.write("Anna", "log"))
        assert (
            "Greta: deadline moved; phase 1; from Tue 17 Nov, 13:00; to Tue 17 Nov, 18:00" in told
        )
        assert "the game master: orders unlocked; seat Anna; phase 1 (only you see this)" in told
        assert "seat given to a new player; seat Bartek" in told
        assert "gm asked" not in told
        assert "@" not in told.replace("(an address)", "")
        assert "write to (an address)" in told
        await there.link("Anna", CHLOES)
        await there.says(CHLOES, "/log")
        posted = there.last(CHLOES).html
        assert "deadline moved" in posted
        assert "only you see this" in posted
        await desk.write("Otto", "log", sender="otto@elsewhere.example", token=False)
        otto = flat_too(parse(desk.postbox.to("otto@elsewhere.example")[-1]))
        assert "deadline moved" in otto
        assert "orders unlocked" not in otto


async def test_before_the_start_the_log_is_read_too(tmp_path: Path) -> None:
    async with lobby(tmp_path) as desk:
        await join(desk, "Anna", "Bartek")
        await gm.invite(desk.services, "heron", "Mei", address_of("Mei"), GRETA)
        await desk.work()
        told = flat(await answer(desk, "Anna", "show me the log"))
        assert "Greta: invitation; name Mei" in told
        assert "game opened" in told
        assert address_of("Mei") not in told
        assert "Nobody watches Heron" in flat(await answer(desk, "Bartek", "observers"))

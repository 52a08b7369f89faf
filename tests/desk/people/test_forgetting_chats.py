"""Forgetting somebody who plays on Telegram too: every column of every table is looked through, and
the others keep what is theirs.
"""

from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.desk import gm
from pbem.desk.people.erasure import forget
from pbem.desk.upkeep.records import verify_game
from pbem.store.repositories.forgetting import FORGOTTEN
from pbem.store.tables import metadata
from tests.desk.chatting import GROUP, ChatDesk, open_chat_desk
from tests.desk.harness import Desk, address_of, text_of
from tests.desk.lobbies import code_of
from tests.desk.people.test_forgetting import ANNA, BY, everything, places_of

ANNAS, BARTEKS = 7345120099, 501
TRACES = (ANNA, "anna@", str(ANNAS), "pelican", "xylophone", "hedgehog", "marzipan", "wombat")


async def rows_of(desk: Desk, person_id: int) -> dict[str, int]:
    """How many rows of each table are somebody's."""
    async with desk.services.database.read() as work:
        return {
            table.name: int(
                (
                    await work.connection.execute(
                        sa.select(sa.func.count()).where(table.c.person_id == person_id)
                    )
                ).scalar_one()
            )
            for table in metadata.sorted_tables
            if "person_id" in table.c
        }


async def live_a_little(there: ChatDesk) -> None:
    """Anna does everything that can leave a trace, by mail and in a chat; Bartek does much of it
    too.
    """
    desk = there.desk
    for name, number in (("Anna", ANNAS), ("Bartek", BARTEKS)):
        await there.link(name, number)
        await there.says(number, "quiet 22-7\nreminders both\ndigest daily")
        await there.says(number, f"bid {number % 7}")
        await desk.write(name, "away from 20 to 22 December")
    await there.says(ANNAS, "press to Bartek: the pelican flies")
    await there.says(BARTEKS, "press to Anna: ocelot")
    await there.says(
        ANNAS, "GM: the xylophone of my aunt is out of tune, and the hedgehog knows it"
    )
    await desk.write("Anna", "my address is also anna@work.example")
    await there.says(ANNAS, "/orders")
    await there.says(ANNAS, "march 2 from P1 to P2 marzipan", where=GROUP)
    said = await there.says(BARTEKS, "hello", where=GROUP)
    reply = {
        "message_id": said + 1,
        "chat": {"id": GROUP, "type": "group"},
        "date": 1,
        "from": {"id": ANNAS, "first_name": "Wombat"},
    }
    await there.says(BARTEKS, "I agree", where=GROUP, reply_to_message=reply)
    await there.edits(ANNAS, 100_001, "bid 5 wombat", first_sent_before=5)
    await there.joins(ANNAS, ("member", "kicked"), chat=ANNAS)
    await there.joins(ANNAS, ("kicked", "member"), chat=ANNAS)
    await desk.everybody_passes()
    await there.settle()


async def test_nothing_of_them_is_left_in_any_column_and_the_others_keep_theirs(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 3) as there:
        desk = there.desk
        await live_a_little(there)
        for word in TRACES[:-2]:
            assert await places_of(desk, word), word
        async with desk.services.database.read() as work:
            anna, bartek = [
                await work.people.find_by_address("mail", address_of(name))
                for name in ("Anna", "Bartek")
            ]
        assert anna is not None
        assert bartek is not None
        before = await rows_of(desk, bartek.id)
        told = await forget(desk.services, str(ANNAS), BY, really=True)
        await there.settle()
        assert told.done
        for word in TRACES:
            assert await places_of(desk, word) == set(), word
        left = {name: count for name, count in (await rows_of(desk, anna.id)).items() if count}
        assert set(left) <= {"tenures", "outbox", "invitations", "press", "results"}, (
            "a number that leads to nobody"
        )
        after = await rows_of(desk, bartek.id)
        assert {name for name in before if after[name] < before[name]} == set()
        assert "press.text" in await places_of(desk, "ocelot")
        assert await places_of(desk, str(BARTEKS)) >= {"addresses.address", "inbox.raw"}
        assert await verify_game(desk.services, "heron") == []
        count = len(there.box.to(ANNAS))
        await there.says(ANNAS, "bid 3")
        async with desk.services.database.read() as work:
            assert (await work.inbox.list_by_state("ignored", 1))[0].seat_id is None
        assert "bid" not in "".join(posted.html for posted in there.box.to(ANNAS)[count:]).lower()


async def test_whoever_is_known_in_a_chat_alone_is_asked_there_and_forgotten_by_a_tap(
    tmp_path: Path,
) -> None:
    async with open_chat_desk(tmp_path, 2) as there:
        desk = there.desk
        await there.says(ANNAS, f"observe {await code_of(desk)}")
        assert await places_of(desk, str(ANNAS))
        await there.says(ANNAS, "forget me")
        question = there.last(ANNAS)
        assert "forget" in question.html.lower()
        await there.taps(ANNAS, question, "Yes")
        await there.settle()
        assert await places_of(desk, str(ANNAS)) == set()
        async with desk.services.database.read() as work:
            assert await work.observers.list_of_game(1) == []


async def test_forget_me_by_mail_is_asked_back_and_a_no_changes_nothing(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 2) as there:
        desk = there.desk
        await there.link("Anna", ANNAS)
        await there.says(ANNAS, "forget me")
        assert "We ask you by mail" in there.last(ANNAS).text
        question = desk.last("Anna", "forget you")
        assert "Heron" in text_of(question)
        await desk.write("Anna", "no", answering=question)
        assert "addresses.address" in await places_of(desk, ANNA)
        await desk.write("Anna", "forget me")
        await desk.write("Anna", "yes", answering=desk.last("Anna", "forget you"))
        await there.settle()
        assert await places_of(desk, ANNA) == set()
        assert await places_of(desk, str(ANNAS)) == set()
        assert await verify_game(desk.services, "heron") == []


async def test_what_a_game_master_did_stays_and_their_name_goes(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 2) as there:
        desk = there.desk
        async with desk.services.database.write() as work:
            person_id = await work.people.add(
                name="Gertrude", locale="en", time_zone="UTC", created_at=desk.clock.now()
            )
            await work.people.add_address(
                person_id, "mail", "gertrude@elsewhere.example", "confirmed"
            )
            await work.gms.add_once(1, person_id)
        await gm.announce(desk.services, "heron", "tea at five", gm.By("Gertrude", person_id))
        assert "gm_log.actor" in await places_of(desk, "Gertrude")
        await forget(desk.services, "gertrude@elsewhere.example", BY, really=True)
        assert await places_of(desk, "gertrude@") == set()
        assert "gm_log.actor" not in await places_of(desk, "Gertrude")
        assert ("gm_log.actor", FORGOTTEN) in await everything(desk)
        assert "gm_log.detail" in await places_of(desk, "tea at five")


@pytest.mark.parametrize("number", ["٣٤٥", "-1000"])
async def test_only_the_number_of_an_account_is_one(tmp_path: Path, number: str) -> None:
    async with open_chat_desk(tmp_path, 0) as there:
        with pytest.raises(gm.Refused):
            await forget(there.desk.services, number, BY, really=True)

"""The links of an invitation: they begin the answer, by mail or in a chat; leaked, they seat nobody
else, and they end.
"""

import dataclasses
import html
import re
from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.mail.mailto import Mailto, parse_mailto
from tests.desk.chatting import ChatDesk, address_states, code_in, open_chat_desk
from tests.desk.harness import AUTHSERV, Desk, address_of, text_of
from tests.desk.lobbies import BY, seats_of
from tests.played import PLAYED

MINE, OTHERS = 7001001, 7002002


async def invite(there: ChatDesk, *, subaddressing: bool = True) -> None:
    desk = there.desk
    desk.services = dataclasses.replace(
        desk.services, policy=dataclasses.replace(desk.services.policy, subaddressing=subaddressing)
    )
    await gm.open_table(
        desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "Europe/Berlin", "Greta"), BY
    )
    await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), BY)
    await desk.work()


def link_in(desk: Desk) -> Mailto:
    """The link of the newest invitation, the same in both dresses."""
    letter = desk.last("Anna", "seat is kept")
    (plain,) = re.findall(r"mailto:\S+", text_of(letter))
    body = letter.get_body(("html",))
    assert body is not None
    (rich,) = re.findall(r'href="(mailto:[^"]+)"', str(body.get_content()))
    assert parse_mailto(html.unescape(rich)) == parse_mailto(plain)
    return parse_mailto(plain)


async def send(desk: Desk, link: Mailto, sender: str, *, dmarc: str = "none") -> None:
    """The mail that a mail program makes of the link, without any thread."""
    desk.sent += 1
    raw = (
        f"Authentication-Results: {AUTHSERV}; dmarc={dmarc}\r\nFrom: {sender}\r\nTo: {link.to}\r\nSubject: {link.subject}\r\n"
        f"Message-ID: <{desk.sent}@elsewhere.example>\r\n\r\n{link.body}\r\n"
    )
    await desk.bring(raw.encode())
    await desk.work()


async def has_answered(desk: Desk) -> bool:
    async with desk.services.database.read() as work:
        (row,) = await work.invitations.list_of_game(1)
    return row.answered_at is not None


@pytest.mark.parametrize("subaddressing", [True, False])
async def test_the_link_begins_the_answer_that_takes_the_seat(
    tmp_path: Path, subaddressing: bool
) -> None:
    async with open_chat_desk(tmp_path, 0) as there:
        await invite(there, subaddressing=subaddressing)
        link = link_in(there.desk)
        assert link.subject == "Re: [Heron] yes"
        await send(there.desk, link, address_of("Anna"))
        assert await has_answered(there.desk)
        assert "not understood" not in text_of(there.desk.letters("Anna")[-1])


async def test_whoever_got_the_link_from_somebody_takes_no_seat_by_it(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as there:
        await invite(there)
        link = link_in(there.desk)
        await send(there.desk, link, "eve@elsewhere.example", dmarc="pass")
        assert not await has_answered(there.desk)
        assert there.desk.postbox.to("eve@elsewhere.example") == []
        assert [seat.name for seat in await seats_of(there.desk)] == ["Anna"]


async def test_the_link_ends_with_the_invitation(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as there:
        desk = there.desk
        await invite(there)
        old = link_in(desk)
        await desk.write("Anna", "no", answering=desk.letters("Anna")[-1])
        await gm.invite(desk.services, "heron", "Anna", address_of("Anna"), BY)
        await desk.work()
        assert link_in(desk) != old
        await send(desk, old, address_of("Anna"))
        assert not await has_answered(desk)
        await send(desk, link_in(desk), address_of("Anna"))
        assert await has_answered(desk)


async def test_the_link_to_telegram_is_one_persons_works_once_and_expires(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as there:
        desk = there.desk
        await invite(there)
        code = code_in(text_of(desk.last("Anna", "seat is kept")))
        await there.says(MINE, f"/start {code}")
        assert await address_states(there) == {str(MINE): "Anna"}
        await there.says(OTHERS, f"/start {code}")
        assert str(OTHERS) not in await address_states(there)
        await there.says(MINE, "yes")
        assert await has_answered(desk)
        await gm.invite(desk.services, "heron", "Bartek", address_of("Bartek"), BY)
        await desk.work()
        late = code_in(text_of(desk.last("Bartek", "seat is kept")))
        desk.clock.forward(hours=49)
        await there.says(OTHERS, f"/start {late}")
        assert str(OTHERS) not in await address_states(there)


async def test_without_a_bot_there_is_no_link_to_one(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as there:
        async with there.desk.services.database.write() as work:
            await work.connection.exec_driver_sql("DELETE FROM marks")
        await invite(there)
        assert "t.me" not in text_of(there.desk.last("Anna", "seat is kept"))

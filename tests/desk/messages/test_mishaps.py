"""What counts against a message, and who is told when one is laid aside."""

import asyncio
import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from pbem.desk.messages.intake import store_mail, store_update
from pbem.desk.messages.mishaps import SURVIVALS, TOLD_A_DAY
from pbem.desk.messages.receive import receive
from pbem.mail.ports import StoredMail
from pbem.store.errors import StoreError
from pbem.telegram.ports import StoredUpdate
from tests.desk.chatting import ChatDesk
from tests.desk.commanding import MeanwhilePainter, to_orders
from tests.desk.harness import Desk, changed, open_desk, parse, text_of
from tests.desk.lobbies import zone_of
from tests.desk.looks import kinds_to
from tests.desk.messages.test_receive import outcomes

SAID = "We could not handle your mail of Monday 16 November, 13:00 (12:00 UTC)"


class Ended(BaseException):
    """As if the process were gone."""


class EndsAt:
    """The process ends at this step, or it fails there."""

    def __init__(self, step: str, error: type[BaseException] = Ended) -> None:
        self.step, self.error = step, error

    def reached(self, step: str) -> None:
        if step == self.step:
            raise self.error


async def dies_handling(
    desk: Desk, inbox_id: int, times: int, error: type[BaseException] = Ended
) -> None:
    deadly = dataclasses.replace(desk.services, steps=EndsAt("receive.written", error))
    for _ in range(times):
        with pytest.raises(error):
            await receive(deadly, inbox_id)


def said_in_chat(desk: Desk, user: int, text: str) -> dict[str, Any]:
    who = {"id": user, "is_bot": False, "first_name": "Anna"}
    return {
        "message_id": 9_000,
        "date": int(desk.clock.now().timestamp()),
        "chat": {"id": user, "type": "private"},
        "from": who,
        "text": text,
    }


def said(mail: bytes) -> str:
    return " ".join(text_of(parse(mail)).split())


async def test_f7_three_deaths_in_its_own_handling_lay_a_mail_aside_and_its_writer_and_the_gm_are_told(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 8", work=False)
    await desk.write("Bartek", "bid 5", work=False)
    await dies_handling(desk, 2, SURVIVALS)
    await desk.work()
    assert await outcomes(desk) == ["shunted:ended-the-process", "handled:orders"]
    told = desk.letters("Anna")[-1]
    assert SAID in " ".join(text_of(told).split())
    assert "The game master has it" in " ".join(text_of(told).split())
    assert str(told["In-Reply-To"]) == "<0.416e6e61@players.example>"
    assert await kinds_to(desk, "set-aside") == [str(told["To"].addresses[0].addr_spec)]
    (gm_told,) = [
        mail
        for mail in desk.postbox.to("gm@house.example")
        if "quarantine" in str(parse(mail)["Subject"])
    ]
    assert "from Anna could not be handled" in said(gm_told)


async def test_f7_two_deaths_are_forgotten_when_its_handling_ends_in_order(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 8", work=False)
    await dies_handling(desk, 1, SURVIVALS - 1)
    await desk.write("Bartek", "bid 5", work=False)
    await desk.work()
    assert await outcomes(desk) == ["handled:orders", "handled:orders"]
    assert await kinds_to(desk, "set-aside") == []


async def test_f7_a_database_that_cannot_be_written_is_not_counted_against_a_message(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 8", work=False)
    await dies_handling(desk, 1, SURVIVALS + 1, StoreError)
    await desk.work()
    assert await outcomes(desk) == ["handled:orders"]


async def test_a_message_that_another_process_handled_meanwhile_is_handled_once(
    tmp_path: Path,
) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await to_orders(desk, 2)
        for text in ("time zone Europe/Oslo\nwhat if Bartek holds?", "time zone Europe/Lisbon"):
            await desk.write("Anna", text, work=False)
        other = changed(desk.services, turn=asyncio.Lock())

        async def elsewhere() -> None:
            for inbox_id in (1, 2):
                await receive(other, inbox_id)

        painter.meanwhile = elsewhere
        with capture_logs() as logs:
            await receive(desk.services, 1)
        assert [one["event"] for one in logs].count("mail-handled") == 2
        assert await zone_of(desk, "Anna") == "Europe/Lisbon", "what she said last"


async def test_f7_a_message_of_a_chat_that_is_laid_aside_is_told_there(there: ChatDesk) -> None:
    await there.link("Anna", 101)
    raw = json.dumps(
        {"update_id": 9_000, "message": said_in_chat(there.desk, 101, "bid 8")}
    ).encode()
    await store_update(there.desk.services, StoredUpdate(9_000, raw, there.desk.clock.now()))
    async with there.desk.services.database.read() as work:
        (row,) = await work.inbox.next_new(5)
    await dies_handling(there.desk, row.id, SURVIVALS)
    await there.settle()
    assert "We could not handle your message of" in there.box.to(101)[-1].text


async def test_a_mail_that_fails_is_told_to_its_writer_and_no_stranger_or_machine_is_told_anything(
    desk: Desk,
) -> None:
    await desk.open_game()
    anna = "anna@players.example"
    heads = [f"From: {anna}\r\n"] * (TOLD_A_DAY + 2)
    heads += [
        "From: stranger@elsewhere.example\r\n",
        "From: bartek@players.example\r\nAuto-Submitted: auto-replied\r\n",
        "",
        "\udcff",
    ]
    for number, head in enumerate(heads):
        raw = f"{head}Message-ID: <{number}@x.example>\r\n\r\nhi".encode("utf-8", "surrogateescape")
        await store_mail(
            desk.services,
            StoredMail(
                raw=raw,
                received_at=desk.clock.now(),
                uidvalidity=1,
                uid=900 + number,
                oversize=False,
            ),
        )
    async with desk.services.database.write() as work:
        for row in await work.inbox.next_new(100):
            await work.connection.exec_driver_sql(
                "UPDATE inbox SET facts = '[]' WHERE id = ?", (row.id,)
            )
    await desk.work()
    assert set(await outcomes(desk)) == {"shunted:unexpected-error"}
    assert await kinds_to(desk, "set-aside") == [anna] * TOLD_A_DAY

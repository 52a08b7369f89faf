"""The way out of letters that are no part of the game itself, as mail programs offer it (F-37)."""

from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.desk.letters.routes import preference_of
from pbem.desk.press.digest import tell_press
from pbem.mail.mailto import parse_mailto
from tests.desk.harness import Desk, open_desk, text_of
from tests.desk.rawmail import raw_mail, send
from tests.desk.visitors import look_on


async def unsubscribe(
    desk: Desk, name: str, letter: EmailMessage, *, body: bool = True
) -> EmailMessage:
    """What a mail program does with the link; many send no body."""
    header = str(letter["List-Unsubscribe"])
    assert (header[0], header[-1]) == ("<", ">")
    link = parse_mailto(header[1:-1])
    text = link.body.replace("\n", "\r\n").encode() if body else b""
    await send(
        desk,
        raw_mail(desk, name, text, to=link.to).replace(
            b"Subject: orders", f"Subject: {link.subject}".encode()
        ),
    )
    return desk.letters(name)[-1]


async def remind_everybody(desk: Desk) -> EmailMessage:
    await desk.everybody_passes()
    async with desk.services.database.read() as work:
        phase = (await work.phases.list_running())[0]
    desk.clock.instant = phase.deadline
    desk.clock.forward(hours=-4)
    await desk.work()
    return desk.last("Chloé", "reminder")


async def preferences(desk: Desk, name: str) -> dict[str, str]:
    async with desk.services.database.read() as work:
        seat = next(seat for seat in await work.seats.list_of_game(1) if seat.name == name)
        assert seat.person_id is not None
        return {row.name: row.value for row in await work.preferences.list_of([seat.person_id])}


@pytest.mark.parametrize("body", [True, False])
async def test_f37_a_reminder_says_how_reminders_end_and_a_turn_mail_does_not(
    tmp_path: Path, body: bool
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        reminder = await remind_everybody(desk)
        answer = await unsubscribe(desk, "Chloé", reminder, body=body)
        assert "reminders" in text_of(answer)
        assert (await preferences(desk, "Chloé"))[preference_of("reminders")] == "off"
        assert [mail["Subject"] for mail in desk.letters("Chloé") if mail["List-Unsubscribe"]] == [
            reminder["Subject"]
        ]
        assert reminder["List-Unsubscribe-Post"] is None, "there is no web server of ours"


async def test_f37_without_subaddressing_the_link_brings_its_code(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        desk.services = replace(
            desk.services, policy=replace(desk.services.policy, subaddressing=False)
        )
        await desk.open_game()
        await unsubscribe(desk, "Chloé", await remind_everybody(desk))
        assert (await preferences(desk, "Chloé"))[preference_of("reminders")] == "off"


async def test_f37_a_digest_of_press_says_how_press_ends(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Bartek", "digest daily")
        await desk.write("Anna", "to Bartek: hello there")
        await desk.write("Anna", "to Bartek: hello again")
        desk.clock.forward(hours=25)
        async with desk.services.database.read() as work:
            readers = await work.press.readers_waiting(desk.clock.now())
        for person_id in readers:
            await tell_press(desk.services, person_id)
        await desk.work()
        digest = next(mail for mail in desk.letters("Bartek") if mail["List-Unsubscribe"])
        assert "hello there" in text_of(digest)
        await unsubscribe(desk, "Bartek", digest)
        assert (await preferences(desk, "Bartek"))[preference_of("press")] == "off"


@pytest.mark.parametrize("body", [True, False])
async def test_f37_who_looks_on_ends_that_by_the_same_link(tmp_path: Path, body: bool) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await look_on(desk, "Wanda")
        await desk.everybody_passes()
        bulletin = next(mail for mail in desk.letters("Wanda") if mail["List-Unsubscribe"])
        await unsubscribe(desk, "Wanda", bulletin, body=body)
        async with desk.services.database.read() as work:
            assert await work.observers.list_of_game(1) == []

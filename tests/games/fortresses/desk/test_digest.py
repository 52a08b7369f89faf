"""Where one kingdom acts after another, news of the others waits: for one's own turn, for an attack,
for the end of the Year or for a morning; told once, whatever happens between. The receipt of a
message that ends a phase stands in the letter that follows at once.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pbem.desk import gm
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.letters.deliver import deliver
from pbem.desk.messages.receive import receive
from pbem.mail.smtp import SmtpOutbound
from pbem.store.repositories.post.outbox import OutboxRow
from tests.desk.chatting import GROUP, open_chat_desk
from tests.desk.harness import GM, Desk, StandingClock, changed, open_desk, parse, text_of
from tests.desk.lobby.test_kills import DiesAt, Ended
from tests.desk.looks import phase_of
from tests.desk.mastery import command, flat, gm_letters
from tests.desk.visitors import look_on, set_rules
from tests.trouble.test_smtp_trouble import ScriptedServer

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro")
SILVER_ATTACKS = 8
"""The phase in which Silver, which is Dmytro, can attack for the first time: the second Year's first."""
BARTEK = 77
"""His Telegram account."""
SATURDAY = datetime(2026, 10, 23, 22, 30, tzinfo=UTC)
"""In the next night the clocks of Berlin go back."""


async def asked(desk: Desk) -> str:
    async with desk.services.database.read() as work:
        phase = await work.phases.current(1)
    assert phase is not None
    return NAMES[phase.asked[0] - 1]


async def waiting(desk: Desk, kind: str) -> list[OutboxRow]:
    async with desk.services.database.read() as work:
        return await work.outbox.list_held(1, kind, desk.clock.now())


async def held(desk: Desk) -> dict[str, OutboxRow]:
    """What waits for each player."""
    rows = await waiting(desk, "bulletin")
    return {row.address.partition("@")[0].capitalize(): row for row in rows}


def told(desk: Desk, name: str) -> list[str]:
    """The subjects of all that came to a player."""
    return [str(mail["Subject"]) for mail in desk.letters(name)]


async def bind_group(desk: Desk) -> None:
    """The table has a group chat."""
    async with desk.services.database.write() as work:
        now = desk.clock.now()
        chat = await work.chats.put(TELEGRAM, str(GROUP), title="Heron", state="active", since=now)
        await work.chats.belong(chat, 1)


async def open_table(desk: Desk) -> None:
    await desk.open_game(4, names=NAMES, ruleset="fortresses")


async def test_what_others_did_is_told_with_the_next_question(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        for _ in range(3):
            before = {name: told(desk, name) for name in NAMES}
            await desk.everybody_passes()
            next_one = await asked(desk)
            for name in NAMES:
                new = [
                    one for one in told(desk, name)[len(before[name]) :] if "reminder" not in one
                ]
                assert len(new) == (name == next_one), (name, new)
        waiting = await held(desk)
        assert set(waiting) | {next_one} == {"Anna", "Bartek", "Chloe", "Dmytro", "Gm"}
        assert "The rules buy 12 units" in told(desk, next_one)[-1]


async def test_an_attack_is_told_with_the_own_question_and_after_three_days_at_the_latest(
    tmp_path: Path,
) -> None:
    """By mail: nobody can act before they are asked."""
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        while (await phase_of(desk)).number < SILVER_ATTACKS:
            await desk.everybody_passes()
        before, now = len(told(desk, "Bartek")), desk.clock.now()
        await desk.write("Dmytro", "Attack Castile with 1K from Normandy. Done")
        assert len(told(desk, "Bartek")) == before
        due_at = (await held(desk))["Bartek"].due_at
        assert due_at <= now + timedelta(days=3, minutes=1)
        await desk.everybody_passes()
        assert await asked(desk) == "Bartek"
        assert len(told(desk, "Bartek")) == before + 1
        assert "Castile" in text_of(desk.letters("Bartek")[-1])
        assert "Bartek" not in await held(desk)


async def test_an_attack_waits_three_days_of_a_question_that_stays_open(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        await desk.everybody_passes()
        before = len(told(desk, "Chloé"))
        await desk.write(await asked(desk), "Attack Syria with 2L 1K from Egypt. Done")
        row = (await held(desk))["Chloe"]
        assert row.due_at == desk.clock.now() + timedelta(days=3)
        await gm.pause(desk.services, "heron", gm.By("test"))
        desk.clock.instant = row.due_at
        await desk.work(times=2)
        assert "Syria" in " ".join(map(text_of, desk.letters("Chloé")[before:]))
        assert "Chloe" not in await held(desk)


async def test_an_attack_is_told_at_once_in_a_chat_and_to_nobody_else(tmp_path: Path) -> None:
    async with open_chat_desk(tmp_path, 0) as there:
        desk = there.desk
        await open_table(desk)
        while (await phase_of(desk)).number < SILVER_ATTACKS:
            await desk.everybody_passes()
        await there.link("Bartek", BARTEK)
        before = {name: len(told(desk, name)) for name in NAMES}
        await desk.write("Dmytro", "Attack Castile with 1K from Normandy. Done")
        await there.settle()
        assert "Castile" in there.last(BARTEK).text
        new = {name for name in NAMES if len(told(desk, name)) > before[name]}
        assert new == {"Dmytro", "Bartek"}
        assert "Chloe" in await held(desk)


@pytest.mark.parametrize("is_grey", [False, True])
async def test_that_press_is_sent_stands_in_the_next_letter(tmp_path: Path, is_grey: bool) -> None:
    """By itself after a day; at once if there is more to say than that all was sent."""
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        name = "Bartek"
        press = f"press {'grey ' if is_grey else ''}to all:\nI hold the Levant."
        before = len(told(desk, name))
        await desk.write(name, press, answering=desk.letters(name)[-1])
        assert any("Levant" in text_of(mail) for mail in desk.letters("Chloé"))
        if is_grey:
            assert len(told(desk, name)) == before + 1
            return
        assert len(told(desk, name)) == before
        (row,) = await waiting(desk, "press-sent")
        assert row.due_at == desk.clock.now() + timedelta(days=1)
        await desk.write("Dmytro", "Buy nothing. Done")
        assert await asked(desk) == name
        (letter,) = map(text_of, desk.letters(name)[before:])
        assert letter.index("WHOM DOES RED ATTACK") < letter.index("YOUR PRESS IS SENT")
        assert "I hold the Levant." in letter
        assert not await waiting(desk, "press-sent")


@pytest.mark.parametrize(
    ("text", "later"),
    [
        ("Attack Syria with 2L 1K from Egypt. Done. Then: Buy 1L in Tunis", "WHAT DOES RED BUY"),
        ("Attack Syria with 2L 1K from Egypt. Then: Buy 1L in Tunis. Then: Done", "SYRIA HOLDS"),
    ],
)
async def test_the_receipt_of_a_message_that_ends_a_phase_stands_in_the_next_letter(
    tmp_path: Path, text: str, later: str
) -> None:
    """In the question that follows, or in the news of the attack: one letter says both, to nobody
    else.
    """
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        await desk.everybody_passes()
        before = len(told(desk, "Bartek"))
        await desk.write("Bartek", text)
        (letter,) = map(text_of, desk.letters("Bartek")[before:])
        assert "LINES IN, ALL FINE" in letter
        assert "Attack Syria with 2 Legions and 1 Knight from Egypt" in flat(letter)
        assert later in letter
        assert not await waiting(desk, "receipt")
        for row in await waiting(desk, "bulletin"):
            assert "ALL FINE" not in row.letter
            assert later == "SYRIA HOLDS" or "Buy 1 L" not in row.letter, "that is a secret yet"
        for name in ("Anna", "Chloé", "Dmytro"):
            assert not any("ALL FINE" in text_of(mail) for mail in desk.letters(name))


async def test_a_receipt_comes_at_once_where_no_letter_follows(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        await desk.write("Dmytro", "Buy 1W in Normandy")
        assert "1 IN, 2 MISSING" in text_of(desk.letters("Dmytro")[-1])
        before = len(told(desk, "Dmytro"))
        await desk.write("Dmytro", "Done")
        (letter,) = map(text_of, desk.letters("Dmytro")[before:])
        assert "ALL FINE" in letter
        assert (await phase_of(desk)).number == 2


async def test_a_receipt_comes_by_itself_where_the_close_does_not(tmp_path: Path) -> None:
    """After a minute, and once; the close that comes later does without it."""
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        await desk.everybody_passes()
        before = len(told(desk, "Bartek"))
        await desk.write("Bartek", "Attack Syria with 2L 1K from Egypt. Done", work=False)
        receiving, desk.jobs.asked = desk.jobs.asked, []
        for _, ids in receiving:
            await receive(desk.services, *ids)
        desk.jobs.asked = []
        (row,) = await waiting(desk, "receipt")
        await deliver(desk.services, row.id)
        assert len(told(desk, "Bartek")) == before
        desk.clock.instant = row.due_at
        await deliver(desk.services, row.id)
        assert len(told(desk, "Bartek")) == before + 1
        await desk.work()
        letters = [text_of(mail) for mail in desk.letters("Bartek")[before:]]
        assert ["ALL FINE" in letter for letter in letters] == [True, False]


async def test_who_has_no_part_in_the_game_has_one_digest_a_year(tmp_path: Path) -> None:
    """Game masters and observers; who wants `news at once` has each, and who stops watching
    nothing that waited.
    """
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        await set_rules(desk, observers=True)
        await look_on(desk, "Olga", "Pavel", "Quinn")
        await desk.write("Pavel", "news at once", answering=desk.letters("Pavel")[-1])
        before = {name: len(told(desk, name)) for name in ("Olga", "Pavel", "Quinn")}
        masters = len(desk.postbox.to(GM))
        await desk.everybody_passes()
        await desk.write("Quinn", "stop observing", answering=desk.letters("Quinn")[-1])
        while (phase := await phase_of(desk)).number < SILVER_ATTACKS:
            done = "No attacks" if phase.kind == "attack" else "Buy nothing. Done"
            await desk.write(await asked(desk), done)
        assert len(told(desk, "Pavel")) == before["Pavel"] + SILVER_ATTACKS - 1
        assert len(told(desk, "Olga")) == before["Olga"] + 1
        assert len(desk.postbox.to(GM)) == masters + 1
        assert len(told(desk, "Quinn")) == before["Quinn"] + 1, "the answer alone"
        assert not {"Olga", "Pavel", "Quinn", "Gm"} & set(await held(desk))


async def test_news_at_once_brings_what_waits_and_then_each(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        name = await asked(desk)
        await desk.everybody_passes()
        assert name in await held(desk)
        await desk.write(name, "settings")
        assert name in await held(desk)
        answer = await desk.write(name, "news at once")
        assert answer is not None
        assert name not in await held(desk)
        before = len(told(desk, name))
        for _ in range(2):
            if await asked(desk) != name:
                await desk.everybody_passes()
                assert name not in await held(desk)
                assert len(told(desk, name)) > before
                before = len(told(desk, name))
        await desk.write(name, "news together")
        await desk.everybody_passes()
        assert name in await held(desk) or await asked(desk) == name


async def test_a_game_master_wants_each_bulletin_and_so_the_group_has_it(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await open_table(desk)
        await bind_group(desk)
        await desk.everybody_passes()
        assert {"Gm", str(GROUP)} <= set(await held(desk))
        before = len(gm_letters(desk))
        await command(desk, "news at once")
        assert len(gm_letters(desk)) == before + 2, "the answer, and what waited"
        await desk.everybody_passes()
        assert len(gm_letters(desk)) == before + 3
        assert not {"Gm", str(GROUP)} & set(await held(desk))


@asynccontextmanager
async def sending_by(server: ScriptedServer, desk: Desk) -> AsyncIterator[None]:
    """The desk sends by this server."""
    async with SmtpOutbound(server.settings) as outbound:
        desk.services = changed(desk.services, outbound=outbound)
        yield


@pytest.mark.parametrize("step", ["", "close.written", "close.kept"])
async def test_news_comes_once_in_the_morning_by_a_real_server_though_the_service_is_killed(
    tmp_path: Path, step: str
) -> None:
    """Two closes are held as one letter, the process dying in the second; it comes at eight by the
    reader's clock.
    """
    clock, steps, server = StandingClock(SATURDAY), DiesAt(step), ScriptedServer()
    listening = await asyncio.start_server(server.talk, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    async with open_desk(tmp_path, clock=clock, steps=steps) as desk, sending_by(server, desk):
        await open_table(desk)
        await desk.everybody_passes()
        steps.armed = bool(step)
        with suppress(Ended):
            await desk.everybody_passes()
    async with open_desk(tmp_path, clock=clock) as desk, sending_by(server, desk):
        await desk.work()
        assert (await phase_of(desk)).number == 3
        await gm.pause(desk.services, "heron", gm.By("test"))
        await desk.work()
        row = min((await held(desk)).values(), key=lambda row: row.due_at)
        zone = ZoneInfo("Europe/Berlin")
        assert row.due_at.astimezone(zone) == datetime(2026, 11, 1, 8, tzinfo=zone)
        clock.instant = row.due_at - timedelta(seconds=1)
        await desk.work()
        assert row.message_id not in _ids(server)
        clock.instant = row.due_at
        for _ in range(3):
            await desk.work(times=2)
        assert _ids(server)[row.message_id] == 1
        assert set(await held(desk)) == {"Gm"}, "whose morning is an hour later"
    assert set(_ids(server).values()) == {1}
    listening.close()
    await server.close()


def _ids(server: ScriptedServer) -> Counter[str | None]:
    return Counter(str(parse(raw)["Message-ID"]) for raw in server.taken)

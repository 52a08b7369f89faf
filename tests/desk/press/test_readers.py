"""Who reads press and when: digests, observers, game masters, groups, chats, the eliminated; and
what nobody can tell from it.
"""

import contextlib
import json
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from pbem.desk import gm
from pbem.desk.chat.messages import ChatDraft, ChatName, format_chat_name
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.jobs import Job
from pbem.desk.messages.intake import store_update
from pbem.desk.phases.sweep import next_due_at
from pbem.desk.press.digest import tell_press
from pbem.desk.press.readers import due_at
from pbem.desk.press.secrets import quotation
from pbem.desk.press.words import set_press
from pbem.grammar.press_rules import parse_press_rules
from pbem.store import tables
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.telegram.ports import StoredUpdate
from tests.desk.harness import GM, Desk, StandingClock, address_of, open_desk, parse, text_of
from tests.desk.looks import kinds_to
from tests.desk.mastery import gm_letters
from tests.desk.press.test_press import press_to
from tests.desk.whole.test_secrecy_canaries import everything_in
from tests.rows import each_row

BY = gm.By("test")


async def allow(desk: Desk, words: str) -> None:
    await set_press(desk.services, "heron", parse_press_rules(words), BY)
    await desk.work()


async def person_of(desk: Desk, name: str) -> int:
    async with desk.services.database.read() as work:
        person = await work.people.find_by_address("mail", address_of(name))
    assert person is not None
    return person.id


@each_row(
    ("digest", "now", "zone", "due"),
    [
        ("at once", "2026-09-01T10:17", "Europe/Oslo", "2026-09-01T10:17"),
        ("hourly", "2026-09-01T10:17", "Europe/Oslo", "2026-09-01T11:00"),
        ("hourly", "2026-12-31T23:59", "UTC", "2027-01-01T00:00"),
        ("daily", "2026-09-01T05:59", "Europe/Oslo", "2026-09-01T06:00"),
        ("daily", "2026-09-01T06:00", "Europe/Oslo", "2026-09-02T06:00"),
        ("daily", "2026-10-24T12:00", "Europe/Oslo", "2026-10-25T07:00"),
        ("daily", "2026-03-28T12:00", "Europe/Oslo", "2026-03-29T06:00"),
        ("daily", "2026-09-01T20:30", "Pacific/Auckland", "2026-09-02T20:00"),
    ],
)
def test_press_waits_for_its_readers_own_hour(digest: str, now: str, zone: str, due: str) -> None:
    at = datetime.fromisoformat(now).replace(tzinfo=UTC)
    # the three words above
    assert due_at(digest, at, zone) == datetime.fromisoformat(due).replace(tzinfo=UTC)  # type: ignore[arg-type]


async def test_a_digest_comes_once_a_day_however_often_its_job_runs(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        told = await desk.write("Bartek", "digest daily")
        assert "once a day" in text_of(told)
        await desk.write("Anna", "to Bartek: first")
        await desk.write("Chloé", "broadcast: second")
        assert not [
            mail for mail in press_to(desk, "Bartek") if "comes" not in str(mail["Subject"])
        ]
        assert len(press_to(desk, "Anna")) == 1
        person = await person_of(desk, "Bartek")
        await tell_press(desk.services, person)
        async with desk.services.database.read() as work:
            due = await work.press.next_due_at()
        assert due is not None
        assert await next_due_at(desk.services) is not None
        desk.clock.instant = due
        for _ in range(3):
            await desk.work(times=3)
            await tell_press(desk.services, person)
        digests = [
            mail
            for mail in desk.letters("Bartek")
            if "2 messages" in str(mail["Subject"]).replace("\xa0", " ")
        ]
        assert len(digests) == 1
        text = text_of(digests[0])
        assert text.index("first") < text.index("second")
        asked = await desk.write("Bartek", "thanks to both", answering=digests[0])
        assert "Who should read that?" in str(asked["Subject"] if asked is not None else "")
        await desk.write("Anna", "to Bartek: third")
        desk.clock.forward(days=1)
        await desk.work()
        alone = desk.last("Bartek", "Press from Anna")
        assert "third" in text_of(alone)
        await desk.write("Bartek", "Thank you.", answering=alone)
        assert "Thank you." in text_of(press_to(desk, "Anna")[-1])


async def test_another_digest_tells_what_has_waited_before_what_is_new(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Bartek", "digest daily")
        await desk.write("Anna", "to Bartek: quokka")
        await desk.write("Chloé", "broadcast: wombat")
        async with desk.services.database.read() as work:
            daily = await work.press.next_due_at()
        await desk.write("Bartek", "digest hourly")
        async with desk.services.database.read() as work:
            hourly = await work.press.next_due_at()
        assert daily is not None
        assert hourly is not None
        assert hourly < daily
        assert not any("quokka" in text_of(mail) for mail in desk.letters("Bartek"))
        await desk.write("Bartek", "digest at once")
        await desk.write("Anna", "to Bartek: numbat")
        told = [
            text_of(mail)
            for mail in press_to(desk, "Bartek")
            if "comes" not in str(mail["Subject"])
        ]
        assert ["quokka" in told[0], "wombat" in told[0], "numbat" in told[1]] == [True, True, True]
        assert len(told) == 2


async def test_a_message_handled_again_sends_nothing_twice(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "to Bartek: once\nto Chloé: only", work=False)
        await desk.write("Anna", "GM: and this as well", work=False)
        await desk.work(times=3)
        async with desk.services.database.write() as work:
            again = tables.inbox.update().values(state="new", outcome=None, game_id=None)
            await work.connection.execute(again)
        desk.services.jobs.ask(Job("receive", (1,)))
        desk.services.jobs.ask(Job("receive", (2,)))
        await desk.work(times=2)
        assert await kinds_to(desk, "gm-note") == [GM]
        assert len(press_to(desk, "Bartek")) == 1
        assert len(press_to(desk, "Chloé")) == 1
        async with desk.services.database.read() as work:
            assert len(await work.press.list_of_game(1)) == 2
            assert await work.inbox.list_by_state("new") == []
        assert max(Counter(desk.postbox.mails).values()) == 1


class PowerCut(BaseException):
    """Nothing in the house catches it."""


class CutAt:
    """The power goes off once, at a step."""

    def __init__(self, step: str) -> None:
        self.step = step

    def reached(self, step: str) -> None:
        if step == self.step:
            self.step = ""
            raise PowerCut


@pytest.mark.parametrize(
    "step", ["press.written", "receive.written", "receive.kept", "press.told", "deliver.claimed"]
)
async def test_after_a_power_cut_each_reader_is_told_once(tmp_path: Path, step: str) -> None:
    cut, clock = CutAt(""), StandingClock()
    async with open_desk(tmp_path, clock=clock, steps=cut) as desk:
        await desk.open_game()
        await desk.write("Bartek", "digest hourly")
        cut.step = step
        with contextlib.suppress(PowerCut):
            await desk.write("Anna", "to Bartek: the stork\nto Chloé: the gull")
            clock.forward(hours=1)
            await desk.work()
        assert not cut.step, "it has happened"
        before = list(desk.postbox.mails)
    async with open_desk(tmp_path, clock=clock) as desk:
        for _ in range(2):
            clock.forward(hours=2)
            await desk.work()
        mails = [*before, *desk.postbox.mails]
    for name, word in (("Bartek", b"stork"), ("Chloé", b"gull")):
        got = [
            mail
            for mail in mails
            if mail.recipient == address_of(name) and word in everything_in(mail.raw)
        ]
        assert len(got) == 1, name
    assert len([mail for mail in mails if b"your press is sent" in everything_in(mail.raw)]) == 1


async def look_on(desk: Desk, name: str) -> None:
    async with desk.services.database.write() as work:
        person = await work.people.add(
            name=name, locale="en", time_zone="UTC", created_at=desk.clock.now()
        )
        await work.people.add_address(person, "mail", address_of(name), "confirmed")
        await work.observers.begin(1, person, desk.clock.now())


async def test_observers_read_public_press_where_the_table_lets_them_and_nothing_else(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await look_on(desk, "Olga")
        await desk.write(
            "Anna", "broadcast: the pelican\nto Bartek: the stork\npress to observers: the gull"
        )
        texts = [text_of(mail) for mail in desk.letters("Olga")]
        assert len(texts) == 2
        assert "pelican" in texts[0]
        assert "gull" in texts[1]
        assert "Code w" in texts[0], "an answer to it is an observer's word"
        assert "stork" not in "".join(texts)
        await allow(desk, "observers off")
        before = len(desk.letters("Olga"))
        await desk.write("Anna", "broadcast: the heron")
        assert len(desk.letters("Olga")) == before


async def test_game_masters_read_private_press_only_where_the_table_says_so(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write(
            "Anna", "to Bartek: the stork\nbroadcast: the pelican\nto Bartek, GM: the gull"
        )
        told = "".join(text_of(mail) for mail in gm_letters(desk))
        assert "stork" not in told
        assert "pelican" in told
        assert "gull" in told
        await allow(desk, "gm reads")
        sent = await desk.write("Anna", "to Bartek: the walrus")
        assert "The game master reads the press of this game." in text_of(sent)
        assert "walrus" in text_of(gm_letters(desk)[-1])


async def test_a_game_master_who_plays_reads_nothing_of_others(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await allow(desk, "gm reads, grey")
        async with desk.services.database.write() as work:
            seat = (await work.seats.list_of_game(1))[2]
            master = await work.people.find_by_address("mail", GM)
            assert master is not None
            await work.connection.execute(
                tables.seats.update()
                .where(tables.seats.c.id == seat.id)
                .values(person_id=master.id)
            )
        before = len(gm_letters(desk))
        await desk.write("Anna", "to Bartek: the walrus")
        assert len(gm_letters(desk)) == before
        await desk.write("Anna", "broadcast: the pelican")
        assert len(gm_letters(desk)) == before + 1


async def test_the_eliminated_neither_write_nor_get_press_where_the_table_says_so(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(4)
        base = desk.turn_mail("Dmytro")
        async with desk.services.database.write() as work:
            await work.connection.execute(
                tables.seats.update().where(tables.seats.c.number == 4).values(status="eliminated")
            )
        await desk.write("Anna", "broadcast: the pelican\nto Dmytro: the stork")
        assert len(press_to(desk, "Dmytro")) == 2
        await allow(desk, "eliminated off")
        told = await desk.write("Anna", "broadcast: the heron\nto Dmytro: the gull")
        assert "Dmytro is out of the game" in text_of(told)
        assert "heron" not in "".join(text_of(mail) for mail in press_to(desk, "Dmytro")[:2])
        assert not any(
            "gull" in text_of(mail) or "the heron" in text_of(mail)
            for mail in desk.letters("Dmytro")
        )
        told = await desk.write("Dmytro", "to Anna: boo", answering=base)
        assert "players who are out cannot write press" in " ".join(text_of(told).split())


async def give_chat(desk: Desk, name: str, number: int) -> None:
    person = await person_of(desk, name)
    async with desk.services.database.write() as work:
        await work.people.add_address(person, TELEGRAM, str(number), "confirmed")


async def chats_to(desk: Desk, address: str) -> list[OutboxRow]:
    async with desk.services.database.read() as work:
        rows = [
            row
            for state in ("queued", "sending", "sent", "refused")
            for row in await work.outbox.list_by_state(state, 500)
        ]
    return sorted(
        (row for row in rows if row.channel == TELEGRAM and row.address == address),
        key=lambda row: row.id,
    )


def words_of(row: OutboxRow) -> str:
    return msgspec.json.decode(row.letter, type=ChatDraft).html


async def say(desk: Desk, number: int, update: int, text: str, reply_to: int | None = None) -> None:
    message: dict[str, object] = {
        "message_id": 1000 + update,
        "date": int(desk.clock.now().timestamp()),
        "text": text,
        "chat": {"id": number, "type": "private"},
        "from": {"id": number, "is_bot": False, "first_name": "X"},
    }
    if reply_to is not None:
        message["reply_to_message"] = {
            "message_id": reply_to,
            "date": 1,
            "chat": {"id": number, "type": "private"},
        }
    raw = json.dumps({"update_id": update, "message": message}).encode()
    await store_update(desk.services, StoredUpdate(update, raw, desk.clock.now()))
    await desk.work()


async def test_in_a_chat_press_comes_and_a_reply_goes_back(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await give_chat(desk, "Bartek", 4711)
        async with desk.services.database.write() as work:
            chat = await work.chats.put(
                TELEGRAM, "-100", title="Herons", state="active", since=desk.clock.now()
            )
            await work.chats.belong(chat, 1)
        await desk.write("Anna", "to Bartek: the stork <b>\nbroadcast: the pelican")
        private, public = (row for row in await chats_to(desk, "4711") if row.kind == "press")
        assert "the stork &lt;b&gt;" in words_of(private)
        assert "pelican" in words_of(public)
        (group,) = [row for row in await chats_to(desk, "-100") if row.kind == "press"]
        assert "pelican" in words_of(group)
        assert not re.search(r"[ocbg]\d+-\d+-[a-z2-7]{26}", words_of(group) + words_of(private))
        async with desk.services.database.write() as work:
            await work.outbox.name(private.id, format_chat_name(ChatName(4711, 55)))
        await say(desk, 4711, 1, "And so does the gull.", reply_to=55)
        assert "And so does the gull." in text_of(press_to(desk, "Anna")[-1])
        await say(desk, 4711, 2, "bid 7", reply_to=55)
        assert "Orders, or press?" in words_of((await chats_to(desk, "4711"))[-1])
        heard = len(press_to(desk, "Anna"))
        await say(desk, 4711, 3, "/wrok hello", reply_to=55)
        assert len(press_to(desk, "Anna")) == heard
        assert "/wrok" in words_of((await chats_to(desk, "4711"))[-1])
        for number, word in enumerate(("/why P1", "/why", "/press", "/bid 7"), 10):
            await say(desk, 4711, number, word, reply_to=55)
            assert len(press_to(desk, "Anna")) == heard, word
        await say(desk, 4711, 4, "/press to Chloé: psst")
        assert "psst" in text_of(press_to(desk, "Chloé")[-1])
        await allow(desk, "groups off")
        await desk.write("Anna", "broadcast: the heron")
        assert len([row for row in await chats_to(desk, "-100") if row.kind == "press"]) == 1


CANARIES = ("quokka", "wombat", "numbat", "bilby")


async def test_private_words_are_in_nothing_that_leaves_to_others_and_in_no_log(
    tmp_path: Path,
) -> None:
    """Private, to the team of two, grey, in digests and answers: each word reaches exactly its
    readers.
    """
    readers = {
        "quokka": {"Anna", "Bartek"},
        "wombat": {"Anna", "Bartek", "Chloé"},
        "numbat": {"Bartek", "Anna"},
        "bilby": {"Dmytro", "Anna"},
    }
    with capture_logs() as logs:
        async with open_desk(tmp_path) as desk:
            await desk.open_game(4)
            await allow(desk, "grey")
            await give_chat(desk, "Dmytro", 99)
            await look_on(desk, "Olga")
            await desk.write("Bartek", "digest hourly")
            await desk.write(
                "Anna",
                "to Bartek: the quokka\nto Bartek, Chloé: the wombat\npress grey to Dmytro: the bilby",
            )
            desk.clock.forward(hours=1)
            await desk.work()
            await desk.write("Bartek", "press to Anna: the numbat")
            for name in ("Chloé", "Dmytro"):
                await desk.write(name, "press list\nstatus\nhistory\npress")
            await gm.announce(desk.services, "heron", "All is well.", BY)
            await desk.work()
            mails = list(desk.postbox.mails)
            chats = await chats_to(desk, "99")
            async with desk.services.database.read() as work:
                rows = (
                    await work.connection.execute(
                        sa.select(tables.outbox.c.dedupe_key, tables.outbox.c.message_id)
                    )
                ).all()
    for word, names in readers.items():
        allowed = {address_of(name) for name in names}
        assert any(word.encode() in everything_in(mail.raw) for mail in mails), (
            "the search finds what is there"
        )
        for mail in mails:
            if mail.recipient not in allowed:
                assert word.encode() not in everything_in(mail.raw), (
                    word,
                    mail.recipient,
                    str(parse(mail.raw)["Subject"]),
                )
        assert all(word == "bilby" or word not in row.letter for row in chats)
        assert word not in repr(logs)
        assert not any(word in str(value) for row in rows for value in row)
    grey = [row for row in chats if "bilby" in row.letter]
    assert grey
    assert all(
        "Anna" not in row.letter and "Anna" not in str(row.dedupe_key) + str(row.message_id)
        for row in grey
    )


async def read_by_the_others(folder: Path, writer: str) -> list[tuple[str, bytes]]:
    async with open_desk(folder) as desk:
        await desk.open_game(4)
        await allow(desk, "grey")
        await desk.write(writer, "press grey to Chloé, Dmytro: Beware!")
        await desk.write("Chloé", "Of whom?", answering=desk.last("Chloé", "unnamed player"))
        await desk.write("Chloé", "press list")
        others = {address_of(name) for name in ("Chloé", "Dmytro")} | {GM}
        return [
            (mail.recipient, mail.raw) for mail in desk.postbox.mails if mail.recipient in others
        ]


async def test_every_byte_of_grey_press_and_its_answer_is_the_same_whoever_wrote_it(
    tmp_path: Path,
) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    by_anna = await read_by_the_others(tmp_path / "a", "Anna")
    assert by_anna == await read_by_the_others(tmp_path / "b", "Bartek")
    assert sum(b"Beware" in raw for _, raw in by_anna) >= 2


def test_a_quotation_is_eight_words_in_a_row_that_only_a_secret_letter_has() -> None:
    secret = ["Your orders are in. March! 2 from P1 to P2 is version 3 of them, dear Anna."]
    public = ["The table is called Heron and has seven players in all of its provinces."]
    assert quotation("He wrote: MARCH, 2 from p1 to P2 is his", secret, public) is None
    assert (
        quotation("look: March! 2 from P1 to P2 is version 3 of it", secret, public)
        == "March! 2 from P1 to P2 is version 3 of"
    )
    assert (
        quotation("the table is called Heron and has seven players", [*secret, *public], public)
        is None
    )


def test_numbers_belong_to_a_quotation_and_make_none() -> None:
    secret = [
        "In a row 1 2 3 4 5 6 7 8 9 they march on to 13 of the eight provinces. Until Tue 17 Nov, 13:00 (in 24 hours; 12:00 UTC)."
    ]
    assert quotation("1 2 3 4 5 6 7 8 9", secret, []) is None
    assert quotation("Tue 17 Nov, 13:00 (in 24 hours; 12:00 UTC", secret, []) is None
    assert (
        quotation("so they march on to 13 of the eight provinces, ha", secret, [])
        == "they march on to 13 of the eight provinces"
    )
    assert quotation("so they march on to 12 of the eight provinces", secret, []) is None

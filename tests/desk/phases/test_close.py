"""Closing a phase: when it happens, what it makes of those who did not answer, who is told what,
and what cannot stop it.
"""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from pbem.desk import gm
from pbem.desk.jobs import Job
from pbem.desk.messages.receive import receive
from pbem.desk.people.eligibility import UNREAD
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.standings import end_of_deadline
from pbem.desk.phases.sweep import sweep
from pbem.desk.upkeep.records import verify_game
from pbem.store import tables
from tests.desk.commanding import MeanwhilePainter, logged
from tests.desk.harness import GM, Desk, StillPainter, open_desk, parse, text_of
from tests.desk.looks import after, calendar_of, kinds_to, phase_of, status_of
from tests.played import PLAYED

PLAYERS = ("Anna", "Bartek", "Chloé")


# --------------------------------------------------------------------------------------------- when
async def test_who_did_not_answer_gets_the_default_and_the_game_goes_on_to_its_end(
    desk: Desk,
) -> None:
    await desk.open_game()
    for _ in range(4):
        await desk.everybody_passes()
    assert (await status_of(desk))[:2] == ("over", 5)
    assert await verify_game(desk.services, "heron") == []
    assert await kinds_to(desk, "turn") == sorted(
        f"{name}@players.example" for name in ("anna", "bartek", "chloe") * 4
    )


async def test_nothing_closes_in_the_deadlines_own_second_and_everything_in_the_next(
    desk: Desk,
) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    assert end_of_deadline(after(phase, milliseconds=999)) == after(phase, seconds=1)
    desk.clock.instant = after(phase, milliseconds=999)
    await close_phase(desk.services, 1, 1)
    assert (await status_of(desk))[1] == 1
    desk.clock.instant = after(phase, seconds=1)
    assert Job("close_phase", (1, 1)) in await sweep(desk.services)
    await close_phase(desk.services, 1, 1)
    assert (await status_of(desk))[1] == 2


async def test_two_of_three_final_answers_close_nothing(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 1. final")
    await desk.write("Bartek", "bid 2. final")
    await desk.write("Chloé", "bid 3")
    assert (await status_of(desk))[1] == 1
    await desk.write("Chloé", "final")
    assert (await status_of(desk))[1] == 2


async def test_a_phase_that_asks_empty_seats_alone_stays_open(desk: Desk) -> None:
    await desk.open_game(2)
    async with desk.services.database.write() as work:
        for seat in await work.seats.list_of_game(1):
            await work.seats.change_status(seat.id, "active", "left")
    await desk.work()
    assert (await status_of(desk))[1] == 1


async def test_a_table_without_early_close_waits_for_the_deadline(desk: Desk) -> None:
    await desk.open_game(early_close=False)
    for name in PLAYERS:
        await desk.write(name, "bid 1. final")
    assert (await status_of(desk))[1] == 1
    await desk.everybody_passes()
    assert (await status_of(desk))[1] == 2


async def test_an_unreadable_mailbox_holds_the_close_tells_everybody_once_and_only_so_long(
    desk: Desk,
) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    desk.mailbox.broken = True
    for minutes in (1, 2, 60, 119):
        desk.clock.instant = after(phase, minutes=minutes)
        await desk.work()
        assert (await status_of(desk)) == ("running", 1, 0)
    assert await kinds_to(desk, "held") == sorted(
        ["anna@players.example", "bartek@players.example", "chloe@players.example", GM]
    )
    told = text_of(desk.last("Anna", "has to wait"))
    assert "Tuesday 17 November, 13:00" in told, (
        "the deadline that passed, in the player's own time"
    )
    desk.clock.instant = after(phase, minutes=120)
    await desk.work()
    assert (await status_of(desk))[1] == 2
    unread = [entry for entry in await logged(desk) if entry[0] == UNREAD]
    assert unread == [(UNREAD, {"phase": 1}, True)], "nobody is said to have missed it"


async def test_a_held_close_goes_on_as_soon_as_the_mailbox_is_read_with_what_came_in_time(
    desk: Desk,
) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    desk.mailbox.broken = True
    desk.clock.instant = after(phase, minutes=5)
    await desk.work()
    desk.mailbox.broken = False
    await desk.write("Anna", "bid 9", received_at=after(phase, minutes=-1))
    assert (await status_of(desk))[1] == 2
    async with desk.services.database.read() as work:
        assert [row.canonical for row in await work.orders.latest(1, 1)] == [("Bid 9",)]
    assert await verify_game(desk.services, "heron") == []


async def test_a_message_that_is_still_new_at_the_deadline_is_waited_for(desk: Desk) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    desk.clock.instant = after(phase, seconds=5)
    await desk.write("Anna", "bid 9", received_at=phase.deadline, work=False)
    await close_phase(desk.services, 1, 1)
    assert (await status_of(desk))[1] == 1
    await desk.work()
    assert (await status_of(desk))[1] == 2
    async with desk.services.database.read() as work:
        assert [row.canonical for row in await work.orders.latest(1, 1)] == [("Bid 9",)]


async def test_a_mail_too_late_for_one_table_does_not_keep_another_open(tmp_path: Path) -> None:
    """The first game is stuck; the mail that waits for it was received before the deadline of the
    second.
    """
    async with open_desk(tmp_path, painter=StillPainter()) as desk:
        await desk.open_game()
        heron = desk.turn_mail("Anna")
        desk.clock.forward(hours=6)
        await desk.open_game(slug="egret")
        first, second = await phase_of(desk), await phase_of(desk, "egret")
        async with desk.services.database.write() as work:
            for _ in range(4):
                await work.games.count_attempt(1, second.deadline)
        await desk.write("Anna", "bid 9", answering=heron, received_at=after(first, hours=1))
        desk.clock.instant = after(second, seconds=2)
        await desk.work()
        assert (await status_of(desk, "egret"))[1] == 2
        assert (await status_of(desk, "heron"))[1] == 1
        async with desk.services.database.read() as work:
            assert [row.game_id for row in await work.inbox.list_by_state("new")] == [1]


# -------------------------------------------------------------------------------- what overtakes it
async def test_orders_that_are_taken_while_a_close_is_computed_are_not_lost(tmp_path: Path) -> None:
    """The mailbox could not be read for too long, so the close began without it; just then it is
    read, with a bid that is in time.
    """
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await desk.open_game()
        phase = await phase_of(desk)
        desk.mailbox.broken = True
        desk.clock.instant = after(phase, minutes=121)

        async def a_bid_in_time() -> None:
            await desk.write("Anna", "bid 20", received_at=after(phase, hours=-1), work=False)
            async with desk.services.database.read() as work:
                newest = (await work.inbox.next_new(1))[0].id
            await receive(desk.services, newest)

        painter.meanwhile = a_bid_in_time
        await close_phase(desk.services, 1, 1)
        assert await status_of(desk) == ("running", 1, 0), "overtaken, and not counted as a failure"
        assert await kinds_to(desk, "bulletin") == []
        await desk.work()
        assert (await status_of(desk))[1] == 2
        async with desk.services.database.read() as work:
            assert [row.canonical for row in await work.orders.latest(1, 1)] == [("Bid 20",)]
        assert await verify_game(desk.services, "heron") == [], "what was closed is what was stored"


async def test_a_deadline_that_moves_while_the_close_is_computed_stops_it(tmp_path: Path) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await desk.open_game()
        phase = await phase_of(desk)
        desk.clock.instant = after(phase, seconds=2)

        async def extended() -> None:
            await gm.extend(desk.services, "heron", after(phase, hours=5), gm.By("Greta"))

        painter.meanwhile = extended
        await close_phase(desk.services, 1, 1)
        assert await status_of(desk) == ("running", 1, 0)
        await desk.work()
        assert await kinds_to(desk, "bulletin") == []
        desk.clock.instant = after(phase, hours=5, seconds=1)
        await desk.work()
        assert (await status_of(desk))[1] == 2


async def test_a_seat_that_changes_hands_while_the_close_is_computed_stops_it(
    tmp_path: Path,
) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await desk.open_game()
        desk.clock.instant = after(await phase_of(desk), seconds=2)

        async def anna_goes() -> None:
            async with desk.services.database.write() as work:
                seat = (await work.seats.list_of_game(1))[0]
                await work.seats.replace_person(seat.id, seat.tenure, None, desk.clock.now())

        painter.meanwhile = anna_goes
        await close_phase(desk.services, 1, 1)
        assert await status_of(desk) == ("running", 1, 0)
        assert await kinds_to(desk, "bulletin") == []
        await desk.work()
        assert (await status_of(desk))[1] == 2


async def test_of_two_closes_at_once_one_is_kept(tmp_path: Path) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await desk.open_game()
        desk.clock.instant = after(await phase_of(desk), seconds=1)
        painter.meanwhile = lambda: close_phase(desk.services, 1, 1)
        await close_phase(desk.services, 1, 1)
        assert await status_of(desk) == ("running", 2, 0)
        await desk.work()
        assert await kinds_to(desk, "bulletin") == ["gm@house.example"], "told once"
        assert await verify_game(desk.services, "heron") == []


async def test_a_wait_that_comes_while_an_early_close_is_computed_stops_it(tmp_path: Path) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await desk.open_game(2)
        turn = desk.turn_mail("Bartek")
        await desk.write("Anna", "bid 1. final")

        async def wait() -> None:
            await desk.write("Bartek", "wait", answering=turn, work=False)
            async with desk.services.database.read() as work:
                newest = (await work.inbox.next_new(1))[0].id
            await receive(desk.services, newest)

        painter.meanwhile = wait
        await desk.write("Bartek", "bid 2. final")
        assert await status_of(desk) == ("running", 1, 0)
        desk.services.unready.keep_only(set())
        assert not [job for job in await sweep(desk.services) if job.name == "close_phase"], (
            "nor is it tried again"
        )
        await desk.write("Bartek", "nowait", answering=turn)
        assert (await status_of(desk))[1] == 2


# -------------------------------------------------------------------------------- the GM's commands
async def test_the_game_master_closes_the_phase_that_was_named_and_no_other(desk: Desk) -> None:
    await desk.open_game()
    assert not await gm.close_now(desk.services, "heron", 2, gm.By("Greta"))
    assert await gm.close_now(desk.services, "heron", 1, gm.By("Greta"))
    desk.clock.forward(seconds=1)
    await desk.work()
    assert (await status_of(desk))[1] == 2
    assert not await gm.close_now(desk.services, "heron", 1, gm.By("Greta"))
    await desk.work()
    assert (await status_of(desk))[1] == 2


async def test_a_moved_deadline_is_announced_once_with_the_calendar_entry_counted_up(
    desk: Desk,
) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    before = calendar_of(desk.turn_mail("Anna"))
    await gm.extend(desk.services, "heron", after(phase, hours=6), gm.By("Greta"))
    with pytest.raises(gm.Refused, match="already"):
        await gm.extend(desk.services, "heron", after(phase, hours=6), gm.By("Greta"))
    await desk.work(times=2)
    assert await kinds_to(desk, "deadline") == sorted(
        ["anna@players.example", "bartek@players.example", "chloe@players.example", GM]
    )
    now = calendar_of(desk.last("Anna", "deadline"))

    def field(text: str, name: str) -> str:
        return next(line for line in text.splitlines() if line.startswith(name))

    assert field(before, "UID") == field(now, "UID")
    assert (field(before, "SEQUENCE"), field(now, "SEQUENCE")) == ("SEQUENCE:0", "SEQUENCE:1")
    with pytest.raises(gm.Refused, match="shorten it if you mean it"):
        await gm.extend(desk.services, "heron", phase.deadline, gm.By("Greta"))
    await gm.extend(desk.services, "heron", phase.deadline, gm.By("Greta"), shorten=True)
    await desk.work()
    assert field(calendar_of(desk.last("Anna", "deadline")), "SEQUENCE") == "SEQUENCE:2"
    with pytest.raises(gm.Refused, match="that time has passed"):
        await gm.extend(desk.services, "heron", desk.clock.now(), gm.By("Greta"), shorten=True)


async def test_a_mail_parked_as_late_is_in_time_after_an_extension(desk: Desk) -> None:
    await desk.open_game()
    phase = await phase_of(desk)
    desk.mailbox.broken = True
    desk.clock.instant = after(phase, minutes=10)
    await desk.write("Anna", "bid 9")
    assert await kinds_to(desk, "receipt") == []
    await gm.extend(desk.services, "heron", after(phase, hours=6), gm.By("Greta"))
    await desk.work()
    assert await kinds_to(desk, "receipt") == ["anna@players.example"]
    assert (await phase_of(desk)).status == "open"


# ---------------------------------------------------------------------------------------- reminders
async def test_the_missing_alone_are_reminded_twice_with_what_they_have_stored(desk: Desk) -> None:
    await desk.open_game()
    await desk.everybody_passes()  # to a window of three days, long enough for both reminders
    phase = await phase_of(desk)
    start = desk.services.games[PLAYED].ruleset
    async with desk.services.database.read() as work:
        row = await work.states.find(1, 2)
    assert row is not None
    view: Any = start.view(start.decode_state(row.body), 1)
    await desk.write("Anna", f"Work P{view.player(1).start}. final")
    await desk.write("Bartek", "Support P77")
    for hours, count in ((25, 0), (24, 1), (23, 1), (5, 1), (4, 2), (1, 2)):
        desk.clock.instant = after(phase, hours=-hours)
        await desk.work(times=2)
        assert await kinds_to(desk, "reminder") == sorted(
            ["bartek@players.example", "chloe@players.example"] * count
        ), hours
    assert "anna" not in " ".join(await kinds_to(desk, "reminder"))


async def test_a_reminder_quotes_what_its_reader_has_stored_and_nobody_elses(desk: Desk) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    await desk.everybody_passes()
    phase = await phase_of(desk)
    assert phase.kind == "consolidation"
    await desk.write("Anna", "Buy 1 in P1")
    await desk.write("Bartek", "Bid 3. final")
    desk.clock.instant = after(phase, hours=-4)
    await desk.work()
    assert await kinds_to(desk, "reminder") == ["anna@players.example", "chloe@players.example"]
    assert "Buy 1 in P1" in text_of(desk.last("Anna", "reminder"))
    assert "in P1" not in text_of(desk.last("Chloé", "reminder"))
    assert "Bid 3" not in text_of(desk.last("Chloé", "reminder"))


async def test_the_last_reminder_says_something_else_than_the_first(desk: Desk) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    phase = await phase_of(desk)
    told = []
    for hours in (24, 4):
        desk.clock.instant = after(phase, hours=-hours)
        await desk.work(times=2)
        told.append(desk.last("Anna", "reminder"))
    first, last = told
    assert str(first["Subject"]).startswith("Reminder: nothing from you yet · ")
    assert str(last["Subject"]).startswith("Last reminder: nothing from you yet · ")
    assert "WHAT YOU CAN REPLY" in text_of(first)
    assert 'answer "more time"' in " ".join(text_of(last).split())


async def test_after_a_long_standstill_one_reminder_is_sent_and_not_two(desk: Desk) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    desk.clock.instant = after(await phase_of(desk), hours=-2)
    await desk.work()
    assert await kinds_to(desk, "reminder") == [
        "anna@players.example",
        "bartek@players.example",
        "chloe@players.example",
    ]


# ------------------------------------------------------------------------------------ who gets what
async def test_reading_3_a_close_brings_one_letter_to_each_and_the_bulletin_to_the_game_master(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.everybody_passes()
    assert await kinds_to(desk, "bulletin") == [GM]
    async with desk.services.database.read() as work:
        rows = await work.connection.execute(
            sa.select(tables.outbox.c.letter).where(tables.outbox.c.kind == "bulletin")
        )
        texts = {msgspec.json.decode(letter)["text"] for letter in rows.scalars()}
    assert len(texts) == 1


async def test_bids_are_secret_until_the_close_and_a_note_stays_with_the_game_master(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 37\nGM: the word is xylophone")
    secret = len(desk.postbox.mails)
    await desk.everybody_passes()
    for mail in desk.postbox.mails[:secret]:
        told = mail.recipient in ("anna@players.example", GM)
        assert told or not re.search(r"\b37\b", text_of(parse(mail.raw))), mail.recipient
    for name in ("Bartek", "Chloé"):
        bulletin = next(
            text_of(mail) for mail in desk.letters(name)[-2:] if re.search(r"\b37\b", text_of(mail))
        )
        assert "Anna" in bulletin, "revealed with the close"
        assert all("xylophone" not in text_of(mail) for mail in desk.letters(name))
    assert sum("xylophone" in text_of(parse(raw)) for raw in desk.postbox.to(GM)) == 1


async def test_the_eliminated_lose_their_seat_and_still_get_the_end_with_the_seed(
    desk: Desk,
) -> None:
    await desk.open_game()
    for _ in range(4):
        await desk.everybody_passes()
    async with desk.services.database.read() as work:
        seats = {seat.name: seat.status for seat in await work.seats.list_of_game(1)}
    assert seats == {"Anna": "eliminated", "Bartek": "eliminated", "Chloé": "active"}
    assert await kinds_to(desk, "ending") == sorted(
        ["anna@players.example", "bartek@players.example", "chloe@players.example", GM]
    )
    ending = text_of(desk.letters("Anna")[-1])
    assert bytes(range(32)).hex() in "".join(ending.split())
    for name in PLAYERS:
        for mail in desk.letters(name)[:-1]:
            assert bytes(range(32)).hex() not in "".join(text_of(mail).split())

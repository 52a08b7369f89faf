"""How the house stands in numbers, what is forgotten, and what goes by itself: the same on both
kinds of database.
"""

from datetime import timedelta

import sqlalchemy as sa

from pbem.store import Database, Work
from pbem.store.repositories.figures import Figures, read_figures
from pbem.store.repositories.forgetting import EMPTY_LETTER, FORGOTTEN, Forgetting
from pbem.store.repositories.marks import MARK_SPACING, SWEPT
from pbem.store.repositories.post.inbox import NewMessage
from pbem.store.repositories.post.outbox import NewOutboxRow, OutboxRow
from pbem.store.repositories.post.pending import NewPending
from pbem.store.repositories.retention import Retention
from pbem.store.revision import newest_revision, read_revision
from pbem.store.tables import games, pending
from tests.store.samples import HOUR, NOW, SECOND, add_message, add_person, known, start_game

ADA = "ada@players.example"


async def look(database: Database, after: timedelta = timedelta(0)) -> Figures:
    async with database.read() as work:
        return await read_figures(
            work.connection,
            NOW + after,
            grace=timedelta(minutes=5),
            most_attempts=3,
            lately=timedelta(days=1),
            last_lane=2,
        )


async def add_letter(
    work: Work,
    *,
    key: str,
    address: str = ADA,
    game_id: int | None = None,
    seat_id: int | None = None,
    letter: str = '{"text":"hello"}',
) -> int:
    return known(
        await work.outbox.queue(
            NewOutboxRow(
                channel="mail",
                kind="turn",
                address=address,
                letter=letter,
                message_id=f"<{key}@house.example>",
                created_at=NOW,
                game_id=game_id,
                seat_id=seat_id,
                dedupe_key=key,
            )
        )
    )


async def find(database: Database, outbox_id: int) -> OutboxRow:
    async with database.read() as work:
        row = await work.outbox.find(outbox_id)
    assert row is not None
    return row


async def test_what_waits_and_what_went_wrong_is_counted(database: Database) -> None:
    async with database.write() as work:
        game = await start_game(work)
        other = await start_game(work, "egret", NOW - HOUR)
        failed = await start_game(work, "ibis", NOW - HOUR)
        for _ in range(4):
            await work.games.count_attempt(failed, NOW)
        await work.phases.hold(other, 1, NOW)
        await add_message(work)
        parked = await add_message(work, "<2@example.org> bb")
        await work.inbox.park(parked, game)
        await work.inbox.shunt(await add_message(work, "<3@example.org> cc"), "trace")
        await add_letter(work, key="1")
        await work.marks.put(SWEPT, NOW)
    found = await look(database, HOUR)
    assert (found.inbox_waiting, found.inbox_oldest_at, found.shunted) == (1, NOW, 1)
    assert (found.outbox_waiting, found.outbox_oldest_at, found.outbox_refused_lately) == (
        1,
        NOW,
        0,
    )
    assert (found.games_running, found.overdue_closes, found.held_closes, found.failed_closes) == (
        *(3, 0, 1, 1),
    )
    assert found.marks == {SWEPT: NOW}
    async with database.write() as work:
        await work.phases.reopen(other, 1)
    assert (await look(database)).overdue_closes == 1


async def test_an_empty_house_has_nothing_to_tell(database: Database) -> None:
    found = await look(database)
    assert (found.inbox_oldest_at, found.outbox_oldest_at, found.marks) == (None, None, {})
    async with database.read() as work:
        assert await read_revision(work.connection) == newest_revision()


async def test_a_mark_is_renewed_no_more_often_than_need_be(database: Database) -> None:
    async with database.write() as work:
        assert await work.marks.put_at_most_every(MARK_SPACING, SWEPT, NOW)
        assert not await work.marks.put_at_most_every(
            MARK_SPACING, SWEPT, NOW + MARK_SPACING - SECOND
        )
        assert not await work.marks.put_at_most_every(MARK_SPACING, SWEPT, NOW - HOUR)
        assert await work.marks.put_at_most_every(MARK_SPACING, SWEPT, NOW + MARK_SPACING)
        row = await work.marks.find(SWEPT)
    assert row is not None
    assert row.at == NOW + MARK_SPACING


async def test_messages_are_found_by_their_sender_and_by_whom_they_name(database: Database) -> None:
    raws = {
        "written": b"From: Ada <ADA@players.example>\r\nTo: x@y.example\r\n\r\nhello",
        "folded": b"From: Ada\r\n <ada@players.example>\r\n\r\nhello",
        "named": b"From: ben@players.example\r\nCc: ada@players.example\r\n\r\nhello",
        "quoted": b"From: ben@players.example\r\n\r\nFrom: ada@players.example wrote",
        "neither": b"From: ben@players.example\r\n\r\nhello",
    }
    ids = {}
    async with database.write() as work:
        for key, raw in raws.items():
            ids[key] = known(
                await work.inbox.add_once(
                    NewMessage(
                        channel="mail", message_key=key, raw=raw, received_at=NOW, stored_at=NOW
                    )
                )
            )
        await work.inbox.mark_handled(ids["named"], "orders")
        found = await Forgetting(work.connection).messages_of([ADA])
        assert found.written == {ids["written"], ids["folded"]}
        assert found.naming == {ids["named"]}
        await work.inbox.mark_handled(ids["quoted"], "orders")
        again = await Forgetting(work.connection).messages_of([ADA], ids["named"])
        assert again.written == set()
        assert again.naming == {ids["quoted"]}
        assert again.last_id == ids["neither"]


async def test_letting_go_of_messages_letters_confirmations_and_the_person(
    database: Database,
) -> None:
    async with database.write() as work:
        person = await add_person(work)
        await work.people.add_address(person, "mail", ADA, "confirmed")
        message = await add_message(work, "<1@ada.example>|digest")
        letter = await add_letter(work, key=f"note:1:gm:{ADA}")
        about = await add_letter(
            work,
            key="2",
            address="gm@house.example",
            letter='{"text":"Ada@Players.Example bounced"}',
        )
        await work.pending.wait_under(
            NewPending(
                purpose="join",
                address=ADA,
                inbox_ids=(message,),
                created_at=NOW,
                expires_at=NOW + HOUR,
                detail='{"a":1}',
            )
        )
        entry = known(
            await work.log.add(
                game_id=None,
                actor="x",
                command="y",
                at=NOW,
                detail='{"to":["Ada@players.example",3]}',
            )
        )
        store = Forgetting(work.connection)
        assert await store.letters_to([ADA], person) == {letter}
        assert await store.letters_naming([ADA]) == {about}
        asked, logged = await store.confirmations_of([ADA]), await store.log_entries_naming([ADA])
        assert logged == {entry}
        await store.overwrite_what_goes()
        await store.drop_messages({message})
        await store.empty_letters({letter}, to_the_person=True)
        await store.empty_letters({about}, to_the_person=False)
        await store.end_confirmations(asked, NOW)
        await store.blot_log(logged, [ADA])
        await store.forget_person(person)
    async with database.read() as work:
        row = await work.inbox.find(message)
        someone = await work.people.find(person)
        confirmation = (await work.connection.execute(sa.select(pending))).one()
        blotted = (await work.log.list_of_game(None))[0]
        assert await work.people.list_addresses(person) == []
        assert await work.inbox.read_raw(message) is None
    assert row is not None
    assert (row.state, row.outcome, row.message_key) == (
        "ignored",
        "forgotten",
        f"|digest|{message}",
    )
    assert someone is not None
    assert (someone.name, someone.time_zone) == (FORGOTTEN, "UTC")
    assert (confirmation.address, confirmation.outcome, confirmation.done_at) == (
        FORGOTTEN,
        "expired",
        NOW,
    )
    assert blotted.detail == f'{{"to":["{FORGOTTEN}",3]}}'
    to_them, to_others = await find(database, letter), await find(database, about)
    assert (to_them.letter, to_them.address, to_them.state) == (EMPTY_LETTER, FORGOTTEN, "withheld")
    assert "@" not in str(to_them.dedupe_key)
    assert (to_others.letter, to_others.address, to_others.state) == (
        EMPTY_LETTER,
        "gm@house.example",
        "withheld",
    )


async def test_old_letters_are_emptied_but_for_the_newest_of_each_seat(database: Database) -> None:
    later = NOW + timedelta(days=100)
    async with database.write() as work:
        over, running = await start_game(work), await start_game(work, "egret")
        await work.connection.execute(
            games.update().where(games.c.id == over).values(status="over", over_at=NOW)
        )
        seat = (await work.seats.list_of_game(over))[0].id
        old, newest = [
            await add_letter(work, key=key, game_id=over, seat_id=seat) for key in ("a", "b")
        ]
        kept = await add_letter(work, key="c", game_id=running)
        house = await add_letter(work, key="d")
        waiting = await add_letter(work, key="e", game_id=over)
        for outbox_id in (old, newest, kept, house):
            await work.outbox.mark_sent(outbox_id, NOW, "250")
        assert await Retention(work.connection).empty_letters_before(NOW) == 0
        assert await Retention(work.connection).empty_letters_before(later) == 2
        assert await Retention(work.connection).empty_letters_before(later) == 0
    emptied = {
        key: (await find(database, key)).letter == EMPTY_LETTER
        for key in (old, newest, kept, house, waiting)
    }
    assert emptied == {old: True, newest: False, kept: False, house: True, waiting: False}


async def test_old_confirmations_do_not_tell_whom_they_were_asked_of(database: Database) -> None:
    async with database.write() as work:
        for address in (ADA, "ben@players.example"):
            await work.pending.wait_under(
                NewPending(purpose="join", address=address, created_at=NOW, expires_at=NOW + HOUR)
            )
        await work.pending.settle(1, "confirmed", NOW)
        store = Retention(work.connection)
        assert await store.blank_confirmations_before(NOW) == 0
        assert await store.blank_confirmations_before(NOW + SECOND) == 1
        addresses = set((await work.connection.execute(sa.select(pending.c.address))).scalars())
    assert addresses == {FORGOTTEN, "ben@players.example"}

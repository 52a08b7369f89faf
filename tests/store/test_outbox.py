"""The contract of the outbox and of the pictures its letters show."""

import asyncio

import pytest

from pbem.store import Database, OutboxRow, StoreConflict

from .samples import HOUR, NOW, SECOND, add_game, add_seat, known, queue_letter


async def find(database: Database, outbox_id: int) -> OutboxRow:
    async with database.read() as work:
        row = await work.outbox.find(outbox_id)
    assert row is not None
    return row


async def test_a_letter_with_a_known_dedupe_key_is_not_queued_again(database: Database) -> None:
    async with database.write() as work:
        first = await queue_letter(work, "<1@x>", dedupe_key="bulletin:1:1:1")
        assert first is not None
        assert await queue_letter(work, "<2@x>", dedupe_key="bulletin:1:1:1") is None
        assert await queue_letter(work, "<3@x>", dedupe_key="bulletin:1:1:2") is not None
        assert await queue_letter(work, "<4@x>") is not None
        assert await queue_letter(work, "<5@x>") is not None
        assert await work.outbox.count_by_state() == {"queued": 4}


async def test_two_letters_cannot_share_a_message_id(database: Database) -> None:
    async with database.write() as work:
        await queue_letter(work, "<1@x>")
    with pytest.raises(StoreConflict):
        async with database.write() as work:
            await queue_letter(work, "<1@x>", address="ben@example.org")
    async with database.read() as work:
        assert await work.outbox.count_by_state() == {"queued": 1}


async def test_letters_are_due_from_their_time_on_the_longest_due_first(database: Database) -> None:
    async with database.write() as work:
        later = await queue_letter(work, "<1@x>", due_at=NOW + HOUR)
        second = await queue_letter(work, "<2@x>", due_at=NOW)
        first = await queue_letter(work, "<3@x>", due_at=NOW - HOUR)
    async with database.read() as work:
        assert await work.outbox.due_ids(NOW, 10) == [first, second]
        assert await work.outbox.due_ids(NOW, 1) == [first]
        assert await work.outbox.due_ids(NOW + HOUR, 10) == [first, second, later]
        assert await work.outbox.next_due_at() == NOW - HOUR


async def test_of_forty_senders_one_gets_the_letter(database: Database) -> None:
    async with database.write() as work:
        letter = known(await queue_letter(work))

    async def claim() -> list[OutboxRow]:
        async with database.write() as work:
            return await work.outbox.claim((letter,), NOW, 60)

    claimed = [row for rows in await asyncio.gather(*(claim() for _ in range(40))) for row in rows]
    assert [(row.id, row.state, row.attempts) for row in claimed] == [(letter, "sending", 1)]


async def test_a_letter_whose_sender_died_is_due_again_when_the_lease_ends(
    database: Database,
) -> None:
    async with database.write() as work:
        letter = known(await queue_letter(work))
        assert await work.outbox.claim((letter,), NOW, 60)
        assert await work.outbox.due_ids(NOW + 59 * SECOND, 10) == []
        assert await work.outbox.claim((letter,), NOW + 59 * SECOND, 60) == []
        assert await work.outbox.due_ids(NOW + 60 * SECOND, 10) == [letter]
        (again,) = await work.outbox.claim((letter,), NOW + 60 * SECOND, 60)
    assert (again.attempts, again.message_id) == (2, "<1@pbem.example>")


async def test_a_letter_is_sent_once_and_for_all(database: Database) -> None:
    async with database.write() as work:
        letter = known(await queue_letter(work))
        await work.outbox.claim((letter,), NOW, 60)
        assert await work.outbox.mark_sent(letter, NOW + SECOND, "250 ok")
        assert not await work.outbox.mark_sent(letter, NOW + HOUR, "250 again")
        assert not await work.outbox.defer(letter, NOW + HOUR, "450")
        assert not await work.outbox.refuse(letter, "550")
        assert not await work.outbox.withhold(letter, "suspended")
        assert await work.outbox.claim((letter,), NOW + HOUR, 60) == []
        assert await work.outbox.next_due_at() is None
    row = await find(database, letter)
    assert (row.state, row.sent_at, row.answer) == ("sent", NOW + SECOND, "250 ok")


async def test_a_deferred_letter_waits_and_keeps_its_message_id(database: Database) -> None:
    async with database.write() as work:
        letter = known(await queue_letter(work))
        assert not await work.outbox.defer(letter, NOW + HOUR, "nobody is sending it")
        await work.outbox.claim((letter,), NOW, 60)
        assert await work.outbox.defer(letter, NOW + HOUR, "450 later")
        assert await work.outbox.due_ids(NOW + HOUR - SECOND, 10) == []
        assert await work.outbox.due_ids(NOW + HOUR, 10) == [letter]
        row = await work.outbox.find(letter)
        assert row is not None
        assert (row.state, row.attempts, row.answer, row.message_id) == (
            *("queued", 1, "450 later", "<1@pbem.example>"),
        )


async def test_a_letter_the_server_took_counts_as_sent_even_if_it_was_withheld_meanwhile(
    database: Database,
) -> None:
    async with database.write() as work:
        letter = known(await queue_letter(work))
        await work.outbox.claim((letter,), NOW, 60)
        assert await work.outbox.withhold_for_address("mail", "ada@example.org") == 1
        assert not await work.outbox.defer(letter, NOW + HOUR, "450")
        assert await work.outbox.mark_sent(letter, NOW, "250 ok")
    assert (await find(database, letter)).state == "sent"


async def test_what_is_unsent_for_a_suspended_address_is_withheld_and_released(
    database: Database,
) -> None:
    async with database.write() as work:
        sent, waiting = (
            known(await queue_letter(work, "<1@x>")),
            known(await queue_letter(work, "<2@x>")),
        )
        other = known(await queue_letter(work, "<3@x>", address="ben@example.org"))
        await work.outbox.claim((sent,), NOW, 60)
        await work.outbox.mark_sent(sent, NOW, "250")
        assert await work.outbox.withhold_for_address("mail", "ada@example.org") == 1
        assert await work.outbox.withhold_for_address("telegram", "ben@example.org") == 0
        assert await work.outbox.due_ids(NOW, 10) == [other]
        assert [row.id for row in await work.outbox.list_by_state("withheld")] == [waiting]
        assert await work.outbox.release_for_address("mail", "ada@example.org", NOW) == 1
        assert set(await work.outbox.due_ids(NOW, 10)) == {waiting, other}


async def test_a_restored_backup_withholds_what_an_older_epoch_left_unsent(
    database: Database,
) -> None:
    async with database.write() as work:
        old, new = (
            await queue_letter(work, "<1@x>", epoch=0),
            await queue_letter(work, "<2@x>", epoch=1),
        )
        assert await work.outbox.withhold_before_epoch(1) == 1
        assert [row.id for row in await work.outbox.list_by_state("withheld")] == [old]
        assert await work.outbox.due_ids(NOW, 10) == [new]


async def test_the_last_letters_of_a_seat_are_found_for_a_resend(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        seat, other = (
            await add_seat(work, game_id, 1, "Ada"),
            await add_seat(work, game_id, 2, "Ben"),
        )
        await queue_letter(work, "<1@x>", kind="turn", game_id=game_id, seat_id=seat)
        await queue_letter(work, "<2@x>", kind="turn", game_id=game_id, seat_id=seat)
        await queue_letter(work, "<3@x>", kind="receipt", game_id=game_id, seat_id=seat)
        await queue_letter(work, "<4@x>", kind="turn", game_id=game_id, seat_id=other)
        assert [row.message_id for row in await work.outbox.list_last_of_seat(seat, ("turn",))] == [
            "<2@x>"
        ]
        assert [row.message_id for row in await work.outbox.list_last_of_seat(seat, limit=9)] == [
            "<3@x>",
            "<2@x>",
            "<1@x>",
        ]
        assert len(await work.outbox.list_by_state("queued", game_id=game_id)) == 4
        found = await work.outbox.find_by_message_id("<3@x>")
    assert found is not None
    assert (found.kind, found.seat_id, found.letter) == ("receipt", seat, '{"subject":"Heron"}')


async def test_answers_to_an_address_are_counted_by_kind_and_time(database: Database) -> None:
    async with database.write() as work:
        await queue_letter(work, "<1@x>", kind="confirm")
        await queue_letter(work, "<2@x>", kind="receipt")
        await queue_letter(work, "<3@x>", kind="confirm", address="ben@example.org")
        assert (
            await work.outbox.count_to_address_since("mail", "ada@example.org", ("confirm",), NOW)
            == 1
        )
        assert (
            await work.outbox.count_to_address_since(
                "mail", "ada@example.org", ("confirm", "receipt"), NOW
            )
            == 2
        )
        assert (
            await work.outbox.count_to_address_since(
                "mail", "ada@example.org", ("confirm",), NOW + SECOND
            )
            == 0
        )


async def test_a_picture_is_kept_once_by_game_and_content(database: Database) -> None:
    async with database.write() as work:
        heron, crane = await add_game(work, "heron"), await add_game(work, "crane")
        first = await work.pictures.add_once(heron, "d1", b"\x89PNG", "The board")
        assert await work.pictures.add_once(heron, "d1", b"\x89PNG", "The board") == first
        assert await work.pictures.add_once(crane, "d1", b"\x89PNG", "The board") != first
        picture = await work.pictures.find(first)
    assert picture is not None
    assert (picture.game_id, picture.png, picture.alt) == (heron, b"\x89PNG", "The board")

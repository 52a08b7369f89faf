"""The contract of looking up who writes."""

from typing import Any

from pbem.store import Database
from pbem.store.repositories.post.inbox import NewMessage

from .samples import HOUR, NOW, add_game, add_message, add_person, add_seat, start_game

ADDRESS = "ada@example.org"
LOOK: dict[str, Any] = {"channel": "mail", "address": ADDRESS, "sender": ADDRESS, "limit": 2}


async def test_of_a_writer_everything_comes_in_one_look(database: Database) -> None:
    async with database.write() as work:
        ada, ben = await add_person(work, "Ada"), await add_person(work, "Ben")
        assert await work.people.add_address(ada, "mail", ADDRESS) is not None
        nobody = await work.writers.find("mail", "ben@example.org")
        alone = await work.writers.find("mail", ADDRESS)
        first, second = await add_game(work), await add_game(work, "egret")
        at_second = await add_seat(work, second, 3, person_id=ada)
        at_first = await add_seat(work, first, 2, person_id=ada)
        await add_seat(work, first, 1, "Ben", person_id=ben)
        await work.masters.add_once(ada, NOW)
        for who, substitute in ((ben, ada), (ada, None), (ada, ben)):
            sitting = await work.writers.find("mail", ADDRESS)
            assert sitting is not None
            assert not sitting.is_away
            await work.absences.add(
                person_id=who,
                game_id=first,
                since=NOW,
                until=NOW + HOUR,
                substitute_id=substitute,
                created_at=NOW,
            )
        away = await work.writers.find("mail", ADDRESS)
    assert nobody is None
    assert alone is not None
    assert (alone.person.name, alone.address.state) == ("Ada", "unconfirmed")
    assert (alone.seats, alone.games, alone.is_master) == ((), {}, False)
    assert away is not None
    assert [seat.id for seat in away.seats] == [at_first, at_second]
    assert [game.slug for game in away.games.values()] == ["heron", "egret"]
    assert away.is_master
    assert away.is_away


async def test_a_message_may_be_a_copy_of_an_older_one_that_was_handled(
    database: Database,
) -> None:
    async with database.write() as work:
        ada = await add_person(work)
        await work.people.add_address(ada, "mail", ADDRESS, "confirmed")
        first, second = await add_message(work, "<1@x>|aa"), await add_message(work, "<1@x>|bb")

        async def may_copy(prefix: str) -> bool:
            writer = await work.writers.find("mail", ADDRESS, prefix, second)
            assert writer is not None
            return writer.may_copy

        assert not await may_copy("<1@x>|")
        await work.inbox.mark_handled(first, "orders")
        assert await may_copy("<1@x>|")
        assert not await may_copy("<2@x>|")


async def test_of_a_sender_the_address_and_seat_are_known_and_what_waits(
    database: Database,
) -> None:
    async with database.write() as work:
        game = await start_game(work)
        seat = (await work.seats.list_of_game(game))[0]
        unknown = await work.writers.find_sender(**LOOK, seat_id=None, is_proven=False)
        assert (unknown.address, unknown.seat, unknown.waiting) == (None, None, None)
        proven = await work.writers.find_sender(**LOOK, seat_id=seat.id, is_proven=True)
        assert (proven.address, proven.seat, proven.waiting) == (None, seat, 0)
        ada = await add_person(work)
        await work.people.add_address(ada, "mail", ADDRESS)
        for number in range(3):
            await work.inbox.add_once(
                NewMessage(
                    channel="mail",
                    message_key=str(number),
                    raw=b"",
                    received_at=NOW,
                    stored_at=NOW,
                    sender=ADDRESS,
                )
            )
        known = await work.writers.find_sender(**LOOK, seat_id=seat.id + 999, is_proven=False)
    assert known.address is not None
    assert (known.address.person_id, known.seat, known.waiting) == (ada, None, 2)

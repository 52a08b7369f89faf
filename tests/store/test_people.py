"""The contract of people, addresses, GMs, seats, invitations, notes, confirmations, secrets and the
log.
"""

import asyncio
import secrets

import pytest

from pbem.store import Database, PendingRow, StoreConflict, fold_name
from pbem.store.repositories.post.pending import NewPending

from .samples import HOUR, NOW, SECOND, add_game, add_message, add_person, add_seat, known


async def test_an_address_belongs_to_one_person(database: Database) -> None:
    async with database.write() as work:
        ada, ben = await add_person(work, "Ada"), await add_person(work, "Ben")
        assert await work.people.add_address(ada, "mail", "ada@example.org") is not None
        assert await work.people.add_address(ben, "mail", "ada@example.org") is None
        assert await work.people.add_address(ada, "mail", "ada@example.org") is None
        assert (
            await work.people.add_address(ada, "mail", "ada@example.net", "confirmed") is not None
        )
        person = await work.people.find_by_address("mail", "ada@example.org")
        assert person is not None
        assert person.id == ada
        assert await work.people.find_by_address("telegram", "ada@example.org") is None
        addresses = await work.people.list_addresses(ada)
    assert [(row.address, row.state) for row in addresses] == [
        ("ada@example.org", "unconfirmed"),
        ("ada@example.net", "confirmed"),
    ]


async def test_a_bounce_suspends_an_address_and_a_confirmation_frees_it(database: Database) -> None:
    async with database.write() as work:
        ada = await add_person(work)
        await work.people.add_address(ada, "mail", "ada@example.org", "confirmed")
        assert await work.people.suspend_address("mail", "ada@example.org", "550 no such user", NOW)
        assert not await work.people.suspend_address("mail", "ada@example.org", "again", NOW + HOUR)
        (suspended,) = await work.people.list_suspended()
        assert (suspended.reason, suspended.bounced_at) == ("550 no such user", NOW)
        assert await work.people.confirm_address("mail", "ada@example.org")
        assert not await work.people.confirm_address("mail", "ada@example.org")
        assert not await work.people.confirm_address("mail", "nobody@example.org")
        address = await work.people.find_address("mail", "ada@example.org")
        assert await work.people.list_suspended() == []
    assert address is not None
    assert (address.state, address.reason, address.bounced_at) == ("confirmed", None, None)


async def test_only_addresses_that_do_not_work_are_troubled(database: Database) -> None:
    async with database.write() as work:
        ada = await add_person(work)
        for name in ("works", "failed", "bounced", "another"):
            await work.people.add_address(ada, "mail", f"{name}@example.org", "confirmed")
        await work.people.suspend_address("mail", "bounced@example.org", "550 no such user", NOW)
        for name in ("failed", "another"):
            await work.people.note_failure("mail", f"{name}@example.org", "452 full", NOW, NOW)
        among = {f"{name}@example.org" for name in ("works", "failed", "bounced", "nobody")}
        troubled = await work.people.find_troubled("mail", among)
        assert await work.people.find_troubled("telegram", among) == {}
        assert await work.people.find_troubled("mail", ()) == {}
        known = await work.people.which_known("mail", among)
    assert set(troubled) == {"failed@example.org", "bounced@example.org"}
    assert troubled["failed@example.org"].failed_at == NOW
    assert troubled["bounced@example.org"].state == "suspended"
    assert known == {"works@example.org", *troubled}


async def test_a_person_changes_name_and_zone(database: Database) -> None:
    async with database.write() as work:
        ada = await add_person(work)
        assert await work.people.set_time_zone(ada, "Asia/Kathmandu")
        assert await work.people.set_name(ada, "Ada L.")
        assert not await work.people.set_name(404, "nobody")
        person = await work.people.find(ada)
    assert person is not None
    assert (person.time_zone, person.name) == ("Asia/Kathmandu", "Ada L.")


async def test_a_gm_is_made_once(database: Database) -> None:
    async with database.write() as work:
        game_id, ada = await add_game(work), await add_person(work)
        assert await work.gms.add_once(game_id, ada)
        assert not await work.gms.add_once(game_id, ada)
        assert [person.id for person in await work.gms.list_of_game(game_id)] == [ada]
        assert await work.gms.list_games_of(ada) == [game_id]


@pytest.mark.parametrize(
    ("number", "name", "colour"),
    [(1, "Ben", "blue"), (2, "Ada", "blue"), (2, "ÁDA", "blue"), (2, "Ben", "red")],
    ids=str,
)
async def test_number_name_and_colour_are_unique_at_a_table(
    database: Database, number: int, name: str, colour: str
) -> None:
    async with database.write() as work:
        game_id, other = await add_game(work, "heron"), await add_game(work, "crane")
        assert (
            await work.seats.add(game_id=game_id, number=1, name="Ada", colour="red", joined_at=NOW)
            is not None
        )
        assert (
            await work.seats.add(
                game_id=game_id, number=number, name=name, colour=colour, joined_at=NOW
            )
            is None
        )
        assert (
            await work.seats.add(
                game_id=other, number=number, name=name, colour=colour, joined_at=NOW
            )
            is not None
        )
        assert len(await work.seats.list_of_game(game_id)) == 1


@pytest.mark.parametrize("other", ["ada", "ADA", "Áda", "  Ada ", "Ａｄａ"])
def test_names_that_look_alike_fold_to_the_same(other: str) -> None:
    assert fold_name(other) == fold_name("Ada")
    assert fold_name(other) != fold_name("Adam")


async def test_a_seat_takes_no_name_or_colour_that_is_taken(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        ada, _ben = await add_seat(work, game_id, 1, "Ada"), await add_seat(work, game_id, 2, "Ben")
        assert not await work.seats.rename(ada, "BEN")
        assert not await work.seats.recolour(ada, "colour 2")
        assert await work.seats.rename(ada, "Countess Ada")
        assert await work.seats.recolour(ada, None)
        seat = await work.seats.find(ada)
    assert seat is not None
    assert (seat.name, seat.colour) == ("Countess Ada", None)


async def test_a_seat_changes_hands_once_and_remembers(database: Database) -> None:
    async with database.write() as work:
        game_id, ada, ben = (
            await add_game(work),
            await add_person(work, "Ada"),
            await add_person(work, "Ben"),
        )
        seat_id = await add_seat(work, game_id, 1, "Ada", ada)
        assert await work.seats.replace_person(seat_id, 1, ben, NOW + HOUR)
        assert not await work.seats.replace_person(seat_id, 1, ada, NOW + HOUR)
        seat = await work.seats.find(seat_id)
        assert seat is not None
        assert (seat.person_id, seat.tenure, seat.joined_at) == (ben, 2, NOW + HOUR)
        assert [row.id for row in await work.seats.list_of_person(ben)] == [seat_id]
        assert await work.seats.list_of_person(ada) == []
        tenures = await work.seats.list_tenures(seat_id)
    assert [(row.tenure, row.person_id, row.since, row.until) for row in tenures] == [
        (1, ada, NOW, NOW + HOUR),
        (2, ben, NOW + HOUR, None),
    ]


async def test_an_empty_seat_has_no_tenure_till_somebody_sits_down(database: Database) -> None:
    async with database.write() as work:
        game_id, ada = await add_game(work), await add_person(work)
        seat_id = await add_seat(work, game_id)
        assert await work.seats.list_tenures(seat_id) == []
        assert await work.seats.replace_person(seat_id, 0, ada, NOW)
        assert [(row.tenure, row.person_id) for row in await work.seats.list_tenures(seat_id)] == [
            (1, ada)
        ]


async def test_a_player_is_eliminated_once(database: Database) -> None:
    async with database.write() as work:
        seat_id = await add_seat(work, await add_game(work))
        assert await work.seats.change_status(seat_id, "active", "eliminated")
        assert not await work.seats.change_status(seat_id, "active", "eliminated")
        seat = await work.seats.find(seat_id)
    assert seat is not None
    assert seat.status == "eliminated"


async def test_a_person_is_invited_once_and_answers_once(database: Database) -> None:
    async with database.write() as work:
        game_id, ada = await add_game(work), await add_person(work)
        invited = await work.invitations.add_once(
            game_id=game_id, person_id=ada, seat_id=None, nonce="n1", sent_at=NOW
        )
        assert invited is not None
        assert (
            await work.invitations.add_once(
                game_id=game_id, person_id=ada, seat_id=None, nonce="n2", sent_at=NOW
            )
            is None
        )
        assert await work.invitations.mark_answered(invited, NOW + HOUR)
        assert not await work.invitations.mark_answered(invited, NOW + HOUR)
        found = await work.invitations.find_of_person(game_id, ada)
        assert found is not None
        assert found.answered_at == NOW + HOUR
        assert await work.invitations.list_of_game(game_id) == [found]


async def test_a_message_brings_one_note_that_is_passed_and_answered(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        seat_id, message = await add_seat(work, game_id), await add_message(work)
        note = await work.notes.add_once(
            game_id=game_id, seat_id=seat_id, inbox_id=message, text="May I?", created_at=NOW
        )
        assert note is not None
        assert (
            await work.notes.add_once(
                game_id=game_id, seat_id=seat_id, inbox_id=message, text="May I?", created_at=NOW
            )
            is None
        )
        assert [row.text for row in await work.notes.list_by_state("waiting", game_id)] == [
            "May I?"
        ]
        assert await work.notes.mark_passed(note)
        assert not await work.notes.mark_passed(note)
        assert await work.notes.mark_answered(note)
        assert not await work.notes.mark_answered(note)
        found = await work.notes.find(note)
        assert await work.notes.list_by_state("waiting") == []
    assert found is not None
    assert found.state == "answered"


async def wait(
    database: Database, key: str, *, hours: int = 0, address: str = "ada@example.org"
) -> tuple[PendingRow, bool]:
    async with database.write() as work:
        message = await add_message(work, key)
        now = NOW + hours * HOUR
        return await work.pending.wait_under(
            NewPending(
                purpose="orders",
                address=address,
                inbox_ids=(message,),
                created_at=now,
                expires_at=now + 24 * HOUR,
            )
        )


async def test_f1_a_later_message_never_joins_a_confirmation_that_waits(database: Database) -> None:
    first, asked = await wait(database, "one")
    second, asked_again = await wait(database, "two", hours=1)
    other, asked_other = await wait(database, "three", address="ben@example.org")
    assert (asked, asked_again, asked_other) == (True, False, True)
    assert second.id == first.id != other.id
    assert second.inbox_ids == first.inbox_ids
    async with database.write() as work:
        assert await work.pending.find(first.id) == second
        assert await work.pending.find_waiting("orders", "ada@example.org", NOW) == second
        settled = await work.pending.settle(first.id, "confirmed", NOW + 2 * HOUR)
        assert settled is not None
        assert settled.inbox_ids == second.inbox_ids
        assert await work.pending.settle(first.id, "confirmed", NOW + 2 * HOUR) is None
    _, asked_anew = await wait(database, "four", hours=3)
    assert asked_anew


async def test_a_confirmation_past_its_time_proves_nothing_and_makes_room(
    database: Database,
) -> None:
    first, _ = await wait(database, "one")
    async with database.write() as work:
        assert await work.pending.find_waiting("orders", "ada@example.org", NOW + 24 * HOUR) is None
        assert await work.pending.settle(first.id, "confirmed", NOW + 24 * HOUR) is None
    second, asked = await wait(database, "two", hours=24)
    assert asked
    async with database.read() as work:
        expired = await work.pending.find(first.id)
    assert expired is not None
    assert (expired.outcome, second.inbox_ids == expired.inbox_ids) == ("expired", False)


async def test_a_confirmation_is_found_when_its_time_is_over_and_may_be_given_more(
    database: Database,
) -> None:
    first, _ = await wait(database, "one")
    later, _ = await wait(database, "two", hours=3, address="ben@example.org")
    async with database.write() as work:
        assert await work.pending.next_over_at(("orders",)) == NOW + 24 * HOUR
        assert await work.pending.next_over_at(("join",)) is None
        assert await work.pending.list_over(("orders",), NOW + 23 * HOUR) == []
        assert [
            row.id for row in await work.pending.list_over(("orders", "join"), NOW + 27 * HOUR)
        ] == [first.id, later.id]
        assert (
            await work.pending.list_waiting_at(("orders",), "ada@example.org", NOW + 24 * HOUR)
            == []
        )
        assert await work.pending.put_expiry(first.id, NOW + 48 * HOUR)
        assert [
            row.id
            for row in await work.pending.list_waiting_at(
                ("orders",), "ada@example.org", NOW + 24 * HOUR
            )
        ] == [first.id]
        assert await work.pending.settle(first.id, "expired", NOW + 48 * HOUR) is not None
        assert not await work.pending.put_expiry(first.id, NOW + 72 * HOUR)


async def test_of_many_unproven_messages_at_once_one_asks_for_confirmation(
    database: Database,
) -> None:
    answers = await asyncio.gather(*(wait(database, str(number)) for number in range(20)))
    assert [asked for _, asked in answers].count(True) == 1
    async with database.read() as work:
        row = await work.pending.find(answers[0][0].id)
    assert row is not None
    assert len(row.inbox_ids) == 1


async def test_a_secret_is_made_once(database: Database) -> None:
    async def ask() -> str:
        async with database.write() as work:
            return await work.secrets.get_or_create("server-key", lambda: secrets.token_hex(32))

    assert len(set(await asyncio.gather(*(ask() for _ in range(20))))) == 1
    async with database.write() as work:
        await work.secrets.put("outbox-epoch", "1")
        await work.secrets.put("outbox-epoch", "2")
        assert await work.secrets.get("outbox-epoch") == "2"
        assert await work.secrets.get("unknown") is None


async def test_the_log_keeps_what_is_public_and_what_is_not(database: Database) -> None:
    async with database.write() as work:
        game_id = await add_game(work)
        await work.log.add(
            game_id=game_id,
            actor="gm",
            command="extend",
            at=NOW,
            detail='{"hours":24}',
            public=True,
        )
        secret = await work.log.add(game_id=game_id, actor="gm", command="look", at=NOW + SECOND)
        house = await work.log.add(game_id=None, actor="cli", command="backup", at=NOW)
        assert [row.command for row in await work.log.list_of_game(game_id)] == ["look", "extend"]
        assert [row.public for row in await work.log.list_of_game(game_id)] == [False, True]
        assert [row.id for row in await work.log.list_of_game(None)] == [house]
        assert known(secret) != known(house)


async def test_a_seat_for_nobody_known_is_refused(database: Database) -> None:
    with pytest.raises(StoreConflict):
        async with database.write() as work:
            await add_seat(work, await add_game(work), person_id=404)
    async with database.read() as work:
        assert await work.games.find_by_slug("heron") is None

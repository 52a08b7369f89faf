"""Small tables to test at: each function adds one thing with values that do not matter."""

from datetime import UTC, datetime, timedelta

from pbem.store import OrdersRow, Work
from pbem.store.repositories.games import NewGame
from pbem.store.repositories.orders import NewOrders
from pbem.store.repositories.phases import NewPhase
from pbem.store.repositories.post.inbox import NewMessage
from pbem.store.repositories.post.outbox import NewOutboxRow

NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)


def known(value: int | None) -> int:
    assert value is not None
    return value


async def add_person(work: Work, name: str = "Ada") -> int:
    return await work.people.add(name=name, locale="en", time_zone="Europe/Oslo", created_at=NOW)


async def add_game(work: Work, slug: str = "heron") -> int:
    added = await work.games.add(
        NewGame(
            slug=slug,
            title=slug.title(),
            ruleset="herons",
            options="{}",
            seed="5e" * 32,
            commitment="c0" * 32,
            settings="{}",
            created_at=NOW,
        )
    )
    return known(added)


async def add_seat(
    work: Work, game_id: int, number: int = 1, name: str = "Ada", person_id: int | None = None
) -> int:
    return known(
        await work.seats.add(
            game_id=game_id,
            number=number,
            name=name,
            colour=f"colour {number}",
            joined_at=NOW,
            person_id=person_id,
        )
    )


async def open_phase(
    work: Work, game_id: int, number: int = 1, deadline: datetime = NOW + 72 * HOUR
) -> int:
    return known(
        await work.phases.open(
            NewPhase(
                game_id=game_id,
                number=number,
                kind="orders",
                asked=(1, 2),
                opened_at=NOW,
                deadline=deadline,
            )
        )
    )


async def start_game(work: Work, slug: str = "heron", deadline: datetime = NOW + 72 * HOUR) -> int:
    """A running game with two seats, in its first phase."""
    game_id = await add_game(work, slug)
    await add_seat(work, game_id, 1, "Ada")
    await add_seat(work, game_id, 2, "Ben")
    assert await work.games.advance(game_id, 0, 1, 7, "running", NOW)
    await open_phase(work, game_id, 1, deadline)
    return game_id


async def add_message(
    work: Work, key: str = "<1@example.org> aa", received_at: datetime = NOW
) -> int:
    return known(
        await work.inbox.add_once(
            NewMessage(
                channel="mail",
                message_key=key,
                raw=b"From: ada\r\n\r\n",
                received_at=received_at,
                stored_at=NOW,
            )
        )
    )


async def add_orders(
    work: Work,
    game_id: int,
    seat_id: int,
    text: str,
    received_at: datetime = NOW,
    inbox_id: int | None = None,
    phase_number: int = 1,
) -> OrdersRow | None:
    return await work.orders.add(
        NewOrders(
            game_id=game_id,
            phase_number=phase_number,
            seat_id=seat_id,
            tenure=1,
            source="mail",
            received_at=received_at,
            orders='[{"type":"fortify"}]',
            canonical=(text,),
            final=False,
            created_at=NOW,
            inbox_id=inbox_id,
        )
    )


async def queue_letter(
    work: Work,
    message_id: str = "<1@pbem.example>",
    *,
    address: str = "ada@example.org",
    kind: str = "turn",
    due_at: datetime = NOW,
    game_id: int | None = None,
    seat_id: int | None = None,
    epoch: int = 0,
    dedupe_key: str | None = None,
) -> int | None:
    return await work.outbox.queue(
        NewOutboxRow(
            channel="mail",
            kind=kind,
            address=address,
            letter='{"subject":"Heron"}',
            message_id=message_id,
            created_at=NOW,
            due_at=due_at,
            game_id=game_id,
            seat_id=seat_id,
            epoch=epoch,
            dedupe_key=dedupe_key,
        )
    )

"""The actors. Each calls one use case of the desk with the ids it was given; each may run twice, or
die anywhere.

What is about one table as a whole (a close, a reminder, its tending) is done by one worker at a
time, on whatever host: a second one would do no harm, but would do the same work, and count as a
try of its own.
"""

from collections.abc import Awaitable, Callable

import dramatiq

from pbem.desk.authentication.kept import end_question
from pbem.desk.letters.deliver import deliver_next
from pbem.desk.messages.receive import receive
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.motions import settle_motion
from pbem.desk.phases.remind import remind
from pbem.desk.phases.tending import tend_table
from pbem.desk.ports import Services
from pbem.desk.press.digest import tell_press
from pbem.desk.upkeep.housekeeping import keep_house
from workers.jobs import queue_of

TIME_LIMIT_MILLISECONDS = 300_000


def declare_actors(broker: dramatiq.Broker, services: Services) -> None:
    """Make the actors known to the broker. No retries: the database knows what is still due."""

    async def receive_message(inbox_id: int) -> None:
        await receive(services, inbox_id)

    async def close(game_id: int, number: int) -> None:
        async with services.database.claims.attempt(f"close {game_id}") as claim:
            if claim is not None:
                await close_phase(services, game_id, number)

    async def deliver_letter(outbox_id: int) -> None:
        """A turn to send, rather than this very letter: the one that should go first is sent."""
        await deliver_next(services)

    async def remind_missing(game_id: int, number: int) -> None:
        async with services.database.claims.attempt(f"remind {game_id}") as claim:
            if claim is not None:
                await remind(services, game_id, number)

    async def tend(game_id: int) -> None:
        async with services.database.claims.attempt(f"tend {game_id}") as claim:
            if claim is not None:
                await tend_table(services, game_id)

    async def settle(motion_id: int) -> None:
        await settle_motion(services, motion_id)

    async def let_go(pending_id: int) -> None:
        await end_question(services, pending_id)

    async def tidy() -> None:
        await keep_house(services)

    async def tell(person_id: int) -> None:
        await tell_press(services, person_id)

    actors: dict[str, Callable[..., Awaitable[None]]] = {
        "receive": receive_message,
        "close_phase": close,
        "deliver": deliver_letter,
        "remind": remind_missing,
        "tend_table": tend,
        "settle_motion": settle,
        "end_question": let_go,
        "keep_house": tidy,
        "tell_press": tell,
    }
    for name, work in actors.items():
        declare = dramatiq.actor(
            actor_name=name,
            queue_name=queue_of(name),
            broker=broker,
            max_retries=0,
            time_limit=TIME_LIMIT_MILLISECONDS,
        )
        declare(work)

"""What each job does: one use case of the desk with the ids that the job was given. Each may run
twice, or die anywhere.

What is about one table as a whole (a close, a reminder, its tending) is done by one worker at a
time, on whatever host: a second one would do no harm, but would do the same work, and count as a
try of its own.
"""

from collections.abc import Awaitable, Callable, Mapping

from pbem.desk.authentication.questions import end_question
from pbem.desk.gm.rulings import ask_masters
from pbem.desk.jobs import JobName
from pbem.desk.letters.deliver import deliver_next
from pbem.desk.messages.receive import receive
from pbem.desk.phases.acts import let_run_out
from pbem.desk.phases.close import close_phase
from pbem.desk.phases.grace import remind
from pbem.desk.phases.lobbies import tend_table
from pbem.desk.phases.motions import settle_motion
from pbem.desk.ports import Services
from pbem.desk.press.digest import tell_press
from pbem.desk.upkeep.housekeeping import keep_house

Work = Callable[..., Awaitable[object]]


def use_cases(services: Services) -> Mapping[JobName, Work]:
    """What does each job, by its name."""

    def one_at_a_time(claimed: str, work: Work) -> Work:
        async def do(game_id: int, *ids: int) -> None:
            async with services.database.claims.attempt(f"{claimed} {game_id}") as claim:
                if claim is not None:
                    await work(services, game_id, *ids)

        return do

    def at_once(work: Work) -> Work:
        async def do(*ids: int) -> None:
            await work(services, *ids)

        return do

    async def deliver_letter(outbox_id: int) -> None:
        """A turn to send, rather than this very letter: the one that should go first is sent."""
        await deliver_next(services)

    return {
        "receive": at_once(receive),
        "close_phase": one_at_a_time("close", close_phase),
        "let_run_out": one_at_a_time("close", let_run_out),
        "ask_master": at_once(ask_masters),
        "deliver": deliver_letter,
        "remind": one_at_a_time("remind", remind),
        "tend_table": one_at_a_time("tend", tend_table),
        "settle_motion": at_once(settle_motion),
        "end_question": at_once(end_question),
        "keep_house": at_once(keep_house),
        "tell_press": at_once(tell_press),
    }

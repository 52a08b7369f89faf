"""The end of a game by agreement: an act of the rules, in the record like any other, within the
very transaction that settles the vote.
"""

from collections.abc import Iterable

import structlog

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.gm.acts import Acting, Plan, do_act
from pbem.desk.mandate import AlreadyDone, By, Refused
from pbem.desk.phases.ballots import VOTED, count_ballots
from pbem.desk.phases.motion_kinds import CONCEDE, detail_of
from pbem.desk.ports import Desk, Services, Transaction
from pbem.desk.table import OpenTable
from pbem.store.repositories.motions import MotionRow

THE_TABLE = "the table"

_log = structlog.get_logger("motions")


async def conclude(services: Services, motion: MotionRow, slug: str) -> None:
    """End a game whose players have all said yes, once however often it is asked for. What is
    overtaken meanwhile is left as it is: the sweep finds the motion again if it still stands.
    """
    about = detail_of(motion).about
    winners = [about] if motion.kind == CONCEDE and about is not None else []

    def plan_for(_table: OpenTable) -> Plan:
        act = {"act": "agree", "winners": winners}
        return Plan(
            act,
            f"{VOTED} {motion.kind}",
            {"outcome": "passed", "winners": winners},
            "agree",
            settle,
        )

    async def settle(tx: Transaction[Desk], acting: Acting, _entry: int) -> Iterable[NewLetter]:
        count = await count_ballots(tx.work, acting.table, motion)
        if count.yes < count.needed or not await tx.work.motions.settle(
            motion.id, "passed", tx.now()
        ):
            raise Refused(
                "not-agreed", f"motion {motion.id} is settled, or not everybody says yes any more"
            )
        return ()

    try:
        await do_act(services, slug, plan_for, By(THE_TABLE, cause=f"motion:{motion.id}"))
    except (Refused, AlreadyDone) as overtaken:
        _log.info("agreement-overtaken", motion=motion.id, reason=str(overtaken))

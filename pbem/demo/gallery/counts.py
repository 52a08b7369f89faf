"""What went through the post office, counted from its own books."""

from collections import Counter
from dataclasses import dataclass

from pbem.demo.stage import SERVICE_ADDRESS, Stage
from pbem.play import Figure
from pbem.store.repositories.post.inbox import InboxRow

_MOST = 100_000


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of a whole demonstration; mails in are those written to the service, turns and phases
    those that are over.
    """

    mails_in: int
    mails_out: int
    turns: int
    phases: int
    figures: tuple[Figure, ...]
    orders: int
    questions: int
    late: int
    refused: int
    copies: int
    automatic: int
    strangers: int
    bounces: int
    shunted: int
    updates_in: int
    messages_out: int
    violations: int
    """How often the bot wrote faster than Telegram allows."""


async def read_counts(stage: Stage) -> Counts:
    """Count now."""
    outcomes: Counter[str] = Counter(
        (row.outcome or "").partition(":")[0] for row in await read_inbox(stage)
    )
    mails_in = stage.recorder.arrivals[SERVICE_ADDRESS]
    async with stage.services.database.read() as work:
        shunted = (await work.inbox.count_by_state()).get("shunted", 0)
    moment = await stage.moment()
    return Counts(
        mails_in=mails_in,
        mails_out=len(stage.recorder.mails) - mails_in,
        turns=moment.turn if moment.over else moment.turn - 1,
        phases=moment.phase_number - 1,
        figures=stage.play.figures(await stage.public_events()),
        orders=outcomes["orders"],
        questions=outcomes["answered"] + outcomes["note"] + outcomes["empty"],
        late=outcomes["wrong-phase"] + outcomes["eliminated"] + outcomes["game-over"],
        refused=outcomes["refused"] + outcomes["confirmation-refused"] + outcomes["unreadable"],
        copies=outcomes["copy"],
        automatic=outcomes["automatic"],
        strangers=outcomes["stranger"] + outcomes["unproven"],
        bounces=outcomes["bounce-hard"] + outcomes["bounce-soft"],
        shunted=shunted,
        updates_in=stage.board.updates_in if stage.board is not None else 0,
        messages_out=stage.board.messages_out if stage.board is not None else 0,
        violations=len(stage.board.standin.violations) if stage.board is not None else 0,
    )


async def read_inbox(stage: Stage) -> list[InboxRow]:
    """Every message that came in, in order of arrival."""
    async with stage.services.database.read() as work:
        rows = [
            row
            for state in ("handled", "ignored", "shunted", "new")
            for row in await work.inbox.list_by_state(state, _MOST)
        ]
    return sorted(rows, key=lambda row: row.id)

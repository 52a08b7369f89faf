"""Orders that came before their phase closed, and were read after it: said when, and told."""

from datetime import datetime

from pbem.desk.letters.post import Masters, read_post
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.ports import Transaction
from pbem.pages.notices import Missed
from pbem.store.repositories.phases import PhaseRow


async def tell_missed(talk: Conversation[Player], number: int | None) -> bool:
    """Tell the player when the message came and when the phase closed, and the game masters once a
    phase. `number` is the phase that it answers; None: the one that was open when it came. False:
    it came after that.
    """
    work, services, table, row = talk.work, talk.services, talk.table, talk.row
    phases = await work.phases.list_of_game(table.game.id)
    closed = next((phase for phase in phases if _came_before(row.received_at, phase)), None)
    if closed is None or closed.closed_at is None or number not in (None, closed.number):
        return False
    post = await read_post(Transaction(work, services), table)
    missed = Missed(
        row.received_at,
        closed.closed_at,
        all_done=await _was_all_done(talk, closed),
        is_told=bool(post.people.gms),
    )
    kind, pages = table.kind, services.pages.notices
    open_phase = table.phase if table.game.status in ("running", "paused") else None
    name = kind.pages.phase_name(open_phase.kind) if open_phase is not None else ""
    due = open_phase.deadline if open_phase is not None else None
    page = pages.came_before(talk.page_table(), talk.reader, missed, name, due)
    await talk.answer(page, "notice")
    await post.tell(
        work,
        Masters(),
        lambda facts, reader: pages.gm_came_before(facts, reader, talk.seat.name, missed),
        "gm-missed",
        f"missed:{table.game.id}:{closed.number}:{talk.seat.id}:{talk.seat.tenure}",
    )
    return True


def _came_before(received_at: datetime, phase: PhaseRow) -> bool:
    """Whether that phase was still open then; mail servers stamp whole seconds."""
    return phase.closed_at is not None and received_at < phase.closed_at.replace(microsecond=0)


async def _was_all_done(talk: Conversation[Player], closed: PhaseRow) -> bool:
    """Whether it closed early because nobody was waited for any more."""
    if closed.closed_at is None or closed.closed_at >= closed.deadline:
        return False
    latest = await talk.work.orders.latest(closed.game_id, closed.number)
    final = {row.seat_id for row in latest if row.final}
    return all(
        seat.id in final
        for seat in talk.table.seats
        if seat.number in closed.asked and seat.status == "active"
    )

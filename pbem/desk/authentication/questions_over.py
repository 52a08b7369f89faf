"""An answer to a question of ours that is over: whoever gives it is told that nothing came of it,
and why.
"""

from pbem.desk.envelope.addressing import Recipient, letter_to_address
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import Message
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.ports import Context
from pbem.desk.table import house_table
from pbem.pages.page import Reader
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.work import Work

KIND = "question-over"


def why_over(pending: PendingRow) -> str:
    """`yes` or `no`: it was answered so; `replaced`: the same was asked anew since; `expired`:
    nobody answered in time.
    """
    match pending.outcome:
        case "confirmed":
            return "yes"
        case "refused":
            return "no"
    return (
        "replaced"
        if pending.done_at is not None and pending.done_at < pending.expires_at
        else "expired"
    )


async def tell_over(work: Work, context: Context, mail: Message, pending: PendingRow) -> None:
    """A letter back to where the answer came from."""
    now, address = context.clock.now(), mail.sender or ""
    person = await work.people.find_by_address(mail.channel, address)
    reader = Reader(None, mail.sender_name, context.policy.zone)
    if person is not None:
        reader = Reader(None, person.name, person.time_zone, person.locale)
    page = context.pages.notices.question_over(
        house_table(context.policy, now),
        reader,
        pending.purpose,
        why_over(pending),
        pending.expires_at,
    )
    letter = letter_to_address(
        page,
        to=Recipient(
            address=address, name=reader.name, person_id=person.id if person is not None else None
        ),
        kind=KIND,
        dedupe_key=f"{KIND}:{pending.id}:{mail.message_id or mail.digest}",
        policy=context.policy,
        answering=Answering.to(mail),
    )
    await queue_letter(work, letter, now)


def is_over(pending: PendingRow, context: Context) -> bool:
    """Whether it is answered already, or too late to answer it."""
    return pending.done_at is not None or pending.expires_at <= context.clock.now()

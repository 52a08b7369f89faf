"""An answer to a question of ours of which nothing came, because the question is over or it says
neither yes nor no: whoever gave it is told so.
"""

from dataclasses import replace

from pbem.desk.chat.buttons import with_answers
from pbem.desk.envelope.addressing import Recipient, asked_by, letter_to, question_token
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import MAIL, Message
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import house_table
from pbem.pages.page import Page, Reader
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.pending import PendingRow

OVER, UNCLEAR, ELSEWHERE = "question-over", "question-unclear", "question-elsewhere"


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


async def tell_over(tx: Transaction[Context], mail: Message, pending: PendingRow) -> None:
    """A letter back to where the answer came from."""
    now = tx.now()
    person, reader = await _writer(tx, mail)
    page = tx.services.pages.notices.question_over(
        house_table(tx.services.policy, now),
        reader,
        pending.purpose,
        why_over(pending),
        pending.expires_at,
    )
    await _send(tx, mail, pending, OVER, page, _recipient(mail, person, reader))


async def tell_unclear(tx: Transaction[Context], mail: Message, pending: PendingRow) -> None:
    """The same; a yes or no to that letter answers the question."""
    person, reader = await _writer(tx, mail)
    token = question_token(tx.services.key, pending.id)
    page = tx.services.pages.notices.question_unclear(
        house_table(tx.services.policy, tx.now()),
        reader,
        pending.purpose,
        mail.text,
        token,
    )
    to = replace(_recipient(mail, person, reader), token=token)
    await _send(tx, mail, pending, UNCLEAR, page, to, is_asked=True)


async def tell_elsewhere(tx: Transaction[Context], mail: Message, pending: PendingRow) -> None:
    """To the mail address that was asked, once a question: its answer came from another one."""
    now = tx.now()
    if "@" not in pending.address or is_over(pending, tx.services):
        return
    person = await tx.work.people.find_by_address(MAIL, pending.address)
    reader = (
        Reader(None, person.name, person.time_zone, person.locale)
        if person is not None
        else Reader(None, "", tx.services.policy.zone)
    )
    token = question_token(tx.services.key, pending.id)
    page = tx.services.pages.notices.question_elsewhere(
        house_table(tx.services.policy, now), reader, mail.sender or "", mail.text, token
    )
    letter = letter_to(
        tx.services,
        asked_by(tx.services.key, pending, reader.name, person.id if person is not None else None),
        page,
        ELSEWHERE,
        f"{ELSEWHERE}:{pending.id}",
    )
    await queue_letter(tx.work, letter, now)


async def _writer(tx: Transaction[Context], mail: Message) -> tuple[PersonRow | None, Reader]:
    person = await tx.work.people.find_by_address(mail.channel, mail.sender or "")
    if person is None:
        return None, Reader(None, mail.sender_name, tx.services.policy.zone)
    return person, Reader(None, person.name, person.time_zone, person.locale)


def _recipient(mail: Message, person: PersonRow | None, reader: Reader) -> Recipient:
    person_id = person.id if person is not None else None
    return Recipient(address=mail.sender or "", name=reader.name, person_id=person_id)


async def _send(
    tx: Transaction[Context],
    mail: Message,
    pending: PendingRow,
    kind: str,
    page: Page,
    to: Recipient,
    *,
    is_asked: bool = False,
) -> None:
    letter = letter_to(
        tx.services,
        to,
        page,
        kind,
        f"{kind}:{pending.id}:{mail.message_id or mail.digest}",
        answered=Answering.to(mail),
    )
    if is_asked:
        letter = with_answers(letter, tx.services, pending.id)
    await queue_letter(tx.work, letter, tx.now())


def is_over(pending: PendingRow, context: Context) -> bool:
    """Whether it is answered already, or too late to answer it."""
    return pending.done_at is not None or pending.expires_at <= context.clock.now()

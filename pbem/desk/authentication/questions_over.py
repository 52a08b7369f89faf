"""An answer to a question of ours of which nothing came, because the question is over or it says
neither yes nor no: the person who gave it is told so.
"""

from pbem.desk.chat.buttons import with_answers
from pbem.desk.envelope.message import MAIL, Handled
from pbem.desk.envelope.recipients import Recipient, question_token
from pbem.desk.letters.post import asked
from pbem.desk.letters.queue import queue_letter
from pbem.desk.messages.conversation import Conversation
from pbem.desk.ports import Context
from pbem.desk.table import house_table, reader_of
from pbem.pages.notice import notice_page
from pbem.pages.notices import QuestionElsewhere, QuestionOver, QuestionUnclear
from pbem.store.repositories.post.pending import PendingRow

OVER, UNCLEAR, ELSEWHERE = "question-over", "question-unclear", "question-elsewhere"


def why_over(pending: PendingRow) -> str:
    """`yes` or `no`: it was answered so; `replaced`: the same was asked again since; `expired`:
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


async def tell_over(talk: Conversation[object], pending: PendingRow) -> None:
    """A letter back to where the answer came from."""
    talk = await _by_owner(talk)
    page = notice_page(
        QuestionOver(pending.purpose, why_over(pending), pending.expires_at),
        house_table(talk.services),
        talk.reader,
    )
    await talk.send(talk.letter(page, OVER, _key(talk, OVER, pending)))


async def tell_unclear(talk: Conversation[object], pending: PendingRow) -> None:
    """The same; a yes or no to that letter answers the question."""
    talk, token = await _by_owner(talk), question_token(talk.services.key, pending.id)
    page = notice_page(
        QuestionUnclear(pending.purpose, talk.mail.text),
        house_table(talk.services),
        talk.reader,
        token,
    )
    to = Recipient(talk.address, talk.reader.name, talk.person_id, token=token)
    letter = talk.letter(page, UNCLEAR, _key(talk, UNCLEAR, pending), to=to)
    await talk.send(with_answers(letter, talk.services, pending.id))


async def settle_unless_yes(
    talk: Conversation[object], pending: PendingRow, consent: bool | None, what: str
) -> Handled | None:
    """Settle a question (of `what`) by this answer; None for a plain yes in time."""
    if consent is None:
        return Handled.of(pending, "confirmation-unclear", ignored=True)
    pendings, now = talk.work.pending, talk.now()
    if await pendings.settle(pending.id, "confirmed" if consent else "refused", now) is None:
        return Handled.of(pending, f"{what}-too-late")
    return None if consent else Handled.of(pending, f"{what}-refused")


async def tell_elsewhere(talk: Conversation[object], pending: PendingRow) -> None:
    """To the mail address that was asked, once a question: its answer came from another one."""
    if "@" not in pending.address or is_over(pending, talk.services):
        return
    person = await talk.work.people.find_by_address(MAIL, pending.address)
    person_id = person.id if person is not None else None
    there = asked(talk.services, pending, reader_of(person, talk.services), person_id)
    told = QuestionElsewhere(talk.mail.sender or "", talk.mail.text)
    await queue_letter(talk, there.letter(told, ELSEWHERE, f"{ELSEWHERE}:{pending.id}"))


async def _by_owner(talk: Conversation[object]) -> Conversation[None]:
    """The message as of the person who has the address that it came from."""
    person = await talk.work.people.find_by_address(talk.mail.channel, talk.mail.sender or "")
    return talk.by(None, person)


def _key(talk: Conversation[object], kind: str, pending: PendingRow) -> str:
    return f"{kind}:{pending.id}:{talk.mail.message_id or talk.mail.digest}"


def is_over(pending: PendingRow, context: Context) -> bool:
    """Whether it is answered already, or too late to answer it."""
    return pending.done_at is not None or pending.expires_at <= context.clock.now()

"""Messages kept under a question of ours: which table they are about, or whether they are their
writer's at all; and answers that come when a question is over, or that say neither yes nor no.

They wait as long as the phase is open that they came in, and a day at least. When nobody has
answered by then they are let go of, and the person who was asked is told so, once. A yes to whose
they are frees what its own letter quoted in full, and nothing else.
"""

import unicodedata
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

import msgspec

from pbem.desk.chat.buttons import with_answers
from pbem.desk.envelope.message import MAIL, Handled, channel_of
from pbem.desk.envelope.recipients import Recipient, question_token
from pbem.desk.letters.post import asked, person_at
from pbem.desk.letters.queue import ask_for_delivery, queue_letter
from pbem.desk.messages.conversation import Conversation
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import house_table, reader_of
from pbem.pages.notice import notice_page
from pbem.pages.notices import LetGo, QuestionElsewhere, QuestionOver, QuestionUnclear
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.inbox import InboxRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.work import Work

WHICH, UNPROVEN, ALIAS = "which-game", "orders", "alias"
"""Of the confirmations that messages wait under: what they are about is not known, or whose they
are, or whether the address they came from is their writer's.
"""
PURPOSES = (WHICH, UNPROVEN, ALIAS)
LET_GO = "let-go"
WAITS = timedelta(days=1)
MOST = timedelta(days=90)
QUOTED_MESSAGES = 5
QUOTED_CHARACTERS = 300
FULL_CHARACTERS = 1000
FULL_LINES = 40
"""So much of a message a question quotes in full; what says more is freed by no yes."""
LIVE = ("running", "paused", "open")
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""What looks like nothing and is a letter anyway."""


class Waiting(msgspec.Struct, frozen=True, omit_defaults=True):
    """A message of which nobody knows whose it is: its words as a letter quotes them, and the table
    that it is about (0: one of several).

    `why` a yes does not free it, as a code ("": a yes frees it): `long`, `unreadable`,
    `dmarc-failed`, `other-address` (`sender`).
    """

    id: int
    text: str
    at: datetime
    game: int = 0
    why: str = ""
    sender: str = ""


class Kept(msgspec.Struct, frozen=True, omit_defaults=True):
    """What waits. `listed`: what the letter quotes that asks; `untold`: what came since, or when
    nothing more was asked. `quotes`: in short.
    """

    quotes: tuple[str, ...] = ()
    listed: tuple[Waiting, ...] = ()
    untold: tuple[Waiting, ...] = ()

    def with_quote(self, text: str) -> "Kept":
        if len(self.quotes) >= QUOTED_MESSAGES:
            return self
        return Kept((*self.quotes, text.strip()[:QUOTED_CHARACTERS]))


def decode_kept(pending: PendingRow) -> Kept:
    return msgspec.json.decode(pending.detail, type=Kept)


def encode_kept(kept: Kept) -> str:
    return msgspec.json.encode(kept).decode()


async def keep_quote(work: Work, pending: PendingRow, text: str) -> None:
    """Remember one more message that waits."""
    await work.pending.put_detail(pending.id, encode_kept(decode_kept(pending).with_quote(text)))


def shown(text: str) -> str:
    """A text as a letter quotes it: nothing in it is pushed out of sight by blanks, empty lines or
    signs that nobody sees.
    """
    seen = "".join(
        sign
        for sign in text
        if sign == "\n"
        or (sign not in _BLANK and unicodedata.category(sign) not in ("Cf", "Cc", "Co"))
        or sign == "\t"
    )
    lines = [" ".join(line.split()) for line in seen.splitlines()]
    return "\n".join(
        line for index, line in enumerate(lines) if line or (index and lines[index - 1])
    ).strip()


def is_long(text: str) -> bool:
    """Whether a text, as it is shown, is too long to be quoted in full."""
    return len(text) > FULL_CHARACTERS or text.count("\n") >= FULL_LINES


def is_waiting(row: InboxRow) -> bool:
    """Whether the message was only laid under a confirmation, and not acted upon."""
    return (row.outcome or "").startswith(("unproven:", WHICH))


async def kept_until(
    work: Work,
    game_ids: Collection[int],
    arrivals: Sequence[datetime],
    since: datetime,
    now: datetime,
) -> datetime:
    """Until when messages wait that came then and may be about these tables: as long as the phase
    is open that one of them came in, and a day from `since` on at least. While a clock stands
    nobody can tell, and it is looked at again a day later.
    """
    until = since + WAITS
    for game_id in game_ids:
        game, phase = await work.games.find(game_id), await work.phases.current(game_id)
        if (
            game is None
            or phase is None
            or phase.status == "closed"
            or not any(at >= phase.opened_at for at in arrivals)
        ):
            continue
        if game.status == "paused":
            until = max(until, now + WAITS)
        elif game.status == "running":
            until = max(until, phase.deadline)
    return min(until, since + MOST)


async def orders_until(work: Work, game_ids: Collection[int], now: datetime) -> datetime | None:
    """The last deadline ahead of the tables in question; None: there is none."""
    ahead = []
    for game_id in game_ids:
        game, phase = await work.games.find(game_id), await work.phases.current(game_id)
        if (
            game is not None
            and game.status == "running"
            and phase is not None
            and phase.status != "closed"
            and phase.deadline > now
        ):
            ahead.append(phase.deadline)
    return max(ahead, default=None)


async def end_kept(services: Desk, pending_id: int) -> None:
    """Let go of what waits under a question whose time is over. May run twice, or die anywhere,
    without harm.
    """
    async with services.write() as tx:
        pending = await tx.work.pending.find(pending_id)
        if (
            pending is None
            or pending.done_at is not None
            or pending.purpose not in (WHICH, UNPROVEN)
        ):
            return
        await let_go_if_over(tx, pending)
        services.steps.reached("question.ended")
    await ask_for_delivery(services, services.clock.now())


async def let_go_if_over(tx: Transaction[Context], pending: PendingRow) -> bool:
    """Whether the time is over, with all that follows; a deadline that was moved meanwhile moves it
    too.
    """
    now = tx.now()
    if pending.done_at is not None or pending.expires_at > now:
        return False
    person = await tx.work.people.find_by_address(channel_of(pending.address), pending.address)
    rows = [
        row
        for inbox_id in pending.inbox_ids
        if (row := await tx.work.inbox.find(inbox_id)) is not None
    ]
    games = await _games_of(tx.work, pending, person)
    until = await kept_until(
        tx.work, games, [row.received_at for row in rows], pending.created_at, now
    )
    if until > now:
        await tx.work.pending.put_expiry(pending.id, until)
        return False
    await let_go(tx, pending)
    return True


async def let_go(tx: Transaction[Context], pending: PendingRow) -> None:
    """The question is over, and the person who was asked is told once that nothing followed from
    what still waited under it.
    """
    now, kept = tx.now(), decode_kept(pending)
    if await tx.work.pending.settle(pending.id, "expired", now) is None:
        return
    quotes, count = kept.quotes, len(pending.inbox_ids)
    if kept.listed or kept.untold:
        left = (
            *await still_waiting(tx.work, (*kept.listed, *kept.untold)),
            *(one for one in kept.untold if one.why),
        )
        quotes = tuple(one.text[:QUOTED_CHARACTERS] for one in left[:QUOTED_MESSAGES])
        count = len(left)
    if not quotes:
        return
    person = await tx.work.people.find_by_address(channel_of(pending.address), pending.address)
    told = LetGo(pending.purpose, quotes, count)
    owner = person_at(tx.services, person, pending.address)
    await queue_letter(tx, owner.letter(told, LET_GO, f"{LET_GO}:{pending.id}"))


async def still_waiting(work: Work, messages: Sequence[Waiting]) -> tuple[Waiting, ...]:
    """Those of these that a yes can free, and that nothing became of yet."""
    rows = {one.id: await work.inbox.find(one.id) for one in messages if not one.why}
    return tuple(
        one for one in messages if (row := rows.get(one.id)) is not None and is_waiting(row)
    )


async def _games_of(work: Work, pending: PendingRow, person: PersonRow | None) -> list[int]:
    """The tables that may be meant."""
    kept = decode_kept(pending)
    told = {one.game for one in (*kept.listed, *kept.untold)}
    if told and 0 not in told:
        return sorted(told)
    if pending.game_id is not None:
        return [pending.game_id]
    return (
        [seat.game_id for seat in await work.seats.list_of_person(person.id)]
        if person is not None
        else []
    )


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

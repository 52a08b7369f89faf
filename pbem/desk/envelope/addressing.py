"""From a page to a row in the outbox: who gets it, which thread it belongs to, which token answers
it.

A row holds everything that the mail is composed of later, so that a retry sends the same bytes
under the same Message-ID. Serial numbers derive from the row's dedupe key: a second run makes the
very same letter.
"""

import base64
import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from pbem.desk.envelope.letter import Answering, Attachment, Draft, NewLetter
from pbem.desk.envelope.message import ENDS, Channel, channel_of
from pbem.desk.ports import Context, Policy
from pbem.mail.calendar import DeadlineEvent, format_cancellation, format_deadline
from pbem.mail.mailto import Mailto, format_mailto
from pbem.mail.tokens import Purpose, format_message_id, format_reply_address, make_token
from pbem.pages.notice import last_answer
from pbem.pages.page import Page
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.post.pending import PendingRow
from pbem.store.repositories.seats import SeatRow


def serial_of(dedupe_key: str) -> str:
    """A short serial for a Message-ID, the same whenever the same letter is made."""
    return base64.b32encode(hashlib.sha256(dedupe_key.encode()).digest()[:10]).decode().lower()


def thread_root(game: GameRow, policy: Policy) -> str:
    """The Message-ID that holds all mails of a game together; no mail of that ID was ever sent."""
    return f"<{game.slug}.{game.id}.table@{policy.host}>"


def seat_token(key: bytes, seat: SeatRow, phase_number: int) -> str:
    return make_token(key, Purpose.ORDERS, seat.id, seat.tenure, phase_number)


def answer_link(policy: Policy, game: GameRow, token: str, words: str) -> str:
    """The link that begins an answer with these words: it carries the token as any answer does, and
    proves as much.
    """
    about = f"Re: [{game.title}] {words}"
    if policy.subaddressing:
        return format_mailto(Mailto(format_reply_address(policy.address, token), about, words))
    return format_mailto(Mailto(policy.address, about, f"{words}\n\n-- \nCode {token}"))


def unsubscribe_link(
    policy: Policy, kind: str, token: str, *, looks_on: bool = False
) -> str | None:
    """The link that ends letters of this kind (RFC 2369 3.2), where they are no part of the game
    itself: it mails the words that end them.

    There is no such link for a mere click (RFC 8058): that would need a web server of ours.
    """
    words = ENDS["observing"] if looks_on else ENDS.get(kind)
    if words is None or not token:
        return None
    if policy.subaddressing:
        return format_mailto(Mailto(format_reply_address(policy.address, token), words, words))
    return format_mailto(Mailto(policy.address, words, f"{words}\n\n-- \nCode {token}"))


@dataclass(frozen=True, slots=True)
class SeatAt:
    """Whoever sits there now, in this phase, at the address that a letter goes to."""

    game: GameRow
    seat: SeatRow
    phase_number: int
    address: str


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody without a seat: a GM, a registered address. An answer carries the `token`; `game` is
    what the letter is about.
    """

    address: str
    name: str
    person_id: int | None = None
    game: GameRow | None = None
    token: str = ""


@dataclass(frozen=True, slots=True)
class MasterAddress:
    """A game master and where they are reached. `generation` 0: known as an address only, who
    cannot prove anything yet.
    """

    person_id: int
    name: str
    address: str
    zone: str
    locale: str
    generation: int


def letter_to_seat(
    page: Page,
    *,
    kind: str,
    dedupe_key: str,
    to: SeatAt,
    policy: Policy,
    key: bytes,
    answering: Answering | None = None,
    picture_id: int | None = None,
    calendar: str | None = None,
    attachment: Attachment | None = None,
    shared: bool = False,
    shows_board: bool = False,
) -> NewLetter:
    """A letter to whoever sits there now. A reply to it proves the seat, for this phase."""
    game, seat, phase_number = to.game, to.seat, to.phase_number
    token = seat_token(key, seat, phase_number)
    bounce = make_token(key, Purpose.BOUNCE, seat.id, seat.tenure, phase_number)
    root = thread_root(game, policy)
    in_reply_to: str = root
    references: tuple[str, ...] = (root,)
    if answering is not None and answering.message_id is not None:
        in_reply_to, references = (
            answering.message_id,
            (root, *answering.references, answering.message_id),
        )
    draft = Draft(
        to_name=seat.name,
        subject=page.subject,
        text=page.text,
        html=page.html,
        reply_to=format_reply_address(policy.address, token)
        if policy.subaddressing
        else policy.address,
        envelope_from=format_reply_address(policy.address, bounce)
        if policy.subaddressing
        else policy.address,
        auto_submitted="auto-replied" if answering is not None else "auto-generated",
        in_reply_to=in_reply_to,
        references=references,
        list_id=f"{game.title} <{game.slug}.{policy.host}>"
        if shared and game.title.isascii()
        else None,
        unsubscribe=unsubscribe_link(policy, kind, token),
        calendar=calendar,
        attachment=attachment,
    )
    return NewLetter(
        kind=kind,
        address=to.address,
        draft=draft,
        message_id=format_message_id(token, serial_of(dedupe_key), policy.host),
        dedupe_key=dedupe_key,
        game_id=game.id,
        seat_id=seat.id,
        person_id=seat.person_id,
        picture_id=picture_id,
        shows_board=shows_board,
        only=answering.channel if answering is not None else None,
        chat=page.chat,
        passing=page.passing,
        chat_reply_to=answering.chat_message_id if answering is not None else None,
    )


def letter_to_address(
    page: Page,
    *,
    kind: str,
    dedupe_key: str,
    to: Recipient,
    policy: Policy,
    answering: Answering | None = None,
    picture_id: int | None = None,
    attachment: Attachment | None = None,
    shows_board: bool = False,
    routed: bool = False,
    looks_on: bool = False,
) -> NewLetter:
    """A letter to somebody without a seat (a GM, a registered address): null sender, so that it
    never bounces back.

    It goes to this very address, unless it is `routed`.
    """
    game, token = to.game, to.token
    serial = serial_of(dedupe_key)
    root = (thread_root(game, policy),) if game is not None else ()
    in_reply_to = (
        answering.message_id
        if answering is not None and answering.message_id
        else (root[0] if root else None)
    )
    draft = Draft(
        to_name=to.name,
        subject=page.subject,
        text=page.text,
        html=page.html,
        reply_to=format_reply_address(policy.address, token)
        if token and policy.subaddressing
        else policy.address,
        envelope_from="",
        auto_submitted="auto-replied" if answering is not None else "auto-generated",
        in_reply_to=in_reply_to,
        references=(*root, in_reply_to) if in_reply_to and in_reply_to not in root else root,
        unsubscribe=unsubscribe_link(policy, kind, token, looks_on=True)
        if looks_on and answering is None
        else None,
        attachment=attachment,
    )
    message_id = (
        format_message_id(token, serial, policy.host)
        if token
        else f"<{kind}.{serial}@{policy.host}>"
    )
    return NewLetter(
        kind=kind,
        address=to.address,
        draft=draft,
        message_id=message_id,
        dedupe_key=dedupe_key,
        game_id=game.id if game is not None else None,
        person_id=to.person_id,
        picture_id=picture_id,
        shows_board=shows_board,
        only=answering.channel
        if answering is not None
        else None
        if routed
        else channel_of(to.address),
        chat=page.chat,
        passing=page.passing,
        chat_reply_to=answering.chat_message_id if answering is not None else None,
    )


def _only_way(to: Recipient, answering: Answering | None, *, routed: bool) -> Channel | None:
    if answering is not None:
        return answering.channel
    return None if routed else channel_of(to.address)


def question_token(key: bytes, pending_id: int) -> str:
    """What proves the answer to a question of ours."""
    return make_token(key, Purpose.CONFIRM, pending_id, 0, 0)


def letter_of_question(
    page: Page,
    context: Context,
    pending: PendingRow,
    *,
    kind: str,
    name: str,
    person_id: int | None,
    game: GameRow | None = None,
    answering: Answering | None = None,
) -> NewLetter:
    """A question to the address (or chat) that it waits for; only an answer from there has its
    token.
    """
    token = question_token(context.key, pending.id)
    return letter_to_address(
        page,
        to=Recipient(pending.address, name, person_id, game, token),
        kind=kind,
        dedupe_key=f"{kind}:{pending.id}",
        policy=context.policy,
        answering=answering,
    )


def with_last_words(letter: NewLetter, within: timedelta) -> NewLetter:
    """The same answer, which says that it is the last of its kind for so long."""
    words, draft = last_answer(within), letter.draft
    html = (
        draft.html.replace("</body>", f"{words.html}</body>", 1) if draft.html is not None else None
    )
    draft = msgspec.structs.replace(
        draft, text=f"{draft.text.rstrip()}\n\n{words.text}\n", html=html
    )
    return msgspec.structs.replace(
        letter, draft=draft, chat=f"{letter.chat}\n\n{words.chat}" if letter.chat else ""
    )


def master_token(key: bytes, master: MasterAddress, game_id: int = 0) -> str:
    """What proves a game master's answer, about a table (0: about none); "" for somebody who may
    not command.
    """
    return (
        make_token(key, Purpose.GM, master.person_id, master.generation, game_id)
        if master.generation
        else ""
    )


def letter_to_master(
    page: Page,
    *,
    kind: str,
    dedupe_key: str,
    policy: Policy,
    key: bytes,
    master: MasterAddress,
    to_name: str,
    game: GameRow | None = None,
    answering: Answering | None = None,
    attachment: Attachment | None = None,
    shows_board: bool = False,
) -> NewLetter:
    """A letter to a game master: an answer to it is proof, and means the table it is about."""
    token = master_token(key, master, game.id if game is not None else 0)
    return letter_to_address(
        page,
        to=Recipient(
            address=master.address,
            name=to_name,
            person_id=master.person_id or None,
            game=game,
            token=token,
        ),
        kind=kind,
        dedupe_key=dedupe_key,
        policy=policy,
        answering=answering,
        attachment=attachment,
        shows_board=shows_board,
        routed=True,
    )


def phase_calendar(
    policy: Policy, game: GameRow, phase: PhaseRow, stamped_at: datetime, page: Page
) -> str:
    """The deadline as an .ics: one stable UID a phase, the sequence going up with every change (RFC
    5545 3.8.7.4).
    """
    event = _event_of(policy, game, phase, phase.ics_sequence, stamped_at, page.subject)
    return format_deadline(event).decode("utf-8")


def cancelled_calendar(policy: Policy, game: GameRow, phase: PhaseRow, stamped_at: datetime) -> str:
    """What takes that entry back."""
    event = _event_of(policy, game, phase, phase.ics_sequence + 1, stamped_at, game.title)
    return format_cancellation(event, policy.address).decode("utf-8")


def _event_of(
    policy: Policy, game: GameRow, phase: PhaseRow, sequence: int, stamped_at: datetime, words: str
) -> DeadlineEvent:
    return DeadlineEvent(
        uid=f"{game.slug}.{game.id}.{phase.number}@{policy.host}",
        sequence=sequence,
        stamped_at=stamped_at,
        deadline=phase.deadline,
        summary=words,
        description=words,
    )

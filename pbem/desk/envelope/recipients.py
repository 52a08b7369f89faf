"""From a page to a row in the outbox: who gets it, which thread it belongs to, which token answers
it.

A row holds everything that the mail is composed of later, so that a retry sends the same bytes
under the same Message-ID. Serial numbers derive from the row's dedupe key: a second run makes the
very same letter.
"""

import base64
import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar

import msgspec

from pbem.desk.envelope.letter import Answering, Attachment, Draft, NewLetter
from pbem.desk.envelope.message import ENDS, Channel, channel_of
from pbem.desk.ports import Context, Policy
from pbem.mail.mailto import Mailto, format_mailto
from pbem.mail.tokens import Purpose, format_message_id, format_reply_address, make_token
from pbem.pages.notice import last_answer
from pbem.pages.page import Page, Reader
from pbem.store.repositories.games import GameRow
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


def reply_address(policy: Policy, token: str) -> str:
    """The address that an answer with this token goes to."""
    subaddressed = token and policy.subaddressing
    return format_reply_address(policy.address, token) if subaddressed else policy.address


def mail_link(policy: Policy, token: str, subject: str, words: str) -> str:
    """The link that begins a mail to us with these words; it carries the token as any answer does,
    and proves as much.
    """
    signed = words if policy.subaddressing else f"{words}\n\n-- \nCode {token}"
    return format_mailto(Mailto(reply_address(policy, token), subject, signed))


def answer_link(policy: Policy, game: GameRow, token: str, words: str) -> str:
    """The link that begins an answer about a table with these words."""
    return mail_link(policy, token, f"Re: [{game.title}] {words}", words)


def unsubscribe_link(policy: Policy, words: str | None, token: str) -> str | None:
    """The link that ends letters by these words (RFC 2369 3.2); None: they are part of the game.

    There is no such link for a mere click (RFC 8058): that would need a web server of ours.
    """
    return mail_link(policy, token, words, words) if words is not None and token else None


@dataclass(frozen=True, slots=True)
class SeatAt:
    """The player who sits there now, in this phase, at the address that a letter goes to. A reply
    proves the seat, for this phase. `on_list`: everybody at the table gets the same page.
    """

    game: GameRow
    seat: SeatRow
    phase_number: int
    address: str
    on_list: bool = False
    is_routed: ClassVar = True

    @property
    def name(self) -> str:
        return self.seat.name

    @property
    def person_id(self) -> int | None:
        return self.seat.person_id

    @property
    def seat_id(self) -> int | None:
        return self.seat.id

    @property
    def own(self) -> str:
        """What distinguishes the seat's letter among those that go to many."""
        return str(self.seat.id)

    def token_by(self, key: bytes) -> str:
        """What proves an answer."""
        return seat_token(key, self.seat, self.phase_number)

    def bounces_to(self, context: Context) -> str:
        """The sender of the envelope: it says whose mail comes back."""
        seat = self.seat
        token = make_token(context.key, Purpose.BOUNCE, seat.id, seat.tenure, self.phase_number)
        return reply_address(context.policy, token)

    def thread(self, policy: Policy, answered: Answering | None) -> tuple[str, tuple[str, ...]]:
        """What the letter answers, and all messages before it in its thread."""
        root = thread_root(self.game, policy)
        if answered is None or answered.message_id is None:
            return root, (root,)
        thread = dict.fromkeys((root, *answered.references, answered.message_id))
        return answered.message_id, tuple(thread)  # an answer's references begin with the root, too

    def list_id(self, policy: Policy) -> str | None:
        """The table as a list of mails (RFC 2919)."""
        title, slug = self.game.title, self.game.slug
        return f"{title} <{slug}.{policy.host}>" if self.on_list and title.isascii() else None

    def unsubscribe(self, policy: Policy, kind: str, token: str, *, is_answer: bool) -> str | None:
        """The link that ends letters of this kind."""
        return unsubscribe_link(policy, ENDS.get(kind), token)


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody without a seat: a game master, an observer, a registered address, a group. An answer
    carries the `token`; `game` is what the letter is about. It goes to this very address, unless it
    `is_routed`: then it goes the ways that the person chose. It `looks_on`: it may end such
    letters. `own` distinguishes its letter among those that go to many.
    """

    address: str
    name: str
    person_id: int | None = None
    game: GameRow | None = None
    token: str = ""
    is_routed: bool = False
    looks_on: bool = False
    own: str = ""
    seat_id: ClassVar[int | None] = None

    def token_by(self, key: bytes) -> str:
        """What proves an answer."""
        return self.token

    def bounces_to(self, context: Context) -> str:
        """Nobody: the sender is null, and the letter never comes back."""
        return ""

    def thread(
        self, policy: Policy, answered: Answering | None
    ) -> tuple[str | None, tuple[str, ...]]:
        """What the letter answers, and all messages before it in its thread."""
        root = thread_root(self.game, policy) if self.game is not None else None
        said = answered.message_id if answered is not None else None
        before = (one for one in (root, said or root) if one is not None)
        return said or root, tuple(dict.fromkeys(before))

    def list_id(self, policy: Policy) -> str | None:
        """None: the letter is not one of a list."""
        return None

    def unsubscribe(self, policy: Policy, kind: str, token: str, *, is_answer: bool) -> str | None:
        """The link that ends letters to an observer."""
        words = ENDS["observing"] if self.looks_on and not is_answer else None
        return unsubscribe_link(policy, words, token)


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

    def token_by(self, key: bytes, game_id: int = 0) -> str:
        """What proves their answer, about a table (0: about none); "" for somebody who may not
        command.
        """
        if not self.generation:
            return ""
        return make_token(key, Purpose.GM, self.person_id, self.generation, game_id)

    def reader(self, name: str, code: str = "") -> Reader:
        """The game master as the reader of a page."""
        return Reader(None, name, self.zone, self.locale, code)

    def recipient(self, key: bytes, name: str, game: GameRow | None = None) -> Recipient:
        """The game master as the reader of a letter: an answer to it is proof, and means the table
        it is about.
        """
        return Recipient(
            self.address,
            name,
            self.person_id or None,
            game,
            self.token_by(key, game.id if game is not None else 0),
            is_routed=True,
            own=f"gm:{self.address}",
        )


def question_token(key: bytes, pending_id: int) -> str:
    """What proves the answer to a question of ours."""
    return make_token(key, Purpose.CONFIRM, pending_id, 0, 0)


def asked_by(
    key: bytes, pending: PendingRow, name: str, person_id: int | None, game: GameRow | None = None
) -> Recipient:
    """The reader of a question, at the address (or chat) that it waits for; only an answer from
    there has its token.
    """
    token = question_token(key, pending.id)
    return Recipient(pending.address, name, person_id, game, token)


@dataclass(frozen=True, slots=True)
class Enclosed:
    """What goes with a letter: a file, a calendar entry, a picture that is stored, or the board
    once it is painted.
    """

    attachment: Attachment | None = None
    calendar: str | None = None
    picture_id: int | None = None
    shows_board: bool = False


NOTHING = Enclosed()


def letter_to(
    context: Context,
    to: SeatAt | Recipient,
    page: Page,
    kind: str,
    key: str,
    enclosed: Enclosed = NOTHING,
    answered: Answering | None = None,
) -> NewLetter:
    """The letter with this page. Of one `key` there is one letter, however often it is made; an
    answer goes the way of what is `answered`.
    """
    policy, token = context.policy, to.token_by(context.key)
    in_reply_to, references = to.thread(policy, answered)
    serial, is_answer = serial_of(key), answered is not None
    draft = Draft(
        to_name=to.name,
        subject=page.subject,
        text=page.text,
        html=page.html,
        reply_to=reply_address(policy, token),
        envelope_from=to.bounces_to(context),
        auto_submitted="auto-replied" if is_answer else "auto-generated",
        in_reply_to=in_reply_to,
        references=references,
        list_id=to.list_id(policy),
        unsubscribe=to.unsubscribe(policy, kind, token, is_answer=is_answer),
        calendar=enclosed.calendar,
        attachment=enclosed.attachment,
        main=page.html_main,
    )
    return NewLetter(
        kind=kind,
        address=to.address,
        draft=draft,
        message_id=format_message_id(token, serial, policy.host)
        if token
        else f"<{kind}.{serial}@{policy.host}>",
        dedupe_key=key,
        game_id=to.game.id if to.game is not None else None,
        seat_id=to.seat_id,
        person_id=to.person_id,
        picture_id=enclosed.picture_id,
        shows_board=enclosed.shows_board,
        only=_only_channel(to, answered),
        chat=page.chat,
        passing=page.passing,
        chat_reply_to=answered.chat_message_id if answered is not None else None,
    )


def _only_channel(to: SeatAt | Recipient, answered: Answering | None) -> Channel | None:
    if answered is not None:
        return answered.channel
    return None if to.is_routed else channel_of(to.address)


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

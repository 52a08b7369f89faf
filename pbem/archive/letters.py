"""The letters of a game that is over, as those who sat there got and wrote them."""

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from markupsafe import Markup

from pbem.archive.model import Archive
from pbem.archive.pictures import PICTURES
from pbem.archive.templates import render
from pbem.desk.chat.inbound import message_of_update, read_parts
from pbem.desk.chat.messages import ChatDraft
from pbem.desk.envelope.letter import Draft
from pbem.desk.envelope.message import MAIL, TELEGRAM, message_of_mail
from pbem.desk.messages.opening import rules_of
from pbem.desk.ports import Services
from pbem.desk.press.relay import read_unmasking
from pbem.mail.inbound.reader import read_mail
from pbem.pages.kit.arms import badge_png, badges_in, with_badges
from pbem.store.repositories.forgetting import EMPTY_LETTER
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.post.outbox import OutboxRow
from pbem.telegram.parts import read_whole

MOST_LETTERS = 100_000


@dataclass(frozen=True, slots=True)
class PrivateMail:
    """A mail to or from a seat: the new text of one that came in, the page and picture of ours.

    `place` orders mails of the same second (mail servers stamp no finer): our news, what came in,
    our answers.
    """

    seat_number: int
    ours: bool
    at: datetime
    kind: str
    subject: str
    text: str
    html: str
    png: bytes
    place: tuple[int, int]


async def read_private_mails(services: Services, game: GameRow) -> list[PrivateMail]:
    """Everything between the post office and those who sat there, in order. What was tidied away
    since is missing, and what would tell who wrote press without a name.
    """
    async with services.database.read() as work:
        numbers = {seat.id: seat.number for seat in await work.seats.list_of_game(game.id)}
        sent = [
            row
            for row in await work.outbox.list_by_state("sent", MOST_LETTERS, game_id=game.id)
            if row.seat_id in numbers
        ]
        pictures = {row.picture_id for row in sent if row.picture_id is not None}
        drawn = {
            number: picture.png
            for number in pictures
            if (picture := await work.pictures.find(number)) is not None
        }
        hidden = await read_unmasking(work, game.id)
        mailed = {row.dedupe_key for row in sent if row.channel == MAIL}
        mails = []
        for row in sent:
            draft = _draft_of(row, mailed)
            if (
                row.seat_id is not None
                and draft is not None
                and not hidden.is_in_letter(row, draft.text)
            ):
                mails.append(_ours(row, draft, numbers[row.seat_id], drawn))
        for message in await work.inbox.list_by_state("handled", MOST_LETTERS):
            raw = await work.inbox.read_raw(message.id) if message.seat_id in numbers else None
            if raw is None or message.seat_id is None:
                continue
            if message.channel == TELEGRAM:
                mail = message_of_update(read_whole(raw, await read_parts(work, message.id)))
            else:
                mail = message_of_mail(read_mail(raw, rules_of(services.policy)))
            if hidden.is_in_message(message.seat_id, mail.text):
                continue
            outcome, place = message.outcome or "", (1, message.id)
            mails.append(
                PrivateMail(
                    numbers[message.seat_id],
                    False,
                    message.received_at,
                    outcome,
                    mail.subject,
                    mail.text,
                    "",
                    b"",
                    place,
                )
            )
    return sorted(mails, key=lambda mail: (mail.at.replace(microsecond=0), mail.place))


def _draft_of(row: OutboxRow, mailed: Collection[str | None]) -> Draft | None:
    """A letter as the mail it was, or would have been; None for one that is known already, or whose
    words are gone.
    """
    if row.letter == EMPTY_LETTER:
        return None
    if row.channel == MAIL:
        return msgspec.json.decode(row.letter, type=Draft)
    if (row.dedupe_key or "").partition(f"@{TELEGRAM}")[0] in mailed:
        return None
    return msgspec.json.decode(row.letter, type=ChatDraft).mail


def _ours(row: OutboxRow, draft: Draft, seat_number: int, drawn: dict[int, bytes]) -> PrivateMail:
    png = drawn.get(row.picture_id, b"") if row.picture_id is not None else b""
    place = (2 if draft.auto_submitted == "auto-replied" else 0, row.id)
    return PrivateMail(
        seat_number,
        True,
        row.created_at,
        row.kind,
        draft.subject,
        draft.text,
        draft.html or "",
        png,
        place,
    )


# ------------------------------------------------------------------------------------- their pages
_BOARD = '"cid:board"'
_CODE = re.compile(r"\b([ocbgw])\d{1,9}-\d{1,9}-[a-z2-7]{26}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bound:
    """Letters as parts of the players' pages, by the players' numbers, and the files that these
    lead to.
    """

    parts: Mapping[int, Markup]
    files: Mapping[str, bytes]
    count: int


@dataclass(frozen=True, slots=True)
class _Card:
    ours: bool
    at: datetime
    kind: str
    subject: str
    text: str
    page: str


def bind_letters(archive: Archive, mails: Sequence[PrivateMail]) -> Bound:
    """A file for each mail of ours and one for each picture; nobody needs the codes that prove who
    answers, so there are none.
    """
    files: dict[str, bytes] = {}
    cards: dict[int, list[_Card]] = {person.number: [] for person in archive.people}
    for number, mail in enumerate(mails, start=1):
        page = f"letters/{number:05d}.html" if mail.ours and mail.html else ""
        if page:
            picture = ""
            if mail.png:
                picture = f"{PICTURES}/{hashlib.sha256(mail.png).hexdigest()[:16]}.png"
                files[picture] = mail.png
            shown = f'"../{picture}"' if picture else '""'
            html = with_badges(_without_codes(mail.html), f"../{PICTURES}/arms-{{}}.png")
            files[page] = html.replace(_BOARD, shown).encode()
            files |= {
                f"{PICTURES}/arms-{name}.png": badge_png(name) for name in badges_in(mail.html)
            }
        kind = mail.kind.partition(":")[0]
        text = _without_codes(mail.text)
        cards[mail.seat_number].append(_Card(mail.ours, mail.at, kind, mail.subject, text, page))
    parts = {
        number: render(
            "letters.html.j2", person=archive.person(number), cards=theirs, zone=archive.zone
        )
        for number, theirs in cards.items()
        if theirs
    }
    return Bound(parts, files, len(mails))


def _without_codes(text: str) -> str:
    return _CODE.sub(r"\1...", text)

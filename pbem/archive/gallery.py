"""Writing a gallery: an index that works offline, a page for each bulletin and letter, each picture
once.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import structlog

from pbem.archive.chapters import (
    Chapter,
    PrivateMail,
    read_chapters,
    read_private_mails,
    read_public_press,
)
from pbem.archive.chronicle import read_chronicle, write_chronicle
from pbem.desk.gm import By, Refused
from pbem.desk.letters.asking import ask_for_delivery
from pbem.desk.letters.outgoing import queue_letters
from pbem.desk.letters.posting import read_recipients
from pbem.desk.letters.telling import table_letters
from pbem.desk.mandate import find_game, log_command
from pbem.desk.ports import Services
from pbem.desk.table import OpenTable, decode_settings, load_table
from pbem.desk.upkeep.handing import read_record
from pbem.desk.upkeep.recording import record_name
from pbem.pages.gallery import BulletinCard, LetterCard, headline, lines_of, render_gallery
from pbem.pages.page import RecordFacts
from pbem.pages.press import Piece
from pbem.record.record import Record, format_record
from pbem.store.repositories.games import GameRow

TOO_EARLY = "too-early"

_log = structlog.get_logger("export")

_BOARD = '"cid:board"'
_CODE = re.compile(r"\b([ocbgw])\d{1,9}-\d{1,9}-[a-z2-7]{26}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Gallery:
    """What was written."""

    index: Path
    bulletins: int
    letters: int


async def export_game(
    services: Services, slug: str, folder: Path, by: By, *, private: bool
) -> Gallery:
    """Write the gallery of a game into a folder, in place of an earlier one.

    Of a game that runs only what is public. `private` adds everybody's mails and is refused before
    the end; it is logged and told to the table as a look at secrets.
    """
    async with services.database.read() as work:
        game = await find_game(work, slug)
        table = await load_table(work, services.games, game)
    if game.phase_number == 0:
        raise Refused("not-running", f"{game.title} has not begun; there is nothing to show")
    if private and game.status not in ("over", "ended"):
        raise Refused(TOO_EARLY, f"{game.title} is not over; its mails are secret until then")
    record = await _read_record(services, game)
    facts = RecordFacts(record_name(game), record.fingerprint) if record is not None else None
    chapters = await read_chapters(services, game, facts)
    mails = await read_private_mails(services, game) if private else []
    press = await read_public_press(services, table)
    if private:
        await _tell(services, table, by)
    async with services.database.read() as work:
        chronicle = await read_chronicle(work, table)
    return _write(table, chapters, mails, press, folder, record, chronicle)


async def _read_record(services: Services, game: GameRow) -> Record | None:
    """The record of a game that has ended; None where there is none yet, or where what was kept
    cannot be played again.
    """
    if game.status not in ("over", "ended"):
        return None
    try:
        return await read_record(services, game.slug)
    except Refused as error:
        _log.warning("no-record", game=game.id, reason=str(error))
        return None


async def _tell(services: Services, table: OpenTable, by: By) -> None:
    """A look at secrets is written down, and everybody is told."""
    now = services.clock.now()
    async with services.database.write() as work:
        entry = await log_command(
            work, services, by, "game export", {"private": True}, game_id=table.game.id
        )
        letters = table_letters(
            services,
            table,
            await read_recipients(work, services, table),
            lambda facts, reader: services.pages.announcements.exported(
                facts, reader, now, by.name
            ),
            now,
            kind="exported",
            dedupe_key=f"exported:{entry}",
        )
        await queue_letters(work, letters, now)
    await ask_for_delivery(services, now)


def _write(
    table: OpenTable,
    chapters: Sequence[Chapter],
    mails: Sequence[PrivateMail],
    press: Sequence[Piece],
    folder: Path,
    record: Record | None,
    chronicle: str,
) -> Gallery:
    binder = _Binder(folder, ZoneInfo(decode_settings(table.game).zone))
    pages, view = table.kind.pages, chapters[-1].view
    bulletins = [binder.bulletin(chapter) for chapter in chapters]
    people = [
        (seat.name, [binder.letter(mail) for mail in mails if mail.seat_number == seat.number])
        for seat in table.seats
    ]
    is_over = table.game.status in ("over", "ended")
    fallen = sum(
        happening.kind in ("eliminated", "fallen")
        for chapter in chapters
        for happening in chapter.happenings
    )
    over_at = table.game.over_at or chapters[-1].at
    values = {
        "title": table.game.title,
        "game_title": pages.title,
        "outcome": pages.outcome(view),
        "tallies": [
            (
                str(chapters[-1].turn),
                pages.turn_word if chapters[-1].turn == 1 else f"{pages.turn_word}s",
            ),
            (str(len(chapters) - 1), "phases closed"),
            (str(len(table.seats)), "players"),
            (binder.day(chapters[0].at), "began"),
            (binder.day(over_at if is_over else chapters[-1].at), "ended" if is_over else "so far"),
            (str(len(mails)), "mails")
            if mails
            else (str(fallen), "elimination" if fallen == 1 else "eliminations"),
        ],
        "players": pages.players(view),
        "turn_word": pages.turn_word,
        "turns": [
            (chapter.turn, pages.phase_name(chapter.kind), card.when, number)
            for number, (chapter, card) in enumerate(zip(chapters, bulletins, strict=True), start=1)
        ],
        "bulletins": bulletins,
        "press": [
            (piece.writer or "somebody who gives no name", binder.at(piece.at), piece.text)
            for piece in press
        ],
        "people": [(name, letters) for name, letters in people if letters],
        "is_over": is_over,
        "is_broken_off": table.game.status == "ended",
        "zone": table.settings.zone,
        "record": record_name(table.game) if record is not None else "",
        "chronicle": write_chronicle(chronicle, folder),
    }
    if record is not None:
        (folder / record_name(table.game)).write_bytes(format_record(record))
    index = folder / "index.html"
    index.write_text(render_gallery("game.html.j2", values), encoding="utf-8")
    return Gallery(index, len(bulletins), len(mails))


class _Binder:
    """Writes pages and pictures into the folder, after taking away what an earlier gallery left
    there.
    """

    def __init__(self, folder: Path, zone: ZoneInfo) -> None:
        self._folder = folder
        self._zone = zone
        self._letters = 0
        for name, pattern in (("letters", "*.html"), ("pictures", "*.png")):
            (folder / name).mkdir(parents=True, exist_ok=True)
            for path in (folder / name).glob(pattern):
                path.unlink()

    def at(self, instant: datetime) -> str:
        return instant.astimezone(self._zone).strftime("%a %-d %b %Y, %H:%M")

    def day(self, instant: datetime) -> str:
        return instant.astimezone(self._zone).strftime("%-d %b")

    def bulletin(self, chapter: Chapter) -> BulletinCard:
        return BulletinCard(
            title=chapter.page.subject.partition("] ")[2] or chapter.page.subject,
            when=self.at(chapter.at),
            picture=self._picture(chapter.png),
            alt=chapter.alt or headline(chapter.happenings),
            lines=lines_of(chapter.happenings),
            letter=self._page(
                f"bulletin-{chapter.phase_number:04d}",
                chapter.page.html,
                self._picture(chapter.png),
            ),
        )

    def letter(self, mail: PrivateMail) -> LetterCard:
        self._letters += 1
        return LetterCard(
            number=self._letters,
            ours=mail.ours,
            genuine=True,
            when=self.at(mail.at),
            subject=mail.subject,
            kind=mail.kind.partition(":")[0],
            new_text=_without_codes(mail.text),
            whole_text="",
            letter=self._page(f"letter-{self._letters:05d}", mail.html, self._picture(mail.png))
            if mail.ours
            else "",
        )

    def _picture(self, png: bytes) -> str:
        if not png:
            return ""
        path = self._folder / "pictures" / f"{hashlib.sha256(png).hexdigest()[:16]}.png"
        if not path.exists():
            path.write_bytes(png)
        return f"pictures/{path.name}"

    def _page(self, name: str, html: str, picture: str) -> str:
        path = self._folder / "letters" / f"{name}.html"
        path.write_text(
            _without_codes(html).replace(_BOARD, f'"../{picture}"' if picture else '""'),
            encoding="utf-8",
        )
        return f"letters/{path.name}"


def _without_codes(text: str) -> str:
    """A code proves who answers; nobody needs it in a gallery."""
    return _CODE.sub(r"\1...", text)

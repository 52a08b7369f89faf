"""The gallery of a demonstration: an index page that works offline, the bulletins with their
boards, one player's mails.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from pbem.archive.chronicle import write_chronicle
from pbem.demo.gallery.binding import Binder, kind_words
from pbem.demo.gallery.chats import write_chats
from pbem.demo.gallery.counts import Counts, read_counts
from pbem.demo.gallery.filing import Filed, file_mails
from pbem.demo.gallery.guide import write_rules
from pbem.demo.gallery.proving import Proof, prove
from pbem.demo.progress import outcome_words, proof_lines
from pbem.demo.received import Received
from pbem.demo.stage import GM_ADDRESS, RULES_URL, SERVICE_ADDRESS, Moment, Stage
from pbem.desk.envelope.opened import rules_of
from pbem.mail.inbound.reading import ReadingRules, read_mail
from pbem.pages.gallery import Happening, LetterCard, PlayerCard, render_gallery
from pbem.play import Person, Play

_ANSWERS = ("answer", "what-if")
_BULLETINS = ("welcome", "bulletin", "ending")
"""What tells everybody how it stands. The game master gets all of them; a player's next turn mail
may tell the same in their place.
"""
_HABITS: Mapping[str | None, str] = {
    "corrects": "makes mistakes and corrects them after the receipt",
    "forgets": "misses a deadline now and then",
    "travels": "has a vacation program that answers",
    "late": "sometimes writes a day late",
    "twice": "sometimes sends the same mail twice",
    "asks": "asks why and what if, for help and rules, and writes to the game master",
    "final": "is always sure and says that it is final",
    None: "",
}

_ON_PHONES: Mapping[str | None, str] = {
    "corrects": "makes mistakes and edits the message, or taps what was suggested",
    "forgets": (
        "misses a deadline now and then, and stops the bot for a while: then it continues by mail"
    ),
    "final": "came in by the button in the group; is always sure and says that it is final",
}

_INQUIRIES = re.compile(r"(?:why|odds|what if|preview|profile|hall of fame)\b.*", re.IGNORECASE)
"""Lines that ask what happened, what would happen, or how somebody has played."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A gallery that was written: its index page, and what came of checking the game."""

    index: Path
    proof: Proof | None


async def write_gallery(
    stage: Stage, people: Sequence[Person], chosen: Person, seconds: float, folder: Path
) -> Bound:
    """Write everything under this folder, in place of an earlier gallery."""
    names = {person.address: person.name for person in people}
    _clear(folder)
    filed = await file_mails(stage, names, folder / "mails")
    moment, counts = await stage.moment(), await read_counts(stage)
    told = await stage.happenings(0, moment.phase_number)
    binder = Binder(folder, ZoneInfo(chosen.zone), RULES_URL)
    rules = rules_of(stage.services.policy)
    chats = write_chats(stage, _habits(stage), folder)
    own = [mail for mail in filed if mail.address == chosen.address]
    told_to_all = [
        mail
        for mail in filed
        if mail.address == GM_ADDRESS and mail.direction == "out" and mail.kind in _BULLETINS
    ]
    proof = await _prove(own)
    if proof is not None:
        (folder / proof.filename).write_bytes(proof.raw)
    values = {
        "game_title": stage.game.title,
        "outcome": outcome_words(moment, stage.play),
        "tallies": _tallies(counts, stage.play, seconds),
        "players": _cast(moment, people, stage),
        "chats": chats,
        "by_phone": [chat.title for chat in chats],
        "bulletins": [
            binder.bulletin(mail, news)
            for mail, news in zip(
                told_to_all, _news_of(told_to_all, told, await stage.closings()), strict=True
            )
        ],
        "chosen": chosen.name,
        "letters": [
            binder.letter(mail, read_mail(mail.raw, rules).text if mail.direction == "in" else "")
            for mail in own
        ],
        "inquiries": _inquiries(filed, binder, rules),
        "proof": proof,
        "proof_lines": proof_lines(proof) if proof is not None else (),
        "mails": [
            (mail, kind_words(mail), binder.at(mail.at), f"mails/{mail.path.name}")
            for mail in filed
        ],
        "service": SERVICE_ADDRESS,
        "rules": write_rules(folder, stage.game.title, stage.game.book).name,
        "chronicle": write_chronicle(await stage.chronicle(), folder),
    }
    index = folder / "index.html"
    index.write_text(render_gallery("index.html.j2", values), encoding="utf-8")
    return Bound(index, proof)


def _news_of(
    bulletins: Sequence[Filed], told: Sequence[Happening], closings: Mapping[int, datetime]
) -> list[list[Happening]]:
    """What each bulletin is the first to tell: one may stand for several closes, and the first for
    the start.
    """
    news: list[list[Happening]] = [[] for _ in bulletins]
    for happening in told:
        at = closings.get(happening.phase_number)
        place = next(
            (place for place, mail in enumerate(bulletins) if at is None or mail.at >= at), None
        )
        if place is not None:
            news[place].append(happening)
    return news


async def _prove(own: Sequence[Filed]) -> Proof | None:
    """The game as one of the table checks it, from the first letter and the last."""
    letters = {
        mail.kind: Received(mail.raw)
        for mail in own
        if mail.direction == "out" and mail.kind in ("welcome", "ending")
    }
    return (
        await prove(letters["welcome"], letters["ending"])
        if letters.keys() >= {"welcome", "ending"}
        else None
    )


def _inquiries(
    filed: Sequence[Filed], binder: Binder, rules: ReadingRules
) -> list[tuple[LetterCard, list[LetterCard]]]:
    """Every mail that asked something, with the answers to it."""
    answers: dict[str, list[Filed]] = {}
    for mail in filed:
        if mail.direction == "out" and mail.kind in _ANSWERS:
            answers.setdefault(Received(mail.raw).in_reply_to, []).append(mail)
    found = []
    for mail in filed:
        if (
            mail.direction == "in"
            and mail.is_genuine
            and (given := answers.get(Received(mail.raw).message_id))
        ):
            text = read_mail(mail.raw, rules).text
            if any(_INQUIRIES.fullmatch(line.strip()) for line in text.splitlines()):
                found.append(
                    (binder.letter(mail, text), [binder.letter(answer, "") for answer in given])
                )
    return found


def _clear(folder: Path) -> None:
    """Take away what an earlier gallery left in this folder, and nothing else."""
    for pattern in (
        "mails/*.eml",
        "chats/*.html",
        "letters/*.html",
        "pictures/*.png",
        "*-record.json",
    ):
        for path in folder.glob(pattern):
            path.unlink()


def _habits(stage: Stage) -> dict[str, str]:
    """What each is like as a correspondent, by name."""
    by_phone = stage.board.users if stage.board is not None else {}
    return {
        mind.person.name: (
            (_ON_PHONES if mind.person.name in by_phone else _HABITS).get(mind.quirk, "")
        )
        for mind in stage.minds
    }


def _cast(moment: Moment, people: Sequence[Person], stage: Stage) -> list[PlayerCard]:
    habits = _habits(stage)
    by_phone = stage.board.users if stage.board is not None else {}
    zones = {person.name: person.zone for person in people}
    cards = stage.play.cards(moment.view)
    return [
        replace(
            card,
            zone=zones.get(card.name, ""),
            habit=habits[card.name],
            way="Telegram" if card.name in by_phone else "mail",
        )
        for card in cards
    ]


def _tallies(counts: Counts, play: Play, seconds: float) -> list[tuple[str, str]]:
    """The figures on top."""
    return [
        (str(counts.turns), f"{play.turn_word}s"),
        (str(counts.phases), "phases closed"),
        (str(counts.mails_in), "mails in"),
        (str(counts.mails_out), "mails out"),
        *((figure.count, figure.label) for figure in counts.figures),
        (str(counts.strangers), "by strangers"),
        (str(counts.copies), "sent twice"),
        (str(counts.automatic), "automatic"),
        (str(counts.late), "late"),
        (str(counts.bounces), "bounced"),
        *(
            (
                (str(counts.updates_in), "Telegram updates in"),
                (str(counts.messages_out), "Telegram messages out"),
            )
            if counts.messages_out
            else ()
        ),
        (f"{seconds:.0f}", "seconds"),
    ]

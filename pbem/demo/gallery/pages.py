"""The gallery of a demonstration, next to the archive of its game: how the post went. An index page
that works offline, one player's mails, the phones, and every mail as a file.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zoneinfo import ZoneInfo

from pbem.archive.site import Around, archive_game
from pbem.archive.templates import Coat, coat_in
from pbem.demo.gallery.binding import Binder, kind_words
from pbem.demo.gallery.chats import write_chats
from pbem.demo.gallery.counts import Counts, read_counts
from pbem.demo.gallery.filing import Filed, file_mails
from pbem.demo.gallery.proving import Proof, prove
from pbem.demo.received import Received
from pbem.demo.stage import ACTOR, RULES_URL, SERVICE_ADDRESS, SLUG, Moment, Stage
from pbem.desk.mandate import By
from pbem.desk.messages.opening import rules_of
from pbem.mail.inbound.reader import ReadingRules, read_mail
from pbem.pages.gallery import LetterCard, PlayerCard, render_gallery
from pbem.play import Person, Play

APART = "stage"
"""The folder of a gallery within the archive of its game."""
_ANSWERS = ("answer", "what-if")
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
    """A gallery that was written: the index of the archive around it, its own index, and the result
    of checking the game.
    """

    site: Path
    index: Path
    proof: Proof | None


async def write_gallery(
    stage: Stage, people: Sequence[Person], chosen: Person, seconds: float, out: Path
) -> Bound:
    """Write the archive of the game into this folder, and the gallery into a folder of it, each in
    place of an earlier one.
    """
    folder = out / APART
    site = await archive_game(
        stage.services, SLUG, out, By(ACTOR), around=Around(apart=f"{APART}/index.html")
    )
    folder.mkdir(exist_ok=True)
    names = {person.address: person.name for person in people}
    _clear(folder)
    filed = await file_mails(stage, names, folder / "mails")
    moment, counts = await stage.moment(), await read_counts(stage)
    binder = Binder(folder, ZoneInfo(chosen.zone), RULES_URL)
    rules = rules_of(stage.services.policy)
    chats = write_chats(stage, _habits(stage), folder)
    own = [mail for mail in filed if mail.address == chosen.address]
    proof = await _prove(own)
    values = {
        "game_title": stage.game.title,
        "tallies": _tallies(counts, stage.play, seconds),
        "players": _cast(moment, people, stage),
        "coats": _coats(moment, stage),
        "chats": chats,
        "by_phone": [chat.title for chat in chats],
        "chosen": chosen.name,
        "letters": [
            binder.letter(mail, read_mail(mail.raw, rules).text if mail.direction == "in" else "")
            for mail in own
        ],
        "inquiries": _inquiries(filed, binder, rules),
        "mails": [
            (mail, kind_words(mail), binder.at(mail.at), f"mails/{mail.path.name}")
            for mail in filed
        ],
        "service": SERVICE_ADDRESS,
    }
    index = folder / "index.html"
    index.write_text(render_gallery("index.html.j2", values), encoding="utf-8")
    return Bound(site.index, index, proof)


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


def _coats(moment: Moment, stage: Stage) -> dict[str, Coat]:
    """The arms of the board by the names of the players."""
    view = moment.view
    return {
        player.name: coat_in(
            stage.game.pages.coats_of(view, player.number)[0], player.number, player.name
        )
        for player in view.players
    }


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

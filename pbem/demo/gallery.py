"""The gallery of a demonstration: an index page that works offline, the bulletins with their boards, one player's mails, all mails as files."""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined

from pbem.demo.cast import Person
from pbem.demo.counts import Counts, read_counts
from pbem.demo.filing import Filed, file_mails
from pbem.demo.progress import headline, outcome_words, phase_words
from pbem.demo.received import Received
from pbem.demo.stage import SERVICE_ADDRESS, Happening, Moment, Stage
from pbem.desk.receive import rules_of
from pbem.mail.reading import read_mail
from pbem.pages.arms import ARMS

_BULLETINS = ("welcome", "bulletin", "ending")
_SILENT = ("window", "turn", "missed", "production", "game-set-up")
_CID = re.compile(r"cid:([^\"')\s]+)")
_HABITS: Mapping[str | None, str] = {
    "corrects": "makes mistakes and corrects them after the receipt",
    "forgets": "misses a deadline now and then",
    "travels": "has a vacation program that answers",
    "late": "sometimes writes a day late",
    "twice": "sometimes sends the same mail twice",
    "asks": "asks for help, status and rules, and writes to the game master",
    "final": "is always sure and says that it is final",
    None: "",
}


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """One line of the cast."""

    name: str
    colour: str
    symbol: str
    patch: str
    ink: str
    sign: str
    zone: str
    habit: str
    fate: str


@dataclass(frozen=True, slots=True)
class BulletinCard:
    """One close: the board as it lay afterwards and what was told."""

    title: str
    when: str
    picture: str
    alt: str
    lines: tuple[str, ...]
    letter: str
    eml: str


@dataclass(frozen=True, slots=True)
class LetterCard:
    """One mail of the chosen player. Ours have a page of their own (`letter`), theirs show what was new in them."""

    number: int
    ours: bool
    genuine: bool
    when: str
    subject: str
    kind: str
    new_text: str
    whole_text: str
    letter: str
    eml: str


_OUTCOMES: Mapping[str, str] = {
    "orders": "orders taken", "answered": "answered", "note": "passed on to the game master", "wrong-phase": "for a phase that was over",
    "copy": "the same mail again: nothing happened", "confirmation-refused": "the forged mail is thrown away", "confirmed": "confirmed",
    "eliminated": "from an eliminated player", "game-over": "after the end", "empty": "nothing new in it",
}  # fmt: skip
_KINDS: Mapping[str, str] = {
    "invitation": "invitation", "welcome": "welcome", "turn": "turn mail", "receipt": "receipt", "bulletin": "bulletin", "reminder": "reminder",
    "answer": "answer", "notice": "notice", "confirm": "confirmation", "ending": "the end",
}  # fmt: skip


def kind_words(mail: Filed) -> str:
    """What a mail was, in words."""
    if mail.direction == "out":
        return _KINDS.get(mail.kind, mail.kind)
    head = mail.kind.partition(":")[0]
    return {
        "unproven": "written by somebody else: a confirmation is asked for", "stranger": "by a stranger: logged, never answered",
        "automatic": "automatic: logged, never answered",
    }.get(head) or _OUTCOMES.get(head, head)  # fmt: skip


async def write_gallery(stage: Stage, people: Sequence[Person], chosen: Person, seconds: float, folder: Path) -> Path:
    """Write everything under this folder; the index page comes back."""
    names = {person.address: person.name for person in people}
    _clear(folder)
    filed = await file_mails(stage, names, folder / "mails")
    moment, counts = await stage.moment(), await read_counts(stage)
    desk = _Binder(folder, ZoneInfo(chosen.zone))
    told = await stage.happenings(0, moment.phase_number)
    bulletins = [
        desk.bulletin(mail, [happening for happening in told if happening.phase_number == number])
        for number, mail in enumerate(
            mail for mail in filed if mail.kind in _BULLETINS and mail.direction == "out" and mail.address == chosen.address
        )
    ]
    rules = rules_of(stage.parts.policy)
    letters = [
        desk.letter(mail, read_mail(mail.raw, rules).text if mail.direction == "in" else "")
        for mail in filed
        if mail.address == chosen.address
    ]
    index = folder / "index.html"
    index.write_text(
        _environment()
        .get_template("index.html.j2")
        .render(
            outcome=outcome_words(moment),
            moment=moment,
            counts=counts,
            tallies=_tallies(moment, counts, seconds),
            players=_cast(moment, people, stage),
            bulletins=bulletins,
            chosen=chosen.name,
            letters=letters,
            mails=[(mail, kind_words(mail), desk.at(mail.at), os.path.relpath(mail.path, folder)) for mail in filed],
            service=SERVICE_ADDRESS,
        ),
        encoding="utf-8",
    )
    return index


def _clear(folder: Path) -> None:
    """Take away what an earlier gallery left in this folder, and nothing else."""
    for pattern in ("mails/*.eml", "letters/*.html", "pictures/*.png"):
        for path in folder.glob(pattern):
            path.unlink()


class _Binder:
    """Writes letters and pictures into the gallery's folder, each picture once."""

    def __init__(self, folder: Path, zone: ZoneInfo) -> None:
        self._folder = folder
        self._zone = zone
        for name in ("letters", "pictures"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def at(self, instant: datetime) -> str:
        return instant.astimezone(self._zone).strftime("%a %-d %b, %H:%M")

    def bulletin(self, mail: Filed, news: Sequence[Happening]) -> BulletinCard:
        received = Received(mail.raw)
        pictures = self._keep_pictures(received)
        lines = tuple(happening.words for happening in news if happening.kind not in _SILENT)
        return BulletinCard(
            title=received.subject.partition("] ")[2] or received.subject,
            when=self.at(mail.at),
            picture=next(iter(pictures.values()), ""),
            alt=headline(news),
            lines=lines,
            letter=self._keep_letter(mail, received, pictures),
            eml=self._link(mail.path),
        )

    def letter(self, mail: Filed, new_text: str) -> LetterCard:
        received = Received(mail.raw)
        ours = mail.direction == "out"
        return LetterCard(
            number=mail.number,
            ours=ours,
            genuine=mail.is_genuine,
            when=self.at(mail.at),
            subject=received.subject,
            kind=kind_words(mail),
            new_text=new_text,
            whole_text=received.text,
            letter=self._keep_letter(mail, received, self._keep_pictures(received)) if ours else "",
            eml=self._link(mail.path),
        )

    def _keep_pictures(self, received: Received) -> dict[str, str]:
        kept = {}
        for cid, png in received.pictures.items():
            path = self._folder / "pictures" / f"{hashlib.sha256(png).hexdigest()[:16]}.png"
            if not path.exists():
                path.write_bytes(png)
            kept[cid] = self._link(path)
        return kept

    def _keep_letter(self, mail: Filed, received: Received, pictures: Mapping[str, str]) -> str:
        path = self._folder / "letters" / f"{mail.number:04d}.html"
        html = _CID.sub(lambda found: f"../{pictures[found[1]]}" if found[1] in pictures else found[0], received.html)
        path.write_text(html, encoding="utf-8")
        return self._link(path)

    def _link(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()


def _cast(moment: Moment, people: Sequence[Person], stage: Stage) -> list[PlayerCard]:
    quirks = {player.person.name: player.quirk for player in stage.correspondents}
    zones = {person.name: person.zone for person in people}
    view = moment.view
    cards = []
    for player in sorted(view.players, key=lambda player: (player.rank is None, player.rank or 0, -(player.fell_in or 0), player.number)):
        arms = ARMS[player.colour]
        if player.number in view.winners:
            fate = "wins"
        elif player.rank is not None:
            fate = f"rank {player.rank}, {len(player.provinces)} {'province' if len(player.provinces) == 1 else 'provinces'}, {player.vp} VP tokens"
        else:
            by = " and ".join("the Dragon" if number == 0 else view.player(number).name for number in player.fell_to)
            fate = f"out in turn {player.fell_in}, by {by}"
        habit = _HABITS[quirks.get(player.name)]
        cards.append(
            PlayerCard(player.name, arms.colour, arms.symbol, arms.full, arms.on, arms.sign, zones.get(player.name, ""), habit, fate)
        )
    return cards


def _tallies(moment: Moment, counts: Counts, seconds: float) -> list[tuple[str, str]]:
    """The figures on top."""
    return [
        (str(moment.turn), "turns"),
        (str(counts.phases), "phases closed"),
        (str(counts.mails_in), "mails in"),
        (str(counts.mails_out), "mails out"),
        (f"{counts.dragon_defeats} of {counts.dragon_attacks}", "Dragon Attacks beaten"),
        (str(counts.eliminations), "eliminations"),
        (str(counts.strangers), "by strangers"),
        (str(counts.copies), "sent twice"),
        (str(counts.automatic), "automatic"),
        (str(counts.late), "late"),
        (str(counts.bounces), "bounced"),
        (f"{seconds:.0f}", "seconds"),
    ]


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("templates", "demo"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["phase_words"] = phase_words
    return environment

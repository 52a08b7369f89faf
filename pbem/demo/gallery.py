"""The gallery of a demonstration: an index page that works offline, the bulletins with their boards, one player's mails."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

from pbem.demo.binding import Binder, kind_words
from pbem.demo.cast import Person
from pbem.demo.counts import Counts, read_counts
from pbem.demo.filing import file_mails
from pbem.demo.progress import outcome_words
from pbem.demo.stage import SERVICE_ADDRESS, Moment, Stage
from pbem.desk.receive import rules_of
from pbem.mail.reading import read_mail
from pbem.pages.gallery import PlayerCard, render_gallery
from pbem.pages.protectors_gallery import player_cards

_BULLETINS = ("welcome", "bulletin", "ending")
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


async def write_gallery(stage: Stage, people: Sequence[Person], chosen: Person, seconds: float, folder: Path) -> Path:
    """Write everything under this folder, in place of an earlier gallery; the index page comes back."""
    names = {person.address: person.name for person in people}
    _clear(folder)
    filed = await file_mails(stage, names, folder / "mails")
    moment, counts = await stage.moment(), await read_counts(stage)
    told = await stage.happenings(0, moment.phase_number)
    binder = Binder(folder, ZoneInfo(chosen.zone))
    rules = rules_of(stage.parts.policy)
    own = [mail for mail in filed if mail.address == chosen.address]
    values = {
        "outcome": outcome_words(moment),
        "tallies": _tallies(counts, seconds),
        "players": _cast(moment, people, stage),
        "bulletins": [
            binder.bulletin(mail, [happening for happening in told if happening.phase_number == number])
            for number, mail in enumerate(mail for mail in own if mail.direction == "out" and mail.kind in _BULLETINS)
        ],
        "chosen": chosen.name,
        "letters": [binder.letter(mail, read_mail(mail.raw, rules).text if mail.direction == "in" else "") for mail in own],
        "mails": [(mail, kind_words(mail), binder.at(mail.at), f"mails/{mail.path.name}") for mail in filed],
        "service": SERVICE_ADDRESS,
    }
    index = folder / "index.html"
    index.write_text(render_gallery("index.html.j2", values), encoding="utf-8")
    return index


def _clear(folder: Path) -> None:
    """Take away what an earlier gallery left in this folder, and nothing else."""
    for pattern in ("mails/*.eml", "letters/*.html", "pictures/*.png"):
        for path in folder.glob(pattern):
            path.unlink()


def _cast(moment: Moment, people: Sequence[Person], stage: Stage) -> list[PlayerCard]:
    quirks = {player.person.name: player.quirk for player in stage.correspondents}
    zones = {person.name: person.zone for person in people}
    cards = player_cards(moment.view)
    return [replace(card, zone=zones.get(card.name, ""), habit=_HABITS[quirks.get(card.name)]) for card in cards]


def _tallies(counts: Counts, seconds: float) -> list[tuple[str, str]]:
    """The figures on top."""
    return [
        (str(counts.turns), "turns"),
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

"""The gallery of a demonstration: an index page that works offline, the bulletins with their boards, one player's mails."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined

from pbem.demo.binding import Binder, kind_words
from pbem.demo.cast import Person
from pbem.demo.counts import Counts, read_counts
from pbem.demo.filing import file_mails
from pbem.demo.progress import outcome_words
from pbem.demo.stage import SERVICE_ADDRESS, Moment, Stage
from pbem.desk.receive import rules_of
from pbem.mail.reading import read_mail
from pbem.pages.arms import ARMS

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
    return _write_index(folder / "index.html", values)


def _write_index(path: Path, values: Mapping[str, object]) -> Path:
    loader = PackageLoader("templates", "demo")
    pages = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    path.write_text(pages.get_template("index.html.j2").render(values), encoding="utf-8")
    return path


def _clear(folder: Path) -> None:
    """Take away what an earlier gallery left in this folder, and nothing else."""
    for pattern in ("mails/*.eml", "letters/*.html", "pictures/*.png"):
        for path in folder.glob(pattern):
            path.unlink()


def _cast(moment: Moment, people: Sequence[Person], stage: Stage) -> list[PlayerCard]:
    quirks = {player.person.name: player.quirk for player in stage.correspondents}
    zones = {person.name: person.zone for person in people}
    view = moment.view
    cards = []
    for player in sorted(
        view.players,
        key=lambda player: (
            player.number not in view.winners,
            player.rank is None,
            player.rank or 0,
            -(player.fell_in or 0),
            player.number,
        ),
    ):
        arms = ARMS[player.colour]
        if player.number in view.winners:
            fate = "wins"
        elif player.rank is not None:
            lands = len(player.provinces)
            fate = f"rank {player.rank}, {lands} {'province' if lands == 1 else 'provinces'}, {player.vp} VP tokens"
        else:
            by = " and ".join("the Dragon" if number == 0 else view.player(number).name for number in player.fell_to)
            fate = f"out in turn {player.fell_in}, by {by}"
        habit = _HABITS[quirks.get(player.name)]
        cards.append(
            PlayerCard(player.name, arms.colour, arms.symbol, arms.full, arms.on, arms.sign, zones.get(player.name, ""), habit, fate)
        )
    return cards


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

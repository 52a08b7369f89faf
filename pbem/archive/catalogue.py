"""The contents of a folder of archives: a card for each game, kept next to the games, so that the
house's index is made without reading every game again.
"""

import fcntl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import msgspec
import structlog

from pbem.archive.folder import make_folder
from pbem.archive.model import Archive, Step
from pbem.archive.outdated import Stamp
from pbem.pages.kit.arms import Arms, arms_of

CATALOGUE = "games.json"
THUMBNAIL = "card.webp"
MOST_ENTRIES = 30
"""The newest closes of a game in a feed."""
_LOCK = ".lock"

_log = structlog.get_logger("archive")


class Player(msgspec.Struct, frozen=True, omit_defaults=True):
    """`colour` names the arms; `own` are those that only this game has."""

    name: str
    colour: str
    won: bool
    is_out: bool
    own: Arms | None = None

    @property
    def arms(self) -> Arms:
        return self.own or arms_of(self.colour)


class GameCard(msgspec.Struct, frozen=True):
    """A close as feeds tell it."""

    key: str
    headline: str
    sentence: str
    at: datetime


class Card(msgspec.Struct, frozen=True):
    """A game as the house shows it. `players` are in the order in which they came out, or of their
    numbers; `entries` the newest first; `picture` is the height of the thumbnail, px, as it is
    shown, 0 without one, and `alt` what it shows.
    """

    slug: str
    title: str
    game: str
    turn_word: str
    status: str
    zone: str
    headline: str
    sentence: str
    turns: int
    commitment: str
    begun: datetime
    players: tuple[Player, ...]
    picture: int
    alt: str
    entries: tuple[GameCard, ...]
    due: datetime | None
    due_name: str
    stamp: Stamp

    @property
    def last(self) -> datetime:
        """When it last changed."""
        return self.entries[0].at

    @property
    def is_over(self) -> bool:
        return self.status != "running"

    @property
    def winners(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players if player.won)


class _Catalogue(msgspec.Struct, frozen=True):
    games: tuple[Card, ...]
    version: int = 1


def card_of(archive: Archive, stamp: Stamp, picture: int) -> Card:
    """The card of a game, with its picture."""
    last = archive.steps[-1]
    out = {chip.player for chip in last.chips if chip.is_out}
    people = sorted(archive.people, key=lambda one: (one.place or len(archive.people), one.number))
    return Card(
        slug=archive.slug,
        title=archive.title,
        game=archive.game,
        turn_word=archive.turn_word,
        status=archive.status,
        zone=archive.zone,
        headline=archive.lead.headline,
        sentence=archive.lead.sentence,
        turns=last.turn,
        commitment=archive.proof.commitment,
        begun=archive.steps[0].at,
        players=tuple(
            Player(
                one.name,
                one.arms.colour,
                one.won,
                one.number in out,
                one.arms if one.arms.package else None,
            )
            for one in people
        ),
        picture=picture,
        alt=last.drawing.alt,
        entries=tuple(_entry(step) for step in reversed(archive.steps[-MOST_ENTRIES:])),
        due=archive.due,
        due_name=archive.due_name,
        stamp=stamp,
    )


def _entry(step: Step) -> GameCard:
    return GameCard(step.key, step.lead.headline, step.lead.sentence, step.at)


def read_catalogue(folder: Path) -> dict[str, Card]:
    """The games of the folder, by their short names; none where there is no catalogue that can be
    read. What somebody has taken away is left out.
    """
    try:
        found = msgspec.json.decode((folder / CATALOGUE).read_bytes(), type=_Catalogue)
    except FileNotFoundError:
        return {}
    except msgspec.MsgspecError as error:
        _log.warning("catalogue-unreadable", reason=str(error))
        return {}
    return {card.slug: card for card in found.games if (folder / card.slug / "index.html").exists()}


def format_catalogue(cards: Iterable[Card]) -> bytes:
    """The file that `read_catalogue` reads."""
    games = tuple(sorted(cards, key=lambda card: card.slug))
    return msgspec.json.format(msgspec.json.encode(_Catalogue(games)), indent=1)


@contextmanager
def alone_at(folder: Path) -> Iterator[None]:
    """Of several processes that change the catalogue, one at a time."""
    make_folder(folder)
    with (folder / _LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

"""What a picture of Fortresses shows: plain values in the field's words, no rules, no places.

A scene is what the engine's view and the last public events come to. Same scene, same picture, byte
for byte. Kingdoms and alliances are the engine's keys, zones their names, `counts` (code, number).
"""

from typing import Literal

import msgspec

from engine.fortresses.atlas import Alliance, Kingdom, Structure
from engine.fortresses.units import UnitCode
from pbem.board.board import Chronicle

Counts = tuple[tuple[UnitCode, int], ...]


class Force(msgspec.Struct, frozen=True):
    """The units of one kingdom in a zone."""

    kingdom: Kingdom
    counts: Counts


class Zone(msgspec.Struct, frozen=True):
    """`owner` None: a Sea. `city` is the name of a Great City, if there is one."""

    name: str
    code: str
    owner: Kingdom | None = None
    structure: Structure = "none"
    city: str = ""
    forces: tuple[Force, ...] = ()


class March(msgspec.Struct, frozen=True):
    """Units that attacked `target`. `gate` is the zone before it on their way: `origin` itself when
    they are neighbours.
    """

    kingdom: Kingdom
    origin: str
    gate: str
    target: str
    counts: Counts


class Landing(msgspec.Struct, frozen=True):
    """A passenger carried over `sea` to attack `target`. `shore` is where it went aboard, if that
    Land lies on this Sea. `drowned`: it never came ashore.
    """

    kingdom: Kingdom
    origin: str
    shore: str
    sea: str
    target: str
    counts: Counts
    drowned: bool = False


class Battle(msgspec.Struct, frozen=True):
    """A battle of the last attacks: units lost by attackers and defenders so far. `winner` None:
    nobody was left. `retreated`: this many Dragons left it. `passed`: there was nobody to fight.
    """

    zone: str
    attacker: Kingdom
    lost: int = 0
    felled: int = 0
    rounds: int = 0
    winner: Kingdom | None = None
    state: Literal["over", "fought", "waiting"] = "over"
    result: str = ""
    retreated: int = 0
    conquered_from: Kingdom | None = None


class Realm(msgspec.Struct, frozen=True):
    """A kingdom's card. `player` gives its orders; `seat` holds it, if that is somebody else.
    Names are as people wrote them: the picture cuts and escapes them.
    """

    kingdom: Kingdom
    alliance: Alliance
    player: str
    gold: int
    income: int
    lands: int
    supply: Counts
    active: bool = False
    seat: str = ""


class Scene(msgspec.Struct, frozen=True):
    """One picture. `due` are three lines, upper right; `fortresses` the owners of the eight, by
    alliance; `attacker` and `attack_year` belong to marches, landings and battles.
    """

    table: str
    year: int
    stage: str
    phase: str
    due: tuple[str, str, str]
    zones: tuple[Zone, ...]
    realms: tuple[Realm, ...]
    fortresses: tuple[tuple[Alliance, tuple[Kingdom, ...]], ...]
    marches: tuple[March, ...] = ()
    landings: tuple[Landing, ...] = ()
    battles: tuple[Battle, ...] = ()
    attacker: Kingdom | None = None
    winner: str = ""
    how: str = ""
    hypothesis: bool = False
    chronicle: Chronicle | None = None
    is_first: bool = False
    """A legend stands below."""

    @property
    def active(self) -> Realm | None:
        """Whose turn it is; None when the game is over."""
        return next((realm for realm in self.realms if realm.active), None)

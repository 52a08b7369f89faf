"""What the rules of Straits work with: the map, state, orders and events. Nothing is hidden but the
orders of others.
"""

from collections.abc import Iterator
from typing import ClassVar, Literal

import msgspec

from engine.maps import load_map
from engine.ruleset import Facts
from engine.usual import RulingGiven

Kind = Literal["army", "fleet"]
KINDS: tuple[Kind, ...] = ("army", "fleet")
YEARS, TO_WIN = 8, 6


class Land(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a place is besides what every map says: `home` of which seat, and what starts there."""

    port: bool = False
    home: int = 0
    start: Kind | None = None


MAP = load_map("straits", "data/map.yaml", Land, kinds=("land", "sea"), borders=KINDS)
PORTS = tuple(name for name, place in MAP.places.items() if place.facts.port)
HOMES = {seat: tuple(n for n in PORTS if MAP.places[n].facts.home == seat) for seat in (1, 2, 3)}


def place_of(key: str) -> str:
    """The place of a coast, or the place itself."""
    return MAP.place(key).name


# ----------------------------------------------------------------------------------------- the state
class Player(msgspec.Struct, frozen=True):
    number: int
    name: str
    colour: str = "red"
    gone: bool = False


class Unit(msgspec.Struct, frozen=True):
    """`at` names a place, or the coast at which a fleet lies."""

    at: str
    kind: Kind
    owner: int

    @property
    def place(self) -> str:
        return place_of(self.at)


class Beaten(msgspec.Struct, frozen=True):
    """A unit that has to leave, and where it may go."""

    unit: Unit
    ways: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True):
    """What everybody sees: it is its own view, with the player who looks (`you`). `ports` are
    (place, player).
    """

    players: tuple[Player, ...]
    units: tuple[Unit, ...] = ()
    ports: tuple[tuple[str, int], ...] = ()
    beaten: tuple[Beaten, ...] = ()
    turn: int = 1
    stage: Literal["orders", "muster", "over"] = "orders"
    winners: tuple[int, ...] = ()
    how: str = ""
    you: int | None = None

    @property
    def asked(self) -> tuple[int, ...]:
        """Who orders: whose units are there; who has units to retreat, to build or to disband."""
        if self.stage == "orders":
            return self.active
        lost = {one.unit.owner for one in self.beaten}
        return tuple(n for n in self.active if n in lost or self.surplus(n) < 0 or self.sites(n))

    @property
    def active(self) -> tuple[int, ...]:
        return tuple(
            one.number
            for one in self.players
            if not one.gone
            and not self.how
            and (self.units_of(one.number) or self.held(one.number))
        )

    def units_of(self, player: int) -> tuple[Unit, ...]:
        """Those of a player, beaten ones too."""
        every = (*self.units, *(one.unit for one in self.beaten))
        return tuple(unit for unit in every if unit.owner == player)

    def held(self, player: int) -> tuple[str, ...]:
        return tuple(place for place, holder in self.ports if holder == player)

    def surplus(self, player: int) -> int:
        """How many units a player may build; below 0, how many must go."""
        return len(self.held(player)) - len(self.units_of(player))

    def sites(self, player: int) -> tuple[str, ...]:
        """Where a player may build: empty home ports that are still theirs."""
        full = {unit.place for unit in self.units}
        free = [name for name in HOMES[player] if name in self.held(player) and name not in full]
        return tuple(free) if self.surplus(player) > 0 else ()

    def unit_at(self, place: str) -> Unit | None:
        return next((unit for unit in self.units if unit.place == place), None)


# ------------------------------------------------------------------------------------------ orders
class Hold(msgspec.Struct, frozen=True, tag="hold"):
    form: ClassVar[str] = "{unit:place} holds"
    unit: str


class Move(msgspec.Struct, frozen=True, tag="move"):
    """`target` may be a coast."""

    form: ClassVar[str] = "{unit:place} to {target:key}"
    unit: str
    target: str


class Support(msgspec.Struct, frozen=True, tag="support"):
    """Help for a unit of anybody, to hold or to move."""

    form: ClassVar[str] = "{unit:place} supports {of:place}[ to {target:place}]"
    unit: str
    of: str
    target: str = ""


class Retreat(msgspec.Struct, frozen=True, tag="retreat"):
    form: ClassVar[str] = "Retreat {unit:place} to {target:key}"
    unit: str
    target: str


class Build(msgspec.Struct, frozen=True, tag="build"):
    form: ClassVar[str] = "Build {kind:kind} in {unit:place}"
    kind: Kind
    unit: str


class Disband(msgspec.Struct, frozen=True, tag="disband"):
    form: ClassVar[str] = "Disband {unit:place}"
    unit: str


Campaign = Hold | Move | Support
Order = Campaign | Retreat | Build | Disband


# --------------------------------------------------------------------------------- what can happen
class GameSetUp(Facts, frozen=True, tag="game-set-up"):
    years: int
    to_win: int


class Carried(Facts, frozen=True, tag="carried"):
    """An order as it came out; `of` and `target` as in orders."""

    year: int
    player: int
    text: str
    unit: str
    target: str
    of: str
    works: bool


class Dislodged(Facts, frozen=True, tag="dislodged"):
    player: int
    kind_of: Kind
    place: str
    by: int


class PortTaken(Facts, frozen=True, tag="port-taken"):
    player: int
    place: str
    was: int


class Mustered(Facts, frozen=True, tag="mustered"):
    """A unit that retreated, was built or was disbanded; `by_rule`: nobody had ordered it."""

    year: int
    player: int
    act: Literal["retreat", "build", "disband"]
    kind_of: Kind
    place: str
    target: str = ""
    by_rule: bool = False


class PlayerLeft(Facts, frozen=True, tag="left"):
    player: int


class Corrected(Facts, frozen=True, tag="corrected"):
    player: int
    place: str


class GameOver(Facts, frozen=True, tag="game-over"):
    winners: tuple[int, ...]
    ports: int


AnyFacts = (
    GameSetUp
    | Carried
    | Dislodged
    | PortTaken
    | Mustered
    | PlayerLeft
    | Corrected
    | GameOver
    | RulingGiven
)


def faults_of(state: State) -> Iterator[str]:
    """What no game can come to."""
    places = [unit.place for unit in state.units]
    if len(set(places)) < len(places):
        yield "two units in one place"
    if not {unit.at for unit in state.units} <= set(MAP.keys):
        yield "a unit at no place"
    if not {place for place, _ in state.ports} <= set(PORTS):
        yield "a port that is none"

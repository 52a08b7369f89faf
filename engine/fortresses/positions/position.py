"""Positions of cases read into states (FF-2); what breaks the rules is an error that names its
place.
"""

from typing import get_args

import msgspec
from msgspec.structs import replace

from engine.fortresses import orders as o
from engine.fortresses.atlas import ALLIANCES, KINGDOMS, Kingdom, lands, zones
from engine.fortresses.codec import faults_of
from engine.fortresses.positions.position_words import (
    BATTLE_KEYS,
    PASSENGER_KEYS,
    POSITION_KEYS,
    STAGES,
    parse_kingdom,
    parse_number,
    parse_text,
    parse_troops,
    parse_zone,
)
from engine.fortresses.state import (
    HOWS,
    Battle,
    Garrison,
    How,
    Options,
    Passenger,
    Player,
    Realm,
    Stage,
    State,
    Winner,
)
from engine.fortresses.table import Table
from engine.fortresses.units import LAND_CODES, NONE, Units
from engine.positions import PositionError, PositionPart
from engine.ruleset import Standing

COLOURS: dict[Kingdom, str] = {"silver": "silver", "red": "red", "blue": "blue", "gold": "gold"}


def parse_position(position: object, options: object, case: str) -> State:
    """The state of a position. PositionError if something does not fit or breaks the rules."""
    told_options = PositionPart(options, ("options",))
    try:
        chosen = msgspec.convert(
            {
                key: part.value
                for key, part in told_options.fields(Options.__struct_fields__).items()
            },
            Options,
        )
    except msgspec.ValidationError as wrong:
        raise told_options.error("year_limit is a number, early_close yes or no") from wrong
    state = _Reader(PositionPart(position, ("position",)), chosen).state()
    fault = next(faults_of(state), None)
    if fault is not None:
        raise PositionError(("position",), f"{fault} ({case})")
    return state


def parse_standings(position: object, state: State) -> dict[int, Standing[o.Order]]:
    """Nobody has said anything before a case begins; stored lines are `held`, in the state."""
    return {}


class _Reader:
    def __init__(self, part: PositionPart, options: Options) -> None:
        self.part, self.options = part, options
        self.told = part.fields(POSITION_KEYS)
        for key in ("year", "phase", "active"):
            if key not in self.told:
                raise part.error(f"{key} is wanted here")
        named = self.told["phase"].one_of(STAGES)
        self.stage: Stage = next(stage for stage in get_args(Stage) if stage == named)
        self.active = parse_kingdom(self.told["active"])
        self._only_in("battle", ("instructions", "battles", "passengers"))
        self._only_in("over", ("winner", "by"))
        self.seats = self._seats()

    def _only_in(self, stage: str, keys: tuple[str, ...]) -> None:
        for key in keys:
            if key in self.told and self.stage != stage:
                raise self.told[key].error(f"only in the phase {stage}")

    def _pairs(self, key: str) -> list[tuple[str, PositionPart]]:
        return self.told[key].pairs() if key in self.told else []

    def _parts(self, key: str) -> list[PositionPart]:
        return self.told[key].parts() if key in self.told else []

    def state(self) -> State:
        held = tuple(map(parse_text, self._parts("held")))
        agreed = self.told["agreed"].fields(("draw", "concede")) if "agreed" in self.told else {}
        winner, how = self._end()
        state = State(
            options=self.options,
            players=tuple(
                Player(
                    number,
                    name,
                    COLOURS[kingdoms[0]] if kingdoms else f"grey {number}",
                    not kingdoms,
                )
                for number, (name, kingdoms) in enumerate(self.seats.items(), start=1)
            ),
            realms=self._realms(),
            owners=self._owners(),
            garrisons=self._garrisons(),
            year=self.told["year"].integer(1),
            stage=self.stage,
            active=self.active,
            held=held if self.stage in ("attack", "reinforce") else (),
            kept=tuple(order for order in held if not isinstance(order, o.Then | o.Named))
            if self.stage == "battle"
            else (),
            answered=self.told["answered"].flag() if "answered" in self.told else False,
            draw=tuple(map(self._player, agreed["draw"].parts())) if "draw" in agreed else (),
            concede=tuple(map(self._player, agreed["concede"].parts()))
            if "concede" in agreed
            else (),
            instructions=tuple(map(_instruction, self._parts("instructions"))),
            battles=self._battles(),
            passengers=tuple(map(_passenger, self._parts("passengers"))),
            winner=winner,
            how=how,
        )
        gold = Table(state).income_of(self.active) if self.stage == "reinforce" else 0
        return replace(state, gold=self.told["gold"].integer() if "gold" in self.told else gold)

    # ------------------------------------------------------------------------------------------ who
    def _seats(self) -> dict[str, tuple[Kingdom, ...]]:
        if "seats" not in self.told:
            return {kingdom: (kingdom,) for kingdom in KINGDOMS}
        part = self.told["seats"]
        found = {name: tuple(map(parse_kingdom, entry.parts())) for name, entry in part.pairs()}
        dealt = [kingdom for kingdoms in found.values() for kingdom in kingdoms]
        if sorted(dealt) != sorted(KINGDOMS):
            raise part.error("each kingdom has one seat")
        for kingdoms in found.values():
            if not any(set(kingdoms) <= set(side) for side in ALLIANCES.values()):
                raise part.error("nobody plays in both alliances")
        return found

    def _player(self, part: PositionPart) -> int:
        return list(self.seats).index(part.one_of(self.seats)) + 1

    def _realms(self) -> tuple[Realm, ...]:
        seats = {
            kingdom: number
            for number, kingdoms in enumerate(self.seats.values(), start=1)
            for kingdom in kingdoms
        }
        found = {kingdom: Realm(kingdom, seats[kingdom]) for kingdom in KINGDOMS}
        for key in ("presets", "missed", "command"):
            for name, part in self._pairs(key):
                kingdom = parse_kingdom(PositionPart(name, part.path))
                match key:
                    case "presets":
                        presets = tuple(
                            order
                            for order in map(_instruction, part.parts())
                            if not isinstance(order, o.BattleOrder)
                        )
                        found[kingdom] = replace(found[kingdom], presets=presets)
                    case "missed":
                        found[kingdom] = replace(found[kingdom], missed=part.integer())
                    case _:
                        found[kingdom] = replace(found[kingdom], command=self._player(part))
        return tuple(found.values())

    # ------------------------------------------------------------------------------ what lies where
    def _owners(self) -> tuple[Kingdom, ...]:
        told = {
            parse_zone(PositionPart(name, part.path), is_land=True): parse_kingdom(part)
            for name, part in self._pairs("owners")
        }
        return tuple(told.get(name, zones()[name].owner or "silver") for name in lands())

    def _garrisons(self) -> tuple[Garrison, ...]:
        base = self.told["base"].one_of(("clear", "start")) if "base" in self.told else "clear"
        units: dict[str, dict[Kingdom, Units]] = {name: {} for name in zones()}
        if base == "start":
            units |= {
                name: {zone.start_kingdom: zone.start}
                for name, zone in zones().items()
                if zone.start_kingdom and zone.start.total
            }
        for name, part in self._pairs("units"):
            units[parse_zone(PositionPart(name, part.path))] = parse_troops(part)
        moved = {
            parse_zone(PositionPart(name, part.path)): parse_number(part)
            for name, part in self._pairs("moved")
        }
        carried = {
            parse_zone(PositionPart(name, part.path), is_land=False): part.integer()
            for name, part in self._pairs("carried")
        }
        for key, zone in (
            (key, zone) for key, told in (("moved", moved), ("carried", carried)) for zone in told
        ):
            if self.active not in units[zone]:
                raise self.told[key].error(f"{self.active} has no units in {zone}")
        return tuple(
            Garrison(
                zone,
                kingdom,
                there[kingdom],
                *((moved.get(zone, NONE), carried.get(zone, 0)) if kingdom == self.active else ()),
            )
            for zone, there in units.items()
            for kingdom in KINGDOMS
            if kingdom in there and there[kingdom] != NONE
        )

    # ----------------------------------------------------------------------------- battles, the end
    def _battles(self) -> tuple[Battle, ...]:
        parts = self._parts("battles")
        if self.stage == "battle" and not parts:
            raise self.part.error("battles are wanted here")
        return tuple(_battle(part, has_begun=i == 0) for i, part in enumerate(parts))

    def _end(self) -> tuple[Winner | None, How | None]:
        if self.stage != "over":
            return None, None
        if not {"winner", "by"} <= set(self.told):
            raise self.part.error("winner and by are wanted here")
        outcomes: tuple[Winner, ...] = (*ALLIANCES, "draw")
        winner, how = self.told["winner"].one_of(outcomes), self.told["by"].one_of(HOWS)
        return next(known for known in outcomes if known == winner), next(
            known for known in HOWS if known == how
        )


def _instruction(part: PositionPart) -> o.Instruction:
    order = parse_text(part)
    if not isinstance(order, o.Instruction):
        raise part.error(f"{part.value!r} is no standing instruction")
    return order


def _battle(part: PositionPart, has_begun: bool) -> Battle:
    told = part.fields(BATTLE_KEYS)
    if not {"zone", "attackers"} <= set(told):
        raise part.error("zone and attackers are wanted here")
    attackers = parse_number(told["attackers"])
    if not has_begun:
        return Battle(parse_zone(told["zone"]), attackers)
    points, rounds, hits = (
        told[key].integer() if key in told else 0 for key in ("points", "round", "hits")
    )
    started = parse_number(told["started"]) if "started" in told else attackers
    return Battle(parse_zone(told["zone"]), attackers, started, points, rounds, hits)


def _passenger(part: PositionPart) -> Passenger:
    told = part.fields(PASSENGER_KEYS)
    if set(told) != set(PASSENGER_KEYS):
        raise part.error("sea, unit and land are wanted here")
    unit = told["unit"].one_of(LAND_CODES)
    code = next(known for known in LAND_CODES if known == unit)
    return Passenger(
        parse_zone(told["sea"], is_land=False), code, parse_zone(told["land"], is_land=True)
    )

"""Positions as cases tell them (SF-3), read into a state."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine.positions import PositionError, PositionPart
from engine.ruleset import Standing
from engine.sovereigns.codec import faults_of
from engine.sovereigns.codes import ATTRIBUTES, is_code
from engine.sovereigns.orders import Do, OfferItem, Order, Year
from engine.sovereigns.positions.position_words import (
    KINGDOM_KEYS,
    NEXT_KEYS,
    POSITION_KEYS,
    YEAR_END,
    parse_building,
    parse_points,
)
from engine.sovereigns.setup import check_options
from engine.sovereigns.state import (
    SEASONS,
    SUPPORTS,
    Discovery,
    Kingdom,
    Loan,
    Mod,
    Next,
    OpenBallot,
    OpenOffer,
    Options,
    Points,
    Stage,
    State,
)
from engine.sovereigns.wording import parse_item, parse_order

STAGES: tuple[Stage, ...] = ("setup", "year-start", "season", "over")
_START = 3


def parse_position(data: object, options: object, case_id: str) -> State:
    """A position told in a case; PositionError names the key that does not fit. Nothing is
    drawn.
    """
    try:
        chosen = check_options(
            {key: part.value for key, part in PositionPart(options, ("options",)).pairs()}
        )
    except ValueError as wrong:
        raise PositionError(("options",), str(wrong)) from wrong
    return _Loader(PositionPart(data, ("position",)), chosen).state()


def parse_standings(data: object, state: State) -> dict[int, Standing[Order]]:
    """Pending orders are no part of a position (SF-3)."""
    return {}


class _Loader:
    def __init__(self, part: PositionPart, options: Options) -> None:
        self.told = part.fields(POSITION_KEYS)
        self.options = options
        if "kingdoms" not in self.told:
            raise PositionError(("position", "kingdoms"), "is missing")
        seats = self.told["kingdoms"].pairs()
        self.names = {name: number for number, (name, _) in enumerate(seats, start=1)}

    def _part(self, key: str, default: object = None) -> PositionPart:
        return self.told.get(key, PositionPart(default, ("position", key)))

    def _who(self, part: PositionPart) -> int:
        if part.text() not in self.names:
            raise part.error(f"no kingdom {part.value!r}; there are {', '.join(self.names)}")
        return self.names[part.text()]

    def state(self) -> State:
        technologies = {name: self._code(code) for name, code in self._part("technologies").pairs()}
        counts = {
            key: part.integer()
            for key, part in (
                self._part("counts").fields(("actions", "offers", "objections")).items()
            )
        }
        stage = self._part("phase", "season").one_of(STAGES)
        season = self._part("season", "Spring").one_of(SEASONS)
        parts = self.told["kingdoms"].pairs()
        state = State(
            options=self.options,
            kingdoms=tuple(
                self._kingdom(number, name, part)
                for number, (name, part) in enumerate(parts, start=1)
            ),
            seating=tuple(self.names.values()),
            stage=next(known for known in STAGES if known == stage),
            year=self._part("year", 1).integer(1),
            season=next(known for known in SEASONS if known == season),
            hour=self._part("hour", 0).integer(),
            expeditions=self._part("expeditions", 0).integer(),
            actions=counts.get("actions", 0),
            offered=counts.get("offers", 0),
            by_table=True,
            objections_made=counts.get("objections", 0),
            fallen=sum(
                part.fields(KINGDOM_KEYS).get("alive", PositionPart(value=True)).value is False
                for _, part in parts
            ),
            technologies=technologies,
            loans=tuple(self._loan(part) for part in self._part("loans").parts()),
            offers=tuple(self._offer(part) for part in self._part("offers").parts()),
            ballots=tuple(self._ballot(part) for part in self._part("ballots").parts()),
            winners=self._winners(),
        )
        state = replace(
            state,
            kingdoms=tuple(
                self._with_orders(state, k, p)
                for k, (_, p) in zip(state.kingdoms, parts, strict=True)
            ),
        )
        fault = next(faults_of(state), None)
        if fault is not None:
            raise PositionError(("position",), fault)
        return state

    def _code(self, part: PositionPart) -> str:
        if not is_code(part.text()):
            raise part.error(f"no code {part.value!r}")
        return part.text()

    def _kingdom(self, number: int, name: str, part: PositionPart) -> Kingdom:
        told = part.fields(KINGDOM_KEYS)
        alive = told["alive"].flag() if "alive" in told else True
        start = _START if alive and self._part("phase").value != "setup" else 0
        ex = (
            {key: value.integer() for key, value in told["ex"].fields(ATTRIBUTES).items()}
            if "ex" in told
            else {}
        )
        support = told["support"].one_of(SUPPORTS) if "support" in told else "none"
        more = told.get
        return Kingdom(
            number,
            name,
            name=told["name"].text() if "name" in told else "",
            total=Points(
                *(
                    told[attribute].integer() if attribute in told else start
                    for attribute in ATTRIBUTES
                )
            ),
            ex=Points(**ex),
            alive=alive,
            fell=0 if alive else 1,
            depleted=self._number(more("depleted")),
            rest=self._number(more("rest"), -2),
            faith=self._number(more("faith")),
            security=self._number(more("security")),
            support=next(known for known in SUPPORTS if known == support),
            mods=tuple(_mod(entry) for entry in _parts(more("mods"))),
            next=self._next(told["next"]) if "next" in told else Next(),
            tech=tuple(self._technology(entry) for entry in _parts(more("tech"))),
            buildings=tuple(parse_building(entry) for entry in _parts(more("bld"))),
            used=tuple(parse_building(entry).code for entry in _parts(more("used"))),
            converted_by=tuple(self._who(entry) for entry in _parts(more("converted_by"))),
            boons=tuple(
                "bonus" if entry.one_of(("bonus", "dice")) == "bonus" else "dice"
                for entry in _parts(more("boons"))
            ),
            discoveries=tuple(_discovery(entry) for entry in _parts(more("discoveries"))),
            claimed=told["claimed"].flag() if "claimed" in told else False,
        )

    def _number(self, part: PositionPart | None, least: int = 0) -> int:
        return 0 if part is None else part.integer(least)

    def _technology(self, part: PositionPart) -> str:
        if part.text() not in dict(self._part("technologies").pairs()):
            raise part.error(f"{part.value!r} has no code among the technologies")
        return part.text()

    def _next(self, part: PositionPart) -> Next:
        told = part.fields(NEXT_KEYS)
        defence = {
            self._who(PositionPart(key, entry.path)): entry.integer(-99)
            for key, entry in _pairs(told.pop("defence", None))
        }
        numbers: dict[str, Any] = {
            key.replace("-", "_"): entry.integer(-99) for key, entry in told.items()
        }
        return Next(**numbers, defence=defence)

    def _loan(self, part: PositionPart) -> Loan:
        told = _need(part, ("lender", "borrower", "points", "due"))
        points, attribute = parse_points(told["points"])
        due = None if told["due"].value == YEAR_END else told["due"].integer(1)
        return Loan(
            self._who(told["lender"]),
            self._who(told["borrower"]),
            "R" if attribute == "R" else "M",
            points,
            due,
        )

    def _offer(self, part: PositionPart) -> OpenOffer:
        told = _need(part, ("id", "from", "to", "gives", "wants", "left"))
        gives, wants = (
            tuple(_item(entry) for entry in told[key].parts()) for key in ("gives", "wants")
        )
        return OpenOffer(
            told["id"].integer(1),
            self._who(told["from"]),
            self._who(told["to"]),
            gives,
            wants,
            told["left"].integer(1),
        )

    def _ballot(self, part: PositionPart) -> OpenBallot:
        told = _need(part, ("claimant", "ayes", "left"))
        return OpenBallot(
            self._who(told["claimant"]),
            tuple(self._who(aye) for aye in told["ayes"].parts()),
            told["left"].integer(1),
        )

    def _winners(self) -> tuple[int, ...]:
        part = self._part("winner")
        if part.value is None or part.value == "draw":
            return ()
        return tuple(
            sorted(
                self._who(entry)
                for entry in (part.parts() if isinstance(part.value, list) else [part])
            )
        )

    def _with_orders(self, state: State, kingdom: Kingdom, part: PositionPart) -> Kingdom:
        told = part.fields(KINGDOM_KEYS)
        standing = told["standing"].fields(("year", "season")) if "standing" in told else {}
        year, season = _order(state, standing.get("year")), _order(state, standing.get("season"))
        winter = _order(state, told.get("year_order"))
        return replace(
            kingdom,
            every_year=year if isinstance(year, Year) else None,
            every_season=season if isinstance(season, Do) else None,
            year_order=winter if isinstance(winter, Year) else None,
        )


def _parts(part: PositionPart | None) -> list[PositionPart]:
    return [] if part is None else part.parts()


def _pairs(part: PositionPart | None) -> list[tuple[str, PositionPart]]:
    return [] if part is None else part.pairs()


def _need(part: PositionPart, keys: tuple[str, ...]) -> Mapping[str, PositionPart]:
    told = part.fields(keys)
    for key in keys:
        if key not in told and key != "ayes":
            raise PositionError((*part.path, key), "is missing")
    return {"ayes": PositionPart([], part.path), **told}


def _order(state: State, part: PositionPart | None) -> Order | None:
    if part is None:
        return None
    try:
        return parse_order(state, part.text())
    except ValueError as wrong:
        raise part.error(str(wrong)) from wrong


def _item(part: PositionPart) -> OfferItem:
    try:
        return parse_item(part.text())
    except ValueError as wrong:
        raise part.error(str(wrong)) from wrong


def _mod(part: PositionPart) -> Mod:
    told = part.fields(("flat", "die", "until"))
    flat, die = (told[key].integer(-99) if key in told else 0 for key in ("flat", "die"))
    until = told["until"].one_of(("season", "year")) if "until" in told else "season"
    return Mod(flat, die, "season" if until == "season" else "year")


def _discovery(part: PositionPart) -> Discovery:
    told = part.fields(("great", "name", "code", "left"))
    great = told["great"].flag() if "great" in told else False
    if "name" not in told:
        return Discovery(great)
    if "code" not in told or not is_code(told["code"].text()):
        raise PositionError((*part.path, "code"), "a proposal has a code of the lists")
    return Discovery(
        great,
        told["name"].text(),
        told["code"].text(),
        told["left"].integer(1) if "left" in told else 24,
    )

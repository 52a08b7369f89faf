"""From the engine's public view and the last public events to the scene of a board picture."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.fortresses import event_kinds as happened
from engine.fortresses.atlas import (
    ALLIANCES,
    KINGDOMS,
    Alliance,
    Element,
    Kingdom,
    distances,
    facts_of,
    neighbours,
    zones,
)
from engine.fortresses.orders import Attack, Carry, Group, parse_order
from engine.fortresses.units import CODES, Units, parse_units
from engine.fortresses.view import KingdomView, TableView, ZoneView
from engine.ruleset import Event
from pbem.board.board import TableFacts
from pbem.board.heading import due_lines, phase_words
from pbem.games.fortresses.board.scene import (
    Battle,
    Counts,
    Force,
    Landing,
    March,
    Realm,
    Scene,
    Zone,
)
from pbem.games.fortresses.board.words import say


def build_scene(view: TableView, events: Sequence[Event], about: TableFacts) -> Scene:
    """The scene of this view. `events` are those of the last closes: the last attacks among them
    are drawn, with their battles. Lines stored for an open phase are in no picture, nor is `you`
    (FW-1.8, FW-4.10).
    """
    told = _Told(view)
    for event in events:
        if event.is_for(None):
            told.take(event)
    return Scene(
        table=about.title,
        year=view.year,
        stage=view.stage,
        phase=phase_words(replace(about, phase=view.stage), say),
        due=due_lines(about, say),
        chronicle=about.chronicle,
        is_first=about.is_first,
        zones=tuple(map(_zone, view.zones)),
        realms=tuple(
            _realm(view, held, is_asked=about.chronicle is None) for held in view.kingdoms
        ),
        fortresses=_fortresses(view),
        marches=tuple(told.marches),
        landings=tuple(told.landings),
        battles=(*told.battles.values(), *_waiting(view, told)),
        attacker=told.attacker,
        winner=view.winner or "",
        how=view.how or "",
        hypothesis=about.hypothesis,
    )


def _zone(held: ZoneView) -> Zone:
    return Zone(
        held.name,
        held.code,
        held.owner,
        held.structure,
        held.great_city or "",
        tuple(Force(kingdom, tuple(units.pairs())) for kingdom, units in held.units),
    )


def _realm(view: TableView, held: KingdomView, *, is_asked: bool) -> Realm:
    names = {player.number: player.name for player in view.players}
    is_active = held.kingdom == view.active and view.stage != "over"
    return Realm(
        kingdom=held.kingdom,
        alliance=held.alliance,
        player=names[held.commander],
        gold=view.gold if is_active else 0,
        income=held.income,
        lands=held.lands,
        supply=tuple((code, held.supply.of(code)) for code in CODES),
        active=is_active and is_asked,
        seat="" if held.commander == held.player else names[held.player],
    )


def _fortresses(view: TableView) -> tuple[tuple[Alliance, tuple[Kingdom, ...]], ...]:
    owners = [zone.owner for zone in view.zones if zone.structure == "fortress"]
    return tuple(
        (alliance, tuple(kingdom for kingdom in pair for owner in owners if owner == kingdom))
        for alliance, pair in ALLIANCES.items()
    )


def _waiting(view: TableView, told: "_Told") -> Iterable[Battle]:
    """Battles that are not over: one may have begun, the others wait."""
    for battle in view.battles:
        if battle.zone not in told.battles:
            yield Battle(battle.zone, view.active, state="waiting")


# ---------------------------------------------------------------------------- what the events tell
class _Told:
    """The attacks announced last, and their results."""

    def __init__(self, view: TableView) -> None:
        self._owners = {zone.name: zone.owner for zone in view.zones}
        self._clear(None)
        self._active = view.active

    def _clear(self, attacker: Kingdom | None) -> None:
        self.attacker = attacker
        self.marches: list[March] = []
        self.landings: list[Landing] = []
        self.battles: dict[str, Battle] = {}
        self._defenders: dict[str, Kingdom] = {}

    def take(self, event: Event) -> None:
        match event.facts:
            case happened.OrdersGiven(kingdom=kingdom, stage="attack", lines=lines):
                self._clear(_kingdom(kingdom))
                for line in lines:
                    self._order(_kingdom(kingdom), line)
            case happened.OrdersGiven(kingdom=kingdom, stage="battle"):
                self.attacker = _kingdom(kingdom)
            case happened.RoundFought(zone=zone, round=number, defenders=defenders):
                self._defenders[zone] = _kingdom(defenders.split(" ", 1)[0])
                self._change(zone, rounds=number)
            case happened.RoundLost(zone=zone, lost=lost):
                for loss in lost:
                    count = parse_units(loss.units).total
                    ours = _kingdom(loss.kingdom) == self.attacker
                    if ours:
                        self._change(zone, lost=self._battle(zone).lost + count)
                    else:
                        self._change(zone, felled=self._battle(zone).felled + count)
            case happened.PassengerDrowned(zone=zone, land=land):
                self._change(zone, lost=self._battle(zone).lost + 1)
                self._drown(zone, land)
            case happened.FliersRetreated(zone=zone, units=units):
                self._change(zone, retreated=parse_units(units).total)
            case happened.BattleEnded(zone=zone, result=result):
                self._end(zone, result)
            case happened.LandConquered(zone=zone, of=of):
                self._change(zone, conquered_from=_kingdom(of))
            case _:
                pass

    def _battle(self, zone: str) -> Battle:
        return self.battles.get(zone, Battle(zone, self.attacker or self._active, state="fought"))

    def _change(self, zone: str, **facts: object) -> None:
        self.battles[zone] = replace(self._battle(zone), **facts)

    def _end(self, zone: str, result: str) -> None:
        if result == "cancelled":
            self.battles.pop(zone, None)
            return
        winner: Kingdom | None = self.attacker
        if result in ("held", "nobody left", "no effect"):
            held = self._defenders.get(zone) if result == "held" else None
            winner = self._owners[zone] or held
        self._change(zone, winner=winner, state="over", result=result)

    def _drown(self, sea: str, land: str) -> None:
        """The first one that stood on this way and is not lost yet."""
        for i, landing in enumerate(self.landings):
            if (landing.sea, landing.target) == (sea, land) and not landing.drowned:
                self.landings[i] = replace(landing, drowned=True)
                return

    def _order(self, kingdom: Kingdom, line: str) -> None:
        match parse_order(line):
            case Attack(target, groups):
                self.marches += [_march(kingdom, group, target) for group in groups]
            case Carry() as order:
                sea, board = order.final or order.sea, order.board or order.origin
                shore = board if board in zones()[sea].coast else ""
                self.landings.append(
                    Landing(kingdom, order.origin, shore, sea, order.drop, _counts(order.units))
                )
            case _:
                pass


def _march(kingdom: Kingdom, group: Group, target: str) -> March:
    origin = group.origin
    kinds = {facts_of(code).kind for code, _ in group.units.pairs()}
    element: Element = "land" if "land" in kinds else "sea" if "sea" in kinds else "air"
    near = neighbours(target, "air")
    if group.via and group.via[-1] in near:
        gate = group.via[-1]
    else:
        far = distances(origin, element)
        gate = min(neighbours(target, element), key=lambda zone: far.get(zone, len(zones())))
    return March(kingdom, origin, origin if origin in near else gate, target, _counts(group.units))


def _counts(units: Units) -> Counts:
    return tuple(units.pairs())


def _kingdom(word: str) -> Kingdom:
    return next(kingdom for kingdom in KINGDOMS if kingdom == word)

"""The rules of Straits: pure functions over frozen values. IDs are those of `rules.yaml`."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from engine.chance import Chance
from engine.codec import Codec
from engine.forms import Forms, choice
from engine.ruleset import Event, Outcome, Over, Phase, Placing, Problem, Seat, Standing
from engine.usual import OneOrderRules
from straits.resolving import Resolver
from straits.state import (
    HOMES,
    KINDS,
    MAP,
    PORTS,
    TO_WIN,
    YEARS,
    AnyFacts,
    Beaten,
    Build,
    Campaign,
    Carried,
    Corrected,
    Disband,
    Dislodged,
    GameOver,
    GameSetUp,
    Hold,
    Move,
    Mustered,
    Order,
    Player,
    PlayerLeft,
    PortTaken,
    Retreat,
    State,
    Support,
    Unit,
    faults_of,
    place_of,
)


def ways_of(unit: Unit) -> tuple[str, ...]:
    """Where a unit may go: places, and coasts for a fleet (ST-2.2)."""
    return MAP.neighbours(unit.at, (unit.kind,))


class Straits(OneOrderRules[State, Order]):
    """Fulfils `Ruleset`; what is not here is as in most games."""

    id = "straits"
    version = "1"
    windows: Mapping[str, int] = {"orders": 72, "muster": 24}
    players = (3, 3)
    codec: Codec[State, Order] = Codec(State, Order, AnyFacts, faults_of)
    forms: Forms[Order] = Forms(
        "an order",
        (Hold, Support, Retreat, Build, Disband, Move),
        {
            "place": choice({name: name for name in MAP.places}),
            "key": choice({key: key for key in MAP.keys}),
            "kind": choice({kind: kind for kind in KINDS}),
        },
    )

    def setup(
        self, options: Mapping[str, object], seats: Sequence[Seat], chance: Chance
    ) -> Outcome[State]:
        self.check_options(options)
        self.check_players(options, len(seats))
        state = State(
            tuple(Player(one.number, one.name, one.colour) for one in seats),
            tuple(
                Unit(name, place.facts.start, place.facts.home)
                for name, place in MAP.places.items()
                if place.facts.start
            ),
            tuple((name, seat) for seat, names in HOMES.items() for name in names),
        )
        return Outcome(state, (Event(GameSetUp(YEARS, TO_WIN), ("ST-1.2", "ST-4.3")),))

    # -------------------------------------------------------------------------------- the open phase
    def phase(self, state: State) -> Phase:
        if state.how:
            return Phase("over", state.turn, (), 0, over=Over(state.winners, state.how))
        rules = ("ST-2.1",) if state.stage == "orders" else ("ST-4.2",)
        return Phase(state.stage, state.turn, state.asked, self.windows[state.stage], rules)

    def active(self, state: State) -> tuple[int, ...]:
        return state.active

    def placings(self, state: State) -> tuple[Placing, ...]:
        if not state.how:
            raise ValueError("the game is not over")
        ranks = {
            one.number: (one.number in state.winners, not one.gone, len(state.held(one.number)))
            for one in state.players
        }
        return tuple(
            Placing(
                number,
                1 + sum(other > rank for other in ranks.values()),
                number in state.winners,
                rank[2],
                state.how if rank[1] and rank[2] else "eliminated",
            )
            for number, rank in ranks.items()
        )

    def legal(self, state: State, player: int) -> Iterator[Order]:
        if player not in self.phase(state).asked:
            return
        if state.stage == "muster":
            yield from self._musters(state, player)
            return
        for unit in (one for one in state.units if one.owner == player):
            reach = dict.fromkeys(map(place_of, ways_of(unit)))
            yield Hold(unit.place)
            yield from (Move(unit.place, key) for key in ways_of(unit))
            for other in (one for one in state.units if one != unit):
                if other.place in reach:
                    yield Support(unit.place, other.place)
                for target in dict.fromkeys(map(place_of, ways_of(other))):
                    if target in reach:
                        yield Support(unit.place, other.place, target)

    def _musters(self, state: State, player: int) -> Iterator[Order]:
        leaving = [one for one in state.beaten if one.unit.owner == player]
        for one in leaving:
            yield from (Retreat(one.unit.place, key) for key in one.ways)
        going = [one.unit for one in leaving]
        if state.surplus(player) < 0:
            going = list(state.units_of(player))
        yield from (Disband(place) for place in dict.fromkeys(unit.place for unit in going))
        yield from (Build(kind, name) for name in state.sites(player) for kind in KINDS)

    def judge(self, state: State, player: int, order: Order) -> Problem | None:
        if order in self.legal(state, player):
            return None
        facts = {"place": order.unit}
        if isinstance(order, Build):
            return Problem("no-site", ("ST-4.2",), facts)
        unit = next((one for one in state.units_of(player) if one.place == order.unit), None)
        if unit is None:
            return Problem("no-unit", ("ST-2.1",), facts)
        if (state.stage == "orders") != isinstance(order, Campaign) or isinstance(order, Disband):
            return Problem("no-need", ("ST-2.1", "ST-4.2"), facts)
        if isinstance(order, Retreat):
            return Problem("no-retreat", ("ST-4.1",), facts | {"target": order.target})
        target = order.target or order.of if isinstance(order, Support) else order.unit
        target = order.target if isinstance(order, Move) else target
        if isinstance(order, Support) and state.unit_at(order.of) is None:
            return Problem("no-unit-there", ("ST-3.1",), facts | {"of": order.of})
        near = {*ways_of(unit), *map(place_of, ways_of(unit))} - {order.unit}
        if isinstance(order, Move) and target in near:
            return Problem("which-coast", ("ST-2.2",), facts | {"target": target})
        if target in near:
            return Problem("no-way-there", ("ST-3.1",), facts | {"target": target})
        return Problem("too-far", ("ST-2.2",), facts | {"target": target})

    def replaces(self, order: Order, old: Order) -> bool:
        """One order for each unit, and for each port."""
        return order.unit == old.unit

    def lacking(self, state: State, player: int, standing: Standing[Order]) -> tuple[str, ...]:
        """The places of units without an order; in a muster, what is still open."""
        if player not in self.phase(state).asked:
            return ()
        told = {order.unit for order in standing.orders}
        if state.stage == "orders":
            return tuple(
                one.place for one in state.units if one.owner == player and one.place not in told
            )
        open_ = [one.unit.place for one in state.beaten if one.unit.owner == player]
        missing = [place for place in open_ if place not in told]
        built = sum(isinstance(order, Build) for order in standing.orders)
        if built < min(state.surplus(player), len(state.sites(player))):
            missing.append("build")
        if self._too_many(state, player, standing.orders) > 0:
            missing.append("disband")
        return tuple(missing)

    def _too_many(self, state: State, player: int, orders: Sequence[Order]) -> int:
        """How many more units must go; a beaten one that does not retreat is gone."""
        staying = {order.unit for order in orders if isinstance(order, Retreat)}
        gone = {order.unit for order in orders if isinstance(order, Disband)}
        gone |= {
            one.unit.place
            for one in state.beaten
            if one.unit.owner == player and one.unit.place not in staying
        }
        return -state.surplus(player) - len(gone)

    def defaults(self, state: State, player: int, standing: Standing[Order]) -> tuple[Order, ...]:
        """Units hold (ST-2.3); beaten units, and those that are too many, are disbanded (ST-4.2)."""
        lacking = self.lacking(state, player, standing)
        if state.stage == "orders":
            return (*standing.orders, *map(Hold, lacking))
        orders = [*standing.orders]
        orders += [Disband(place) for place in lacking if place in MAP.places]
        told = {order.unit for order in orders}
        spare = [one.place for one in reversed(state.units) if one.owner == player]
        spare = [place for place in spare if place not in told]
        count = max(0, self._too_many(state, player, orders))
        return (*orders, *map(Disband, spare[:count]))

    # ------------------------------------------------------------------------------ what comes of it
    def adjudicate(
        self, state: State, orders: Mapping[int, Sequence[Order]], chance: Chance
    ) -> Outcome[State]:
        given = {
            player: self.defaults(state, player, Standing(tuple(orders.get(player, ()))))
            for player in state.asked
        }
        if state.stage == "orders":
            return self._campaign(state, [one for told in given.values() for one in told])
        said = {order for told in orders.values() for order in told}
        return self._muster(state, given, said)

    def _campaign(self, state: State, orders: Sequence[Order]) -> Outcome[State]:
        by_unit = {one.unit: one for one in orders if isinstance(one, Campaign)}
        owners = {unit.place: unit.owner for unit in state.units}
        resolver = Resolver(by_unit, owners)
        works = {place: resolver.works(place) for place in by_unit}
        moves = {
            place: order
            for place, order in by_unit.items()
            if isinstance(order, Move) and works[place]
        }
        taken = {place_of(order.target): place for place, order in moves.items()}
        units = [
            replace(unit, at=moves[unit.place].target) if unit.place in moves else unit
            for unit in state.units
            if unit.place in moves or unit.place not in taken
        ]
        full = {unit.place for unit in units}
        contested = {
            place_of(order.target)
            for place, order in by_unit.items()
            if isinstance(order, Move) and not works[place]
        }
        told = [
            Event(
                Carried(
                    state.turn,
                    owners[place],
                    self.forms.format(order),
                    place,
                    place_of(getattr(order, "target", "")) if getattr(order, "target", "") else "",
                    order.of if isinstance(order, Support) else "",
                    works[place],
                ),
                ("ST-3.4",) if isinstance(order, Support) else ("ST-3.2",),
            )
            for place, order in by_unit.items()
        ]
        beaten = []
        for unit in state.units:
            if unit.place in taken and unit.place not in moves:
                barred = full | contested | {taken[unit.place]}
                ways = tuple(key for key in ways_of(unit) if place_of(key) not in barred)
                beaten.append(Beaten(unit, ways))
                by = owners[taken[unit.place]]
                told.append(Event(Dislodged(unit.owner, unit.kind, unit.place, by), ("ST-4.1",)))
        ports, gained = dict(state.ports), []
        for unit in units:
            if unit.place in PORTS and ports.get(unit.place, 0) != unit.owner:
                gained.append(
                    Event(PortTaken(unit.owner, unit.place, ports.get(unit.place, 0)), ("ST-3.6",))
                )
                ports[unit.place] = unit.owner
        after = replace(
            state,
            units=_sorted(units),
            ports=tuple(sorted(ports.items(), key=lambda one: PORTS.index(one[0]))),
            beaten=tuple(beaten),
            stage="muster",
        )
        return self._next(after, (*told, *gained))

    def _muster(
        self, state: State, given: Mapping[int, Sequence[Order]], said: set[Order]
    ) -> Outcome[State]:
        every = [(player, order) for player, orders in given.items() for order in orders]
        retreats = [order for _, order in every if isinstance(order, Retreat)]
        count = Counter(place_of(order.target) for order in retreats)
        units, told = list(state.units), []
        leaving = {(one.unit.owner, one.unit.place): one.unit for one in state.beaten}
        for player, order in every:
            old = leaving.get((player, order.unit)) or state.unit_at(order.unit)
            facts = Mustered(state.turn, player, "disband", old.kind if old else "army", order.unit)
            match order:
                case Retreat(unit=place, target=target) if count[place_of(target)] == 1:
                    unit = leaving[player, place]
                    units.append(replace(unit, at=target))
                    facts = replace(facts, act="retreat", target=target)
                case Build(kind=kind, unit=place):
                    if sum(one.owner == player for one in units) >= len(state.held(player)):
                        continue
                    units.append(Unit(place, kind, player))
                    facts = replace(facts, act="build", kind_of=kind)
                case Disband(unit=place) if (player, place) not in leaving:
                    units = [unit for unit in units if (unit.owner, unit.place) != (player, place)]
            told.append(Event(replace(facts, by_rule=order not in said), ("ST-4.1", "ST-4.2")))
        after = replace(state, units=_sorted(units), beaten=(), stage="muster")
        return self._next(after, tuple(told), mustered=True)

    def _next(
        self, state: State, told: tuple[Event, ...], *, mustered: bool = False
    ) -> Outcome[State]:
        """The muster if anybody is asked, the next year, or the end (ST-4.3)."""
        best = max(len(state.held(one.number)) for one in state.players)
        if not mustered and state.asked and best < TO_WIN:
            return Outcome(state, told)
        if best >= TO_WIN or state.turn == YEARS or len(state.active) < 2:
            ended = self._over(state, "ports")
            return Outcome(ended.state, (*told, *ended.events))
        return Outcome(replace(state, turn=state.turn + 1, stage="orders"), told)

    # ------------------------------------------------------------------------------ what is known
    def view(self, state: State, player: int | None) -> State:
        if player is not None and not 1 <= player <= len(state.players):
            raise ValueError(f"no player number {player}")
        return replace(state, you=player)

    def assume(self, view: State) -> State:
        return replace(view, you=None)

    # -------------------------------------------------------------------------- what a game master does
    def end(self, state: State, winners: tuple[int, ...], chance: Chance) -> Outcome[State]:
        return self._over(state, "agreement", winners)

    def remove(self, state: State, player: int, chance: Chance) -> Outcome[State]:
        """Units and ports of who leaves are nobody's (ST-4.4)."""
        after = replace(
            state,
            players=tuple(
                replace(one, gone=one.gone or one.number == player) for one in state.players
            ),
            units=tuple(one for one in state.units if one.owner != player),
            ports=tuple(one for one in state.ports if one[1] != player),
            beaten=tuple(one for one in state.beaten if one.unit.owner != player),
        )
        left = (Event(PlayerLeft(player), ("ST-4.4",)),)
        if len(after.active) < 2:
            ended = self._over(after, "alone")
            return Outcome(ended.state, (*left, *ended.events))
        if after.asked:
            return Outcome(after, left)
        return self._next(after, left, mustered=True)

    def correct(self, state: State, act: Mapping[str, object], chance: Chance) -> Outcome[State]:
        match act:
            case {"act": "port", "player": int(player), "place": str(place)} if (
                player in state.active and place in PORTS
            ):
                ports = dict(state.ports) | {place: player}
                told = Event(Corrected(player, place), ("ST-3.6",))
                after = replace(state, ports=tuple(ports.items()))
                return Outcome(after if after.asked else replace(after, stage="orders"), (told,))
        return super().correct(state, act, chance)

    def _over(self, state: State, how: str, winners: tuple[int, ...] = ()) -> Outcome[State]:
        counts = {one.number: len(state.held(one.number)) for one in state.players if not one.gone}
        best = max(counts.values())
        winners = winners or tuple(number for number, count in counts.items() if count == best)
        over = Event(GameOver(winners, best), ("ST-4.3",))
        return Outcome(replace(state, winners=winners, how=how, stage="over", beaten=()), (over,))


def _sorted(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """In the order of the map."""
    places = list(MAP.places)
    return tuple(sorted(units, key=lambda unit: places.index(unit.place)))


RULES = Straits()

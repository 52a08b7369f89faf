"""From the engine's public view and the events of the last close to the scene of a board
picture.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from engine.protectors import events as happened
from engine.protectors.ability_events import KingFought
from engine.protectors.orders import Fortify, Order, Support, Work
from engine.protectors.view import PlayerView, ProvinceView, TableView
from engine.ruleset import Event, Facts
from pbem.board.board import TableFacts
from pbem.board.heading import due_lines, phase_words
from pbem.games.protectors.board.scene import (
    ISLAND,
    Battle,
    Dragon,
    Fight,
    March,
    OrderMark,
    Province,
    Scene,
    Seat,
)
from pbem.games.protectors.board.scene import Support as SupportMark
from pbem.games.protectors.board.words import say
from pbem.games.protectors.places import placed

COLUMNS = 4
"""Of the strip below the map."""


def build_scene(view: TableView, events: Sequence[Event], table: TableFacts) -> Scene:
    """The scene of this view. `events` are those since the orders were revealed; only public ones
    are shown (PR-1.8).

    Without an `OrdersRevealed` among them, no order of last turn is drawn. ValueError for a colour
    outside the palette.
    """
    public = [event.facts for event in events if event.is_for(None)]
    turn, facts = _last_execution(public, view)
    colours = {player.number: player.colour.casefold() for player in view.players}
    fights = _fights(facts, colours)
    fought = {province for province, _ in fights}
    neighbours = {
        province: set(view.land.neighbours(province))
        for province in range(1, view.land.provinces + 1)
    }
    marks = _order_marks(facts, colours)
    burning = _burning(facts if turn is not None else public)
    seats = {player.number: _seat(player) for player in view.players}
    return Scene(
        table=table.title,
        turn=view.turn,
        phase=phase_words(table, say),
        due=due_lines(table, say, _won(view)),
        chronicle=table.chronicle,
        is_first=table.is_first,
        dragon=Dragon(view.dpl, view.threshold, view.step),
        cards=view.in_play,
        staying=view.locked,
        provinces=tuple(
            _province(province, colours, marks, burning) for province in view.provinces
        ),
        island=_province(view.island, colours, marks, burning) if view.island else None,
        ranking=_result(view, seats) if view.scores else _ranking(view, seats),
        out=tuple(seats[player.number] for player in view.players if player.rank is None),
        arrows_turn=turn,
        marches=_marches(facts, colours, fights),
        supports=_supports(facts, colours, fought, neighbours),
        battles=_battles(fights),
        hypothesis=table.hypothesis,
        is_over=bool(view.scores),
    )


def _last_execution(facts: Sequence[Facts], view: TableView) -> tuple[int | None, Sequence[Facts]]:
    """The events from the last reveal of orders on, and the turn they belong to."""
    revealed = [
        place for place, fact in enumerate(facts) if isinstance(fact, happened.OrdersRevealed)
    ]
    if not revealed:
        return None, ()
    since = facts[revealed[-1] :]
    later = [fact.turn for fact in since if isinstance(fact, happened.TurnBegan)]
    if later:
        return later[0] - 1, since
    next_turn = view.stage == "orders" or (
        view.attack is not None and view.attack.during == "reveal"
    )
    return view.turn - next_turn, since


def _province(
    province: ProvinceView,
    colours: dict[int, str],
    marks: dict[int, OrderMark],
    burning: Collection[int],
) -> Province:
    return Province(
        number=province.number,
        owner=None if province.owner is None else colours[province.owner],
        units=province.units,
        level=province.level,
        burnt=province.burnt,
        burning=province.burnt and province.number in burning,
        start=province.start_of is not None,
        order=marks.get(province.number),
    )


def _burning(facts: Iterable[Facts]) -> Collection[int]:
    """What the Dragon burnt in these events."""
    return {
        province
        for fact in facts
        if isinstance(fact, happened.DragonAttacked)
        for share in fact.shares
        for province in share.burnt
    }


def _seat(player: PlayerView) -> Seat:
    return Seat(
        player.name,
        player.colour.casefold(),
        player.vp,
        len(player.provinces),
        player.units,
        player.team or "",
    )


def _ranking(view: TableView, seats: Mapping[int, Seat]) -> tuple[tuple[Seat, ...], ...]:
    """By brackets."""
    start, found = 0, []
    for size in view.brackets:
        found.append(tuple(seats[number] for number in view.ranking[start : start + size]))
        start += size
    return tuple(found)


def _result(view: TableView, seats: Mapping[int, Seat]) -> tuple[tuple[Seat, ...], ...]:
    """Who came out where, with points, in columns of one height."""
    rows = [
        replace(seats[player], worth=points, place=place)
        for place, (player, _, _, _, points, *_) in enumerate(placed(view), start=1)
    ]
    high = -(-len(rows) // COLUMNS)
    return tuple(tuple(rows[top : top + high]) for top in range(0, len(rows), high))


def _won(view: TableView) -> tuple[list[str], str] | None:
    """Who won, and with how many points; a team with all that its members have."""
    if not view.scores or not view.winners:
        return None
    points = {score[0]: score[4] for score in view.scores}
    won = [player for player in view.players if player.number in view.winners]
    has_team = bool(won[0].team)
    told = [points.get(player.number, 0) for player in won]
    return [one.name for one in won], say("won", sum(told) if has_team else max(told))


def _fights(facts: Sequence[Facts], colours: dict[int, str]) -> list[tuple[int, Fight]]:
    """Battles, and those of the Mountain King, who fights in the colour of the player he helps."""
    found: list[tuple[int, Fight]] = []
    for fact in facts:
        if isinstance(fact, happened.BattleFought):
            fight = Fight(
                colours[fact.winner.player],
                colours[fact.loser.player],
                fact.winner.total,
                fact.loser.total,
            )
            found.append((fact.province, fight))
        elif isinstance(fact, KingFought):
            king, intruder = (
                (colours[fact.player], fact.strength),
                (colours[fact.intruder], fact.units - fact.snow),
            )
            (winner, strength), (loser, against) = (
                (king, intruder) if fact.won else (intruder, king)
            )
            found.append((fact.province, Fight(winner, loser, strength, against)))
    return found


def _battles(fights: Sequence[tuple[int, Fight]]) -> tuple[Battle, ...]:
    provinces = dict.fromkeys(province for province, _ in fights)
    return tuple(
        Battle(province, tuple(fight for at, fight in fights if at == province))
        for province in provinces
    )


def _marches(
    facts: Sequence[Facts], colours: dict[int, str], fights: Sequence[tuple[int, Fight]]
) -> tuple[March, ...]:
    """Every march that moved somebody. It led to a battle when its player fought at its end."""
    fighters = {
        (province, colour) for province, fight in fights for colour in (fight.winner, fight.loser)
    }
    return tuple(
        March(
            colour=colours[fact.player],
            origin=fact.origin,
            target=fact.target,
            units=fact.units,
            golden=fact.golden,
            delayed=fact.delayed,
            fought=(fact.target, colours[fact.player]) in fighters,
        )
        for fact in facts
        if isinstance(fact, happened.MarchMade) and fact.units > 0
    )


def _revealed(facts: Sequence[Facts]) -> list[tuple[int, Order]]:
    return [
        (player, order)
        for fact in facts
        if isinstance(fact, happened.OrdersRevealed)
        for player, orders in fact.orders
        for order in orders
    ]


def _supports(
    facts: Sequence[Facts],
    colours: dict[int, str],
    fought: set[int],
    neighbours: dict[int, set[int]],
) -> tuple[SupportMark, ...]:
    """Every support ordered, but those cut off by an intruder."""
    cut = {fact.province for fact in facts if isinstance(fact, happened.SupportCut)}
    return tuple(
        SupportMark(
            colour=colours[player],
            origin=order.origin,
            target=order.target,
            golden=order.golden,
            extended=order.target not in neighbours.get(order.origin, set()),
            fought=order.target in fought,
        )
        for player, order in _revealed(facts)
        if isinstance(order, Support)
        and order.origin not in cut
        and ISLAND not in (order.origin, order.target)
    )


def _order_marks(facts: Sequence[Facts], colours: dict[int, str]) -> dict[int, OrderMark]:
    """Work and Fortify by province."""
    return {
        order.province: OrderMark(
            "work" if isinstance(order, Work) else "fortify", colours[player], order.golden
        )
        for player, order in _revealed(facts)
        if isinstance(order, Work | Fortify)
    }

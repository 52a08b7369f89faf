"""What Protectors shows of itself in an archive: who holds what, and the course of a game as plots.
The words are in `protectors/archive.j2`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    DragonAttacked,
    GameWon,
    OrderFailed,
    OrdersRevealed,
    PlagueStruck,
    PlankWalked,
    ProvinceTaken,
    RankingSet,
    UnitsOverLimit,
)
from engine.protectors.numbers import ISLAND_POINTS, land_points
from engine.protectors.orders import ISLAND
from engine.protectors.view import PlayerView, ProvinceView, TableView
from engine.ruleset import Event, Facts
from pbem.games.protectors.pages.cast import Cast
from pbem.pages.archive import (
    Area,
    Bar,
    Chip,
    Close,
    Dot,
    Dots,
    Figures,
    Holdings,
    Lines,
    Plot,
    Series,
    Threat,
    held,
)
from pbem.pages.rendering import phrase

TEMPLATE = "protectors/archive.j2"
MOST_ROWS = 20
"""Above this many provinces the rows of the holdings stand by their final owners."""


def areas_of(view: TableView, cast: Cast) -> tuple[Area, ...]:
    """The provinces in ring order, then the Island."""
    island = () if view.island is None else (view.island,)
    return tuple(_area(province, cast) for province in (*view.provinces, *island))


def _area(province: ProvinceView, cast: Cast) -> Area:
    return Area(
        key=cast.place(province.number),
        name=cast.label(province.number),
        holder=province.owner,
        words=_say("lies", province),
        states=("burnt",) if province.burnt else (),
    )


def chips_of(view: TableView) -> tuple[Chip, ...]:
    """How many lands somebody has, and how many tokens; at the end the points."""
    points = {score[0]: score[4] for score in view.scores}
    worth = "points_of" if points else "tokens"

    def figures(player: PlayerView) -> Iterator[tuple[str, int]]:
        yield "lands", len(player.provinces)
        yield worth, points.get(player.number, player.vp)

    return tuple(
        Chip(
            player.number,
            tuple((_say(name, count), str(count)) for name, count in figures(player)),
            is_out=player.rank is None,
        )
        for player in view.players
    )


def standing_of(view: TableView) -> dict[int, int]:
    """The points that each player would have if the game ended now (PR-14.3)."""
    found = {player.number: player.vp for player in view.players if player.rank is not None}
    lands = {
        one.number: (one.owner, land_points(one.level, burnt=one.burnt)) for one in view.provinces
    }
    if view.island is not None:
        lands[ISLAND] = (view.island.owner, ISLAND_POINTS)
    for owner, points in lands.values():
        if owner in found:
            found[owner] += points
    return found


def ordered_in(events: Sequence[Event], cast: Cast) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The orders that were revealed, as their canonical texts."""
    return tuple(
        (player, cast.orders(orders))
        for event in events
        if isinstance(event.facts, OrdersRevealed)
        for player, orders in event.facts.orders
    )


def plots_of(closes: Sequence[Close], cast: Cast) -> tuple[Plot, ...]:
    """The holdings, the points, the Dragon, the bids, and a table of numbers; of a plot that would
    be empty nothing.
    """
    found: tuple[Plot, ...] = (_holdings(closes, cast), _points(closes), _dragon(closes))
    bids = _bids(closes)
    return (*found, *((bids,) if bids.dots else ()), _figures(closes))


def _holdings(closes: Sequence[Close], cast: Cast) -> Holdings:
    told = held(_say("holdings"), [areas_of(close.view, cast) for close in closes])
    if len(told.rows) <= MOST_ROWS:
        return told
    owners = sorted(told.rows, key=lambda row: (row[1][-1].holder is None, row[1][-1].holder or 0))
    return replace(told, rows=tuple(owners))


def _points(closes: Sequence[Close]) -> Lines:
    """The tokens; the land counts when the game is over."""
    land = {
        player: float(lands + isle)
        for facts in _facts(closes)
        if isinstance(facts, GameWon)
        for player, _, lands, isle, *_ in facts.scores
    }
    return Lines(
        _say("points"),
        _say("points_unit"),
        tuple(
            Series(
                player.number,
                tuple(_tokens(close.view, player.number) for close in closes),
                land.get(player.number),
            )
            for player in closes[-1].view.players
        ),
    )


def _tokens(view: TableView, number: int) -> float | None:
    player = view.player(number)
    return None if player.rank is None else float(player.vp)


def _dragon(closes: Sequence[Close]) -> Threat:
    """More than the Dragon's level must be sent: it wins ties (PR-9.4)."""
    return Threat(
        _say("dragon"),
        tuple(float(close.view.dpl) for close in closes),
        tuple(float(close.view.threshold) for close in closes),
        tuple(
            Bar(place, float(facts.total), float(facts.dpl + 1), not facts.won)
            for place, close in enumerate(closes)
            for facts in _public(close)
            if isinstance(facts, DragonAttacked)
        ),
    )


def _bids(closes: Sequence[Close]) -> Dots:
    """What counted of everybody's bid for the lead of a turn; of those who bid twice the second
    one. The one that leads is the best.
    """
    bids: dict[tuple[int, int], int] = {}
    leaders: dict[int, int] = {}
    for close in closes:
        turn = close.view.turn
        for facts in _public(close):
            match facts:
                case BidsRevealed(bids=given):
                    bids |= {(turn, who): counted for who, counted, asked, _ in given if asked >= 0}
                case RankingSet(ranking=ranking) if ranking:
                    leaders[turn] = ranking[0]
    return Dots(
        _say("bids"),
        _say("bids_unit"),
        tuple(
            Dot(turn, player, float(value), is_best=leaders.get(turn) == player)
            for (turn, player), value in sorted(bids.items())
        ),
    )


def _figures(closes: Sequence[Close]) -> Figures:
    counts: Counter[tuple[int, str]] = Counter()
    for facts in _facts(closes):
        counts.update(_counted(facts))
    rows = []
    for player in closes[-1].view.players:
        count = {name: counts[player.number, name] for name in _COUNTED}
        rows.append(
            (
                player.number,
                (
                    _say("of_two", count["won"], count["beaten"]),
                    _say("of_two", count["taken"], count["robbed"]),
                    *(str(count[name]) for name in _COUNTED[4:]),
                ),
            )
        )
    return Figures(_say("figures"), tuple(_say("columns").split("|")), tuple(rows))


_COUNTED = ("won", "beaten", "taken", "robbed", "fallen", "sent", "golden", "failed")


def _counted(facts: Facts) -> dict[tuple[int, str], int]:
    """What one event adds to the numbers of players."""
    found: Counter[tuple[int, str]] = Counter()
    match facts:
        case BattleFought(winner=winner, loser=loser):
            found.update({(winner.player, "won"): 1, (loser.player, "beaten"): 1})
            found.update({(side.player, "fallen"): side.lost for side in (winner, loser)})
        case ProvinceTaken(by=by, before=before):
            found[by, "taken"] += 1
            if before is not None:
                found[before, "robbed"] += 1
        case PlagueStruck(losses=losses):
            for _, player in losses:
                found[player, "fallen"] += 1
        case PlankWalked(player=player, province=province) if province is not None:
            found[player, "fallen"] += 1
        case UnitsOverLimit(player=player, lost=lost):
            found[player, "fallen"] += lost
        case DragonAttacked(shares=shares):
            for share in shares:
                for pledge in share.pledges:
                    found[share.player, "sent"] += pledge.units
                    found[share.player, "fallen"] += pledge.lost
        case OrdersRevealed(orders=given):
            for player, orders in given:
                found[player, "golden"] += sum(getattr(order, "golden", False) for order in orders)
        case OrderFailed(player=player):
            found[player, "failed"] += 1
    return dict(found)


def _facts(closes: Sequence[Close]) -> Iterator[Facts]:
    for close in closes:
        yield from _public(close)


def _public(close: Close) -> Iterator[Facts]:
    return (event.facts for event in close.events if event.is_for(None))


def _say(macro: str, *args: object) -> str:
    return phrase(TEMPLATE, macro, *args)

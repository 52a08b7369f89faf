"""The small formulas of the rules: thresholds, tiers, brackets, min.US, limits and income, read off
a state.

Everything that checks, adjudicates or shows asks here, so that a page cannot tell another number
than the one that counts.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from engine.protectors.abilities import GODS_PAY, has_ability, is_in_effect
from engine.protectors.cards import (
    BLESSINGS,
    BLOODLUST,
    CRABS,
    FERRY,
    FLOOD,
    SEAFARERS,
    TIMES_UP,
    WINTER_STORMS,
)
from engine.protectors.events import ProvinceIncome, Scale
from engine.protectors.lands import LandPlan
from engine.protectors.orders import ISLAND
from engine.protectors.state import Province, Stage, State
from engine.protectors.view import GoldenType

UNIT_COST = 75
UPGRADE_COST = 25
FERRY_FARE = 25
WORK_PAY = 50
MOST_UNITS = 3
ISLAND_UNITS = 1
TOP_LEVEL = 3
PRIZE = 2500
ISLAND_POINTS = 3

_HOURS: dict[Stage, int] = {
    "bidding": 24,
    "rebid": 16,
    "orders": 72,
    "dragon": 24,
    "consolidation": 24,
    "bank": 12,
    "over": 0,
}
_DAY, _DAY_OF_TEAMS = 24, 48
_LEVEL_INCOME = (50, 75, 100, 150)
_LEVEL_POINTS = (2, 3, 4, 6)
_HOARDS = (350, 250)
_GOLDEN: tuple[tuple[GoldenType, ...], ...] = (
    ("march", "support", "fortify", "work"),
    ("support", "fortify", "work"),
    ("fortify", "work"),
    ("work",),
)


WINDOWS: Mapping[str, int] = {stage: hours for stage, hours in _HOURS.items() if hours}
"""The windows of a game and their lengths in hours (PR-2.2)."""


def hours_of(stage: Stage, *, teams: bool = False) -> int:
    """How long a window is open unless the table agreed otherwise; teams have 48 h for 24 (PR-2.2);
    0 when the game is over.
    """
    return _DAY_OF_TEAMS if teams and _HOURS[stage] == _DAY else _HOURS[stage]


def is_team_game(state: State) -> bool:
    """Whether it is played in teams (PR-13.1)."""
    return any(player.team is not None for player in state.players)


def mates_of(state: State, player: int) -> tuple[int, ...]:
    """The other active players of a player's team, by number."""
    team = state.players[player - 1].team
    if team is None:
        return ()
    mates = (seat for seat in state.players if seat.team == team)
    return tuple(seat.number for seat in mates if seat.is_active and seat.number != player)


# ----------------------------------------------------------------------------------------- the land
@lru_cache(maxsize=128)
def adjacency(land: LandPlan) -> tuple[tuple[int, ...], ...]:
    """The land neighbours of each province, lowest first; index 0 (the Island) has none (PR-1.5,
    PR-1.6).
    """
    links: list[set[int]] = [set() for _ in range(land.provinces + 1)]
    for a, b in land.borders:
        links[a].add(b)
        links[b].add(a)
    return tuple(tuple(sorted(found)) for found in links)


@lru_cache(maxsize=128)
def reach_of_two(land: LandPlan) -> tuple[tuple[int, ...], ...]:
    """The provinces at distance 2 by land borders, for the extended golden Support (PR-6.12)."""
    near = adjacency(land)
    return tuple(
        tuple(sorted({c for b in near[a] for c in near[b]} - {a, *near[a]}))
        for a in range(len(near))
    )


def neighbours(state: State) -> tuple[tuple[int, ...], ...]:
    """Land neighbours by province number, whatever cards are in force."""
    return adjacency(state.land)


def has_island(state: State) -> bool:
    """Whether the Island is part of this game (PR-12): by the option, or because a position puts
    somebody there.
    """
    return state.options.island or state.board[ISLAND].owner is not None


def march_targets(state: State, origin: int) -> tuple[int, ...]:
    """Where units of a province may march this turn (PR-4.15 to PR-4.17, PR-12.1), lowest first,
    the Island first of all.
    """
    force = cards_in_force(state)
    if SEAFARERS in force or FERRY in force:
        first = ISLAND if has_island(state) else 1
        return tuple(p for p in range(first, len(state.board)) if p != origin)
    return () if FLOOD in force else neighbours(state)[origin]


def pays_ferry(state: State, origin: int, target: int) -> bool:
    """Whether a March between these two costs the fare (PR-4.17)."""
    force = cards_in_force(state)
    return (
        FERRY in force
        and SEAFARERS not in force
        and (FLOOD in force or target not in neighbours(state)[origin])
    )


def support_targets(state: State, origin: int, *, golden: bool) -> tuple[int, ...]:
    """Where units of a province may lend support this turn: land neighbours, a golden one at
    distance 2 too (PR-6.9, PR-6.12).
    """
    if FLOOD in cards_in_force(state):
        return ()
    near = neighbours(state)[origin]
    return tuple(sorted((*near, *reach_of_two(state.land)[origin]))) if golden else near


# -------------------------------------------------------------------------------------------- cards
def cards_in_force(state: State) -> frozenset[str]:
    """The cards of this turn and the staying ones (PR-4.20)."""
    return frozenset(
        [played.card for played in state.in_play] + [played.card for played in state.locked]
    )


def is_last_turn(state: State) -> bool:
    """Time's Up! is in play (PR-4.21)."""
    return any(played.card == TIMES_UP for played in state.in_play)


# ------------------------------------------------------------------------------------------ ranking
@lru_cache(maxsize=128)
def bracket_sizes(players: int) -> tuple[int, ...]:
    """How many of the active players are in each bracket, the first first (PR-3.8)."""
    if players < 4:
        return (1,) * players
    share, rest = divmod(players, 4)
    return tuple(share + (1 if i < rest else 0) for i in range(4))


@lru_cache(maxsize=128)
def bracket_at(place: int, players: int) -> int:
    """The bracket (1..4) of a place (0 = the Grand Protector's) among this many active players."""
    for i, size in enumerate(bracket_sizes(players)):
        if place < size:
            return i + 1
        place -= size
    raise ValueError("no such place in the ranking")


def rank_of(state: State, player: int) -> int | None:
    """The place in the ranking, from 1; None for the eliminated."""
    return state.ranking.index(player) + 1 if player in state.ranking else None


def bracket_of(state: State, player: int) -> int | None:
    """The bracket (1..4) of an active player (PR-3.8); None for the eliminated."""
    return (
        bracket_at(state.ranking.index(player), len(state.ranking))
        if player in state.ranking
        else None
    )


def golden_rights(bracket: int | None) -> tuple[GoldenType, ...]:
    """Which golden orders a bracket may give (PR-3.9)."""
    return () if bracket is None else _GOLDEN[bracket - 1]


# ------------------------------------------------------------------------------- the Dragon's power
def threshold(state: State) -> int:
    """The DPL at which the Dragon attacks (PR-5.1), Bloodlust! included (PR-5.5)."""
    now = sum(1 for player in state.players if player.fell_in == state.turn and player.fell_to)
    return threshold_at(
        provinces=len(state.board) - 1,
        starting=state.starting_players,
        eliminated=state.starting_players - len(state.ranking),
        now=now if BLOODLUST in cards_in_force(state) else 0,
        floored=state.options.version == "normal",
    )


def threshold_at(*, provinces: int, starting: int, eliminated: int, now: int, floored: bool) -> int:
    """The same in bare numbers: `now` of the eliminated fell this turn under Bloodlust!, `floored`
    is the Normal lower limit.
    """
    if now:
        return max(1, 2 * (provinces - eliminated + now) - starting * now)
    return max(provinces if floored else 1, 2 * (provinces - eliminated))


def tier_of(holdings: int) -> int:
    """The hoarding tier of one purse: 0, 250 or 350."""
    return next((least for least in _HOARDS if holdings >= least), 0)


def hoard_tier(state: State) -> int:
    """The hoarding tier in force (PR-1.9): 0, 250 or 350, by the richest active player."""
    return tier_of(max((player.realm for player in state.players if player.is_active), default=0))


def step_of(tier: int, provinces: int) -> int:
    """What one revealed card adds to the DPL (PR-4.5)."""
    scale = 1 if provinces < 14 else 2 if provinces <= 26 else 3 if provinces <= 39 else 4
    return scale * (1 if tier == 0 else 2 if tier == 250 else 3)


def is_worldeater(state: State, dpl: int) -> bool:
    """PR-9.4."""
    return dpl >= 3 * state.land.provinces


def minimum(state: State, player: int, dpl: int) -> int:
    """min.US of a player in an attack of this DPL (PR-9.4, PR-9.15)."""
    return len(green_provinces(state, player)) * (2 if is_worldeater(state, dpl) else 1)


def scale_of(state: State, dpl: int) -> Scale:
    """The name of a Dragon of this power (PR-9.17)."""
    return scale_at(
        dpl, state.land.provinces, sum(minimum(state, player, dpl) for player in state.ranking)
    )


def scale_at(dpl: int, provinces: int, total: int) -> Scale:
    """The same in bare numbers: `total` is the sum of min.US."""
    if dpl >= 3 * provinces:
        return "Worldeater"
    if 2 * dpl >= 5 * provinces:
        return "Ancient Dragon"
    if dpl >= 2 * provinces:
        return "Dragon"
    if dpl > 2 * total:
        return "Great Wurm"
    return "Wurm" if dpl > total else "Wyrmling"


def reward_of(green: int) -> int:
    """What the Dragon's defeat brings to a player who met a min.US of at least 1 (PR-9.6), in
    $Realm.
    """
    return 50 + 50 * green if green else 0


def bonus_of(strength: int, least: int) -> tuple[int, int]:
    """VP tokens and $Realm for a strength well above min.US (PR-9.7)."""
    if strength >= max(3, 3 * least):
        return 2, 30 * (strength - least)
    if strength >= max(2, 2 * least):
        return 1, 15 * (strength - least)
    return 0, 0


# ----------------------------------------------------------------------------------------- holdings
def provinces_of(state: State, player: int) -> tuple[int, ...]:
    """The provinces a player controls, lowest first, without the Island."""
    return tuple(i for i, province in enumerate(state.board) if i and province.owner == player)


def green_provinces(state: State, player: int) -> tuple[int, ...]:
    """Those of them that are not burnt."""
    return tuple(
        i
        for i, province in enumerate(state.board)
        if i and province.owner == player and not province.burnt
    )


def units_of(state: State, player: int) -> int:
    """All units of a player, the Island's included."""
    return sum(province.units for province in state.board if province.owner == player)


def supply_limit(state: State, province: int) -> int:
    """How many units a province feeds (PR-8.2, PR-4.18), one more of an owner sustained by faith
    (PR-11.6).
    """
    if province == ISLAND:
        return ISLAND_UNITS
    owner = state.board[province].owner
    return (
        MOST_UNITS
        - (CRABS in cards_in_force(state))
        + (owner is not None and is_in_effect(state, owner, "faith"))
    )


def points_of(state: State, province: int) -> int:
    """The VP a province brings at Time's Up (PR-14.3)."""
    if province == ISLAND:
        return ISLAND_POINTS
    held = state.board[province]
    return land_points(held.level, burnt=held.burnt)


def land_points(level: int, *, burnt: bool) -> int:
    """The VP of a province that is no Island, by its level (PR-14.3)."""
    return _LEVEL_POINTS[0 if burnt else level]


def capitols(state: State, player: int) -> tuple[int, ...]:
    """The level-3 provinces of a player, who names a Capitol if there is more than one (PR-8.6)."""
    return tuple(i for i in green_provinces(state, player) if state.board[i].level == TOP_LEVEL)


def upgradable(state: State, player: int) -> tuple[int, ...]:
    """Where a golden Work gave the right to a level (PR-6.15); never for a second level 3
    (PR-8.6).
    """
    full = bool(capitols(state, player))
    return tuple(
        i
        for i in green_provinces(state, player)
        if state.board[i].order == "golden work"
        and state.board[i].level < (TOP_LEVEL - 1 if full else TOP_LEVEL)
    )


def production(state: State, player: int) -> tuple[ProvinceIncome, ...]:
    """What each province, and each Work order that succeeded, brings to a player now (PR-8.5,
    PR-8.6, PR-6.14).
    """
    return income_of(
        provinces_of(state, player),
        state.board,
        cards_in_force(state),
        state.working_lost,
        has_merchants=has_ability(state, player, "merchants"),
    )


def income_of(
    held: Iterable[int],
    board: Sequence[Province],
    force: Collection[str],
    working_lost: Collection[int],
    *,
    has_merchants: bool,
) -> tuple[ProvinceIncome, ...]:
    """The same of the provinces held on a bare board. A Work order succeeds where a friendly unit
    is and not all of them went against the Dragon (PR-6.14, PR-11.4).
    """
    if WINTER_STORMS in force:
        return ()
    blessed = BLESSINGS in force
    times, pay = 2 if blessed else 1, GODS_PAY if has_merchants else WORK_PAY
    income: list[ProvinceIncome] = []
    capitol = False
    for i in held:
        province = board[i]
        if province.burnt and not blessed:
            continue
        level = 0 if province.burnt else province.level
        if level == TOP_LEVEL:
            level, capitol = (TOP_LEVEL - 1 if capitol else TOP_LEVEL), True
        income.append(ProvinceIncome(i, _LEVEL_INCOME[level] * times, "level"))
        if province.order == "work" and province.units and i not in working_lost:
            income.append(ProvinceIncome(i, pay * times, "work"))
    return tuple(income)

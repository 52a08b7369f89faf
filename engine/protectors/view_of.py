"""Build what a player, or the public, may know of a state (PR-1.7, PR-1.8, PR-1.9)."""

from engine.protectors import numbers
from engine.protectors.abilities import has_ability
from engine.protectors.asked import asked_players
from engine.protectors.checking.usable import abilities_view, usable
from engine.protectors.orders import ISLAND
from engine.protectors.phases.ending import scores
from engine.protectors.state import Player, State
from engine.protectors.view import AttackView, OwnView, PlayerView, ProvinceView, TableView


def view_of(state: State, player: int | None) -> TableView:
    """The table as this player (None: the public) may see it: never other purses, orders, bids or
    the order of a deck.
    """
    if player is not None and not 1 <= player <= len(state.players):
        raise ValueError(f"there is no player number {player}")
    starts = {seat.start: seat.number for seat in state.players if seat.start}
    near = numbers.neighbours(state)
    provinces = tuple(
        _province(state, i, starts.get(i), near[i]) for i in range(1, len(state.board))
    )
    tier = numbers.hoard_tier(state)
    return TableView(
        options=state.options,
        land=state.land,
        turn=state.turn,
        stage=state.stage,
        starting_players=state.starting_players,
        players=tuple(_player(state, seat) for seat in state.players),
        provinces=provinces,
        island=_province(state, ISLAND, None, ()) if numbers.has_island(state) else None,
        ranking=state.ranking,
        brackets=numbers.bracket_sizes(len(state.ranking)),
        dpl=state.dpl,
        threshold=numbers.threshold(state),
        tier=tier,
        step=numbers.step_of(tier, state.land.provinces),
        in_play=tuple(played.card for played in state.in_play),
        locked=tuple(played.card for played in state.locked),
        attack=_attack(state),
        ties=state.ties,
        asked=asked_players(state),
        last_turn=numbers.is_last_turn(state),
        winners=state.winners,
        ended_by=state.ended_by,
        you=None if player is None else _own(state, player),
        bids=state.bids if state.stage == "bank" else (),
        teams=_teams(state),
        scores=scores(state) if state.stage == "over" else (),
        last_orders=state.last_orders,
        working_lost=state.working_lost,
    )


def _teams(state: State) -> tuple[tuple[str, tuple[int, ...]], ...]:
    members: dict[str, tuple[int, ...]] = {}
    for seat in state.players:
        if seat.team is not None:
            members[seat.team] = (*members.get(seat.team, ()), seat.number)
    return tuple(members.items())


def _province(
    state: State, number: int, start_of: int | None, neighbours: tuple[int, ...]
) -> ProvinceView:
    held = state.board[number]
    return ProvinceView(
        number, held.owner, held.units, held.level, held.burnt, start_of, held.order, neighbours
    )


def _player(state: State, seat: Player) -> PlayerView:
    bracket = numbers.bracket_of(state, seat.number)
    return PlayerView(
        number=seat.number,
        name=seat.name,
        colour=seat.colour,
        start=seat.start,
        vp=seat.vp,
        rank=numbers.rank_of(state, seat.number),
        bracket=bracket,
        golden=numbers.golden_rights(bracket),
        provinces=numbers.provinces_of(state, seat.number),
        units=numbers.units_of(state, seat.number),
        minimum=numbers.minimum(state, seat.number, _dragon_power(state)),
        faction=seat.faction,
        used=seat.used,
        team=seat.team,
        fell_to=seat.fell_to,
        fell_in=seat.fell_in,
        abilities=abilities_view(state, seat.number),
        has_crusade=has_ability(state, seat.number, "crusade"),
    )


def _dragon_power(state: State) -> int:
    return state.dpl if state.attack is None else state.attack.dpl


def _attack(state: State) -> AttackView | None:
    attack = state.attack
    if attack is None:
        return None
    return AttackView(
        during=attack.during,
        dpl=attack.dpl,
        more=attack.more,
        scale=numbers.scale_of(state, attack.dpl),
        worldeater=numbers.is_worldeater(state, attack.dpl),
        cause=attack.cause,
        answers=attack.answers,
    )


def _own(state: State, player: int) -> OwnView:
    capitols = numbers.capitols(state, player)
    return OwnView(
        number=player,
        realm=state.players[player - 1].realm,
        income=sum(income.amount for income in numbers.production(state, player)),
        golden=numbers.golden_rights(numbers.bracket_of(state, player)),
        prize=numbers.reward_of(len(numbers.green_provinces(state, player))),
        room=tuple(
            (i, max(0, numbers.supply_limit(state, i) - state.board[i].units))
            for i in numbers.provinces_of(state, player)
        ),
        capitols=capitols if len(capitols) > 1 else (),
        upgradable=numbers.upgradable(state, player) if state.stage == "consolidation" else (),
        usable=usable(state, player),
        seen=tuple(seen for seen in state.peeks if seen.player == player),
        mates=numbers.mates_of(state, player),
    )

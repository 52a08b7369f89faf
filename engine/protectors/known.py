"""The state that a view shows (PR-1.8, PR-1.9): decks are empty, and other purses hold nothing, but
that one is as full as the public tier tells.
"""

from engine.protectors.abilities import BY_KEY
from engine.protectors.cards import card_named
from engine.protectors.numbers import tier_of
from engine.protectors.state import Attack, Played, Player, Province, State
from engine.protectors.view import AttackView, PlayerView, ProvinceView, TableView


def known_state(view: TableView) -> State:
    """What a player, or the public, may take for the state."""
    own, purses = view.you, _purses(view)
    island = Province() if view.island is None else _province(view.island)
    return State(
        options=view.options,
        land=view.land,
        starting_players=view.starting_players,
        players=tuple(_player(seat, purses.get(seat.number, 0)) for seat in view.players),
        board=(island, *map(_province, view.provinces)),
        ranking=view.ranking,
        turn=view.turn,
        stage=view.stage,
        dpl=view.dpl,
        in_play=tuple(map(_played, view.in_play)),
        locked=tuple(map(_played, view.locked)),
        attack=None if view.attack is None else _attack(view.attack),
        bids=view.bids,
        ties=view.ties,
        last_orders=view.last_orders,
        working_lost=view.working_lost,
        peeks=own.seen if own is not None else (),
        winners=view.winners,
        ended_by=view.ended_by,
    )


def _purses(view: TableView) -> dict[int, int]:
    """One's own, those told at the end, and the public tier in that of the highest other player."""
    own = view.you
    purses = {number: realm for number, *_, realm, _ in view.scores}
    if own is not None:
        purses[own.number] = own.realm
    others = [number for number in view.ranking if number not in purses]
    if others and tier_of(max(purses.values(), default=0)) < view.tier:
        purses[others[0]] = view.tier
    return purses


def _player(seat: PlayerView, realm: int) -> Player:
    effects = ((BY_KEY[one.key].effect, one.until) for one in seat.abilities)
    return Player(
        number=seat.number,
        name=seat.name,
        colour=seat.colour,
        realm=realm,
        vp=seat.vp,
        start=seat.start,
        faction=seat.faction,
        used=seat.used,
        effects=tuple(sorted((of, last) for of, last in effects if of and last is not None)),
        extra=tuple(one.name for one in seat.abilities if one.borrowed),
        team=seat.team,
        fell_to=seat.fell_to,
        fell_in=seat.fell_in,
    )


def _province(seen: ProvinceView) -> Province:
    return Province(seen.owner, seen.units, seen.level, seen.burnt, seen.order)


def _played(card: str) -> Played:
    return Played(card_named(card).deck, card)


def _attack(seen: AttackView) -> Attack:
    return Attack(seen.during, seen.dpl, seen.more, cause=seen.cause, answers=seen.answers)

"""A game master's corrections of the table: public, each with what was and what is; the state stays
one that can be.

They change what lies there and nothing that follows from it: a card put in play takes no effect at
once, nobody is eliminated for a province taken away before the next Eliminate Players step.
"""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors.ability_events import Corrected
from engine.protectors.cards import all_cards
from engine.protectors.codec import CODEC
from engine.protectors.orders import ISLAND, format_province
from engine.protectors.state import Played, State
from engine.protectors.table import Table
from engine.ruleset import Outcome

MOST = 999_999
MOST_UNITS = 999
"""More in one province is a slip of the hand."""


class _Correction(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True
):
    """`reason` is the game master's, in their own words. The page of the correction has it; it
    changes nothing.
    """

    reason: str = ""


class SetUnits(_Correction, frozen=True, kw_only=True, tag="set-units"):
    """Set the number of units in a province that a player owns."""

    province: int
    units: int


class SetOwner(_Correction, frozen=True, kw_only=True, tag="set-owner"):
    """A province to a player who is in the game, with its units, or to nobody, without them."""

    province: int
    owner: int | None


class SetMoney(_Correction, frozen=True, kw_only=True, tag="set-money"):
    player: int
    realm: int


class SetPower(_Correction, frozen=True, kw_only=True, tag="set-dpl"):
    dpl: int


class SetCard(_Correction, frozen=True, kw_only=True, tag="set-card"):
    """Another card of its deck in the place of the one played this turn; the two change places."""

    card: str


class Restore(_Correction, frozen=True, kw_only=True, tag="restore"):
    """An eliminated player back in the game, at this place of the ranking (left out: the last),
    with these ownerless provinces and this many units in each (left out: none).
    """

    player: int
    rank: int | None = None
    provinces: tuple[int, ...] = ()
    units: tuple[int, ...] = ()


Correction = SetUnits | SetOwner | SetMoney | SetPower | SetCard | Restore

CORRECTIONS = ("set-units", "set-owner", "set-money", "set-dpl", "set-card", "restore")
"""The acts of this module."""


def correct(state: State, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Carry a correction of a game that is not over out; ValueError if it is not one, or would
    leave a table that cannot be.
    """
    try:
        correction: Correction = msgspec.convert(told, Correction)
    except msgspec.ValidationError as wrong:
        raise ValueError(f"no correction: {wrong}") from wrong
    table = Table(state, chance)
    _HANDLERS[type(correction)](table, correction)
    return Outcome(CODEC.decode_state(CODEC.encode_state(table.freeze())), tuple(table.events))


def _set_units(table: Table, told: SetUnits) -> None:
    _need_province(table, told.province)
    _need(
        table.owner[told.province] is not None,
        f"nobody owns {format_province(told.province)}, and units need an owner",
    )
    _need(0 <= told.units <= MOST_UNITS, f"there cannot be {told.units} units")
    before, table.units[told.province] = table.units[told.province], told.units
    _tell(table, Corrected("units", told.province, None, before, told.units, told.reason))


def _set_owner(table: Table, told: SetOwner) -> None:
    _need_province(table, told.province)
    if told.owner is not None:
        _need_active(table, told.owner)
    before, table.owner[told.province] = table.owner[told.province], told.owner
    if told.owner is None:
        table.units[told.province] = 0
    table.order[told.province] = None
    _tell(table, Corrected("owner", told.province, None, before, told.owner, told.reason))


def _set_money(table: Table, told: SetMoney) -> None:
    """What somebody holds is secret: the others only hear that it was corrected (PR-1.9)."""
    _need_active(table, told.player)
    _need(0 <= told.realm <= MOST, f"nobody can hold {told.realm} $Realm")
    before, table.realm[told.player] = table.realm[told.player], told.realm
    _tell(table, Corrected("money", None, told.player, None, None, told.reason))
    fact = Corrected("money", None, told.player, before, told.realm, told.reason)
    _tell(table, fact, (told.player,))


def _set_power(table: Table, told: SetPower) -> None:
    _need(0 <= told.dpl <= MOST, f"the Dragon cannot stand at {told.dpl}")
    before, table.dpl = table.dpl, told.dpl
    _tell(table, Corrected("dpl", None, None, before, told.dpl, told.reason))


def _set_card(table: Table, told: SetCard) -> None:
    card = all_cards().get(told.card)
    if card is None:
        raise ValueError(f"there is no card {told.card!r}")
    place = next((i for i, played in enumerate(table.in_play) if played.deck == card.deck), None)
    pile = table.pile(card.deck)
    if place is None:
        raise ValueError(
            f"no card of the {card.deck} deck is in play, so {told.card} can take the place of none"
        )
    if told.card not in pile.draw and told.card not in pile.discard:
        raise ValueError(f"{told.card} does not lie in the {card.deck} deck")
    before = table.in_play[place].card
    source = pile.draw if told.card in pile.draw else pile.discard
    at = source.index(told.card)
    source[at] = before
    if source is pile.draw and at == 0:
        table.peeks = [
            replace(seen, lies_there=False) if seen.deck == card.deck else seen
            for seen in table.peeks
        ]
    table.in_play[place] = Played(card.deck, told.card)
    _tell(table, Corrected("card", None, None, before, told.card, told.reason))


def _restore(table: Table, told: Restore) -> None:
    rank = len(table.ranking) + 1 if told.rank is None else told.rank
    _need(1 <= told.player < len(table.realm), f"there is no player {told.player}")
    _need(told.player not in table.ranking, f"{_name(table, told.player)} is in the game")
    _need(1 <= rank <= len(table.ranking) + 1, f"there is no place {rank} in the ranking")
    _need(len(set(told.provinces)) == len(told.provinces), "a province is named twice")
    _need(
        not told.units or len(told.units) == len(told.provinces),
        "units are told for each province or for none",
    )
    for i in told.provinces:
        _need(ISLAND < i <= table.provinces, f"there is no P{i}")
        _need(table.owner[i] is None, f"P{i} belongs to somebody")
    _need(all(0 <= units <= MOST_UNITS for units in told.units), "there cannot be so many units")
    table.fell_to[told.player], table.fell_in[told.player] = (), None
    table.ranking.insert(rank - 1, told.player)
    for i in told.provinces:
        table.owner[i] = told.player
    _tell(table, Corrected("restored", None, told.player, None, rank, told.reason))
    for i in told.provinces:
        _tell(table, Corrected("owner", i, None, None, told.player, told.reason))
    for i, units in zip(told.provinces, told.units, strict=False):  # none told: they stay empty
        before, table.units[i] = table.units[i], units
        if units != before:
            _tell(table, Corrected("units", i, None, before, units, told.reason))


_HANDLERS: Mapping[type[Correction], Callable[..., None]] = {
    SetUnits: _set_units,
    SetOwner: _set_owner,
    SetMoney: _set_money,
    SetPower: _set_power,
    SetCard: _set_card,
    Restore: _restore,
}


def _need(holds: bool, why: str) -> None:
    if not holds:
        raise ValueError(why)


def _need_province(table: Table, number: int) -> None:
    _need(0 <= number <= table.provinces, f"there is no P{number}")
    _need(number != ISLAND or table.was.options.island, "there is no Island in this game")


def _need_active(table: Table, player: int) -> None:
    _need(1 <= player < len(table.realm), f"there is no player {player}")
    _need(player in table.ranking, f"{_name(table, player)} is out of the game")


def _name(table: Table, player: int) -> str:
    return table.was.players[player - 1].name


def _tell(table: Table, fact: Corrected, audience: tuple[int, ...] | None = None) -> None:
    table.tell(fact, ["PR-1.9"] if fact.what == "money" else [], audience)

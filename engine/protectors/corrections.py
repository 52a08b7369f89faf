"""A game master's corrections of the table: public, each with what was and what is; the state stays one that can be.

They change what lies there and nothing that follows from it: a card put in play takes no effect at once, nobody is eliminated
for a province taken away before the next Eliminate Players step.
"""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from engine.chance import Chance
from engine.protectors.ability_events import Corrected
from engine.protectors.cards import all_cards
from engine.protectors.codec import decode_state, encode_state
from engine.protectors.orders import ISLAND
from engine.protectors.state import Played, State
from engine.protectors.table import Table
from engine.ruleset import Outcome

MOST = 999_999


class SetUnits(msgspec.Struct, frozen=True, tag_field="act", tag="set-units", forbid_unknown_fields=True):
    """So many units in a province that somebody owns."""

    province: int
    units: int


class SetOwner(msgspec.Struct, frozen=True, tag_field="act", tag="set-owner", forbid_unknown_fields=True):
    """A province to a player who is in the game, with its units, or to nobody, without them."""

    province: int
    owner: int | None


class SetMoney(msgspec.Struct, frozen=True, tag_field="act", tag="set-money", forbid_unknown_fields=True):
    player: int
    realm: int


class SetPower(msgspec.Struct, frozen=True, tag_field="act", tag="set-dpl", forbid_unknown_fields=True):
    dpl: int


class SetCard(msgspec.Struct, frozen=True, tag_field="act", tag="set-card", forbid_unknown_fields=True):
    """Another card of its deck in the place of the one played this turn; the two change places."""

    card: str


class Restore(msgspec.Struct, frozen=True, tag_field="act", tag="restore", forbid_unknown_fields=True):
    """An eliminated player back in the game, at this place of the ranking (left out: the last), with these ownerless provinces."""

    player: int
    rank: int | None = None
    provinces: tuple[int, ...] = ()


Correction = SetUnits | SetOwner | SetMoney | SetPower | SetCard | Restore

CORRECTIONS = ("set-units", "set-owner", "set-money", "set-dpl", "set-card", "restore")
"""The acts of this module."""


def correct(state: State, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Carry a correction out; ValueError if it is none, or would leave a table that cannot be."""
    if state.stage == "over":
        raise ValueError("the game is over")
    try:
        correction: Correction = msgspec.convert(told, Correction)
    except msgspec.ValidationError as wrong:
        raise ValueError(f"no correction: {wrong}") from wrong
    table = Table(state, chance)
    _HANDLERS[type(correction)](table, correction)
    return Outcome(decode_state(encode_state(table.freeze())), tuple(table.events))


def _set_units(table: Table, told: SetUnits) -> None:
    _need(0 <= told.province <= table.provinces, f"no province {told.province}")
    _need(table.owner[told.province] is not None, "units need an owner")
    _need(0 <= told.units <= MOST, f"{told.units} units")
    before, table.units[told.province] = table.units[told.province], told.units
    _tell(table, "units", province=told.province, before=before, after=told.units)


def _set_owner(table: Table, told: SetOwner) -> None:
    _need(0 <= told.province <= table.provinces, f"no province {told.province}")
    _need(told.owner is None or told.owner in table.ranking, f"no active player {told.owner!r}")
    before, table.owner[told.province] = table.owner[told.province], told.owner
    if told.owner is None:
        table.units[told.province] = 0
    table.order[told.province] = None
    _tell(table, "owner", province=told.province, before=before, after=told.owner)


def _set_money(table: Table, told: SetMoney) -> None:
    """What somebody holds is secret: the others only hear that it was corrected (PR-1.9)."""
    _need(told.player in table.ranking, f"no active player {told.player!r}")
    _need(0 <= told.realm <= MOST, f"{told.realm} $Realm")
    before, table.realm[told.player] = table.realm[told.player], told.realm
    _tell(table, "money", player=told.player)
    _tell(table, "money", player=told.player, before=before, after=told.realm, audience=(told.player,))


def _set_power(table: Table, told: SetPower) -> None:
    _need(0 <= told.dpl <= MOST, f"DPL {told.dpl}")
    before, table.dpl = table.dpl, told.dpl
    _tell(table, "dpl", before=before, after=told.dpl)


def _set_card(table: Table, told: SetCard) -> None:
    card = all_cards().get(told.card)
    if card is None:
        raise ValueError(f"no card {told.card!r}")
    place = next((i for i, played in enumerate(table.in_play) if played.deck == card.deck), None)
    pile = table.piles[card.deck]
    if place is None or (told.card not in pile.draw and told.card not in pile.discard):
        raise ValueError(f"{told.card} cannot take the place of a card of the {card.deck} deck")
    before = table.in_play[place].card
    source = pile.draw if told.card in pile.draw else pile.discard
    source[source.index(told.card)] = before
    table.in_play[place] = Played(card.deck, told.card)
    _tell(table, "card", before=before, after=told.card)


def _restore(table: Table, told: Restore) -> None:
    rank = len(table.ranking) + 1 if told.rank is None else told.rank
    _need(1 <= told.player < len(table.realm) and told.player not in table.ranking, f"no eliminated player {told.player!r}")
    _need(1 <= rank <= len(table.ranking) + 1, f"no place {rank} in the ranking")
    for i in told.provinces:
        _need(ISLAND < i <= table.provinces and table.owner[i] is None, f"P{i} is not without an owner")
    table.fell_to[told.player], table.fell_in[told.player] = (), None
    table.ranking.insert(rank - 1, told.player)
    for i in told.provinces:
        table.owner[i] = told.player
    _tell(table, "restored", player=told.player, after=rank)
    for i in told.provinces:
        _tell(table, "owner", province=i, after=told.player)


_HANDLERS: Mapping[type[Correction], Callable[..., None]] = {
    SetUnits: _set_units, SetOwner: _set_owner, SetMoney: _set_money, SetPower: _set_power, SetCard: _set_card, Restore: _restore,
}  # fmt: skip


def _need(holds: bool, why: str) -> None:
    if not holds:
        raise ValueError(f"a correction that cannot be: {why}")


def _tell(
    table: Table,
    what: Literal["units", "owner", "money", "dpl", "card", "restored"],
    *,
    province: int | None = None,
    player: int | None = None,
    before: int | str | None = None,
    after: int | str | None = None,
    audience: tuple[int, ...] | None = None,
) -> None:
    table.tell(Corrected(what, province, player, before, after), ["PR-1.9"] if what == "money" else [], audience)

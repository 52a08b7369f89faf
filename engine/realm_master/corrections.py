"""A game master's corrections of the table (RM-11.10): public, each with the old and the new value.
The state stays a possible one.

A player who then has ten banners has won, and one who has no heart left is dead.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.realm_master.cards import all_buy_cards, all_lands
from engine.realm_master.codec import CODEC
from engine.realm_master.events import Corrected, Gain
from engine.realm_master.flow import run, stop
from engine.realm_master.state import Check, Land, Mode, State
from engine.realm_master.table import Table
from engine.realm_master.turns.deaths import settle_wound
from engine.ruleset import Outcome

MOST = 999
What = Literal["hearts", "gold", "banners", "place", "land", "give", "take", "row", "mode"]


class _Correction(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True
):
    """`reason` is the game master's, in their own words. The page of the correction has it; it
    changes nothing.
    """

    reason: str = ""


class SetHero(_Correction, frozen=True, kw_only=True, tag="set-hero"):
    player: int
    what: Literal["hearts", "gold", "banners"]
    amount: int


class SetLand(_Correction, frozen=True, kw_only=True, tag="set-land"):
    land: str
    hearts: int
    gold: int
    banners: int


class PlaceHero(_Correction, frozen=True, kw_only=True, tag="place"):
    """A hero on a land, or outside (None)."""

    player: int
    land: str | None


class GiveCard(_Correction, frozen=True, kw_only=True, tag="card-give"):
    """A card from wherever it lies (deck, discard pile, row, another hero) to a hero."""

    player: int
    card: str


class TakeCard(_Correction, frozen=True, kw_only=True, tag="card-take"):
    """A hero's card to the discard pile."""

    player: int
    card: str


class RowCard(_Correction, frozen=True, kw_only=True, tag="card-row"):
    """A card of the deck or the discard pile visible at this place of the row (from 1); the one
    that lay there goes where it came from.
    """

    card: str
    place: int


class SetMode(_Correction, frozen=True, kw_only=True, tag="mode"):
    """How the next round is played."""

    mode: Mode


Correction = SetHero | SetLand | PlaceHero | GiveCard | TakeCard | RowCard | SetMode
CORRECTIONS = ("set-hero", "set-land", "place", "card-give", "card-take", "card-row", "mode")
"""The acts of this module."""


def correct(state: State, told: Mapping[str, object], chance: Chance) -> Outcome[State]:
    """Carry a correction out; ValueError if it is not one, or would leave a table that
    cannot be.
    """
    try:
        correction: Correction = msgspec.convert(dict(told), Correction)
    except msgspec.ValidationError as wrong:
        raise ValueError(f"no correction: {wrong}") from wrong
    if state.stage == "heroes" and not isinstance(correction, SetMode | SetLand | RowCard):
        raise ValueError("the heroes are not chosen yet")
    table = Table(state, chance)
    _HANDLERS[type(correction)](table, correction)
    run(table)
    done = stop(table, (state.stage, state.asked))
    return Outcome(CODEC.decode_state(CODEC.encode_state(done.state)), done.events)


def _set_hero(table: Table, told: SetHero) -> None:
    _need_living(table, told.player)
    most = table.maximum(told.player) if told.what == "hearts" else MOST
    _need(0 <= told.amount <= most, f"{told.amount} {told.what} are none of 0 to {most}")
    before: int = getattr(table.players[told.player], told.what)
    if told.what == "banners":
        table.honour(told.player, told.amount - before)
    else:
        table.change(told.player, **{told.what: told.amount})
    _tell(table, told, told.what, player=told.player, before=before, after=told.amount)
    table.push(Check())
    settle_wound(table, told.player, None, "game-master")


def _set_land(table: Table, told: SetLand) -> None:
    _need_land(table, told.land)
    held = (told.hearts, told.gold, told.banners)
    capacity = all_lands()[told.land].capacity
    _need(
        min(held) >= 0 and sum(held) <= capacity,
        f"{all_lands()[told.land].short} holds {capacity} tokens, not {sum(held)}",
    )
    table.lands[told.land] = Land(told.land, *held)
    _tell(table, told, "land", land=told.land, tokens=Gain(*held))


def _place(table: Table, told: PlaceHero) -> None:
    _need_living(table, told.player)
    if told.land is not None:
        _need_land(table, told.land)
        _need(
            all(
                table.players[other].at != told.land
                for other in table.living
                if other != told.player
            ),
            "somebody stands there",
        )
    before = table.players[told.player].at
    table.change(told.player, at=told.land)
    _tell(table, told, "place", player=told.player, before=before, after=told.land)


def _give(table: Table, told: GiveCard) -> None:
    _need_living(table, told.player)
    _need_card(told.card)
    _need(not table.owns(told.player, told.card), "the card is there already")
    _pick_up(table, told.card)
    table.change(told.player, cards=(*table.players[told.player].cards, told.card))
    _tell(table, told, "give", player=told.player, card=told.card)


def _take(table: Table, told: TakeCard) -> None:
    _need_living(table, told.player)
    _need(table.owns(told.player, told.card), "the card is not there")
    table.throw_away(told.player, told.card)
    table.change(
        told.player, hearts=min(table.players[told.player].hearts, table.maximum(told.player))
    )
    _tell(table, told, "take", player=told.player, card=told.card)


def _pick_up(table: Table, card: str) -> None:
    """Take a card from where it lies; a hole in the row is filled from under it, or closes."""
    for pile in (table.buy_deck, table.discard, *table.row):
        if card in pile:
            pile.remove(card)
            table.row = [held for held in table.row if held]
            return
    for player in table.players:
        if table.owns(player, card):
            held = tuple(other for other in table.players[player].cards if other != card)
            table.change(player, cards=held)
            table.change(player, hearts=min(table.players[player].hearts, table.maximum(player)))
            return
    raise ValueError("a correction that cannot be: the card has just been revealed and lies open")


def _row(table: Table, told: RowCard) -> None:
    _need_card(told.card)
    _need(1 <= told.place <= len(table.row), f"the row has no place {told.place}")
    source = next((pile for pile in (table.buy_deck, table.discard) if told.card in pile), None)
    if source is None:
        raise ValueError(
            "a correction that cannot be: the card lies neither in the deck nor in the discard pile"
        )
    pile = table.row[told.place - 1]
    before = pile[0]
    source[source.index(told.card)], pile[0] = before, told.card
    _tell(table, told, "row", card=told.card, before=before, after=told.place)


def _mode(table: Table, told: SetMode) -> None:
    before = table.options.mode
    table.options = replace(table.options, mode=told.mode)
    _tell(table, told, "mode", before=before, after=told.mode)


_HANDLERS: Mapping[type[Correction], Callable[..., None]] = {
    SetHero: _set_hero,
    SetLand: _set_land,
    PlaceHero: _place,
    GiveCard: _give,
    TakeCard: _take,
    RowCard: _row,
    SetMode: _mode,
}


def _need(holds: bool, why: str) -> None:
    if not holds:
        raise ValueError(f"a correction that cannot be: {why}")


def _need_living(table: Table, player: int) -> None:
    _need(player in table.living, f"no living hero of player {player}")


def _need_land(table: Table, land: str) -> None:
    _need(land in table.lands, f"{land} is not in play")


def _need_card(card: str) -> None:
    _need(card in all_buy_cards(), f"no buy card {card}")


def _tell(table: Table, told: _Correction, what: What, **facts: Any) -> None:
    table.tell(Corrected(what, reason=told.reason, **facts), ["RM-11.10"])

"""States, orders and events as bytes, and what makes a state one that no game can come to."""

from collections import Counter
from collections.abc import Iterator

from engine.codec import Codec
from engine.realm_master.cards import (
    LANDS_IN_PLAY,
    all_buy_cards,
    all_heroes,
    all_lands,
    all_turn_cards,
)
from engine.realm_master.event_kinds import AnyFacts
from engine.realm_master.orders import Order
from engine.realm_master.setup import FEWEST_PLAYERS, MOST_PLAYERS
from engine.realm_master.state import State
from engine.realm_master.table import maximum_of


def faults_of(state: State) -> Iterator[str]:
    """Whatever makes a state one that no game can come to."""
    yield from _faults_of_players(state)
    yield from _faults_of_lands(state)
    yield from _faults_of_cards(state)
    yield from _faults_of_stage(state)


def _faults_of_players(state: State) -> Iterator[str]:
    count = len(state.players)
    if not FEWEST_PLAYERS <= count <= MOST_PLAYERS:
        yield f"{count} players"
    if [player.number for player in state.players] != list(range(1, count + 1)):
        yield "players out of order"
    if sorted(state.seating) != list(range(1, count + 1)):
        yield f"the seating {state.seating}"
    chosen = [player.hero for player in state.players if player.hero is not None]
    if len(set(chosen)) < len(chosen) or not set(chosen) <= set(all_heroes()):
        yield f"the heroes {chosen}"
    if (len(chosen) < count) != (state.stage == "heroes"):
        yield f"heroes chosen: {len(chosen)} of {count} in the stage {state.stage}"
    for player in state.players:
        if min(player.hearts, player.gold, player.banners) < 0 or player.hearts > maximum_of(
            player
        ):
            yield (
                f"{player.name} has {player.hearts} hearts, {player.gold} gold, {player.banners}"
                " banners"
            )
        if not player.alive and (
            player.hearts or player.gold or player.banners or player.cards or player.at is not None
        ):
            yield f"{player.name} is dead and owns something"
        if player.alive and not player.hearts and state.stage not in ("heroes", "loot", "over"):
            yield f"{player.name} lives without hearts"


def _faults_of_lands(state: State) -> Iterator[str]:
    keys = [land.key for land in state.lands]
    if (
        len(keys) != LANDS_IN_PLAY
        or len(set(keys)) < len(keys)
        or not set(keys) <= set(all_lands())
    ):
        yield f"the lands {keys}"
        return
    for land in state.lands:
        held = (land.hearts, land.gold, land.banners)
        if min(held) < 0 or sum(held) > all_lands()[land.key].capacity:
            yield f"{land.key} holds {held}"
    at = [player.at for player in state.players if player.at is not None]
    if len(set(at)) < len(at) or not set(at) <= set(keys):
        yield f"heroes stand at {at}"


def _faults_of_cards(state: State) -> Iterator[str]:
    owned = [card for player in state.players for card in player.cards]
    open_card = [
        task.card for task in state.agenda if hasattr(task, "by") and hasattr(task, "card")
    ]
    buy = Counter(
        [
            *state.buy_deck,
            *state.discard,
            *(card for pile in state.row for card in pile),
            *owned,
            *open_card,
        ]
    )
    if wrong := _differing(buy, tuple(all_buy_cards())):
        yield f"buy cards missing or too many: {wrong}"
    turn = Counter(
        [*state.turn_deck, *state.turn_discard, *([] if state.card is None else [state.card])]
    )
    if wrong := _differing(turn, tuple(all_turn_cards())):
        yield f"turn cards missing or too many: {wrong}"
    if any(not pile for pile in state.row):
        yield "an empty pile in the row"


def _differing(found: Counter[str], wanted: tuple[str, ...]) -> list[str]:
    right = Counter(wanted)
    return sorted((found - right) + (right - found))


def _faults_of_stage(state: State) -> Iterator[str]:
    living = {player.number for player in state.players if player.alive}
    if not set(state.asked) <= living or bool(state.asked) == (state.stage == "over"):
        yield f"{state.asked} are asked in the stage {state.stage}"
    if bool(state.agenda) == (state.stage == "over"):
        yield f"an agenda of {len(state.agenda)} in the stage {state.stage}"
    if state.turn is not None and (
        len(state.turn.rolled) not in (0, 5) or len(state.turn.faces) not in (0, 5)
    ):
        yield f"dice {state.turn.rolled} {state.turn.faces}"
    if state.stage == "heroes" and not state.turn_deck:
        yield "no turn card for the first round"
    if not set(state.winners) <= set(range(1, len(state.players) + 1)):
        yield f"winners {state.winners}"
    if not living:
        yield "nobody lives"


CODEC = Codec[State, Order](State, Order, AnyFacts, faults_of)

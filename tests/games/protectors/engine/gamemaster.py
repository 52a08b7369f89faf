"""A game master with a mind of their own: any correction of the table, at random, of those that
make sense on it.
"""

from random import Random

from engine.protectors.numbers import supply_limit
from engine.protectors.orders import ISLAND
from engine.protectors.state import State

KINDS = ("set-units", "set-owner", "set-money", "set-dpl", "set-card", "restore")


def random_correction(state: State, rng: Random) -> dict[str, object] | None:
    """An act that sets something on the table; None where what was thought of is not there to be
    set.

    Units stay within what their province can feed and cards of the deck that ends the game stay as
    they lie, so that what holds of games without corrections holds of these.
    """
    kind = rng.choice(KINDS)
    told = {
        "set-units": _units,
        "set-owner": _owner,
        "set-money": _money,
        "set-dpl": _power,
        "set-card": _card,
        "restore": _restored,
    }[kind](state, rng)
    return (
        None
        if told is None
        else {
            "act": kind,
            **told,
            "reason": rng.choice(("I mistyped", "Anna's mail was late; P3 & all\u2026")),
        }
    )


def _units(state: State, rng: Random) -> dict[str, object] | None:
    held = [i for i, province in enumerate(state.board) if province.owner is not None]
    if not held:
        return None
    i = rng.choice(held)
    return {"province": i, "units": rng.randint(0, _room(state, i))}


def _owner(state: State, rng: Random) -> dict[str, object] | None:
    """Not in Consolidation, as cards: another owner's realm may feed fewer than are there, and
    nobody starves before the next turn's.
    """
    lands = [
        i
        for i, province in enumerate(state.board)
        if (i or state.options.island) and province.units <= _room(state, i)
    ]
    if state.stage == "consolidation" or not lands or not state.ranking:
        return None
    return {"province": rng.choice(lands), "owner": rng.choice((None, *state.ranking))}


def _money(state: State, rng: Random) -> dict[str, object] | None:
    return (
        {"player": rng.choice(state.ranking), "realm": rng.randint(0, 300)}
        if state.ranking
        else None
    )


def _power(_state: State, rng: Random) -> dict[str, object]:
    return {"dpl": rng.randint(0, 30)}


def _card(state: State, rng: Random) -> dict[str, object] | None:
    decks = [played.deck for played in state.in_play if played.deck != "end"]
    if state.stage == "consolidation" or not decks:
        return None
    deck = rng.choice(decks)
    pile = getattr(state, deck)
    cards = sorted({*pile.draw, *pile.discard})
    return {"card": rng.choice(cards)} if cards else None


def _restored(state: State, rng: Random) -> dict[str, object] | None:
    gone = [player.number for player in state.players if not player.is_active]
    if not gone:
        return None
    free = [i for i, province in enumerate(state.board) if i != ISLAND and province.owner is None]
    lands = rng.sample(free, min(len(free), rng.randint(0, 2)))
    units = [rng.randint(0, _room(state, i)) for i in lands]
    return {
        "player": rng.choice(gone),
        "rank": rng.choice((None, rng.randint(1, len(state.ranking) + 1))),
        "provinces": lands,
        "units": units,
    }


def _room(state: State, i: int) -> int:
    return min(3, supply_limit(state, i))

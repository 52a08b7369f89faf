"""Positions written out: the case format's shape, plain data that JSON and YAML can hold, and what
follows from a position.
"""

from collections.abc import Mapping

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.lands import ring_land
from engine.protectors.phases.ending import scores
from engine.protectors.positions.position_words import DRAGON_NAME, ISLAND_NAME, NOBODY
from engine.protectors.state import DECKS, DRAGON, Deck, Player, State
from engine.ruleset import Standing

Data = dict[str, object]


def format_position(state: State, standings: Mapping[int, Standing[o.Order]] | None = None) -> Data:
    """A state in the shape of a case's `position`, with what follows from it (`winner`, `score`,
    `bracket`, `threshold`).
    """
    names = {seat.number: seat.name for seat in state.players}
    gone = {seat.name: _fallen(seat, names) for seat in state.players if not seat.is_active}
    finals = [
        names[number] for number, standing in sorted((standings or {}).items()) if standing.final
    ]
    told: Data = {
        "turn": state.turn,
        "phase": state.stage,
        "provinces": state.land.provinces,
        "borders": _borders(state),
        "starting_players": state.starting_players,
        "ranking": [names[number] for number in state.ranking],
        "eliminated": gone,
        "dpl": state.dpl,
        "eliminated_this_turn": [
            seat.name for seat in state.players if seat.name in gone and seat.fell_in == state.turn
        ],
        "in_play": [played.card for played in state.in_play],
        "locked": [played.card for played in state.locked],
        "decks": {deck: list(_pile(state, deck).draw) for deck in DECKS},
        "discards": {deck: list(_pile(state, deck).discard) for deck in DECKS},
        "removed": {
            deck: list(_pile(state, deck).removed) for deck in DECKS if _pile(state, deck).removed
        },
        "owed": {names[number]: amount for number, amount in state.owed},
        "bids": {names[number]: amount for number, amount in state.bids},
        "ties": [[names[number] for number in sorted(tie)] for tie in state.ties],
        "final": finals,
        "last_orders": {
            names[number]: [o.format_order(order, names) for order in orders]
            for number, orders in state.last_orders
        },
        "players": {seat.name: _player(seat) for seat in state.players},
        "board": _board(state, names),
    }
    attack = state.attack
    if attack is not None:
        hired: Data = {"bank": [names[number] for number in attack.hired]} if attack.hired else {}
        told["attack"] = {
            "during": attack.during,
            "dpl": attack.dpl,
            "more": attack.more,
            "next": list(attack.waiting),
            **hired,
        }
    if attack is not None and attack.answers:
        told["answers"] = {
            names[number]: [o.format_order(order, names) for order in orders]
            for number, orders in attack.answers
        }
    return told | derive(state)


def derive(state: State) -> Data:
    """What follows from a position: VP as they stand, brackets, the threshold, and the winner once
    there is one.
    """
    names = {seat.number: seat.name for seat in state.players}
    told: Data = {
        "score": {names[row[0]]: row[4] for row in sorted(scores(state))},
        "bracket": {
            names[number]: numbers.bracket_of(state, number) for number in sorted(state.ranking)
        },
        "threshold": numbers.threshold(state),
    }
    winner = winner_of(state)
    return told if winner is None else told | {"winner": winner}


def winner_of(state: State) -> str | None:
    """A player, a team, the Dragon, or nobody; None while the game continues."""
    if state.stage != "over":
        return None
    if not state.winners:
        return NOBODY if state.ended_by == "draw" else DRAGON_NAME
    first = state.players[state.winners[0] - 1]
    return first.team or first.name


def _fallen(seat: Player, names: Mapping[int, str]) -> str | list[str]:
    """By whom: a name, or a list of names in the order told, each once."""
    by = [
        DRAGON_NAME if number == DRAGON else names[number] for number in dict.fromkeys(seat.fell_to)
    ]
    return by[0] if len(by) == 1 else by


def _borders(state: State) -> str | list[list[int]]:
    if state.land.borders == ring_land(state.land.provinces).borders:
        return "ring"
    return [list(pair) for pair in state.land.borders]


def _pile(state: State, deck: str) -> Deck:
    pile: Deck = getattr(state, deck)
    return pile


def _player(seat: Player) -> Data:
    return {
        "realm": seat.realm,
        "vp": seat.vp,
        "colour": seat.colour,
        "faction": seat.faction,
        "used": list(seat.used),
        "effects": dict(seat.effects),
        "extra": list(seat.extra),
        "team": seat.team,
    }


def _board(state: State, names: Mapping[int, str]) -> Data:
    board: Data = {}
    for i, held in enumerate(state.board):
        owner = None if held.owner is None else names[held.owner]
        if i != o.ISLAND:
            board[f"P{i}"] = {
                "owner": owner,
                "units": held.units,
                "level": held.level,
                "burnt": held.burnt,
                "order": held.order,
            }
        elif numbers.has_island(state):
            board[ISLAND_NAME] = {"owner": owner, "units": held.units}
    return board

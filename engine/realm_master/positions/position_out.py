"""Positions written out in the shape of cases, for comparing and for `--json`."""

from collections.abc import Mapping

from engine.realm_master.cards import Tokens
from engine.realm_master.orders import Order
from engine.realm_master.positions.position_words import OUTSIDE, format_tokens
from engine.realm_master.state import (
    Begin,
    Fall,
    Pay,
    PlaceRevealed,
    Player,
    Stand,
    State,
    Step,
    Turn,
)
from engine.realm_master.wording import format_order
from engine.ruleset import Standing


def format_position(state: State, standings: Mapping[int, Standing[Order]]) -> dict[str, object]:
    """The position as a case would tell it; what nobody has is left out, and the dead have no
    tokens.
    """
    names = {player.number: player.name for player in state.players}
    told: dict[str, object] = {
        "round": state.round,
        "phase": state.stage,
        "turn_deck": list(state.turn_deck),
        "lands": {land.key: format_tokens(land) for land in state.lands},
        "players": {player.name: _player(player, names) for player in state.players},
        "seating": [names[number] for number in state.seating],
        "row": [pile[0] if len(pile) == 1 else list(pile) for pile in state.row],
        "deck": list(state.buy_deck),
        "discard": list(state.discard),
        "turns": state.turns,
    }
    if state.card is not None:
        told["card"] = state.card
    if state.stage == "over":
        return told | {
            "winner": _winner([names[number] for number in state.winners]),
            "ended_by": state.ended_by,
        }
    told |= {"asked": [names[number] for number in state.asked]}
    told |= {"to_play": [names[task.player] for task in state.agenda if isinstance(task, Begin)]}
    owing = [names[task.player] for task in state.agenda if isinstance(task, Pay)]
    told |= {"owing": owing} if owing else {}
    if state.stage == "round":
        told["before"] = bool(owing) or any(
            task.__struct_config__.tag == "yield" for task in state.agenda
        )
    for task in state.agenda[:3]:
        match task:
            case Fall(victim, killer, cause):
                told["loot"] = {
                    "victim": names[victim],
                    "killer": None if killer is None else names[killer],
                    "cause": cause,
                }
            case Stand(hit):
                told["hit"] = {names[player]: damage for player, damage in hit}
            case PlaceRevealed(card):
                told["revealed"] = card
    if state.turn is not None:
        told["turn"] = _turn(state, state.turn, names)
    return told


def _player(player: Player, names: Mapping[int, str]) -> dict[str, object]:
    told: dict[str, object] = {
        "hgb": format_tokens(Tokens(player.hearts, player.gold, player.banners)),
        "at": OUTSIDE if player.at is None else player.at,
        "cards": list(player.cards),
        "alive": player.alive,
    }
    told |= {"hero": player.hero} if player.hero is not None else {}
    told |= {"fell_to": names[player.fell_to]} if player.fell_to is not None else {}
    told |= (
        {"plan": [format_order(line) for line in player.plan.lines]} if player.plan.lines else {}
    )
    told |= {"auto": True} if player.plan.auto else {}
    told |= {"last": [format_order(line) for line in player.plan.last]} if player.plan.last else {}
    told |= {"missed": player.missed} if player.missed else {}
    return told | ({"conceding": True} if player.conceding else {})


def _turn(state: State, turn: Turn, names: Mapping[int, str]) -> dict[str, object]:
    told: dict[str, object] = {"player": names[turn.player], "inside": turn.inside}
    told |= {"rolled": "".join(turn.rolled)} if turn.rolled else {}
    told |= {"faces": "".join(turn.faces)} if turn.faces else {}
    told |= {key: value for key, value in (("horn", turn.horn), ("lives", turn.lives)) if value}
    told |= {"attacked": True} if turn.attacked else {}
    step = next((task.name for task in state.agenda if isinstance(task, Step)), None)
    return told | ({"step": step} if step is not None else {})


def _winner(names: list[str]) -> object:
    return names[0] if len(names) == 1 else names

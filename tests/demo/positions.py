"""A position in which player 1 may give every kind of order."""

from collections.abc import Sequence

import msgspec

from engine.chance import Chance
from engine.protectors.cards import PIRATES
from engine.protectors.colours import COLOURS
from engine.protectors.lands import ring_land
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Attack, Played, Province, Stage, State
from engine.ruleset import Seat

SEED = bytes(range(32))


def seated(names: Sequence[str], stage: Stage) -> State:
    """Each player in the province of the own number with two units, player 1 the Grand Protector and rich."""
    seats = [Seat(number, name, colour) for number, (name, colour) in enumerate(zip(names, COLOURS, strict=False), start=1)]
    state = PROTECTORS.setup({}, seats, Chance(SEED)).state
    held = [Province(owner=number, units=2) for number in range(1, len(names) + 1)]
    if stage == "consolidation":
        held[0] = Province(owner=1, units=2, level=1, order="golden work")
        held[-2:] = [Province(owner=1, units=1, level=3)] * 2
    return msgspec.structs.replace(
        state,
        stage=stage,
        players=tuple(msgspec.structs.replace(player, realm=200, start=player.number) for player in state.players),
        board=(state.board[0], *held),
        ranking=tuple(range(1, len(names) + 1)),
        in_play=(Played("sea", PIRATES),),
        attack=Attack("reveal", 5) if stage == "dragon" else None,
    )


def landed(names: Sequence[str], stage: Stage) -> State:
    """The same, but player 1 holds P2 besides P1 and has driven player 2 to the last province."""
    state = seated(names, stage)
    board = list(state.board)
    board[2] = Province(owner=1, units=3)
    board.append(Province(owner=2, units=1))
    return msgspec.structs.replace(state, board=tuple(board), land=ring_land(len(board) - 1))

"""A position in which player 1 may give every kind of order."""

from collections.abc import Sequence

import msgspec

from engine.chance import Chance
from engine.protectors.abilities import ABILITIES
from engine.protectors.cards import FLOOD, PIRATES, THERE_BE_DRAGONS
from engine.protectors.colours import COLOURS
from engine.protectors.lands import ring_land
from engine.protectors.orders import Faction
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Attack, Peek, Played, Province, Stage, State
from engine.ruleset import Seat

SEED = bytes(range(32))


def seated(names: Sequence[str], stage: Stage) -> State:
    """Each player in the province of the own number with two units, player 1 the Grand Protector
    and rich.
    """
    seats = [
        Seat(number, name, colour)
        for number, (name, colour) in enumerate(zip(names, COLOURS, strict=False), start=1)
    ]
    state = PROTECTORS.setup({}, seats, Chance(SEED)).state
    held = [Province(owner=number, units=2) for number in range(1, len(names) + 1)]
    if stage == "consolidation":
        held[0] = Province(owner=1, units=2, level=1, order="golden work")
        held[-2:] = [Province(owner=1, units=1, level=3)] * 2
    return msgspec.structs.replace(
        state,
        stage=stage,
        players=tuple(
            msgspec.structs.replace(player, realm=200, start=player.number)
            for player in state.players
        ),
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


def gifted(
    names: Sequence[str], stage: Stage, faction: Faction | None, *, looked: bool = True
) -> State:
    """Two teams, everybody of this faction, and player 1 on the Island and with a burnt province.

    Player 1 has `looked` at a card of the two decks that Kalu'Ak look at, and in Consolidation has
    used all that can be refreshed.
    """
    state = landed(names, stage)
    options = msgspec.structs.replace(state.options, factions="choice", island=True, teams=2)
    used = tuple(
        ability.once
        for ability in ABILITIES
        if ability.faction == faction and ability.once is not None
    )
    players = tuple(
        msgspec.structs.replace(
            player,
            faction=faction,
            team="Red" if player.number % 2 else "Gold",
            used=used if player.number == 1 and stage == "consolidation" else (),
        )
        for player in state.players
    )
    board = (
        Province(owner=1, units=1),
        *state.board[1:2],
        msgspec.structs.replace(state.board[2], burnt=True),
        *state.board[3:],
    )
    peeks: tuple[Peek, ...] = ()
    event, dragons = state.event, state.dragons
    if looked and stage == "orders" and faction == "Kalu'Ak":
        event = msgspec.structs.replace(
            event, draw=(FLOOD, *(card for card in event.draw if card != FLOOD))
        )
        top = next(card for card in dragons.draw if card != THERE_BE_DRAGONS)
        at = dragons.draw.index(top)
        dragons = msgspec.structs.replace(
            dragons, draw=(top, *dragons.draw[:at], *dragons.draw[at + 1 :])
        )
        peeks = (Peek(1, "event", FLOOD), Peek(1, "dragons", top))
    return msgspec.structs.replace(
        state,
        options=options,
        players=players,
        board=board,
        peeks=peeks,
        event=event,
        dragons=dragons,
        turn=1 if stage == "bidding" else 6,
    )

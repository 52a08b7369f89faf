"""A message read with what somebody else proposes that it means."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine.ruleset import PlayerNumber, Standing
from pbem.grammar.house.reading import ReadOrders, read_orders
from pbem.grammar.house.statements import Orders, Said
from pbem.grammar.kit.reading import Reading


def read_proposed(
    read: ReadOrders,
    state: Any,
    player: PlayerNumber,
    standing: Standing[Any],
    said: Said,
    lines: Sequence[str] = (),
) -> tuple[Reading, tuple[str, ...]]:
    """The message with these orders offered, if they may be meant by it; and all that may be
    ordered, canonical, where words of the game came to nothing. (): nobody need be asked.
    """
    told: Sequence[str] = ()

    def propose(forms: Sequence[str]) -> Sequence[str]:
        nonlocal told
        told = forms
        return lines

    reading = read_orders(read, state, player, standing, replace(said, propose=propose))
    return reading, tuple(told)


def words_for_game(said: Said) -> str:
    """What of a message is for the game: no note to the game master, and no word of the house."""
    pieces = [said.text[slice(*one.span)] for one in said.statements if isinstance(one, Orders)]
    return "".join(pieces).strip() if said.statements else said.text.strip()

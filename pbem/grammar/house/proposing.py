"""What somebody else proposes that a message means: first what they are asked, then the message
read once more with what they said.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from engine.ruleset import PlayerNumber, Standing
from pbem.grammar.house.reading import Reader, read_orders
from pbem.grammar.house.statements import Orders, Said
from pbem.grammar.kit.reading import Reading


@dataclass(slots=True)
class _Asked:
    """Notes what may be ordered, and answers with these lines."""

    answer: Sequence[str] = ()
    forms: Sequence[str] = ()

    def __call__(self, forms: Sequence[str]) -> Sequence[str]:
        self.forms = forms
        return self.answer


def forms_open(
    read: Reader, state: Any, player: PlayerNumber, standing: Standing[Any], said: Said
) -> tuple[str, ...]:
    """All that may be ordered, canonical, where words of the game came to nothing and nothing else
    is to be said to them; (): nobody need be asked.
    """
    asked = _Asked()
    read_orders(read, state, player, standing, replace(said, propose=asked))
    return tuple(asked.forms)


def read_proposed(
    read: Reader,
    state: Any,
    player: PlayerNumber,
    standing: Standing[Any],
    said: Said,
    lines: Sequence[str],
) -> Reading:
    """The message with these orders offered, if they may be meant by it."""
    return read_orders(read, state, player, standing, replace(said, propose=_Asked(lines)))


def words_for_game(said: Said) -> str:
    """What of a message is for the game: no note to the game master, and no word of the house."""
    pieces = [said.text[slice(*one.span)] for one in said.statements if isinstance(one, Orders)]
    return "".join(pieces).strip() if said.statements else said.text.strip()

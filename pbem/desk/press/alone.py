"""How a text alone would be read if it came from its writer as a message of its own; light, for the
process where texts are read.
"""

import re
from typing import Any

from engine.ruleset import Standing
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.reading import ReadOrders, read_alone
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.lobby import Choices, read_lobby
from pbem.grammar.seat_wishes import Accept, Decline, Show

CODE = re.compile(r"(?<![a-z0-9-])[a-z]\d{1,9}-\d{1,9}-[a-z2-7]{26}(?![a-z0-9-])", re.IGNORECASE)
BLOTTED = "[...]"


def without_codes(text: str) -> str:
    """The text without anything that looks like a code of ours."""
    return CODE.sub(BLOTTED, text)


def read_orders(
    read: ReadOrders,
    state: Any,
    number: int,
    standing: Standing[Any],
    text: str,
) -> Reading:
    """By the reader of the game, with the orders of the player that stand."""
    return read_alone(read, state, number, standing, without_codes(text))


def read_wishes(words: Choices, text: str) -> Reading:
    """Of somebody at a table that has not begun: wishes about a seat."""
    wishes = [
        wish
        for wish in read_lobby(text, words).wishes
        if not isinstance(wish, Accept | Decline | Show)
    ]
    return Reading(
        items=(Item(quote=text, texts=(text,)),) if wishes else (),
        commands=read_words(text).commands,
    )


def read_words(text: str) -> Reading:
    """Of somebody who gives no orders: the words of the house."""
    said = hear(text)
    return Reading(commands=said.commands, answers=said.answers)

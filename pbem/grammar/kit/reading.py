"""The result of reading a message: items in the player's own words, commands, answers, and the
engine's judgement.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from engine.ruleset import Checked, PlayerNumber, Problem
from pbem.grammar.house.commands import AnyCommand

UNUSED = "unused"
"""The problem of words of the game that came to nothing."""
ASKED_FIRST = "asked-first"
"""The problem of what takes effect at once, next to such words: it needs a yes."""
Propose = Callable[[Sequence[str]], Sequence[str]]
"""Of all that may be ordered (canonical, with what may be chosen in it), the orders that somebody
thinks are meant; none where they do not know.
"""
PARTLY_READ = "partly-read"
"""The problem of an order to which words belong that were not understood."""


class Suggestion(msgspec.Struct, frozen=True):
    """The nearest legal reading of what was not taken; it counts only when the player answers `yes
    NUMBER`.
    """

    number: int
    orders: tuple[Any, ...]
    text: str


class Item(msgspec.Struct, frozen=True):
    """One clause of the message. `quote` is what the player wrote, `caret` the part of it (from,
    to) that is the trouble.

    `orders` and their canonical `texts` are what stands; `problems` are refusals, and warnings that
    leave it standing. `example` is a line to copy where the clause was not read: legal with all
    that stands, and as near to the player's words as there is. `instead` are the texts that stand
    now and would fall to the suggestion, or to that line; `dropped` those of lines that these words
    took back. `is_offered`: the suggestion of another item covers its words.
    """

    quote: str
    caret: tuple[int, int] | None = None
    orders: tuple[Any, ...] = ()
    texts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    suggestion: Suggestion | None = None
    example: str = ""
    instead: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    is_offered: bool = False

    @property
    def is_order(self) -> bool:
        """Whether its words are an order, and not talk: one that stands, that the rules refuse, or
        that we suggest.
        """
        refused = any(one.order is not None and not one.warning for one in self.problems)
        return bool(self.orders) or refused or self.suggestion is not None


class Reading(msgspec.Struct, frozen=True):
    """All of a message.

    `checked` is the engine's word on its orders (None: there were none). `note` goes to the game
    master: what follows `GM:`, or the whole message if nothing in it was an order. `answers` are
    the numbers after `yes` (None: no yes, (): a plain one). `corrected`: the message corrects
    itself. `slips` are words read with a slip, as (written, read) in words. `cut`: the message was
    too long and its end was not read. The reader of a game leaves `commands`, `answers` and the
    note behind `GM:` to the house; `own` are places of words of the house that are orders in this
    game. `wants_out`: its writer wants to leave the game.
    """

    items: tuple[Item, ...] = ()
    commands: tuple[AnyCommand, ...] = ()
    checked: Checked[Any] | None = None
    note: str | None = None
    answers: tuple[int, ...] | None = None
    corrected: bool = False
    slips: tuple[str, ...] = ()
    cut: bool = False
    own: tuple[tuple[int, int], ...] = ()
    wants_out: bool = False

    @property
    def unused(self) -> tuple[str, ...]:
        """Words of the game in it that came to nothing; each is told of in an item of its own."""
        return tuple(
            item.quote
            for item in self.items
            if any(problem.code == UNUSED for problem in item.problems)
        )


class Correction(msgspec.Struct, frozen=True):
    """What a game master sets right: the act of the rules that it is, and its one spelling.
    `is_said`: a ruling, which changes nothing.
    """

    act: Mapping[str, Any]
    text: str
    is_said: bool = False


class SupposedItem(msgspec.Struct, frozen=True):
    """One clause of a question, and whose orders it supposes (None: nobody can tell)."""

    player: PlayerNumber | None
    item: Item


class Supposition(msgspec.Struct, frozen=True):
    """What a question supposes: all orders that are to count, by player. Who is missing there was
    not spoken of.

    `items` are the clauses as they were understood, or not: with a refusal among them nothing may
    be supposed, for a part of a question is another question. `stored`: the player's own orders are
    those that stand, since the question names none.
    """

    orders: Mapping[PlayerNumber, tuple[Any, ...]] = {}
    items: tuple[SupposedItem, ...] = ()
    stored: bool = True

    @property
    def is_understood(self) -> bool:
        return not any(
            not problem.warning for supposed in self.items for problem in supposed.item.problems
        )

"""The result of reading a message: items in the player's own words, commands, answers, and the
engine's judgement. What is unclear is a problem, and nothing that somebody wrote is an error.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from engine.ruleset import Checked, Fact, PlayerNumber, Problem
from pbem.grammar.house.commands import AnyCommand

UNUSED = "unused"
"""The problem of words of the game that came to nothing."""
ASKED_FIRST = "asked-first"
"""The problem of what takes effect at once, next to such words: it needs a yes."""
Propose = Callable[[Sequence[str]], Sequence[str]]
"""Of all that may be ordered (canonical, with what may be chosen in it), the orders that somebody
thinks are meant; none where they do not know.
"""
LONGEST = 400
"""Characters of a question that are read."""
LONGEST_SUPPOSITION = 3000
"""Characters of a supposition; a longer one is not understood."""
_TOO_LONG = Problem("too-long", facts={"most": LONGEST_SUPPOSITION})
T = TypeVar("T")
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


class Unclear(Exception):
    """Raised within the reading of questions alone: what is unclear in one."""

    def __init__(self, code: str, **facts: Fact) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


def question_of(text: str, read: Callable[[str], T]) -> T | Problem:
    """What a question is read as, or what is unclear about it."""
    text = text[:LONGEST]
    try:
        return read(text)
    except Unclear as unclear:
        asked = " ".join(text.split())
        return Problem(unclear.code, facts={"asked": asked, **unclear.facts})


def supposition_of(text: str, read: Callable[[], Supposition]) -> Supposition:
    """What a text supposes, where it is not too long to be read."""
    return unread(text, _TOO_LONG) if len(text) > LONGEST_SUPPOSITION else read()


def unread(text: str, problem: Problem) -> Supposition:
    """A text of which nothing is supposed."""
    item = Item(quote=text.strip()[:200], problems=(problem,))
    return Supposition(items=(SupposedItem(None, item),))


def supposed(
    player: int,
    stands: tuple[Any, ...],
    reading: Reading,
    tell: Callable[[Any], str],
    is_at_once: Callable[[Any], bool],
) -> Supposition:
    """What a player supposes with orders as if they were sent: none that takes effect at once."""
    checked = reading.checked
    items = [SupposedItem(player, item) for item in reading.items]
    items += [
        SupposedItem(player, Item(tell(order), problems=(Problem("at-once"),)))
        for order in (checked.accepted if checked is not None else ())
        if is_at_once(order)
    ]
    orders = checked.standing.orders if checked is not None else stands
    return Supposition({player: orders} if orders else {}, tuple(items), stored=checked is None)

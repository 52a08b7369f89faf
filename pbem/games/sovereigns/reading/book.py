"""What a message comes to so far: its lines, and what waits for more."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.entries import NOT_UNDERSTOOD, OrderEntry
from pbem.games.sovereigns.reading.position import Position
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.reading.ledger import Ledger

AT_ONCE = (o.Offer, o.Answer, o.Claim, o.Vote, o.Object, o.Abdicate, o.CancelAll)
Found = Sequence[o.Order] | o.Order | Problem | Lexeme | None
"""Orders, what is wrong, or the word that is too much."""


@dataclass(slots=True)
class SetUp:
    """What is known of the split; `numbered` is the last sentence with numbers of it, `name` the
    kingdom's name in the sentence that is read, `half` where numbers stand that are not all yet.
    """

    counts: dict[str, int] = field(default_factory=dict)
    numbered: int = -1
    name: str = ""
    named: str = ""
    half: tuple[int, int, int] | None = None


@dataclass(slots=True)
class LineBook(Ledger[OrderEntry]):
    """All lines of a message so far; `number` is that of the sentence that is read."""

    plain: Plain = field(kw_only=True)
    position: Position = field(kw_only=True)
    conditions: list[o.Condition] = field(default_factory=list)
    number: int = 0
    last: int | None = None
    """The kingdom spoken of last."""
    called: int = 0
    """Whom the sentence that is read speaks to, if to another ruler."""
    salutes: int = 0
    """Whom the message is addressed to: `Dear Ben,` in a line of its own."""
    revised: bool = False
    """An order of this message was, by a word of correction behind it."""
    set_up: SetUp = field(default_factory=SetUp)
    nameless: tuple[OrderEntry, Lexeme] | None = None
    """A proposal that has a name and no effect yet."""
    topic: Lexeme | None = None
    """What the research before may be after."""
    armed: tuple[OrderEntry, dict[str, int]] | None = None
    """Points for a rebellion or a coup, told before the answer they belong to."""
    blessed: OrderEntry | None = None
    """A boon for the action that follows."""
    unargued: OrderEntry | None = None
    """An objection whose reason may continue."""

    @property
    def binds(self) -> bool:
        """Whether something stands that takes effect at once, or ends a kingdom."""
        return any(isinstance(entry.order, AT_ONCE) for entry in self.entries)

    @property
    def wonders(self) -> bool:
        """Whether the last order is a research without any details yet."""
        match self.latest:
            case OrderEntry(order=o.Do(ways=(o.Action(kind="Research", proposal=None),))):
                return True
        return False

    def add(
        self, order: o.Order | Problem, start: int, end: int, caret: Lexeme | None = None
    ) -> OrderEntry:
        entry = OrderEntry(order, start, end, self.number, caret)
        self.entries.append(entry)
        return entry

    def add_exact(self, order: o.Order, start: int, end: int) -> None:
        """An order in its canonical text; of a split more may follow."""
        if isinstance(order, o.Split) and self.position.state.stage == "setup":
            known = self.set_up
            known.named, known.numbered = order.name, self.number
            known.counts = {"R": order.resources, "M": order.military, "H": order.harmony}
        self.add(order, start, end)

    def put(self, found: Found, start: int, end: int) -> None:
        """Record the result of words: orders, a problem, or a word that is too much."""
        if found is None or isinstance(found, Lexeme):
            self.add(NOT_UNDERSTOOD, start, end, found)
        elif isinstance(found, Problem | o.Order):
            self.add(found, start, end)
        else:
            for order in found:
                self.add(order, start, end)

    def remember(self, lexemes: Sequence[Lexeme]) -> None:
        """Whom `they` will mean."""
        named = {x.value for x in lexemes if x.kind == "WHO" and (x.value or 0) > 0}
        named -= {self.position.me}
        order = self.entries[-1].order if self.entries else None
        fresh = bool(self.entries) and self.entries[-1].number == self.number
        if fresh and isinstance(order, o.Do) and order.ways[-1].target:
            self.last = order.ways[-1].target
        elif named:
            self.last = named.pop() if len(named) == 1 else None

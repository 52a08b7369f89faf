"""The lines of a message so far, and what asks about, joins, corrects or takes back what stands
among them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.fortresses import orders as o
from engine.fortresses.atlas import Kingdom
from engine.ruleset import Problem
from pbem.games.fortresses.reading.entries import OrderEntry
from pbem.games.fortresses.reading.lexer import zone_of
from pbem.games.fortresses.reading.moves import NOT_UNDERSTOOD, Made
from pbem.games.fortresses.reading.pieces import Amount, Place, Run
from pbem.games.fortresses.reading.position import Position, taken_by
from pbem.games.fortresses.reading.revisions import about, amended, joined_by
from pbem.grammar.kit.lexemes import Lexeme
from pbem.reading.ledger import Ledger

_ONCE = (o.NoAttacks, o.Done, o.BuyNothing, *o.COMMANDS)
"""Orders that mean the same when they are said twice."""


@dataclass(slots=True)
class OrderLedger(Ledger[OrderEntry]):
    """`number` is that of the sentence that is being read."""

    position: Position = field(kw_only=True)
    number: int = 0
    said: set[tuple[type[o.Line], bool]] = field(default_factory=set)
    """What needs to be said but once."""

    def of(self, number: int) -> list[OrderEntry]:
        """The lines of a sentence."""
        return [entry for entry in self.entries if entry.number == number]

    def add(self, made: Made, kingdom: Kingdom | None = None) -> None:
        kept = self.position.kept
        if isinstance(made.order, _ONCE):
            said = (type(made.order), kept)
            if said in self.said:
                return
            self.said.add(said)
        line = made.order, made.start, made.end, self.number, made.caret
        self.entries.append(OrderEntry(*line, kept=kept, kingdom=kingdom))

    def tell(self, lexemes: Sequence[Lexeme], caret: Lexeme | None = None) -> None:
        """It is not understood, all of it."""
        self.add(Made(NOT_UNDERSTOOD, lexemes[0].start, lexemes[-1].end, caret))

    def ask_all(self) -> None:
        """Nothing that was said so far is taken."""
        self.said.clear()
        Ledger.ask_all(self)

    def doubt(self, entries: Sequence[OrderEntry]) -> None:
        """An order without a zone may be about one that was not understood."""
        if any(entry.order == NOT_UNDERSTOOD for entry in entries):
            for entry in entries:
                if isinstance(entry.order, o.Instruction) and not entry.order.zone:
                    entry.ask()

    def stay(self, run: Run) -> None:
        """What stays where it is, is not sent: an order that sends it is asked about."""
        units = [piece for piece in run.solid if isinstance(piece, Amount)]
        zones = {zone_of(piece.lexeme) for piece in run.solid if isinstance(piece, Place)}
        for entry in self.standing:
            sent = (lot for zone, lot in taken_by(entry.order) if not zones or zone in zones)
            if any(lot.of(one.type) if one.type else lot.total for lot in sent for one in units):
                entry.ask()

    def joins(self, run: Run) -> bool:
        """Whether those of a run join the attack before: `the knight goes along too`."""
        last = self.latest
        if last is None or last.number < self.number - 1 or not isinstance(last.order, o.Attack):
            return False
        return self._put(last, joined_by(last.order, run, self.position), run)

    def amends(self, run: Run) -> bool:
        """Whether a fragment changes the last order: `I mean 3 legions`."""
        last = self.latest
        if last is None or run.family not in {"", "order"} or not isinstance(last.order, o.Line):
            return False
        return self._put(last, amended(last.order, run, self.position), run)

    def _put(self, entry: OrderEntry, order: o.Line | None, run: Run) -> bool:
        if order is not None:
            entry.order, entry.end = order, max(entry.end, run.solid[-1].lexeme.end)
        return order is not None

    def revise(self, made: Sequence[Made], cue: str) -> None:
        """What stands behind `no wait`, `I mean`, `scratch that`: it takes the place of what it
        can only stand in the place of, or all that was said is asked about.
        """
        before = self.standing
        last = self.latest
        unread = not made or any(isinstance(one.order, Problem) for one in made)
        rival = last is not None and bool(made) and about(last.order) & about(made[0].order)
        cancels = any(isinstance(entry.order, o.Cancel) for entry in before)
        gone = before[-1:] if rival and not unread else []
        if cue == "retract":
            gone = [] if unread or cancels else before
        for entry in gone:
            self.entries.remove(entry)
        if not made or (cue == "retract" and not gone):
            self.ask_all()
        elif last is not None and not gone and (cue != "soft" or unread):
            last.ask()
        keeps = gone or last is None or cue == "soft"
        for one in made:
            self.add(one if keeps else Made(NOT_UNDERSTOOD, one.start, one.end))

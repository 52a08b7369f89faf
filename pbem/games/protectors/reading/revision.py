"""Corrections: what the table of reach says of a cue, done to the orders of the ledger."""

from dataclasses import dataclass

from pbem.games.protectors.reading.dialect import IN_PLACE, MARCHING, PAYING, SINGLE
from pbem.games.protectors.reading.ledger import LedgerEntry, OrderLedger
from pbem.games.protectors.reading.shapes import EVERYWHERE, shape_of
from pbem.grammar.kit.discourse import row_of
from pbem.grammar.kit.slots import Slots

_FOLLOWS = {
    "places": "place",
    "number": "number",
    "path": "path",
    "to": "path",
    "from": "path",
    "flag": "flag",
    "who": "who",
    "amount": "who",
    "spread": "number",
    "units": "path",
}


_COUNTED = MARCHING | PAYING | {"COMMIT"}
_ANEW = frozenset({"correct", "soft"})


@dataclass(slots=True)
class Corrector:
    """Does what the table says; `takes` tells whether nothing is left to do with the clause."""

    ledger: OrderLedger

    def takes(self, slots: Slots, number: int) -> bool:
        """A clause that a cue begins. Its own order, if it gives one, is left to the composer."""
        last = self.ledger.last
        if last is None:
            slots.cue = ""
            return False
        if slots.cue == "retract" and self._takes_back_one(slots):
            return True
        if shape_of(slots) == "unflag" and not slots.loose and not slots.turns:
            slots.cue = ""  # `golden fortify P1, no, not golden`
            return False
        if (
            shape_of(slots) == "units"
            and last.slots.kind in {"COMMIT", "BUY"}
            and ("SAC" not in slots.marks)
        ):
            slots.verb = last.slots.verb
        if _completes(last.slots, slots) and slots.cue in _ANEW:
            self.ledger.corrected = True
            return True
        self._inherit(slots, last)
        follows = self.follows(slots, last)
        row = row_of(slots.cue, follows)
        if row.deed == "add":
            return False
        self.ledger.corrected = True
        if row.deed == "replace" and row.reach == "slot":
            certain = last.stands and slots.joint != "CUE"
            if not (certain and not slots.turns and _replace(last.slots, slots)):
                self.ledger.ask_all()
                self.ledger.entries.append(LedgerEntry(slots, number, why="not-understood"))
            return True
        if row.deed == "replace" and row.reach == "place":
            self._replace_provinces(slots)
            return False
        if row.deed == "replace":
            for entry in self.ledger.entries:
                entry.gone = entry.gone or bool(entry.provinces()) or entry.spreads
            return False
        if row.reach == "last":
            last.why = last.why or "not-understood"
        else:
            self.ledger.ask_all()
        shape = shape_of(slots)
        return shape != "order" and not (shape == "path" and follows in {"kin", "other"})

    def _takes_back_one(self, slots: Slots) -> bool:
        """`forget the snitch`, of a message that has one."""
        said = slots.filled()
        alike = MARCHING if slots.kind in MARCHING else {slots.kind}
        found = [e for e in self.ledger.standing if said == {"verb"} and e.slots.kind in alike]
        if len(found) != 1 or slots.turns or slots.loose or slots.joint == "CUE":
            return False
        found[0].gone = True
        self.ledger.corrected = True
        return True

    def talks(self, cue: str) -> bool:
        """A cue without an order behind it; returns whether the player must be told."""
        row = row_of(cue, "talk")
        if row.deed == "add" or self.ledger.last is None:
            return False
        self.ledger.corrected = True
        self.ledger.ask_all()
        return True

    def alone(self, cue: str) -> None:
        """A cue that nothing follows to the end of the message."""
        row = row_of(cue, "nothing")
        if row.deed != "add":
            self.ledger.corrected = True
            self.ledger.ask_all()

    def follows(self, slots: Slots, last: LedgerEntry) -> str:
        """What follows the cue, as the table calls it."""
        shape = shape_of(slots)
        if slots.loose and shape != "order":
            return "talk"
        if shape != "order":
            if shape == "path" and slots.origin is not None:
                named = {slots.origin.value}
                ordered = any(named <= other.provinces() for other in self.ledger.standing)
                return "same" if ordered or named <= last.provinces() else "other"
            return _FOLLOWS.get(shape, "talk")
        entry = LedgerEntry(slots, 0)
        if entry.spreads:
            return "spread"
        named_here = entry.provinces()
        if any(other.provinces() & named_here for other in self.ledger.standing):
            return "same"
        if any(other.spreads for other in self.ledger.standing) and named_here:
            return "same"
        if slots.kind in SINGLE and any(e.slots.kind == slots.kind for e in self.ledger.standing):
            return "same"
        if slots.kind == last.slots.kind:
            return "kin"
        return "other"

    def _inherit(self, slots: Slots, last: LedgerEntry) -> None:
        """`work P1, no, fortify`: the place is the one before it."""
        if slots.kind in IN_PLACE and not slots.filled() & {"place", "quantity", "excepted"}:
            held = last.slots.before + last.slots.after + last.slots.at
            if last.slots.kind in IN_PLACE and len(held) == 1:
                slots.before = held
        marching = last.slots.kind in MARCHING and slots.kind in {"MARCH", "ATTACK"}
        if marching and slots.origin is None and not slots.places:
            slots.origin = last.slots.origin or next(iter(last.slots.places), None)
            slots.target = slots.target or last.slots.target

    def _replace_provinces(self, slots: Slots) -> None:
        named = LedgerEntry(slots, 0).provinces()
        for entry in self.ledger.standing:
            if entry.spreads:
                entry.slots.excepted += [p for p in slots.all_places if p.value in named]
            elif entry.provinces() & named:
                drop(entry, named)
            elif slots.kind in SINGLE and entry.slots.kind == slots.kind:
                entry.gone = True


def _replace_amount(old: Slots, new: Slots) -> bool:
    """`march 2 from P2 to P3. No, make that all three.`"""
    of_provinces = new.quantity is None or new.quantity.text in EVERYWHERE or new.excepted
    if old.kind not in _COUNTED or "SAC" in old.marks or of_provinces:
        return False
    old.numbers, old.quantity = [], new.quantity
    return True


def _completes(march: Slots, slots: Slots) -> bool:
    """`two go from P3, no, from P8 to P7`: the way of a march that has none yet is said again."""
    target = slots.target or slots.dash
    ways = slots.filled() <= {"origin", "target", "dash", "place"} and not slots.turns
    begun = march.kind in MARCHING and not march.target and not march.dash
    if not (ways and begun and slots.origin and target and not slots.loose and slots.verb is None):
        return False
    march.before, march.at, march.after = [], [], []
    march.origin, march.target, march.end = slots.origin, target, slots.end
    return True


def drop(entry: LedgerEntry, named: set[int]) -> None:
    """Take provinces from an order; without any it is gone."""
    slots = entry.slots
    if slots.kind not in IN_PLACE or slots.dash is not None:
        entry.gone = True
        return
    for held in (slots.before, slots.after, slots.at):
        held[:] = [place for place in held if place.value not in named]
    entry.gone = not slots.places


def _replace(old: Slots, new: Slots) -> bool:
    """Put what a fragment says into the one slot it fits; False if there is none, or two."""
    shape = shape_of(new)
    if new.flags or new.marks.keys() & {"SAME", "SAC"}:
        return False
    if shape == "spread":
        return _replace_amount(old, new)
    if shape in {"number", "places"} and old.kind in IN_PLACE:
        if len([*old.before, *old.after, *old.at]) == 1 and old.dash is None:
            old.before, old.after, old.at = [], list(new.numbers or new.places), []
            return True
        return False
    if shape == "number" and len(new.numbers) == 1:
        if old.kind in _COUNTED | {"BID", "BUY", "USE", "FIRE"}:
            fits = len(old.numbers) == 1 or (old.kind in MARCHING and old.quantity is not None)
            if fits:
                old.numbers, old.quantity = list(new.numbers), None
            return fits
        return False
    if shape == "who" and old.who:
        old.who = list(new.who)
        return True
    return False

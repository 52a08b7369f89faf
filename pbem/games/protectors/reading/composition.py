"""The clauses of a sentence find their orders: `P1, P2 and P3 fortify`, `march 1 from P1 to P2 and
1 to P3`, `everyone works but P4`. A fragment that finds none takes the order before it along into
the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from engine.protectors import orders as o
from pbem.games.protectors.reading.amendments import amends
from pbem.games.protectors.reading.dialect import DIALECT, IN_PLACE, MARCHING, PAYING
from pbem.games.protectors.reading.fragments import LAST_TURN, Fragments
from pbem.games.protectors.reading.garrisons import (
    REST,
    RESTS,
    is_left_alone,
    leaves_some,
    rest_stays,
    stays_at_home,
)
from pbem.games.protectors.reading.judgement import kind_of
from pbem.games.protectors.reading.ledger import LedgerEntry, OrderLedger
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.shapes import shape_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import Slots

_POINTING = frozenset({"WHICH", "THERE"})
_UNITS_LEFT = frozenset(
    {"the remaining one", "the remaining ones", "the remaining units", "the other one", "the other"}
)


@dataclass(slots=True)
class Composer(Fragments):
    """Puts the clauses of one sentence after another into the ledger."""

    def compose(self, clauses: Sequence[Slots], number: int) -> None:
        """One sentence."""
        self.number, self.waiting, self.flags = number, [], None
        denied = False
        for i, slots in enumerate(clauses):
            if not (self.waiting or self.flags) and amends(slots, self.ledger, number):
                continue
            if slots.cue in {"correct", "retract"} and (self.waiting or self.flags):
                self._ask(slots)  # `golden, no wait, fortify P1`
                continue
            if slots.cue and self.corrector.takes(slots, number):
                continue
            headless = slots.joint == "AND" and not slots.before and slots.verb is not None
            if denied and headless:
                self._ask(slots)  # `I don't want to fortify P1 and march ...`
                continue
            lost = i and (clauses[i - 1].loose or clauses[i - 1].turns)
            startless = slots.origin is None and not slots.places and slots.filled() & {"target"}
            if lost and (slots.joint == "RUN" or startless) and slots.kind != "FINAL":
                self._ask(slots)  # `fortify P1 abd work P2`, `keep 1 in P2, 2 to P3`
                continue
            denied = any(turn.kind in {"NEG", "HEDGE"} for turn in slots.turns)
            self._put(slots, clauses[i + 1 :])
        self._ask_left()
        _settle_denials(clauses, self.ledger, self.number, self.position)

    def _ask_left(self) -> None:
        """Provinces and flags that found no order."""
        for left in self.waiting:
            self._ask(left)
        if self.flags is not None:
            self._ask(self.flags)
        self.waiting, self.flags = [], None

    def _put(  # noqa: C901 - one case a shape
        self, slots: Slots, following: Sequence[Slots]
    ) -> None:
        last = self._last()
        faction = self._faction_beside(slots)
        if faction is not None:
            self._add(faction)
            last = self._last()
            if not slots.filled() - {"mark"}:
                return
        if slots.turns or (slots.loose and slots.verb is None):
            if slots.verb is not None:
                self._ask_left()  # `P2 and P1 may fortify, P12 works`
            self._ask(slots)
            return
        if "KEEP" in slots.marks:
            if not stays_at_home(slots, self.ledger, self.number, self.position):
                self._ask(slots)
            return
        stays = rest_stays(slots, self.ledger, self.position)
        if stays or ("FINE" in slots.marks and slots.filled() <= {"place", "quantity", "mark"}):
            if not is_left_alone(slots, self.ledger, self.position):
                self._ask(slots)
            return
        shape = shape_of(slots)
        kind = last.slots.kind if last is not None else ""
        match shape:
            case "order":
                self._order(slots)
            case "nothing":
                pass
            case "unknown" if self._is_faction(slots):
                slots.verb = Lexeme("FACTION", "faction", slots.start, slots.end)
                self._add(slots)
            case "places":
                self._places(slots, following)
            case "flag":
                self._flag(slots, following)
            case "except" if following and LedgerEntry(following[0], 0).spreads and last is None:
                following[0].excepted += slots.excepted
            case "except":
                self._except(slots)
            case "unflag":
                self._unflag(slots)
            case "path":
                self._path(slots)
            case "from" if kind in MARCHING | {"SUPPORT"} and last and last.slots.origin is None:
                last.slots.origin, last.slots.end = slots.origin, slots.end
            case "amount" if kind in PAYING | {"GET"}:
                self._add(self._with_verb(slots, last))
            case "number" if self._lists_provinces(slots, last, following):
                slots.after, slots.numbers = slots.numbers, []
                self._places(slots, following)
            case "number" if kind in MARCHING and last is not None and not last.slots.numbers:
                last.slots.numbers, last.slots.end = slots.numbers, slots.end
            case "spread" if kind in MARCHING and last and last.slots.quantity is None:
                last.slots.quantity, last.slots.end = slots.quantity, slots.end
                if "ALLBUT" in slots.marks:  # `P4 goes to P5, all but one` (F-74)
                    last.slots.marks["ALLBUT"] = slots.marks["ALLBUT"]
            case "units" | "number" | "spread" | "who" | "amount":
                self._of_window(shape, slots, last)
            case _:
                self._ask(slots)

    # -- whole orders ------------------------------------------------------------------------------

    def _order(self, slots: Slots) -> None:
        last = self._last()
        if slots.kind == "SAME" and self._does_the_same(slots):
            return
        if slots.kind == "HOLD" and self._lets_stand(slots, last):
            return
        if slots.verb is not None and kind_of(slots, self.position) == "COMMIT":
            slots.verb = replace(slots.verb, kind="COMMIT")  # `send 2 from P9 against the beast`
        hangs = slots.joint == "AND" and slots.filled() == {"verb"}
        if hangs and slots.kind in DIALECT.weak and slots.verb is not None:
            slots.loose, slots.verb = [slots.verb], None
            self._ask(slots)  # `march 1 from P1 to P2 and back`
            return
        if self.waiting:
            ahead = [place for before in self.waiting for place in before.places]
            both = next((b.quantity for b in self.waiting if b.quantity is not None), None)
            slots.start = self.waiting[0].start
            slots.before = [*ahead, *slots.before]
            slots.quantity = slots.quantity or both
            self.waiting = []
            if slots.kind in IN_PLACE and slots.after:
                self._ask(slots)  # `P1, fortify P2`: which of them?
                return
        before = last or self.ledger.last
        if before is not None and before.spreads and before.number >= self.number - 1:
            _except_order(slots, before)
        staying = slots.kind in IN_PLACE and not slots.filled() & {"place", "quantity", "excepted"}
        if staying and last is not None and last.slots.kind not in {"SEND", "GIVE", "SNITCH"}:
            self._again(slots, last)
            return
        if slots.joint == "BUT" and last is not None and last.spreads:
            last.slots.excepted += [p for p in slots.places if p.kind in {"PLACE", "NUM"}]
        self._add(slots)

    def _lets_stand(self, slots: Slots, last: LedgerEntry | None) -> bool:
        """`2 from P6 to P10, the remaining one stays`: what does not march; `cancel P4, the rest
        stands`: what was ordered before.
        """
        quantity, verb = slots.quantity, slots.verb
        if quantity is None or quantity.kind == "EACH" or quantity.text in _UNITS_LEFT:
            agrees = stays_at_home(slots, self.ledger, self.number, self.position)
            if agrees is False:
                self._ask(slots)
            if agrees is not None:
                return True
        elif quantity.text in RESTS and leaves_some(last, slots, self.position):
            if quantity.text not in REST or self.position.standing.orders:
                self._ask(slots)  # `1 from P8 to P9, the others stay`: units, or provinces?
            return True
        if quantity is None or quantity.kind != "ELSE" or slots.filled() != {"verb", "quantity"}:
            return False
        cancels = any(entry.slots.kind == "CANCEL" for entry in self.ledger.standing)
        stands = verb is not None and verb.text.endswith(("stand", "stands"))
        return stands and (cancels or bool(self.position.standing.orders))

    def _does_the_same(self, slots: Slots) -> bool:
        """`P1 works and so does P2`, `P2: fortify. P3: same.`: what was ordered last, and not what
        was ordered last turn.
        """
        verb, last = slots.verb, self.ledger.last
        said = slots.filled() == {"verb", "place"}
        if verb is None or not said or set(verb.text.split()) & LAST_TURN:
            return False
        near = last is not None and last.number >= self.number - 1 and not last.spreads
        if not near or last is None or last.slots.kind not in IN_PLACE or last.slots.flags:
            return False
        slots.verb = None
        self._same(slots)
        return True

    def _again(self, slots: Slots, last: LedgerEntry) -> None:
        """`P1 works and fortifies`: a second order; `except P4, which works`: one for it."""
        if slots.marks.keys() & _POINTING and (last.slots.excepted or len(last.slots.places) == 1):
            slots.before = list(last.slots.excepted or last.slots.places)
            slots.marks.pop("WHICH", None)
            self._add(slots)
        elif slots.loose or slots.turns:
            self._ask(slots)  # `P3 stays home and blorvix works`
        elif last.slots.kind == "HOLD" and last.leads:
            last.slots.verb = slots.verb  # `P12 stays and fortifies`
            last.slots.flags.update(slots.flags)
            last.slots.end = slots.end
        elif last.slots.kind in IN_PLACE and len(last.slots.before) == 1:
            slots.before = list(last.slots.before)
            self._add(slots)
        else:
            if last.slots.kind in IN_PLACE:
                last.why = last.why or "not-understood"  # `P1, P2 work, fortify`
            self._ask(slots)

    def _path(self, slots: Slots) -> None:
        last = self._last()
        if self.waiting:
            self._ask(slots)
            return
        march = last is not None and last.slots.kind in MARCHING
        names = bool(slots.at and slots.dash and not (slots.numbers or slots.quantity or march))
        if slots.origin is None and slots.at and not slots.before and not slots.after:
            slots.origin, slots.at = slots.at[0], []
        at = slots.target or slots.dash
        verb = Lexeme("MARCH", "march", at.start, at.end) if at is not None else None
        whole = slots.origin is not None or bool(slots.places or slots.numbers) or march
        whole = whole or (slots.quantity is not None and len(self.position.manned) == 1)
        if self.flags is not None:
            slots.flags, self.flags = {**self.flags.flags, **slots.flags}, None
        said = self.ledger.in_sentence(self.number)
        flagged = said is not None and bool(said.slots.flags) and not said.provinces()
        if flagged or "MONEY" in slots.marks or not whole or names:  # `see you in P3 - P4`
            self._ask(slots)
        else:
            slots.verb = verb
            self._add(slots)


def _except_order(slots: Slots, spread: LedgerEntry) -> None:
    """`except P2 fortifies`: what the spread does not reach."""
    if slots.excepted and not slots.filled() & {"place", "quantity", "origin"}:
        spread.slots.excepted += slots.excepted
        slots.before, slots.excepted, slots.joint = slots.excepted, [], "EXCEPT"


def _settle_denials(
    clauses: Sequence[Slots], ledger: OrderLedger, number: int, position: Position
) -> None:
    """`don't fortify P4, work there instead`, `not P4 but P8 works`: what is not done is said
    for the sake of what is.
    """
    ordered = {o.ordered_province(order) for order in position.standing.orders}
    for entry in [e for e in ledger.entries if e.number == number and e.why]:
        slots = entry.slots
        denied = slots.turns and all(x.kind == "NEG" for x in slots.turns)
        if not denied or slots.loose or slots.numbers:
            continue
        at = next((i for i, other in enumerate(clauses) if other is slots), len(clauses))
        after = next(iter(clauses[at + 1 : at + 2]), None)
        done = next((e for e in ledger.standing if e.slots is after), None)
        if done is None or after is None:
            continue
        named, there = {p.value for p in slots.all_places}, done.provinces()
        other = slots.kind in IN_PLACE | MARCHING and slots.kind != after.kind
        if slots.verb is not None:
            answered = other and named == there and len(named) == 1
        else:
            answered = after.joint == "BUT" and not named & there and not named & ordered
        entry.gone = entry.gone or answered

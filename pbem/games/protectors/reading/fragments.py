"""Fragments of a sentence that has no order word in them: provinces, a flag, a number, `the same`;
they complete the order before them, wait for the one behind, or are asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pbem.games.protectors.reading.dialect import IN_PLACE, MARCHING, PAYING
from pbem.games.protectors.reading.ledger import LedgerEntry, OrderLedger, is_misspelt
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.revision import Corrector
from pbem.games.protectors.reading.shapes import shape_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import Slots

LAST_TURN = frozenset(
    {"last", "before", "previous", "again", "repeat", "repeats", "all", "everything", "orders"}
)
"""`same as last turn`: not as the order in front."""
_JOINED = frozenset({"COMMA", "AND", "BUT", "LPAR", "DASH", "SLASH", "COLON"})
"""What may stand between an order and its flag."""
_OF_BEFORE = frozenset({"places", "from", "to"})
"""Fragments that may be said of the sentence before."""
_UNBOUGHT = frozenset({"no purchase", "no purchases", "no buying"})


@dataclass(slots=True)
class Fragments:
    """What a sentence has come to so far, and what its fragments do to it."""

    position: Position
    ledger: OrderLedger
    corrector: Corrector
    number: int = 0
    waiting: list[Slots] = field(default_factory=list)
    flags: Slots | None = None

    def _last(self) -> LedgerEntry | None:
        return self.ledger.in_sentence(self.number)

    def _lists_provinces(
        self, slots: Slots, last: LedgerEntry | None, following: Sequence[Slots]
    ) -> bool:
        """`fortify 1 and 2`, `1, 2 and 3 work`: numbers alone, and never of units."""
        if slots.joint == "SLASH" or not all(number.text.isdigit() for number in slots.numbers):
            return False
        if last is not None:
            return last.slots.kind in IN_PLACE
        later = next((s for s in following if shape_of(s) not in {"places", "number"}), None)
        if later is None or later.kind not in IN_PLACE or later.verb is None:
            return False
        named = [*later.before, *later.after]
        return all(p.kind == "NUM" and p.start < later.verb.start for p in named)

    def _places(self, slots: Slots, following: Sequence[Slots]) -> None:
        last = self._last()
        later = next((s for s in following if shape_of(s) not in {"places", "number"}), None)
        at_first = later is not None and not later.cue and not later.after
        bare = at_first and later is not None and later.kind in IN_PLACE | {"CANCEL", "BURN"}
        takes = bare and later is not None and bool(later.before)
        quantity = last.slots.quantity if last is not None else None
        each = quantity is not None and quantity.kind == "EACH"
        open_ended = (
            last is not None
            and (each or last.slots.kind in IN_PLACE | {"CANCEL", "BURN", "UPGRADE"})
            and bool(last.slots.after or last.slots.at or (each and last.slots.origin))
            and slots.joint in {"COMMA", "AND", "SLASH"}
        )
        closes = self._closes_list(slots, following)
        excepting = last is not None and last.spreads and bool(last.slots.excepted)
        also = slots.marks.get("ALSO")
        if also is not None and last is not None and last.stands and also.start > slots.start:
            self._same(slots)  # `P4 fortifies, P8 too, P9 works`
        elif takes and open_ended and not closes:
            self._ask(slots)
        elif last is not None and last.spreads and (slots.joint == "BUT" or (excepting and takes)):
            last.slots.excepted += slots.places
            last.slots.end = slots.end
        elif (bare and not (open_ended and closes)) or (
            later is not None and self._is_way(later) and not open_ended
        ):
            self.waiting.append(slots)
        elif excepting and last is not None:
            last.slots.excepted += slots.places
        elif open_ended and last is not None and slots.quantity is None:
            last.slots.after += slots.places
            last.slots.end = slots.end
        elif "ALSO" in slots.marks and self.ledger.last is not None:
            self._same(slots)
        else:
            self._ask(slots)

    def _closes_list(self, slots: Slots, following: Sequence[Slots]) -> bool:
        """`fortify P2 and P4, P8 works`: an `and` closes the list before another order begins."""
        listed = [slots]
        for later in following:
            if shape_of(later) not in {"places", "number"}:
                return listed[-1].joint == "AND" and later.joint == "COMMA"
            listed.append(later)
        return False

    def _is_way(self, slots: Slots) -> bool:
        """`P1, 2 units to P2`."""
        return (
            not slots.cue
            and (slots.verb is None or slots.kind in MARCHING)
            and (slots.target or slots.dash) is not None
            and slots.origin is None
            and not slots.places
            and len(self.waiting) == 0
        )

    def _flag(self, slots: Slots, following: Sequence[Slots]) -> None:
        last = self._last()
        if last is not None and slots.joint in _JOINED:
            last.slots.flags.update(slots.flags)
            last.slots.end = max(last.slots.end, slots.end)
        elif last is None and following:
            self.flags = slots
        elif last is None and self._flags_alone(slots):
            pass
        elif last is None and self.ledger.last is not None and self.ledger.last.stands:
            self.ledger.last.ask()  # `P1 fortify, P2 work. Golden!`
            self._ask(slots)
        else:
            self._ask(slots)

    def _flags_alone(self, slots: Slots) -> bool:
        """`Fortify P1. Golden!`, if it is the only order of the message."""
        last = self.ledger.last
        only = last is not None and self.ledger.entries == [last] and last.stands
        if not only or last is None or last.number != self.number - 1 or last.spreads:
            return False
        if len(last.slots.places) > 1:
            return False
        last.slots.flags.update(slots.flags)
        self.ledger.flagged = last
        return True

    def _unflag(self, slots: Slots) -> None:
        """`Golden fortify P1. Not golden!`"""
        last = self.ledger.last
        for flag, mark in (("GOLD", "NOGOLD"), ("DELAY", "NODELAY")):
            if mark in slots.marks and last is not None and last.stands:
                self.ledger.corrected = last.slots.flags.pop(flag, None) is not None

    def _except(self, slots: Slots) -> None:
        last = self.ledger.last
        near = last is not None and last.spreads and last.number >= self.number - 1
        if near and last is not None and last.why == "":
            last.slots.excepted += slots.excepted
        else:
            self._ask(slots)

    def _same(self, slots: Slots) -> None:
        last = self.ledger.last
        said = slots.filled() <= {"place", "quantity", "mark"}
        said = said and (slots.quantity is None or slots.quantity.kind == "ELSE")
        stays = last is not None and last.slots.kind in IN_PLACE and not last.spreads
        if said and stays and last is not None and last.stands:
            self._add(replace(slots, verb=last.slots.verb, marks={}))
        else:
            self._ask(slots)

    def _of_window(self, shape: str, slots: Slots, last: LedgerEntry | None) -> None:
        """What needs no order word in the open window: units against the Dragon, a bid."""
        stage, kind = self.position.state.stage, last.slots.kind if last is not None else ""
        fights = stage == "dragon" or (stage == "bank" and self.position.state.attack is not None)
        before = self.ledger.last
        verb = ""
        none = (
            shape == "spread"
            and slots.quantity is not None
            and slots.quantity.kind == "NOTHING"
            and slots.start == slots.quantity.start
            and (slots.end == slots.quantity.end or slots.quantity.text in _UNBOUGHT)
        )
        if fights and "SAC" in slots.marks and slots.all_places and self._sacrifices(slots):
            return
        if fights and "SAC" in slots.marks and not slots.all_places and kind != "COMMIT":
            for entry in self.ledger.standing:
                if entry.slots.kind == "COMMIT":
                    entry.ask()
            self._ask(slots)
            return
        whole = shape == "spread" and slots.quantity and self._is_whole(slots)
        if fights and (shape == "units" or whole or (none and before is None)):
            verb = "COMMIT"
        elif shape == "units" and stage == "consolidation" and slots.joint != "BUT":
            verb = "BUY"
        elif stage in {"bidding", "rebid"} and shape == "number" and kind in {"", "FACTION"}:
            verb = "BID"
        elif stage in {"bidding", "rebid", "consolidation", "bank"} and shape == "amount":
            verb = "USE" if "BY" in slots.marks else ""
        counts = shape == "number" and "UNITS" in slots.marks and bool(slots.numbers[0].value)
        if stage == "consolidation" and (none or counts):
            verb = "BUY"
        if stage == "orders" and shape == "amount" and self._is_sum(slots, last):
            verb = "SEND"
        if fights and shape == "units" and kind == "COMMIT" and "SAC" in slots.marks:
            if slots.filled() <= {"number", "quantity", "mark"} and last is not None:
                last.slots.marks.update(slots.marks)
                last.slots.numbers += slots.numbers
                last.slots.quantity = last.slots.quantity or slots.quantity
                last.slots.end = slots.end
                return
        joined = last is not None and last.slots.kind in PAYING | {"SUPPORT", "SNITCH"}
        if not verb and ((shape == "who" and not joined) or (shape == "spread" and last is None)):
            return  # a name, or `of all people`
        if not verb:
            self._ask(slots)
            return
        slots.verb = Lexeme(verb, verb.lower(), slots.start, slots.end)
        self._add(slots)

    def _is_sum(self, slots: Slots, last: LedgerEntry | None) -> bool:
        """`20 to Ben`: money, which is more than there are units."""
        most = max(map(self.position.units, self.position.manned), default=0)
        money = "MONEY" in slots.marks or (slots.numbers[0].value or 0) > most
        way = slots.marks.get("FOR")
        plain = way is not None and way.text in {"to", "for"} and slots.joint != "BUT"
        paid = last is None or last.slots.kind not in PAYING | {"SUPPORT", "SNITCH"}
        return money and plain and paid and "UNITS" not in slots.marks

    def _is_whole(self, slots: Slots) -> bool:
        """`all in`, and of a message that orders nothing else `everything against the Dragon!`."""
        said = slots.quantity.text if slots.quantity is not None else ""
        alone = self.ledger.last is None and said.startswith(("everything", "all i", "all my"))
        return said == "all in" or alone

    def _faction_beside(self, slots: Slots) -> Slots | None:
        """`hodir bid 10`, `10 as Iron Light`: the name is an order of its own."""
        name = slots.marks.get("FACTIONNAME")
        if name is None or self.position.state.stage != "bidding" or slots.turns or slots.loose:
            return None
        if slots.kind not in {"", "BID", "NOBID"} or slots.filled() == {"mark"}:
            return None
        del slots.marks["FACTIONNAME"]
        verb = Lexeme("FACTION", "faction", name.start, name.end)
        if slots.end == name.end:
            slots.end = max((x.end for x in (slots.verb, *slots.numbers) if x), default=name.start)
        if slots.start == name.start:
            slots.start = min((x.start for x in (slots.verb, *slots.numbers) if x), default=0)
        return Slots(name.start, name.end, verb=verb, marks={"FACTIONNAME": name})

    def _sacrifices(self, slots: Slots) -> bool:
        """`1 from P1, sac 1 from P1` is said of what is committed there; of another province it is
        asked.
        """
        commits = [e for e in self.ledger.standing if e.slots.kind == "COMMIT"]
        named = {place.value for place in slots.all_places}
        plain = [e for e in commits if "SAC" not in e.slots.marks]
        same = [e for e in plain if {x.value for x in e.slots.all_places} == named]
        if len(same) == 1:
            same[0].slots.marks.update(slots.marks)
            same[0].slots.numbers += slots.numbers
            if not slots.numbers:  # `sac the ones in P2`
                same[0].slots.marks["THEM"] = slots.marks["SAC"]
            same[0].slots.end = max(same[0].slots.end, slots.end)
        elif any(number.start < slots.marks["SAC"].start for number in slots.numbers):
            return False  # `1 from P1, 2 from P2 (sac 1)`
        elif plain:
            self.ledger.entries.append(LedgerEntry(slots, self.number, why="not-understood"))
        return bool(plain)

    def _is_faction(self, slots: Slots) -> bool:
        said = slots.filled() <= {"mark"} and set(slots.marks) <= {"FACTIONNAME", "ALSO"}
        return said and self.position.state.stage == "bidding"

    def _with_verb(self, slots: Slots, last: LedgerEntry | None) -> Slots:
        slots.verb = last.slots.verb if last is not None else None
        return slots

    # -- the ledger --------------------------------------------------------------------------------

    def _add(self, slots: Slots) -> None:
        self.ledger.add(LedgerEntry(slots, self.number))

    def _ask(self, slots: Slots) -> None:
        """What is not understood is asked; a fragment takes the order before it along."""
        last = self._last()
        if last is None and shape_of(slots) in _OF_BEFORE and not slots.loose:
            last = self.ledger.in_sentence(self.number - 1)
        if slots.verb is None and last is not None and last.stands and not is_misspelt(slots):
            last.ask()
        flagged = not slots.turns and (slots.flags or (slots.marks and shape_of(slots) != "amount"))
        if self.ledger.last is None and slots.verb is None and flagged:
            self.ledger.doubtful = True
        if slots.turns or slots.cue or (slots.loose and slots.all_places):
            self.ledger.doubt(slots, self.number)
        told = {turn.kind for turn in slots.turns}
        aside = bool(told) and told <= {"PAST", "STATEMENT"} and not slots.loose
        if (
            slots.verb is not None and aside
        ):  # not `fortify P1 seems best`, `P1 works like last time`
            mine = slots.verb.text.startswith(("i ", "we "))
            aside = mine or slots.turns[0].start < slots.verb.start
        self.ledger.entries.append(
            LedgerEntry(slots, self.number, why="not-understood", aside=aside)
        )

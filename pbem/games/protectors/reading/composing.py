"""The clauses of a sentence find their orders: `P1, P2 and P3 fortify`, `march 1 from P1 to P2 and
1 to P3`, `everyone works but P4`. A fragment that finds none takes the order before it along into
the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from pbem.games.protectors.reading.dialect import DIALECT, IN_PLACE, MARCHING, PAYING
from pbem.games.protectors.reading.fragments import LAST_TURN, SHARED, Fragments
from pbem.games.protectors.reading.judging import kind_of
from pbem.games.protectors.reading.ledger import Entry
from pbem.games.protectors.reading.shapes import shape_of
from pbem.games.protectors.reading.staying import (
    REST,
    RESTS,
    is_left_alone,
    leaves_some,
    rest_stays,
    stays_at_home,
    stays_from_dragon,
)
from pbem.games.protectors.reading.totals import settle_denials, settle_totals
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.slots import Slots

_SUPPORTED = frozenset({"who", "place", "origin", "mark"})
_UNITS_LEFT = frozenset(
    {"the remaining one", "the remaining ones", "the remaining units", "the other one", "the other"}
)


@dataclass(slots=True)
class Composer(Fragments):
    """Puts the clauses of one sentence after another into the ledger."""

    def compose(self, clauses: Sequence[Slots], number: int) -> None:
        """One sentence."""
        self.number, self.waiting, self.flags = number, [], None
        denied = swapped = False
        for i, slots in enumerate(clauses):
            if slots.cue in {"correct", "retract"} and (self.waiting or self.flags):
                self._ask(slots)  # `golden, no wait, fortify P1`
                continue
            if swapped or self._swaps(slots, clauses[i + 1 :]):
                swapped = not swapped  # both clauses are done with
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
        settle_denials(clauses, self.ledger, self.number, self.position)
        settle_totals(self.ledger, self.number, self.position)

    def _swaps(self, denied: Slots, following: Sequence[Slots]) -> bool:
        """`P3 to P4. Not P4, P2!`: one province for another, in the order that names it once."""
        slots = following[0] if len(following) == 1 else denied
        said = (denied, slots)
        if slots is denied or any(
            x.filled() != {"place"} or x.loose or len(x.places) != 1 for x in said
        ):
            return False
        joined = slots.joint in {"COMMA", "BUT", "CUE"} and slots.cue in {"", "correct", "soft"}
        if not joined or slots.turns or {x.kind for x in denied.turns} != {"NEG"}:
            return False
        last, (old,), (new,) = self.ledger.last, denied.places, slots.places
        near = last is not None and last.stands and self.number - 1 <= last.sentence
        if not near or last is None or last.slots.kind not in IN_PLACE | MARCHING:
            return False
        if [x.value for x in last.slots.all_places].count(old.value) != 1 or last.slots.excepted:
            return False
        last.slots.put(old.value, new)
        self.ledger.corrected = True
        return True

    def _buys_into(self, slots: Slots) -> bool:
        """`1 unit into P6`, where units are bought."""
        into = slots.filled() == {"number", "target"} and not slots.flags
        return into and self.position.state.stage == "consolidation"

    def _pays_each(self, slots: Slots, last: Entry) -> bool:
        """`send 15 to each of Ben and Anna`."""
        quantity = last.slots.quantity
        if quantity is None or quantity.kind != "EACH" or not last.stands or slots.joint != "AND":
            return False
        self._add(replace(slots, verb=last.slots.verb, numbers=list(last.slots.numbers)))
        self.ledger.entries[-1].slots.quantity = quantity
        return True

    def _ask_left(self) -> None:
        """Provinces and flags that found no order."""
        for left in self.waiting:
            self._ask(left)
        if self.flags is not None:
            self._ask(self.flags)

    def _put(  # noqa: C901 - one case a shape
        self, slots: Slots, following: Sequence[Slots]
    ) -> None:
        last = self._last()
        if slots.turns and self._contrasts(slots, last):
            return
        if slots.excepted and slots.places and slots.kind in IN_PLACE | {""}:
            held = slots.places + (last.slots.all_places if last is not None else [])
            not_meant = {x.value for x in slots.excepted}
            mine = not_meant <= {*self.position.own} - {x.value for x in held}
            if slots.quantity is None and slots.dash is None and mine:
                slots.excepted = []  # `fortify P1 and P2 but not P3`
        if self._was_bid(slots, following):
            return
        faction = self._faction_beside(slots)
        if faction is not None:
            self._add(faction)
            last = self._last()
            if not slots.filled() - {"mark"}:
                return
        if slots.turns or (slots.loose and slots.verb is None):
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
            case "except" if following and Entry(following[0], 0).spreads and last is None:
                following[0].excepted += slots.excepted
            case "except":
                self._except(slots)
            case "unflag":
                self._unflag(slots)
            case "spread" if "ALSO" in slots.marks and kind in IN_PLACE and slots.joint == "AND":
                self._same(slots)  # `fortify P1, and the other one too`
            case "who" if kind in PAYING and last is not None and self._pays_each(slots, last):
                pass
            case "spread" if self._verb_follows(following):
                following[0].quantity = slots.quantity
            case "spread" if (
                kind in IN_PLACE
                and last is not None
                and not last.slots.filled()
                & {
                    "place",
                    "quantity",
                }
            ):
                last.slots.quantity = slots.quantity
            case "same" if following and self.ledger.last is None:
                slots.marks.pop("SAME")
                self._places(slots, following)  # `the same order for P9 and P10: fortify`
            case "same":
                self._same(slots)
            case "unknown" if kind == "SUPPORT" and slots.filled() <= _SUPPORTED and slots.who:
                self._add(self._with_verb(slots, last))
            case "number" | "spread" | "units" if self._counts_for(slots, following):
                following[0].numbers, following[0].quantity = slots.numbers, slots.quantity
                following[0].start = slots.start
            case "path" if self._buys_into(slots):
                slots.verb = Lexeme("BUY", "buy", slots.start, slots.end)
                self._add(slots)
            case "path":
                self._path(slots)
            case "to" if kind in MARCHING | PAYING and last is not None:
                self._onward(last, slots)
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
                if "ALLBUT" in slots.marks:  # `P4 goes to P5, all but one`
                    last.slots.marks["ALLBUT"] = slots.marks["ALLBUT"]
            case "units" | "number" | "spread" | "who" | "amount":
                self._of_window(shape, slots, last)
            case _:
                self._ask(slots)

    def _was_bid(self, slots: Slots, following: Sequence[Slots]) -> bool:
        """`I bid 12 last turn, now 15`."""
        past = {turn.kind for turn in slots.turns} == {"PAST"} and slots.kind == "BID"
        new = following[0] if following else None
        if not past or new is None or new.turns or new.loose or shape_of(new) != "number":
            return False
        new.verb = slots.verb
        return True

    def _contrasts(self, slots: Slots, last: Entry | None) -> bool:
        """`fortify P1, not P2`, `everything works, not P2`."""
        denied = slots.filled() == {"place"} and not slots.loose
        if last is None and self.ledger.last is not None and self.ledger.last.spreads:
            near = self.ledger.last.sentence == self.number - 1
            last = self.ledger.last if near else None
        sacrifice = set(slots.marks) == {"SAC"} and slots.filled() == {"mark"}
        if sacrifice and last is not None and last.slots.kind == "COMMIT":
            return "SAC" not in last.slots.marks and {x.kind for x in slots.turns} == {"NEG"}
        if not denied or last is None or {turn.kind for turn in slots.turns} != {"NEG"}:
            return False
        if not last.stands or last.slots.kind not in IN_PLACE | MARCHING | {"SAME"}:
            return False
        if last.spreads and not last.slots.dash:
            last.slots.excepted += slots.places
            return True
        return not {p.value for p in slots.places} & {p.value for p in last.slots.all_places}

    # -- whole orders ------------------------------------------------------------------------------

    def _order(self, slots: Slots) -> None:
        last = self._last()
        if self._goes_on(slots, last) or stays_from_dragon(slots, self.ledger, self.position):
            return
        if slots.verb is not None and kind_of(slots, self.position) == "COMMIT":
            slots.verb = replace(slots.verb, kind="COMMIT")  # `send 2 from P9 against the beast`
        hangs = slots.joint == "AND" and slots.filled() == {"verb"}
        if hangs and slots.kind in DIALECT.weak and slots.verb is not None:
            slots.loose, slots.verb = [slots.verb], None
            self._ask(slots)  # `march 1 from P1 to P2 and back`
            return
        if self.flags is not None:
            slots.flags = {**self.flags.flags, **slots.flags}
            self.flags = None
        if self.waiting and slots.kind in SHARED and slots.before:
            self._share_out(slots)
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
        if "WHICH" in slots.marks and slots.kind in MARCHING and last is not None:
            held = last.slots.excepted
            if len(held) == 1 and slots.origin is None and not slots.places:
                slots.origin = held[0]  # `all fortify apart from P1, which marches 2 to P3`
                slots.marks.pop("WHICH")
        before = last or self.ledger.last
        if before is not None and before.spreads and before.sentence >= self.number - 1:
            self._except_order(slots, before)
        if self._are_excepted(slots, last):
            slots.before = [*last.slots.excepted, *slots.before] if last is not None else []
            slots.marks.pop("WHICH", None)
            if last is not None:
                last.slots.excepted = list(slots.before)
        staying = slots.kind in IN_PLACE and not slots.filled() & {"place", "quantity", "excepted"}
        if staying and last is not None and last.slots.kind not in {"SEND", "GIVE", "SNITCH"}:
            self._again(slots, last)
            return
        if slots.joint == "BUT" and last is not None and last.spreads:
            last.slots.excepted += [p for p in slots.places if p.kind in {"PLACE", "NUM"}]
        self._add(slots)

    def _goes_on(self, slots: Slots, last: Entry | None) -> bool:
        """Whether it says more of what was ordered before, and is no order of its own."""
        if slots.kind == "SAME":
            again = last is not None and self._buys_again(slots, last)
            return again or self._does_the_same(slots)
        if slots.kind == "HOLD":
            return self._lets_stand(slots, last)
        return last is not None and self._brings(slots, last)

    def _lets_stand(self, slots: Slots, last: Entry | None) -> bool:
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
        cancels = any(entry.slots.kind == "CANCEL" for entry in self.ledger.orders)
        stands = verb is not None and verb.text in {"stand", "stands"}
        return stands and (cancels or bool(self.position.standing.orders))

    def _does_the_same(self, slots: Slots) -> bool:
        """`P1 works and so does P2`, `P2: fortify. P3: same.`: what was ordered last, and not what
        was ordered last turn.
        """
        verb, last = slots.verb, self.ledger.last
        said = slots.filled() == {"verb", "place"}
        if verb is None or not said or set(verb.text.split()) & LAST_TURN:
            return False
        near = last is not None and last.sentence >= self.number - 1 and not last.spreads
        if not near or last is None or last.slots.kind not in IN_PLACE or last.slots.flags:
            return False
        slots.verb = None
        self._same(slots)
        return True

    def _brings(self, slots: Slots, last: Entry) -> bool:
        """`take both units from P4 and move them to P3`: one march."""
        taken, target = last.slots, slots.target
        takes = taken.kind == "TAKE" and last.stands and taken.origin is not None
        moved = slots.kind in MARCHING and target is not None and target.kind in {"PLACE", "NUM"}
        them = "THEM" in slots.marks and slots.filled() <= {"verb", "target", "flag", "mark"}
        if not (takes and moved and them) or slots.loose or slots.turns or taken.target:
            return False
        taken.verb, taken.target, taken.end = slots.verb, slots.target, slots.end
        taken.flags.update(slots.flags)
        return True

    def _buys_again(self, slots: Slots, last: Entry) -> bool:
        """`buy 1 in P3, the same in P4`, `1 from P3 and the same from P4`."""
        bought = last.stands and last.slots.kind in {"BUY", "COMMIT"}
        bought = bought and len(last.slots.numbers) == 1
        bought = bought and not last.slots.marks.keys() & {"SAC", "EACH", "ALLBUT"}
        way = set[str]() if last.slots.kind == "BUY" else {"origin"}
        one = len(last.slots.all_places) == 1 and bool(slots.all_places)
        said = slots.filled() <= {"verb", "place", *way} and not slots.loose and not slots.turns
        if not (bought and one and said):
            return False
        copy = replace(last.slots.copy(), before=[], at=[], target=None, origin=None)
        copy.after, copy.start, copy.end = slots.all_places, slots.start, slots.end
        self._add(copy)
        return True

    def _except_order(self, slots: Slots, spread: Entry) -> None:
        """`except P2 fortifies`, `except march 1 from P2 to P3`: what the spread does not reach."""
        if slots.excepted and not slots.filled() & {"place", "quantity", "origin"}:
            spread.slots.excepted += slots.excepted
            slots.before, slots.excepted, slots.joint = slots.excepted, [], "EXCEPT"
        elif slots.loose and slots.loose[0].kind == "EXCEPT" and Entry(slots, 0).provinces():
            every = slots.loose[0].text.endswith(" but") and spread.slots.quantity is None
            if every and spread.slots.kind != "SAME":
                spread.slots.quantity = replace(slots.loose[0], kind="ALL")
            named = Entry(slots, 0).provinces()
            spread.slots.excepted += [x for x in slots.all_places if x.value in named]
            slots.loose, slots.joint = slots.loose[1:], "EXCEPT"

    def _are_excepted(self, slots: Slots, last: Entry | None) -> bool:
        """`fortify all except P1 and P2 work`: both of them work."""
        return (
            slots.kind in IN_PLACE
            and slots.joint in {"AND", "COMMA"}
            and last is not None
            and last.spreads
            and self.ledger.entries[-1] is last
            and bool(last.slots.excepted)
            and last.slots.end == last.slots.excepted[-1].end
            and bool(slots.before)
            and slots.before[0].value not in {x.value for x in last.slots.excepted}
            and slots.filled() <= {"verb", "place", "mark"}
            and set(slots.marks) <= {"WHICH"}
        )

    def _again(self, slots: Slots, last: Entry) -> None:
        """`P1 works and fortifies`: a second order; `except P4, which works`: one for it."""
        if "WHICH" in slots.marks and (last.slots.excepted or len(last.slots.places) == 1):
            slots.before = list(last.slots.excepted or last.slots.places)
            slots.marks.pop("WHICH")
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

    def _only_counts(self, march: Slots, way: Slots) -> bool:
        """Whether an order to march says how many, and nothing that the way behind it does."""
        unknown = any(x.kind == "WORD" for x in march.loose)
        says_more = march.all_places or march.who or march.turns or unknown
        return not (says_more or way.numbers or way.quantity)

    def _path(self, slots: Slots) -> None:
        last = self._last()
        if self.waiting:
            if len(self.waiting) == 1 and slots.origin is None and not slots.before:
                slots.before = self.waiting[0].places
            else:
                self._ask(slots)
                return
            self.waiting = []
        march = last is not None and last.slots.kind in MARCHING
        names = bool(slots.at and slots.dash and not (slots.numbers or slots.quantity or march))
        if slots.origin is None and not slots.places and last is not None and march:
            slots.origin = last.slots.origin or next(iter(last.slots.places), None)
        elif slots.origin is None and slots.at and not slots.before and not slots.after:
            slots.origin, slots.at = slots.at[0], []
        if march and last is not None and last.stands and self._only_counts(last.slots, slots):
            old = last.slots  # `march 1, P1 to P2`
            slots.numbers, slots.quantity, slots.start = old.numbers, old.quantity, old.start
            slots.flags, last.gone = {**old.flags, **slots.flags}, True
        at = slots.target or slots.dash
        verb = Lexeme("MARCH", "march", at.start, at.end) if at is not None else None
        whole = slots.origin is not None or bool(slots.places or slots.numbers) or march
        whole = whole or (slots.quantity is not None and len(self.position.manned) == 1)
        if self.flags is not None:
            slots.flags, self.flags = {**self.flags.flags, **slots.flags}, None
        if "REALM" in slots.marks or not whole or names:  # `see you in P3 - P4` orders nothing
            self._ask(slots)
        else:
            slots.verb = verb
            self._add(slots)

    def _onward(self, last: Entry, slots: Slots) -> None:
        if last.slots.target is None and last.slots.dash is None and not last.slots.who:
            last.slots.target, last.slots.end = slots.target, slots.end
        else:
            self._ask(slots)

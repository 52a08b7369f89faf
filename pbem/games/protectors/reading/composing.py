"""The clauses of a sentence find their orders: `P1, P2 and P3 fortify`, `march 1 from P1 to P2 and
1 to P3`, `everyone works but P4`. A fragment that finds none takes the order before it along into
the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.protectors import numbers
from engine.protectors import orders as o
from pbem.games.protectors.reading.dialect import DIALECT, IN_PLACE, MARCHING, PAYING
from pbem.games.protectors.reading.ledger import Entry, Ledger, is_misspelt
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.revision import Corrector
from pbem.games.protectors.reading.shapes import shape_of
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.reading.slots import Slots

_UNBOUGHT = frozenset({"no purchase", "no purchases", "no buying"})


@dataclass(slots=True)
class Composer:
    """Puts the clauses of one sentence after another into the ledger."""

    position: Position
    ledger: Ledger
    corrector: Corrector
    number: int = 0
    waiting: list[Slots] = field(default_factory=list)
    flags: Slots | None = None

    def compose(self, clauses: Sequence[Slots], number: int) -> None:
        """One sentence."""
        self.number, self.waiting, self.flags = number, [], None
        denied = False
        for i, slots in enumerate(clauses):
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
        self._settle_denials(clauses)
        self._settle_totals()

    def _settle_totals(self) -> None:
        """`buy 1 in P1 and 1 in P2 for 150`: what all of it costs."""
        here = [e for e in self.ledger.orders if e.sentence == self.number]
        bought = [e.slots for e in here if e.slots.kind == "BUY"]
        last = bought[-1].numbers if bought else []
        if len(bought) < 2 or len(last) != 2:
            return
        if last[1].value == numbers.UNIT_COST * sum(
            s.numbers[0].value or 0 for s in bought if s.numbers
        ):
            bought[-1].numbers = last[:1]

    def _settle_denials(self, clauses: Sequence[Slots]) -> None:
        """`don't fortify P4, work there instead`, `not P4 but P8 works`: what is not done is said
        for the sake of what is.
        """
        ordered = {o.ordered_province(order) for order in self.position.standing.orders}
        for entry in self.ledger.entries:
            slots = entry.slots
            denied = entry.why and slots.turns and all(x.kind == "NEG" for x in slots.turns)
            if entry.sentence != self.number or not denied or slots.loose or slots.numbers:
                continue
            at = next((i for i, other in enumerate(clauses) if other is slots), len(clauses))
            after = next(iter(clauses[at + 1 : at + 2]), None)
            done = next((e for e in self.ledger.orders if e.slots is after), None)
            if done is None or after is None:
                continue
            named, there = {p.value for p in slots.all_places}, done.provinces()
            other = slots.kind in IN_PLACE | MARCHING and slots.kind != after.kind
            if slots.verb is not None:
                answered = other and named == there and len(named) == 1
            else:
                answered = after.joint == "BUT" and not named & there and not named & ordered
            entry.gone = entry.gone or answered

    def _ask_left(self) -> None:
        """Provinces and flags that found no order."""
        for left in self.waiting:
            self._ask(left)
        if self.flags is not None:
            self._ask(self.flags)

    def _last(self) -> Entry | None:
        return self.ledger.in_sentence(self.number)

    def _put(  # noqa: C901 - one case a shape
        self, slots: Slots, following: Sequence[Slots]
    ) -> None:
        last = self._last()
        if slots.turns and self._contrasts(slots, last):
            return
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
            case "same":
                self._same(slots)
            case "path":
                self._path(slots)
            case "to" if kind in MARCHING | PAYING and last is not None:
                self._onward(last, slots)
            case "from" if kind in MARCHING | {"SUPPORT"} and last and last.slots.origin is None:
                last.slots.origin, last.slots.end = slots.origin, slots.end
            case "amount" if kind in PAYING:
                self._add(self._with_verb(slots, last))
            case "number" if self._lists_provinces(slots, last, following):
                slots.after, slots.numbers = slots.numbers, []
                self._places(slots, following)
            case "number" if kind in MARCHING and last is not None and not last.slots.numbers:
                last.slots.numbers, last.slots.end = slots.numbers, slots.end
            case "spread" if kind in MARCHING and last and last.slots.quantity is None:
                last.slots.quantity, last.slots.end = slots.quantity, slots.end
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

    def _deny_both(self, slots: Slots, last: Entry | None, following: Sequence[Slots]) -> bool:
        """`P1 works, P2 and P3 don't`: the last of them says so for all."""
        end = following[0] if following else None
        denied = end is not None and {turn.kind for turn in end.turns} == {"NEG"}
        if end is None or not denied or end.joint != "AND" or end.filled() != {"place"}:
            return False
        if last is None or not last.stands or last.slots.kind not in IN_PLACE or end.loose:
            return False
        return not {p.value for p in slots.places} & {p.value for p in last.slots.all_places}

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
        if slots.kind == "SAME" and last is not None and self._buys_again(slots, last):
            return
        hangs = slots.joint == "AND" and slots.filled() == {"verb"}
        if hangs and slots.kind in DIALECT.weak and slots.verb is not None:
            slots.loose, slots.verb = [slots.verb], None
            self._ask(slots)  # `march 1 from P1 to P2 and back`
            return
        if self.flags is not None:
            slots.flags = {**self.flags.flags, **slots.flags}
            self.flags = None
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

    def _buys_again(self, slots: Slots, last: Entry) -> bool:
        """`buy 1 in P3, the same in P4`."""
        bought = last.stands and last.slots.kind == "BUY" and len(last.slots.numbers) == 1
        one = len(last.slots.all_places) == 1 and bool(slots.places)
        said = slots.filled() <= {"verb", "place"} and not slots.loose and not slots.turns
        if not (bought and one and said):
            return False
        copy = replace(last.slots.copy(), before=[], at=[], target=None)
        copy.after, copy.start, copy.end = slots.places, slots.start, slots.end
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
        elif last.slots.kind == "HOLD" and last.slots.before and not last.slots.after:
            last.slots.verb = slots.verb  # `P12 stays and fortifies`
            last.slots.flags.update(slots.flags)
            last.slots.end = slots.end
        elif last.slots.kind in IN_PLACE and last.slots.before:
            slots.before = list(last.slots.before)
            self._add(slots)
        else:
            self._ask(slots)

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
        if slots.origin is None and not slots.places and last is not None and march:
            slots.origin = last.slots.origin or next(iter(last.slots.places), None)
        elif slots.origin is None and slots.at and not slots.before and not slots.after:
            slots.origin, slots.at = slots.at[0], []
        at = slots.target or slots.dash
        verb = Lexeme("MARCH", "march", at.start, at.end) if at is not None else None
        whole = slots.origin is not None or slots.places or march or slots.numbers
        if self.flags is not None:
            slots.flags, self.flags = {**self.flags.flags, **slots.flags}, None
        if "REALM" in slots.marks or not whole:
            self._ask(slots)
        else:
            slots.verb = verb
            self._add(slots)

    def _onward(self, last: Entry, slots: Slots) -> None:
        if last.slots.target is None and last.slots.dash is None and not last.slots.who:
            last.slots.target, last.slots.end = slots.target, slots.end
        else:
            self._ask(slots)

    # -- fragments ---------------------------------------------------------------------------------

    def _verb_follows(self, following: Sequence[Slots]) -> bool:
        return bool(following) and (
            following[0].kind in IN_PLACE
            and not following[0].cue
            and not following[0].filled() & {"place", "quantity"}
        )

    def _lists_provinces(
        self, slots: Slots, last: Entry | None, following: Sequence[Slots]
    ) -> bool:
        """`fortify 1 and 2`, `1, 2 and 3 work`: numbers alone, and never of units."""
        if slots.joint == "SLASH" or not all(number.text.isdigit() for number in slots.numbers):
            return False
        if last is not None:
            return last.slots.kind in IN_PLACE
        later = next((s for s in following if shape_of(s) not in {"places", "number"}), None)
        in_place = later is not None and later.kind in IN_PLACE and not later.after
        return in_place and later is not None and all(p.kind == "NUM" for p in later.before)

    def _places(self, slots: Slots, following: Sequence[Slots]) -> None:
        last = self._last()
        later = next((s for s in following if shape_of(s) not in {"places", "number"}), None)
        at_first = later is not None and not later.cue and not later.after
        bare = at_first and later is not None and later.kind in IN_PLACE | {"CANCEL", "BURN"}
        takes = bare and later is not None and bool(later.before)
        open_ended = (
            last is not None
            and last.slots.kind in IN_PLACE | {"CANCEL", "BURN", "UPGRADE"}
            and (bool(last.slots.after) or bool(last.slots.at))
            and slots.joint in {"COMMA", "AND", "SLASH"}
        )
        excepting = last is not None and last.spreads and bool(last.slots.excepted)
        if self._deny_both(slots, last, following):
            return
        if later is not None and self._commits_all(later) and last is None:
            self.waiting.append(slots)
            return
        if takes and open_ended:
            self._ask(slots)
        elif last is not None and last.spreads and (slots.joint == "BUT" or (excepting and takes)):
            last.slots.excepted += slots.places
            last.slots.end = slots.end
        elif self._shares(slots, last):
            pass
        elif bare or (later is not None and self._is_way(later) and not open_ended):
            self.waiting.append(slots)
        elif excepting and last is not None:
            last.slots.excepted += slots.places
        elif open_ended and last is not None and slots.quantity is None:
            if "GOLD" in last.slots.flags:
                copy = last.slots.copy()
                copy.after, copy.at, copy.start, copy.end = slots.places, [], slots.start, slots.end
                self._add(copy)
            else:
                last.slots.after += slots.places
                last.slots.end = slots.end
        elif "ALSO" in slots.marks and self.ledger.last is not None:
            self._same(slots)
        else:
            self._ask(slots)

    def _shares(self, slots: Slots, last: Entry | None) -> bool:
        """`buy 1 in P1 and P2`, `all from P1 and P2`: the same for one more."""
        if last is None or slots.joint != "AND" or slots.quantity is not None or not last.stands:
            return False
        old = last.slots
        one = old.kind == "BUY" and {number.value for number in old.numbers} == {1}
        whole = old.kind == "COMMIT" and not old.numbers and old.quantity is not None
        if not (one or whole) or "FOR" in old.marks or "SAC" in old.marks or not old.all_places:
            return False
        copy = replace(old.copy(), before=[], at=[], origin=None, target=None)
        copy.after, copy.start, copy.end = slots.places, slots.start, slots.end
        self._add(copy)
        return True

    def _commits_all(self, slots: Slots) -> bool:
        """`P1 and P2 all in`."""
        whole = slots.quantity is not None and slots.quantity.text == "all in"
        alone = shape_of(slots) == "units" and not slots.numbers and not slots.marks
        return whole and alone and self.position.fights_dragon

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
        if last is not None and slots.joint in {"COMMA", "AND", "LPAR", "DASH", "SLASH", "COLON"}:
            last.slots.flags.update(slots.flags)
            last.slots.end = max(last.slots.end, slots.end)
        elif last is None and following:
            self.flags = slots
        elif last is None and self._flags_alone(slots):
            pass
        elif last is None and self.ledger.last is not None and self.ledger.last.stands:
            self.ledger.last.why = "not-understood"  # `P1 fortify, P2 work. Golden!`
            self._ask(slots)
        else:
            self._ask(slots)

    def _flags_alone(self, slots: Slots) -> bool:
        """`Fortify P1. Golden!`, if it is the only order of the message."""
        last = self.ledger.last
        only = last is not None and self.ledger.entries == [last] and last.stands
        if not only or last is None or last.sentence != self.number - 1 or last.spreads:
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
        near = last is not None and last.spreads and last.sentence >= self.number - 1
        if near and last is not None and last.why == "":
            last.slots.excepted += slots.excepted
        else:
            self._ask(slots)

    def _same(self, slots: Slots) -> None:
        last = self.ledger.last
        fits = last is not None and last.stands and last.slots.kind in IN_PLACE
        if (
            fits
            and last is not None
            and not last.spreads
            and slots.filled()
            <= {
                "place",
                "quantity",
                "mark",
            }
        ):
            copy = replace(slots, verb=last.slots.verb, marks={})
            if slots.quantity is None or slots.quantity.kind == "ELSE":
                self._add(copy)
                return
        self._ask(slots)

    def _of_window(self, shape: str, slots: Slots, last: Entry | None) -> None:
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
        whole = shape == "spread" and slots.quantity and slots.quantity.text == "all in"
        if fights and (shape == "units" or whole or (none and before is None)):
            verb = "COMMIT"
        elif shape == "units" and stage == "consolidation" and slots.joint != "BUT":
            verb = "BUY"
        elif stage in {"bidding", "rebid"} and shape == "number" and kind in {"", "FACTION"}:
            verb = "BID"
        elif stage in {"bidding", "rebid", "consolidation", "bank"} and shape == "amount":
            verb = "USE" if "BY" in slots.marks else ""
        if stage == "consolidation" and none:
            verb = "BUY"
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
        for ahead in self.waiting if verb == "COMMIT" else ():
            self._add(replace(ahead, verb=slots.verb, quantity=slots.quantity))
        self.waiting = [] if verb == "COMMIT" else self.waiting
        self._add(slots)

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
        commits = [e for e in self.ledger.orders if e.slots.kind == "COMMIT"]
        named = {place.value for place in slots.all_places}
        plain = [e for e in commits if "SAC" not in e.slots.marks]
        same = [e for e in plain if {x.value for x in e.slots.all_places} == named]
        if len(same) == 1:
            same[0].slots.marks.update(slots.marks)
            same[0].slots.numbers += slots.numbers
            same[0].slots.end = max(same[0].slots.end, slots.end)
        elif plain:
            self.ledger.entries.append(Entry(slots, self.number, why="not-understood"))
        return bool(plain)

    def _is_faction(self, slots: Slots) -> bool:
        said = slots.filled() <= {"mark"} and set(slots.marks) <= {"FACTIONNAME", "ALSO"}
        return said and self.position.state.stage == "bidding"

    def _with_verb(self, slots: Slots, last: Entry | None) -> Slots:
        slots.verb = last.slots.verb if last is not None else None
        return slots

    # -- the ledger --------------------------------------------------------------------------------

    def _add(self, slots: Slots) -> None:
        self.ledger.add(Entry(slots, self.number))

    def _ask(self, slots: Slots) -> None:
        """What is not understood is asked; a fragment takes the order before it along."""
        last = self._last()
        if last is None and shape_of(slots) in {"places", "from", "to"} and not slots.loose:
            last = self.ledger.in_sentence(self.number - 1)
        if slots.verb is None and last is not None and last.stands and not is_misspelt(slots):
            last.why = "not-understood"
        if self.ledger.last is None and slots.verb is None and (slots.flags or slots.marks):
            self.ledger.doubtful = True
        if slots.turns or slots.cue or (slots.loose and slots.all_places):
            self.ledger.doubt(slots)
        told = {turn.kind for turn in slots.turns}
        aside = bool(told) and told <= {"PAST", "STATEMENT"} and not slots.loose
        if (
            slots.verb is not None and aside
        ):  # not `fortify P1 seems best`, `P1 works like last time`
            mine = slots.verb.text.startswith(("i ", "we "))
            aside = mine or slots.turns[0].start < slots.verb.start
        self.ledger.entries.append(Entry(slots, self.number, why="not-understood", aside=aside))

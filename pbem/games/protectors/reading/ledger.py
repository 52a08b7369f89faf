"""What the clauses of a message come to, in order: orders that stand, are asked or replaced."""

from collections.abc import Iterable
from dataclasses import dataclass

from pbem.games.protectors.reading.dialect import DIALECT, IN_PLACE, MARCHING, lexicon
from pbem.grammar.kit.likeness import nearest_word
from pbem.grammar.kit.slots import Slots
from pbem.reading.ledger import Ledger

NOT_UNDERSTOOD = "not-understood"


@dataclass(slots=True)
class LedgerEntry:
    """A clause with its slots. `why` is empty if its order stands, else the code of our question;
    `gone`: another took its place. `talk`: it is not an order, but we mention it; `aside`: only
    together with orders.
    """

    slots: Slots
    number: int
    why: str = ""
    gone: bool = False
    talk: bool = False
    aside: bool = False

    @property
    def stands(self) -> bool:
        return not (self.why or self.gone or self.talk)

    def ask(self) -> None:
        self.why = NOT_UNDERSTOOD

    @property
    def spreads(self) -> bool:
        """It names provinces without their numbers: all, the rest."""
        slots = self.slots
        return slots.kind in IN_PLACE | {"SAME"} and not slots.places and slots.dash is None

    @property
    def leads(self) -> bool:
        """Its provinces stand before its order word: `P1 and P2 stay`, `the one in P9 stays`."""
        places, verb = self.slots.places, self.slots.verb
        return bool(places) and verb is not None and all(x.start < verb.start for x in places)

    def provinces(self) -> set[int]:
        """Those it is an order for."""
        slots = self.slots
        if slots.kind in IN_PLACE | {"CANCEL", "SAME", "BUY", "BURN", "UPGRADE", "CAPITOL"}:
            held = slots.places
        elif slots.origin is not None:
            held = [slots.origin]
        elif slots.kind == "SUPPORT":
            held = slots.before[:1]
        else:
            held = slots.before[:1] or (slots.places[:1] if slots.target or slots.dash else [])
        return {place.value for place in held if place.value is not None}


def is_misspelt(slots: Slots) -> bool:
    """Whether it begins with a word that is nearly an order word: an order of its own."""
    first = slots.loose[0] if slots.loose else None
    ahead = first is not None and all(first.start < place.start for place in slots.all_places)
    return ahead and first is not None and nearest_word(first.text, lexicon().slips) is not None


@dataclass(slots=True)
class OrderLedger(Ledger[LedgerEntry]):
    """All entries of a message."""

    open: bool = False
    """Something of the message was not read, so that it cannot be final."""
    flagged: LedgerEntry | None = None
    """An order that a flag in a sentence of its own was put to: it is so if nothing follows."""
    chooses: bool = False
    """The message asks, or says what it does not mean: two orders for one thing are a choice."""
    doubtful: bool = False
    """The next order hangs on something that was not understood."""

    def add(self, entry: LedgerEntry) -> None:
        """Put an order in; one that hangs on something not understood is asked."""
        if self.flagged is not None and entry.slots.kind != "FINAL":
            self.flagged.why, self.flagged = self.flagged.why or NOT_UNDERSTOOD, None
        if self.doubtful:
            entry.why, self.doubtful = NOT_UNDERSTOOD, False
        self.entries.append(entry)

    @property
    def last(self) -> LedgerEntry | None:
        return next((e for e in reversed(self.entries) if not e.gone and not e.talk), None)

    def orders_of(self, number: int) -> list[LedgerEntry]:
        """The orders of this sentence."""
        return [entry for entry in self.entries if entry.number == number and entry.stands]

    def in_sentence(self, number: int) -> LedgerEntry | None:
        """The last order of this sentence."""
        last = self.last
        return last if last is not None and last.number == number else None

    def ask_about(self, provinces: Iterable[int]) -> None:
        """A province is spoken of doubtfully: what was ordered for it does not stand unasked."""
        named = set(provinces)
        for entry in self.standing:
            if named and (entry.spreads or entry.provinces() & named):
                entry.ask()

    def ask_kin(self, slots: Slots, within: int | None = None) -> None:
        """What is said of an order without its province is said of those of its kind; of those
        `within` a sentence, if it turns none.
        """
        said = {slots.kind} | {x.kind for x in slots.loose} | {x.kind for x in slots.marks.values()}
        kin = [e for e in self.standing if e.slots.kind in said and e.slots is not slots]
        kin = [e for e in kin if within is None or e.number == within]
        for entry in kin:
            entry.ask()
        if not kin:
            held = slots.places if slots.kind == "SAME" else slots.all_places
            self.ask_about(p.value for p in held if p.value is not None)

    def doubt(self, slots: Slots, number: int) -> None:
        """An order of this sentence is not understood: what it may be said of does not stand
        unasked. What speaks of something else (`an army marches on its stomach`) and turns nothing
        is said of no other sentence.
        """
        entry = LedgerEntry(slots, 0)
        named = entry.provinces()
        if not slots.kind or any(x.kind in DIALECT.verbs for x in slots.loose):
            named = {p.value for p in slots.all_places if p.value is not None}
        elif slots.kind in MARCHING and slots.origin is None and not slots.before:
            named = set()
        if named:
            about = [e for e in self.standing if e.spreads or e.provinces() & named]
            if not about and not slots.kind and not slots.turns and not is_misspelt(slots):
                about = self.standing[-1:]  # a fragment that finds no order takes the one before it
            for other in about:
                if other.slots is not slots:
                    other.ask()
        elif slots.kind:
            turns = slots.turns or slots.cue or slots.flags or not slots.loose
            self.ask_kin(slots, None if turns else number)
            latest = self.latest
            if slots.kind in IN_PLACE and latest is not None and latest.slots.kind in IN_PLACE:
                latest.ask()  # `P1 works. Or fortify.`
        elif slots.filled():
            self.ask_latest()
        if any(turn.text == "or" for turn in slots.turns) and not named:
            self.ask_latest()  # `2 from P2. Or lights off.`
        if slots.cue or (slots.kind in {"CANCEL", "CANCELALL"} and not named):
            self.ask_all()
        elif any(turn.kind == "CONTRAST" for turn in slots.turns) and not named:
            self.ask_latest()

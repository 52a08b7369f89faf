"""One message on its way into the ledger, sentence by sentence: orders, words that turn them, and
small talk.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pbem.games.protectors.reading.composition import Composer
from pbem.games.protectors.reading.dialect import DIALECT, IN_PLACE, PAYING
from pbem.games.protectors.reading.here import (
    counts_in,
    loan_at,
    without_contrast,
    without_sameness,
)
from pbem.games.protectors.reading.ledger import LedgerEntry, OrderLedger
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.revision import Corrector
from pbem.games.protectors.reading.unheard import AMOUNTS, is_of_others, unheard_in
from pbem.grammar.kit.apart import governs_itself, is_apart, is_idle
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.rings import (
    Judged,
    Ring,
    asks_for_words,
    is_bare_request,
    is_bound,
    is_question,
    is_small_talk,
    judge,
    shades,
    unknown_beside,
)
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT, TURNS, Slots, slots_of, split_run_on

ORDER_LIKE = DIALECT.verbs | DIALECT.flags | {"PLACE", "RANGE"}
_AMENDING = DIALECT.flags | {"SAC"}
"""What says more of an order that stands before it: `Sac 1 if needed.`"""
_LETTING = frozenset({"let", "have", "i want", "i would like", "i'd like"})
_LEADING = SILENT | {"SOFTLY", "COMMA"}
_ME = frozenset({"i", "we"})
_MEANING = frozenset({"want", "wanted", "mean", "meant"})
_TELLING = frozenset({"PAST", "STATEMENT", "SPEECH"})
_GREETINGS = frozenset({"hello", "hi", "hey", "hallo"})


@dataclass(slots=True)
class Message:
    """One message on its way through."""

    plain: Plain
    position: Position
    ledger: OrderLedger
    corrector: Corrector
    composer: Composer
    shade: bool = False
    """A heading that turns the meaning of the lines below it."""
    pending: str = ""
    """A cue that nothing has followed yet."""
    order_like: bool = False
    """Something in it looks like a part of an order."""
    cut: bool = False
    """It has more clauses than are read."""
    lost: bool = False
    """The message itself says that it does not count."""
    silent: list[tuple[int, int]] = field(default_factory=list)
    """Places that speak of others."""
    slips: list[str] = field(default_factory=list)
    lexemes: Sequence[Lexeme] = ()
    """All of it."""
    sentences: list[Sentence] = field(default_factory=list)
    """All that were read."""

    def sentence(self, sentence: Sentence, number: int) -> None:
        """Take one sentence in."""
        self.sentences.append(sentence)
        heading = [x.kind for x in sentence.lexemes]
        if sentence.heads and heading and ({*heading} <= DIALECT.verbs or heading == ["PLACE"]):
            return  # `Moves:`, above other lines; `P2:`, a row left empty
        judged = self._judged(sentence)
        if is_small_talk(judged, DIALECT) or is_apart(sentence):
            return
        asks = is_question(sentence)
        self.order_like |= not asks and any(
            self._is_like_order(one.clause)
            for one in judged
            if not (one.ring is Ring.TOLD and _turns(one) <= _TELLING | {"OTHER"})
        )
        orders = [one for one in judged if one.ring is Ring.ORDER and one.clause.lexemes]
        cues = [one.clause for one in judged if one.clause.cue]
        if any(clause.cue == "draft" for clause in cues):
            self.lost = True
        binds = self._binds(judged, orders)
        self._tell_cues(sentence, judged, number)
        self.ledger.chooses |= asks or any(one.clause.cue for one in judged)
        if asks:
            self._asked(sentence, judged, number, orders=bool(orders))
        elif orders and (binds or self.shade or unknown_beside(judged)):
            self._turned(sentence, judged, number)
        elif orders and _is_bare(judged):
            self._tell(sentence, number)
        elif orders:
            clauses = self._slots(judged)
            if self.pending and not clauses[0].cue:
                clauses[0].cue, self.pending = self.pending, ""
            self.composer.compose(clauses, number)
            end = judged[-1]
            dangling = end.clause.cue and end.clause.lexemes and end.ring is not Ring.ORDER
            if dangling and self.corrector.talks(end.clause.cue):
                self._tell(sentence, number)  # `upgrade P3, no wait, please`
            self.ledger.entries += unheard_in(judged, number, self.position)
        else:
            self._talk(sentence, judged, number, binds=binds)
        last = judged[-1].clause if judged else None
        if last is not None and last.cue and not last.lexemes and last.cue != "soft":
            self.pending = last.cue if self.ledger.entries else ""
        if shades(sentence, judged) and not governs_itself(sentence.clauses):
            self.shade = True
        elif sentence.ended == "PARA":
            self.shade = False

    def _asked(
        self, sentence: Sentence, judged: Sequence[Judged], number: int, *, orders: bool
    ) -> None:
        """A question orders nothing; one about what was ordered takes it back."""
        last = self.ledger.last
        if last is not None and _doubts(sentence):
            for entry in self.ledger.orders_of(last.number):
                entry.ask()
            self._tell(sentence, number, aside=True)
            return
        bare = [x.kind for x in sentence.lexemes if x.kind not in SILENT]
        if orders or (len(bare) == 1 and bare[0] in DIALECT.verbs):
            said_by = any(one.clause.joint == "COLON" for one in judged)
            requests = is_bare_request(sentence) and not asks_for_words(sentence)
            self._tell(sentence, number, aside=not said_by and not requests)
            if sentence.ended != "ASK":
                self._doubt(judged, number)

    def _binds(self, judged: Sequence[Judged], orders: Sequence[Judged]) -> bool:
        """Whether something of the sentence turns what it orders."""
        ordered = {x.kind for one in orders for x in one.clause.lexemes if x.kind in DIALECT.verbs}
        of_me = (
            x.kind in ordered
            for one in judged
            if one.ring is Ring.TOLD and self._speaks_of_me(one)
            for x in one.clause.lexemes
        )
        factions = bool(orders) and self._speaks_of_faction(judged)
        return is_bound(judged) or factions or any(of_me)

    def _tell_cues(self, sentence: Sentence, judged: Sequence[Judged], number: int) -> None:
        for one in judged:
            if one.clause.cue and one.ring is not Ring.ORDER and one.clause.lexemes:
                if self.corrector.talks(one.clause.cue):
                    self._tell(sentence, number)

    def _is_like_order(self, clause: Clause) -> bool:
        kinds = {x.kind for x in clause.lexemes}
        asked = self.position.state.stage != "orders"  # then a number may be a secret bid
        return bool(kinds & ORDER_LIKE) or bool(kinds & AMOUNTS and asked)

    def _speaks_of_faction(self, judged: Sequence[Judged]) -> bool:
        """`I abhor Hodir, bid 10`, where factions are chosen: for it, or against it?"""
        if self.position.state.stage != "bidding":
            return False
        kinds = [{x.kind for x in one.clause.lexemes} for one in judged if one.ring is Ring.BESIDE]
        own = [one.clause.lexemes[0].text for one in judged if one.clause.lexemes]
        return any({"FACTIONNAME", "COMMON"} <= said for said in kinds) and bool(
            {"i", "we"} & {*own}
        )

    def _judged(self, sentence: Sentence) -> list[Judged]:
        for clause in sentence.clauses:
            kept = without_contrast(clause.lexemes)
            self.ledger.chooses |= len(kept) < len(clause.lexemes)
            clause.lexemes = without_sameness(kept)
        judged = judge(sentence, DIALECT, self.position.player)
        return self._corrected([self._settled(one) for one in judged])

    def _corrected(self, judged: list[Judged]) -> list[Judged]:
        """With what is only named where it is taken back: `scrap the march`."""
        for i, one in enumerate(judged):
            solid = [x.kind for x in one.clause.lexemes if x.kind not in SILENT]
            if len(solid) == 1 and solid[0] in DIALECT.verbs and _names_it(one.clause):
                judged[i] = replace(one, ring=Ring.ORDER)
        return judged

    def _slots(self, judged: Sequence[Judged]) -> list[Slots]:
        found = []
        cue = ""
        for one in judged:
            if one.ring is not Ring.ORDER or not one.clause.lexemes:
                cue = one.clause.cue or cue if not _words(one.clause) else cue
                continue
            for i, part in enumerate(self._parts(one.clause.lexemes)):
                slots = slots_of(part, DIALECT)
                _put_ahead(slots)
                at = one.clause.at
                bare = at is not None and " " not in at.text and not self.ledger.entries
                if at is not None and _drops_order(one.clause, slots, self.ledger):
                    slots.verb = replace(at, kind="CANCEL")  # `forget the order for P3`
                elif bare and at is not None and one.clause.cue == "retract" and not i:
                    slots.turns.append(at)  # `forget to fortify P1`
                slots.joint = "RUN" if i else _joint_of(one.clause)
                slots.cue = (one.clause.cue or cue) if not i else ""
                cue = ""
                found.append(slots)
        return found

    def _parts(self, lexemes: list[Lexeme]) -> list[list[Lexeme]]:
        """A clause in its orders, and the money in it: `buy 1 in P3 with 75 from Anna`."""
        at = loan_at(lexemes, self.position)
        if at:
            return [*split_run_on(lexemes[:at], DIALECT), lexemes[at + 1 :]]
        parts = counts_in(lexemes, self.position)
        return [*parts[:-1], *split_run_on(parts[-1], DIALECT)]

    def _turned(self, sentence: Sentence, judged: Sequence[Judged], number: int) -> None:
        """Something in this sentence turns what it orders: all of it is asked."""
        self._doubt(judged, number)
        if any(clause.cue for clause in sentence.clauses):
            self.ledger.ask_all()
        self._tell(sentence, number)

    def _doubt(self, judged: Sequence[Judged], number: int) -> None:
        places = hangs = False
        for one in judged:
            kinds = {x.kind for x in one.clause.lexemes}
            if one.clause.lexemes and one.ring is not Ring.BESIDE:
                if "PLACE" in kinds or not (places and hangs):
                    self.ledger.doubt(slots_of(one.clause.lexemes, DIALECT), number)
            places |= "PLACE" in kinds
            hangs |= "COND" in kinds  # `if Ben attacks P4, P4 fortifies, otherwise work`

    def _tell(self, sentence: Sentence, number: int, *, aside: bool = False) -> None:
        lexemes = sentence.lexemes
        slots = Slots(lexemes[0].start, lexemes[-1].end)
        entry = LedgerEntry(slots, number, why="not-understood", talk=True, aside=aside)
        self.ledger.entries.append(entry)

    def _talk(
        self, sentence: Sentence, judged: Sequence[Judged], number: int, *, binds: bool
    ) -> None:
        """A sentence that gives no order may still take the force from what was said, or order
        something in words that are not known.
        """
        lexemes = sentence.lexemes
        places = [x for x in lexemes if x.kind == "PLACE"]
        told = any(one.ring is Ring.TOLD for one in judged)
        if binds and self.ledger.standing and not told:
            amends = any(x.kind in _AMENDING for x in lexemes)
            if governs_itself(sentence.clauses) and not amends:
                self._tell(sentence, number)
                return
            if places:
                self.ledger.ask_about(x.value for x in places if x.value is not None)
            else:
                self.ledger.ask_all()
            self._tell(sentence, number)
        elif places:
            if not told:
                self.ledger.ask_about(x.value for x in places if x.value is not None)
            asked = any(x.kind == "REQUEST" for x in lexemes)
            if (
                told
                and not asked
                and all(is_of_others(one, self.position.player) for one in judged)
            ):
                self.silent.append((lexemes[0].start, lexemes[-1].end))
            else:
                report = told and not asked and not self._is_bare_report(judged)
                self._tell(sentence, number, aside=report)
        elif (
            _is_payment(judged)
            or (
                any(x.kind in DIALECT.verbs for x in lexemes)
                and (
                    binds
                    or (not told and any(x.kind in DIALECT.verbs - DIALECT.weak for x in lexemes))
                )
            )
            or any(x.kind == "QUOTEDPLACE" for x in lexemes)
        ):
            self._tell(sentence, number)
        else:
            if told and any(x.kind in DIALECT.verbs for x in lexemes):
                self.silent.append((lexemes[0].start, lexemes[-1].end))
            self.ledger.entries += unheard_in(judged, number, self.position)
        idle = is_idle(sentence.clauses, DIALECT.weak)
        for one in judged if not idle else ():
            if one.clause.lexemes and self._speaks_of_me(one):
                self.ledger.ask_kin(slots_of(one.clause.lexemes, DIALECT))

    def _settled(self, one: Judged) -> Judged:
        """`Mark promised to march from P10 to P1` orders nothing."""
        turns = _turns(one)
        solid = [x.kind for x in one.clause.lexemes if x.kind not in SILENT]
        if one.ring is Ring.ORDER and set(solid) == {"DRAGON"}:
            return replace(one, ring=Ring.BESIDE)  # `oh my, a dragon?`
        if solid == ["NUM"] and one.clause.lexemes[0].text in _GREETINGS:
            return replace(one, ring=Ring.BESIDE)  # `hello 5`
        if one.ring is not Ring.ORDER or not turns & _TELLING or turns - _TELLING - {"OTHER"}:
            return one
        first = next(x for x in one.clause.lexemes if x.kind not in SILENT)
        others = first.kind in {"WHO", "OTHER"} and first.value != self.position.player
        thanks = first.text.startswith("thank")
        return replace(one, ring=Ring.TOLD, of_others=True) if others or thanks else one

    def _is_bare_report(self, judged: Sequence[Judged]) -> bool:
        """`P1 fortified`: told, or an order?"""
        kinds = {x.kind for one in judged for x in one.clause.lexemes if x.kind not in SILENT}
        return kinds <= {"PLACE", "STATEMENT", "NUM", "UNITS", "AND", "COMMA"}

    def _speaks_of_me(self, one: Judged) -> bool:
        """`I don't want to snitch after all`, `take the bid back`: not what others do."""
        kinds = {x.kind for x in one.clause.lexemes}
        others = any(
            x.kind == "OTHER" or (x.kind == "WHO" and x.value != self.position.player)
            for x in one.clause.lexemes
        )
        return not others and bool(
            kinds & (DIALECT.verbs - IN_PLACE) or (kinds & IN_PLACE and "NEG" in kinds)
        )


def _is_bare(judged: Sequence[Judged]) -> bool:
    """Bare order words in small talk: `it was a hard day at work, work and more work`, `all work
    and no play makes Jack a dull boy`.
    """
    orders = [one.clause for one in judged if one.ring is Ring.ORDER and one.clause.lexemes]
    beside = [one.clause for one in judged if one.ring is not Ring.ORDER]
    talk = any(len(c.lexemes) > 1 and "COMMON" in {x.kind for x in c.lexemes} for c in beside)
    said = [[x.kind for x in clause.lexemes if x.kind not in SILENT] for clause in orders]
    runs_on = any(clause.joint == "AND" and _words(clause) > 2 for clause in beside)
    every = [["ALL", "WORK"], ["ALL", "HOLD"]] if runs_on else []
    return talk and all(kinds in (["WORK"], ["HOLD"], *every) for kinds in said)


def _drops_order(clause: Clause, slots: Slots, ledger: OrderLedger) -> bool:
    """Whether it takes back what is ordered of a province, in a message that ordered nothing."""
    return clause.cue == "retract" and not ledger.entries and slots.filled() == {"place"}


def _names_it(clause: Clause) -> bool:
    """Whether what is taken back is an order that was named: `scrap the`, `forget my`."""
    at = clause.at.text.split() if clause.at is not None else []
    return clause.cue == "retract" and at[-1:] in (["the"], ["my"])


def _joint_of(clause: Clause) -> str:
    """`fortify P4 and let P5 and P6 work`: a new subject begins."""
    lets = clause.joint == "AND" and clause.lexemes[0].text in _LETTING
    return "LET" if lets else clause.joint


def _put_ahead(slots: Slots) -> None:
    """`1 and 2 work`: numbers in front of an order that is done in place are its provinces."""
    if slots.kind in IN_PLACE and slots.verb is not None:
        if all(x.kind == "NUM" and x.start < slots.verb.start for x in slots.after):
            slots.before, slots.after = [*slots.before, *slots.after], []


def _doubts(sentence: Sentence) -> bool:
    """Whether a question asks about what was ordered before it: `or P1?`, `which did I mean?`."""
    solid = (x.text.split()[0] for x in sentence.lexemes if x.kind not in _LEADING)
    words = {word for x in sentence.lexemes for word in x.text.split()}
    return next(solid, "") == "or" or bool(words & _ME and words & _MEANING)


def _is_payment(judged: Sequence[Judged]) -> bool:
    """`Ben has earned 50, please hand it over to him`: a sum, and what to do with it."""
    lexemes = [x for one in judged for x in one.clause.lexemes]
    firsts = [next((x for x in one.clause.lexemes if x.kind not in SILENT), None) for one in judged]
    pays = any(x is not None and x.kind in PAYING and x.text[-1] != "s" for x in firsts)
    return pays and any(x.kind in AMOUNTS for x in lexemes)


def _turns(one: Judged) -> set[str]:
    return {x.kind for x in one.clause.lexemes} & TURNS


def _words(clause: Clause) -> int:
    return sum(x.kind not in SILENT for x in clause.lexemes)

"""One message, sentence by sentence: orders, words that turn them or take them back, and talk."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from msgspec.structs import replace

from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.addressees import (
    addresses,
    bids,
    bids_for_us,
    called_beside,
    called_in,
)
from pbem.games.sovereigns.reading.amendments import BACK, doubted_by_cue, revise, takes_away
from pbem.games.sovereigns.reading.book import AT_ONCE
from pbem.games.sovereigns.reading.canonical import canonical
from pbem.games.sovereigns.reading.conditions import with_conditions
from pbem.games.sovereigns.reading.entries import NOT_UNDERSTOOD, OrderEntry
from pbem.games.sovereigns.reading.free_actions import may_try
from pbem.games.sovereigns.reading.free_words import carved, topic_of
from pbem.games.sovereigns.reading.hints import (
    answers,
    bargains,
    counts,
    is_bargain,
    is_of_offer,
    is_sorry,
    proposed,
    supposes,
    waits,
    wants_more,
)
from pbem.games.sovereigns.reading.holding import MANNER, is_doubt, turn_in
from pbem.games.sovereigns.reading.order_lines import Lines
from pbem.games.sovereigns.reading.pieces import (
    AIMED,
    AMOUNTS,
    BUILDING_KINDS,
    DIALECT,
    HEADS,
    JOINTS,
)
from pbem.games.sovereigns.reading.rings import flat, judge
from pbem.games.sovereigns.reading.setup import name_in, with_triple
from pbem.grammar.kit.apart import governs_itself, is_apart
from pbem.grammar.kit.hearing import REVISING, Hearing
from pbem.grammar.kit.holding import asks, forbids, is_material, leaves, solid_of
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.reports import doubts, label_in, points_back, takes_back, undoes
from pbem.grammar.kit.rings import Judged, Ring, is_small_talk
from pbem.grammar.kit.sentences import Sentence
from pbem.grammar.kit.slots import SILENT

_COUNTED = frozenset({"NUM", "TECH"})
_SPOKEN = (
    HEADS
    | AMOUNTS
    | BUILDING_KINDS
    | set_of(
        "NUM ALL HALF CUE BURN SPARE BOON NOBOON WON NOTWON YES VNO CODE WHO EVERYSEASON "
        "EVERYYEAR REBELLION COUP CONDITION"
    )
)
"""Without these a sentence that speaks to somebody is talk."""


@dataclass(slots=True)
class Message(Hearing):
    """One message on its way through."""

    manner = MANNER

    lines: Lines = field(kw_only=True)
    forwarded: bool = False
    """What follows is somebody else's."""
    answered: Sentence | None = None
    """A word to what waits for one, of which nothing comes."""
    supposed: int = -2
    """The last question that supposes something."""
    spoken: int = -2
    """The last sentence that speaks to somebody."""
    silent: int = 0
    """How many sentences behind the last order say nothing."""

    # -------------------------------------------------------------------------------- sentences
    def sentence(self, sentence: Sentence, number: int) -> None:
        lines = self.lines
        lines.number = number
        lexemes = flat(sentence, self.text)
        if not lexemes or self._takes_exact(sentence) or is_apart(sentence):
            return
        lexemes, lines.last = with_conditions(
            lexemes, lines.position.me, lines.last, lines.conditions
        )
        lexemes = self._without_name(lexemes)
        if self._is_theirs(lexemes) or bids_for_us(lexemes, MANNER):
            self._tell(sentence, None)
        elif self._is_talk_to(lexemes):
            pass
        elif is_bargain(lexemes) and addresses(lexemes, lines.position.me, MANNER, _COUNTED):
            self._tell(sentence, None)  # `To Mordor: 1 resource for your steel`
        elif not addresses(lexemes, lines.position.me, MANNER, _COUNTED) and not takes_away(
            lines, lexemes
        ):
            self._read(sentence, self._without_tried(sentence, self._carved(lexemes)))
        if lines.latest is not None and self._is_next() and wants_more(lines.latest, lexemes):
            lines.latest.ask()
        lines.remember(sentence.lexemes)

    def _is_talk_to(self, lexemes: Sequence[Lexeme]) -> bool:
        """`Dmitri, please don't take it personally.`"""
        called, rest = called_in(lexemes, self.lines.position.me, MANNER)
        return bool(called) and not {x.kind for x in rest} & _SPOKEN

    def _is_theirs(self, lexemes: Sequence[Lexeme]) -> bool:
        """It bids somebody else do something: `Ben, could you attack Cyrene for me?`."""
        lines = self.lines
        called, rest = called_in(lexemes, lines.position.me, MANNER)
        kinds = {x.kind for x in lexemes}
        if called and all(x.kind in SILENT | JOINTS for x in rest):
            ahead = [*takewhile(lambda x: x.kind != "WHO", lexemes)]
            fine = MANNER.said["GREETING"].whole | MANNER.said["CALLED"].whole
            if all(x.text in fine or x.kind in JOINTS for x in ahead):
                lines.salutes = called
        lines.called = called or called_beside(lexemes, lines.position.me) or lines.salutes
        named = {x.value for x in lexemes if x.kind == "WHO"} - {lines.position.me}
        if "THERE" in kinds and len(named) == 1:
            lines.last = max(named.pop() or 0, 0)
        aims = "COLON" in kinds and kinds & AIMED and all(x.kind != "WHO" for x in rest)
        if called and any(x.text in MANNER.said["PLEADS"] for x in rest):
            lines.salutes = called  # `Ben, I need you! Attack Cara!`
        if not called:
            return bool(lines.salutes) and bids(lexemes, MANNER, JOINTS)
        return bids(rest, MANNER, JOINTS) and not aims

    def _read(self, sentence: Sentence, lexemes: Sequence[Lexeme]) -> None:
        judged = self._judged(lexemes)
        offers = is_of_offer(lexemes, judged) and not asks(sentence, judged, MANNER)
        if offers:
            self._tell(sentence, None)
        else:
            self.hear(sentence, judged, lambda: self._turn_in(judged))
        self.forwarded |= any(x.text == "forwarded" for x in lexemes)
        self.shade |= self.forwarded

    def stands(self) -> bool:
        return self.lines.latest is not None

    def ask_all(self) -> None:
        self.lines.ask_all()

    def ask(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        if self._is_next() and doubts(judged, MANNER):
            self.ask_all()
        self.silent += 1
        if any(x.text == "would" for x in sentence.lexemes):
            self.supposed = self.lines.number
        if is_material(judged) and is_doubt(judged):
            self._tell(sentence, None)
        if sentence.ended != "ASK":
            self._take_back(judged)  # `Deal! ...is what I'd say`

    def hold(self, sentence: Sentence, judged: Sequence[Judged], turn: Lexeme | None) -> None:
        back = turn is not None and turn.kind == "NEG" and turn.text.startswith(BACK)
        back |= turn is not None and turn.text == "instead"
        bare = not {x.kind for x in sentence.lexemes} & HEADS
        undone = bare and not governs_itself(sentence.clauses) and undoes(judged, MANNER)
        back |= self._is_next() and (points_back(judged) or undone)
        latest = self.lines.latest if self._is_next() else None
        back |= bargains(latest, sentence.lexemes) or counts(latest, sentence.lexemes)
        if back or any(one.clause.cue in REVISING for one in judged):
            self.ask_all()
        self._tell(sentence, turn)
        self._take_back(judged)

    def _take_back(self, judged: Sequence[Judged]) -> bool:
        """What takes effect at once, if this sentence takes it back."""
        taken = self.lines.binds and takes_back(judged, MANNER)
        if taken:
            self.ask_all()
        return taken

    def _turn_in(self, judged: Sequence[Judged]) -> Lexeme | None:
        position = self.lines.position
        if label_in(judged, MANNER) is not None:
            self.shade = True  # `Examples: ...; ...`
        return self._then(judged) or turn_in(
            judged, self.plain, position.me, opens=position.asks_for_year
        )

    def _then(self, judged: Sequence[Judged]) -> Lexeme | None:
        """`You have one day. Then I attack Mordor.`, `What would Ben do? Attack Mordor!`"""
        first = next((x for one in judged for x in one.clause.lexemes), None)
        said = self.text[first.start - 5 : first.start].strip() if first is not None else ""
        before = self.lines.number - 1
        threatens = self.spoken == before and said == "then"
        return first if threatens or self.supposed == before else None

    def _judged(self, lexemes: Sequence[Lexeme]) -> list[Judged]:
        judged = judge(lexemes, self.lines.position.me)
        return judged[1:] if self.lines.latest is None and is_sorry(judged) else judged

    def _carved(self, lexemes: list[Lexeme]) -> list[Lexeme]:
        waits = any(not one.name for one in self.lines.position.own.discoveries)
        waits |= self.lines.wonders
        return carved(lexemes, self.plain, invents=waits)

    def _without_name(self, lexemes: list[Lexeme]) -> list[Lexeme]:
        """In the set-up, without the kingdom's new name."""
        known = self.lines.set_up
        known.name = ""
        if self.lines.position.state.stage != "setup":
            return lexemes
        lexemes = with_triple(lexemes)
        numbered = any(x.kind in {"NUM", "TRIPLE"} for x in lexemes)
        near = self.lines.number == known.numbered + 1 and not known.named and bool(known.counts)
        near |= not self.lines.number and len(lexemes) == 1
        known.name, lexemes = name_in(lexemes, self.plain, alone=numbered or near)
        known.numbered = self.lines.number if numbered else known.numbered
        return lexemes

    def _without_tried(self, sentence: Sentence, lexemes: list[Lexeme]) -> list[Lexeme]:
        """Without a free-form action, which is taken; what is left corrects it."""
        if self.shade or not may_try(lexemes):
            return lexemes
        judged = self._judged(lexemes)
        if not is_material(judged) or asks(sentence, judged, MANNER):
            return lexemes
        cue = next((i for i, x in enumerate(lexemes) if x.kind == "CUE"), len(lexemes))
        return lexemes[cue:] if self.lines.tries(lexemes[:cue]) else lexemes

    def _takes_exact(self, sentence: Sentence) -> bool:
        """Take a canonical text for what it is."""
        inside = sentence.lexemes
        asks = sentence.ended == "ASK"
        if not inside or self.shade or self.pending or asks or self.lines.salutes:
            return False
        cues = [clause.at for clause in sentence.clauses if clause.at is not None]
        whole = sorted([*inside, *cues], key=lambda x: x.start)
        order = canonical(whole, self.plain, self.lines.position)
        if order is not None:
            self.lines.add_exact(order, whole[0].start, whole[-1].end)
            self.lines.remember(inside)
        return order is not None

    def close(self) -> None:
        self.lines.close()
        if self.answered is not None:
            self._tell(self.answered, None)
        Hearing.close(self)

    def _tell(self, sentence: Sentence, turn: Lexeme | None) -> None:
        """It is not understood, all of it."""
        cues = [clause.at for clause in sentence.clauses if clause.at is not None]
        lexemes = sentence.lexemes or cues
        self.lines.add(NOT_UNDERSTOOD, lexemes[0].start, lexemes[-1].end, turn)

    def talk(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        lines, lexemes = self.lines, sentence.lexemes
        if answers(judged, lexemes, lines.position):
            self._tell(sentence, None)
        elif not lines.entries and waits(judged, lexemes, lines.position):
            self.answered = sentence
        if any(x.text in {"you", "you have"} for x in lexemes):
            self.spoken = lines.number
        if isinstance(proposed(lines.latest), o.Proposal) and any(
            x.kind == "CALLED" for x in lexemes
        ):
            lines.ask_all()  # `name it Heavy Plough`
        if lines.unargued is not None and isinstance(lines.unargued.order, o.Object) and lexemes:
            self._argues(lines.unargued, lines.unargued.order, lexemes)
            if sentence.ended in {"NL", "PARA"}:
                lines.unargued = None
            return
        lines.set_up.named = lines.set_up.name or lines.set_up.named
        if lines.set_up.name and lines.set_up.counts:
            lines.split({}, 0, 0)
            return
        if lines.wonders:
            named = lines.topic is not None and lines.topic.kind == "NAMED"
            lines.topic = lines.topic if named else topic_of(judged, self.plain) or lines.topic
        cues = {one.clause.cue for one in judged} - {""}
        told = any(one.ring is Ring.TOLD for one in judged)
        if self._take_back(judged):
            return
        asked = sentence.ended == "ASK" and doubts(judged, MANNER)
        if self._is_next() and (asked or self._undoes(judged)):
            lines.ask_all()
            return
        self.silent += not solid_of(lexemes)
        if lines.binds and self._agrees_with(lexemes):
            lines.ask_all()
            return
        if (
            "retract" in cues
            or forbids(lexemes, MANNER, cued=bool(cues))
            or leaves(lexemes, MANNER)
        ):
            lines.ask_all()
        elif bargains(lines.latest, lexemes) or (self._is_next() and counts(lines.latest, lexemes)):
            lines.ask_all()  # `she gives us 1 soldier`, behind what we offer
            self._tell(sentence, None)
        elif cues & {"correct", "instead"} and not told and lines.latest is not None and lexemes:
            lines.ask_all()
            self._tell(sentence, None)
        elif any(x.kind == "ALWAYS" and "standing" in x.text for x in lexemes):
            self._tell(sentence, None)  # `I don't want my standing order any more`

    def _undoes(self, judged: Sequence[Judged]) -> bool:
        itself = governs_itself([one.clause for one in judged])
        return not (itself or is_small_talk(judged, DIALECT)) and undoes(judged, MANNER)

    def _is_next(self) -> bool:
        """Whether the sentence before has an order."""
        last = self.lines.latest
        return last is not None and last.number >= self.lines.number - 1 - self.silent

    def _agrees_with(self, lexemes: Sequence[Lexeme]) -> bool:
        """`Agreed! Borland is the worst.`: no offer is agreed to."""
        last = self.lines.latest
        if last is None or last.number != self.lines.number - 1:
            return False
        said = self.text[last.start : last.end]
        talks = any(x.kind == "COMMON" for x in lexemes) and said in {"agreed", "accepted"}
        return talks or (said.startswith("agree") and any(x.kind == "WHO" for x in lexemes))

    def _argues(self, entry: OrderEntry, order: o.Object, lexemes: Sequence[Lexeme]) -> None:
        """`I object to number 13. A desert has no harbour.`"""
        why = " ".join(self.plain.quote(lexemes[0].start, lexemes[-1].end).split())
        if order.why:
            between = self.plain.quote(entry.end, lexemes[0].start).strip()
            why = f"{order.why}{between or '.'} {why}"
        entry.order, entry.end = replace(order, why=why), lexemes[-1].end

    # ----------------------------------------------------------------------------------- orders
    def order(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        """The orders of a sentence, cue by cue."""
        self.lines.unargued, self.silent = None, 0
        for clauses, cue in self.parts(judged, supposes):
            asked, at = doubted_by_cue(self.lines, self.text, clauses, cue)
            if asked:
                self.ask_all()
            if at is not None:
                self._tell(sentence, at)
                continue
            part = list[Lexeme]()
            for clause in (one.clause for one in clauses if one.ring is Ring.ORDER):
                if clause.joint and part and clause.lexemes:
                    start = clause.lexemes[0].start
                    part.append(Lexeme(clause.joint, "", start, start))
                part += clause.lexemes
            self._part(part, cue)
        if {x.kind for one in judged for x in solid_of(one.clause.lexemes)} == {"WITHDRAW"}:
            if self._is_next():
                self.ask_all()  # `Withdrawn.`
        kinds = {x.kind for one in judged for x in one.clause.lexemes}
        buts = any(one.clause.joint == "BUT" for one in judged[1:])
        self._doubt(chained=buts or bool(kinds & {"ORELSE", "CONDITION"}))

    def _doubt(self, *, chained: bool) -> None:
        """A sentence says one thing: one of several alternatives does not stand, and nobody both
        passes and acts. What takes effect at once stands only if all around it is understood.
        """
        number = self.lines.number
        said = [*takewhile(lambda x: x.number == number, reversed(self.lines.entries))]
        half = any(not entry.stands for entry in said)
        sorts = {type(entry.order) for entry in said}
        acts = sum(isinstance(entry.order, o.Do) for entry in said)
        half |= chained and acts > 1 and len(said) > 1
        for entry in said:
            both = {o.Do, o.Pass} <= sorts and isinstance(entry.order, o.Do | o.Pass)
            if both or (half and (chained or isinstance(entry.order, AT_ONCE))):
                entry.ask()

    def _part(self, lexemes: Sequence[Lexeme], cue: str) -> None:
        """Lexemes behind one cue."""
        if all(x.kind in SILENT | JOINTS | {"SAMENUMBERS"} for x in lexemes):
            return
        if cue:
            revise(self.lines, lexemes, cue)
        else:
            self.lines.take(lexemes)

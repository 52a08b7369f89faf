"""One message on its way through: its sentences by their rings and cues into the ledger."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal

from engine.realm_master import orders as o
from engine.ruleset import Problem
from pbem.games.realm_master.reading.canonical import parse_carelessly
from pbem.games.realm_master.reading.clause_groups import Segment, joined, segments_of
from pbem.games.realm_master.reading.contrasts import without_contrasts
from pbem.games.realm_master.reading.entries import PieceEntry
from pbem.games.realm_master.reading.ledger import PieceLedger
from pbem.games.realm_master.reading.lexer import lexemes_in
from pbem.games.realm_master.reading.parts import (
    CONDITIONAL,
    VERBS,
    WEAK,
    NotRead,
    Piece,
    parts_of,
    pieces_of,
    run_on,
    solid,
)
from pbem.games.realm_master.reading.person import in_first_person
from pbem.games.realm_master.reading.plan_lines import build
from pbem.games.realm_master.reading.position import Position
from pbem.games.realm_master.reading.problems import problem_of
from pbem.games.realm_master.reading.rings import (
    SAYING,
    TURNS,
    is_small_talk,
    judge,
    unknown_beside,
    unknown_headings,
)
from pbem.games.realm_master.reading.sequence import step_of
from pbem.games.realm_master.reading.spoken import is_fact
from pbem.games.realm_master.reading.verbatim import without_lines
from pbem.games.realm_master.reading.wishes import judge_wishes
from pbem.grammar.kit.apart import governs_itself, is_apart, is_idle
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import Plain, blanked
from pbem.grammar.kit.people import People
from pbem.grammar.kit.rings import Judged, Ring, is_question, without_reason
from pbem.grammar.kit.sentences import Clause, Sentence, sentences_of
from pbem.grammar.kit.turning import turnings_of

MOST_SENTENCES = 200
_OPENS = frozenset(
    "OR ELSE THEN NOT IF UNLESS WHILE ONLY ONLYIF WITH ARE EXCEPT HAVE EXIST BELOW LEAST MOST ABOVE"
    " EXACT".split()
)
"""What no sentence ends with."""
Moment = Literal["", "hit", "realm", "ultimatum"]
_HEADINGS: dict[str, Moment] = {"ULTIMATUM": "ultimatum", "WHENHIT": "hit", "OWNTURN": "realm"}
MOMENTS: dict[str, Moment] = {"hit": "hit", "realm": "realm", "ultimatum": "ultimatum"}
_CLOSES = frozenset({"GOON", "ONCE"})
_PLAYED = frozenset({"WANT", "PLAY"})
"""Without the name of a hero or a card they are words of talk: `we will play inside`."""
_AMENDS = frozenset({"more", "less", "fewer"})
_IDLE = WEAK - {"FORGET", "FORGETALL"}
_OPEN = frozenset({"NEG", "NO", "CORRECT", "HEDGE"})
_EMPTY = _OPEN | {"SELF", "SOFT", "ALSO"}
"""Turning words, and those without a meaning of their own: a sentence of only these is about the
one before.
"""
_TURNS = set_of("HEDGE HESITATION ASKING NOT IF UNLESS COND YES")
_IT = frozenset({"that", "this", "it", "these", "those", "them", "anything", "yet"})
_FACTS = frozenset({"what", "why", "how", "where", "whose", "whom", "did", "which way", "who"})


_THROWS = frozenset({"reroll", "second", "knuckle"})


@dataclass(slots=True)
class Message:
    """One message on its way through."""

    plain: Plain
    position: Position
    player: int
    people: People
    ledger: PieceLedger = field(init=False)
    moment: Moment = ""
    pending: str = ""
    """A cue that nothing has followed yet."""
    hesitant: bool = False
    """`Hmm.`: what comes may be another word about what was said."""
    shade: Literal["", "next", "block"] = ""
    """A bare condition was said: what it is of is below it."""
    cut: bool = False
    text: str = ""
    sentences: list[Sentence] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ledger = PieceLedger(build=self.build)

    def build(self, pieces: Sequence[Piece], moment: Moment = "") -> list[o.Order]:
        """The orders of pieces. NotRead if there are none."""
        told = without_contrasts(pieces)
        try:
            return build(list(parts_of(told)), self.position, moment)
        except NotRead:
            parted = run_on(told)
            if parted is None:
                raise
            return build(list(parts_of(parted)), self.position, moment)

    def answers(self, text: str, words: Collection[str]) -> list[str] | None:
        """The sentences of a folded text that are one of these words alone; None if what else is
        said is more than talk.
        """
        lexemes = lexemes_in(text, self.people, self.plain, self.position.stage)
        sentences = sentences_of(self.plain, lexemes, VERBS - {"ULTIMATUM"}, frozenset(), _OPENS)
        found, places = [], []
        for one in sentences:
            said = text[one.start : one.end].strip(" \t\n-*•;.!,")
            if said in words:
                found.append(said)
                places.append((one.start, one.end))
            elif any(x.cue for x in one.clauses) or any(x.kind in _TURNS for x in one.lexemes):
                if not _stands_apart(one):
                    return None
        rest = Message(self.plain, self.position, self.player, self.people)
        return None if rest.read(blanked(text, places)) else found

    def read(self, text: str) -> list[PieceEntry]:
        mine = self.position.heroes.get(self.player, "")
        text, self.ledger.entries = without_lines(text, self.plain)
        text = in_first_person(text, mine, self.people.name_of(self.player))
        self.text = text
        self.sentences = self.cut_of(lexemes_in(text, self.people, self.plain, self.position.stage))
        for number, sentence in enumerate(self.sentences):
            if number >= MOST_SENTENCES:
                self.cut = True
                break
            self._shaded(sentence, text)
        entries = self.ledger.settle()
        return sorted(entries, key=lambda one: one.start)

    def cut_of(self, lexemes: Sequence[Lexeme]) -> list[Sentence]:
        """The sentences of these lexemes of the message."""
        told = sentences_of(self.plain, lexemes, VERBS - {"ULTIMATUM"}, frozenset(), _OPENS)
        return list(joined(told, self.text, _stands_apart))

    def _is_fact(self, sentence: Sentence) -> bool:
        fact = is_fact(sentence, self.player)
        return fact and not any(map(self.is_order, sentence.clauses))

    def is_order(self, clause: Clause) -> bool:
        """Whether a clause says an order by itself."""
        try:
            return bool(self.build(pieces_of([clause], self.plain.text)))
        except NotRead:
            return False

    # -------------------------------------------------------------------------------- one sentence
    def _shaded(self, sentence: Sentence, text: str) -> None:
        """A sentence; what is said below a bare condition (`If Ben leaves:`) is asked about."""
        shade = self.shade
        alone = len(sentence.clauses) == 1 and _is_bare_condition(solid(sentence.lexemes))
        if not shade and not alone:
            self.sentence(sentence, text)
            return
        known = {id(one) for one in self.ledger.standing}
        self.sentence(sentence, text)
        fresh = [one for one in self.ledger.standing if id(one) not in known]
        if shade:
            self.ledger.doubt(fresh)
        if alone and not fresh:
            heads = text[sentence.start : sentence.end].rstrip().endswith(":")
            self.shade = "block" if heads else "next"
        elif shade != "block" or sentence.ended == "PARA":
            self.shade = ""

    def sentence(self, sentence: Sentence, text: str) -> None:
        said = solid(sentence.lexemes)
        moment, self.moment = self.moment, ""
        if not said and not any(clause.cue for clause in sentence.clauses):
            self.moment = moment
            self.hesitant |= any(x.kind == "HESITATION" for x in sentence.lexemes)
            return
        if len(said) == 1 and said[0].kind in _HEADINGS:
            self.moment = _HEADINGS[said[0].kind]
            return
        if said and {x.kind for x in said} <= _CLOSES and not self.position.live:
            if said[0].kind == "GOON" and self.ledger.standing:
                return  # `That's all.`
        if self.position.stage in _THROWS and [x.kind for x in said] == ["BLANK"]:
            at = said[0].start
            clause = next(one for one in sentence.clauses if said[0] in one.lexemes)
            clause.lexemes.insert(0, Lexeme("REROLL", "reroll", at, at))
        first, last = _span(sentence, text)
        canonical = parse_carelessly(self.plain.quote(first, last)) if said else None
        if canonical is not None:
            entry = PieceEntry(first, last, [canonical], pieces=[Piece("comma", said)])
            self.ledger.say(entry, hesitant=False)
            return
        if any(clause.cue == "draft" for clause in sentence.clauses) or (
            sentence.heads
            and any(
                x.kind in {"PAST", "STATEMENT"}
                for clause in sentence.clauses
                for x in without_reason(clause.lexemes)
            )
        ):
            self.ledger.lost = True
        if _stands_apart(sentence) or self._is_fact(sentence):
            return
        if is_question(sentence):
            self._question(sentence, said)
            return
        entries = self.ledger.entries
        if not moment and entries and said and said[0].kind == "THEN":
            own = any(step_of(order) is not None for order in entries[-1].orders)
            moment = "realm" if own and self.position.at is not None else ""
        for segment in segments_of(sentence, begins=self.ledger.latest is None):
            self._segment(segment, moment)

    def _question(self, sentence: Sentence, said: Sequence[Lexeme]) -> None:
        if not said:  # `forget it?`
            self.ledger.doubt(self.ledger.standing)
            return
        entry = PieceEntry(
            said[0].start, said[-1].end, pieces=[Piece("comma", list(said))], asks=True
        )
        fact = sentence.lexemes[0].text in _FACTS
        saying = SAYING if self.position.live else SAYING - {"GOON"}  # `is that all?`
        if any(x.kind in saying for x in said) and not fact:
            entry.problems.append(Problem("loose-question", ("RM-10.1",)))
        before = self.ledger.standing
        self.ledger.add(entry)
        if not fact:
            self.ledger.question(said, before)
        asks = not fact or len(said) < 3 or any(x.kind == "STATEMENT" for x in said)
        if asks and said[0].kind in {"OR", "ASKING"} and not any(x.kind in SAYING for x in said):
            self.ledger.doubt(before)  # `or should I?`, `what do you think?`

    def _segment(self, segment: Segment, moment: Moment) -> None:
        me, mine = self.player, self.position.heroes.get(self.player, "")
        judged = judge(segment.clauses, me, mine)
        if self.position.stage == "heroes":
            judged = judge_wishes(judged, me)
        ordering = [one.clause for one in judged if one.ring is Ring.ORDER]
        lexemes = [x for clause in segment.clauses for x in clause.lexemes]
        cue, self.pending = segment.cue or self.pending, ""
        hesitant = self.hesitant or any(x.kind == "HESITATION" for x in lexemes[:1])
        self.hesitant = False
        if not ordering:
            self._talk(cue, judged, lexemes)
            return
        reasons = {x.kind for x in lexemes} - {x.kind for c in ordering for x in c.lexemes}
        if not moment and cue:
            moment = self._moment_before()
        moment = moment or ("hit" if "HITS" in reasons else "")
        entry = self._entry(ordering, judged, moment)
        if cue:
            if self.ledger.turn(cue, entry):
                self.pending = cue
            return
        says = bool(entry.orders)
        self.ledger.say(entry, hesitant=hesitant)
        if not says and not is_idle(segment.clauses, _IDLE):
            before = self.ledger.standing
            vague = any(x.kind == "REFERS" for x in lexemes)
            forgets = any(x.kind == "FORGET" for x in lexemes)
            if not self.ledger.question(lexemes, before) and (forgets or vague or _hangs(lexemes)):
                self.ledger.doubt(before if forgets else before[-1:])

    def _moment_before(self) -> Moment:
        """Of a correction: when what is corrected is about, if it is about one moment alone."""
        last = self.ledger.latest
        said = () if last is None else (*last.orders, *last.doubted)
        keys = {o.key_of(order) for order in said}
        return MOMENTS.get(next(iter(keys)) or "", "") if len(keys) == 1 else ""

    def _entry(
        self, ordering: Sequence[Clause], judged: Sequence[Judged], moment: Moment
    ) -> PieceEntry:
        kept = [x for clause in ordering for x in clause.lexemes]
        entry = PieceEntry(kept[0].start, kept[-1].end, adds=any(x.kind == "ALSO" for x in kept))
        odd = [
            *unknown_beside(judged),
            *(unknown_headings(judged) if self.position.stage is None and not moment else ()),
            *(one.clause.lexemes[0] for one in judged if one.ring is Ring.BINDS),
        ]
        if odd:
            said = [x for one in judged for x in one.clause.lexemes]
            entry.start, entry.end = said[0].start, said[-1].end
        try:
            before = self.ledger.latest
            cards = [] if before is None else [x for x in before.lexemes if x.kind == "CARD"]
            if self.position.stage == "smoke" and not cards:
                cards = [Lexeme("CARD", "smoke pot", entry.start, entry.start)]  # `use it`
            entry.pieces = pieces_of(ordering, self.plain.text, cards)
            entry.orders = [] if odd else self.build(entry.pieces, moment)
        except NotRead as why:
            entry.caret = why.at
            entry.problems.append(problem_of(why, kept))
        if odd:
            entry.caret, entry.is_turned = odd[0], True
            entry.problems = [problem_of(NotRead("not-understood", odd[0]), kept)]
        return entry

    def _talk(self, cue: str, judged: Sequence[Judged], lexemes: Sequence[Lexeme]) -> None:
        """What gives no order may still take the force from what was said."""
        ledger = self.ledger
        before = ledger.standing
        said = solid(lexemes)
        if cue == "soft" and any(one.ring is Ring.BINDS for one in judged):
            cue = ""  # `Er, unless Ben leaves`
        kinds = {x.kind for x in said}
        turns = bool(said) and kinds <= TURNS | {"NOT", "CONTRAST"}
        if cue and (turns or kinds & {"UNSETTLED", "REFERS"}):  # `attack, um, maybe`
            ledger.doubt(before)
        if any(x.kind == "HESITATION" for x in lexemes[:1]) and ledger.aims_at_another(said):
            ledger.doubt(before[-1:])  # `Hmm, better Ben`
            return
        if cue:
            start = said[0].start if said else 0
            entry = PieceEntry(
                start, said[-1].end if said else 0, pieces=[Piece("comma", said)] if said else []
            )
            if ledger.turn(cue, entry):
                self.pending = cue
            return
        if not said:
            self.hesitant = any(x.kind == "HESITATION" for x in lexemes)
            return
        told = any(one.ring is Ring.TOLD for one in judged)
        turnings = turnings_of(self.text, lexemes[0].start, lexemes[-1].end)
        words = {word.kind for word in turnings if not word.text.startswith("last ")}
        ledger.lost |= "DRAFT" in words
        if (
            turns
            or _denies_it(said, lexemes)
            or "UNSETTLED" in kinds
            or (words & _OPEN and words <= _EMPTY)
        ):
            ledger.doubt(before)
            self.hesitant = True
        elif len(said) == 2 and said[0].kind == "NUM" and said[1].text in _AMENDS:
            ledger.doubt(before[-1:])  # `one more`
        elif "BACK" in words or "FORGET" in kinds:  # `forget what I just said`
            ledger.doubt(before)
        elif any(x.kind == "ELSE" for x in said[:1]):
            ledger.add(PieceEntry(said[0].start, said[-1].end, problems=[problem_of(None)]))
        elif not told and any(one.ring is Ring.BINDS for one in judged):
            itself = governs_itself([one.clause for one in judged])
            if not itself and not ledger.question(said, before) and _hangs(said):
                ledger.doubt(before[-1:])
        elif not told:
            ledger.question([x for x in said if x.kind != "NUM"], before)


def _stands_apart(sentence: Sentence) -> bool:
    return is_small_talk(sentence) or is_apart(sentence, _PLAYED)


def _denies_it(said: Sequence[Lexeme], lexemes: Sequence[Lexeme]) -> bool:
    """`Don't send that yet`: what is not to be done with what was said."""
    points = any(x.text in _IT for x in lexemes)
    return points and said[0].kind == "NOT" and said[0].text.startswith("do")


def _is_bare_condition(said: Sequence[Lexeme]) -> bool:
    """Whether there is nothing but a condition of what somebody does."""
    if not said or said[0].kind not in CONDITIONAL.keys() | {"COND"}:
        return False
    verbs = [i for i, x in enumerate(said) if x.kind in VERBS]
    others = {"WHO", "HERO", "OTHER"}
    return not verbs or (len(verbs) == 1 and said[verbs[0] - 1].kind in others)


def _span(sentence: Sentence, text: str) -> tuple[int, int]:
    """A sentence without its bullet and its last sign."""
    first, last = sentence.start, min(sentence.end, len(text))
    while first < last and text[first] in " \t\n-*•;":
        first += 1
    while last > first and text[last - 1] in " \t\n.;!":
        last -= 1
    return first, last


def _hangs(lexemes: Sequence[Lexeme]) -> bool:
    """Whether words that give no order say under which condition something holds, how many, or
    how often.
    """
    said = [x for x in solid(lexemes) if x.kind not in {"COMMON", "WORD"} or x.text.isalpha()]
    if not said:
        return False
    first = said[0].kind in CONDITIONAL or said[0].kind in {"COND", "TURN", "EXCEPT", "ONLY"}
    return first or {x.kind for x in said} <= {"NUM", "AND", "ALWAYS", "ONCE", "ONLY", "NOT"}

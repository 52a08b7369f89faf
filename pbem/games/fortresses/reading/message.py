"""One message, sentence by sentence: what orders, what turns or takes back what was ordered, and
what is talk beside it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.fortresses import orders as o
from engine.fortresses.atlas import KINGDOMS, Kingdom
from engine.fortresses.orders import parse_order
from engine.ruleset import Problem
from pbem.games.fortresses.reading.carrying import ferried, trips_of
from pbem.games.fortresses.reading.entries import Entry
from pbem.games.fortresses.reading.instructing import instructions_of, losses, placed
from pbem.games.fortresses.reading.kinds import DIALECT, UNITS, VERBS
from pbem.games.fortresses.reading.moving import NOT_UNDERSTOOD, Made, orders_of
from pbem.games.fortresses.reading.pieces import Amount, Place, Run, Say, pieces_of, runs_of
from pbem.games.fortresses.reading.revising import amended, is_rival, joined_by
from pbem.games.fortresses.reading.scene import Scene
from pbem.games.fortresses.reading.turns import (
    MANNER,
    is_glued,
    is_like_order,
    is_unknown,
    turn_in,
    with_units,
    without_denied,
)
from pbem.grammar.kit.apart import governs_itself, is_apart
from pbem.grammar.kit.hearing import Hearing
from pbem.grammar.kit.holding import forbids, holds_back, is_material
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import (
    POINTING,
    Judged,
    Ring,
    is_bound,
    is_small_talk,
    judge,
)
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import SILENT, TURNS
from pbem.grammar.kit.telling import undoes

_STRONG = VERBS - DIALECT.weak
_SAYING = frozenset({"OUTNUMBERED", "FIRSTLOSS", "ROUND"})
"""What is said of battles alone."""
_STARTING = frozenset({"BUY", "MOVE", "CARRY"})


_ALL = frozenset({"all", "everything"})
_ONCE = (o.NoAttacks, o.Done, o.BuyNothing, *o.COMMANDS)
"""What says no more when it is said twice."""


@dataclass(slots=True)
class Message(Hearing):
    """One message on its way through."""

    manner = MANNER

    scene: Scene = field(kw_only=True)
    me: int = field(kw_only=True)
    entries: list[Entry] = field(default_factory=list)
    number: int = 0
    corrected: bool = False
    order_like: bool = False
    said: set[tuple[type[o.Line], bool]] = field(default_factory=set)
    """What needs to be said but once."""
    unknown: list[tuple[Sentence, int]] = field(default_factory=list)
    """Lines of a word that nobody knows: a signature, if no order follows."""
    adds: bool = False
    """Whether somebody `joins`, `goes too`: with those of the order before."""

    @property
    def standing(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.stands]

    # -------------------------------------------------------------------------------- sentences
    def sentence(self, sentence: Sentence, number: int) -> None:
        self.number = number
        judged = self._without_held(judge(sentence, DIALECT, self.me))
        if not judged or is_small_talk(judged, DIALECT) or self._is_heading(sentence):
            return
        if is_apart(sentence):
            return
        judged = with_units(judged)
        if not self.entries and not self.scene.is_held:
            judged = without_denied(judged)
        self.order_like |= is_like_order(sentence)
        if is_material(judged):
            self._tell_unknown()
        self.hear(sentence, judged, lambda: turn_in(sentence, judged, self.plain))

    def stands(self) -> bool:
        return any(entry.stands for entry in self.entries)

    def ask(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        if is_material(judged):
            self._tell(sentence)

    def hold(self, sentence: Sentence, judged: Sequence[Judged], turn: Lexeme | None) -> None:
        if any(one.clause.cue for one in judged):
            self.ask_all()
        self._tell(sentence, turn)

    def _takes_exact(self, sentence: Sentence) -> bool:
        """Take a canonical text for what it is, in whatever phase."""
        lexemes = sentence.lexemes
        start, end = lexemes[0].start, lexemes[-1].end
        try:
            order = parse_order(self.plain.quote(start, end))
        except ValueError:
            return False
        kingdom = order.kingdom if isinstance(order, o.Named) else None
        line = order.order if isinstance(order, o.Named) else order
        if isinstance(line, o.Then):
            return False
        self._add(Made(line, start, end), kingdom)
        self.scene.use(line)
        return True

    def _is_heading(self, sentence: Sentence) -> bool:
        """`My attacks for Year 5:`; `reinforce:` alone in a line changes what the lines below are
        for.
        """
        kinds = {x.kind for x in sentence.lexemes}
        solid = [x for x in sentence.lexemes if x.kind not in SILENT]
        if [x.kind for x in solid] == ["REINFORCE"] or (
            [x.kind for x in solid] == ["THEN"] and self._has_colon(solid[0])
        ):
            self._keep()
            return True
        bare = not kinds & {"PLACE", *TURNS} and sentence.ended in {"NL", "PARA"}
        return bare and (sentence.heads or [x.kind for x in solid] == ["ATTACK"])

    def _has_colon(self, lexeme: Lexeme) -> bool:
        return self.text[lexeme.end : lexeme.end + 2].lstrip().startswith(":")

    def _keep(self) -> None:
        if self.scene.table.stage == "attack":
            self.scene.kept = True

    def _tell(
        self, sentence: Sentence, turn: Lexeme | None = None, number: int | None = None
    ) -> None:
        """It is not understood, all of it."""
        lexemes = sentence.lexemes
        start, end = lexemes[0].start, lexemes[-1].end
        number = self.number if number is None else number
        kept = self.scene.kept
        self.entries.append(Entry(NOT_UNDERSTOOD, start, end, number, turn, kept=kept))

    def _without_held(self, judged: list[Judged]) -> list[Judged]:
        """`scrap everything` before any order takes back what was sent before (FW-4.4); what else
        may take it back is asked about.
        """
        first = judged[0].clause if judged else None
        if first is None or first.cue not in {"retract", "correct"} or first.at is None:
            return judged
        solid = [x.kind for x in first.lexemes if x.kind not in SILENT]
        talks = bool(solid) and not any(x.text in POINTING for x in first.lexemes)
        if self.entries or not self.scene.is_held or (talks and solid != ["ALL"]):
            return judged
        end = (first.lexemes or [first.at])[-1].end
        whole = solid == ["ALL"] or (not solid and bool({*first.at.text.split()} & _ALL))
        order = o.Cancel() if whole else NOT_UNDERSTOOD
        self.entries.append(Entry(order, first.at.start, end, self.number))
        return judged[1:]

    def _tell_unknown(self) -> None:
        for sentence, number in self.unknown:
            self._tell(sentence, number=number)
        self.unknown.clear()

    def ask_all(self) -> None:
        self.said.clear()
        for entry in self.entries:
            entry.ask()

    def talk(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        lexemes = sentence.lexemes
        cues = {one.clause.cue for one in judged} - {""}
        told = any(one.ring is Ring.TOLD for one in judged)
        orders = any(x.kind in _STRONG for x in lexemes) and not told
        units = any(x.kind in UNITS for x in lexemes) and not told
        says = any(x.kind in UNITS | _SAYING for x in lexemes) and not told
        but = judged[0].clause.joint == "BUT" and holds_back(judged[0], MANNER) is not None
        near = bool(self.entries) and self.entries[-1].number >= self.number - 1
        itself = governs_itself(sentence.clauses)
        doubt = near and not told and not itself and undoes(judged, MANNER)
        if doubt or "retract" in cues or forbids(lexemes, MANNER, cued=bool(cues)):
            self.ask_all()
        elif (but and self.standing) or (
            "soft" in cues and units
        ):  # `but ask Cara first`, in a line of its own
            self.ask_all()
            self._tell(sentence)
        elif (is_bound(judged) or cues & {"correct", "instead"}) and not told and self.standing:
            if lexemes and not itself:
                self.ask_all()
            if lexemes:
                self._tell(sentence)
        elif orders or says or _orders_shortly(lexemes):
            self._tell(sentence)
        elif is_unknown(lexemes):
            self.unknown.append((sentence, self.number))

    # ----------------------------------------------------------------------------------- orders
    def order(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        """The orders of a sentence, cue by cue."""
        cued = self.pending or any(one.clause.cue for one in judged)
        if not cued and self._takes_exact(sentence):
            return
        kingdom = self._kingdom(judged)
        for clauses, cue in self.parts(judged):
            part = list[Judged]()
            self.adds = any(x.kind == "ALSO" for one in clauses for x in one.clause.lexemes)
            for one in clauses:
                lexemes, clause = self._without_marks(one), one.clause
                if lexemes is None:
                    self._part(part, cue, kingdom)
                    part, cue = [], ""
                    self._keep()
                    lexemes = self._behind_heading(clause)
                if one.ring is Ring.ORDER and lexemes:
                    part.append(Judged(Clause(clause.joint, lexemes), one.ring))
            self._part(part, cue, kingdom)
        said = [entry for entry in self.entries if entry.number == self.number]
        if any(one.clause.joint == "BUT" for one in judged[1:]) and any(
            isinstance(entry.order, Problem) for entry in said
        ):  # `but in Greece`: what is not understood changes what stands before it
            for entry in said:
                entry.ask()

    def _kingdom(self, judged: Sequence[Judged]) -> Kingdom | None:
        """`Gold: ...` (FW-4.14)."""
        first = [x for x in judged[0].clause.lexemes if x.kind not in SILENT]
        if [x.kind for x in first] == ["KINGDOM"] and self._has_colon(first[0]):
            return next(kingdom for kingdom in KINGDOMS if kingdom == first[0].text)
        return None

    def _without_marks(self, one: Judged) -> list[Lexeme] | None:
        """The lexemes of a clause without the writer's own kingdom; None if what is said from here
        on is for Reinforce (FF-3).
        """
        lexemes = [x for x in one.clause.lexemes if x.kind not in SILENT]
        first = lexemes[0] if lexemes else None
        if first is not None and first.kind == "KINGDOM" and self._is_me(first.text):
            return lexemes[1:]
        if first is None or first.kind not in {"THEN", "REINFORCE"}:
            return lexemes
        second = lexemes[1].kind if len(lexemes) > 1 else ""
        attacks = self.scene.table.stage == "attack" and second == "BUY"
        if first.kind == "REINFORCE" or self._has_colon(first) or attacks:
            return None
        return lexemes[1:] if second in _STARTING | {"ATTACK", "DONE"} else lexemes

    def _is_me(self, kingdom: str) -> bool:
        table = self.scene.table
        return any(kingdom == own for own in table.kingdoms_of(self.me))

    def _behind_heading(self, clause: Clause) -> list[Lexeme]:
        lexemes = [x for x in clause.lexemes if x.kind not in SILENT]
        while lexemes and lexemes[0].kind in {"THEN", "REINFORCE"}:
            del lexemes[0]
        return lexemes

    def _part(
        self,
        part: Sequence[Judged],
        cue: str,
        kingdom: Kingdom | None,
    ) -> None:
        """Clauses behind one cue."""
        if not part:
            return
        runs = placed(runs_of(pieces_of(part, self.text)))
        if self.adds and runs and self._joins(runs[0]):
            self.corrected |= bool(cue)
            runs, cue = runs[1:], ""
        if cue:
            self._revise(runs, cue)
            return
        before = len(self.entries)
        for run in runs:
            for made in self._made(run):
                self._add(made, kingdom)
        self._doubt(self.entries[before:])

    def _doubt(self, entries: Sequence[Entry]) -> None:
        """What is told of no zone may be about one that was not understood."""
        if any(entry.order == NOT_UNDERSTOOD for entry in entries):
            for entry in entries:
                if isinstance(entry.order, o.INSTRUCTIONS) and not entry.order.zone:
                    entry.ask()

    def _add(self, made: Made, kingdom: Kingdom | None = None) -> None:
        if isinstance(made.order, _ONCE):
            said = (type(made.order), self.scene.kept)
            if said in self.said:
                return
            self.said.add(said)
        self.entries.append(
            Entry(
                made.order,
                made.start,
                made.end,
                self.number,
                made.caret,
                kept=self.scene.kept,
                kingdom=kingdom,
            )
        )

    def _made(self, run: Run) -> Iterator[Made]:
        """What a run comes to."""
        scene = self.scene
        if run.family == "order":
            yield from instructions_of(run, scene)
            return
        yield from self._movements(run)

    def _movements(self, run: Run) -> Iterator[Made]:
        scene = self.scene
        if run.family == "carry":
            yield from trips_of(run.pieces, scene)
        elif (trip := ferried(run, scene)) is not None:
            yield trip
        elif scene.stage == "battle" and all(_is_loss(piece) for piece in run.solid):
            units = [piece for piece in run.solid if isinstance(piece, Amount)]
            answer = losses(units)
            start, end = units[0].lexeme.start, units[-1].lexeme.end
            yield Made(answer if answer is not None else NOT_UNDERSTOOD, start, end)
        else:
            yield from orders_of(run.pieces, scene)

    def _joins(self, run: Run) -> bool:
        """Whether those of a run join the attack before: `the knight goes along too`."""
        last = self.standing[-1] if self.standing else None
        if last is None or last.number < self.number - 1 or not isinstance(last.order, o.Attack):
            return False
        more = joined_by(last.order, run, self.scene)
        if more is None:
            return False
        last.order, last.end = more, run.solid[-1].lexeme.end
        return True

    # -------------------------------------------------------------------------------- revisions
    def _revise(self, runs: Sequence[Run], cue: str) -> None:
        """What stands behind `no wait`, `I mean`, `scratch that`."""
        self.corrected = True
        self.said.clear()
        before = self.standing
        last = before[-1] if before else None
        fragment = len(runs) == 1 and (not runs[0].family or runs[0].family == "order")
        if last is not None and fragment and isinstance(last.order, o.Line):
            order = amended(last.order, runs[0], self.scene)
            if order is not None:
                last.order = order
                return
        made = [one for run in runs for one in self._made(run)]
        if not made:
            self.ask_all()
            return
        if last is None or cue == "soft":
            rival = last is not None and made and is_rival(last.order, made[0].order)
            if rival and last is not None:
                self.entries.remove(last)
            elif last is not None and any(isinstance(one.order, Problem) for one in made):
                last.ask()
            for one in made:
                self._add(one)
            return
        bad = any(isinstance(one.order, Problem) for one in made)
        if cue == "retract":  # `cancel everything and start over`, or `cancel 2, never mind`?
            bad |= any(isinstance(entry.order, o.Cancel) for entry in before)
        if cue == "retract" and not bad:
            for entry in before:
                self.entries.remove(entry)
        elif not bad and is_rival(last.order, made[0].order):
            self.entries.remove(last)
        else:
            if cue == "retract":
                self.ask_all()
            last.ask()
            made = [Made(NOT_UNDERSTOOD, one.start, one.end) for one in made]
        for one in made:
            self._add(one)


def _orders_shortly(lexemes: Sequence[Lexeme]) -> bool:
    """`lose L2`, `L1 K1`: an order word alone in front, or units in letters."""
    solid = [x for x in lexemes if x.kind not in SILENT]
    led = bool(solid) and solid[0].kind in {"LOSE", "INTERACT", "KEEP"}
    return led or any(map(is_glued, solid))


def _is_loss(piece: Amount | Place | Say) -> bool:
    """Units alone, or units that go."""
    if isinstance(piece, Say):
        return piece.lexeme.text in {"go", "goes"}
    return isinstance(piece, Amount) and (piece.code != "D" or piece.count is not None)

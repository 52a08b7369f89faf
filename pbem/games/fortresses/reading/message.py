"""One message, sentence by sentence: orders, words that turn them or take them back, and talk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile

from engine.fortresses import orders as o
from engine.fortresses.atlas import KINGDOMS, Kingdom
from engine.fortresses.orders import parse_order
from engine.ruleset import Problem
from pbem.games.fortresses.reading.carriage import ferried, trips_of
from pbem.games.fortresses.reading.instructions import instructions_of, is_staying, losses, placed
from pbem.games.fortresses.reading.kinds import DIALECT, UNITS, VERBS
from pbem.games.fortresses.reading.ledger import OrderLedger
from pbem.games.fortresses.reading.moves import NOT_UNDERSTOOD, Made, orders_of
from pbem.games.fortresses.reading.pieces import Amount, Place, Run, Say, pieces_of, runs_of
from pbem.games.fortresses.reading.position import Position
from pbem.games.fortresses.reading.turns import MANNER, is_glued, is_like_order, turn_in, with_units
from pbem.grammar.kit.apart import governs_itself, is_apart
from pbem.grammar.kit.common import is_foreign
from pbem.grammar.kit.hearing import Hearing
from pbem.grammar.kit.holding import forbids, holds_back, is_material, solid_of
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.reports import undoes
from pbem.grammar.kit.rings import POINTING, Judged, Ring, is_bound, is_small_talk, judge
from pbem.grammar.kit.sentences import Clause, Sentence
from pbem.grammar.kit.slots import TURNS

_MATERIAL = VERBS - DIALECT.weak | UNITS | {"OUTNUMBERED", "FIRSTLOSS", "ROUND"}
"""What is said of orders alone."""
_STARTING = set_of("BUY MOVE CARRY ATTACK DONE")
"""Orders that `then` only puts behind others."""


@dataclass(slots=True)
class Message(Hearing):
    """One message on its way through."""

    manner = MANNER

    position: Position = field(kw_only=True)
    me: int = field(kw_only=True)
    ledger: OrderLedger = field(init=False)
    unknown: list[Sequence[Lexeme]] = field(default_factory=list)
    """Lines of a word that nobody knows: a signature, if no order follows."""
    staying: list[Run] = field(default_factory=list)
    """What is said of units that stay."""
    order_like: bool = False

    def __post_init__(self) -> None:
        self.ledger = OrderLedger(position=self.position)

    # -------------------------------------------------------------------------------- sentences
    def sentence(self, sentence: Sentence, number: int) -> None:
        self.ledger.number = number
        judged = judge(sentence, DIALECT, self.me)
        if not judged or is_small_talk(judged, DIALECT) or self._is_heading(sentence):
            return
        if is_apart(sentence):
            return
        judged = with_units(self._without_held(judged))
        if not judged:
            return
        self.order_like |= is_like_order(sentence)
        if is_material(judged):
            for lexemes in self.unknown:
                self.ledger.tell(lexemes)
            self.unknown.clear()
        self.hear(sentence, judged, lambda: turn_in(sentence, judged, self.plain))

    def _without_held(self, judged: list[Judged]) -> list[Judged]:
        """What may take back what was sent before, ahead of all orders, is asked about (FW-4.4)."""
        first = judged[0].clause
        if first.at is None or first.cue not in {"retract", "correct"} or self.ledger.entries:
            return judged
        points = any(x.text in POINTING for x in first.lexemes) or not solid_of(first.lexemes)
        if not points or not self.position.is_held:
            return judged
        self.ledger.tell([first.at, *first.lexemes])
        return judged[1:]

    def close(self) -> None:
        for run in self.staying:
            self.ledger.stay(run)
        Hearing.close(self)

    def stands(self) -> bool:
        return bool(self.ledger.standing)

    def ask_all(self) -> None:
        self.ledger.ask_all()

    def ask(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        if is_material(judged):
            self.ledger.tell(sentence.lexemes)

    def hold(self, sentence: Sentence, judged: Sequence[Judged], turn: Lexeme | None) -> None:
        if any(one.clause.cue for one in judged):
            self.ask_all()
        self.ledger.tell(sentence.lexemes, turn)

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
        self.ledger.add(Made(line, start, end), kingdom)
        self.position.use(line)
        return True

    def _is_heading(self, sentence: Sentence) -> bool:
        """`My attacks for Year 5:`; `reinforce:` alone in a line changes what the lines below are
        for.
        """
        kinds = {x.kind for x in sentence.lexemes}
        solid = solid_of(sentence.lexemes)
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
        if self.position.table.stage == "attack":
            self.position.kept = True

    def talk(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        ledger, lexemes = self.ledger, sentence.lexemes
        cues = {one.clause.cue for one in judged} - {""}
        kinds = {x.kind for x in lexemes}
        of_us = all(one.ring is not Ring.TOLD for one in judged)
        near = any(entry.number >= ledger.number - 1 for entry in ledger.entries[-1:])
        itself = governs_itself(sentence.clauses)
        undone = near and not itself and (undoes(judged, MANNER) if of_us else _regrets(lexemes))
        but = judged[0].clause.joint == "BUT" and holds_back(judged[0], MANNER) is not None
        bound = of_us and (is_bound(judged) or bool(cues & {"correct", "instead"}))
        if undone or "retract" in cues or forbids(lexemes, MANNER, cued=bool(cues)):
            self.ask_all()
        elif (but and self.stands()) or ("soft" in cues and kinds & UNITS and of_us):
            self.ask_all()  # `but ask Cara first`, in a line of its own
            ledger.tell(lexemes)
        elif bound and self.stands():
            if lexemes and not itself:
                self.ask_all()
            if lexemes:
                ledger.tell(lexemes)
        elif (of_us and kinds & _MATERIAL) or _orders_shortly(lexemes):
            ledger.tell(lexemes)
        elif [x.kind for x in solid_of(lexemes)] == ["WORD"] and not is_foreign(lexemes[-1].text):
            self.unknown.append(lexemes)

    # ----------------------------------------------------------------------------------- orders
    def order(self, sentence: Sentence, judged: Sequence[Judged]) -> None:
        """The orders of a sentence, cue by cue."""
        cued = self.pending or any(one.clause.cue for one in judged)
        if not cued and self._takes_exact(sentence):
            return
        kingdom = self._kingdom(judged)
        for clauses, cue in self.parts(judged):
            part = list[Judged]()
            adds = any(x.kind == "ALSO" for one in clauses for x in one.clause.lexemes)
            for one in clauses:
                lexemes = solid_of(one.clause.lexemes)
                later = self._puts_off(lexemes)
                if later:
                    self._part(part, cue, kingdom, adds=adds)
                    part, cue = [], ""
                    self._keep()
                lexemes = self._without_marks(lexemes, later=later)
                if one.ring is Ring.ORDER and lexemes:
                    part.append(Judged(Clause(one.clause.joint, lexemes), one.ring))
            self._part(part, cue, kingdom, adds=adds)
        said = self.ledger.of(self.ledger.number)
        if any(one.clause.joint == "BUT" for one in judged[1:]) and any(
            isinstance(entry.order, Problem) for entry in said
        ):  # `but in Greece`: what is not understood changes what stands before it
            for entry in said:
                entry.ask()

    def _kingdom(self, judged: Sequence[Judged]) -> Kingdom | None:
        """`Gold: ...` (FW-4.14)."""
        first = solid_of(judged[0].clause.lexemes)
        if [x.kind for x in first] == ["KINGDOM"] and self._has_colon(first[0]):
            return next(kingdom for kingdom in KINGDOMS if kingdom == first[0].text)
        return None

    def _puts_off(self, lexemes: Sequence[Lexeme]) -> bool:
        """Whether what is said from here on is for Reinforce (FF-3)."""
        kinds = [x.kind for x in lexemes[:2]]
        if kinds[:1] == ["THEN"]:
            buys = self.position.table.stage == "attack" and kinds[1:] == ["BUY"]
            return buys or self._has_colon(lexemes[0])
        return kinds[:1] == ["REINFORCE"]

    def _without_marks(self, lexemes: list[Lexeme], *, later: bool) -> list[Lexeme]:
        """What is said without the writer's own kingdom, `then` and `in Reinforce` ahead of it."""
        first = lexemes[0] if lexemes else None
        if first is not None and first.kind == "KINGDOM":
            return lexemes[first.text in {*self.position.table.kingdoms_of(self.me)} :]
        rest = [*dropwhile(lambda x: x.kind in {"THEN", "REINFORCE"}, lexemes)]
        return rest if later or {x.kind for x in rest[:1]} & _STARTING else lexemes

    def _part(
        self, part: Sequence[Judged], cue: str, kingdom: Kingdom | None, *, adds: bool
    ) -> None:
        """Clauses behind one cue; `adds`: somebody `joins`, `goes too`, with those before."""
        ledger = self.ledger
        runs = placed(runs_of(pieces_of(part, self.text))) if part else []
        if adds and runs and ledger.joins(runs[0]):
            ledger.corrected |= bool(cue)
            runs, cue = runs[1:], ""
        if cue and part:
            ledger.corrected = True
            ledger.said.clear()
            if len(runs) != 1 or not ledger.amends(runs[0]):
                ledger.revise([made for run in runs for made in self._made(run)], cue)
            return
        before = len(ledger.entries)
        for run in runs:
            if self.position.stage != "battle" and is_staying(run):
                self.staying.append(run)
                continue
            for made in self._made(run):
                ledger.add(made, kingdom)
        ledger.doubt(ledger.entries[before:])

    def _made(self, run: Run) -> Iterator[Made]:
        """What a run comes to."""
        position = self.position
        if run.family == "order":
            yield from instructions_of(run, position)
        elif run.family == "carry":
            yield from trips_of(run.pieces, position)
        elif (trip := ferried(run, position)) is not None:
            yield trip
        elif position.stage == "battle" and all(_is_loss(piece) for piece in run.solid):
            units = [piece for piece in run.solid if isinstance(piece, Amount)]
            answer = losses(units)
            start, end = units[0].lexeme.start, units[-1].lexeme.end
            yield Made(answer if answer is not None else NOT_UNDERSTOOD, start, end)
        else:
            yield from orders_of(run.pieces, position)


def _regrets(lexemes: Sequence[Lexeme]) -> bool:
    """`I got that the wrong way round`, of nobody else."""
    others = any(x.kind in {"KINGDOM", "WHO"} for x in lexemes)
    return not others and any(x.text in MANNER.said["UNDONE"] for x in lexemes)


def _orders_shortly(lexemes: Sequence[Lexeme]) -> bool:
    """`lose L2`, `L1 K1`: an order word alone in front, or units in letters."""
    solid = solid_of(lexemes)
    led = bool(solid) and solid[0].kind in {"LOSE", "INTERACT", "KEEP"}
    return led or any(map(is_glued, solid))


def _is_loss(piece: Amount | Place | Say) -> bool:
    """Units alone, or units that go."""
    if isinstance(piece, Say):
        return piece.lexeme.text in {"go", "goes"}
    return isinstance(piece, Amount) and (piece.code != "D" or piece.count is not None)

"""Reads the orders of Protectors of the Realm by slots: one pass of lexemes, sentences and clauses,
the rings, the ledger, the position's judgement. The same interface as the present reader.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.protectors import orders as o
from engine.protectors.checking.messages import check
from engine.protectors.colours import SYMBOLS
from engine.protectors.state import State
from engine.protectors.wording import parse_order
from engine.ruleset import Checked, Problem, Standing
from pbem.games.protectors.slots.composing import Composer
from pbem.games.protectors.slots.correcting import Corrector
from pbem.games.protectors.slots.dialect import DIALECT, lexicon
from pbem.games.protectors.slots.judging import build
from pbem.games.protectors.slots.ledger import Entry, Ledger
from pbem.games.protectors.slots.position import Position, Unclear, named_by
from pbem.grammar.commands import take_commands
from pbem.grammar.kit.binding import People, Person
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain, blanked, normalise
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.reading.lexicon import read_lexemes
from pbem.grammar.reading.rings import Judged, Ring, is_question, judge, unknown_beside
from pbem.grammar.reading.sentences import Sentence, sentences_of
from pbem.grammar.reading.slots import Slots, slots_of, split_run_on

LONGEST = 20_000
READS: frozenset[str] = frozenset(
    {"orders", "bidding", "rebid", "consolidation", "bank", "dragon"}
)
"""The kinds of windows that this reader does."""
Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]


@dataclass(slots=True)
class _Message:
    """One message on its way through."""

    plain: Plain
    position: Position
    ledger: Ledger
    corrector: Corrector
    composer: Composer
    shade: bool = False
    """A heading that turns the meaning of the lines below it."""
    pending: str = ""
    """A cue that nothing has followed yet."""
    lost: bool = False
    """Nothing of this message counts: it says so itself."""
    slips: list[str] = field(default_factory=list)

    def sentence(self, sentence: Sentence, number: int) -> None:
        me = self.position.player
        judged = judge(sentence, DIALECT, me)
        orders = [one for one in judged if one.ring is Ring.ORDER and one.clause.lexemes]
        cues = [one.clause for one in judged if one.clause.cue]
        if any(clause.cue == "draft" for clause in cues):
            self.lost = True
        binds = any(one.ring is Ring.BINDS for one in judged)
        if is_question(sentence):
            if orders:
                self._tell(sentence, number)
        elif orders and (binds or self.shade or unknown_beside(judged)):
            self._turned(sentence, number)
        elif orders:
            clauses = self._slots(judged)
            if self.pending and not clauses[0].cue:
                clauses[0].cue, self.pending = self.pending, ""
            self.composer.compose(clauses, number)
        else:
            self._talk(sentence, judged, number, binds=binds)
        last = judged[-1].clause if judged else None
        if last is not None and last.cue and not last.lexemes and last.cue != "soft":
            self.pending = last.cue if self.ledger.entries else ""
        if sentence.heads and binds:
            self.shade = True
        elif sentence.ended == "PARA":
            self.shade = False

    def _slots(self, judged: Sequence[Judged]) -> list[Slots]:
        found = []
        for one in judged:
            if one.ring is not Ring.ORDER or not one.clause.lexemes:
                continue
            for i, part in enumerate(split_run_on(one.clause.lexemes, DIALECT)):
                slots = slots_of(part, DIALECT)
                slots.joint = one.clause.joint if not i else "RUN"
                slots.cue = one.clause.cue if not i else ""
                found.append(slots)
        return found

    def _turned(self, sentence: Sentence, number: int) -> None:
        """Something in this sentence turns what it orders: all of it is asked."""
        self.ledger.ask_about(
            x.value for x in sentence.lexemes if x.kind == "PLACE" and x.value is not None
        )
        if any(clause.cue for clause in sentence.clauses):
            self.ledger.ask_all()
        self._tell(sentence, number)

    def _tell(self, sentence: Sentence, number: int, code: str = "not-understood") -> None:
        lexemes = sentence.lexemes
        slots = Slots(lexemes[0].start, lexemes[-1].end)
        self.ledger.entries.append(Entry(slots, number, why=code, talk=True))

    def _talk(
        self, sentence: Sentence, judged: Sequence[Judged], number: int, *, binds: bool
    ) -> None:
        """A sentence that gives no order may still take the force from what was said, or be an order
        in words that are not known.
        """
        lexemes = sentence.lexemes
        places = [x for x in lexemes if x.kind == "PLACE"]
        told = any(one.ring is Ring.TOLD for one in judged)
        if binds and self.ledger.orders and not told:
            if places:
                self.ledger.ask_about(x.value for x in places if x.value is not None)
            else:
                self.ledger.ask_all()
            self._tell(sentence, number)
        elif places:
            if not told:
                self.ledger.ask_about(x.value for x in places if x.value is not None)
            self._tell(sentence, number)
        elif binds and any(x.kind in DIALECT.verbs for x in lexemes):
            self._tell(sentence, number)


@dataclass(frozen=True, slots=True)
class SlotsReader:
    """The order reader by slots; `check` is the engine's."""

    check: Check = check

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return parse_order(text, {seat.name: seat.number for seat in state.players})

    def read(self, state: State, player: int, standing: Standing[o.Order], text: str) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        plain = normalise(text[:LONGEST])
        people = people_of(state, player)
        taken = take_commands(plain)
        position = Position(state, player, people, standing)
        message = self._message(plain, blanked(plain.text, taken.spans), position)
        items, checked = self._judged(message)
        items += tuple(
            Item(quote=plain.quote(start, end).strip(), problems=(Problem("loose-question"),))
            for start, end in taken.loose
        )
        note = taken.note
        heard = taken.commands or taken.answers is not None or note is not None
        if not items and not heard:
            whole = text.strip()
            items = (Item(quote=whole[:200], problems=(Problem("no-order"),)),)
            note = whole or None
        return Reading(
            items=items,
            commands=tuple(taken.commands),
            checked=checked,
            note=note,
            answers=taken.answers,
            corrected=message.ledger.corrected,
            slips=tuple(dict.fromkeys([*taken.slips, *message.slips])),
            cut=len(text) > LONGEST,
        )

    def _message(self, plain: Plain, text: str, position: Position) -> _Message:
        lexemes = read_lexemes(text, lexicon(), position.people)
        ledger = Ledger()
        corrector = Corrector(ledger)
        message = _Message(
            plain, position, ledger, corrector, Composer(position, ledger, corrector)
        )
        for number, sentence in enumerate(sentences_of(plain, lexemes, DIALECT.verbs)):
            message.sentence(sentence, number)
        if message.pending:
            corrector.alone(message.pending)
        if message.lost:
            ledger.ask_all()
        if ledger.entries:
            message.slips += [plain.quote(x.start, x.end) for x in lexemes if x.slip]
        return message

    def _judged(self, message: _Message) -> tuple[tuple[Item, ...], Checked[o.Order] | None]:
        position, plain = message.position, message.plain
        entries = [entry for entry in message.ledger.entries if not entry.gone]
        position.named = named_by(entries)
        sent: list[o.Order] = []
        owners: list[int] = []
        problems: list[list[Problem]] = [[] for _ in entries]
        carets: list[Lexeme | None] = [None for _ in entries]
        for i, entry in enumerate(entries):
            if entry.why:
                problems[i].append(Problem(entry.why, rules=("PR-6.19",)))
                continue
            try:
                built = build(entry.slots, position)
            except Unclear as unclear:
                problems[i].append(Problem(unclear.code, ("PR-6.19",), unclear.facts))
                carets[i] = unclear.at
                continue
            sent += built
            owners += [i] * len(built)
        checked = None
        refused: set[int] = set()
        open_ends = any(problems)
        if open_ends:
            kept = [j for j, order in enumerate(sent) if not isinstance(order, o.Final)]
            for j in set(range(len(sent))) - set(kept):
                problems[owners[j]].append(Problem("final-held", rules=("PR-1.10",)))
            sent, owners = [sent[j] for j in kept], [owners[j] for j in kept]
        if sent:
            checked = self.check(position.state, position.player, position.standing, sent)
            for problem in checked.problems:
                if problem.order is not None:
                    problems[owners[problem.order]].append(problem)
                    if not problem.warning:
                        refused.add(problem.order)
        names = {seat.number: seat.name for seat in position.state.players}
        items = []
        for i, entry in enumerate(entries):
            stand = tuple(
                order for j, order in enumerate(sent) if owners[j] == i and j not in refused
            )
            items.append(_item(plain, entry, carets[i], stand, tuple(problems[i]), names))
        return tuple(items), checked


def _item(
    plain: Plain,
    entry: Entry,
    caret: Lexeme | None,
    stand: tuple[o.Order, ...],
    problems: tuple[Problem, ...],
    names: dict[int, str],
) -> Item:
    start, end = plain.span(entry.slots.start, entry.slots.end)
    at = None
    if caret is not None:
        first, last = plain.span(caret.start, caret.end)
        at = (first - start, last - start) if start <= first < last <= end else None
    return Item(
        quote=plain.original[start:end],
        caret=at,
        orders=stand,
        texts=tuple(o.format_order(order, names) for order in stand),
        problems=problems,
    )


READER = SlotsReader()
"""The reader by slots."""


def people_of(state: State, me: int | None) -> People:
    """Everybody at this table by name, colour and symbol."""
    return People(
        tuple(
            Person(seat.number, seat.name, seat.colour, SYMBOLS.get(seat.colour, seat.colour))
            for seat in state.players
        ),
        me,
    )

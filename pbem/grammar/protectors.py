"""Reads the orders of Protectors of the Realm as people write them (rules, section 15)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import msgspec

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import BANK_COST, FAITH_COST, GUARD_COST
from engine.protectors.checking import check
from engine.protectors.checking_purchase import supply_room
from engine.protectors.colours import SYMBOLS
from engine.protectors.legal import legal
from engine.protectors.state import State
from engine.protectors.wording import parse_order
from engine.ruleset import Checked, Fact, Problem, Standing
from pbem.grammar.amounts import settle_amounts
from pbem.grammar.bearing import governed_spans
from pbem.grammar.binding import People, Person
from pbem.grammar.clauses import MOST_CLAUSES, sentences_of
from pbem.grammar.commands import Taken, take_commands
from pbem.grammar.composing import Composer
from pbem.grammar.conduct import judge
from pbem.grammar.drafts import DIALECT
from pbem.grammar.entries import Entry
from pbem.grammar.leftovers import lines_beside_question, unread_lines
from pbem.grammar.lexemes import Lexeme, lexemes_of
from pbem.grammar.normalise import Plain, fold, normalise
from pbem.grammar.plainly import put_council, put_factions, put_loans, put_pass
from pbem.grammar.protectors_orders import build
from pbem.grammar.protectors_position import Built, Position, Refusal
from pbem.grammar.protectors_purchase import with_standing
from pbem.grammar.protectors_window import without_transfer
from pbem.grammar.reading import Item, Reading, Suggestion
from pbem.grammar.suggesting import MOST_SUGGESTIONS, Choice, nearest, nearest_word
from pbem.grammar.vocabulary import load_vocabulary

GAME = "protectors"
LONGEST = 20_000
"""Characters of a message that are read; `Reading.cut` tells when there were more."""

_ROLES = {
    "unknown-player": "who", "too-few-units": "number", "out-of-range": "number", "cannot-afford": "number", "no-gold-in-bracket": "golden",
    "second-golden": "golden", "not-neighbours": "target", "not-your-province": "province",
    "no-units": "province", "unknown-province": "province",
    "supply-limit": "number",
}  # fmt: skip
_UNSUGGESTED = frozenset(
    {"not-now", "no-such-ability", "used-up", "already-final", "second-order", "ambiguous-player", "unknown-player", "unknown-province"}
    | {"final-held"}
)

_SPREADING = frozenset({"FORTIFY", "WORK", "HOLD"})

Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]
Legal = Callable[[State, int], Iterator[o.Order]]


@dataclass(slots=True)
class _Line:
    """An item in the making."""

    entry: Entry
    built: list[Built] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    caret: Lexeme | None = None
    refused: set[int] = field(default_factory=set)
    empty: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """What a part of a message came to; `heard` are the places (of the folded text) of which something came."""

    items: tuple[Item, ...]
    checked: Checked[o.Order] | None
    heard: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ProtectorsReader:
    """The order reader of the game; `check` and `legal` are the engine's."""

    check: Check = check
    legal: Legal = legal

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return parse_order(text, {seat.name: seat.number for seat in state.players})

    def read(self, state: State, player: int, standing: Standing[o.Order], text: str) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        plain = normalise(text[:LONGEST])
        people = people_of(state, player)
        taken = take_commands(plain)
        position = Position(state, player, people, standing)
        entries, corrected, cut, slips = _entries(plain, _plain_words(_unread_text(plain, taken), state), people, state)
        lines = _build(entries, position)
        checked = self._checked(state, player, standing, lines)
        heard = checked is not None or taken.commands or taken.answers is not None or taken.note is not None
        lines = [
            line
            for line in lines
            if not line.entry.from_question or heard or any(other.problems and not other.entry.from_question for other in lines)
        ]
        left_over = _left_over(plain, taken, entries, people) if any(not line.empty for line in lines) else ()
        left_over += _lost_faction(plain, taken, entries, people, state) if left_over or lines else ()
        if any(command.word == "what-if" for command in taken.commands):
            left_over += _beside_question(plain, taken, entries, people)
        is_cut = cut or len(text) > LONGEST
        if left_over or taken.loose or is_cut or any(not problem.warning for line in lines for problem in line.problems):
            checked = _hold_final(lines, checked)
        items = self._items(plain, position, lines) + left_over
        items += tuple(Item(quote=plain.quote(start, end).strip(), problems=(Problem("loose-question"),)) for start, end in taken.loose)
        note = taken.note
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
            corrected=corrected,
            slips=tuple(dict.fromkeys([*taken.slips, *slips])),
            cut=is_cut,
        )

    def read_part(self, state: State, player: int, standing: Standing[o.Order], people: People, plain: Plain, text: str) -> Part:
        """Read what a player is supposed to order: `text` is the folded text of `plain` with everything else blanked, `people.me` who
        supposes it. A bare verb means all provinces; nothing is suggested.
        """
        entries = _entries(plain, text, people, state)[0]
        for entry in entries:
            if entry.draft is not None and entry.draft.kind in _SPREADING and entry.draft.said() == {"verb"}:
                entry.draft.quantity = Lexeme("ALL", "all", entry.end, entry.end)
        position = Position(state, player, people, standing)
        lines = _build(entries, position)
        checked = self._checked(state, player, standing, lines)
        items = tuple(msgspec.structs.replace(item, suggestion=None) for item in self._items(plain, position, lines))
        return Part(items, checked, tuple((line.entry.start, line.entry.end) for line in lines))

    def _checked(self, state: State, player: int, standing: Standing[o.Order], lines: list[_Line]) -> Checked[o.Order] | None:
        """Ask the engine about all orders at once and hand its problems to the clauses they came from."""
        sent: list[tuple[_Line, int]] = []
        orders: list[o.Order] = []
        for line in lines:
            for i, built in enumerate(line.built):
                sent.append((line, i))
                orders.append(built.order)
        if not orders:
            return None
        checked = self.check(state, player, standing, orders)
        for problem in checked.problems:
            if problem.order is None:
                continue
            line, i = sent[problem.order]
            line.problems.append(problem)
            if not problem.warning:
                line.refused.add(i)
            roles = line.built[i].roles
            line.caret = line.caret or roles.get(_ROLES.get(problem.code, "verb")) or roles.get("verb")
        return checked

    def _items(self, plain: Plain, position: Position, lines: list[_Line]) -> tuple[Item, ...]:
        items: list[Item] = []
        names = {seat.number: seat.name for seat in position.state.players}
        choices: list[Choice[o.Order]] | None = None
        given = 0
        for line in lines:
            if line.empty:
                continue
            stands = [built.order for i, built in enumerate(line.built) if i not in line.refused]
            suggestion = None
            refused = not stands and any(not problem.warning for problem in line.problems)
            if refused and line.problems[0].facts.get("missing") == "cancel-all":
                again = without_transfer(line.entry.draft, position) if line.entry.draft is not None else ()
                if again:
                    given += 1
                    suggestion = Suggestion(given, again, "; ".join(o.format_order(order, names) for order in again))
            elif refused and line.entry.suggests and given < MOST_SUGGESTIONS and line.problems[0].code not in _UNSUGGESTED:
                if choices is None:
                    choices = [Choice(order, o.format_order(order, names)) for order in self.legal(position.state, position.player)]
                found = _suggest(plain, line, choices, position)
                if found is not None:
                    given += 1
                    suggestion = Suggestion(given, (found.order,), found.text)
            items.append(_item(plain, line, stands, names, suggestion))
        return tuple(items)


READER = ProtectorsReader()
"""The reader of the registry."""


def people_of(state: State, me: int | None) -> People:
    """Everybody at this table by name, colour and symbol."""
    return People(tuple(Person(seat.number, seat.name, seat.colour, SYMBOLS.get(seat.colour, seat.colour)) for seat in state.players), me)


def _unread_text(plain: Plain, taken: Taken) -> str:
    """The text with what was taken as commands blanked."""
    text = plain.text
    for start, end in taken.spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _plain_words(text: str, state: State) -> str:
    """Turns of phrase of the open window in the words they are read by."""
    if state.attack is not None:
        return put_council(text)
    names = [fold(seat.name) for seat in state.players]
    if state.stage == "bidding":
        text = put_factions(text, names)
    elif state.stage == "consolidation":
        text = put_pass(text)
    return put_loans(text, names) if state.stage != "orders" else text


def _hold_final(lines: list[_Line], checked: Checked[o.Order] | None) -> Checked[o.Order] | None:
    """Something of the message was not read: `final` meant all of it, so that nothing is final yet (PR-1.10)."""
    if checked is None or not any(isinstance(order, o.Final) for order in checked.accepted):
        return checked
    for line in lines:
        finals = {i for i, built in enumerate(line.built) if isinstance(built.order, o.Final)} - line.refused
        if finals:
            line.refused |= finals
            line.problems.append(Problem("final-held", rules=("PR-1.10",)))
    return msgspec.structs.replace(
        checked,
        accepted=tuple(order for order in checked.accepted if not isinstance(order, o.Final)),
        standing=Standing(checked.standing.orders),
    )


def _left_over(plain: Plain, taken: Taken, entries: Sequence[Entry], people: People) -> tuple[Item, ...]:
    """Lines that were meant as something and came to nothing."""
    heard = [*taken.spans, *((entry.start, entry.end) for entry in entries)]
    spans = unread_lines(plain, lexemes_of(plain.text, load_vocabulary(GAME), people), heard)
    return tuple(Item(quote=plain.quote(start, end), problems=(Problem("not-understood", rules=("PR-6.19",)),)) for start, end in spans)


def _beside_question(plain: Plain, taken: Taken, entries: Sequence[Entry], people: People) -> tuple[Item, ...]:
    """What stands behind the end of a question and is none, nor an order: half of what was asked is not dropped in silence."""
    heard = [*taken.spans, *((entry.start, entry.end) for entry in entries)]
    spans = lines_beside_question(plain, lexemes_of(plain.text, load_vocabulary(GAME), people), heard, DIALECT.verbs)
    return tuple(Item(quote=plain.quote(a, b), problems=(Problem("beside-question"),)) for a, b in spans)


def _lost_faction(plain: Plain, taken: Taken, entries: Sequence[Entry], people: People, state: State) -> tuple[Item, ...]:
    """The name of a faction beside a bid that came to nothing: half of an answer is not taken in silence (PR-3.2)."""
    if state.stage != "bidding" or state.options.factions != "choice" or state.players[(people.me or 0) - 1].faction is not None:
        return ()
    heard = [*taken.spans, *((entry.start, entry.end) for entry in entries)]
    lexemes = lexemes_of(_plain_words(plain.text, state), load_vocabulary(GAME), people)
    lost = [lexeme for lexeme in lexemes if lexeme.kind == "FACTIONNAME" and not any(a <= lexeme.start < b for a, b in heard)]
    spans = [plain.span(lexeme.start, lexeme.end) for lexeme in lost[:1]]
    return tuple(Item(quote=plain.original[a:b], problems=(Problem("not-understood", rules=("PR-6.19",)),)) for a, b in spans)


def _entries(plain: Plain, text: str, people: People, state: State) -> tuple[list[Entry], bool, bool, list[str]]:
    open_turns = {None, state.turn, state.turn + (state.stage != "orders")}  # a bid is for the next turn
    lexemes = [
        replace(lexeme, kind="HEDGE") if lexeme.kind == "FILLER" and lexeme.value not in open_turns else lexeme
        for lexeme in settle_amounts(lexemes_of(text, load_vocabulary(GAME), people), DIALECT)
    ]
    governed = governed_spans(plain, lexemes, people, DIALECT)
    sentences, clauses = [], 0
    cut = False
    for sentence in sentences_of(plain, lexemes, DIALECT):
        clauses += len(sentence.clauses)
        if clauses > MOST_CLAUSES:
            cut = True
            break
        sentences.append(sentence)
    composer = Composer(GAME, people.me or 0)
    for sentence, following in zip(sentences, [*sentences[1:], None], strict=False):
        judge(sentence, following, DIALECT, people.me, earlier=bool(composer.entries))
        for clause in sentence.clauses:
            if clause.verdict == "order" and any(start <= clause.start < end for start, end in governed):
                clause.verdict = "doubt"
        composer.read(sentence, following)
    composer.finish()
    slips = [plain.quote(lexeme.start, lexeme.end) for lexeme in lexemes if lexeme.slip]
    return composer.entries, composer.corrected, cut, slips if composer.entries else []


def _build(entries: list[Entry], position: Position) -> list[_Line]:
    """Orders of every entry: first those that name their provinces, then those that mean the rest."""
    lines = [_Line(entry) for entry in entries]
    named: list[int] = []
    late: list[_Line] = []
    for line in lines:
        draft = line.entry.draft
        if draft is not None and (
            draft.kind == "SAME" or "LEFT" in draft.marks or (draft.quantity is not None and draft.quantity.kind == "ELSE")
        ):
            late.append(line)
            continue
        _build_line(line, position, ())
        named += [p for p in (o.ordered_province(built.order) for built in line.built) if p is not None]
    for before, line in pairwise(lines):
        if line.entry.glued and line.built and before.problems and not before.built:
            # Nothing stands between them, so that what was not understood may have changed the meaning of this.
            line.built, line.problems = [], [Problem("not-understood", rules=("PR-6.19",))]
        elif line.entry.glued and line.problems and not line.built and line.entry.draft is not None and line.entry.draft.said() == {"verb"}:
            if before.entry.draft is not None and before.entry.draft.after and before.built:
                # `work P1 P2 fortify`: the last province could be meant for either.
                before.built, before.problems = [], [Problem("not-understood", rules=("PR-6.19",))]
    _add_to_standing(lines, position)
    position.spent = _spent(lines, position)
    for line in late:
        _build_line(line, position, named)
        named += [p for p in (o.ordered_province(built.order) for built in line.built) if p is not None]
    return _without_echoes([line for line in lines if line.built or line.problems], position)


def _add_to_standing(lines: list[_Line], position: Position) -> None:
    """`also buy 1 in P2`, if it is the message's first purchase and something stands."""
    buying = [line for line in lines if line.built and isinstance(line.built[0].order, o.Buy)]
    if not buying or buying[0].entry.draft is None or "ALSO" not in buying[0].entry.draft.marks:
        return
    whole = with_standing([built for line in buying for built in line.built], position)
    for line in buying:
        line.built = []
        line.empty = True
    buying[0].built, buying[0].empty = whole, False


def _spent(lines: list[_Line], position: Position) -> int | None:
    """What the purchases of a message cost, and those that stand if it names none; None if some of them would be cut."""
    told = [built.order for line in lines for built in line.built]
    standing = position.standing.orders
    buys = [order for order in told if isinstance(order, o.Buy)] or [order for order in standing if isinstance(order, o.Buy)]
    rest = [*told, *(order for order in standing if not isinstance(order, o.Buy))]
    wanted: dict[int, int] = {}
    for buy in buys:
        wanted[buy.province] = wanted.get(buy.province, 0) + buy.units
    if any(p not in position.own or units > supply_room(position.state, position.player, p) for p, units in wanted.items()):
        return None
    costs = {o.Upgrade: numbers.UPGRADE_COST, o.UseFaith: FAITH_COST, o.HireKing: GUARD_COST, o.UseBank: BANK_COST}
    return numbers.UNIT_COST * sum(wanted.values()) + sum(costs.get(type(order), 0) for order in rest)


def _build_line(line: _Line, position: Position, named: Sequence[int]) -> None:
    entry = line.entry
    if entry.draft is None:
        line.problems.append(Problem("not-understood", facts=_about_word(entry.at)))
        line.caret = entry.at
        return
    try:
        line.built = build(entry.draft, position, named)
    except Refusal as refusal:
        if (
            entry.trouble == "loose"
            and refusal.code == "not-understood"
            and entry.draft.ability is None
            and len(entry.draft.said() - {"marks"}) < 2
            and not entry.draft.said() & {"place", "origin", "target", "at", "dash"}
        ):
            return
        line.problems.append(Problem(refusal.code, rules=("PR-6.19",), facts=refusal.facts))
        line.caret = refusal.at or entry.draft.verb


def _about_word(lexeme: Lexeme | None) -> dict[str, Fact]:
    """What to say of a word that is none here: itself, and the command word nearest to it if one is near."""
    if lexeme is None or lexeme.kind != "WORD":
        return {}
    near = nearest_word(lexeme.text, load_vocabulary(GAME).slips)
    return {"word": lexeme.text} if near is None else {"word": lexeme.text, "nearest": near}


def _without_echoes(lines: list[_Line], position: Position) -> list[_Line]:
    """`Buy 0 in P1, 2 in P2`: nothing is bought only where nothing else is, and it is said once."""
    buys = any(isinstance(built.order, o.Buy) for line in lines for built in line.built)
    for line in lines:
        if any(isinstance(built.order, o.BuyNothing) for built in line.built):
            if buys:
                line.built, line.empty = [], True
            buys = True
    return lines


def _suggest(plain: Plain, line: _Line, choices: list[Choice[o.Order]], position: Position) -> Choice[o.Order] | None:
    """The nearest legal reading: of an order refused, the one like it in most parts; of words not read, the text most like them."""
    if line.built:
        order = line.built[min(line.refused)].order
        if isinstance(order, o.Send | o.Bid):
            alike = [
                choice
                for choice in choices
                if type(choice.order) is type(order) and getattr(choice.order, "to", 0) == getattr(order, "to", 0)
            ]
            return min(alike, key=lambda choice: abs(getattr(choice.order, "amount", 0) - order.amount), default=None)
        ungilded = msgspec.structs.replace(order, golden=False) if isinstance(order, o.Fortify | o.March | o.Support | o.Work) else order
        alike = [choice for choice in choices if choice.order == ungilded] or [
            choice for choice in choices if type(choice.order) is type(order)
        ]
        return max(alike, key=lambda choice: _alikeness(choice.order, order), default=None)
    whole = _with_everything(line, position)
    if whole is not None:
        return next((choice for choice in choices if choice.order == whole), None)
    return nearest(plain.quote(line.entry.start, line.entry.end), choices)


def _with_everything(line: _Line, position: Position) -> o.Order | None:
    """A March that only lacks how many: all of them."""
    draft = line.entry.draft
    if draft is None or not {"missing", "units"} <= line.problems[0].facts.keys():
        return None
    whole = draft.copy()
    whole.quantity = Lexeme("ALL", "all", line.entry.start, line.entry.start)
    try:
        return build(whole, position, ())[0].order
    except Refusal:
        return None


def _alikeness(legal_order: o.Order, order: o.Order) -> tuple[int, int]:
    """How many parts of two orders agree, and how near the numbers are that do not."""
    pairs = [(getattr(legal_order, name), getattr(order, name)) for name in order.__struct_fields__]
    return sum(a == b for a, b in pairs), -sum(abs(a - b) for a, b in pairs if isinstance(a, int) and isinstance(b, int))


def _item(plain: Plain, line: _Line, stands: list[o.Order], names: dict[int, str], suggestion: Suggestion | None) -> Item:
    start, end = plain.span(line.entry.start, line.entry.end)
    caret = None
    if line.caret is not None and line.problems:
        first, last = plain.span(line.caret.start, line.caret.end)
        caret = (first - start, last - start) if start <= first and last <= end else None
    return Item(
        quote=plain.original[start:end],
        caret=caret,
        orders=tuple(stands),
        texts=tuple(o.format_order(order, names) for order in stands),
        problems=tuple(line.problems),
        suggestion=suggestion,
    )

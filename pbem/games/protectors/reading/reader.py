"""Reads the orders of Protectors of the Realm as people write them (rules, section 15)."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from engine.protectors import orders as o
from engine.protectors.checking.legal import legal
from engine.protectors.checking.messages import check
from engine.protectors.colours import SYMBOLS
from engine.protectors.state import State
from engine.protectors.wording import parse_order
from engine.ruleset import Checked, Fact, Problem, Standing
from pbem.games.protectors.reading.amounts import settle_amounts
from pbem.games.protectors.reading.clauses import MOST_CLAUSES, Sentence, sentences_of
from pbem.games.protectors.reading.composing import Composer
from pbem.games.protectors.reading.conduct import governs_next, judge
from pbem.games.protectors.reading.context import settle_context
from pbem.games.protectors.reading.discourse import Told, find_cues
from pbem.games.protectors.reading.drafts import DIALECT
from pbem.games.protectors.reading.entries import Entry
from pbem.games.protectors.reading.leftovers import (
    lines_beside_question,
    order_sentences,
    unread_lines,
)
from pbem.games.protectors.reading.lines import LANGUAGE, Line, build_lines
from pbem.games.protectors.reading.nearest import nearest_legal, offerable, settled_by
from pbem.games.protectors.reading.plainly import put_council, put_factions, put_loans, put_pass
from pbem.games.protectors.reading.position import Position
from pbem.games.protectors.reading.scope import governed_spans, quoted_spans
from pbem.games.protectors.reading.ways import with_ways_on
from pbem.games.protectors.reading.window import without_transfer
from pbem.grammar.house.commands import Letter, PressHelp, WhatIf
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.binding import People, Person
from pbem.grammar.kit.lexemes import Lexeme, lexemes_of
from pbem.grammar.kit.normalise import Plain, blanked, fold, normalise
from pbem.grammar.kit.reading import Item, Reading, Suggestion
from pbem.grammar.kit.suggesting import MOST_SUGGESTIONS, Choice
from pbem.grammar.kit.vocabulary import load_vocabulary

LONGEST = 20_000
"""Characters of a message that are read; `Reading.cut` tells when there were more."""

_SHORT_LINE = 16

_ROLES = {
    "unknown-player": "who",
    "too-few-units": "number",
    "out-of-range": "number",
    "cannot-afford": "number",
    "no-gold-in-bracket": "golden",
    "second-golden": "golden",
    "not-neighbours": "target",
    "not-your-province": "province",
    "no-units": "province",
    "unknown-province": "province",
    "supply-limit": "number",
}
_UNSUGGESTED = frozenset(
    {
        "not-now",
        "no-such-ability",
        "used-up",
        "already-final",
        "second-order",
        "ambiguous-player",
        "unknown-player",
        "unknown-province",
    }
    | {"final-held"}
)

_SAMPLES: dict[str, o.Order] = {
    **dict.fromkeys(("MARCH", "ATTACK", "TAKE"), o.March(1, 1, 2)),
    "FORTIFY": o.Fortify(1),
    "WORK": o.Work(1),
    "HOLD": o.Hold(1),
}
"""An order of each kind that is said in one window alone."""

_SPREADING = frozenset({"FORTIFY", "WORK", "HOLD"})

Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]
Legal = Callable[[State, int], Iterator[o.Order]]


@dataclass(frozen=True, slots=True)
class Part:
    """What a part of a message came to; `heard` are the places (of the folded text) of which
    something came.
    """

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

    def read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        text = said.text
        plain = normalise(text[:LONGEST])
        people = people_of(state, player)
        position = Position(state, player, people, standing)
        told = _told(plain, _plain_words(_unread_text(plain, said), state), people, state)
        entries, cut = told.entries, told.cut
        lines, checked = self._weighed(position, told)
        heard = checked is not None or said.is_heard
        lines = [
            line
            for line in lines
            if not line.entry.from_question
            or heard
            or any(other.problems and not other.entry.from_question for other in lines)
        ]
        left_over = (
            _left_over(plain, said, entries, people)
            if any(not line.empty for line in lines)
            else ()
        )
        left_over += (
            _lost_faction(plain, said, entries, people, state) if left_over or lines else ()
        )
        if said.has(WhatIf):
            left_over += _beside_question(plain, said, entries, people)
        left_over += _swallowed(plain, said, people)
        loose = said.questions(plain)
        is_cut = cut or len(text) > LONGEST
        if (
            left_over
            or loose
            or is_cut
            or any(not problem.warning for line in lines for problem in line.problems)
        ):
            checked = _hold_final(lines, checked)
        items = self._items(plain, position, lines) + left_over
        items += tuple(
            Item(quote=plain.quote(start, end).strip(), problems=(Problem("loose-question"),))
            for start, end in loose
        )
        note = None
        if not items and not heard:
            whole = text.strip()
            items = (Item(quote=whole[:200], problems=(Problem("no-order"),)),)
            note = whole or None
        after = checked.standing if checked is not None else standing
        return Reading(
            items=with_ways_on(items, position, after),
            checked=checked,
            note=note,
            corrected=told.corrected,
            slips=tuple(dict.fromkeys(told.slips)),
            cut=is_cut,
        )

    def read_part(
        self,
        state: State,
        player: int,
        standing: Standing[o.Order],
        people: People,
        plain: Plain,
        text: str,
    ) -> Part:
        """Read what a player is supposed to order: `text` is the folded text of `plain` with
        everything else blanked, `people.me` who supposes it. A bare verb means all provinces;
        nothing is suggested.
        """
        entries = _told(plain, text, people, state).entries
        for entry in entries:
            if (
                entry.draft is not None
                and entry.draft.kind in _SPREADING
                and entry.draft.said() == {"verb"}
            ):
                entry.draft.quantity = Lexeme("ALL", "all", entry.end, entry.end)
        position = Position(state, player, people, standing)
        lines = build_lines(entries, position)
        checked = self._checked(state, player, standing, lines)
        items = tuple(
            msgspec.structs.replace(item, suggestion=None)
            for item in self._items(plain, position, lines)
        )
        return Part(items, checked, tuple((line.entry.start, line.entry.end) for line in lines))

    def _weighed(
        self, position: Position, told: Told
    ) -> tuple[list[Line], Checked[o.Order] | None]:
        """The lines of a message; once more, if what was refused may have changed others."""
        lines, checked = self._lines(position, told)
        refused = {
            line.entry.end: "asked" if line.problems[0].code == "not-understood" else "refused"
            for line in lines
            if line.problems and not line.built
        }
        second = [
            line.entry
            for line in lines
            if any(problem.code == "second-order" for problem in line.problems)
        ]
        if told.weigh_refused(refused, second):
            lines, checked = self._lines(position, told)
        return lines, checked

    def _lines(self, position: Position, told: Told) -> tuple[list[Line], Checked[o.Order] | None]:
        state, player = position.state, position.player
        lines = build_lines(told.entries, position)
        self._tell_windows(state, player, lines)
        return lines, self._checked(state, player, position.standing, lines)

    def _tell_windows(self, state: State, player: int, lines: list[Line]) -> None:
        """What cannot be said in this window is told so first, and not that its number or place
        does not fit (PR-2.1).
        """
        for line in lines:
            sample = _SAMPLES.get(line.entry.draft.kind) if line.entry.draft is not None else None
            if sample is None or line.built or not line.problems:
                continue
            problems = self.check(state, player, Standing(), (sample,)).problems
            if problems and problems[0].code == "not-now":
                line.problems = [problems[0]]
                line.caret = line.entry.draft.verb if line.entry.draft is not None else None

    def _checked(
        self, state: State, player: int, standing: Standing[o.Order], lines: list[Line]
    ) -> Checked[o.Order] | None:
        """Ask the engine about all orders at once and hand its problems to the clauses they came
        from.
        """
        sent: list[tuple[Line, int]] = []
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
            line.caret = (
                line.caret or roles.get(_ROLES.get(problem.code, "verb")) or roles.get("verb")
            )
        return checked

    def _items(self, plain: Plain, position: Position, lines: list[Line]) -> tuple[Item, ...]:
        items: list[Item] = []
        names = {seat.number: seat.name for seat in position.state.players}
        choices: list[Choice[o.Order]] | None = None
        settled: frozenset[object] = frozenset()
        given = 0
        for line in lines:
            if line.empty:
                continue
            stands = [built.order for i, built in enumerate(line.built) if i not in line.refused]
            suggestion = None
            refused = not stands and any(not problem.warning for problem in line.problems)
            if refused and line.problems[0].facts.get("missing") == "cancel-all":
                again = (
                    without_transfer(line.entry.draft, position)
                    if line.entry.draft is not None
                    else ()
                )
                if again:
                    given += 1
                    suggestion = Suggestion(
                        given, again, "; ".join(o.format_order(order, names) for order in again)
                    )
            elif (
                refused
                and line.entry.suggests
                and given < MOST_SUGGESTIONS
                and line.problems[0].code not in _UNSUGGESTED
            ):
                if choices is None:
                    legal = (
                        Choice(order, o.format_order(order, names))
                        for order in self.legal(position.state, position.player)
                    )
                    accepted = (
                        built.order
                        for other in lines
                        for index, built in enumerate(other.built)
                        if index not in other.refused
                    )
                    settled = settled_by(position, accepted)
                    choices = offerable(legal, position, settled)
                found = nearest_legal(plain, line, choices, position, settled)
                if found is not None:
                    given += 1
                    suggestion = Suggestion(given, (found.order,), found.text)
            items.append(_item(plain, line, stands, names, suggestion))
        return tuple(items)


READER = ProtectorsReader()
"""The reader of the registry."""


def people_of(state: State, me: int | None) -> People:
    """Everybody at this table by name, colour and symbol."""
    return People(
        tuple(
            Person(seat.number, seat.name, seat.colour, SYMBOLS.get(seat.colour, seat.colour))
            for seat in state.players
        ),
        me,
    )


def _unread_text(plain: Plain, said: Said) -> str:
    """The text with what is the house's blanked."""
    return blanked(plain.text, said.taken(plain))


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


def _hold_final(lines: list[Line], checked: Checked[o.Order] | None) -> Checked[o.Order] | None:
    """Something of the message was not read: `final` meant all of it, so that nothing is final yet
    (PR-1.10).
    """
    if checked is None or not any(isinstance(order, o.Final) for order in checked.accepted):
        return checked
    for line in lines:
        finals = {
            i for i, built in enumerate(line.built) if isinstance(built.order, o.Final)
        } - line.refused
        if finals:
            line.refused |= finals
            line.problems.append(Problem("final-held", rules=("PR-1.10",)))
    return msgspec.structs.replace(
        checked,
        accepted=tuple(order for order in checked.accepted if not isinstance(order, o.Final)),
        standing=Standing(checked.standing.orders),
    )


def _left_over(
    plain: Plain, said: Said, entries: Sequence[Entry], people: People
) -> tuple[Item, ...]:
    """Lines that were meant as something and came to nothing."""
    heard = [*said.taken(plain), *((entry.start, entry.end) for entry in entries)]
    spans = unread_lines(plain, lexemes_of(plain.text, load_vocabulary(LANGUAGE), people), heard)
    return tuple(
        Item(
            quote=plain.quote(start, end), problems=(Problem("not-understood", rules=("PR-6.19",)),)
        )
        for start, end in spans
    )


def _beside_question(
    plain: Plain, said: Said, entries: Sequence[Entry], people: People
) -> tuple[Item, ...]:
    """What stands behind the end of a question and is none, nor an order: half of what was asked is
    not dropped in silence.
    """
    heard = [*said.taken(plain), *((entry.start, entry.end) for entry in entries)]
    spans = lines_beside_question(
        plain, lexemes_of(plain.text, load_vocabulary(LANGUAGE), people), heard, DIALECT.verbs
    )
    return tuple(
        Item(quote=plain.quote(a, b), problems=(Problem("beside-question"),)) for a, b in spans
    )


def _swallowed(plain: Plain, said: Said, people: People) -> tuple[Item, ...]:
    """Orders that stand in what is for others, or behind a question on its line; what a note to the
    game master holds, the desk has judged.
    """
    if not said.has(Letter, PressHelp, WhatIf):
        return ()
    loose, asks = said.questions(plain), said.has(WhatIf)
    lexemes = lexemes_of(plain.text, load_vocabulary(LANGUAGE), people)
    spans: list[tuple[int, int]] = []
    for start, end in said.taken(plain):
        if any(a < end and start < b for a, b in loose):
            continue  # told as what it is
        if asks:
            start = plain.text.find("?", start, end) + 1 or end
        spans += list(order_sentences(lexemes, start, end, DIALECT.verbs))[:1]
    why: dict[str, Fact] = {"why": "what-if" if asks else "press"}
    return tuple(
        Item(quote=plain.quote(a, b), problems=(Problem("not-understood", ("PR-6.19",), why),))
        for a, b in spans[:1]
    )


def _lost_faction(
    plain: Plain, said: Said, entries: Sequence[Entry], people: People, state: State
) -> tuple[Item, ...]:
    """The name of a faction beside a bid that came to nothing: half of an answer is not taken in
    silence (PR-3.2).
    """
    if (
        state.stage != "bidding"
        or state.options.factions != "choice"
        or state.players[(people.me or 0) - 1].faction is not None
    ):
        return ()
    heard = [*said.taken(plain), *((entry.start, entry.end) for entry in entries)]
    lexemes = lexemes_of(_plain_words(plain.text, state), load_vocabulary(LANGUAGE), people)
    lost = [
        lexeme
        for lexeme in lexemes
        if lexeme.kind == "FACTIONNAME" and not any(a <= lexeme.start < b for a, b in heard)
    ]
    spans = [plain.span(lexeme.start, lexeme.end) for lexeme in lost[:1]]
    unchosen = Problem("not-understood", ("PR-6.19",), {"why": "faction"})
    return tuple(Item(quote=plain.original[a:b], problems=(unchosen,)) for a, b in spans)


def _told(plain: Plain, text: str, people: People, state: State) -> Told:
    open_turns = {
        None,
        state.turn,
        state.turn + (state.stage != "orders"),
    }  # a bid is for the next turn
    lexemes = [
        replace(lexeme, kind="HEDGE")
        if lexeme.kind == "FILLER" and lexeme.value not in open_turns
        else lexeme
        for lexeme in settle_amounts(lexemes_of(text, load_vocabulary(LANGUAGE), people), DIALECT)
    ]
    lexemes = settle_context(lexemes, text)
    governed = governed_spans(plain, lexemes, people, DIALECT)
    governed += quoted_spans(text, lexemes, people)
    sentences, clauses = [], 0
    cut = False
    for sentence in sentences_of(plain, lexemes, DIALECT):
        clauses += len(sentence.clauses)
        if clauses > MOST_CLAUSES:
            cut = True
            break
        sentences.append(sentence)
    composer = Composer(LANGUAGE, people.me or 0)
    before: Sentence | None = None
    for sentence, following in zip(sentences, [*sentences[1:], None], strict=False):
        judge(sentence, following, DIALECT, people.me, earlier=bool(composer.entries))
        hangs = before is not None and not re.search(
            r"[.;!?]|\n *\n", text[before.clauses[-1].end : sentence.clauses[0].start]
        )
        for clause in sentence.clauses:
            if clause.verdict != "order":
                continue
            if any(start <= clause.start < end for start, end in governed):
                clause.verdict = "doubt"
            elif hangs and before is not None and governs_next(before):
                clause.verdict = "condition"
        before = sentence
        composer.read(sentence, following)
    composer.finish()
    slips = [plain.quote(lexeme.start, lexeme.end) for lexeme in lexemes if lexeme.slip]
    for (
        sentence
    ) in sentences:  # of `could you please, no wait ...` nothing is left before the comma
        sentence.clauses = [one for one in sentence.clauses if one.lexemes or one.dropped]
    told = Told(
        composer.entries,
        [sentence for sentence in sentences if sentence.clauses],
        find_cues(_with_short_lines(plain, text), lexemes),
        people.me or 0,
        corrected=composer.corrected,
        cut=cut,
        slips=slips if composer.entries else [],
    )
    told.weigh()
    return told


def _with_short_lines(plain: Plain, text: str) -> str:
    """The text with the short lines that were taken as words of the house: `NO WAIT` is one."""
    lines = zip(plain.text.split("\n"), text.split("\n"), strict=False)
    return "\n".join(
        whole
        if len(whole) <= _SHORT_LINE and not rest.strip() and len(whole) == len(rest)
        else rest
        for whole, rest in lines
    )


def _item(
    plain: Plain,
    line: Line,
    stands: list[o.Order],
    names: dict[int, str],
    suggestion: Suggestion | None,
) -> Item:
    start, end = plain.span(line.entry.start, line.entry.end)
    while plain.original[end : end + 1] == ")" and plain.original.count(
        "(", start, end
    ) > plain.original.count(")", start, end):
        end += 1  # brackets say nothing, and belong to what is quoted
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

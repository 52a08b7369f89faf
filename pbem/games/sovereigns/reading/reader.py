"""Reads the orders of States & Sovereigns as people write them (section 13 of the rules): one pass
of lexemes and sentences, segments that come to orders, and the engine's judgement.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_
from functools import partial

from msgspec.structs import replace

from engine.ruleset import Checked, Problem, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.acts import act_of
from engine.sovereigns.checking.messages import check
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_order, parse_order
from pbem.games.sovereigns.reading import offered
from pbem.games.sovereigns.reading.bare import with_answer
from pbem.games.sovereigns.reading.coverage import coverage_in
from pbem.games.sovereigns.reading.entries import POINTS_MISSING, OrderEntry
from pbem.games.sovereigns.reading.lexer import lexemes_here
from pbem.games.sovereigns.reading.message import Message
from pbem.games.sovereigns.reading.order_lines import Lines
from pbem.games.sovereigns.reading.pieces import AMOUNTS
from pbem.games.sovereigns.reading.plainly import Plainly
from pbem.games.sovereigns.reading.position import Position
from pbem.games.sovereigns.reading.replies import with_replies
from pbem.games.sovereigns.reading.setup import judge_name
from pbem.games.sovereigns.reading.words import guessing
from pbem.grammar.house.commands import Vote
from pbem.grammar.house.reading import read_orders
from pbem.grammar.house.statements import Said, Statement, Word, Yes
from pbem.grammar.kit.answers import LONGEST, LineAnswer
from pbem.grammar.kit.editor import edited
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain, blanked, fold, normalise
from pbem.grammar.kit.reading import Reading
from pbem.grammar.kit.repetition import restating
from pbem.grammar.kit.sentences import Sentence, sentences_of
from pbem.grammar.kit.sheet import Sheet
from pbem.reading.offers import Offering

_ENDS = (o.Abdicate,)
_NUMBERS = AMOUNTS | {"NUM", "ALL", "HALF", "TRIPLE", "POINTS"}
_COUNTS = frozenset({"NUM", "ALL", "HALF"})
_NAMES = frozenset({"CODE", "TECH", "QUOTE"})
_INSTEAD = re.compile(r"\binstead\b")
CONFIRM = "confirm"
Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]
_CHECK: Check = restating(check)


@dataclass(frozen=True, slots=True)
class SovereignsReader:
    """The order reader of the game; `check` is the engine's. With `suggests` it looks for what may
    be meant, and asks for a confirmation of what ends a kingdom.
    """

    check: Check = _CHECK
    suggests: bool = True

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return parse_order(state, text)

    def read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        return edited(
            Sheet(
                standing,
                standing.orders,
                tell=partial(format_order, state),
                lex=partial(_lexemes_of, Position(state, player, ())),
                read=partial(self._read, state, player),
                check=partial(self.check, state, player),
                cancel=lambda i: o.CancelAll() if i is None else None,
                names=_NAMES,
                parts=_NUMBERS | {"BOON", "BWORKS"},
                parse=partial(parse_order, state),
            ),
            said,
        )

    def _read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """The same of what edits nothing."""
        text = said.text
        plain = normalise(text[:LONGEST])
        own = _own(state, player, said)
        said = said.without(own)
        left = blanked(plain.text, said.taken(plain))
        position = Position(state, player, standing.orders)
        lexemes, slips = lexemes_here(left, plain, position)
        sentences = sentences_of(plain, lexemes, frozenset(), frozenset())
        lines, cut = _heard(plain, position, left, sentences)
        guessed, meant = lexemes, sentences
        if any(x.kind == "WORD" for x in lexemes):
            guessed, _ = lexemes_here(left, plain, position, guessing())
            meant = sentences_of(plain, guessed, frozenset(), frozenset())
        cut |= len(text) > LONGEST
        asks = self.suggests and said.answers is None  # `yes` has been asked
        tell = partial(format_order, state)
        answer = LineAnswer[o.Order](
            plain,
            standing,
            self._check_beside(state, player, lines.entries),
            tell,
            _ask_back(lines.entries) if asks else {},
            coverage_in(position),
            meant,
            lambda order: act_of(order) is not None,
            self._whole(plain, guessed, meant, position) if self.suggests else None,
        )
        reading = answer.reading(
            said,
            lines.entries,
            code="not-understood" if _says_numbers(position, lexemes) else "no-order",
            corrected=lines.corrected,
            slips=tuple(dict.fromkeys(slips)) if lines.entries else (),
            cut=cut,
            own=own,
        )
        if not self.suggests:
            return reading
        stands = reading.checked.standing if reading.checked is not None else standing
        more = partial(self.check, state, player, stands)
        return with_replies(
            with_answer(reading, position, said, tell), position, lexemes, tell, more
        )

    def _whole(
        self,
        plain: Plain,
        said: Sequence[Lexeme],
        sentences: Sequence[Sentence],
        position: Position,
    ) -> Offering[o.Order]:
        """What is offered where something was not taken."""
        offering = Offering(
            plain,
            said,
            offered.tongue(position),
            lambda: () if offered.is_beyond(position.me, said) else tuple(offered.space(position)),
            partial(parse_order, position.state),
            never=lambda order: isinstance(order, offered.NEVER),
            alone=partial(self._taken_of, position),
        )
        plainly = Plainly(
            plain,
            said,
            lambda left, sentences: _heard(plain, position, left, sentences)[0].entries,
            coverage_in(position),
            partial(format_order, position.state),
            position.me,
        )
        return replace_(offering, retell=plainly.read)

    def _check_beside(
        self, state: State, player: int, entries: Sequence[OrderEntry]
    ) -> Callable[[Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]:
        """The engine's judgement; of points that were left open nothing is too many, for they are
        2, or what is free at the close (SS-12.10).
        """

        def judge(standing: Standing[o.Order], orders: Sequence[o.Order]) -> Checked[o.Order]:
            unsaid = [one.order for one in entries if POINTS_MISSING in one.warnings]
            checked = self.check(state, player, standing, orders)
            told = tuple(
                problem
                for problem in checked.problems
                if not (problem.warning and problem.code == "not-enough")
                or problem.order is None
                or orders[problem.order] not in unsaid
            )
            return replace(checked, problems=told)

        return judge

    def _taken_of(self, position: Position, text: str) -> tuple[o.Order, ...]:
        """The orders that stand of words alone."""
        bare = SovereignsReader(self.check, suggests=False)
        checked = bare._read(
            position.state, position.me, Standing(position.standing), Said(text)
        ).checked
        return checked.accepted if checked is not None else ()


READER = SovereignsReader()
"""The reader of the registry."""
read_case = partial(read_orders, SovereignsReader(suggests=False).read)
"""A message of a worked case: nothing is suggested."""


def _heard(
    plain: Plain, position: Position, text: str, sentences: Sequence[Sentence]
) -> tuple[Lines, bool]:
    """The result of the sentences of a text, and whether they are too many."""
    lines = Lines(plain=plain, position=position)
    cut = Message(plain, text, lines=lines).hear_all(sentences)
    for entry in lines.entries:
        judge_name(entry, position)
    _redo(lines)
    _without_numbers(lines, sentences)
    return lines, cut


def _without_numbers(lines: Lines, sentences: Sequence[Sentence]) -> None:
    """A number that is not read may be what an action lacks: then it is not taken."""
    unread = [entry for entry in lines.entries if not entry.stands]
    if not unread:
        return
    counts = [x.start for one in sentences for x in one.lexemes if x.kind in _COUNTS]
    if any(bisect_left(counts, x.start) < bisect_left(counts, x.end) for x in unread):
        for entry in lines.entries:
            everything = isinstance(entry.order, o.Do) and entry.order.ways[-1].points is None
            if POINTS_MISSING in entry.warnings or everything:
                entry.ask()


def _lexemes_of(position: Position, text: str) -> Sequence[Lexeme]:
    plain = normalise(text)
    return lexemes_here(plain.text, plain, position)[0]


def _says_numbers(position: Position, lexemes: Sequence[Lexeme]) -> bool:
    """Whether the set-up or a year's start is answered with numbers: a secret of the writer, and no
    note to a game master.
    """
    asked = position.asks_for_year or position.state.stage == "setup"
    return asked and any(x.kind in _NUMBERS for x in lexemes)


def _own(state: State, player: int, said: Said) -> tuple[tuple[int, int], ...]:
    """Words of the house that are said to a ballot or an offer of this game: `vote yes`, `yes,
    agreed`, `yes to 1 and 2` where these offers are open and nothing else is said.
    """
    votes = any(ballot.claimant != player for ballot in state.ballots)
    offers = {offer.id for offer in state.offers if offer.taker == player}
    offered = bool(offers)
    is_alone = all(isinstance(one, Yes) or not _says(said, one) for one in said.statements)
    found = []
    for one in said.statements:
        words = fold(said.text[slice(*one.span)]).replace(",", " ").split()
        agrees = isinstance(one, Yes) and not one.numbers and {"agreed", "deal"} & {*words}
        numbers = "to" in words and isinstance(one, Yes) and {*one.numbers} <= offers and is_alone
        if (
            (offered and agrees)
            or numbers
            or (votes and isinstance(one, Word) and isinstance(one.command, Vote))
        ):
            found.append(one.span)
    return tuple(found)


def _says(said: Said, one: Statement) -> bool:
    return any(map(str.isalnum, said.text[slice(*one.span)]))


def _redo(lines: Lines) -> None:
    """While an action of theirs was rolled back, what a ruler does `instead` is done in its place
    (SS-12.6); in a season any other action is that of the season. Where one of those stands, too,
    nobody knows which is meant.
    """
    position = lines.position
    if not position.redoes:
        return
    acts = [entry for entry in lines.entries if isinstance(entry.order, o.Do | o.Pass)]
    if position.state.stage == "season":
        says = not lines.revised and _INSTEAD.search(lines.plain.text) is not None
        acts = acts if says and len(acts) == 1 else []
        if acts and any(isinstance(one, o.Do | o.Pass) for one in position.standing):
            acts.pop().ask()
    for entry in acts:
        if isinstance(entry.order, o.Do | o.Pass):
            entry.order = o.Redo(entry.order)


def _ask_back(entries: Sequence[OrderEntry]) -> dict[int, o.Order | None]:
    """What ends the writer's own kingdom is not taken from words alone; by the entry it is of."""
    endings: dict[int, o.Order | None] = {}
    for i, entry in enumerate(entries):
        if isinstance(entry.order, _ENDS):
            endings[i] = entry.order
            entry.order = Problem(CONFIRM, ("SS-11.9",))
    return endings

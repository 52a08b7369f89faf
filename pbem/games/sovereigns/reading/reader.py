"""Reads the orders of States & Sovereigns as people write them (section 13 of the rules): one pass
of lexemes and sentences, segments that come to orders, and the engine's judgement.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from engine.ruleset import Checked, Problem, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.checking.messages import check
from engine.sovereigns.legal import legal
from engine.sovereigns.reading import parse_order
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_order
from pbem.games.sovereigns.reading.entries import Entry
from pbem.games.sovereigns.reading.lexing import lexemes_here
from pbem.games.sovereigns.reading.lines import Lines
from pbem.games.sovereigns.reading.message import Message
from pbem.games.sovereigns.reading.scene import Scene
from pbem.grammar.house.commands import Vote
from pbem.grammar.house.reading import read_orders
from pbem.grammar.house.statements import Said, Word, Yes
from pbem.grammar.kit.normalise import Plain, blanked, fold, normalise
from pbem.grammar.kit.reading import Item, Reading, Suggestion
from pbem.grammar.kit.sentences import sentences_of
from pbem.grammar.kit.suggesting import MOST_SUGGESTIONS, Choice, nearest

LONGEST = 20_000
MOST_SENTENCES = 400
_UNREAD = frozenset({"not-understood", "ambiguous"})
_ENDS = (o.Abdicate,)
CONFIRM = "confirm"
Check = Callable[[State, int, Standing[o.Order], Sequence[o.Order]], Checked[o.Order]]


@dataclass(frozen=True)
class _Offers:
    """What may be suggested, when it is asked for: legal orders."""

    state: State
    player: int

    @cached_property
    def choices(self) -> Sequence[Choice[o.Order]]:
        return [Choice(x, format_order(self.state, x)) for x in legal(self.state, self.player)]

    @cached_property
    def example(self) -> str:
        return next((choice.text for choice in self.choices), "")


@dataclass(frozen=True, slots=True)
class SovereignsReader:
    """The order reader of the game; `check` is the engine's. `suggests`: nearest orders are looked
    for, and what ends a kingdom is asked back.
    """

    check: Check = check
    suggests: bool = True

    def read_canonical(self, state: State, text: str) -> o.Order:
        """The exact inverse of `format_order`. ValueError if the text is no canonical one."""
        return parse_order(state, text)

    def read(self, state: State, player: int, standing: Standing[o.Order], said: Said) -> Reading:
        """Read a message of a player; see `OrderReader.read`."""
        text = said.text
        plain = normalise(text[:LONGEST])
        own = _own(state, player, said)
        said = said.without(own)
        left = blanked(plain.text, said.taken(plain))
        scene = Scene(state, player, standing.orders)
        lexemes, slips = lexemes_here(left, plain, scene)
        lines = Lines(plain, scene)
        message = Message(plain, left, lines)
        cut = len(text) > LONGEST
        for number, sentence in enumerate(sentences_of(plain, lexemes, frozenset(), frozenset())):
            if number >= MOST_SENTENCES:
                cut = True
                break
            message.sentence(sentence, number)
        message.close()
        _redo(state, player, lines.entries)
        asks = self.suggests and said.answers is None  # `yes` has been asked
        endings = _ask_back(lines.entries) if asks else {}
        checked, problems = self._checked(state, player, standing, lines.entries)
        offers = _Offers(state, player)
        items = tuple(self._items(plain, lines.entries, problems, endings, offers, checked, state))
        items += tuple(
            Item(quote=plain.quote(start, end).strip(), problems=(Problem("loose-question"),))
            for start, end in said.questions(plain)
        )
        note = None
        if not items and not said.is_heard:
            whole = text.strip()
            items, note = (Item(quote=whole[:200], problems=(Problem("no-order"),)),), whole or None
        return Reading(
            items=items,
            checked=checked,
            note=note,
            corrected=lines.corrected,
            slips=tuple(dict.fromkeys(slips)) if lines.entries else (),
            cut=cut,
            own=own,
        )

    def _checked(
        self, state: State, player: int, standing: Standing[o.Order], entries: Sequence[Entry]
    ) -> tuple[Checked[o.Order] | None, dict[int, list[Problem]]]:
        """The engine's word on all orders, and its problems by the entry each is of."""
        sent = [(i, x.order) for i, x in enumerate(entries) if not isinstance(x.order, Problem)]
        problems = {i: [x.order] for i, x in enumerate(entries) if isinstance(x.order, Problem)}
        if not sent:
            return None, problems
        checked = self.check(state, player, standing, [order for _, order in sent])
        for problem in checked.problems:
            if problem.order is not None:
                problems.setdefault(sent[problem.order][0], []).append(problem)
        for i, _ in sent:
            refused = any(not problem.warning for problem in problems.get(i, ()))
            if entries[i].warnings and not refused:
                problems.setdefault(i, []).extend(entries[i].warnings)
        return checked, problems

    def _items(
        self,
        plain: Plain,
        entries: Sequence[Entry],
        problems: Mapping[int, Sequence[Problem]],
        endings: Mapping[int, o.Order],
        offers: _Offers,
        checked: Checked[o.Order] | None,
        state: State,
    ) -> Iterator[Item]:
        given = tried = 0
        accepted = iter(checked.accepted if checked is not None else ())
        for i, entry in enumerate(entries):
            found = tuple(problems.get(i, ()))
            refused = [problem for problem in found if not problem.warning]
            stands = () if refused or not entry.stands else (next(accepted),)
            suggestion, example = None, ""
            if i in endings:
                given += 1
                suggestion = Suggestion(given, (endings[i],), format_order(state, endings[i]))
            elif entry.suggested is not None and not entry.stands and self.suggests:
                given += 1
                order = entry.suggested
                suggestion = Suggestion(given, (order,), format_order(state, order))
            elif refused and self.suggests and tried < MOST_SUGGESTIONS:
                tried += 1
                near = nearest(plain.quote(entry.start, entry.end), offers.choices)
                given += near is not None
                suggestion = Suggestion(given, (near.order,), near.text) if near else None
                if near is None and refused[0].code in _UNREAD:
                    example = offers.example
            start, end = plain.span(entry.start, entry.end)
            caret = None
            if entry.caret is not None:
                first, last = plain.span(entry.caret.start, entry.caret.end)
                caret = (first - start, last - start) if start <= first < last <= end else None
            yield Item(
                quote=plain.original[start:end],
                caret=caret,
                orders=stands,
                texts=tuple(format_order(state, order) for order in stands),
                problems=found,
                suggestion=suggestion,
                example=example,
            )


READER = SovereignsReader()
"""The reader of the registry."""
read_case = partial(read_orders, SovereignsReader(suggests=False).read)
"""A message of a worked case: nothing is suggested."""


def _own(state: State, player: int, said: Said) -> tuple[tuple[int, int], ...]:
    """Words of the house that are said to a ballot or an offer of this game: `vote yes`, `yes,
    agreed`.
    """
    votes = any(ballot.claimant != player for ballot in state.ballots)
    offered = any(offer.taker == player for offer in state.offers)
    found = []
    for one in said.statements:
        words = fold(said.text[slice(*one.span)]).replace(",", " ").split()
        agrees = isinstance(one, Yes) and not one.numbers and {"agreed", "deal"} & {*words}
        if (offered and agrees) or (
            votes and isinstance(one, Word) and isinstance(one.command, Vote)
        ):
            found.append(one.span)
    return tuple(found)


def _redo(state: State, player: int, entries: Sequence[Entry]) -> None:
    """While an action of theirs was rolled back, what a ruler does is done in its place
    (SS-12.6).
    """
    if state.undone is None or state.undone.player != player:
        return
    for entry in entries:
        if isinstance(entry.order, o.Do | o.Pass):
            entry.order = o.Redo(entry.order)


def _ask_back(entries: Sequence[Entry]) -> dict[int, o.Order]:
    """What ends the writer's own kingdom is not taken from words alone; by the entry it is of."""
    endings: dict[int, o.Order] = {}
    for i, entry in enumerate(entries):
        if isinstance(entry.order, _ENDS):
            endings[i] = entry.order
            entry.order = Problem(CONFIRM, ("SS-11.9",))
    return endings

"""A reader's answer to a message: the engine's judgement on its lines, the result of each line, and
what may be meant where a line was not understood.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any, ClassVar, Generic, TypeVar

from msgspec.structs import replace

from engine.ruleset import Checked, Problem, Standing
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.coverage import Came, Coverage
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reading import Item, Reading, Suggestion
from pbem.grammar.kit.sentences import Sentence
from pbem.grammar.kit.wholly import Whole, Wholly

LONGEST = 20_000
LineT = TypeVar("LineT")
OrderT = TypeVar("OrderT")


@dataclass(slots=True)
class LineEntry(Generic[LineT]):
    """A line of the message: the order it is, or the problem with its words; `number` is that of
    its sentence.
    """

    unread: ClassVar[Problem]

    order: LineT | Problem
    start: int
    end: int
    number: int
    caret: Lexeme | None = None
    suggested: Any = None
    """What it may mean, for its writer to confirm."""
    warnings: list[Problem] = field(default_factory=list)
    is_asked: bool = False
    """It was an order until another word turned it."""

    @property
    def stands(self) -> bool:
        return not isinstance(self.order, Problem)

    @property
    def line(self) -> Any:
        """The order as it is sent."""
        return self.order

    def ask(self) -> None:
        """Not to be taken, because another word turns it."""
        if self.stands:
            self.order = self.unread
            self.is_asked = True
            self.warnings.clear()


@dataclass(frozen=True)
class LineAnswer(Generic[OrderT]):
    """Judge new lines against those `standing`: `check` is the engine's judgement, `tell` the one
    spelling of an order. `endings` need a confirmation, by their entry (None: the house has words
    for it). `coverage` finds words of the `sentences` without effect; `is_at_once` tells what takes
    effect at once.
    """

    plain: Plain
    standing: Standing[OrderT]
    check: Callable[[Standing[OrderT], Sequence[OrderT]], Checked[OrderT]]
    tell: Callable[[OrderT], str]
    endings: Mapping[int, OrderT | None]
    coverage: Coverage
    sentences: Sequence[Sentence]
    is_at_once: Callable[[OrderT], bool]
    whole: Whole[OrderT] | None = None
    """Finds what all that was not taken may mean."""

    def reading(
        self, said: Said, entries: Sequence[LineEntry[Any]], *, code: str = "no-order", **more: Any
    ) -> Reading:
        """The items of these lines, in order. Without any the message gets this code, and with
        `no-order` it was a note; `more` is what else a Reading says.
        """
        self._widen(entries)
        checked, problems = self._checked(entries)
        items = [*self._items(entries, problems, checked)]
        came = self._came(entries, items)
        covered: tuple[Item, ...] = ()
        if items or said.is_heard:
            covered = self.coverage.cover(self.plain, self.sentences, came, items, self.is_at_once)
        if covered[: len(items)] != tuple(items):
            orders = [order for item in covered for order in item.orders]
            checked = self.check(self.standing, orders) if orders else None
        items = [*covered]
        items += (
            Item(
                self.plain.quote(start, end).strip(),
                problems=(Problem("loose-question"),),
            )
            for start, end in said.questions(self.plain)
        )
        note = None
        asks = any(item.suggestion is not None for item in items)
        if self.whole is not None and not asks and (items or not said.is_heard):
            after = checked.standing if checked is not None else self.standing
            places = [(entry.start, entry.end) for entry in entries]
            offer = Wholly(self.plain, self.sentences, self.whole, self.tell, said.propose)
            items = [*offer.offered(items, places, partial(self.check, after))]
        if not items and not said.is_heard:
            whole = said.text.strip()
            if any(self.coverage.left_over(self.sentences, ())):
                code = "not-understood"  # words of the game are no note
            items = [Item(whole[:200], problems=(Problem(code),))]
            note = whole or None if code == "no-order" else None  # it may be a secret order
        return Reading(tuple(items), checked=checked, note=note, **more)

    def _widen(self, entries: Sequence[LineEntry[Any]]) -> None:
        """What is not read of lines that were joined to one sentence is quoted with all of them:
        nobody knows which of the lines it is.
        """
        for number, several in groupby(entries, key=lambda entry: entry.number):
            fallen = [*several]
            words = self.sentences[number].lexemes if number < len(self.sentences) else ()
            if not words or len(fallen) > 1 or fallen[0].stands:
                continue
            start, end = words[0].start, words[-1].end
            whole = start <= fallen[0].start and fallen[0].end <= end
            if whole and "\n" in self.plain.quote(start, end):
                fallen[0].start, fallen[0].end = start, end

    def _came(self, entries: Sequence[LineEntry[Any]], items: Sequence[Item]) -> list[Came]:
        return [
            Came(
                entry.start,
                entry.end,
                item.texts,
                is_told=bool(item.problems),
                is_unread=not entry.stands and i not in self.endings,
            )
            for i, (entry, item) in enumerate(zip(entries, items, strict=True))
        ]

    def _checked(
        self, entries: Sequence[LineEntry[Any]]
    ) -> tuple[Checked[OrderT] | None, dict[int, list[Problem]]]:
        """The engine's word on all orders, and the problems by the entry each is of."""
        sent: list[tuple[int, OrderT]] = []
        problems: dict[int, list[Problem]] = {}
        for i, entry in enumerate(entries):
            line: OrderT | Problem = entry.line
            if isinstance(line, Problem):
                if entry.is_asked and line == entry.unread:
                    line = replace(line, facts={**line.facts, "why": "unclear"})
                problems[i] = [line]
            else:
                sent.append((i, line))
        if not sent:
            return None, problems
        checked = self.check(self.standing, [order for _, order in sent])
        for problem in checked.problems:
            if problem.order is not None:
                problems.setdefault(sent[problem.order][0], []).append(problem)
        for i, _ in sent:
            if all(problem.warning for problem in problems.get(i, ())):
                problems.setdefault(i, []).extend(entries[i].warnings)
        return checked, problems

    def _items(
        self,
        entries: Sequence[LineEntry[Any]],
        problems: Mapping[int, Sequence[Problem]],
        checked: Checked[OrderT] | None,
    ) -> Iterator[Item]:
        given = 0
        unread = [i for i, one in enumerate(entries) if not one.stands and i not in self.endings]
        accepted = iter(checked.accepted if checked is not None else ())
        for i, entry in enumerate(entries):
            told = tuple(problems.get(i, ()))
            stands = () if _is_refused(told) else (next(accepted),)
            meant = entry.suggested if i in unread else self.endings.get(i)
            given += meant is not None
            yield Item(
                self.plain.quote(entry.start, entry.end),
                caret=self._caret(entry),
                orders=stands,
                texts=tuple(map(self.tell, stands)),
                problems=told,
                suggestion=Suggestion(given, (meant,), self.tell(meant))
                if meant is not None
                else None,
            )

    def _caret(self, entry: LineEntry[Any]) -> tuple[int, int] | None:
        """The trouble, by where it stands in what is quoted."""
        if entry.caret is None:
            return None
        start, end = self.plain.span(entry.start, entry.end)
        first, last = self.plain.span(entry.caret.start, entry.caret.end)
        return (first - start, last - start) if start <= first < last <= end else None


def _is_refused(problems: Iterable[Problem]) -> bool:
    return any(not problem.warning for problem in problems)


def without_clashes(
    items: Iterable[Item],
    check: Callable[[Sequence[Any]], Checked[Any]],
) -> tuple[Item, ...]:
    """Suggest nothing if one yes to all could not free it. `check` is the engine's judgement on new
    orders with those that stand. Items that need a confirmation stay.
    """
    items = tuple(items)
    guessed = [
        item.suggestion
        for item in items
        if item.suggestion is not None
        and not any(problem.code.startswith("confirm") for problem in item.problems)
    ]
    orders = [order for suggestion in guessed for order in suggestion.orders]
    if not orders:
        return items
    mine = [order for item in items for order in item.orders]
    checked = check(orders)
    lost = [*mine, *orders] if len(guessed) > 1 else mine
    is_whole = len(checked.accepted) == len(orders)
    if is_whole and not any(order in lost for order in checked.replaced):
        return items
    return tuple(
        replace(item, suggestion=None) if item.suggestion in guessed else item for item in items
    )

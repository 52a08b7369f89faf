"""What a reader answers to a message: the engine's judgement on its lines, each line with what came
of it, and what may be meant where it was not understood.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from engine.ruleset import Checked, Problem
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.reading import Item, Reading, Suggestion
from pbem.grammar.kit.suggesting import MOST_SUGGESTIONS, Choice, nearest

LONGEST = 20_000
_UNREAD = frozenset({"not-understood", "ambiguous"})
LineT = TypeVar("LineT")
OrderT = TypeVar("OrderT")


@dataclass(slots=True)
class Entry(Generic[LineT]):
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

    @property
    def stands(self) -> bool:
        return not isinstance(self.order, Problem)

    @property
    def line(self) -> Any:
        """The order as it is sent."""
        return self.order

    def ask(self) -> None:
        """Not to be taken: something beside it turns it."""
        if self.stands:
            self.order = self.unread
            self.warnings.clear()


class Offers(Protocol[OrderT]):
    """What may be suggested, when it is asked for."""

    @property
    def choices(self) -> Sequence[Choice[OrderT]]: ...

    def fits(self, order: OrderT) -> bool: ...

    @property
    def example(self) -> str: ...


@dataclass(frozen=True)
class Answer(Generic[OrderT]):
    """What becomes of lines: `check` is the engine's judgement, `tell` the one spelling of an
    order, `offers` what may be suggested for the entries of these numbers. `endings` are asked
    back, by their entry (None: the house has words for it); `suggests`: what may be meant is
    looked for.
    """

    plain: Plain
    check: Callable[[Sequence[OrderT]], Checked[OrderT]]
    tell: Callable[[OrderT], str]
    offers: Callable[[Sequence[int]], Offers[OrderT]]
    endings: Mapping[int, OrderT | None]
    suggests: bool

    def reading(
        self, said: Said, entries: Sequence[Entry[Any]], *, code: str = "no-order", **more: Any
    ) -> Reading:
        """The items of these lines, in order. Without any the message gets this code, and with
        `no-order` it was a note; `more` is what else a Reading says.
        """
        checked, problems = self._checked(entries)
        items = list(self._items(entries, problems, checked))
        items += (
            Item(self.plain.quote(start, end).strip(), problems=(Problem("loose-question"),))
            for start, end in said.questions(self.plain)
        )
        note = None
        if not items and not said.is_heard:
            whole = said.text.strip()
            items = [Item(whole[:200], problems=(Problem(code),))]
            note = whole or None if code == "no-order" else None  # it may be a secret order
        return Reading(tuple(items), checked=checked, note=note, **more)

    def _checked(
        self, entries: Sequence[Entry[Any]]
    ) -> tuple[Checked[OrderT] | None, dict[int, list[Problem]]]:
        """The engine's word on all orders, and the problems by the entry each is of."""
        sent: list[tuple[int, OrderT]] = []
        problems: dict[int, list[Problem]] = {}
        for i, entry in enumerate(entries):
            line: OrderT | Problem = entry.line
            if isinstance(line, Problem):
                problems[i] = [line]
            else:
                sent.append((i, line))
        if not sent:
            return None, problems
        checked = self.check([order for _, order in sent])
        for problem in checked.problems:
            if problem.order is not None:
                problems.setdefault(sent[problem.order][0], []).append(problem)
        for i, _ in sent:
            if all(problem.warning for problem in problems.get(i, ())):
                problems.setdefault(i, []).extend(entries[i].warnings)
        return checked, problems

    def _items(
        self,
        entries: Sequence[Entry[Any]],
        problems: Mapping[int, Sequence[Problem]],
        checked: Checked[OrderT] | None,
    ) -> Iterator[Item]:
        given = tried = 0
        offers = self.offers(sorted(problems))
        accepted = iter(checked.accepted if checked is not None else ())
        for i, entry in enumerate(entries):
            found = tuple(problems.get(i, ()))
            refused = [problem for problem in found if not problem.warning]
            stands = () if refused else (next(accepted),)
            meant, example = self._meant(i, entry), ""
            if meant is None and i not in self.endings and refused and self.suggests:
                near = None
                if tried < MOST_SUGGESTIONS:
                    written = self.plain.quote(entry.start, entry.end)
                    near = nearest(written, offers.choices, offers.fits)
                    if near is None and refused[0].code in _UNREAD:
                        example = offers.example
                tried += 1
                meant = near.order if near is not None else None
            given += meant is not None
            yield Item(
                self.plain.quote(entry.start, entry.end),
                caret=self._caret(entry),
                orders=stands,
                texts=tuple(map(self.tell, stands)),
                problems=found,
                suggestion=Suggestion(given, (meant,), self.tell(meant))
                if meant is not None
                else None,
                example=example,
            )

    def _meant(self, i: int, entry: Entry[Any]) -> Any:
        """What is asked back, or what the words may mean."""
        if i in self.endings or not self.suggests or entry.stands:
            return self.endings.get(i)
        return entry.suggested

    def _caret(self, entry: Entry[Any]) -> tuple[int, int] | None:
        """The trouble, by where it stands in what is quoted."""
        if entry.caret is None:
            return None
        start, end = self.plain.span(entry.start, entry.end)
        first, last = self.plain.span(entry.caret.start, entry.caret.end)
        return (first - start, last - start) if start <= first < last <= end else None

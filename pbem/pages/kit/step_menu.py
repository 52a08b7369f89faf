"""A menu that leads step by step to an order: what a game's own menu is built on.

Everything offered is an order that may be given now besides those that stand: what a player taps
is read and judged like words that were typed.
"""

import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, ClassVar, Generic, TypeVar

from engine.ruleset import Standing
from pbem.pages.dates import seen
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.page import Reader, Table
from pbem.pages.rendering import chat_words, phrase

ViewT = TypeVar("ViewT")
OrderT = TypeVar("OrderT")
ThingT = TypeVar("ThingT")
WORDS = "telegram/menu_words.j2"
WIDTH = 2
LINES = 6
"""The most lines of choices on a page."""
MOST_LOOKS, MOST_TAPS = 60, 10
"""What is sought for one order, and the longest way to it; further ways are sooner written."""
_WORD = re.compile(r"[^\W\d]+|\d+")


def in_lines(buttons: Sequence[MenuButton], width: int = WIDTH) -> list[Sequence[MenuButton]]:
    return [buttons[at : at + width] for at in range(0, len(buttons), width)]


def paged(
    lines: list[Sequence[MenuButton]], path: Path, page: int, most: int = LINES
) -> list[Sequence[MenuButton]]:
    """The lines of this page, and the ways to the pages before and behind it."""
    if len(lines) <= most:
        return lines
    last = (len(lines) - 1) // most
    page = min(page, last)
    turning = [
        MenuButton(phrase(WORDS, "page", to > page, to + 1, last + 1), (*path, f"+{to}"))
        for to in (page - 1, page + 1)
        if 0 <= to <= last
    ]
    return [*lines[page * most : (page + 1) * most], turning]


def page_in(path: Path) -> tuple[Path, int]:
    """The way up to a page, and which page it is."""
    if path and path[-1].startswith("+") and path[-1][1:].isdecimal():
        return path[:-1], int(path[-1][1:])
    return path, 0


def take(text: str, after: Path = ()) -> MenuButton:
    """The button that gives an order at the end of a way."""
    return MenuButton(phrase(WORDS, "take"), after, takes=text)


def number_in(path: Path, at: int) -> int | None:
    return int(path[at]) if len(path) > at and path[at].isdecimal() else None


Question = tuple[Callable[[Any], str], Callable[[str], str]]
"""What is chosen of things that differ in it, and the words on the button of a value."""


@dataclass(frozen=True)
class Walk(Generic[ThingT]):
    """How far a path leads among things: those that are `left`, the values `chosen`, and the path
    up to there. There are `buttons` while something is open; `rest` is the path behind it.
    """

    left: Sequence[ThingT]
    chosen: tuple[str, ...]
    path: Path
    buttons: Sequence[MenuButton] = ()
    rest: Path = ()

    @property
    def back(self) -> Path:
        return self.path[:-1]


def walk(
    path: Path,
    things: Sequence[ThingT],
    *questions: Question,
    at: int = 1,
    text: Callable[[ThingT], str] | None = None,
) -> Walk[ThingT]:
    """Choose among things by one question after the other, from this place of the path on. What
    has one answer is not asked. With `text` an answer that leaves one thing takes it.
    """
    left, chosen = things, list[str]()
    for of, label in questions:
        values = list(dict.fromkeys(map(of, left)))
        if len(path) > at and path[at] in values:
            chosen.append(path[at])
            at += 1
        elif len(values) == 1:
            chosen += values
        else:
            head = path[:at]
            buttons = []
            for value in values:
                first, *more = (thing for thing in left if of(thing) == value)
                takes = text(first) if text is not None and not more else ""
                buttons.append(MenuButton(label(value), () if takes else (*head, value), takes))
            return Walk(left, tuple(chosen), head, buttons, path[at:])
        left = [thing for thing in left if of(thing) == chosen[-1]]
    return Walk(left, tuple(chosen), path[:at], (), path[at:])


@dataclass(frozen=True)
class Shown:
    """Where a step is shown, and which page of its choices."""

    table: Table
    reader: Reader
    page: int = 0


@dataclass(frozen=True)
class Choices(ABC, Generic[ViewT, OrderT]):
    """What there is to choose from, and how a step of it looks; `at` is None where nobody looks:
    then a step has no words, and all its buttons on one page.
    """

    view: ViewT
    legal: Sequence[OrderT]
    standing: Standing[OrderT]
    at: Shown | None = None
    template: ClassVar[str]
    """The words of every step, by its `screen`."""

    @abstractmethod
    def text(self, order: OrderT) -> str:
        """The canonical text of an order."""

    @abstractmethod
    def entries(self) -> list[MenuButton]:
        """What can be begun now."""

    def values(self) -> dict[str, object]:
        """What the template needs besides the usual values."""
        return {}

    def root(self) -> MenuStep:
        return self.look("root", in_lines(self.entries()), None)

    def look(
        self,
        screen: str,
        lines: Sequence[Sequence[MenuButton]],
        back: Path | None,
        **facts: object,
    ) -> MenuStep:
        """A step; the way `back` from it is the last button."""
        last = () if back is None else ((MenuButton(phrase(WORDS, "back"), back),),)
        buttons = (*(tuple(line) for line in lines if line), *last)
        if self.at is None:
            return MenuStep("", buttons)
        table, reader = self.at.table, self.at.reader
        values: dict[str, object] = {
            "table": table,
            "reader": reader,
            "view": self.view,
            "screen": screen,
            "due": seen(table.deadline, table, reader),
            "stored": tuple(map(self.text, self.standing.orders)),
        }
        return MenuStep(chat_words(self.template, "", values | self.values() | facts), buttons)

    def pages(
        self, buttons: Sequence[MenuButton], path: Path, width: int = WIDTH
    ) -> list[Sequence[MenuButton]]:
        """The buttons of this page in lines, and the way to the next one where there are more."""
        lines = in_lines(buttons, width)
        return lines if self.at is None else paged(lines, path, self.at.page)

    def list_of(self, screen: str, orders: Iterable[OrderT]) -> MenuStep | None:
        """Orders by their own words, each asked about once."""
        texts = map(self.text, orders)
        buttons = [MenuButton(text, ("sure", text)) for text in texts]
        return self.look(screen, in_lines(buttons), ()) if buttons else None

    def sure(self, path: Path, orders: Iterable[OrderT], **facts: object) -> MenuStep | None:
        """What cannot be taken back is asked about once: what an entry leads to, or one of these
        orders.
        """
        offered = {button.path[1] for button in self.entries() if button.path[:1] == ("sure",)}
        if len(path) < 2 or path[1] not in offered.union(map(self.text, orders)):
            return None
        return self.look("sure", [[take(path[1])]], (), order=path[1], **facts)


@dataclass(frozen=True, slots=True)
class StepMenu:
    """Fulfils `MenuPages`. `choices(view, legal, standing, at)` are those of the game; `screens`
    make a step of its path, by the first word of it: None where it leads nowhere any more.
    """

    choices: Callable[..., Choices[Any, Any]]
    screens: Mapping[str, Callable[[Any, Path], MenuStep | None]]
    default_label: Callable[[Any], str]

    def step(
        self,
        table: Table,
        reader: Reader,
        view: Any,
        legal: Sequence[Any],
        standing: Standing[Any],
        path: Path,
    ) -> MenuStep:
        path, page = page_in(path)
        return self._look(self.choices(view, legal, standing, Shown(table, reader, page)), path)

    def _look(self, menu: Choices[Any, Any], path: Path) -> MenuStep:
        screen = self.screens.get(path[0]) if path else None
        found = screen(menu, path) if screen is not None else None
        return found if found is not None else menu.root()

    def way_to(self, text: str, view: Any, legal: Sequence[Any]) -> tuple[str, ...]:
        """The words of the buttons that lead to an order while nothing stands; () where few taps
        lead to none. Buttons that speak of the same things are tried first.
        """
        menu = self.choices(view, legal, Standing())
        said, met = set(_WORD.findall(text.lower())), {()}
        waiting: list[tuple[int, int, tuple[str, ...], Path]] = [(0, 0, (), ())]
        for _ in range(MOST_LOOKS):
            if not waiting:
                break
            *_, told, path = heappop(waiting)
            lines = self._look(menu, path).lines if path else (menu.entries(),)
            for button in itertools.chain(*lines):
                way = (*told, button.text.removeprefix("✓ ").removeprefix("• "))
                if button.takes == text:
                    return way
                if not button.takes and button.path not in met and len(way) < MOST_TAPS:
                    met.add(button.path)
                    words = _WORD.findall(" ".join(button.path).lower())
                    strange = sum(1 if word not in said else -1 for word in words)
                    heappush(waiting, (strange + len(way), len(met), way, button.path))
        return ()

    def entries(
        self, view: Any, legal: Sequence[Any], standing: Standing[Any]
    ) -> Sequence[MenuButton]:
        return self.choices(view, legal, standing).entries()

"""Menus for games in which every order that may be given can be tapped: one button an order, or
words one after the other.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.maps import Map
from engine.ruleset import Standing
from pbem.pages.kit.step_menu import WORDS, in_lines, page_in, paged
from pbem.pages.kit.usual import UsualPages
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.page import Reader, Table
from pbem.pages.rendering import phrase

MOST_BUTTONS = 24
"""What fits on a screen; of more there are pages."""
_TAPPED = "|"
"""Between words that are tapped at once."""


@dataclass(frozen=True)
class UsualMenu:
    """Fulfils `MenuPages`: one step with all that may be ordered now. `entry` leads there."""

    pages: UsualPages
    entry: str
    columns: int = 4

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
        texts = [self.pages.format_order(view, order) for order in legal]
        buttons = self.buttons(texts, view, standing, path)
        shown = paged(in_lines(buttons, self.columns), path, page, MOST_BUTTONS // self.columns)
        lines = (*shown, *self.back(path))
        return MenuStep(self.pages.menu(table, reader, view, standing), tuple(map(tuple, lines)))

    def buttons(
        self, texts: Sequence[str], view: Any, standing: Standing[Any], path: Path
    ) -> list[MenuButton]:
        """What can be chosen here; `texts` are all orders that may be given."""
        return [MenuButton(text, takes=text) for text in texts]

    def back(self, path: Path) -> Sequence[Sequence[MenuButton]]:
        """The last line: the way back."""
        return ()

    def entries(
        self, view: Any, legal: Sequence[Any], standing: Standing[Any]
    ) -> Sequence[MenuButton]:
        return (MenuButton(self.entry, (self.entry,)),) if legal else ()


@dataclass(frozen=True)
class MapMenu(UsualMenu):
    """The same for orders on a map, word by word: the piece, what it does, the place, the coast.
    The canonical texts of orders are cut at the names of places; what has one answer is not asked.
    """

    told: Map[Any] | None = None
    columns: int = 3

    @cached_property
    def _names(self) -> re.Pattern[str]:
        names = sorted(self.told.places if self.told else (), key=len, reverse=True)
        return re.compile(rf"({'|'.join(map(re.escape, names))})(/\w+)?(?!\w)")

    def words_of(self, text: str) -> tuple[str, ...]:
        """`Holm supports Lund to Far Sea` as what is tapped one after the other."""
        words: list[str] = []
        at = 0
        for found in self._names.finditer(text):
            name, coast = found.groups()
            words += [text[at : found.start()].strip(), name]
            if coast and self.told is not None:
                words.append(self.told.place(name).coasts[coast[1:]].name)
            at = found.end()
        return tuple(word for word in (*words, text[at:].strip()) if word)

    def buttons(
        self, texts: Sequence[str], view: Any, standing: Standing[Any], path: Path
    ) -> list[MenuButton]:
        stored = [self.words_of(self.pages.format_order(view, one)) for one in standing.orders]
        begun = _words(path)
        ways = self._begun(texts, begun) or self._begun(texts, begun := ())
        found: list[MenuButton] = []
        for word, ahead in _ahead(ways, len(begun)).items():
            if len(ahead) == 1 or not word:
                ((text, way),) = ahead.items()
                found.append(MenuButton(" ".join(way[len(begun) :]) or text, takes=text))
                continue
            to = (*begun, word)
            while len(further := _ahead(ahead, len(to))) == 1:
                to = (*to, *further)
            mark = "✓ " if any(way[: len(to)] == to for way in stored) else ""
            chosen = to[len(begun) :]
            way_here = path if begun else (self.entry,)
            found.append(MenuButton(mark + " ".join(chosen), (*way_here, _TAPPED.join(chosen))))
        return found

    def back(self, path: Path) -> Sequence[Sequence[MenuButton]]:
        return [[MenuButton(phrase(WORDS, "back"), path[:-1])]] if len(path) > 1 else ()

    def way_to(self, view: Any, order: Any, legal: Sequence[Any]) -> tuple[str, ...]:
        """The words of the buttons that lead to an order; () where one stands on a further page."""
        texts = [self.pages.format_order(view, one) for one in legal]
        text = self.pages.format_order(view, order)
        words, way = self.words_of(text), [self.entry]
        path: Path = (self.entry,)
        while text in texts:
            for button in self.buttons(texts, view, Standing(), path)[:MOST_BUTTONS]:
                leads = _words(button.path)
                if button.takes == text or (leads and words[: len(leads)] == leads):
                    way, path = [*way, button.text], button.path
                    break
            else:
                break
            if button.takes:
                return tuple(way)
        return ()

    def _begun(self, texts: Iterable[str], begun: Path) -> dict[str, tuple[str, ...]]:
        """The words of all texts that begin so."""
        ways = {text: self.words_of(text) for text in texts}
        return {text: way for text, way in ways.items() if way[: len(begun)] == begun}


def _words(path: Path) -> tuple[str, ...]:
    """What was tapped, word by word."""
    return tuple(word for tapped in path[1:] for word in tapped.split(_TAPPED))


def _ahead(ways: Mapping[str, tuple[str, ...]], at: int) -> dict[str, dict[str, tuple[str, ...]]]:
    """The ways by their word at this place; "" for one that ends before it."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for text, way in ways.items():
        found.setdefault(way[at] if at < len(way) else "", {})[text] = way
    return found

"""A menu for a game in which every order can have a button of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.ruleset import Standing
from pbem.pages.kit.usual import UsualPages
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.page import Reader, Table


@dataclass(frozen=True, slots=True)
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
        texts = [self.pages.format_order(view, order) for order in legal]
        buttons = [MenuButton(text, takes=text) for text in texts]
        lines = tuple(
            tuple(buttons[at : at + self.columns]) for at in range(0, len(buttons), self.columns)
        )
        return MenuStep(self.pages.menu(table, reader, view, standing), lines)

    def entries(
        self, view: Any, legal: Sequence[Any], standing: Standing[Any]
    ) -> Sequence[MenuButton]:
        return (MenuButton(self.entry, (self.entry,)),) if legal else ()

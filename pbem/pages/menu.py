"""Menus of orders: what a game's pages make of what a player may order, step by step, for buttons
below one message.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from engine.ruleset import Standing
from pbem.pages.page import Reader, Table

Path = tuple[str, ...]
"""Where somebody is in a menu: the words of the steps that led there; () is its beginning."""


@dataclass(frozen=True, slots=True)
class MenuButton:
    """It leads on to a step (`path`), or ends there: then `takes` is the canonical text of an
    order, and `path` where one is afterwards.
    """

    text: str
    path: Path = ()
    takes: str = ""


@dataclass(frozen=True, slots=True)
class MenuStep:
    """One look of the message: words for a chat (in its markup), and the buttons below, line by
    line.
    """

    chat: str
    lines: tuple[tuple[MenuButton, ...], ...]


class MenuPages(Protocol):
    """The menu of one game. `legal` is every single order that may be given now, `standing` what
    stands.
    """

    def step(
        self,
        table: Table,
        reader: Reader,
        view: Any,
        legal: Sequence[Any],
        standing: Standing[Any],
        path: Path,
    ) -> MenuStep:
        """The look of a step; of its beginning where the path leads nowhere (any more)."""
        ...

    def entries(
        self, view: Any, legal: Sequence[Any], standing: Standing[Any]
    ) -> Sequence[MenuButton]:
        """The ways into the menu, for the keyboard of a turn; one that `takes` an order gives it at
        the first tap.
        """
        ...


@runtime_checkable
class NamesDefault(Protocol):
    """A menu that has words of its own for what would be done if nothing were sent."""

    def default_label(self, view: Any) -> str:
        """What stands on the button that sends just that."""
        ...

"""What there is to choose from in the menu, and how a step of it looks."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.checking.messages import check
from engine.sovereigns.codes import COSTS
from engine.sovereigns.known import known_state
from engine.sovereigns.view import KingdomView, OwnView, TableView
from pbem.games.sovereigns.pages.cast import cast_of, order_text
from pbem.games.sovereigns.pages.odds import odds_line
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.notice import seen
from pbem.pages.page import Reader, Table
from pbem.pages.rendering import chat_words, phrase

TEMPLATE, WORDS = "sovereigns/chat_menu.j2", "sovereigns/chat_menu_words.j2"
WIDTH = 2
LINES = 6
"""So many lines of choices stand on a page."""


def label(name: str, *args: object) -> str:
    return phrase(WORDS, f"button_{name}", *args)


def in_lines(buttons: Sequence[MenuButton], width: int = WIDTH) -> list[Sequence[MenuButton]]:
    return [buttons[at : at + width] for at in range(0, len(buttons), width)]


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to choose from."""

    view: TableView
    legal: Sequence[o.Order]
    standing: Standing[o.Order]

    @property
    def own(self) -> OwnView:
        assert self.view.you is not None  # noqa: S101 - a menu is for one player
        return self.view.you

    @property
    def me(self) -> KingdomView:
        return self.view.kingdom(self.own.number)

    def stands(self, order: o.Order) -> bool:
        """Whether it would be taken as it is, beside what stands."""
        known = known_state(self.view)
        return not check(known, self.own.number, self.standing, (order,)).problems

    def text(self, order: o.Order) -> str:
        return order_text(self.view, order)

    def has(self, *sorts: type[o.Order]) -> bool:
        return any(isinstance(order, sorts) for order in self.legal)

    def actions(self, flow: str) -> list[o.Action]:
        """The rolled actions of a season, or those to be done instead of one taken back."""
        told = (
            (order.order for order in self.legal if isinstance(order, o.Redo))
            if flow == "redo"
            else self.legal
        )
        return [order.ways[0] for order in told if isinstance(order, o.Do)]

    @property
    def buildings(self) -> list[str]:
        return [code for code in COSTS if self.stands(o.Build(code))] if self.has(o.Build) else []

    @property
    def claimants(self) -> list[int]:
        """Whose claims wait for the reader's vote."""
        return [
            claimant
            for claimant, _ in self.view.claims
            if claimant not in self.own.voted and o.Vote(True, claimant) in self.legal
        ]

    @property
    def commands(self) -> list[o.Order]:
        kept = (
            (o.Forget("year"), self.own.every_year),
            (o.Forget("season"), self.own.every_season),
        )
        return [
            *(order for order in (o.Claim(), o.Abdicate()) if order in self.legal),
            *(order for order, standing in kept if standing is not None and order in self.legal),
        ]


@dataclass(frozen=True, slots=True)
class Menu(Choices):
    """Everything a step is made of."""

    table: Table
    reader: Reader
    page: int

    def look(
        self,
        screen: str,
        lines: Sequence[Sequence[MenuButton]],
        back: Path | None,
        **facts: object,
    ) -> MenuStep:
        values: dict[str, object] = {
            "table": self.table,
            "view": self.view,
            "c": cast_of(self.view, self.own.number),
            "screen": screen,
            "due": seen(self.table.deadline, self.table, self.reader),
            "stored": tuple(map(self.text, self.standing.orders)),
            "order": "",
            "chance": "",
        }
        last = () if back is None else ((MenuButton(label("back"), back),),)
        return MenuStep(
            chat_words(TEMPLATE, "", values | facts),
            (*(tuple(line) for line in lines if line), *last),
        )

    def pages(self, buttons: Sequence[MenuButton], path: Path) -> list[Sequence[MenuButton]]:
        """The buttons of this page in lines, and the way to the next one where there are more."""
        lines = in_lines(buttons)
        if len(lines) <= LINES:
            return lines
        last = (len(lines) - 1) // LINES
        page = min(self.page, last)
        turning = [
            MenuButton(label("page", to > page, to + 1, last + 1), (*path, f"+{to}"))
            for to in (page - 1, page + 1)
            if 0 <= to <= last
        ]
        return [*lines[page * LINES : (page + 1) * LINES], turning]

    def confirm(
        self, order: o.Order, lines: Sequence[Sequence[MenuButton]], back: Path
    ) -> MenuStep:
        """What the order says and what its chances are, before it is taken."""
        rolled = order.order if isinstance(order, o.Redo) else order
        chance = "" if isinstance(order, o.Redo) else odds_line(self.view, rolled)
        take = [MenuButton(label("take"), takes=self.text(order))]
        return self.look("confirm", [*lines, take], back, order=self.text(order), chance=chance)

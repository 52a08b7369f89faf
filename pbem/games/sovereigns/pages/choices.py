"""What there is to choose from in the menu."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.sovereigns import orders as o
from engine.sovereigns.checking.messages import check
from engine.sovereigns.codes import COSTS
from engine.sovereigns.known import known_state
from engine.sovereigns.view import KingdomView, OwnView, TableView
from pbem.games.sovereigns.pages.cast import cast_of, order_text
from pbem.games.sovereigns.pages.odds import odds_line
from pbem.pages.kit.step_menu import Choices, take
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.rendering import phrase

WORDS = "sovereigns/chat_menu_words.j2"
MOST_WAITING = 2
"""The most offers, and the most ballots, that the first tap answers."""
_VERBS: tuple[Literal["Accept", "Decline"], ...] = ("Accept", "Decline")


def label(name: str, *args: object) -> str:
    return phrase(WORDS, f"button_{name}", *args)


@dataclass(frozen=True)
class Menu(Choices[TableView, o.Order]):
    """What a ruler can choose from."""

    template = "sovereigns/chat_menu.j2"

    def text(self, order: o.Order) -> str:
        return order_text(self.view, order)

    def values(self) -> dict[str, object]:
        return {"c": cast_of(self.view, self.own.number), "order": "", "chance": ""}

    @property
    def own(self) -> OwnView:
        assert self.view.you is not None  # noqa: S101 - a menu is for one player
        return self.view.you

    @property
    def me(self) -> KingdomView:
        return self.view.kingdom(self.own.number)

    def stands(self, order: o.Order) -> bool:
        """Whether it would be taken as it is, with what stands."""
        known = known_state(self.view)
        return not check(known, self.own.number, self.standing, (order,)).problems

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

    def confirm(
        self, order: o.Order, lines: Sequence[Sequence[MenuButton]], back: Path
    ) -> MenuStep:
        """What the order says and what its chances are, before it is taken."""
        rolled = order.order if isinstance(order, o.Redo) else order
        chance = "" if isinstance(order, o.Redo) else odds_line(self.view, rolled)
        text = self.text(order)
        return self.look("confirm", [*lines, [take(text)]], back, order=text, chance=chance)

    def entries(self) -> list[MenuButton]:
        """What can be begun now."""
        found: list[MenuButton] = list(self._waiting())

        def add(name: str, is_there: object, *path: str) -> None:
            if is_there:
                found.append(MenuButton(label("entry", name), path or (name,)))

        if self.view.you is None:
            return found
        orders, season = self.standing.orders, self.view.stage == "season"
        add("redo", self.has(o.Redo))
        add("split", self.has(o.Split))
        add("act", self.actions("act"))
        add("year", self.has(o.Year) and not season)
        add("build", self.buildings)
        add("camp", o.Camp() in self.legal and self.stands(o.Camp()), "sure", "Camp")
        add("propose", self.has(o.Propose))
        add("trade", season and self.has(o.Offer))
        add("year ahead", season and self.has(o.Year), "year")
        add("vote", self.claimants)
        add("object", self.has(o.Object))
        add("pass", season and o.Pass() in self.legal and o.Pass() not in orders, "sure", "Pass")
        add("done", season and orders and o.Done() in self.legal, "sure", "Done")
        add("back", orders, "sure", "Cancel all")
        add("table", self.commands)
        return found

    def _waiting(self) -> Iterator[MenuButton]:
        """What waits for one word: the first offers to the reader, and the ballots (SS-12.12)."""
        if self.view.you is None:
            return
        for one in [one for one in self.own.offers if one.taker == self.own.number][:MOST_WAITING]:
            for verb in _VERBS:
                answer = o.Answer(verb, one.id)
                if answer in self.legal and self.stands(answer):
                    yield MenuButton(label("reply", verb, one.id), takes=self.text(answer))
        yield from self.votes(self.claimants[:MOST_WAITING])

    def votes(self, claimants: Sequence[int]) -> Iterator[MenuButton]:
        for claimant in claimants:
            for yes in (True, False):
                words = label("vote", yes, self.view.kingdom(claimant))
                yield MenuButton(words, takes=self.text(o.Vote(yes, claimant)))

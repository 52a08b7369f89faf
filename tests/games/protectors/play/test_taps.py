"""The buttons a correspondent looks for lead to the very order that was meant, in the real menu."""

import pytest

from engine.protectors import orders as o
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import Stage, State
from engine.protectors.view_of import view_of
from engine.ruleset import Standing
from pbem.games.protectors.pages.menu import MENU
from pbem.games.protectors.play.phrasing import names_of
from pbem.games.protectors.play.taps import taps_of
from pbem.pages.menu import MenuButton
from tests.games.protectors.pages.sample import table
from tests.games.protectors.play.positions import landed
from tests.pages.sample import reader

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")


def tapped(state: State, steps: tuple[str, ...]) -> str:
    """The order that these taps end in."""
    view, legal, standing = (
        view_of(state, 1),
        tuple(PROTECTORS.legal(state, 1)),
        Standing[o.Order](),
    )
    buttons = list(MENU.entries(view, legal, standing))
    last: MenuButton | None = None
    for step in steps:
        words = step.removesuffix("?")
        found = next(
            (button for button in buttons if button.text.removeprefix("• ") == words), None
        )
        found = found or next(
            (button for button in buttons if button.text.startswith(f"{words} ")), None
        )
        if found is None:
            assert step.endswith("?"), (
                f"{step!r} is not among {[button.text for button in buttons]}"
            )
            continue
        last = found
        if not found.takes:
            buttons = [
                button
                for line in MENU.step(table(), reader(1), view, legal, standing, found.path).lines
                for button in line
            ]
    assert last is not None
    return last.takes


@pytest.mark.parametrize("stage", ["orders", "dragon"])
def test_every_way_through_the_menu_ends_in_its_order(stage: Stage) -> None:
    state = landed(NAMES, stage)
    names = names_of(view_of(state, 1).players)
    kinds = set()
    for order in PROTECTORS.legal(state, 1):
        if steps := taps_of(order, names):
            assert tapped(state, steps) == o.format_order(
                order, {number: named.name for number, named in names.items()}
            )
            kinds.add(type(order))
    assert kinds == (
        {o.Fortify, o.March, o.Support, o.Work, o.Hold} if stage == "orders" else {o.Commit}
    )


def test_what_has_no_way_of_its_own_is_written() -> None:
    assert taps_of(o.Bid(17), {}) == ()
    assert taps_of(o.March(30, 1, 2), {}) == ()

"""Somebody who taps through a menu as they read its buttons."""

from typing import Any

from engine.ruleset import Standing
from pbem.pages.menu import MenuButton, MenuPages
from pbem.play import Seen
from tests.pages.sample import reader, table


def tapped(menu: MenuPages, seen: Seen, steps: tuple[str, ...]) -> str:
    """The order that these taps end in: each the words of a button. What is on a further page is
    looked for there.
    """
    standing: Standing[Any] = Standing()
    buttons, taken = list(menu.entries(seen.view, seen.legal, standing)), ""

    def tap(button: MenuButton) -> list[MenuButton]:
        at, who = table(), reader(seen.number)
        look = menu.step(at, who, seen.view, seen.legal, standing, button.path)
        return [button for line in look.lines for button in line]

    for step in steps:
        found = _found(buttons, step)
        page = 1
        while found is None and (
            further := next((each for each in buttons if each.path[-1:] == (f"+{page}",)), None)
        ):
            buttons, page = tap(further), page + 1
            found = _found(buttons, step)
        assert found is not None, f"{step!r} is not among {[button.text for button in buttons]}"
        taken = found.takes
        if not taken:
            buttons = tap(found)
    return taken


def _found(buttons: list[MenuButton], words: str) -> MenuButton | None:
    return next((b for b in buttons if b.text.removeprefix("• ") == words), None)

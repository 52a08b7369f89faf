"""Somebody who taps through a menu as they read its buttons."""

import random
from typing import Any

from engine.ruleset import Standing
from pbem.pages.menu import MenuButton, MenuPages, MenuStep, Path
from pbem.play import Seen
from pbem.telegram.text import TEXT_LIMIT, is_sound, length_of
from tests.pages.sample import reader, table

LONGEST_BUTTON, WIDEST_LINE = 64, 8


def buttons_of(look: MenuStep) -> list[MenuButton]:
    return [button for line in look.lines for button in line]


def texts_of(look: MenuStep) -> list[str]:
    return [button.text for button in buttons_of(look)]


def taken_in(*looks: MenuStep) -> list[str]:
    """The orders at whose buttons a way ends."""
    return [button.takes for look in looks for button in buttons_of(look) if button.takes]


def steps_of(
    menu: MenuPages,
    seen: Seen,
    standing: Standing[Any],
    most: int,
    rng: random.Random | None = None,
) -> dict[Path, MenuStep]:
    """The steps that taps lead to, up to so many, one after the other or at random. A chat can show
    each, and no button leads to where it stands.
    """
    entries = menu.entries(seen.view, seen.legal, standing)
    waiting: list[Path] = [(), *(button.path for button in entries)]
    found: dict[Path, MenuStep] = {}
    while waiting and len(found) < most:
        path = waiting.pop(rng.randrange(len(waiting)) if rng is not None else 0)
        if path in found:
            continue
        look = menu.step(table(), reader(seen.number), seen.view, seen.legal, standing, path)
        found[path] = look
        assert is_sound(look.chat), look.chat
        assert 0 < length_of(look.chat) <= TEXT_LIMIT
        assert "Undefined" not in look.chat
        assert all(0 < len(line) <= WIDEST_LINE for line in look.lines)
        for button in buttons_of(look):
            assert 0 < len(button.text.strip()) <= LONGEST_BUTTON, button.text
            assert button.takes or button.path != path or button.text.startswith("• "), path
            waiting.append(button.path)
    return found


def tapped(menu: MenuPages, seen: Seen, steps: tuple[str, ...]) -> str:
    """The order that these taps end in: each the words of a button. What is on a further page is
    looked for there.
    """
    standing: Standing[Any] = Standing()
    buttons, taken = list(menu.entries(seen.view, seen.legal, standing)), ""

    def tap(button: MenuButton) -> list[MenuButton]:
        at, who = table(), reader(seen.number)
        return buttons_of(menu.step(at, who, seen.view, seen.legal, standing, button.path))

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

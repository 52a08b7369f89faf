"""The menu of rolled actions: which, against whom, with how many points and what else; and what a
discovery becomes.
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from engine.sovereigns import orders as o
from engine.sovereigns.codes import ACTIONS, ATTRIBUTES, COSTS
from engine.sovereigns.seasons.effects import SPARED
from pbem.games.sovereigns.pages.choices import WORDS, Menu, label
from pbem.pages.kit.step_menu import in_lines, walk
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.rendering import phrase

NUMBERS_IN_A_LINE = 6
USUAL_POINTS = 2
"""What an action is shown with at first (SS-12.10)."""
CODES = (
    *(f"STAT-ROLL {attribute}" for attribute in ATTRIBUTES),
    *(f"STAT-DEF {attribute}" for attribute in ATTRIBUTES),
    "STAT-YEAR",
    "STAT-CALM",
    "STAT-DEPL",
    *COSTS,
    *(f"STAT-ACT {action}" for action in ACTIONS),
)
"""What a discovery can become by a tap; what is ahead of its time is written (SS-7.6, SS-7.7)."""
ALONE = "-"


def _kind(way: o.Action) -> str:
    return f"Increase {way.raises}" if way.kind == "Increase" else way.kind


def act(menu: Menu, path: Path) -> MenuStep | None:
    """Which action, against whom, with how many points and what else."""
    flow = path[0]
    ways = menu.actions(flow)
    pass_it = [MenuButton(label("entry", "pass"), ("sure", "Redo: Pass"))] if flow == "redo" else []
    if not ways and not pass_it:
        return None
    way = walk(
        path,
        ways,
        (_kind, lambda kind: label("action", kind)),
        (_target, lambda number: label("kingdom", menu.view.kingdom(int(number)))),
    )
    if way.buttons and way.chosen:
        buttons = menu.pages(way.buttons, way.path)
        return menu.look("target", buttons, way.back, action=way.chosen[0])
    if way.buttons or not ways:
        buttons = menu.pages([*way.buttons, *pass_it], (flow,))
        return menu.look("act", buttons, (), again=flow == "redo")
    return _points(menu, way.left, way.path, way.rest, way.back)


def _target(way: o.Action) -> str:
    return ALONE if way.target is None else str(way.target)


def _points(
    menu: Menu, ways: Sequence[o.Action], head: Path, told: Path, back: Path
) -> MenuStep | None:
    """With how many points, and with what else; the numbers to choose from stand below."""
    by_points = {str(way.points): way for way in ways}
    chosen = told[0] if told and told[0] in by_points else list(by_points)[:USUAL_POINTS][-1]
    way, extras = by_points[chosen], dict(part.partition("=")[::2] for part in told[1:])
    options = _options(menu, way) if head[0] == "act" else {}
    if way.kind == "Research" and extras.get("code") == "?":
        heading = (*head, chosen, *_parts(extras, code=""))
        return _codes(
            menu,
            lambda code: MenuButton(label("code", code), (*heading, f"code={code}")),
            (*heading, "code=?"),
            heading,
        )
    for word, values in options.items():
        if (value := extras.get(word, values[0])) in values:
            way = _with(way, word, value)
    if extras.get("code") in CODES:
        way = _with(way, "code", extras["code"])
    numbers = [
        MenuButton(label("points", points, points == chosen), (*head, points, *told[1:]))
        for points in by_points
    ]
    lines = in_lines(numbers, NUMBERS_IN_A_LINE)[:2] if len(numbers) > 1 else []
    switches = [
        MenuButton(
            label("option", word, extras.get(word, values[0])),
            (*head, chosen, *_parts(extras, **{word: _next(values, extras.get(word, ""))})),
        )
        for word, values in options.items()
        if len(values) > 1
    ]
    if way.kind == "Research" and head[0] == "act":
        switches.append(
            MenuButton(
                label("technology", extras.get("code", "")),
                (*head, chosen, *_parts(extras, code="?")),
            )
        )
    order = o.Do((way,))
    return menu.confirm(
        o.Redo(order) if head[0] == "redo" else order, [*lines, *in_lines(switches)], back
    )


def _parts(extras: Mapping[str, str], **changes: str) -> Path:
    """The choices apart from the points, as the end of a path."""
    return tuple(f"{word}={value}" for word, value in {**extras, **changes}.items() if value)


def _next(values: Sequence[str], now: str) -> str:
    at = values.index(now) if now in values else 0
    return values[(at + 1) % len(values)]


def _options(menu: Menu, way: o.Action) -> dict[str, list[str]]:
    """What may be said besides, each with its values in turn."""
    own, found = menu.own, dict[str, list[str]]()
    worn = own.ex.R - own.depleted if way.attribute == "R" else 0
    if worn > 0:
        found["deplete"] = [str(n) for n in range(0 if way.points else 1, worn + 1)]
    if own.boons:
        found["boon"] = ["", "yes"]
    works = f"BLD-WORKS {way.attribute}"
    if works not in own.used and any(built.code == works for built in menu.me.buildings):
        found["works"] = ["", "yes"]
    if way.target is not None:
        other = menu.view.kingdom(way.target)
        burnt = [built.code for built in other.buildings if not built.lasting]
        mine = {name for name, _ in menu.me.tech}
        sought = [name for name, _ in other.tech if name not in mine]
        if way.kind == "Attack" and burnt:
            found["burn"] = ["", *burnt, SPARED]
        if way.kind == "Espionage" and sought:
            found["seek"] = ["", *sought]
    return found


def _with(way: o.Action, word: str, value: str) -> o.Action:
    match word:
        case "deplete":
            return replace(way, depleted=int(value))
        case "code":
            return replace(way, proposal=_proposal(value))
        case "burn":
            return replace(way, burn=value)
        case "seek":
            return replace(way, seek=value)
        case "boon":
            return replace(way, boon=bool(value))
    return replace(way, works=bool(value))


def _proposal(code: str) -> o.Proposal:
    return o.Proposal(phrase(WORDS, "technology", code), code)


def _codes(menu: Menu, take: Callable[[str], MenuButton], path: Path, back: Path) -> MenuStep:
    """Everything that a discovery can become by a tap."""
    return menu.look("codes", menu.pages([take(code) for code in CODES], path), back)


def propose(menu: Menu, path: Path) -> MenuStep | None:
    """What an open discovery becomes (SS-7.5)."""
    if not menu.has(o.Propose):
        return None
    if len(path) > 1 and path[1] in CODES:
        return menu.confirm(o.Propose(_proposal(path[1])), [], ("propose",))
    return _codes(
        menu,
        lambda code: MenuButton(label("code", code), ("propose", code)),
        ("propose",),
        (),
    )

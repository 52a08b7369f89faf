"""The menu of States & Sovereigns: a split, the Harmony roll, an action with its target and points,
buildings, trades, votes, objections (SS-12.12).
"""

from collections.abc import Callable, Mapping

from engine.sovereigns import orders as o
from engine.sovereigns.codes import COSTS
from engine.sovereigns.known import known_state
from engine.sovereigns.seasons.seasons import plan_for
from engine.sovereigns.setup import LEAST, START_SUM
from pbem.games.sovereigns.pages.action_menu import act, propose
from pbem.games.sovereigns.pages.choices import Menu, label
from pbem.games.sovereigns.pages.odds import odds_line
from pbem.games.sovereigns.pages.trade_menu import deal, offer, trade
from pbem.pages.kit.step_menu import StepMenu, in_lines
from pbem.pages.menu import MenuButton, MenuStep, Path

SPLITS = ((3, 3, 3), (4, 3, 2), (4, 2, 3), (3, 4, 2), (2, 4, 3), (2, 3, 4), (3, 2, 4), (5, 2, 2))


# ---------------------------------------------------------------------- set-up and the year start
def _split(menu: Menu, path: Path) -> MenuStep | None:
    """Splits that many like, or any other: Resources, then Military (SS-1.2)."""
    if not menu.has(o.Split):
        return None
    kept = next((order.name for order in menu.standing.orders if isinstance(order, o.Split)), "")

    def take(numbers: tuple[int, int, int]) -> MenuButton:
        return MenuButton(label("split", numbers), takes=menu.text(o.Split(*numbers, kept)))

    if len(path) < 2 or path[1] not in map(str, range(LEAST, START_SUM - 2 * LEAST + 1)):
        others = [
            MenuButton(label("resources", n), ("split", str(n)))
            for n in range(LEAST, START_SUM - 2 * LEAST + 1)
        ]
        lines = [*in_lines([take(numbers) for numbers in SPLITS], 4), *in_lines(others, 4)]
        return menu.look("split", lines, (), resources=0, kept=kept)
    resources = int(path[1])
    rest = START_SUM - resources
    buttons = [take((resources, n, rest - n)) for n in range(LEAST, rest - LEAST + 1)]
    return menu.look("split", in_lines(buttons, 4), ("split",), resources=resources, kept=kept)


def _year(menu: Menu, path: Path) -> MenuStep | None:
    """How many dice, or fear (SS-4.2, SS-4.8)."""
    orders = [order for order in menu.legal if isinstance(order, o.Year)]
    if not orders:
        return None
    named = {"fear" if (way := order.ways[0]).fear else str(way.points): order for order in orders}
    if len(path) > 1 and path[1] in named:
        order = named[path[1]]
        always = MenuButton(label("every_year"), takes=menu.text(o.Every(order)))
        return menu.confirm(order, [[always]], ("year",))
    buttons = [
        MenuButton(label("dice", int(name)), ("year", name)) for name in named if name != "fear"
    ]
    fear = [MenuButton(label("fear"), ("year", "fear"))] if "fear" in named else []
    chances = [
        (int(name), odds_line(menu.view, order)) for name, order in named.items() if name != "fear"
    ]
    lines = [*menu.pages(buttons, ("year",)), fear]
    return menu.look("year", lines, (), chances=chances, harmony=menu.me.total.H)


def _build(menu: Menu, path: Path) -> MenuStep | None:
    known, buttons = known_state(menu.view), []
    for code in menu.buildings:
        plan = plan_for(known, menu.own.number, code)
        cost = plan[0] if plan is not None else COSTS[code]
        buttons.append(MenuButton(label("building", code, cost), takes=menu.text(o.Build(code))))
    return menu.look("build", menu.pages(buttons, ("build",)), ()) if buttons else None


def _vote(menu: Menu, path: Path) -> MenuStep | None:
    buttons = list(menu.votes(menu.claimants))
    return menu.look("vote", menu.pages(buttons, ("vote",)), ()) if buttons else None


def _object(menu: Menu, path: Path) -> MenuStep | None:
    """Which action of last season; the reason may be written instead (SS-10.3)."""
    players = {n: player for n, player, _, _ in menu.view.actions}
    numbers = [order.action for order in menu.legal if isinstance(order, o.Object)]
    if len(path) > 1 and path[1] in map(str, numbers):
        return menu.confirm(o.Object(int(path[1]), label("reason")), [], ("object",))
    buttons = [
        MenuButton(label("played", n, menu.view.kingdom(players[n])), ("object", str(n)))
        for n in numbers
    ]
    return menu.look("object", menu.pages(buttons, ("object",)), ()) if buttons else None


_SCREENS: Mapping[str, Callable[[Menu, Path], MenuStep | None]] = {
    "split": _split,
    "year": _year,
    "act": act,
    "redo": act,
    "propose": propose,
    "build": _build,
    "trade": trade,
    "offer": offer,
    "deal": deal,
    "vote": _vote,
    "object": _object,
    "table": lambda menu, _: menu.list_of("table", menu.commands),
    "sure": lambda menu, path: menu.sure(path, (*menu.commands, *menu.legal)),
}
MENU = StepMenu(Menu, _SCREENS, lambda view: label("default", view.stage))

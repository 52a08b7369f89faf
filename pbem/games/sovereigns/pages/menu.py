"""The menu of States & Sovereigns: a split, the Harmony roll, an action with its target and points,
buildings, trades, votes, objections (SS-12.12).

Everything offered is an order that may be given now beside those that stand: whatever a player taps
is read and judged like words that were typed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.codes import COSTS
from engine.sovereigns.known import known_state
from engine.sovereigns.seasons.seasons import plan_for
from engine.sovereigns.setup import LEAST, START_SUM
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.pages.acting import act, propose
from pbem.games.sovereigns.pages.bargaining import deal, offer, trade
from pbem.games.sovereigns.pages.choices import Choices, Menu, in_lines, label
from pbem.games.sovereigns.pages.odds import odds_line
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.page import Reader, Table

MOST_WAITING = 2
"""So many offers, and so many ballots, are answered by the first tap."""
_VERBS: tuple[Literal["Accept", "Decline"], ...] = ("Accept", "Decline")
SPLITS = ((3, 3, 3), (4, 3, 2), (4, 2, 3), (3, 4, 2), (2, 4, 3), (2, 3, 4), (3, 2, 4), (5, 2, 2))


class SovereignsMenu:
    """The port `MenuPages`."""

    def step(
        self,
        table: Table,
        reader: Reader,
        view: TableView,
        legal: Sequence[o.Order],
        standing: Standing[o.Order],
        path: Path,
    ) -> MenuStep:
        page = 0
        if path and path[-1].startswith("+") and path[-1][1:].isdecimal():
            page, path = int(path[-1][1:]), path[:-1]
        menu = Menu(view, legal, standing, table, reader, page)
        screen = _SCREENS.get(path[0]) if path else None
        found = screen(menu, path) if screen is not None else None
        return found if found is not None else menu.look("root", in_lines(_entries(menu)), None)

    def entries(
        self, view: TableView, legal: Sequence[o.Order], standing: Standing[o.Order]
    ) -> Sequence[MenuButton]:
        return _entries(Choices(view, legal, standing))

    def default_label(self, view: TableView) -> str:
        return label("default", view.stage)


def _entries(offer: Choices) -> list[MenuButton]:
    """What can be begun now."""
    found: list[MenuButton] = list(_waiting(offer))

    def add(name: str, is_there: object, *path: str) -> None:
        if is_there:
            found.append(MenuButton(label("entry", name), path or (name,)))

    if offer.view.you is None:
        return found
    orders, season = offer.standing.orders, offer.view.stage == "season"
    add("redo", offer.has(o.Redo))
    add("split", offer.has(o.Split))
    add("act", offer.actions("act"))
    add("year", offer.has(o.Year) and not season)
    add("build", offer.buildings)
    add("camp", o.Camp() in offer.legal and offer.stands(o.Camp()), "sure", "Camp")
    add("propose", offer.has(o.Propose))
    add("trade", season and offer.has(o.Offer))
    add("year ahead", season and offer.has(o.Year), "year")
    add("vote", offer.claimants)
    add("object", offer.has(o.Object))
    add("pass", season and o.Pass() in offer.legal and o.Pass() not in orders, "sure", "Pass")
    add("done", season and orders and o.Done() in offer.legal, "sure", "Done")
    add("back", orders, "sure", "Cancel all")
    add("table", offer.commands)
    return found


def _waiting(offer: Choices) -> Iterator[MenuButton]:
    """What waits for one word: the first offers to the reader, and the ballots (SS-12.12)."""
    if offer.view.you is None:
        return
    for one in [one for one in offer.own.offers if one.taker == offer.own.number][:MOST_WAITING]:
        for verb in _VERBS:
            answer = o.Answer(verb, one.id)
            if answer in offer.legal and offer.stands(answer):
                yield MenuButton(label("reply", verb, one.id), takes=offer.text(answer))
    yield from _votes(offer, offer.claimants[:MOST_WAITING])


def _votes(offer: Choices, claimants: Sequence[int]) -> Iterator[MenuButton]:
    for claimant in claimants:
        for yes in (True, False):
            words = label("vote", yes, offer.view.kingdom(claimant))
            yield MenuButton(words, takes=offer.text(o.Vote(yes, claimant)))


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
    buttons = list(_votes(menu, menu.claimants))
    return menu.look("vote", menu.pages(buttons, ("vote",)), ()) if buttons else None


def _object(menu: Menu, path: Path) -> MenuStep | None:
    """Which action of last season; the reason may be written instead (SS-10.3)."""
    players = dict(menu.view.actions)
    numbers = [order.action for order in menu.legal if isinstance(order, o.Object)]
    if len(path) > 1 and path[1] in map(str, numbers):
        return menu.confirm(o.Object(int(path[1]), label("reason")), [], ("object",))
    buttons = [
        MenuButton(label("played", n, menu.view.kingdom(players[n])), ("object", str(n)))
        for n in numbers
    ]
    return menu.look("object", menu.pages(buttons, ("object",)), ()) if buttons else None


def _table(menu: Menu, path: Path) -> MenuStep | None:
    buttons = [
        MenuButton(label("command", menu.text(order)), ("sure", menu.text(order)))
        for order in menu.commands
    ]
    return menu.look("table", in_lines(buttons), ()) if buttons else None


def _sure(menu: Menu, path: Path) -> MenuStep | None:
    """What ends something is asked about once."""
    offered = {button.path[1] for button in _entries(menu) if button.path[:1] == ("sure",)}
    offered |= {menu.text(order) for order in (*menu.commands, *menu.legal)}
    if len(path) < 2 or path[1] not in offered:
        return None
    return menu.look("sure", [[MenuButton(label("take"), takes=path[1])]], (), order=path[1])


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
    "table": _table,
    "sure": _sure,
}
MENU = SovereignsMenu()

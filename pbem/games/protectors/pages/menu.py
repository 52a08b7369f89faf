"""The menu of orders of Protectors of the Realm: a province, what it does, where to, how many; bids
and commitments by steps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.protectors import orders as o
from engine.protectors.numbers import UNIT_COST
from engine.protectors.orders import Order, format_order, format_province, ordered_province
from engine.protectors.view import TableView
from engine.ruleset import Standing
from pbem.games.protectors.pages.cast import Cast, cast_of
from pbem.games.protectors.pages.facts import own_rows
from pbem.games.protectors.pages.receipt import money_beside
from pbem.pages.kit.step_menu import Choices, Shown, StepMenu, in_lines, number_in, take
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.rendering import phrase

WORDS = "protectors/chat_menu_words.j2"
NUMBERS_IN_A_LINE = 5
MANY = 6
"""From this many provinces on they stand in a list of their own."""
FEW = 10
"""Up to this many units each has a button of its own; more are counted by steps."""
AMOUNTS: tuple[str, ...] = ("bid", "buy", "send", "use", "fire", "commit")


def _label(name: str, *args: object) -> str:
    return phrase(WORDS, f"button_{name}", *args)


@dataclass(frozen=True)
class Menu(Choices[TableView, Order]):
    """What a player can choose from."""

    template = "protectors/chat_menu.j2"

    @cached_property
    def cast(self) -> Cast:
        return cast_of(self.view, self.view.you.number if self.view.you is not None else None)

    @cached_property
    def names(self) -> dict[int, str]:
        return {player.number: player.name for player in self.view.players}

    def text(self, order: Order) -> str:
        return format_order(order, self.names)

    def values(self) -> dict[str, object]:
        return {"c": self.cast, "is_final": self.standing.final}

    def on_province(self, province: int) -> list[Order]:
        return [order for order in self.legal if ordered_province(order) == province]

    def place(self, province: int) -> str:
        return "Island" if province == o.ISLAND else format_province(province)

    def ordered(self, province: int) -> Order | None:
        return next(
            (order for order in self.standing.orders if ordered_province(order) == province), None
        )

    def entries(self) -> list[MenuButton]:
        """Many provinces stand in a list of their own."""
        buttons = self.everything()
        others = [button for button in buttons if button.path[0] != "p"]
        if len(buttons) - len(others) < MANY:
            return buttons
        return [MenuButton(_label("my_provinces"), ("mine",)), *others]

    def everything(self) -> list[MenuButton]:
        """Provinces first, then money, then the rest: once a kind, and the rare ones each by its
        own words.
        """
        ordered = {ordered_province(order) for order in self.standing.orders}
        committed = {
            order.province for order in self.standing.orders if isinstance(order, o.Commit)
        }
        found: dict[Path, str] = {}
        for order in self.legal:
            match order:
                case (
                    o.Fortify(province=p)
                    | o.March(origin=p)
                    | o.Support(origin=p)
                    | o.Work(province=p)
                    | o.Hold(province=p)
                ):
                    found.setdefault(
                        ("p", str(p)), _label("province", format_province(p), p in ordered)
                    )
                case o.Commit(province=p):
                    found.setdefault(
                        ("commit", str(p)), _label("commit", format_province(p), p in committed)
                    )
                case o.Bid():
                    found.setdefault(("bid",), _label("bid"))
                case o.Buy(province=p):
                    found.setdefault(("buy", str(p)), _label("buy", format_province(p)))
                case o.Send():
                    found.setdefault(("send",), _label("send"))
                case o.Snitch():
                    found.setdefault(("snitch",), _label("snitch"))
                case o.Use(mate=mate):
                    found.setdefault(("use", str(mate)), _label("use", self.names[mate]))
                case o.Fire():
                    found.setdefault(("fire",), _label("fire"))
                case o.Cancel() | o.Final():
                    continue
                case _:
                    text = self.text(order)
                    found.setdefault(("sure", text), text)
        return [MenuButton(text, path) for path, text in found.items()]

    def root(self) -> MenuStep:
        lines = in_lines(self.everything())
        if self.standing.orders and not self.standing.final and o.Final() in self.legal:
            lines.append([MenuButton(_label("final"), ("sure", self.text(o.Final())))])
        return self.look("root", lines, None)


def _mine(menu: Menu, path: Path) -> MenuStep | None:
    """Every province that takes an order, with what stands there."""
    buttons = [button for button in menu.everything() if button.path[0] == "p"]
    lines = in_lines(buttons)
    return menu.look("mine", lines, (), mine=own_rows(menu.view, menu.cast)) if buttons else None


def _province(menu: Menu, path: Path) -> MenuStep | None:
    province = number_in(path, 1)
    legal = menu.on_province(province) if province is not None else []
    if province is None or not legal:
        return None
    if len(path) > 2:
        further = {"march": _march, "support": _support}.get(path[2])
        return further(menu, path, province, legal) if further is not None else None
    lines: list[list[MenuButton]] = []
    for kind, name in ((o.Fortify, "fortify"), (o.Work, "work")):
        line = [
            MenuButton(_label(name, order.golden), takes=menu.text(order))
            for order in legal
            if isinstance(order, o.Fortify | o.Work) and isinstance(order, kind)
        ]
        lines.append(line)
    leading = [(o.March, "march"), (o.Support, "support")]
    lines.insert(
        1,
        [
            MenuButton(_label(name), (*path, name))
            for kind, name in leading
            if any(isinstance(x, kind) for x in legal)
        ],
    )
    last = [
        MenuButton(_label("hold"), takes=menu.text(order))
        for order in legal
        if isinstance(order, o.Hold)
    ]
    if menu.ordered(province) is not None and o.Cancel(province) in menu.legal:
        last.append(MenuButton(_label("take_back"), takes=menu.text(o.Cancel(province))))
    return menu.look(
        "province", [*lines, last], (), row=menu.view.province(province), place=menu.place(province)
    )


def _march(menu: Menu, path: Path, province: int, legal: list[Order]) -> MenuStep | None:
    marches = [order for order in legal if isinstance(order, o.March)]
    target = number_in(path, 3)
    if target is None:
        targets = list(dict.fromkeys(order.target for order in marches))
        buttons = [MenuButton(_target(menu, place), (*path[:3], str(place))) for place in targets]
        lines = in_lines(buttons)
        return menu.look("march", lines, path[:2], place=menu.place(province))
    here = [order for order in marches if order.target == target]
    if not here:
        return None
    most = max(order.units for order in here)
    units = min(number_in(path, 4) or most, most)
    golden, delayed = "golden" in path[5:], "delayed" in path[5:]
    if not any(order.golden == golden and order.delayed == delayed for order in here):
        golden, delayed = here[0].golden, here[0].delayed

    def to(n: int, gold: bool, late: bool) -> Path:
        return (*path[:4], str(n), *(("golden",) if gold else ()), *(("delayed",) if late else ()))

    lines = _counting(menu, units, 1, most, lambda n: to(n, golden, delayed))
    toggles = []
    if any(order.golden != golden and order.delayed == delayed for order in here):
        toggles.append(MenuButton(_label("golden", golden), to(units, not golden, delayed)))
    if any(order.delayed != delayed and order.golden == golden for order in here):
        toggles.append(MenuButton(_label("delayed", delayed), to(units, golden, not delayed)))
    march = o.March(units, province, target, golden, delayed)
    last = [take(menu.text(march))] if march in here else []
    goal = menu.view.province(target)
    return menu.look(
        "march-units",
        [*lines, toggles, last],
        path[:3],
        place=menu.place(province),
        goal=goal,
        there=menu.place(target),
        order=menu.text(march),
    )


def _target(menu: Menu, place: int) -> str:
    row = menu.view.province(place)
    owner = "" if row.owner is None else menu.view.player(row.owner).name
    is_mine = menu.view.you is not None and row.owner == menu.view.you.number
    return _label("target", menu.place(place), owner, row.units, is_mine)


def _support(menu: Menu, path: Path, province: int, legal: list[Order]) -> MenuStep | None:
    supports = [order for order in legal if isinstance(order, o.Support)]
    target = number_in(path, 3)
    if target is None:
        targets = list(dict.fromkeys(order.target for order in supports))
        buttons = [MenuButton(_target(menu, place), (*path[:3], str(place))) for place in targets]
        lines = in_lines(buttons)
        return menu.look("support", lines, path[:2], place=menu.place(province))
    here = [order for order in supports if order.target == target]
    golden = "golden" in path[4:] or all(order.golden for order in here)
    shown = [order for order in here if order.golden == golden]
    if not shown:
        return None
    buttons = [
        MenuButton(_label("whom", menu.view.player(order.player).name), takes=menu.text(order))
        for order in shown
    ]
    lines = in_lines(buttons)
    if any(order.golden != golden for order in here):
        lines.append(
            [MenuButton(_label("golden", golden), (*path[:4], *(() if golden else ("golden",))))]
        )
    return menu.look(
        "support-whom", lines, path[:3], place=menu.place(province), there=menu.place(target)
    )


def _whom(menu: Menu, path: Path) -> MenuStep | None:
    """The players to send money to, or to snitch on."""
    if path[0] == "send" and len(path) > 1:
        return _amount(menu, path)
    is_end = path[0] == "snitch"
    numbers = [order.on for order in menu.legal if isinstance(order, o.Snitch)]
    if not is_end:
        numbers = [order.to for order in menu.legal if isinstance(order, o.Send)]
    buttons = []
    for number in dict.fromkeys(numbers):
        name = menu.view.player(number).name
        buttons.append(
            MenuButton(name, takes=menu.text(o.Snitch(number)))
            if is_end
            else MenuButton(name, ("send", str(number)))
        )
    lines = in_lines(buttons)
    return menu.look("whom", lines, (), what=path[0]) if buttons else None


def _amount(menu: Menu, path: Path) -> MenuStep | None:
    """How much, by steps; of a commitment also how many of them are offered."""
    kind, about = path[0], number_in(path, 1)
    is_alone = kind in ("bid", "fire")
    build = _amount_order(kind, 0 if is_alone else about)
    if build is None:
        return None
    at = 1 if is_alone else 2
    amounts = sorted({n for n in map(_how_many(kind, about), menu.legal) if n is not None})
    if not amounts:
        return None
    least, most = amounts[0], amounts[-1]
    if kind == "use":
        most = max(most, _MOST_OF_A_MATE)
    if kind in ("bid", "buy"):
        others = [order for order in menu.standing.orders if _how_many(kind, about)(order) is None]
        most = max(
            least, min(most, money_beside(menu.view, others) // (UNIT_COST if kind == "buy" else 1))
        )
    stands = next(
        (n for n in map(_how_many(kind, about), menu.standing.orders) if n is not None), least
    )
    chosen = number_in(path, at)
    amount = min(max(stands if chosen is None else chosen, least), most)
    offered = number_in(path, at + 1) if kind == "commit" else None
    offered = None if offered is None else min(offered, amount)

    def to(n: int) -> Path:
        return (*path[:at], str(n), *(() if offered is None else (str(min(offered, n)),)))

    lines = _counting(menu, amount, least, most, to)
    order = build(amount, offered)
    if kind == "commit" and any(
        isinstance(x, o.Commit) and x.sacrifice is not None for x in menu.legal
    ):
        lines.append(_offering(menu, path[:at], amount, offered))
    lines.append([take(menu.text(order))])
    return menu.look(
        "amount",
        lines,
        ("send",) if kind == "send" else (),
        what=kind,
        order=menu.text(order),
        least=least,
        most=most,
    )


_MOST_OF_A_MATE = 10_000
"""A mate's purse is secret: whatever is asked for is judged when the phase closes."""


def _offering(menu: Menu, head: Path, amount: int, offered: int | None) -> list[MenuButton]:
    now = offered or 0
    line = [MenuButton(_label("offer_less"), (*head, str(amount), str(now - 1)))] if now > 0 else []
    line.append(MenuButton(_label("offered", now), (*head, str(amount), str(now))))
    if now < amount:
        line.append(MenuButton(_label("offer_more"), (*head, str(amount), str(now + 1))))
    return line


def _counting(
    menu: Menu, amount: int, least: int, most: int, to: Callable[[int], Path]
) -> list[Sequence[MenuButton]]:
    """A button for each of a few numbers, else steps up and down."""
    if most - least < FEW:
        numbers = [
            MenuButton(_label("number", n, n == amount), to(n)) for n in range(least, most + 1)
        ]
        return in_lines(numbers, NUMBERS_IN_A_LINE)
    steps = [
        MenuButton(_label("step", by), to(min(max(amount + by, least), most)))
        for by in (-10, -1, 1, 10)
    ]
    return [
        steps,
        [
            MenuButton(_label("number", n, n == amount), to(n))
            for n in dict.fromkeys((least, amount, most))
            if n <= _SHOWN
        ],
    ]


_SHOWN = 9_999


def _how_many(kind: str, about: int | None) -> Callable[[Order], int | None]:
    """The amount of an order of that kind about that province or player; None for any other."""

    def of(order: Order) -> int | None:
        match kind, order:
            case "bid", o.Bid(amount=n):
                return n
            case "fire", o.Fire(count=n):
                return n
            case "buy", o.Buy(units=n, province=p) if p == about:
                return n
            case "send", o.Send(amount=n, to=x) if x == about:
                return n
            case "use", o.Use(amount=n, mate=x) if x == about:
                return n
            case "commit", o.Commit(units=n, province=p) if p == about:
                return n
        return None

    return of


def _amount_order(kind: str, about: int | None) -> Callable[[int, int | None], Order] | None:
    if about is None:
        return None
    builders: dict[str, Callable[[int, int | None], Order]] = {
        "bid": lambda n, _: o.Bid(n),
        "fire": lambda n, _: o.Fire(n),
        "buy": lambda n, _: o.Buy(n, about),
        "send": lambda n, _: o.Send(n, about),
        "use": lambda n, _: o.Use(n, about),
        "commit": lambda n, sac: o.Commit(n, about, sac),
    }
    return builders.get(kind)


def _sure(menu: Menu, path: Path) -> MenuStep | None:
    """An order without choices: some take effect at once, and final ends all changing."""
    return menu.sure(path, menu.legal, ends=path[1:] == (menu.text(o.Final()),))


def _choices(
    view: TableView, legal: Sequence[Order], standing: Standing[Order], at: Shown | None = None
) -> Menu:
    """What is final cannot be changed (PR-1.10)."""
    return Menu(view, () if standing.final else legal, standing, at)


_SCREENS: dict[str, Callable[[Menu, Path], MenuStep | None]] = {
    "p": _province,
    "mine": _mine,
    "sure": _sure,
    "send": _whom,
    "snitch": _whom,
    **{kind: _amount for kind in AMOUNTS if kind != "send"},
}
MENU = StepMenu(
    _choices,
    _SCREENS,
    lambda view: _label("let_fortify" if view.stage == "orders" else "let_default"),
)

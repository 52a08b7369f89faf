"""The menu of orders of Protectors of the Realm: a province, what it does, where to, how many; bids
and commitments by steps.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from engine.forms import tag_of
from engine.protectors import orders as o
from engine.protectors.numbers import UNIT_COST
from engine.protectors.orders import Order, format_order, format_province, ordered_province
from engine.protectors.view import TableView
from engine.ruleset import Standing
from pbem.games.protectors.pages.cast import Cast, cast_of
from pbem.games.protectors.pages.facts import own_rows
from pbem.games.protectors.pages.receipt import money_beside
from pbem.pages.kit.step_menu import Choices, Shown, StepMenu, Walk, in_lines, number_in, take, walk
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.rendering import phrase

WORDS = "protectors/chat_menu_words.j2"
NUMBERS_IN_A_LINE = 5
MANY = 6
"""From this many provinces on they stand in a list of their own."""
FEW = 10
"""Up to this many units each has a button of its own; more are counted by steps."""
PROVINCE = "p"
FLAGS = ("delayed", "golden")
"""Fields of orders that a tap switches on and off."""


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

    def place(self, province: int) -> str:
        return "Island" if province == o.ISLAND else format_province(province)

    def ordered(self, province: int) -> Order | None:
        return next(
            (order for order in self.standing.orders if ordered_province(order) == province), None
        )

    def entries(self) -> list[MenuButton]:
        """Many provinces stand in a list of their own."""
        buttons = self.everything()
        others = [button for button in buttons if button.path[0] != PROVINCE]
        if len(buttons) - len(others) < MANY:
            return buttons
        return [MenuButton(_label("my_provinces"), ("mine",)), *others]

    def everything(self) -> list[MenuButton]:
        """Provinces first, then money, then the rest: once a kind, and the rare ones each by its
        own words.
        """
        begun = {self.entry_of(order) for order in self.standing.orders}
        found: dict[Path, str] = {}
        for order in self.legal:
            if isinstance(order, o.Cancel | o.Final):
                continue
            path = self.entry_of(order)
            label = path[1] if path[0] == "sure" else self.entry_label(path, path in begun)
            found.setdefault(path, label)
        return [MenuButton(text, path) for path, text in found.items()]

    def entry_of(self, order: Order) -> Path:
        """Where the way to an order begins: at the province that it occupies, or at its kind and
        what it is about; one without choices at its own words.
        """
        place = ordered_province(order)
        if place is not None:
            return (PROVINCE, str(place))
        if not (_amounts(order) or isinstance(order, o.Snitch)):
            return ("sure", self.text(order))
        about = getattr(order, "province", getattr(order, "mate", None))
        return (tag_of(order), *([] if about is None else [str(about)]))

    def entry_label(self, path: Path, is_begun: bool) -> str:
        kind, *about = path
        name = "".join(about)
        if name:
            name = self.names[int(name)] if kind == "use" else format_province(int(name))
        return _label("entry", kind, name, is_begun and kind in (PROVINCE, "commit"))

    def root(self) -> MenuStep:
        lines = in_lines(self.everything())
        if self.standing.orders and not self.standing.final and o.Final() in self.legal:
            lines.append([MenuButton(_label("final"), ("sure", self.text(o.Final())))])
        return self.look("root", lines, None)


def _mine(menu: Menu, path: Path) -> MenuStep | None:
    """Every province that takes an order, with what stands there."""
    buttons = [button for button in menu.everything() if button.path[0] == PROVINCE]
    lines = in_lines(buttons)
    return menu.look("mine", lines, (), mine=own_rows(menu.view, menu.cast)) if buttons else None


def _order(menu: Menu, path: Path) -> MenuStep | None:
    """What a province does, where to, for whom; else to whom or how much."""
    flags = frozenset(word for word in path if word in FLAGS)
    path = tuple(word for word in path if word not in FLAGS)
    legal = [x for x in menu.legal if path[: len(entry := menu.entry_of(x))] == entry]
    if not legal:
        return None
    entry, province = menu.entry_of(legal[0]), ordered_province(legal[0])
    way = walk(
        path,
        legal,
        (_kind, lambda kind: _label("kind", kind)),
        (lambda order: str(getattr(order, "target", "")), lambda place: _target(menu, int(place))),
        at=len(entry),
        text=menu.text,
    )
    if way.buttons and way.rest:
        return None
    facts = _facts(menu, province, way.chosen)
    if way.buttons:
        screen, last = "target" if way.chosen else "province", list[MenuButton]()
        if province is not None and not way.chosen and menu.ordered(province):
            cancels = [order for order in menu.legal if order == o.Cancel(province)]
            last = [MenuButton(_label("take_back"), takes=menu.text(order)) for order in cancels]
        back = () if way.path == entry else way.back
        return menu.look(screen, in_lines([*way.buttons, *last]), back, **facts)
    toggles, left = _toggles(way, flags)
    whom = walk(
        path,
        left,
        (_whom, lambda number: _label("whom", way.chosen[0], menu.names[int(number)])),
        at=len(way.path),
        text=menu.text,
    )
    back = () if whom.path == entry else whom.back
    if whom.buttons:
        return menu.look("whom", [*in_lines(whom.buttons), toggles], back, **facts)
    if not _amounts(left[0]):
        text = menu.text(left[0])
        return menu.look("sure", [[take(text)]], back, order=text, ends=False)
    return _numbers(menu, whom, toggles, back, facts)


def _facts(menu: Menu, province: int | None, chosen: Sequence[str]) -> dict[str, object]:
    """What is known of the order so far: its province, what it does, where to."""
    what, target = (*chosen, "", "")[:2]
    facts: dict[str, object] = {"what": what, "place": ""}
    if province is not None:
        facts |= {"row": menu.view.province(province), "place": menu.place(province)}
    if target:
        goal = int(target)
        facts |= {"goal": menu.view.province(goal), "there": menu.place(goal)}
    return facts


def _kind(order: Order) -> str:
    """Its tag; what needs nothing else is golden, too, at the first tap."""
    is_golden = isinstance(order, o.Fortify | o.Work) and order.golden
    return f"{tag_of(order)}{'-golden' if is_golden else ''}"


def _whom(order: Order) -> str:
    return str(getattr(order, "player", getattr(order, "to", getattr(order, "on", ""))))


def _toggles(way: Walk[Order], flags: frozenset[str]) -> tuple[list[MenuButton], list[Order]]:
    """A button for each flag that may be changed, and the orders that have just these."""
    found: dict[frozenset[str], list[Order]] = {}
    for order in way.left:
        said = frozenset(flag for flag in FLAGS if getattr(order, flag, False))
        found.setdefault(said, []).append(order)
    told = flags if flags in found else next(iter(found))
    toggles = [
        MenuButton(_label(flag, flag in told), (*way.path, *way.rest, *sorted(told ^ {flag})))
        for flag in FLAGS
        if told ^ {flag} in found
    ]
    return toggles, found[told]


def _target(menu: Menu, place: int) -> str:
    row = menu.view.province(place)
    owner = "" if row.owner is None else menu.view.player(row.owner).name
    is_mine = menu.view.you is not None and row.owner == menu.view.you.number
    return _label("target", menu.place(place), owner, row.units, is_mine)


def _amounts(order: Order) -> list[str]:
    """The fields that count something."""
    (form,) = o.FORMS.by_kind[type(order)]
    return [name for name, kind in form.template.slots.items() if kind == "count"]


def _numbers(
    menu: Menu,
    way: Walk[Order],
    toggles: Sequence[MenuButton],
    back: Path,
    facts: Mapping[str, object],
) -> MenuStep:
    """How many, by steps; of a commitment also how many of them are offered."""
    some = way.left[0]
    name, *more = _amounts(some)

    def of(order: Order, **amounts: int) -> Order:
        return replace(order, **dict.fromkeys((name, *more)), **amounts)

    stand = [x for x in menu.standing.orders if type(x) is type(some) and of(x) == of(some)]
    amounts = [getattr(order, name) for order in way.left]
    least, most = min(amounts), max(amounts)
    match some:
        case o.Use():
            most = max(most, _MOST_OF_A_MATE)
        case o.Bid() | o.Buy():
            others = [order for order in menu.standing.orders if order not in stand]
            price = UNIT_COST if isinstance(some, o.Buy) else 1
            most = max(least, min(most, money_beside(menu.view, others) // price))
    usual = most if isinstance(some, o.March) else least
    told = number_in(way.rest, 0)
    if told is None:
        told = getattr(stand[0], name) if stand else usual
    amount = min(max(told, least), most)
    offered = number_in(way.rest, 1) if more else None
    offered = None if offered is None else min(offered, amount)
    flags = tuple(flag for flag in FLAGS if getattr(some, flag, False))

    def to(n: int) -> Path:
        said = () if offered is None else (str(min(offered, n)),)
        return (*way.path, str(n), *said, *flags)

    lines = _counting(amount, least, most, to)
    order = replace(some, **{name: amount}, **dict.fromkeys(more, offered))
    if any(getattr(x, part) is not None for x in way.left for part in more):
        lines.append(_offering(way.path, amount, offered))
    text = menu.text(order)
    lines += [toggles, [take(text)]]
    return menu.look("amount", lines, back, order=text, least=least, most=most, **facts)


_MOST_OF_A_MATE = 10_000
"""A mate's purse is secret: whatever is asked for is judged when the phase closes."""


def _offering(head: Path, amount: int, offered: int | None) -> list[MenuButton]:
    now = offered or 0
    line = [MenuButton(_label("offer_less"), (*head, str(amount), str(now - 1)))] if now > 0 else []
    line.append(MenuButton(_label("offered", now), (*head, str(amount), str(now))))
    if now < amount:
        line.append(MenuButton(_label("offer_more"), (*head, str(amount), str(now + 1))))
    return line


def _counting(
    amount: int, least: int, most: int, to: Callable[[int], Path]
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
        if (amount > least if by < 0 else amount < most)
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


def _sure(menu: Menu, path: Path) -> MenuStep | None:
    """An order without choices: some take effect at once, and final ends all changing."""
    return menu.sure(path, menu.legal, ends=path[1:] == (menu.text(o.Final()),))


def _choices(
    view: TableView, legal: Sequence[Order], standing: Standing[Order], at: Shown | None = None
) -> Menu:
    """What is final cannot be changed (PR-1.10)."""
    return Menu(view, () if standing.final else legal, standing, at)


_SCREENS: dict[str, Callable[[Menu, Path], MenuStep | None]] = {
    "mine": _mine,
    "sure": _sure,
    **dict.fromkeys((PROVINCE, *map(tag_of, o.FORMS.by_kind)), _order),
}
MENU = StepMenu(
    _choices,
    _SCREENS,
    lambda view: _label("let_fortify" if view.stage == "orders" else "let_default"),
)

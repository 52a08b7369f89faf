"""The menu of Fortresses: from where, to where, with what; ships and purchases; instructions; and
the answers in a battle.

Everything offered is an order that may be given now beside those that stand: whatever a player taps
is read and judged like words that were typed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.fortresses import orders as o
from engine.fortresses.atlas import cost_of, facts_of, zones
from engine.fortresses.legal import RETREATS
from engine.fortresses.units import CODES, LAND_CODES, NONE, UnitCode, Units, one, parse_units
from engine.fortresses.view import TableView
from engine.ruleset import Standing
from pbem.games.fortresses.pages.at_hand import AtHand, at_hand
from pbem.games.fortresses.pages.odds import odds_line
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.notice import seen
from pbem.pages.page import Reader, Table
from pbem.pages.rendering import chat_words, phrase

TEMPLATE, WORDS = "fortresses/chat_menu.j2", "fortresses/chat_menu_words.j2"
WIDTH = 2
LINES = 6
"""So many lines of places stand on a page."""
NUMBERS_IN_A_LINE = 6
KINDS: Mapping[str, type[o.Instruction]] = {
    "lose": o.Lose,
    "keep": o.Keep,
    "retreat": o.Retreat,
    "ask": o.Interactive,
}
ALWAYS, EVERYWHERE = "always", "all"


def _label(name: str, *args: object) -> str:
    return phrase(WORDS, f"button_{name}", *args)


def _in_lines(buttons: Sequence[MenuButton], width: int = WIDTH) -> list[Sequence[MenuButton]]:
    return [buttons[at : at + width] for at in range(0, len(buttons), width)]


@dataclass(frozen=True, slots=True)
class _Offer:
    """What there is to choose from."""

    view: TableView
    legal: Sequence[o.Order]
    hand: AtHand

    @property
    def stage(self) -> str:
        """The phase that the reader is asked in; "" if it is another's."""
        return self.view.stage if self.view.you in self.view.asked else ""

    @property
    def commands(self) -> list[o.Order]:
        """What is for the table; a draw is voted on and a seat left in words of the house."""
        own = (o.Concede, o.TakeCommand, o.ClaimWin)
        return [order for order in self.legal if isinstance(order, own)]

    @property
    def losses(self) -> list[o.LoseNow]:
        return [order for order in self.legal if isinstance(order, o.LoseNow)]


@dataclass(frozen=True, slots=True)
class _Menu(_Offer):
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
            "hand": self.hand,
            "zones": zones(),
            "screen": screen,
            "due": seen(self.table.deadline, self.table, self.reader),
            "stored": tuple(map(o.format_order, self.hand.stored)),
            "battle": self.view.battles[0] if self.stage == "battle" else None,
        }
        last = () if back is None else ((MenuButton(_label("back"), back),),)
        return MenuStep(
            chat_words(TEMPLATE, "", values | facts),
            (*(tuple(line) for line in lines if line), *last),
        )

    def pages(
        self, buttons: Sequence[MenuButton], path: Path, width: int = WIDTH
    ) -> list[Sequence[MenuButton]]:
        """The buttons of this page in lines, and the way to the next one where there are more."""
        lines = _in_lines(buttons, width)
        if len(lines) <= LINES:
            return lines
        last = (len(lines) - 1) // LINES
        page = min(self.page, last)
        turning = [
            MenuButton(_label("page", to > page, to + 1, last + 1), (*path, f"+{to}"))
            for to in (page - 1, page + 1)
            if 0 <= to <= last
        ]
        return [*lines[page * LINES : (page + 1) * LINES], turning]

    def place(self, zone: str) -> str:
        return _label("place", self.view.zone(zone))

    def counters(self, chosen: Units, most: Units, head: Path) -> list[list[MenuButton]]:
        """A line for each type: one less, all or none, one more."""
        lines: list[list[MenuButton]] = []
        for code, count in most.pairs():
            now = min(chosen.of(code), count)
            others = chosen - one(code, chosen.of(code))

            def to(n: int, code: UnitCode = code, others: Units = others) -> Path:
                return (*head, (others + one(code, n)).text)

            line = [MenuButton(_label("less", code), to(now - 1))] if now else []
            line.append(
                MenuButton(_label("count", code, now, count), to(0 if now == count else count))
            )
            lines.append(
                [*line, MenuButton(_label("more_of", code), to(now + 1))] if now < count else line
            )
        return lines


class FortressesMenu:
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
        menu = _Menu(view, legal, at_hand(view, standing), table, reader, page)
        screen = _SCREENS.get(path[0]) if path else None
        found = screen(menu, path) if screen is not None else None
        return found if found is not None else _root(menu)

    def entries(
        self, view: TableView, legal: Sequence[o.Order], standing: Standing[o.Order]
    ) -> Sequence[MenuButton]:
        return _entries(_Offer(view, legal, at_hand(view, standing)))

    def default_label(self, view: TableView) -> str:
        return _label("default", view.stage)


def _entries(offer: _Offer) -> list[MenuButton]:
    """What can be begun now."""
    hand, stage = offer.hand, offer.stage
    found: list[MenuButton] = []

    def add(name: str, is_there: object, *path: str) -> None:
        if is_there:
            found.append(MenuButton(_label("entry", name), path or (name,)))

    if stage == "battle":
        add("lose", offer.losses)
        for order in offer.legal:
            if isinstance(order, o.RetreatNow | o.Stay):
                found.append(
                    MenuButton(_label("answer", order == o.Stay()), ("sure", o.format_order(order)))
                )
    if stage in ("attack", "reinforce"):
        add("buy", stage == "reinforce" and _shops(hand))
        add("attack" if stage == "attack" else "move", hand.reach(offer.legal))
        add("carry", hand.carriages(offer.legal))
        add("words", True)
        add("order", stage == "attack" and len(hand.battles) > 1)
        add("back", hand.stored)
        if stage == "attack":
            add(
                *(
                    ("done", True, "sure", "Done")
                    if hand.stored
                    else ("none", True, "sure", "No attacks")
                )
            )
        else:
            has_bought = any(isinstance(order, o.Buy | o.BuyNothing) for order in hand.stored)
            add("nothing", not has_bought and o.BuyNothing() in offer.legal, "sure", "Buy nothing")
            add("done", has_bought or o.Done() in offer.legal, "sure", "Done")
    add("table", offer.commands)
    return found


def _root(menu: _Menu) -> MenuStep:
    return menu.look("root", _in_lines(_entries(menu)), None)


# -------------------------------------------------------------------------------- attacks and moves
def _march(menu: _Menu, path: Path) -> MenuStep | None:
    """From where, to where, with what."""
    kind, hand = path[0], menu.hand
    if kind != {"attack": "attack", "reinforce": "move"}.get(menu.stage):
        return None
    reach = hand.reach(menu.legal)
    targets = reach.get(path[1]) if len(path) > 1 else None
    if targets is None:
        buttons = [
            MenuButton(_label("units_in", zone, hand.free(zone)), (kind, zone)) for zone in reach
        ]
        return menu.look("origin", menu.pages(buttons, (kind,)), (), kind=kind) if buttons else None
    origin = path[1]
    codes = targets.get(path[2]) if len(path) > 2 else None
    if codes is None:
        buttons = [MenuButton(menu.place(zone), (kind, origin, zone)) for zone in targets]
        return menu.look(
            "target",
            menu.pages(buttons, path[:2]),
            (kind,),
            kind=kind,
            origin=origin,
            free=hand.free(origin),
        )
    target, most = path[2], hand.free(origin).only(codes)
    chosen = _units(path, 3, most)
    lines = menu.counters(chosen, most, path[:3])
    order: o.Order | None = None
    if kind == "move" and chosen.total:
        order = o.Move(chosen, origin, target)
    elif kind == "attack" and hand.may_enter(target, chosen):
        order = o.Attack(target, (o.Group(chosen, origin),))
    return _confirm(menu, lines, path[:2], order, kind, target)


def _confirm(
    menu: _Menu,
    lines: Sequence[Sequence[MenuButton]],
    back: Path,
    order: o.Order | None,
    kind: str,
    target: str,
) -> MenuStep:
    """What the order says and what comes of it, before it is taken: the chance of all who are sent
    there, those of earlier lines among them (FW-6.3).
    """
    text = "" if order is None else o.format_order(order)
    before = menu.hand.groups_at(target) if menu.stage == "attack" else ()
    coming: tuple[o.Group, ...] = ()
    if isinstance(order, o.Attack):
        coming = order.groups
    elif isinstance(order, o.Carry):
        coming = (o.Group(order.units, order.origin),)
    return menu.look(
        "confirm",
        [*lines, [MenuButton(_label("take"), takes=text)] if text else []],
        back,
        kind=kind,
        order=text,
        there=menu.view.zone(target),
        before=before,
        chance=odds_line(menu.view, o.Attack(target, (*before, *coming)), menu.hand.stored)
        if coming and menu.stage == "attack"
        else "",
    )


def _units(path: Path, at: int, most: Units) -> Units:
    """The units a path names, as far as they are there; all where it names none."""
    if len(path) <= at:
        return most
    try:
        named = parse_units(path[at])
    except ValueError:
        return most
    return Units(*(min(named.of(code), most.of(code)) for code in CODES))


def _carry(menu: _Menu, path: Path) -> MenuStep | None:
    """Which ship, whom, where to."""
    rides = menu.hand.carriages(menu.legal)
    steps: list[Callable[[o.Carry], str]] = [
        lambda ride: ride.sea,
        lambda ride: ride.origin,
        lambda ride: ride.units.text,
        lambda ride: ride.drop,
    ]
    chosen: list[str] = []
    for part, name in zip(path[1:], steps, strict=False):
        if not any(name(ride) == part for ride in rides):
            break
        rides = [ride for ride in rides if name(ride) == part]
        chosen.append(part)
    if not rides:
        return None
    head, back = ("carry", *chosen), ("carry", *chosen[:-1]) if chosen else ()
    if len(chosen) == len(steps):
        return _confirm(menu, [], back, rides[0], "carry", rides[0].drop)
    names = list(dict.fromkeys(map(steps[len(chosen)], rides)))
    is_place = len(chosen) != 2
    buttons = [
        MenuButton(
            menu.place(name) if is_place else _label("units", parse_units(name)), (*head, name)
        )
        for name in names
    ]
    return menu.look("carry", menu.pages(buttons, head), back, at=len(chosen), chosen=tuple(chosen))


# ---------------------------------------------------------------------------------------- purchases
def _shops(hand: AtHand) -> list[str]:
    return [zone.name for zone in hand.view.zones if _wares(hand, zone.name).total]


def _wares(hand: AtHand, zone: str, beside: Units = NONE) -> Units:
    """The most of each type that could be bought there beside those."""
    codes = (*LAND_CODES, "D") if zones()[zone].is_land else ("G",)
    return Units(*(hand.most(code, zone, beside) if code in codes else 0 for code in CODES))


def _buy(menu: _Menu, path: Path) -> MenuStep | None:
    """Where, and what of each type; in a castle there is room for one."""
    hand = menu.hand
    shops = _shops(hand) if menu.stage == "reinforce" else []
    if not shops:
        return None
    if len(path) < 2 or path[1] not in shops:
        buttons = [MenuButton(menu.place(zone), ("buy", zone)) for zone in shops]
        return menu.look("shops", menu.pages(buttons, ("buy",)), ())
    zone = path[1]
    wares = _wares(hand, zone)
    if hand.room(zone) == 1:
        buttons = [
            MenuButton(
                _label("price", code, facts_of(code).cost),
                takes=o.format_order(o.Buy(one(code), zone)),
            )
            for code, _ in wares.pairs()
        ]
        return menu.look("shop", _in_lines(buttons), ("buy",), zone=zone, cost=0, order="")
    chosen = NONE if len(path) < 3 else _units(path, 2, wares)
    if cost_of(chosen) > hand.gold or chosen.total > hand.room(zone):
        chosen = NONE
    lines = menu.counters(chosen, _wares(hand, zone, chosen), path[:2])
    order = o.format_order(o.Buy(chosen, zone)) if chosen.total else ""
    take = [MenuButton(_label("take"), takes=order)] if order else []
    return menu.look("shop", [*lines, take], ("buy",), zone=zone, cost=cost_of(chosen), order=order)


# ------------------------------------------------------------------------------------- instructions
def _words(menu: _Menu, path: Path) -> MenuStep | None:
    """For which battles, about what, and how (FW-10)."""
    if menu.stage not in ("attack", "reinforce"):
        return None
    scopes = [EVERYWHERE, *menu.hand.battles, ALWAYS] if menu.stage == "attack" else [ALWAYS]
    scope = path[1] if len(path) > 1 and path[1] in scopes else scopes[0]
    kind = path[2] if len(path) > 2 else ""
    if kind not in KINDS:
        wheres = [
            MenuButton(_label("scope", name), ("words", name)) for name in scopes if name != scope
        ]
        kinds = [MenuButton(_label("kind", name), ("words", scope, name)) for name in KINDS]
        return menu.look(
            "words", [*menu.pages(wheres, ("words", scope)), *_in_lines(kinds)], (), scope=scope
        )
    zone = scope if scope in menu.hand.battles else ""
    takes: list[MenuButton] = []
    for name, instruction in _instructions(kind, zone):
        order = o.Always(instruction) if scope == ALWAYS else instruction
        takes.append(MenuButton(name, ("words", scope), takes=o.format_order(order)))
    return menu.look("kind", _in_lines(takes), ("words", scope), scope=scope, kind=kind)


def _instructions(kind: str, zone: str) -> list[tuple[str, o.Instruction]]:
    match kind:
        case "lose":
            return [(_label("first", code), o.Lose((code,), zone)) for code in CODES]
        case "keep":
            return [(_label("keep", on), o.Keep(on, zone)) for on in (True, False)]
        case "ask":
            return [(_label("ask", on), o.Interactive(on, zone)) for on in (True, False)]
    return [
        (_label("policy", policy[0].what, policy[0].rounds), o.Retreat((policy,), zone))
        for policy in RETREATS
    ]


def _order(menu: _Menu, path: Path) -> MenuStep | None:
    """The battles, tapped in the order in which they shall be fought (FW-7.1)."""
    battles = menu.hand.battles
    if menu.stage != "attack" or len(battles) < 2:
        return None
    told = tuple(dict.fromkeys(zone for zone in path[1:] if zone in battles))
    buttons = [MenuButton(zone, ("order", *told, zone)) for zone in battles if zone not in told]
    take = [MenuButton(_label("take"), takes=o.format_order(o.BattleOrder(told)))] if told else []
    back = ("order", *told[:-1]) if told else ()
    return menu.look("order", [*menu.pages(buttons, ("order", *told)), take], back, told=told)


# --------------------------------------------------------------------------------- answers and ends
def _lose(menu: _Menu, path: Path) -> MenuStep | None:
    """Type by type how many die, until all hits are taken (FW-10.7)."""
    if not menu.losses:
        return None
    battle = menu.view.battles[0]
    told = path[1:]
    dead, asked = NONE, 0
    for code, count in battle.attackers.pairs():
        hits = battle.hits - dead.total
        after = sum(battle.attackers.of(other) for other in CODES[CODES.index(code) + 1 :])
        least, most = max(0, hits - after), min(hits, count)
        numbers = [str(n) for n in range(least, most + 1)]
        if len(numbers) == 1:
            dead += one(code, least)
        elif asked < len(told) and told[asked] in numbers:
            dead += one(code, int(told[asked]))
            asked += 1
        else:
            head = ("lose", *told[:asked])
            buttons = [MenuButton(n, (*head, n)) for n in numbers]
            back = head[:-1] if asked else ()
            lines = menu.pages(buttons, head, NUMBERS_IN_A_LINE)
            return menu.look("lose", lines, back, code=code, dead=dead)
    take = MenuButton(_label("take"), takes=o.format_order(o.LoseNow(dead)))
    back = ("lose", *told[: asked - 1]) if asked else ()
    return menu.look("lose", [[take]], back, code="", dead=dead)


def _back(menu: _Menu, path: Path) -> MenuStep | None:
    """Lines to take back, by their numbers (FW-4.4)."""
    if not menu.hand.stored or menu.stage not in ("attack", "reinforce"):
        return None
    buttons = [
        MenuButton(str(n), ("back",), takes=o.format_order(o.Cancel(n)))
        for n in range(1, len(menu.hand.stored) + 1)
    ]
    everything = MenuButton(_label("all"), takes=o.format_order(o.Cancel()))
    return menu.look("back", [*menu.pages(buttons, path, NUMBERS_IN_A_LINE), [everything]], ())


def _table(menu: _Menu, path: Path) -> MenuStep | None:
    buttons = [
        MenuButton(o.format_order(order), ("sure", o.format_order(order)))
        for order in menu.commands
    ]
    return menu.look("table", _in_lines(buttons), ()) if buttons else None


def _sure(menu: _Menu, path: Path) -> MenuStep | None:
    """What cannot be taken back is asked about once."""
    offered = {button.path[1] for button in _entries(menu) if button.path[0] == "sure"}
    offered |= {o.format_order(order) for order in menu.commands}
    if len(path) < 2 or path[1] not in offered:
        return None
    return menu.look("sure", [[MenuButton(_label("take"), takes=path[1])]], (), order=path[1])


_SCREENS: Mapping[str, Callable[[_Menu, Path], MenuStep | None]] = {
    "attack": _march,
    "move": _march,
    "carry": _carry,
    "buy": _buy,
    "words": _words,
    "order": _order,
    "lose": _lose,
    "back": _back,
    "table": _table,
    "sure": _sure,
}
MENU = FortressesMenu()

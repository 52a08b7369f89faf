"""The menu of Fortresses: from where, to where, with what; ships and purchases; instructions; and
the answers in a battle.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter, itemgetter

from msgspec.structs import replace

from engine.forms import tag_of
from engine.fortresses import orders as o
from engine.fortresses.atlas import cost_of, facts_of, zones
from engine.fortresses.units import CODES, LAND_CODES, NONE, UnitCode, Units, one, parse_units
from engine.fortresses.view import TableView
from pbem.games.fortresses.pages.at_hand import AtHand, at_hand
from pbem.games.fortresses.pages.odds import odds_line
from pbem.pages.kit.step_menu import Choices, StepMenu, in_lines, take, walk
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.rendering import phrase

WORDS = "fortresses/chat_menu_words.j2"
NUMBERS_IN_A_LINE = 6
ALWAYS, EVERYWHERE = "always", "all"


def _label(name: str, *args: object) -> str:
    return phrase(WORDS, f"button_{name}", *args)


@dataclass(frozen=True)
class Menu(Choices[TableView, o.Order]):
    """What a player has at hand, and what of it can be ordered."""

    template = "fortresses/chat_menu.j2"

    @cached_property
    def hand(self) -> AtHand:
        return at_hand(self.view, self.standing)

    def text(self, order: o.Order) -> str:
        return o.format_order(order)

    def values(self) -> dict[str, object]:
        return {
            "hand": self.hand,
            "zones": zones(),
            "stored": tuple(map(self.text, self.hand.stored)),
            "battle": self.view.battles[0] if self.stage == "battle" else None,
        }

    @property
    def stage(self) -> str:
        """The phase that the reader is asked in; "" if it is another's."""
        return self.view.stage if self.view.you in self.view.asked else ""

    @property
    def commands(self) -> list[o.Order]:
        """What is for the table; a draw is voted on and a seat left in words of the house."""
        others = (o.Draw, o.Resign)
        commands = (order for order in self.legal if isinstance(order, o.TableCommand))
        return [order for order in commands if not isinstance(order, others)]

    @property
    def instructions(self) -> dict[str, list[o.Instruction]]:
        """Each kind, with what can be told by taps."""
        found: dict[str, list[o.Instruction]] = {}
        for order in self.legal:
            if isinstance(order, o.Always):
                found.setdefault(tag_of(order.order), []).append(order.order)
        return found

    @property
    def losses(self) -> list[o.LoseNow]:
        return [order for order in self.legal if isinstance(order, o.LoseNow)]

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

    def entries(self) -> list[MenuButton]:
        """What can be begun now."""
        hand, stage = self.hand, self.stage
        found: list[MenuButton] = []

        def add(name: str, is_there: object, *path: str) -> None:
            if is_there:
                found.append(MenuButton(_label("entry", name), path or (name,)))

        if stage == "battle":
            add("lose", self.losses)
            for order in self.legal:
                if isinstance(order, o.RetreatNow | o.Stay):
                    found.append(
                        MenuButton(_label("answer", order == o.Stay()), ("sure", self.text(order)))
                    )
        if stage in ("attack", "reinforce"):
            add("buy", stage == "reinforce" and _shops(hand))
            add("attack" if stage == "attack" else "move", hand.reach(self.legal))
            add("carry", hand.carriages(self.legal))
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
                add(
                    "nothing",
                    not has_bought and o.BuyNothing() in self.legal,
                    "sure",
                    "Buy nothing",
                )
                add("done", has_bought or o.Done() in self.legal, "sure", "Done")
        add("table", self.commands)
        return found


# -------------------------------------------------------------------------------- attacks and moves
def _march(menu: Menu, path: Path) -> MenuStep | None:
    """From where, to where, with what."""
    kind, hand = path[0], menu.hand
    if kind != {"attack": "attack", "reinforce": "move"}.get(menu.stage):
        return None
    reach = hand.reach(menu.legal)
    steps = [(origin, target) for origin, targets in reach.items() for target in targets]
    way = walk(
        path,
        steps,
        (itemgetter(0), lambda zone: _label("units_in", zone, hand.free(zone))),
        (itemgetter(1), menu.place),
    )
    if way.buttons:
        origin = way.left[0][0] if way.chosen else ""
        free = hand.free(origin) if origin else NONE
        buttons = menu.pages(way.buttons, way.path)
        return menu.look("march", buttons, way.back, kind=kind, origin=origin, free=free)
    if not steps:
        return None
    origin, target = way.left[0]
    most = hand.free(origin).only(reach[origin][target])
    chosen = _units(way.rest, most)
    lines = menu.counters(chosen, most, way.path)
    order: o.Order | None = None
    if kind == "move" and chosen.total:
        order = o.Move(chosen, origin, target)
    elif kind == "attack" and hand.may_enter(target, chosen):
        order = o.Attack(target, (o.Group(chosen, origin),))
    return _confirm(menu, lines, way.back, order, kind, target)


def _confirm(
    menu: Menu,
    lines: Sequence[Sequence[MenuButton]],
    back: Path,
    order: o.Order | None,
    kind: str,
    target: str,
) -> MenuStep:
    """What the order says and how it may end, before it is taken: the chance of all units sent
    there, with those of earlier lines (FW-6.3).
    """
    text = "" if order is None else menu.text(order)
    before = menu.hand.groups_at(target) if menu.stage == "attack" else ()
    coming: tuple[o.Group, ...] = ()
    if isinstance(order, o.Attack):
        coming = order.groups
    elif isinstance(order, o.Carry):
        coming = (o.Group(order.units, order.origin),)
    return menu.look(
        "confirm",
        [*lines, [take(text)] if text else []],
        back,
        kind=kind,
        order=text,
        there=menu.view.zone(target),
        before=before,
        chance=odds_line(menu.view, o.Attack(target, (*before, *coming)), menu.hand.stored)
        if coming and menu.stage == "attack"
        else "",
    )


def _units(told: Path, most: Units) -> Units:
    """The units that the path names first, as far as they are there; all if it names no units."""
    try:
        named = parse_units(told[0]) if told else most
    except ValueError:
        return most
    return Units(*(min(named.of(code), most.of(code)) for code in CODES))


def _carry(menu: Menu, path: Path) -> MenuStep | None:
    """Which ship, whom, where to."""
    rides = menu.hand.carriages(menu.legal)
    way = walk(
        path,
        rides,
        (attrgetter("sea"), menu.place),
        (attrgetter("origin"), menu.place),
        (attrgetter("units.text"), lambda text: _label("units", parse_units(text))),
        (attrgetter("drop"), menu.place),
    )
    if way.buttons:
        buttons = menu.pages(way.buttons, way.path)
        return menu.look("carry", buttons, way.back, at=len(way.chosen), chosen=way.chosen)
    return _confirm(menu, [], way.back, way.left[0], "carry", way.left[0].drop) if rides else None


# ---------------------------------------------------------------------------------------- purchases
def _shops(hand: AtHand) -> list[str]:
    return [zone.name for zone in hand.view.zones if _wares(hand, zone.name).total]


def _wares(hand: AtHand, zone: str, beside: Units = NONE) -> Units:
    """The most of each type that could be bought there in addition to those."""
    codes = (*LAND_CODES, "D") if zones()[zone].is_land else ("G",)
    return Units(*(hand.most(code, zone, beside) if code in codes else 0 for code in CODES))


def _buy(menu: Menu, path: Path) -> MenuStep | None:
    """Where, and what of each type; in a castle there is room for one."""
    hand = menu.hand
    shops = _shops(hand) if menu.stage == "reinforce" else []
    if not shops:
        return None
    way = walk(path, shops, (str, menu.place))
    if way.buttons:
        return menu.look("shops", menu.pages(way.buttons, way.path), ())
    zone = way.left[0]
    wares = _wares(hand, zone)
    if hand.room(zone) == 1:
        buttons = [
            MenuButton(
                _label("price", code, facts_of(code).cost),
                takes=menu.text(o.Buy(one(code), zone)),
            )
            for code, _ in wares.pairs()
        ]
        return menu.look("shop", in_lines(buttons), way.back, zone=zone, cost=0, order="")
    chosen = _units(way.rest, wares) if way.rest else NONE
    if cost_of(chosen) > hand.gold or chosen.total > hand.room(zone):
        chosen = NONE
    lines = menu.counters(chosen, _wares(hand, zone, chosen), way.path)
    order = menu.text(o.Buy(chosen, zone)) if chosen.total else ""
    return menu.look(
        "shop",
        [*lines, [take(order)] if order else []],
        way.back,
        zone=zone,
        cost=cost_of(chosen),
        order=order,
    )


# ------------------------------------------------------------------------------------- instructions
def _words(menu: Menu, path: Path) -> MenuStep | None:
    """For which battles, about what, and how (FW-10)."""
    if menu.stage not in ("attack", "reinforce"):
        return None
    scopes = [EVERYWHERE, *menu.hand.battles, ALWAYS] if menu.stage == "attack" else [ALWAYS]
    scope = path[1] if len(path) > 1 and path[1] in scopes else scopes[0]
    zone = scope if scope in menu.hand.battles else ""

    def taking(order: o.Instruction) -> MenuButton:
        told = replace(order, zone=zone)
        text = menu.text(o.Always(told) if scope == ALWAYS else told)
        label = _label("instruction", tag_of(order), order, menu.text(order))
        return MenuButton(label, ("words", scope), takes=text)

    every, kind = menu.instructions, path[2] if len(path) > 2 else ""
    if kind not in every:
        wheres = [
            MenuButton(_label("scope", name), ("words", name)) for name in scopes if name != scope
        ]
        kinds = [
            MenuButton(_label("kind", name), ("words", scope, name))
            if len(orders) > 1
            else taking(orders[0])
            for name, orders in every.items()
        ]
        return menu.look(
            "words", [*menu.pages(wheres, ("words", scope)), *in_lines(kinds)], (), scope=scope
        )
    takes = in_lines([*map(taking, every[kind])])
    return menu.look("kind", takes, ("words", scope), scope=scope, kind=kind)


def _order(menu: Menu, path: Path) -> MenuStep | None:
    """The battles, tapped in the order of fighting (FW-7.1)."""
    battles = menu.hand.battles
    if menu.stage != "attack" or len(battles) < 2:
        return None
    told = tuple(dict.fromkeys(zone for zone in path[1:] if zone in battles))
    buttons = [MenuButton(zone, ("order", *told, zone)) for zone in battles if zone not in told]
    last = [take(menu.text(o.BattleOrder(told)))] if told else []
    back = ("order", *told[:-1]) if told else ()
    return menu.look("order", [*menu.pages(buttons, ("order", *told)), last], back, told=told)


# --------------------------------------------------------------------------------- answers and ends
def _lose(menu: Menu, path: Path) -> MenuStep | None:
    """Type by type how many die, until all hits are taken (FW-10.7)."""
    if not menu.losses:
        return None
    battle = menu.view.battles[0]
    codes, most = zip(*battle.attackers.pairs(), strict=True)
    ways = [
        dict(zip(codes, map(str, counts), strict=True))
        for counts in itertools.product(*(range(count + 1) for count in most))
        if sum(counts) == battle.hits
    ]
    way = walk(path, ways, *((itemgetter(code), str) for code in codes))
    dead = Units(**{code: int(n) for code, n in zip(codes, way.chosen, strict=False)})
    if not way.buttons:
        end = [[take(menu.text(o.LoseNow(dead)))]]
        return menu.look("lose", end, way.back, code="", dead=dead)
    lines = menu.pages(way.buttons, way.path, NUMBERS_IN_A_LINE)
    return menu.look("lose", lines, way.back, code=codes[len(way.chosen)], dead=dead)


def _back(menu: Menu, path: Path) -> MenuStep | None:
    """Lines to take back, by their numbers (FW-4.4)."""
    if not menu.hand.stored or menu.stage not in ("attack", "reinforce"):
        return None
    buttons = [
        MenuButton(str(n), ("back",), takes=menu.text(o.Cancel(n)))
        for n in range(1, len(menu.hand.stored) + 1)
    ]
    everything = MenuButton(_label("all"), takes=menu.text(o.Cancel()))
    return menu.look("back", [*menu.pages(buttons, path, NUMBERS_IN_A_LINE), [everything]], ())


_SCREENS: Mapping[str, Callable[[Menu, Path], MenuStep | None]] = {
    "attack": _march,
    "move": _march,
    "carry": _carry,
    "buy": _buy,
    "words": _words,
    "order": _order,
    "lose": _lose,
    "back": _back,
    "table": lambda menu, _: menu.list_of("table", menu.commands),
    "sure": lambda menu, path: menu.sure(path, menu.commands),
}
MENU = StepMenu(Menu, _SCREENS, lambda view: _label("default", view.stage))

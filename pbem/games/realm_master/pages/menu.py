"""The menu of Realm-Master: the answers to an open question as buttons, dice as toggles, and the
lines of a plan by their keys.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.cards import half
from engine.realm_master.conditions import Face
from engine.realm_master.defaults import faces_of, reroll_of
from engine.realm_master.plans import answers as is_answer
from engine.realm_master.plans import is_deed, line_of
from engine.realm_master.view import TableView
from engine.realm_master.wording import format_order
from engine.ruleset import Standing
from pbem.games.realm_master.pages.answers import owed_by_reader, turn_card
from pbem.games.realm_master.pages.cast import Cast, cast_of, deed_of
from pbem.games.realm_master.pages.facts import me, own, price_for
from pbem.games.realm_master.pages.plan import answers_among, line_for, merged
from pbem.pages.kit.step_menu import Choices, StepMenu, in_lines, take
from pbem.pages.menu import MenuButton, MenuStep, Path
from pbem.pages.rendering import phrase

WORDS = "realm_master/menu_words.j2"
FACES: tuple[Face, ...] = ("s", "c", "h", "b", "-")
CONCEDED = "Concede for good"
"""The reply of a player who has confirmed: the word alone needs a confirmation, and the button has
asked.
"""
SPECIAL: Mapping[str, str] = {
    "heroes": "heroes",
    "reroll": "dice",
    "second": "dice",
    "knuckle": "dice",
    "faces": "faces",
    "loot": "loot",
    "tribute": "tribute",
}
"""Questions with a screen of their own, where too many answers are possible for a button each."""


@dataclass(frozen=True)
class Menu(Choices[TableView, o.Order]):
    """What a hero can choose from."""

    template = "realm_master/chat_menu.j2"

    @cached_property
    def cast(self) -> Cast:
        return cast_of(self.view, own(self.view).number)

    def text(self, order: o.Order) -> str:
        return format_order(order)

    def values(self) -> dict[str, object]:
        view, orders = self.view, self.standing.orders
        return {
            "c": self.cast,
            "you": view.you,
            "mine": me(view),
            "plan": tuple(map(self.text, merged(view, orders).lines)),
            "answer": tuple(map(self.text, answers_among(view, orders))),
            "revealed_what": deed_of(view.revealed) if view.revealed is not None else "",
            "revealed_price": price_for(view, view.revealed) if view.revealed is not None else None,
            "card_what": "",
        }

    @property
    def stage(self) -> str:
        """The question open to the reader; "" if there is none."""
        return self.view.stage if own(self.view).number in self.view.asked else ""

    @property
    def answers(self) -> list[o.Order]:
        if not self.stage:
            return []
        return [
            order
            for order in self.legal
            if is_answer(self.view.stage, order) and not o.is_always(order)
        ]

    @property
    def deeds(self) -> list[o.Order]:
        return [order for order in self.legal if is_deed(order)]

    @property
    def others(self) -> list[o.Order]:
        kinds = (o.Auto, o.Wait, o.Drop, o.Concede)
        return [order for order in self.legal if isinstance(order, kinds)]

    def lines(self, key: str) -> list[o.Order]:
        """Lines of a plan: not what can only be said of the dice that lie there now."""
        return [
            order
            for order in self.legal
            if o.key_of(order) == key and not is_deed(order) and not _is_about_dice(order)
        ]

    @property
    def keys(self) -> list[o.Key]:
        """The keys under which a line can be given, in the order of a turn."""
        return [key for key in o.KEY_WORDS if key != "hero" and self.lines(key)]

    def label(self, name: str, *args: object) -> str:
        return phrase(WORDS, f"button_{name}", *args)

    def take(self, order: o.Order, text: str = "", after: Path = ()) -> MenuButton:
        words = self.text(order)
        return MenuButton(text or _short(words), after, takes=words)

    def entries(self, *, direct: bool = True) -> list[MenuButton]:
        """The answers themselves where they are few; they lead to a step that asks once, and take
        effect by themselves where they can. Not `direct`: a way to them.
        """
        found: list[MenuButton] = []
        if self.stage in SPECIAL:
            found.append(MenuButton(self.label("question", self.stage), (SPECIAL[self.stage],)))
        elif self.stage and direct:
            for order in _plain_answers(self):
                text = self.text(order)
                found.append(MenuButton(_answer_label(self, order), ("sure", text), takes=text))
        elif self.answers:
            found.append(MenuButton(self.label("question", self.stage), ("question",)))
        if self.deeds:
            found.append(MenuButton(self.label("shop"), ("shop",)))
        if self.keys:
            found.append(MenuButton(self.label("plan"), ("plan",)))
        if self.others:
            found.append(MenuButton(self.label("more"), ("more",)))
        return found

    def root(self) -> MenuStep:
        return self.look("root", in_lines(self.entries(direct=False)), None)


def _is_about_dice(order: o.Order) -> bool:
    match order:
        case o.Reroll(rules=rules):
            return any(rule.what.isdigit() for rule in rules)
        case o.Faces(rules=rules):
            return any(rule.count is not None for rule in rules)
        case o.PayTribute(ways=ways):
            return len({token for token, _ in ways}) < len(ways)
    return False


def _short(text: str) -> str:
    """The words behind the key of a line; the key stands above the buttons."""
    return text.partition(": ")[2] or text


def _answer_label(menu: Menu, order: o.Order) -> str:
    """A land with what it costs, a card with its price, else the word itself."""
    match order:
        case o.Enter(choices=(choice,)) | o.Realm(choices=(choice,)):
            entry = next(
                (
                    (gold, hearts)
                    for land, gold, hearts in own(menu.view).entries
                    if land == choice.word
                ),
                None,
            )
            return (
                menu.label("choice", choice.word)
                if entry is None
                else menu.label("land", menu.cast.land(choice.word), *entry)
            )
        case o.Choose(key=key, choices=(choice,)):
            return menu.label("word", key, choice.word)
        case o.PlaceCard(cover=None):
            price = 0 if menu.view.revealed is None else price_for(menu.view, menu.view.revealed)
            return menu.label("buy", menu.cast.card(menu.view.revealed or ""), price)
        case o.PlaceCard(cover=card):
            return menu.label("cover", menu.cast.card(card or ""))
    return menu.text(order)


def _plain_answers(menu: Menu) -> list[o.Order]:
    """Of the answers those without conditions that name one thing; richest and cheapest are for
    plans.
    """
    return [
        order
        for order in menu.answers
        if not (
            isinstance(order, o.Enter | o.Realm) and order.choices[0].word in (o.BEST, o.CHEAPEST)
        )
        and not any(getattr(choice, "when", ()) for choice in getattr(order, "choices", ()))
    ]


def _question(menu: Menu, path: Path) -> MenuStep | None:
    buttons = [menu.take(order, _answer_label(menu, order)) for order in _plain_answers(menu)]
    return (
        menu.look("question", in_lines(buttons), ())
        if buttons and menu.stage not in SPECIAL
        else None
    )


# --------------------------------------------------------------------------- questions with toggles
def _dice(menu: Menu, path: Path) -> MenuStep | None:
    """Each die a toggle: thrown again, or kept."""
    turn = menu.view.turn
    if turn is None or menu.stage not in ("reroll", "second", "knuckle"):
        return None
    chosen = {int(place) for place in path[1:] if place in ("1", "2", "3", "4", "5")}
    if menu.stage == "knuckle":
        chosen = set(sorted(chosen)[-1:])
    toggles = []
    for place, face in enumerate(turn.rolled, start=1):
        others = (chosen ^ {place}) if menu.stage != "knuckle" else ({place} - chosen)
        toggles.append(
            MenuButton(
                menu.label("die", face, place in chosen), ("dice", *map(str, sorted(others)))
            )
        )
    second = menu.stage != "reroll"
    order, none = reroll_of(sorted(chosen), second=second), reroll_of((), second=second)
    last = (
        [menu.take(order, menu.label("again", len(chosen)))]
        if chosen and order in menu.legal
        else []
    )
    if none in menu.legal:
        last.append(menu.take(none, menu.label("keep_all")))
    return menu.look("dice", [toggles, last], (), count=len(chosen))


def _faces(menu: Menu, path: Path) -> MenuStep | None:
    """A face for each R, one after the other."""
    turn = menu.view.turn
    if turn is None or menu.stage != "faces":
        return None
    count, told = (
        turn.rolled.count("R"),
        [face for face in FACES for one in path[1:] if one == face],
    )
    if not count:
        return menu.look(
            "faces",
            [[menu.take(order) for order in menu.answers if isinstance(order, o.GoOn)]],
            (),
            number=0,
            count=0,
        )
    told = told[: count - 1]
    buttons = []
    for face in FACES:
        if len(told) + 1 < count:
            buttons.append(MenuButton(menu.label("face", face), ("faces", *told, face)))
            continue
        left = sorted((*told, face), key=FACES.index)
        order = faces_of(
            turn.rolled, tuple(left.pop(0) if one == "R" else one for one in turn.rolled)
        )
        if order in menu.legal:
            buttons.append(menu.take(order, menu.label("face", face)))
    return menu.look(
        "faces",
        in_lines(buttons, 5),
        path[:-1] if len(path) > 1 else (),
        number=len(told) + 1,
        count=count,
    )


def _loot(menu: Menu, path: Path) -> MenuStep | None:
    """Half of the cards of the dead."""
    if menu.view.victim is None or menu.stage != "loot":
        return None
    cards = menu.view.player(menu.view.victim).cards
    count, chosen = half(len(cards)), [card for card in cards if card in path[1:]]
    toggles = []
    for card in cards:
        others = (
            [one for one in chosen if one != card] if card in chosen else [*chosen, card][-count:]
        )
        toggles.append(
            MenuButton(
                menu.label("toggle", menu.cast.card(card), card in chosen), ("loot", *others)
            )
        )
    last = [take(menu.text(o.Loot(tuple(chosen))))] if len(chosen) == count else []
    return menu.look("loot", [*in_lines(toggles), last], (), count=count)


def _tribute(menu: Menu, path: Path) -> MenuStep | None:
    """A land for each token that is owed, one after the other, as far as there is room on top of
    those told.
    """
    card = turn_card(menu.view)
    owed = () if card is None or menu.stage != "tribute" else owed_by_reader(menu.view, card)
    if not owed:
        return None
    room = {land.key: land.room for land in menu.view.lands}
    told: list[str] = []
    for land in path[1 : len(owed)]:
        if room.get(land, 0) > 0:
            room[land] -= 1
            told.append(land)
    roomy = [land for land, left in room.items() if left > 0]
    is_last = len(told) + 1 == len(owed) or sum(room.values()) == 1
    buttons = []
    for land in roomy:
        text = menu.label("room", menu.cast.land(land), room[land])
        order = o.PayTribute(tuple(zip(owed, (*told, land), strict=False)))
        buttons.append(
            menu.take(order, text) if is_last else MenuButton(text, ("tribute", *told, land))
        )
    paid = tuple(zip(owed, menu.cast.lands(told), strict=False))
    back = path[:-1] if len(path) > 1 else ()
    return menu.look(
        "tribute",
        in_lines(buttons),
        back,
        token=owed[len(told)],
        number=len(told) + 1,
        count=len(owed),
        paid=paid,
    )


def _heroes(menu: Menu, path: Path) -> MenuStep | None:
    """A ranked list, a tap a hero."""
    free = [order.heroes[0] for order in menu.answers if isinstance(order, o.PickHero)]
    if menu.stage != "heroes" or not free:
        return None
    told = [hero for hero in dict.fromkeys(path[1:]) if hero in free]
    buttons = [
        MenuButton(menu.cast.titled(hero), ("heroes", *told, hero))
        for hero in free
        if hero not in told
    ]
    last = [take(menu.text(o.PickHero(tuple(told))))] if told else []
    return menu.look(
        "heroes",
        [*in_lines(buttons), last],
        path[:-1] if len(path) > 1 else (),
        told=tuple(map(menu.cast.titled, told)),
    )


# --------------------------------------------------------------------- one's own turn, and the plan
def _shop(menu: Menu, path: Path) -> MenuStep | None:
    """What can be done at once in one's own turn."""
    buttons = []
    for order in menu.deeds:
        match order:
            case o.BuyNow(card=card):
                buttons.append(
                    menu.take(
                        order, menu.label("buy", menu.cast.card(card), price_for(menu.view, card))
                    )
                )
            case o.RevealNow():
                buttons.append(menu.take(order, menu.label("reveal")))
            case o.Life(amount=amount):
                buttons.append(menu.take(order, menu.label("life", amount)))
            case _:
                buttons.append(menu.take(order, menu.text(order).removesuffix(" now")))
    return menu.look("shop", in_lines(buttons), ()) if buttons else None


def _plan(menu: Menu, path: Path) -> MenuStep | None:
    if len(path) > 1:
        return _key(menu, path)
    plan = merged(menu.view, menu.standing.orders)
    buttons = [
        MenuButton(
            menu.label("key", o.KEY_WORDS[key], line_of(plan, key) is not None), ("plan", key)
        )
        for key in menu.keys
    ]
    return menu.look("plan", in_lines(buttons), ()) if buttons else None


def _key(menu: Menu, path: Path) -> MenuStep | None:
    """The lines of one key: the plain ones; with conditions they are written."""
    key, always = path[1], "always" in path[2:]
    lines = menu.lines(key)
    if not lines:
        return None
    known = next(known for known in o.KEY_WORDS if known == key)
    buttons = [
        menu.take(
            replace(line, always=True) if always else line, _short(menu.text(line)), ("plan",)
        )
        for line in lines
    ]
    last = [MenuButton(menu.label("always", always), path[:2] if always else (*path[:2], "always"))]
    if line_of(merged(menu.view, menu.standing.orders), known) is not None:
        last.append(menu.take(o.Drop(known), menu.label("forget"), ("plan",)))
    return menu.look("key", [*in_lines(buttons), last], ("plan",), key=o.KEY_WORDS[known])


def _sure(menu: Menu, path: Path) -> MenuStep | None:
    """An answer without further choices, asked about once."""
    order = next((order for order in menu.legal if path[1:2] == (menu.text(order),)), None)
    if order is None:
        return None
    text = menu.text(order)
    said = CONCEDED if isinstance(order, o.Concede) else text
    return menu.look("sure", [[take(said)]], (), order=text)


_SCREENS: Mapping[str, Callable[[Menu, Path], MenuStep | None]] = {
    "question": _question,
    "dice": _dice,
    "faces": _faces,
    "loot": _loot,
    "tribute": _tribute,
    "heroes": _heroes,
    "shop": _shop,
    "plan": _plan,
    "more": lambda menu, _: menu.list_of("more", menu.others),
    "sure": _sure,
}


def _default(view: TableView) -> str:
    """What stands on the button that leaves it to the plan, or to the rules where it says
    nothing.
    """
    is_planned = view.stage == "round" and bool(own(view).plan)
    return phrase(WORDS, "button_default", bool(line_for(view, Standing())) or is_planned)


MENU = StepMenu(Menu, _SCREENS, _default)

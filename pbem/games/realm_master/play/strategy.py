"""How scripted players of Realm-Master decide, from their own view alone: greedy for banners,
careful below a few hearts.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from engine.realm_master import orders as o
from engine.realm_master.cards import PLAYABLE, all_heroes, all_turn_cards
from engine.realm_master.conditions import Amount, LoneHalf, OnLand
from engine.realm_master.view import HeroView, LandView, OwnView, TableView
from pbem.play import Seen, Temper

ON_A_HERO, ON_A_LAND, ON_A_DIE = frozenset({"B11", "B16"}), frozenset({"B17"}), frozenset({"B13"})
WANTED_HEROES = 3
SAFE_HEARTS = 5
_LIKED = (
    "B12",
    "B20",
    "B02",
    "B19",
    "B01",
    "B18",
    "B04",
    "B16",
    "B08",
    "B05",
    "B06",
    "B15",
    "B14",
    "B09",
    "B11",
    "B17",
    "B03",
    "B07",
)
"""Buy cards, the dearest first."""


def plan(seen: Seen, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    """The lines of a round, or the answer to a question of live play."""
    view: TableView = seen.view
    if view.you is None:
        return ()
    if view.stage == "heroes":
        wanted = rng.sample(sorted(all_heroes()), len(all_heroes()))
        return (o.PickHero(tuple(wanted[:WANTED_HEROES])),)
    if view.stage == "round":
        return tuple(_lines(view, view.you, temper, rng))
    return _answer(seen, view, temper, rng)


def _lines(view: TableView, you: OwnView, temper: Temper, rng: random.Random) -> Iterator[o.Order]:
    me, lands = view.player(you.number), _by_worth(view)
    kept = {o.key_of(line) for line in you.plan}
    if me.hearts <= SAFE_HEARTS:
        yield o.Reroll(
            (
                o.DieRule("h", reroll=False, when=((Amount("hearts", "below", 6),),)),
                o.DieRule("s", reroll=False),
            ),
            "reroll",
        )
    elif temper.boldness > rng.random():
        yield o.Reroll((o.DieRule("s", reroll=False),), "reroll")
    elif "reroll" not in kept or rng.random() < 0.5:
        yield o.Reroll((o.DieRule("-", reroll=True), o.DieRule("lone", reroll=True)))
    if "faces" not in kept:
        yield _LONE_THEN_SWORD
    if "hit" not in kept:
        yield o.Choose(
            "hit",
            (
                o.Choice("leave", ((Amount("hearts", "below", 4 + (temper.boldness < 0.4)),),)),
                o.Choice("stay"),
            ),
        )
    if me.at is None:
        yield from _entry(me, you, lands, rng)
    else:
        yield _own_turn(me, lands)
    if temper.loyalty > 0.7 and rng.random() < 0.3:
        yield o.Choose("attack", (o.Choice("no"),))
    yield from _shopping(view, me, you, rng)
    yield from _card_lines(view, me, lands)


_LONE_THEN_SWORD = o.Faces((o.FaceRule("b", when=((LoneHalf(),),)), o.FaceRule("s")))


def _entry(
    me: HeroView, you: OwnView, lands: list[LandView], rng: random.Random
) -> Iterator[o.Order]:
    payable = [land for land in lands if land.key in you.payable and land.occupant is None]
    if me.hearts < 4 or not payable:
        yield o.Enter((o.Choice(o.NOWHERE),))
    elif len(payable) > 1:
        at_least = ((Amount("hearts", "at least", SAFE_HEARTS),),) if rng.random() < 0.5 else ()
        yield o.Enter(tuple(o.Choice(land.key, at_least) for land in payable[:2]))
    else:
        yield o.Enter((o.Choice(o.BEST),))


def _own_turn(me: HeroView, lands: list[LandView]) -> o.Order:
    other = next((land for land in lands if land.occupant is None), None)
    if me.at is not None and me.hearts > SAFE_HEARTS and other is not None:
        return o.Realm(
            (o.Choice("stay", ((OnLand(me.at, "banners", "at least", 1),),)), o.Choice(other.key))
        )
    return o.Realm((o.Choice("stay", ((Amount("hearts", "at least", 4),),)), o.Choice("leave")))


def _shopping(view: TableView, me: HeroView, you: OwnView, rng: random.Random) -> Iterator[o.Order]:
    prices = dict(you.prices)
    on_offer = [pile.card for pile in view.row if prices.get(pile.card, 99) <= me.gold]
    liked = [card for card in _LIKED if card in on_offer]
    if liked and rng.random() < 0.8:
        yield o.Buy((o.Wish(liked[0]),))
    rivals = [
        hero
        for hero in view.players
        if hero.alive and hero.number != me.number and hero.hero is not None
    ]
    for card in me.cards:
        if card in ON_A_HERO and rivals:
            richest = max(
                rivals,
                key=lambda hero: (hero.gold if card == "B11" else hero.banners, -hero.number),
            )
            yield o.Play(card, hero=richest.hero)
        elif (
            card in PLAYABLE
            and card not in ON_A_HERO | ON_A_LAND | ON_A_DIE
            and (card != "B08" or me.hearts < 8)
        ):
            yield o.Play(card)


def _card_lines(view: TableView, me: HeroView, lands: list[LandView]) -> Iterator[o.Order]:
    """What the card of the round asks for."""
    card = all_turn_cards().get(view.card or "")
    if card is None:
        return
    if card.effect == "exchange" and me.hearts < 7 and me.gold:
        yield o.Life(min(3, me.gold, me.maximum - me.hearts))
    roomy = [land for land in lands if land.room]
    if card.effect == "tribute" and roomy:
        yield o.PayTribute(tuple((token, roomy[-1].key) for token in dict.fromkeys(card.tokens)))
    if card.effect == "ultimatum" and me.at is not None:
        yield o.Choose("ultimatum", (o.Choice("lose" if me.hearts > 8 else "leave"),))


def _by_worth(view: TableView) -> list[LandView]:
    """The lands of the table, the one with most banners and gold first."""
    return sorted(view.lands, key=lambda land: (-2 * land.banners - land.gold, land.key))


def _answer(seen: Seen, view: TableView, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    """To the open question of live play."""
    answer = _ANSWERS.get(view.stage)
    return (
        answer(seen, view, temper, rng)
        if answer is not None and view.you is not None and view.you.number in view.asked
        else ()
    )


_Answer = Callable[[Seen, TableView, Temper, random.Random], tuple[o.Order, ...]]


def _reroll(seen: Seen, view: TableView, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    rolled = view.turn.rolled if view.turn is not None else ()
    places = [
        place
        for place, face in enumerate(rolled, start=1)
        if face == "-" or (face == "c" and temper.boldness > 0.6)
    ]
    places = places[:1] if view.stage == "knuckle" else places
    return (
        o.Reroll(
            tuple(o.DieRule(str(place), reroll=True) for place in places),
            "keep",
            view.stage != "reroll",
        ),
    )


def _faces(seen: Seen, view: TableView, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    faces = [order for order in seen.legal if isinstance(order, o.Faces | o.GoOn)]
    swords = [
        order
        for order in faces
        if isinstance(order, o.Faces) and all(rule.face == "s" for rule in order.rules)
    ]
    return tuple((swords or faces)[:1])


def _word(key: str) -> _Answer:
    def answer(
        seen: Seen, view: TableView, temper: Temper, rng: random.Random
    ) -> tuple[o.Order, ...]:
        hearts = view.player(seen.number).hearts
        word = {
            "attack": "yes",
            "smoke": "yes" if hearts <= SAFE_HEARTS else "no",
            "hit": "stay" if hearts > SAFE_HEARTS else "leave",
            "ultimatum": "lose" if hearts > 8 else "leave",
        }[key]
        return tuple(
            order for order in seen.legal if order == o.Choose(_KEYS[key], (o.Choice(word),))
        )[:1]

    return answer


_KEYS: Mapping[str, Literal["attack", "hit", "smoke", "ultimatum"]] = {
    "attack": "attack",
    "hit": "hit",
    "smoke": "smoke",
    "ultimatum": "ultimatum",
}


def _land(seen: Seen, view: TableView, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    hearts = view.player(seen.number).hearts
    ways = [
        order
        for order in seen.legal
        if isinstance(order, o.Enter if view.stage == "enter" else o.Realm)
    ]
    worth = {land.key: 2 * land.banners + land.gold for land in view.lands}
    words = {
        "stay": 2 if hearts > 4 else -2,
        "leave": 1 if hearts <= 4 else -1,
        o.NOWHERE: 0 if hearts > 4 else 5,
    }
    ranked = sorted(ways, key=lambda order: -_worth_of(order, worth, words))
    return tuple(ranked[:1])


def _worth_of(order: o.Enter | o.Realm, worth: Mapping[str, int], words: Mapping[str, int]) -> int:
    word = order.choices[0].word
    return words[word] if word in words else worth.get(word, 0)


def _first(*kinds: type[o.Order]) -> _Answer:
    def answer(
        seen: Seen, view: TableView, temper: Temper, rng: random.Random
    ) -> tuple[o.Order, ...]:
        return tuple(order for order in seen.legal if isinstance(order, kinds))[:1]

    return answer


def _last(seen: Seen, view: TableView, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    """Whatever is liked and can be paid is bought; then the turn is over."""
    bought = [order for card in _LIKED for order in seen.legal if order == o.BuyNow(card)]
    costly = bought[:1] if rng.random() < 0.6 else []
    return (*costly, o.GoOn())


_ANSWERS: Mapping[str, _Answer] = {
    "reroll": _reroll,
    "second": _reroll,
    "knuckle": _reroll,
    "faces": _faces,
    "attack": _word("attack"),
    "smoke": _word("smoke"),
    "hit": _word("hit"),
    "ultimatum": _word("ultimatum"),
    "enter": _land,
    "realm": _land,
    "tribute": _first(o.PayTribute),
    "loot": _first(o.Loot),
    "place": _first(o.PlaceCard),
    "last": _last,
}

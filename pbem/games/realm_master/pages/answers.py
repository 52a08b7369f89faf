"""What a reader can answer to the open question, as canonical texts that can be sent as they are,
each with what it means here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.realm_master import orders as o
from engine.realm_master.cards import SMOKE_POT, Token, TurnCard, all_turn_cards, half
from engine.realm_master.conditions import Amount, Bound, Face, LoneHalf, When
from engine.realm_master.decisions import tokens_owed
from engine.realm_master.defaults import faces_of, reroll_of
from engine.realm_master.view import HeroView, LandView, TableView
from pbem.games.realm_master.pages.cast import Cast
from pbem.games.realm_master.pages.facts import me, own, price_for
from pbem.pages.rendering import Twin, twin

TEMPLATE = "realm_master/answers.j2"
MOST = 7
"""The most that are listed; if there are more, the first ones are examples."""
FACES: tuple[Face, ...] = ("s", "c", "h", "b")
_LONE: When = ((LoneHalf(),),)


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """Texts to send together, and why one would."""

    texts: tuple[str, ...]
    why: Twin


Found = Iterator[tuple[tuple[o.Order, ...], Twin]]


def answers(view: TableView, cast: Cast) -> tuple[AnswerLine, ...]:
    """None of a player who is not asked; of a plan some examples, of other questions what there is
    to choose.
    """
    if view.you is None or view.you.number not in view.asked:
        return ()
    found = list(_OF_STAGE[view.stage](view, cast)) if view.stage in _OF_STAGE else []
    return tuple(AnswerLine(cast.orders(orders), why) for orders, why in found[:MOST])


def lands_to_enter(view: TableView) -> tuple[LandView, ...]:
    """Lands that the reader could pay and nobody is on, the fullest first."""
    payable = own(view).payable
    free = [land for land in view.lands if land.key in payable]
    return tuple(sorted(free, key=lambda land: -(land.hearts + land.gold + land.banners)))


def targets(view: TableView) -> tuple[HeroView, ...]:
    """Whom the hero whose turn it is would hit, in seat order."""
    if view.turn is None:
        return ()
    others = [
        view.player(number)
        for number in view.seating
        if number != view.turn.player and view.player(number).alive
    ]
    return tuple(held for held in others if (held.at is None) == view.turn.inside)


def turn_card(view: TableView) -> TurnCard | None:
    return None if view.card is None else all_turn_cards()[view.card]


def _why(name: str, *args: object) -> Twin:
    return twin(TEMPLATE, name, *args)


def _hearts(bound: Bound, number: int) -> When:
    return ((Amount("hearts", bound, number),),)


def _choose(key: str, word: str) -> o.Choose:
    """One word of a question that has two."""
    known = next(known for known in o.WORDS if known == key)
    match known:
        case "attack":
            return o.Choose("attack", (o.Choice(word),))
        case "hit":
            return o.Choose("hit", (o.Choice(word),))
        case "smoke":
            return o.Choose("smoke", (o.Choice(word),))
    return o.Choose("ultimatum", (o.Choice(word),))


# ----------------------------------------------------------------------------- windows of everybody
def _heroes(view: TableView, cast: Cast) -> Found:
    yield (o.PickHero(("elf", "princess", "dwarf")),), _why("heroes")


def _plan(view: TableView, cast: Cast) -> Found:
    held, card, has_turn = me(view), turn_card(view), me(view).number in view.to_come
    kept = {o.key_of(line) for line in own(view).plan}
    dice = o.Reroll((o.DieRule("-", reroll=True), o.DieRule("lone", reroll=True)))
    if has_turn and view.round < 2 and not {"reroll", "faces"} <= kept:
        yield (dice, o.Faces((o.FaceRule("b", None, _LONE), o.FaceRule("s")))), _why("dice")
    if card is not None and held.number in view.to_pay:
        yield (_tribute_of(view, card),), _why("tribute")
    if view.to_yield and held.at is not None:
        choices = (o.Choice("lose", _hearts("at least", 9)), o.Choice("leave"))
        yield (o.Choose("ultimatum", choices),), _why("ultimatum", held.hearts)
    if held.at is not None:
        stance = (o.Choice("leave", _hearts("below", 5)), o.Choice("stay"))
        hit = () if "hit" in kept and has_turn else (o.Choose("hit", stance),)
        orders = (*hit, *((o.Realm(stance),) if has_turn else ()))
        yield orders, _why("stance", cast.land(held.at), bool(hit), has_turn)
    elif has_turn and (wanted := lands_to_enter(view) or view.lands[:2]):
        first = o.Choice(wanted[0].key, _hearts("at least", 6))
        second = tuple(o.Choice(land.key) for land in wanted[1:2])
        yield (
            (o.Enter((first, *second)),),
            _why("enter", cast.lands(land.key for land in wanted[:2])),
        )
    if has_turn and view.row:
        cheapest = min((pile.card for pile in view.row), key=lambda card: price_for(view, card))
        yield (
            (o.Buy((o.Wish(cheapest),), keep=1),),
            _why("buy", cast.card(cheapest), price_for(view, cheapest)),
        )
    if SMOKE_POT in held.cards:
        yield (
            (
                o.Choose(
                    "smoke",
                    (o.Choice("yes", ((Amount("damage", "at least", 3),),)), o.Choice("no")),
                ),
            ),
            _why("smoke_plan"),
        )


def _tribute_of(view: TableView, card: TurnCard) -> o.PayTribute:
    """Each token that the reader has to the land with most room, in turn."""
    lands = sorted(view.lands, key=lambda land: -land.room)
    owed = owed_by_reader(view, card)
    return o.PayTribute(
        tuple(
            (token, lands[i % len(lands)].key)
            for i, token in enumerate(dict.fromkeys(owed or card.tokens))
        )
    )


def owed_by_reader(view: TableView, card: TurnCard) -> tuple[Token, ...]:
    """What the reader pays of a tribute."""
    held = me(view)
    return tokens_owed(card.tokens, hearts=held.hearts, gold=held.gold, banners=held.banners)


# --------------------------------------------------------------------------- questions of live play
def _tribute(view: TableView, cast: Cast) -> Found:
    card = turn_card(view)
    if card is not None:
        yield (_tribute_of(view, card),), _why("tribute")


def _ultimatum(view: TableView, cast: Cast) -> Found:
    held = me(view)
    yield (
        (_choose("ultimatum", "leave"),),
        _why("leave_now", "" if held.at is None else cast.land(held.at)),
    )
    yield (_choose("ultimatum", "lose"),), _why("bleed_now", max(0, held.hearts - 4))


def _reroll(view: TableView, cast: Cast) -> Found:
    if view.turn is None:
        return
    second = view.stage != "reroll"
    blanks = tuple(i for i, face in enumerate(view.turn.rolled, start=1) if face == "-")
    most = 1 if view.stage == "knuckle" else 5
    if blanks:
        yield (reroll_of(blanks[:most], second=second),), _why("again", blanks[:most])
    if not blanks or (len(blanks) != 1 and most > 1):
        yield (reroll_of((5,), second=second),), _why("again", (5,))
    yield (reroll_of((), second=second),), _why("no_more")


def _faces(view: TableView, cast: Cast) -> Found:
    if view.turn is None:
        return
    rolled = view.turn.rolled
    if "R" not in rolled:
        yield (o.GoOn(),), _why("keep_dice")
        return
    for face in FACES:
        yield (
            (faces_of(rolled, tuple(face if one == "R" else one for one in rolled)),),
            _why("become", face, rolled.count("R"), face == FACES[0]),
        )


def _attack(view: TableView, cast: Cast) -> Found:
    yield (
        (_choose("attack", "yes"),),
        _why("strike", tuple(cast.called(held.number) for held in targets(view))),
    )
    yield (_choose("attack", "no"),), _why("spare")


def _damage(view: TableView) -> int:
    return dict(view.turn.damage).get(own(view).number, 0) if view.turn is not None else 0


def _smoke(view: TableView, cast: Cast) -> Found:
    yield (_choose("smoke", "yes"),), _why("smoke_yes")
    yield (_choose("smoke", "no"),), _why("smoke_no", _damage(view), me(view).hearts)


def _hit(view: TableView, cast: Cast) -> Found:
    at = me(view).at
    if at is not None:
        yield (_choose("hit", "stay"),), _why("stay_hit", view.land(at), cast.land(at))
        yield (_choose("hit", "leave"),), _why("leave_now", cast.land(at))


def _loot(view: TableView, cast: Cast) -> Found:
    if view.victim is None:
        return
    cards = view.player(view.victim).cards
    count = half(len(cards))
    yield (o.Loot(cards[:count]),), _why("loot", cast.called(view.victim), cast.cards(cards), count)


def _place(view: TableView, cast: Cast) -> Found:
    if view.revealed is None:
        return
    price = price_for(view, view.revealed)
    if price <= me(view).gold:
        yield (o.PlaceCard(None),), _why("take", cast.card(view.revealed), price)
    for pile in view.row:
        yield (o.PlaceCard(pile.card),), _why("cover", cast.card(pile.card))


def _enter(view: TableView, cast: Cast) -> Found:
    costs = {land: (gold, hearts) for land, gold, hearts in own(view).entries}
    lands = lands_to_enter(view)
    for land in lands:
        yield (o.Enter((o.Choice(land.key),)),), _why("enter_now", land, *costs[land.key])
    yield (o.Enter((o.Choice(o.NOWHERE),)),), _why("outside" if lands else "outside_unless")
    yield from _purchases(view, cast) if not lands else ()


def _realm(view: TableView, cast: Cast) -> Found:
    held = me(view)
    if held.at is None:
        return
    yield (o.Realm((o.Choice("stay"),)),), _why("stay", view.land(held.at), cast.land(held.at))
    costs = {land: (gold, hearts) for land, gold, hearts in own(view).entries}
    for land in lands_to_enter(view)[:3]:
        yield (o.Realm((o.Choice(land.key),)),), _why("enter_now", land, *costs[land.key])
    yield (o.Realm((o.Choice("leave"),)),), _why("leave_now", cast.land(held.at))


def _last(view: TableView, cast: Cast) -> Found:
    yield (o.GoOn(),), _why("go_on")
    yield from _purchases(view, cast)
    if me(view).gold:
        yield (o.RevealNow(),), _why("reveal_now")


def _purchases(view: TableView, cast: Cast) -> Found:
    for pile in view.row:
        if price_for(view, pile.card) <= me(view).gold:
            yield (
                (o.BuyNow(pile.card),),
                _why("buy_now", cast.card(pile.card), price_for(view, pile.card)),
            )


_OF_STAGE: Mapping[str, Callable[[TableView, Cast], Found]] = {
    "heroes": _heroes,
    "round": _plan,
    "tribute": _tribute,
    "ultimatum": _ultimatum,
    "reroll": _reroll,
    "second": _reroll,
    "knuckle": _reroll,
    "faces": _faces,
    "attack": _attack,
    "smoke": _smoke,
    "hit": _hit,
    "loot": _loot,
    "place": _place,
    "enter": _enter,
    "realm": _realm,
    "last": _last,
}

"""What the table looks like to one reader, as rows for tables and lists: heroes, lands, the row,
the turn card, what is one's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.realm_master.cards import Tokens, all_buy_cards, all_heroes, all_lands
from engine.realm_master.turns.market import price_of
from engine.realm_master.view import HeroView, LandView, OwnView, TableView
from pbem.games.realm_master.pages.cast import Cast, deed_of, effect_of, gift_of
from pbem.pages.kit.arms import Arms, arms_of
from pbem.pages.rendering import Twin, phrase, twin

TABLES = "realm_master/tables.j2"


@dataclass(frozen=True, slots=True)
class HeroRow:
    """`at` is a land's short name, "" outside; `killer` who killed a dead one."""

    seat: int
    name: str
    hero: str
    arms: Arms
    hearts: int
    maximum: int
    gold: int
    banners: int
    at: str
    cards: tuple[str, ...]
    alive: bool
    fell_round: int
    killer: str
    conceding: bool


@dataclass(frozen=True, slots=True)
class LandRow:
    """`cost` and `bonus` are those of the card, `own` what the reader pays (None: nobody in
    particular reads).
    """

    name: str
    long: str
    hearts: int
    gold: int
    banners: int
    room: int
    capacity: int
    cost: Tokens
    own: Tokens | None
    bonus: Tokens
    attack: int
    occupant: str


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card with what it does; `cost` is the reader's price (0 for a card that is owned), `covers`
    the cards under it, the next first.
    """

    name: str
    cost: int
    what: str
    covers: tuple[str, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class HeroChoice:
    """A hero to choose: with what it starts, and what it can."""

    key: str
    titled: str
    start: Tokens
    what: str
    rule: str


@dataclass(frozen=True, slots=True)
class Pieces:
    """What nearly every page shows, in every dress."""

    heroes: Twin
    lands: Twin
    row: Twin
    fresh: Twin
    card: Twin
    alt: str


def own(view: TableView) -> OwnView:
    """The reader's own part; ValueError for the public."""
    if view.you is None:
        raise ValueError("the public has no seat")
    return view.you


def me(view: TableView) -> HeroView:
    return view.player(own(view).number)


def hero_rows(view: TableView, cast: Cast) -> tuple[HeroRow, ...]:
    """In seat order, the dead last."""
    order = sorted(
        view.seating, key=lambda number: (not view.player(number).alive, view.seating.index(number))
    )
    return tuple(_hero_row(view.player(number), cast) for number in order)


def _hero_row(held: HeroView, cast: Cast) -> HeroRow:
    return HeroRow(
        seat=held.seat,
        name=cast.name(held.number),
        hero=cast.title(held.hero),
        arms=arms_of(held.colour),
        hearts=held.hearts,
        maximum=held.maximum,
        gold=held.gold,
        banners=held.banners,
        at="" if held.at is None else cast.land(held.at),
        cards=cast.cards(held.cards),
        alive=held.alive,
        fell_round=held.fell_round,
        killer="" if held.fell_to is None else cast.name(held.fell_to),
        conceding=held.conceding,
    )


def land_rows(view: TableView, cast: Cast) -> tuple[LandRow, ...]:
    """In row order."""
    owed = (
        {}
        if view.you is None
        else {land: Tokens(hearts=hearts, gold=gold) for land, gold, hearts in view.you.entries}
    )
    return tuple(_land_row(land, owed.get(land.key), cast) for land in view.lands)


def _land_row(land: LandView, owed: Tokens | None, cast: Cast) -> LandRow:
    card = all_lands()[land.key]
    return LandRow(
        name=card.short,
        long=card.name,
        hearts=land.hearts,
        gold=land.gold,
        banners=land.banners,
        room=land.room,
        capacity=card.capacity,
        cost=Tokens(hearts=card.hearts, gold=card.gold),
        own=owed,
        bonus=card.bonus,
        attack=card.attack,
        occupant="" if land.occupant is None else cast.name(land.occupant),
    )


def row_rows(view: TableView, cast: Cast) -> tuple[CardRow, ...]:
    """The cards on offer from the left, at the reader's price."""
    prices = {} if view.you is None else dict(view.you.prices)
    return tuple(
        _card_row(pile.card, prices.get(pile.card, pile.cost), cast, pile.covers)
        for pile in view.row
    )


def own_cards(view: TableView, cast: Cast) -> tuple[CardRow, ...]:
    return tuple(_card_row(card, 0, cast) for card in me(view).cards)


def _card_row(card: str, cost: int, cast: Cast, covers: tuple[str, ...] = ()) -> CardRow:
    return CardRow(
        cast.card(card), cost, deed_of(card), cast.cards(covers), all_buy_cards()[card].rule
    )


def price_for(view: TableView, card: str) -> int:
    """What a card costs the reader, in the row or just revealed."""
    return price_of(card, hero=me(view).hero, turn_card=view.card)


@lru_cache(maxsize=1)
def hero_choices() -> tuple[HeroChoice, ...]:
    return tuple(
        HeroChoice(hero.key, f"{hero.title}, {hero.name}", hero.start, gift_of(hero.key), hero.rule)
        for hero in all_heroes().values()
    )


def pieces(view: TableView, cast: Cast, new: frozenset[str] = frozenset()) -> Pieces:
    """`new` are the cards that the reader has not seen before."""
    heroes, lands, row = hero_rows(view, cast), land_rows(view, cast), row_rows(view, cast)
    return Pieces(
        _piece("heroes", heroes),
        _piece("lands", lands),
        _piece("row", row, view.deck, len(view.discard)),
        _piece("fresh", row, cast.cards(sorted(new))),
        card_piece(view.card, view.rounds_left),
        alt_text(
            heroes,
            lands,
            tuple(card.name for card in row),
            view.round,
            "" if view.card is None else cast.turn_card(view.card),
        ),
    )


@lru_cache(maxsize=512)
def _piece(macro: str, rows: Sequence[object], *more: object) -> Twin:
    return twin(TABLES, macro, rows, *more)


@lru_cache(maxsize=64)
def card_piece(card: str | None, rounds_left: int) -> Twin:
    """The round's turn card and what it does."""
    return twin(TABLES, "card", card, "" if card is None else effect_of(card), rounds_left)


@lru_cache(maxsize=256)
def alt_text(
    heroes: tuple[HeroRow, ...],
    lands: tuple[LandRow, ...],
    row: tuple[str, ...],
    number: int,
    card: str,
) -> str:
    """The picture in words."""
    return phrase(TABLES, "alt", heroes, lands, row, number, card)

"""Crowded scenes of Realm-Master, by lot: they obey no rule but look like a table on which much
lies.
"""

from random import Random

from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands, all_turn_cards
from pbem.board.palette import COLOURS
from pbem.games.realm_master.board.scene import (
    Blow,
    Card,
    Die,
    Face,
    Hero,
    Land,
    Pile,
    Roll,
    Scene,
    Tokens,
    TurnCard,
)

NAMES = (
    *("Anna", "Maximiliane von Hohenstein-Waldburg", "Ελένη", "Дмитро", "WWWWWWWWWWWWWWWWWWWWWWWW"),
    "Chloé",
)
FACES: tuple[Face, ...] = ("-", "b", "s", "c", "h", "R")
CARDS = tuple(
    Card(card.key, card.name, card.keep, card.enchantment) for card in all_buy_cards().values()
)


def crowded(players: int, lot: int = 1, **more: object) -> Scene:
    """Every kind of mark: full lands, covered cards, many cards in hand, somebody inside, somebody
    dead, dice everywhere.
    """
    rng = Random(lot)
    cards = rng.sample(CARDS, len(CARDS))
    lands = rng.sample(sorted(all_lands()), 4)
    heroes = [_hero(rng, seat, players, cards, lands) for seat in range(players)]
    turn_card = rng.choice(list(all_turn_cards().values()))
    facts: dict[str, object] = {
        "table": "Heron",
        "round": rng.randint(1, 17),
        "phase": "Stay or leave",
        "due": ("Answer due", "Wed 30 Sept", "18:00 UTC+04"),
        "card": TurnCard(turn_card.key, turn_card.name, turn_card.kind),
        "rounds_left": rng.randint(0, 16),
        "lands": tuple(_land(rng, key, place) for place, key in enumerate(lands)),
        "heroes": tuple(heroes),
        "row": tuple(
            Pile(card, card_cost(card), tuple(cards[10:12][:place]))
            for place, card in enumerate(cards[-3:])
        ),
        "deck": rng.randint(0, 17),
        "discard": rng.randint(0, 17),
        "revealed": cards[-4],
    }
    return Scene(**(facts | more))  # type: ignore[arg-type]  # the facts of a test by name


def card_cost(card: Card) -> int:
    return all_buy_cards()[card.key].cost


def _hero(rng: Random, seat: int, players: int, cards: list[Card], lands: list[str]) -> Hero:
    key = sorted(all_heroes())[seat]
    blows = tuple(Blow(other, rng.randint(0, 9)) for other in range(players) if other != seat)
    dice = tuple(Die(rng.choice(FACES[:5]), wild=rng.random() < 0.3) for _ in range(5))
    dead = players > 3 and seat == players - 1
    return Hero(
        name=NAMES[seat],
        colour=COLOURS[seat],
        hero=key,
        title=all_heroes()[key].title,
        tokens=Tokens(rng.randint(1, 12), rng.randint(0, 29), rng.randint(0, 10)),
        maximum=12,
        cards=tuple(cards[seat * 2 : seat * 2 + 2 + 4 * (seat % 2)]),
        at=all_lands()[lands[seat]].short if seat < 2 else "",
        alive=not dead,
        fell_round=7 if dead else 0,
        fell_to=NAMES[1] if dead else "",
        active=seat == 0,
        winner=seat == 1,
        roll=Roll(60 + seat, dice, blows),
    )


def _land(rng: Random, key: str, place: int) -> Land:
    card = all_lands()[key]
    return Land(
        key=key,
        name=card.name,
        cost=Tokens(card.hearts, card.gold),
        bonus=Tokens(card.bonus.hearts, card.bonus.gold, card.bonus.banners),
        attack=card.attack,
        capacity=card.capacity,
        tokens=Tokens(rng.randint(0, 2), rng.randint(0, 2), rng.randint(0, 1)),
        occupant=place if place < 2 else None,
        dice=tuple(Die(rng.choice(FACES)) for _ in range(5)) if place % 2 else (),
    )

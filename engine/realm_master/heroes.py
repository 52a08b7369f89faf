"""Who takes which hero (RM-1.5, RM-1.6)."""

from collections.abc import Mapping, Sequence

from engine.realm_master.cards import all_heroes
from engine.realm_master.events import HeroTaken
from engine.realm_master.orders import Order, PickHero
from engine.realm_master.table import Table


def free_heroes(taken: set[str | None]) -> tuple[str, ...]:
    return tuple(hero for hero in all_heroes() if hero not in taken)


def take_heroes(table: Table, players: Sequence[int], answers: Mapping[int, Order | None]) -> None:
    """In seat order the first free hero of each list, or a random free one where the list has none
    left.
    """
    for player in players:
        free = free_heroes({held.hero for held in table.players.values()})
        answer = answers.get(player)
        wished = (
            [hero for hero in answer.heroes if hero in free] if isinstance(answer, PickHero) else []
        )
        hero = (
            wished[0]
            if wished
            else table.chance.choice(f"hero of {table.players[player].name}", free)
        )
        card = all_heroes()[hero]
        table.change(player, hero=hero, hearts=card.start.hearts, gold=card.start.gold)
        table.honour(player, card.start.banners)
        rules = ["RM-1.5", card.rule, *(["RM-1.6"] if wished else ["RM-1.6", "RM-9.1"])]
        table.tell(HeroTaken(player, hero, "choice" if wished else "chance", card.start), rules)

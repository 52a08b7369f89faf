"""The Realm: room in it, what an entry costs and brings, collecting, leaving (RM-5)."""

from typing import Literal

from engine.realm_master.cards import BOOTS, MISTS, TOKENS, Tokens, all_lands
from engine.realm_master.events import Collected, Gain, LandEntered, LandKept, LandLeft
from engine.realm_master.table import Table

FEW_HEROES = 4
"""With this many living heroes or fewer one may be inside, else two (RM-5.1)."""
BOOTS_DISCOUNT = 2


def is_free(table: Table) -> bool:
    """Whether there is room in the Realm for one more (RM-5.1, RM-5.2)."""
    return len(table.occupants) < (1 if len(table.living) <= FEW_HEROES else 2)


def entry_cost(table: Table, player: int, land: str) -> Tokens:
    """What this hero pays to enter a land: the dwarf's and the boots' discounts add up, never below
    0 (RM-2.10, RM-B04).
    """
    card = all_lands()[land]
    discount = (table.players[player].hero == "dwarf") + BOOTS_DISCOUNT * table.owns(player, BOOTS)
    return Tokens(hearts=card.hearts, gold=max(0, card.gold - discount))


def can_pay(table: Table, player: int, land: str) -> bool:
    """In full, and a heart cost must leave one (RM-5.6)."""
    cost, held = entry_cost(table, player, land), table.players[player]
    return held.gold >= cost.gold and (not cost.hearts or held.hearts > cost.hearts)


def enter(table: Table, player: int, land: str, *, swords: int) -> None:
    """Pay, get the bonus, collect (RM-5.6, RM-5.7); also from another land (RM-5.11)."""
    card, cost, moved = all_lands()[land], entry_cost(table, player, land), table.players[player].at
    table.hurt(player, cost.hearts)
    table.earn(player, -cost.gold)
    table.change(player, at=land)
    hearts = table.heal(player, card.bonus.hearts)
    table.earn(player, card.bonus.gold)
    table.honour(player, card.bonus.banners)
    bonus = Gain(hearts, card.bonus.gold, card.bonus.banners)
    rules = [
        "RM-5.6",
        card.rule,
        *(
            ["RM-5.10", "RM-5.11", "RM-9.11"]
            if moved
            else ["RM-5.3", "RM-5.4", "RM-5.5", "RM-5.12"]
        ),
    ]
    if not moved:
        rules.append(
            "RM-5.1" if len(table.living) > FEW_HEROES or len(table.occupants) == 1 else "RM-5.2"
        )
    if not moved and not swords:
        rules.append("RM-B18")
    saved = card.gold - cost.gold
    if saved:
        rules += (["RM-2.10"] if table.players[player].hero == "dwarf" else []) + (
            ["RM-B04"] if table.owns(player, BOOTS) else []
        )
    table.tell(LandEntered(player, land, Gain(cost.hearts, cost.gold), bonus, moved, saved), rules)
    collect(table, player, princess=True)


def stay(table: Table, player: int) -> None:
    """At the end of his own turn a hero stays and collects; the Standard of Mists takes a banner
    more if two lay there (RM-5.10).
    """
    land = table.players[player].at
    if land is None:
        return
    table.tell(LandKept(player, land), ["RM-5.10", "RM-9.11"])
    mists = table.owns(player, MISTS) and table.lands[land].banners > 1
    collect(table, player, princess=False, banners=2 if mists else 1)


def leave(table: Table, player: int, cause: Literal["turn", "hit"]) -> None:
    land = table.players[player].at
    if land is not None:
        table.change(player, at=None)
        table.tell(
            LandLeft(player, land, cause), ["RM-5.10", "RM-9.11"] if cause == "turn" else ["RM-4.7"]
        )


def collect(table: Table, player: int, *, princess: bool, banners: int = 1) -> None:
    """One of each token that lies there (RM-5.7); hearts that cannot be held stay (RM-5.8).
    `princess`: when she takes two (RM-5.9).
    """
    land = table.players[player].at
    if land is None:
        return
    hearts, rules = 1, ["RM-5.7"]
    if table.players[player].hero == "princess":
        rules += ["RM-5.9", "RM-2.15"] if princess else ["RM-5.9"]
        hearts = 2 if princess and table.lands[land].hearts > 1 else 1
    wanted = min(hearts, table.lands[land].hearts)
    healed = table.heal(player, wanted)
    table.take(land, "hearts", healed)
    gold = table.take(land, "gold", 1)
    table.earn(player, gold)
    won = table.take(land, "banners", banners)
    table.honour(player, won)
    if wanted > healed:
        rules.append("RM-5.8")
    if banners > 1:
        rules.append("RM-B20")
    table.tell(Collected(player, land, Gain(healed, gold, won), wanted - healed), rules)


def leave_behind(table: Table, land: str | None, gold: int, banners: int) -> tuple[Gain, Gain]:
    """What a dead hero had: on his land as far as there is room, gold first, the rest to the supply
    (RM-7.3). What stayed, what did not.
    """
    if land is None:
        return Gain(), Gain(gold=gold, banners=banners)
    stays = {
        token: table.put(land, token, count)
        for token, count in zip(TOKENS[1:], (gold, banners), strict=True)
    }
    rest = Gain(gold=stays["gold"], banners=stays["banners"])
    return rest, Gain(gold=gold - rest.gold, banners=banners - rest.banners)

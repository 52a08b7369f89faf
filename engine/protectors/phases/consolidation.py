"""Consolidation up to the buying step: hunger, the Mountain King, capture, production (section 8 of
the rules).
"""

from engine.protectors.cards import BLESSINGS, CRABS, WINTER_STORMS
from engine.protectors.events import (
    OrderFailed,
    PlayerEliminated,
    ProvinceTaken,
    RealmProduced,
    UnitsOverLimit,
    WorkDone,
)
from engine.protectors.factions.king import call_king
from engine.protectors.numbers import TOP_LEVEL, income_of
from engine.protectors.orders import ISLAND, Work
from engine.protectors.phases.dragon import call_dragon
from engine.protectors.phases.ending import settle_eliminations
from engine.protectors.phases.pirates import pay_pirates
from engine.protectors.phases.sanctum import settle_island
from engine.protectors.table import Table


def consolidate(table: Table) -> bool:
    """From the end of the battles to the buying step; False when the Dragon or the end of the game
    comes first (PR-8.1).
    """
    fasting = [
        player
        for player in table.active
        if "faith" in table.effects[player] and not table.is_faithful(player)
    ]
    for player in fasting:
        del table.effects[player]["faith"]
    _feed(table, fasting)
    settle_island(table)
    call_king(table)
    if _capture(table):
        settle_eliminations(table)
        if table.is_over:
            return False
        if table.dpl >= table.threshold:
            call_dragon(table, "consolidation", "threshold")
            return False
    produce(table)
    return True


def produce(table: Table) -> None:
    """Production, the fruits of Work, and what the Pirates are owed (PR-8.5, PR-10.5)."""
    board = table.board()
    cards = [
        rule
        for card, rule in ((WINTER_STORMS, "PR-4.13"), (BLESSINGS, "PR-4.14"))
        if card in table.force
    ]
    land: dict[int | None, list[int]] = {}
    for i, owner in enumerate(table.owner[ISLAND + 1 :], ISLAND + 1):
        land.setdefault(owner, []).append(i)
    for player in table.active:
        held, merchants = land.get(player, []), table.has(player, "merchants")
        income = income_of(held, board, table.force, table.working_lost, has_merchants=merchants)
        total = sum([part.amount for part in income])
        worked = [part.province for part in income if part.source == "work"]
        table.realm[player] += total
        rules = ["PR-8.5", "PR-1.9"]
        if worked:
            rules += ["PR-6.14", *(["PR-11.4"] if merchants else [])]
        green = [board[i].level for i in held if not board[i].burnt]
        if green.count(TOP_LEVEL) > 1:
            rules.append("PR-8.6")
        if len(green) < len(held):
            rules.append("PR-9.14")
        table.tell(RealmProduced(player, income, total), [*rules, *cards], (player,))
        for i in worked:
            table.tell(WorkDone(i, player, golden=False), ["PR-6.14"])
    for i, order in enumerate(table.order):
        player_here = table.owner[i]
        if order is None or player_here is None:
            continue
        if i in table.working_lost:
            failed = Work(i, golden=order == "golden work")
            table.tell(OrderFailed(player_here, failed, "all-committed"), ["PR-6.14"])
        raises = order == "golden work" and table.units[i] and i not in table.working_lost
        raises = raises and not table.burnt[i] and table.level[i] < TOP_LEVEL
        if raises:
            table.tell(WorkDone(i, player_here, golden=True), ["PR-6.15"])
        table.order[i] = "golden work" if raises else None
    table.working_lost = set()
    pay_pirates(table)


# -------------------------------------------------------------------------------- before production
def _feed(table: Table, fasting: list[int]) -> None:
    """Units above the supply limit are lost (PR-8.2); the Faith of those who fasted is over
    (PR-11.6).
    """
    for i, units in enumerate(table.units):
        holder = table.holder[i]
        if holder is not None and units > (limit := table.limit(i, holder)):
            table.units[i] = limit
            rules = ["PR-8.2", *(["PR-4.18"] if CRABS in table.force and i != ISLAND else [])]
            rules += [
                rule
                for applies, rule in ((i == ISLAND, "PR-12.1"), (holder in fasting, "PR-11.6"))
                if applies
            ]
            table.tell(UnitsOverLimit(i, holder, units - limit, limit), rules)


def _capture(table: Table) -> bool:
    """The Eliminate Players step (PR-8.3, PR-8.4); tells whether somebody was eliminated."""
    captors: dict[int, list[int]] = {}
    for i in range(1, table.provinces + 1):
        holder, before = table.holder[i], table.owner[i]
        if holder is None or holder == before:
            continue
        table.owner[i] = holder
        rules = ["PR-8.3"]
        if before is not None:
            captors.setdefault(before, []).append(holder)
            if i not in table.battled:
                rules.append("PR-7.10")
        if table.burnt[i]:
            rules.append("PR-9.14")
        table.tell(ProvinceTaken(i, holder, before, table.burnt[i]), rules)
    before_all = list(table.ranking)
    landed = set(table.owner[1:])
    landless = [player for player in table.active if player not in landed]
    shares = [(player, table.realm[player]) for player in landless]
    for player, held in shares:
        _eliminate(table, player, held, tuple(dict.fromkeys(captors.get(player, ()))))
    table.tell_ranking("eliminated", before_all, "PR-8.4")
    return bool(landless)


def _eliminate(table: Table, player: int, held: int, captors: tuple[int, ...]) -> None:
    """Half of the purse to the captors in equal parts, the rest is lost (PR-8.4)."""
    part = held // 2 // len(captors) if captors else 0
    table.remove(player, captors or (player,))
    for captor in captors:
        table.realm[captor] += part
    spoils = tuple((captor, part) for captor in captors)
    table.tell(
        PlayerEliminated(player, captors, "captured", spoils, held - part * len(captors)),
        ["PR-8.4"],
    )

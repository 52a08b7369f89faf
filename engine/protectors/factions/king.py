"""The Mountain King: he fights for a player about to be eliminated, or guards a level-3 province
(PR-11.4, PR-11.5).
"""

from engine.protectors.ability_events import KingFought, KingPaid, PlayerSaved
from engine.protectors.cards import DEEP_SNOW
from engine.protectors.numbers import TOP_LEVEL
from engine.protectors.table import Table

_STRENGTHS = ((301, 4), (151, 3), (51, 2), (0, 1))
"""From which holdings on he sends how much (PR-11.4)."""


def call_king(table: Table) -> None:
    """Right before the Eliminate step he comes to every place where he is due, all at once, and
    again if that makes him due.
    """
    called: dict[int, tuple[tuple[int, ...], int]] = {}
    while True:
        due = {
            player: lands
            for player in table.active
            if player not in called and (lands := _contested(table, player))
        }
        if not due:
            break
        for player, lands in due.items():
            called[player] = lands, table.realm[player]
            rules = ["PR-11.4", *(["PR-11.5"] if table.covers(player, "guard") else [])]
            table.use(player, "king", 0, rules)
        for player, lands in due.items():
            for i in lands:
                _fight(table, player, i, king_strength(called[player][1]))
    for player, (lands, held) in called.items():
        _settle(table, player, lands, held)


def king_strength(held: int) -> int:
    """The Defender US of the one unit he sends, by the holdings of the player he helps."""
    return next(strength for least, strength in _STRENGTHS if held >= least)


def _contested(table: Table, player: int) -> tuple[int, ...]:
    """Where he would have to fight for this player now; nowhere if he is not due."""
    if not table.can_use(player, "king", "king"):
        return ()
    entered = tuple(i for i in table.held(player) if table.holder[i] not in (None, player))
    if table.covers(player, "guard"):
        tops = [i for i in table.green(player) if table.level[i] == TOP_LEVEL]
        gains = any(
            table.holder[i] == player != table.owner[i] and level == TOP_LEVEL
            for i, level in enumerate(table.level)
        )
        return tuple(tops) if len(tops) == 1 and tops[0] in entered and not gains else ()
    return entered if _is_falling(table, player) else ()


def _is_falling(table: Table, player: int) -> bool:
    """Whether the Eliminate step would leave the player without a province."""
    keeps = any(table.holder[i] in (None, player) for i in table.held(player))
    return not keeps and player not in table.holder[1:]


def _fight(table: Table, player: int, i: int, strength: int) -> None:
    """One unit of his against the intruders, at the rank of the player he helps. After a clear win
    a normal unit stays.
    """
    intruder, units = table.holder[i], table.units[i]
    if intruder is None:
        return
    snow = DEEP_SNOW in table.force
    against = units - snow
    rank, theirs = table.ranking.index(player) + 1, table.ranking.index(intruder) + 1
    tie = strength == against
    won = strength > against or (tie and rank < theirs)
    if won:
        table.units[i], table.holder[i] = (0, None) if tie else (1, player)
    elif tie:
        table.lose_units(i, 1)
    table.battled.add(i)
    guards = table.covers(player, "guard")
    rules = ["PR-11.4", *(["PR-7.8", "PR-3.11"] if tie else ["PR-7.7"])]
    rules += [rule for applies, rule in ((guards, "PR-11.5"), (snow, "PR-4.9")) if applies]
    facts = KingFought(
        province=i,
        player=player,
        intruder=intruder,
        strength=strength,
        rank=rank,
        units=units,
        snow=snow,
        intruder_rank=theirs,
        guards=guards,
        won=won,
        tie=tie,
        left=table.units[i],
    )
    table.tell(facts, rules)


def _settle(table: Table, player: int, lands: tuple[int, ...], held: int) -> None:
    """Who was saved pays half of the holdings, and the salute is due (PR-11.4)."""
    guarded = table.effects[player].pop("guard", 0) >= table.turn
    kept = tuple(i for i in lands if table.holder[i] in (None, player))
    if not kept or (not guarded and _is_falling(table, player)):
        return
    paid = held // 2
    table.realm[player] -= paid
    rules = ["PR-11.4", *(["PR-11.5"] if guarded else [])]
    table.tell(KingPaid(player, held, paid), [*rules, "PR-1.9"], (player,))
    table.tell(PlayerSaved(player, kept, guarded), rules)

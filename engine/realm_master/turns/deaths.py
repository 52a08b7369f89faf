"""Hearts at nothing: the Phoenix Feather, death, loot, and who has won (RM-7)."""

from typing import Literal

from engine.realm_master.cards import BANNERS_TO_WIN, PHOENIX, half
from engine.realm_master.decisions import loot_of
from engine.realm_master.events import Gain, GameWon, HeroDied, PhoenixRose
from engine.realm_master.heroes import take_heroes
from engine.realm_master.plans import told, use
from engine.realm_master.state import Check, Fall
from engine.realm_master.table import Table
from engine.realm_master.turns.lands import leave_behind

PHOENIX_HEARTS = 3
Cause = Literal["attack", "bolt", "thorns", "ultimatum", "concede", "game-master"]


def settle_wound(table: Table, victim: int, killer: int | None, cause: Cause) -> None:
    """What follows when a hero may have lost the last heart: nothing, the Phoenix, or death and the
    question who has won.
    """
    if table.players[victim].hearts > 0:
        return
    if not rise(table, victim):
        table.push(Fall(victim, killer, cause), Check())


def rise(table: Table, player: int) -> bool:
    """The Phoenix Feather, if the hero has it: automatic, also where nobody killed (RM-B19)."""
    if not table.owns(player, PHOENIX):
        return False
    land = table.players[player].at
    table.throw_away(player, PHOENIX)
    table.change(player, hearts=PHOENIX_HEARTS, at=None)
    table.tell(PhoenixRose(player, PHOENIX_HEARTS, land), ["RM-B19", "RM-6.6"])
    return True


def fall(table: Table, task: Fall) -> bool:
    """A death: the killer chooses among the cards, gets half of everything, the rest goes to land,
    supply and pile. True if it asks.
    """
    victim = table.players[task.victim]
    if not victim.alive:
        return False
    killer = task.killer if task.killer is not None and table.players[task.killer].alive else None
    looted: tuple[str, ...] = ()
    if killer is not None and half(len(victim.cards)):
        is_decided, line = told(table, killer, "loot")
        if not is_decided:
            return table.ask("loot", [killer])
        use(table, killer, line)
        looted = loot_of(victim.cards, line)
    gold, banners = (half(victim.gold), half(victim.banners)) if killer is not None else (0, 0)
    discarded = tuple(card for card in victim.cards if card not in looted)
    rest, lost = leave_behind(table, victim.at, victim.gold - gold, victim.banners - banners)
    table.change(
        task.victim,
        alive=False,
        hearts=0,
        gold=0,
        banners=0,
        cards=(),
        at=None,
        fell_in=table.turns,
        fell_round=table.round,
        fell_to=killer,
        conceding=False,
    )
    table.discard[:0] = discarded
    if killer is not None:
        table.earn(killer, gold)
        table.honour(killer, banners)
        table.change(killer, cards=(*table.players[killer].cards, *looted))
    rules = ["RM-7.1", "RM-7.3", "RM-7.4", "RM-6.6"]
    rules += ["RM-7.2", *(["RM-9.14"] if looted else [])] if killer is not None else ["RM-7.5"]
    rules += {
        "thorns": ["RM-7.5", "RM-B14"],
        "bolt": ["RM-7.5", "RM-B16"],
        "concede": ["RM-7.9"],
    }.get(task.cause, [])
    if table.turn is not None and table.turn.player == task.victim:
        rules.append("RM-7.10")
    table.tell(
        HeroDied(
            task.victim,
            killer,
            task.cause,
            victim.at,
            Gain(0, gold, banners),
            looted,
            rest,
            lost,
            discarded,
        ),
        rules,
    )
    return False


def check_victory(table: Table) -> None:
    """Ten banners, the first to reach them in the order of resolution (RM-7.6); or the last living
    hero (RM-7.7).
    """
    ahead = [player for player in table.living if table.players[player].banners >= BANNERS_TO_WIN]
    if ahead:
        first = next((player for player in table.reached if player in ahead), ahead[0])
        end_game(table, (first,), "banners", "RM-7.6")
    elif len(table.living) == 1:
        end_game(table, tuple(table.living), "last", "RM-7.7")
    table.reached = []


def count_up(table: Table) -> None:
    """After the final round: most banners, then hearts, gold, cards; else shared (RM-7.8)."""
    best = max(standing_of(table, player) for player in table.living)
    winners = tuple(sorted(player for player in table.living if standing_of(table, player) == best))
    end_game(table, winners, "rounds", "RM-7.8", "RM-3.3")


def standing_of(table: Table, player: int) -> tuple[int, int, int, int]:
    """What the living are compared by at the end."""
    held = table.players[player]
    return held.banners, held.hearts, held.gold, len(held.cards)


def end_game(
    table: Table,
    winners: tuple[int, ...],
    how: Literal["banners", "last", "rounds", "gm"],
    *rules: str,
) -> None:
    """Where it ends before the heroes are chosen they are drawn first (RM-1.6)."""
    take_heroes(table, [one for one in table.living if table.players[one].hero is None], {})
    order = sorted(table.living, key=lambda player: standing_of(table, player), reverse=True)
    table.stage, table.asked, table.agenda, table.turn = "over", (), [], None
    table.records, table.drawn, table.stock = [], [], []
    table.winners, table.ended_by = winners, how
    table.tell(
        GameWon(winners, how, tuple((player, *standing_of(table, player)) for player in order)),
        [*rules, "RM-3.4"],
    )

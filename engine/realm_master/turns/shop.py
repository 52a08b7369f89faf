"""What a hero does with his gold and cards in his own turn, by his plan or at once: buying,
playing, revealing, the exchange (RM-9.12).
"""

from typing import Literal

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.cards import CHARM, WAR_HORN
from engine.realm_master.conditions import holds
from engine.realm_master.decisions import hearts_to_buy, place_to_cover
from engine.realm_master.events import LifeBought, LineSkipped
from engine.realm_master.plans import counts_now, told, use
from engine.realm_master.state import Do, PlaceRevealed
from engine.realm_master.table import Table
from engine.realm_master.turns.market import (
    buy,
    buy_revealed,
    can_reveal,
    cover,
    on_offer,
    price,
    reveal,
    why_no_card,
)
from engine.realm_master.turns.plays import play, why_not

Moment = Literal["early", "shop", "last", "charm"]


def task_of(order: o.Order) -> Do | None:
    """The deed that an order is in the player's own turn; None if it is not one."""
    match order:
        case o.BuyNow(card=card):
            return Do(o.Buy((o.Wish(card),)), final=True)
        case o.RevealNow():
            return Do(None, deed="reveal")
        case o.Play(now=True) | o.Life(now=True):
            return Do(order, final=True)
    return None


def lines_at(table: Table, moment: Moment) -> list[Do]:
    """The lines of the active player's plan that act unasked at this moment, in the order in which
    they are done.

    At S4 cards are played, hearts bought, cards revealed and bought as the plan has them one after
    the other, and what was bought is played (RM-6.1); at S7 what is left is tried again (RM-10.8).
    """
    player = table.now().player
    lines = [line for line in table.players[player].plan.lines if counts_now(table, player, line)]
    plays = [line for line in lines if isinstance(line, o.Play)]
    buys = [line for line in lines if isinstance(line, o.Buy)]
    if moment == "charm":
        return [Do(line, final=True) for line in plays if line.card == CHARM]
    if moment == "early":
        return [Do(line, final=True) for line in plays if line.early] + [
            Do(line, keep=line.keep) for line in buys if line.early
        ]
    plays = [line for line in plays if not line.early and line.card not in (CHARM, WAR_HORN)]
    if moment == "last":
        return [*(Do(line, final=True) for line in buys), *(Do(line, final=True) for line in plays)]
    tasks = [Do(line) for line in plays]
    lives = [line for line in lines if isinstance(line, o.Life)]
    if lives or (table.is_standing and table.effect("exchange") is not None):
        tasks += [Do(line) for line in lives] or [Do(None)]
    for line in lines:
        if isinstance(line, o.Reveal):
            tasks.append(Do(line, final=True))
        elif isinstance(line, o.Buy):
            tasks.append(Do(line, keep=line.keep))
    return tasks + ([Do(line) for line in plays] if buys else [])


def do(table: Table, task: Do) -> None:
    """Carry out a line, or a deed, of the active player; what cannot be is skipped and told to him
    alone (RM-10.10).
    """
    player = table.now().player
    if task.deed == "reveal":
        if can_reveal(table, player):
            table.push(PlaceRevealed(reveal(table, player)))
        else:
            skip(table, player, o.RevealNow(), why_no_card(table, player))
        return
    match task.line:
        case o.Play() as line:
            if holds(line.when, table.sight(player)):
                why = why_not(table, player, line)
                if why is None:
                    _forget(table, player, line, None)
                    play(table, player, line)
                elif task.final and not (line.always and why == "not-your-card"):
                    skip(table, player, line, why)
        case o.Life() | None as line:
            buy_life(table, line)
        case o.Reveal() as line:
            _reveal(table, line)
        case o.Buy() as line:
            _buy(table, player, line, task.keep, final=task.final)


def skip(table: Table, player: int, line: o.Line | o.RevealNow, why: str) -> None:
    table.tell(LineSkipped(player, line, why), ["RM-10.10"], (player,))


def _forget(table: Table, player: int, line: o.Line, left: o.Line | None) -> None:
    """What was done is no longer in the plan; `left` stays of it."""
    plan = table.players[player].plan
    if not o.is_always(line):
        lines = tuple(left if held == line else held for held in plan.lines)
        table.change(
            player, plan=replace(plan, lines=tuple(held for held in lines if held is not None))
        )


def _buy(table: Table, player: int, line: o.Buy, keep: int, *, final: bool) -> None:
    """The wishes of a line in their order, each if it can be had; those that were had leave the
    plan.
    """
    left: list[o.Wish] = []
    for wish in line.wishes:
        had, why = False, None
        if holds(wish.when, table.sight(player)):
            if wish.card not in on_offer(table):
                why = None if wish.hoped or line.always else "not-on-offer"
            elif price(table, player, wish.card) > table.players[player].gold - keep:
                why = None if line.always else "not-enough-gold"
            else:
                use(
                    table,
                    player,
                    replace(line, wishes=(wish,))
                    if line in table.players[player].plan.lines
                    else None,
                )
                buy(table, player, wish.card)
                had = True
        if final and why is not None:
            skip(table, player, replace(line, wishes=(wish,)), why)
        left += [] if had else [wish]
    stays = bool(left) or (line.keep > 0 and not final)  # what is revealed next keeps it as well
    _forget(table, player, line, replace(line, wishes=tuple(left)) if stays else None)


def buy_life(table: Table, line: o.Life | None) -> None:
    """The exchange, if this round's card allows it (RM-8.8); by default as RM-9.13 says."""
    card = table.effect("exchange")
    if card is None:
        if line is not None and not line.always:
            skip(table, table.now().player, line, "no-exchange-now")
        return
    trade_for_life(table, hearts_to_buy(table, table.now().player, line, card.amount))


def trade_for_life(table: Table, hearts: int) -> None:
    """So much gold of the active hero for as many hearts; nothing at all for none."""
    player = table.now().player
    if hearts:
        table.earn(player, -hearts)
        table.heal(player, hearts)
        table.turn = replace(table.now(), lives=table.now().lives + hearts)
        table.tell(LifeBought(player, hearts), ["RM-T08", "RM-8.8", "RM-9.13"])


def _reveal(table: Table, line: o.Reveal) -> None:
    player = table.now().player
    if not holds(line.when, table.sight(player)):
        return
    if not can_reveal(table, player):
        if not line.always:
            skip(table, player, line, why_no_card(table, player))
        return
    use(table, player, line)
    table.push(PlaceRevealed(reveal(table, player), line))


def place_revealed(table: Table, task: PlaceRevealed) -> bool:
    """The revealed card is bought or covers another (RM-6.3, RM-9.15, RM-10.9). True if it asks."""
    player = table.now().player
    if player not in table.living:  # nobody is left to decide: the card lies in the row (RM-7.5)
        cover(table, player, task.card, place_to_cover(table, None), "RM-9.15")
        return False
    cost = price(table, player, task.card)
    answer: o.Order | None = task.by
    if answer is None:
        is_decided, answer = told(table, player, "place")
        if not is_decided:
            return table.ask("place", [player])
    rules = ["RM-9.15"]
    match answer:
        case o.PlaceCard(cover=wished):
            wanted = wished is None
        case o.Reveal(most=most, cards=cards, cover=wished):
            wanted = task.card in cards or (most is not None and cost <= most)
            rules.append("RM-10.9")
        case _:
            wanted, wished = False, None
    if wanted and cost <= table.players[player].gold - (
        0 if task.by is None else _kept_gold(table, player)
    ):
        buy_revealed(table, player, task.card)
        return False
    cover(table, player, task.card, place_to_cover(table, wished), *rules)
    if task.by is not None and task.by.times > 1:
        table.push(Do(replace(task.by, times=task.by.times - 1), final=True))
    return False


def _kept_gold(table: Table, player: int) -> int:
    """What no purchase of the plan at S4 spends (RM-10.8)."""
    lines = table.players[player].plan.lines
    return max(
        (
            line.keep
            for line in lines
            if isinstance(line, o.Buy) and counts_now(table, player, line)
        ),
        default=0,
    )

"""Dragon Attacks: the call, the sum, the spoils and the Wrath (section 9 of the rules, PR-5.2 to
PR-5.4).
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from engine.protectors.ability_events import AnswersShown
from engine.protectors.events import DragonAttacked, DragonCame, OrdersMissed, PlayerEliminated
from engine.protectors.factions.bank import dismiss_bank, hire_for_attack
from engine.protectors.factions.hiding import hide_players, return_hidden
from engine.protectors.numbers import bonus_of, is_worldeater, reward_of, scale_at
from engine.protectors.orders import Burn, Commit, CommitNothing, Fire, Hide, Order, UseBank
from engine.protectors.phases.dragon_part import DragonPart
from engine.protectors.phases.ending import settle_eliminations
from engine.protectors.state import DRAGON, Attack, DeckName
from engine.protectors.table import Table

CHAMPION_VP = 3

Given = Mapping[int, Sequence[Order]]


def call_dragon(
    table: Table,
    during: Literal["reveal", "consolidation"],
    cause: Literal["threshold", "card", "staying-card"],
    *,
    more: int = 0,
    waiting: tuple[str, ...] = (),
    deck: DeckName | None = None,
) -> None:
    """Announce an attack and open its window; its DPL is never below 1 (PR-5.3)."""
    table.attack = Attack(during, max(1, table.dpl), more, waiting, deck, cause)
    rules = ["PR-9.1", "PR-9.4", "PR-9.17"]
    if cause == "threshold":
        rules += ["PR-5.1", "PR-5.2"]
    if cause == "threshold" and table.fallen_under_bloodlust:
        rules.append("PR-5.5")
    if cause == "card":
        rules.append("PR-4.23")
    if cause == "staying-card":
        rules.append("PR-4.20")
    if during == "reveal":
        rules.append("PR-4.6")
    if more or table.dpl < 1:
        rules.append("PR-5.3")
    _tell_dragon(table, table.attack, rules)
    open_answers(table)


def open_answers(table: Table) -> None:
    """Ask everybody; who answers after all others only then, or at once when there is nobody else
    (PR-9.1, PR-11.7).
    """
    table.stage = "dragon" if len(table.bankers) < len(table.ranking) else "bank"


def _call_again(table: Table, attack: Attack) -> None:
    """The next attack of an After Burner: a new window with the DPL the first one left (PR-5.3)."""
    table.attack = Attack(
        attack.during, max(1, table.dpl), attack.more - 1, attack.waiting, attack.deck, attack.cause
    )
    _tell_dragon(table, table.attack, ["PR-5.3", "PR-9.1", "PR-9.4", "PR-9.17"])
    open_answers(table)


def _tell_dragon(table: Table, attack: Attack, rules: list[str]) -> None:
    minimum = tuple((player, table.minimum(player, attack.dpl)) for player in table.active)
    facts = DragonCame(
        dpl=attack.dpl,
        threshold=table.threshold,
        cause=attack.cause,
        attacks=1 + attack.more,
        scale=scale_at(attack.dpl, table.provinces, sum(least for _, least in minimum)),
        minimum=minimum,
    )
    table.tell(facts, rules)


# ---------------------------------------------------------------------------------------- the fight
def close_answers(table: Table, given: Given) -> None:
    """Close a window of an attack: show the answers and ask the Bank, if somebody has it, else
    fight (PR-9.1, PR-11.7).
    """
    attack = table.attack
    if attack is None:
        raise ValueError("no Dragon Attack is open")
    if table.stage == "bank":
        late = {player: _answer(table, player, given.get(player, ())) for player in table.bankers}
        _fight(table, attack, {**dict(attack.answers), **late})
        return
    answers = {
        player: _answer(table, player, given.get(player, ()))
        for player in table.ranking
        if player not in table.bankers
    }
    hired = hire_for_attack(table, answers)
    if not table.bankers:
        _fight(table, attack, answers)
        return
    shown = tuple(
        (player, tuple(orders)) for player, orders in sorted(answers.items()) if player not in hired
    )
    table.attack = replace(attack, answers=shown, hired=hired)
    table.tell(AnswersShown(shown), ["PR-11.7"])
    table.stage = "bank"


def _fight(table: Table, attack: Attack, answers: Given) -> None:
    """Everything of section 9, then the end of the game, or the next attack of an After Burner."""
    before = list(table.ranking)
    hidden = hide_players(table, answers)
    parts = [
        DragonPart(table, player, attack.dpl, answers.get(player, ())) for player in table.ranking
    ]
    total = sum(part.strength for part in parts)
    worldeater = is_worldeater(table.was, attack.dpl)
    scale = scale_at(attack.dpl, table.provinces, sum(part.minimum for part in parts))
    rules = ["PR-9.2", "PR-9.3", "PR-9.4"]
    won = total > attack.dpl
    for part in parts:  # before units are lost: all of them, returning or not (PR-6.14)
        table.working_lost.update(
            i for i, units in part.pledged.items() if part.work[i] and units == table.units[i]
        )
    rules += _special_rules(table, parts, hidden)
    fallen = _win(table, parts, rules) if won else _lose(table, attack, parts, rules)
    return_hidden(table, before, hidden)
    champion = next((part.player for part in parts if part.fate == "champion"), None)
    after = table.threshold
    if not won and not attack.more and table.dpl >= after:
        rules.append("PR-5.4")
    facts = DragonAttacked(
        attack.dpl,
        total,
        won,
        scale,
        worldeater,
        tuple(part.share() for part in parts),
        champion,
        table.dpl,
        after,
        hidden,
    )
    table.tell(facts, rules)
    for gone in fallen:
        table.tell(*gone)
    _tell_places(table, before, won=won, fallen=bool(fallen))
    dismiss_bank(table, attack.hired)
    table.attack = None
    settle_eliminations(table)
    if not table.is_over and attack.more:
        _call_again(table, attack)


def _special_rules(table: Table, parts: list[DragonPart], hidden: Sequence[int]) -> list[str]:
    """The rules of section 9 and beyond that only some attacks apply."""
    rules: list[str] = []
    if any(part.work[i] for part in parts for i in part.pledged):
        rules.append("PR-6.14")
    if any(not part.green for part in parts):
        rules.append("PR-9.15")
    if any(owner and burnt for owner, burnt in zip(table.owner, table.burnt, strict=True)):
        rules.append("PR-9.14")
    if any(part.magisters for part in parts):
        rules.append("PR-11.1")
    if hidden:
        rules.append("PR-11.2")
    if table.stage == "bank":
        rules.append("PR-11.7")
    if any(part.weapons for part in parts):
        rules.append("PR-12.5")
    return rules


def _answer(table: Table, player: int, orders: Sequence[Order]) -> Sequence[Order]:
    """What a player ordered for this attack; nothing at all commits nothing (PR-9.1)."""
    if any(
        isinstance(order, Commit | CommitNothing | Burn | Fire | Hide | UseBank) for order in orders
    ):
        return orders
    table.tell(OrdersMissed(player, table.stage, (CommitNothing(),)), ["PR-9.1"])
    return ()


Gone = tuple[PlayerEliminated, list[str]]


def _win(table: Table, parts: list[DragonPart], rules: list[str]) -> list[Gone]:
    """The Protectors win: losses, rewards, the champion (PR-9.5 to PR-9.9)."""
    rules += ["PR-9.5", "PR-9.9"]
    best = max(
        parts, key=lambda part: part.above
    )  # the first of several is the highest ranked (PR-9.8)
    for part in parts:
        if part.met:
            part.choose_losses()
            part.reward = reward_of(len(part.green))
            part.vp, part.bonus = bonus_of(part.strength, part.minimum)
        if part.reward:
            rules.append("PR-9.6")
        if part.bonus:
            rules.append("PR-9.7")
        if part is best and part.above > 0:
            part.fate = "champion"
            part.vp += CHAMPION_VP
            rules.append("PR-9.8")
            if sum(other.above == best.above for other in parts) > 1:
                rules.append("PR-3.11")
            table.ranking.remove(part.player)
            table.ranking.insert(0, part.player)
        table.realm[part.player] += part.reward + part.bonus
        table.vp[part.player] += part.vp
        _lose_units(table, part)
    table.dpl = 0
    return []


def _lose(table: Table, attack: Attack, parts: list[DragonPart], rules: list[str]) -> list[Gone]:
    """The Dragon wins: losses, drops, the Wrath, No Quarter! (PR-9.10 to PR-9.16)."""
    rules.append("PR-9.10")
    table.dpl = (attack.dpl + 1) // 2
    gone: list[Gone] = []
    dropped: list[int] = []
    for place, part in enumerate(parts):
        _lose_units(table, part)
        if part.met:
            continue
        rules.append("PR-9.11")
        if place == 0:
            part.fate = "grand-protector-dropped"
            part.realm_lost, table.realm[part.player] = table.realm[part.player], 0
        else:
            _burn(table, part, rules)
            part.fate = "no-quarter" if place == len(parts) - 1 else "dropped"
        dropped.append(part.player)
    table.ranking = [player for player in table.ranking if player not in dropped] + dropped
    for part in parts:
        by_quarter, by_fire = (
            part.fate == "no-quarter",
            bool(part.burnt) and not table.green(part.player),
        )
        if by_quarter or by_fire:
            part.realm_lost = table.realm[part.player]
            ownerless = table.remove(part.player, (DRAGON,))
            cause: Literal["no-quarter", "no-green"] = "no-quarter" if by_quarter else "no-green"
            why = [*(["PR-9.11"] if by_quarter else []), *(["PR-9.13"] if by_fire else [])]
            gone.append(
                (
                    PlayerEliminated(part.player, (DRAGON,), cause, (), part.realm_lost, ownerless),
                    why,
                )
            )
    return gone


def _burn(table: Table, part: DragonPart, rules: list[str]) -> None:
    """The Dragon's Wrath: a province for each US below min.US, those told first, then the lowest
    numbered green one (PR-9.12).
    """
    rules.append("PR-9.12")
    short = part.minimum - part.strength
    if short > len(part.green):
        rules.append("PR-9.16")
    told = [i for i in dict.fromkeys(part.burns) if i in part.green]
    part.burnt = tuple([*told, *(i for i in part.green if i not in told)][:short])
    for i in part.burnt:
        table.owner[i], table.holder[i], table.units[i], table.level[i] = None, None, 0, 0
        table.burnt[i], table.order[i] = True, None


def _lose_units(table: Table, part: DragonPart) -> None:
    for i, units in part.lost.items():
        table.lose_units(i, units)


def _tell_places(table: Table, before: list[int], *, won: bool, fallen: bool) -> None:
    """The ranking afterwards: the champion on top, the dropped at the bottom, the eliminated
    gone.
    """
    if won:
        table.tell_ranking("champion", before, "PR-9.8")
    else:
        table.tell_ranking("eliminated" if fallen else "dropped", before, "PR-9.11")

"""Dragon Attacks: the call, the sum, the spoils and the Wrath (section 9 of the rules, PR-5.2 to PR-5.4)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from engine.protectors.ending import settle_eliminations
from engine.protectors.events import DragonAttacked, DragonCame, OrdersMissed, PlayerEliminated, Pledge, Share, Term
from engine.protectors.numbers import bonus_of, is_worldeater, reward_of, scale_of
from engine.protectors.orders import Burn, Commit, CommitNothing, Fire, Hide, Order
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
    table.stage = "dragon"
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


def _call_again(table: Table, attack: Attack) -> None:
    """The next attack of an After Burner: a new window with the DPL the first one left (PR-5.3)."""
    table.attack = Attack(attack.during, max(1, table.dpl), attack.more - 1, attack.waiting, attack.deck, attack.cause)
    _tell_dragon(table, table.attack, ["PR-5.3", "PR-9.1", "PR-9.4", "PR-9.17"])


def _tell_dragon(table: Table, attack: Attack, rules: list[str]) -> None:
    state = table.freeze()
    facts = DragonCame(
        dpl=attack.dpl,
        threshold=table.threshold,
        cause=attack.cause,
        attacks=1 + attack.more,
        scale=scale_of(state, attack.dpl),
        minimum=tuple((player, table.minimum(player, attack.dpl)) for player in table.active),
    )
    table.tell(facts, rules)


# ------------------------------------------------------------------------------------------------ one player's part
class _Part:
    """What one player brings to an attack, while it is being worked out."""

    def __init__(self, table: Table, player: int, dpl: int, orders: Sequence[Order]) -> None:
        self.player = player
        self.rank = table.ranking.index(player) + 1
        self.green = table.green(player)
        self.minimum = table.minimum(player, dpl)
        self.pledged: dict[int, int] = {}
        self.sacrifice: list[tuple[int, int]] = []
        self.burns = [order.province for order in orders if isinstance(order, Burn)]
        for order in orders:
            if isinstance(order, Commit):
                self._pledge(table, order)
        self.work = {i: 1 if table.order[i] else 0 for i in self.pledged}
        self.strength = sum(max(0, units - self.work[i]) for i, units in self.pledged.items())
        self.lost = dict(self.pledged)
        self.reward = self.bonus = self.vp = self.realm_lost = 0
        self.burnt: tuple[int, ...] = ()
        self.fate: Literal["", "champion", "dropped", "no-quarter", "grand-protector-dropped"] = ""

    def _pledge(self, table: Table, order: Commit) -> None:
        """Units of a province of one's own, cut to those that are there; a province counts once (PR-9.5)."""
        i = order.province
        if not 1 <= i <= table.provinces or table.owner[i] != self.player or i in self.pledged:
            return
        units = min(order.units, table.units[i])
        if units > 0:
            self.pledged[i] = units
            self.sacrifice.append((i, max(0, order.sacrifice or 0)))

    @property
    def met(self) -> bool:
        return self.strength >= self.minimum

    @property
    def above(self) -> int:
        return self.strength - self.minimum

    def choose_losses(self) -> None:
        """As many units as min.US, those offered first, then from the lowest numbered province on (PR-9.5)."""
        due = self.minimum
        self.lost = dict.fromkeys(self.pledged, 0)
        for i, offered in [*self.sacrifice, *sorted(self.pledged.items())]:
            taken = min(offered, self.pledged[i] - self.lost[i], due)
            self.lost[i] += taken
            due -= taken

    def share(self) -> Share:
        pledges = tuple(Pledge(i, units, -min(self.work[i], units), self.lost[i]) for i, units in sorted(self.pledged.items()))
        terms: list[Term] = []
        for pledge in pledges:
            terms.append(Term("units", pledge.units, "PR-9.2", self.player, pledge.province, pledge.units))
            if pledge.work:
                terms.append(Term("work", pledge.work, "PR-9.2", self.player, pledge.province))
        return Share(
            player=self.player, rank=self.rank, pledges=pledges, terms=tuple(terms), strength=self.strength, minimum=self.minimum,
            met=self.met, above=self.above, reward=self.reward, bonus=self.bonus, vp=self.vp, burnt=self.burnt,
            realm_lost=self.realm_lost, fate=self.fate,
        )  # fmt: skip


# ------------------------------------------------------------------------------------------------ the fight
def fight_dragon(table: Table, given: Given) -> None:
    """Close the window of an attack: everything of section 9, then the end of the game, or the next attack of an After Burner."""
    attack = table.attack
    if attack is None:
        raise ValueError("no Dragon Attack is open")
    before = list(table.ranking)
    parts = [_Part(table, player, attack.dpl, _answer(table, player, given.get(player, ()))) for player in table.ranking]
    total = sum(part.strength for part in parts)
    worldeater = is_worldeater(table.was, attack.dpl)
    scale = scale_of(table.was, attack.dpl)
    rules = ["PR-9.2", "PR-9.3", "PR-9.4"]
    won = total > attack.dpl
    for part in parts:  # before units are lost: all of them, returning or not (PR-6.14)
        table.working_lost.update(i for i, units in part.pledged.items() if part.work[i] and units == table.units[i])
    if any(part.work[i] for part in parts for i in part.pledged):
        rules.append("PR-6.14")
    if any(not part.green for part in parts):
        rules.append("PR-9.15")
    if any(owner and burnt for owner, burnt in zip(table.owner, table.burnt, strict=True)):
        rules.append("PR-9.14")
    fallen = _win(table, parts, rules) if won else _lose(table, attack, parts, rules)
    champion = next((part.player for part in parts if part.fate == "champion"), None)
    after = table.threshold
    if not won and not attack.more and table.dpl >= after:
        rules.append("PR-5.4")
    facts = DragonAttacked(
        attack.dpl, total, won, scale, worldeater, tuple(part.share() for part in parts), champion, table.dpl, after
    )  # fmt: skip
    table.tell(facts, rules)
    for gone in fallen:
        table.tell(*gone)
    _tell_places(table, before, won=won, fallen=bool(fallen))
    table.attack = None
    settle_eliminations(table)
    if not table.is_over and attack.more:
        _call_again(table, attack)


def _answer(table: Table, player: int, orders: Sequence[Order]) -> Sequence[Order]:
    """What a player ordered for this attack; nothing at all commits nothing (PR-9.1)."""
    if any(isinstance(order, Commit | CommitNothing | Burn | Fire | Hide) for order in orders):
        return orders
    table.tell(OrdersMissed(player, "dragon", (CommitNothing(),)), ["PR-9.1"])
    return ()


Gone = tuple[PlayerEliminated, list[str]]


def _win(table: Table, parts: list[_Part], rules: list[str]) -> list[Gone]:
    """The Protectors win: losses, rewards, the champion (PR-9.5 to PR-9.9)."""
    rules += ["PR-9.5", "PR-9.9"]
    best = max(parts, key=lambda part: part.above)  # the first of several is the highest ranked (PR-9.8)
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


def _lose(table: Table, attack: Attack, parts: list[_Part], rules: list[str]) -> list[Gone]:
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
        by_quarter, by_fire = part.fate == "no-quarter", bool(part.burnt) and not table.green(part.player)
        if by_quarter or by_fire:
            part.realm_lost = table.realm[part.player]
            ownerless = table.remove(part.player, (DRAGON,))
            cause: Literal["no-quarter", "no-green"] = "no-quarter" if by_quarter else "no-green"
            why = [*(["PR-9.11"] if by_quarter else []), *(["PR-9.13"] if by_fire else [])]
            gone.append((PlayerEliminated(part.player, (DRAGON,), cause, (), part.realm_lost, ownerless), why))
    return gone


def _burn(table: Table, part: _Part, rules: list[str]) -> None:
    """The Dragon's Wrath: a province for each US below min.US, those told first, then the lowest numbered green one (PR-9.12)."""
    rules.append("PR-9.12")
    short = part.minimum - part.strength
    if short > len(part.green):
        rules.append("PR-9.16")
    told = [i for i in dict.fromkeys(part.burns) if i in part.green]
    part.burnt = tuple([*told, *(i for i in part.green if i not in told)][:short])
    for i in part.burnt:
        table.owner[i], table.holder[i], table.units[i], table.level[i] = None, None, 0, 0
        table.burnt[i], table.order[i] = True, None


def _lose_units(table: Table, part: _Part) -> None:
    for i, units in part.lost.items():
        table.lose_units(i, units)


def _tell_places(table: Table, before: list[int], *, won: bool, fallen: bool) -> None:
    """The ranking afterwards: the champion on top, the dropped at the bottom, the eliminated gone."""
    if won:
        table.tell_ranking("champion", before, "PR-9.8")
    else:
        table.tell_ranking("eliminated" if fallen else "dropped", before, "PR-9.11")

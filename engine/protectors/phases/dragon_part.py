"""One player's part in a Dragon Attack: what is committed, what it is worth, and what is lost
(PR-9.2 to PR-9.7, PR-11.1, PR-12.5).
"""

from collections.abc import Sequence
from typing import Literal

from engine.protectors.abilities import FIRE_COST, ISLAND_WEAPONS, MOST_MAGISTERS, magister_strength
from engine.protectors.events import Pledge, Share, Term
from engine.protectors.orders import ISLAND, Burn, Commit, Fire, Order
from engine.protectors.table import Table

Fate = Literal["", "champion", "dropped", "no-quarter", "grand-protector-dropped"]


class DragonPart:
    """What one player brings to an attack, while it is being worked out. Making one summons and
    pays the Highmagisters.
    """

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
        self.magisters = _summon(table, player, orders)
        armed = self.pledged and table.owner[ISLAND] == player and table.units[ISLAND]
        self.weapons = ISLAND_WEAPONS if armed else 0
        units = sum(max(0, units - self.work[i]) for i, units in self.pledged.items())
        self.strength = units + magister_strength(self.magisters) + self.weapons
        self.lost = dict(self.pledged)
        self.reward = self.bonus = self.vp = self.realm_lost = 0
        self.burnt: tuple[int, ...] = ()
        self.fate: Fate = ""

    def _pledge(self, table: Table, order: Commit) -> None:
        """Units of a province of one's own, cut to those that are there; a province counts once
        (PR-9.5).
        """
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
        """As many units as min.US, those offered first, then from the lowest numbered province on
        (PR-9.5).
        """
        due = self.minimum
        self.lost = dict.fromkeys(self.pledged, 0)
        for i, offered in [*self.sacrifice, *sorted(self.pledged.items())]:
            taken = min(offered, self.pledged[i] - self.lost[i], due)
            self.lost[i] += taken
            due -= taken

    def share(self) -> Share:
        pledges = tuple(
            Pledge(i, units, -min(self.work[i], units), self.lost[i])
            for i, units in sorted(self.pledged.items())
        )
        terms: list[Term] = []
        for pledge in pledges:
            terms.append(
                Term("units", pledge.units, "PR-9.2", self.player, pledge.province, pledge.units)
            )
            if pledge.work:
                terms.append(Term("work", pledge.work, "PR-9.2", self.player, pledge.province))
        if self.magisters:
            terms.append(
                Term(
                    "fire",
                    magister_strength(self.magisters),
                    "PR-11.1",
                    self.player,
                    units=self.magisters,
                )
            )
        if self.weapons:
            terms.append(Term("island", self.weapons, "PR-12.5", self.player, ISLAND))
        return Share(
            player=self.player,
            rank=self.rank,
            pledges=pledges,
            terms=tuple(terms),
            strength=self.strength,
            minimum=self.minimum,
            met=self.met,
            above=self.above,
            reward=self.reward,
            bonus=self.bonus,
            vp=self.vp,
            burnt=self.burnt,
            realm_lost=self.realm_lost,
            fate=self.fate,
        )


def _summon(table: Table, player: int, orders: Sequence[Order]) -> int:
    """Fight fire with fire: as many Highmagisters as can be paid (PR-11.1); tells how many came."""
    asked = next((order.count for order in orders if isinstance(order, Fire)), 0)
    if not table.can_use(player, "fire", "fire"):
        return 0
    count = max(0, min(asked, MOST_MAGISTERS, table.realm[player] // FIRE_COST))
    if count:
        table.realm[player] -= FIRE_COST * count
        table.use(player, "fire", FIRE_COST * count, ["PR-11.1"], amount=count)
    return count

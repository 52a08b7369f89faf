"""The exact chances of a battle, and the question for them.

No dice are drawn. As both sides lose in a fixed order, the number of hits describes a side on the
board. A battle is then a walk over two numbers that never fall, and the chance of every place is
summed up from the first to the last.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb

import msgspec

from engine.fortresses.atlas import Kingdom, facts_of, zones
from engine.fortresses.phases.battles import DEFENDERS_FALL, LEAST_HIT
from engine.fortresses.phases.instructions import Advice
from engine.fortresses.units import CODES, UnitCode, Units, one

NEGLIGIBLE = 1e-16
"""A chance that no sum of chances feels."""

Grid = list[list[float]]
"""Rows of what the attacker has lost, places in them of the defenders' losses."""


class Odds(msgspec.Struct, frozen=True, omit_defaults=True, tag="odds"):
    """How likely it is that these units take a zone, wherever they are: a question, never an order.

    `kingdom` attacks (empty: the asker's own), `origin` is where from (empty: from anywhere), and
    `against` are the defenders (None: who is there).
    """

    target: str
    units: Units
    kingdom: Kingdom | None = None
    origin: str = ""
    against: Units | None = None

    @property
    def text(self) -> str:
        """The canonical text."""
        who = f"{self.kingdom.capitalize()} " if self.kingdom is not None else ""
        origin = f" from {self.origin}" if self.origin else ""
        against = f" against {self.against.text}" if self.against is not None else ""
        return f"Odds of {who}taking {self.target} with {self.units.text}{origin}{against}"


class Fight(msgspec.Struct, frozen=True):
    """A battle as it stands before a roll: attackers on the board, defenders of both kingdoms,
    castle points, with what it `started` (None: with these), rounds completed, and what the
    attacker has said of the fliers' next retreat (None: as the instructions have it).
    """

    zone: str
    attackers: Units
    defenders: Units
    points: int = 0
    started: Units | None = None
    rounds: int = 0
    retreats: bool | None = None


class Chances(msgspec.Struct, frozen=True):
    """How a battle may end: `won` is a Land taken or a Sea cleared, `nobody` that both sides die,
    `no_effect` that only fliers live (FW-7.15, FW-7.16). `lost` and `killed` are how many units of
    each type the attacker and the defenders lose on average, in the order L K W G D.
    """

    won: float
    held: float
    nobody: float
    no_effect: float
    lost: tuple[float, ...]
    killed: tuple[float, ...]


def gold_of(units: Sequence[float]) -> float:
    """What this many units of each type cost."""
    return sum(
        facts_of(code).cost * number for code, number in zip(CODES, units, strict=True) if number
    )


def chances(fight: Fight, advice: Advice) -> Chances:
    """The outcomes of a battle that both sides continue by these instructions."""
    if fight.defenders.total:
        return _Walk(fight, advice).chances()
    has_won = _takes(fight.zone, fight.attackers)  # FW-7.4
    is_empty = not fight.attackers.total
    nothing = (0.0,) * len(CODES)
    return Chances(has_won, 0.0, is_empty, not (has_won or is_empty), nothing, nothing)


def _takes(zone: str, board: Units) -> bool:
    """Whether these win if no defender is left (FW-7.15)."""
    return bool(board.land if zones()[zone].is_land else board.total)


class _Walk:
    """The places of a battle: `main[hits of the attacker, hits of the defenders]` with the fliers
    on the board, `fled` without them; each holds the chance to be there.
    """

    def __init__(self, fight: Fight, advice: Advice) -> None:
        self.fight, self.advice = fight, advice
        self.started = fight.started or fight.attackers
        self.boards = _boards(fight.attackers, advice)
        self.grounded = _boards(fight.attackers - Units(D=fight.attackers.D), advice)
        self.defenders = _garrisons(fight.defenders, fight.points)
        self.main = _empty(self.boards, self.defenders)
        self.fled = _empty(self.grounded, self.defenders)
        self.main[0][0] = 1.0
        self.fliers_lost = 0.0
        """On average, of those that have fled."""

    def chances(self) -> Chances:
        number = self.fight.rounds
        while number < self._settled() and self._going_on() > NEGLIGIBLE:
            self._retreat(number)
            self.main = self._rolled(self.main, self.boards)
            self.fled = self._rolled(self.fled, self.grounded)
            number += 1
        self._fight_out(self.main, self.boards, number)
        self._fight_out(self.fled, self.grounded, None)
        return self._summed_up()

    def _settled(self) -> int:
        """From how many completed rounds on the retreat hangs on the board alone."""
        if not self.fight.attackers.D:
            return 0
        rounds = [part.rounds for all_of in self.advice.policy(self.started) for part in all_of]
        return max(self.fight.rounds + (self.fight.retreats is not None), *rounds, 0)

    def _going_on(self) -> float:
        return sum(sum(row[:-1]) for grid in (self.main, self.fled) for row in grid[:-1])

    def _retreat(self, number: int) -> None:
        for i in range(len(self.boards) - 1):
            for j in range(len(self.defenders) - 1):
                self._let_flee(i, j, number)

    def _let_flee(self, i: int, j: int, number: int) -> bool:
        """Whether the fliers of a place leave before the next roll (FW-7.12)."""
        board, chance = self.boards[i], self.main[i][j]
        if not board.D:
            return False
        against = self.defenders[j].total + max(0, self.fight.points - j)
        answered = self.fight.retreats if number == self.fight.rounds else None
        advised = self.advice.retreats(board, self.started, against, number)
        if not (advised if answered is None else answered):
            return False
        self.main[i][j] = 0.0
        grounded = len(self.grounded) - 1 - (board.total - board.D)
        self.fled[grounded][j] += chance
        self.fliers_lost += chance * (self.fight.attackers.D - board.D)
        return True

    def _rolled(self, grid: Grid, boards: Sequence[Units]) -> Grid:
        """All places after one round."""
        after = _empty(boards, self.defenders)
        for i, row in enumerate(grid):
            for j, chance in enumerate(row):
                if i == len(grid) - 1 or j == len(row) - 1:
                    after[i][j] += chance
                elif chance:
                    self._strike(after, boards, i, j, chance)
        return after

    def _fight_out(self, grid: Grid, boards: Sequence[Units], number: int | None) -> None:
        """All places at the end. A round in which nobody hits changes nothing: it is as if it had
        not been fought. `number`: rounds completed where fliers may flee.
        """
        for i in range(len(grid) - 1):
            for j in range(len(grid[i]) - 1):
                chance = grid[i][j]
                if not chance or (number is not None and self._let_flee(i, j, number)):
                    continue
                misses = _hits(boards[i])[0] * _hits(self.defenders[j])[0]
                self._strike(grid, boards, i, j, chance / (1.0 - misses))
                grid[i][j] = 0.0

    def _strike(self, grid: Grid, boards: Sequence[Units], i: int, j: int, chance: float) -> None:
        """Spread the chance of a place over those that a round leads to: this many attackers fall,
        this many defenders; hits beyond are lost (FW-7.8).
        """
        kills = _capped(_hits(boards[i]), len(grid[i]) - 1 - j)
        for fallen, share in enumerate(_capped(_hits(self.defenders[j]), len(grid) - 1 - i)):
            row = grid[i + fallen]
            for at, kill in enumerate(kills, start=j):
                row[at] += chance * share * kill

    def _summed_up(self) -> Chances:
        """FW-7.3, FW-7.15, FW-7.16."""
        won = no_effect = held = nobody = 0.0
        lost, killed = [0.0] * len(CODES), [0.0] * len(CODES)
        lost[-1] += self.fliers_lost
        for grid, boards in ((self.main, self.boards), (self.fled, self.grounded)):
            for board, row in zip(boards, grid, strict=True):
                *goes_on, cleared = row
                if not board.total:
                    nobody += cleared
                elif _takes(self.fight.zone, board):
                    won += cleared
                else:
                    no_effect += cleared
                held += sum(goes_on)
                _add(lost, sum(row), boards[0] - board)
                for chance, left in zip(row, self.defenders, strict=True):
                    _add(killed, chance, self.fight.defenders - left)
        return Chances(won, held, nobody, no_effect, tuple(lost), tuple(killed))


def _empty(boards: Sequence[Units], defenders: Sequence[Units]) -> Grid:
    return [[0.0] * len(defenders) for _ in boards]


def _add(sums: list[float], chance: float, gone: Units) -> None:
    for i, code in enumerate(CODES):
        sums[i] += chance * gone.of(code)


def _boards(attackers: Units, advice: Advice) -> list[Units]:
    """Who is left after each hit, to the last."""
    found = [attackers]
    while found[-1].total:
        found.append(found[-1] - one(advice.next_loss(found[-1])))
    return found


def _garrisons(defenders: Units, points: int) -> list[Units]:
    """Who is left after each hit; castle points first (FW-7.9)."""
    found = [defenders] * (points + 1)
    for code in DEFENDERS_FALL:
        for _ in range(defenders.of(code)):
            found.append(found[-1] - one(code))
    return found


def _capped(hits: Sequence[float], most: int) -> Sequence[float]:
    """Of hits beyond `most` those that are not lost."""
    return hits if len(hits) <= most + 1 else (*hits[:most], sum(hits[most:]))


@lru_cache(maxsize=4096)
def _hits(units: Units) -> tuple[float, ...]:
    """How likely each number of hits of a roll of all of them is (FW-3.3, FW-7.6)."""
    found = [1.0]
    for code, count in units.pairs():
        more = _hits_of(code, count)
        sums = [0.0] * (len(found) + count)
        for i, chance in enumerate(found):
            for n, other in enumerate(more):
                sums[i + n] += chance * other
        found = sums
    return tuple(found)


def _hits_of(code: UnitCode, count: int) -> list[float]:
    die = facts_of(code).die
    chance = (die + 1 - LEAST_HIT) / die
    return [comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1)]

"""The table while something resolves: the state so far, what happened on the way, and the moves of
single points.

The state itself is frozen; every change puts another in its place. Nothing outside an adjudication
or an act sees a table.
"""

from collections.abc import Iterable
from typing import Any, Literal, TypeVar

from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Event, Facts, Outcome
from engine.sovereigns import events as e
from engine.sovereigns.codes import Attribute
from engine.sovereigns.state import Kingdom, Loan, OpenBallot, State

REST_LIMIT = 2
"""The most that rest-of-year effects come to, either way (SS-6.20)."""

T = TypeVar("T")
Moved = tuple[int, int, int]
"""Points on the way from one kingdom to another: free, expended and depleted ones; their marks
travel with them (SF-9.1).
"""


class Table:
    __slots__ = ("chance", "events", "state")

    def __init__(self, state: State, chance: Chance) -> None:
        self.state = state
        self.chance = chance
        self.events: list[Event] = []

    def outcome(self) -> Outcome[State]:
        return Outcome(self.state, tuple(self.events))

    @property
    def is_over(self) -> bool:
        return self.state.stage == "over"

    def tell(
        self, facts: Facts, rules: Iterable[str], audience: Iterable[int] | None = None
    ) -> None:
        known = None if audience is None else tuple(sorted(set(audience)))
        self.events.append(Event(facts, tuple(dict.fromkeys(rules)), known))

    def put(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)

    def of(self, number: int) -> Kingdom:
        return self.state.kingdom(number)

    def change(self, number: int, **changes: Any) -> None:
        changed = replace(self.of(number), **changes)
        self.put(
            kingdoms=tuple(
                changed if kingdom.number == number else kingdom for kingdom in self.state.kingdoms
            )
        )

    # --------------------------------------------------------------------------------------- points
    def expend(self, number: int, attribute: Attribute, points: int, depleted: int = 0) -> None:
        """Use up free points, and expended Resources a second time (SS-3.1, SS-3.16)."""
        kingdom = self.of(number)
        self.change(
            number, ex=kingdom.ex.plus(attribute, points), depleted=kingdom.depleted + depleted
        )

    def gain(self, number: int, attribute: Attribute, points: int, rule: str) -> None:
        """A point gained arrives free (SS-1.7)."""
        self.change(number, total=self.of(number).total.plus(attribute, points))
        self.tell(e.PointsGained(number, attribute, points), [rule, "SS-1.7"])

    def drop(self, number: int, attribute: Attribute, rules: Iterable[str]) -> None:
        """A point is lost for good, depleted ones first, then expended, then free ones (SS-1.8);
        below 0 the kingdom falls (SS-11.1).
        """
        kingdom = self.of(number)
        depleted = attribute == "R" and kingdom.depleted > 0
        self.change(
            number,
            total=kingdom.total.plus(attribute, -1),
            ex=kingdom.ex.plus(attribute, -1) if kingdom.ex.of(attribute) else kingdom.ex,
            depleted=kingdom.depleted - depleted,
        )
        self.tell(e.PointLost(number, attribute), [*rules, "SS-1.8"])
        if self.of(number).total.of(attribute) < 0:
            self.fall(number, "below-zero", ["SS-11.1", "SS-1.6"])

    def lose(self, number: int, attribute: Attribute, rule: str) -> None:
        """A point would be lost, whatever the cause; a building may save the year's first (SS-7.7,
        SS-7.14).
        """
        building = {"M": "BLD-HOSPITAL", "H": "BLD-TEMPLE"}.get(attribute)
        if building is None or not self.saves(number, attribute, building):
            self.drop(number, attribute, [rule])

    def saves(self, number: int, attribute: Attribute, building: str) -> bool:
        """Whether this building stands and has not yet saved a point this year; it is used up by
        it.
        """
        kingdom = self.of(number)
        if not kingdom.has_building(building) or building in kingdom.used:
            return False
        self.change(number, used=(*kingdom.used, building))
        self.tell(e.PointSaved(number, attribute, building), ["SS-7.7", "SS-7.14", "SS-7.9"])
        return True

    def take(self, number: int, attribute: Attribute, points: int, *, home: bool) -> Moved:
        """Take points away: going home depleted and expended ones first, given in a trade free ones
        first (SF-9.1).
        """
        kingdom = self.of(number)
        worn = kingdom.depleted if attribute == "R" else 0
        have = [kingdom.free(attribute), kingdom.ex.of(attribute) - worn, worn]
        moved = [0, 0, 0]
        for sort in (2, 1, 0) if home else (0, 1, 2):
            # who falls below zero has fewer than no free points
            moved[sort] = max(0, min(points - sum(moved), have[sort]))
        free, ex, depleted = moved
        self.change(
            number,
            total=kingdom.total.plus(attribute, -free - ex - depleted),
            ex=kingdom.ex.plus(attribute, -ex - depleted),
            depleted=kingdom.depleted - depleted,
        )
        return free, ex, depleted

    def give(self, number: int, attribute: Attribute, moved: Moved) -> None:
        kingdom = self.of(number)
        free, ex, depleted = moved
        self.change(
            number,
            total=kingdom.total.plus(attribute, free + ex + depleted),
            ex=kingdom.ex.plus(attribute, ex + depleted),
            depleted=kingdom.depleted + depleted,
        )

    def return_loan(self, loan: Loan, rule: str) -> None:
        """Min(amount, what the borrower has) goes home (SS-5.10)."""
        self.put(loans=without(self.state.loans, loan))
        due = min(loan.points, max(self.of(loan.borrower).total.of(loan.attribute), 0))
        self.give(
            loan.lender, loan.attribute, self.take(loan.borrower, loan.attribute, due, home=True)
        )
        parties = (loan.lender, loan.borrower)
        self.tell(
            e.LoanReturned(loan.lender, loan.borrower, loan.attribute, due),
            [rule, "SS-5.10"],
            parties,
        )

    # ---------------------------------------------------------------------------- effects for later
    def press(self, number: int, amount: int, rule: str) -> None:
        """A modifier for the rest of the year, at most ±2 in sum (SS-6.20)."""
        rest = max(-REST_LIMIT, min(REST_LIMIT, self.of(number).rest + amount))
        self.change(number, rest=rest)
        self.tell(e.Affected(number, "rest", amount), [rule, "SS-6.20"])

    def await_roll(self, number: int, sort: str, amount: int, rule: str) -> None:
        """A modifier of the next roll of this sort; they add up (SF-9.6)."""
        coming = self.of(number).next
        self.change(number, next=replace(coming, **{sort: getattr(coming, sort) + amount}))
        self.tell(e.Affected(number, f"next {sort}", amount), [rule])

    # ----------------------------------------------------------------------------------------- ends
    def fall(self, number: int, how: str, rules: Iterable[str]) -> None:
        """A kingdom falls: what it borrowed goes home, what it lent stays, its buildings and points
        vanish (SS-5.12, SS-11.7).
        """
        for loan in self.state.loans:
            if loan.borrower == number:
                self.return_loan(loan, "SS-5.12")
        self.put(
            loans=tuple(loan for loan in self.state.loans if loan.lender != number),
            offers=tuple(
                offer for offer in self.state.offers if number not in (offer.giver, offer.taker)
            ),
            fallen=self.state.fallen + 1,
        )
        old = self.of(number)
        gone = Kingdom(number, old.ruler, old.colour, old.name, alive=False, fell=self.state.fallen)
        self.put(
            kingdoms=tuple(
                gone if kingdom.number == number else kingdom for kingdom in self.state.kingdoms
            )
        )
        self.tell(e.Fallen(number, how), [*rules, "SS-11.7", "SS-5.12"])
        if len(self.state.living) == 1:
            self.end(self.state.living, "last-standing", ["SS-11.3"])
            return
        for ballot in self.state.ballots:
            if ballot.claimant == number:
                self.close_ballot(number, passed=False)
        self.put(
            ballots=tuple(
                replace(b, ayes=tuple(v for v in b.ayes if v != number)) for b in self.state.ballots
            )
        )
        self.count_ballots()

    def close_ballot(self, claimant: int, *, passed: bool) -> None:
        """A ballot is public when closed (SS-11.5)."""
        ballot = ballot_on(self.state, claimant)
        self.put(ballots=without(self.state.ballots, ballot))
        result: Literal["passed", "failed"] = "passed" if passed else "failed"
        self.tell(e.BallotClosed(claimant, ballot.ayes, result), ["SS-11.5", "SS-11.6"])

    def count_ballots(self) -> None:
        """The first ballot to which all other living rulers have said yes ends the game (SS-11.4,
        SS-11.6).
        """
        for ballot in self.state.ballots:
            if {*ballot.ayes, ballot.claimant} >= set(self.state.living):
                self.close_ballot(ballot.claimant, passed=True)
                self.end((ballot.claimant,), "acclaimed", ["SS-11.4"])
                return

    def end(self, winners: tuple[int, ...], how: str, rules: Iterable[str]) -> None:
        """All stops; offers and ballots go (SF-7)."""
        self.put(
            stage="over",
            hour=0,
            paused=0,
            offers=(),
            ballots=(),
            objections=(),
            undone=None,
            winners=tuple(sorted(winners)),
            ended_by=how,
            question=self.state.question + 1,
        )
        self.tell(e.GameOver(self.state.winners, how), rules)


def ballot_on(state: State, claimant: int) -> OpenBallot:
    """The ballot that is meant: the oldest, for a claim of the new year may come while that of the
    old one is open.
    """
    return next(ballot for ballot in state.ballots if ballot.claimant == claimant)


def without(those: tuple[T, ...], gone: T) -> tuple[T, ...]:
    """These less one: the first that is equal."""
    at = those.index(gone)
    return (*those[:at], *those[at + 1 :])

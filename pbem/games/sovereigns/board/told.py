"""The rolls of the last close that had any, as the public events tell them, with what was taken
back or done again since; what one kingdom did to another earlier in the year; who fell lately, and
what was ruled in the open phase.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from engine.ruleset import Event
from engine.sovereigns import events as e
from engine.sovereigns.seasons.actions import CONTESTED
from engine.sovereigns.seasons.year import COUP_DIFFICULTY, REBELLION_DIFFICULTY
from engine.sovereigns.state import SEASONS, Season
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.board.scene import Roll, Trace

Told = Season | Literal["year-start", ""]


class Tale:
    """Take the public events in their order; then `rolls`, `falls` (number to how) and `rulings`
    (the game master's words) are what a picture tells.
    """

    def __init__(self, view: TableView, events: Sequence[Event]) -> None:
        self._places: Mapping[int, int] = {number: i for i, number in enumerate(view.seating)}
        self._is_new = True
        self._again: set[int] = set()
        self._window = ""
        self.rolls: list[Roll] = []
        self.traces: list[Trace] = []
        self.falls: dict[int, str] = {}
        self.rulings: list[str] = []
        for event in events:
            if event.is_for(None):
                self._take(event.facts)
        if view.undone is not None:
            self.rolls = [
                replace(roll, is_undone=0 < view.undone.action <= roll.n) for roll in self.rolls
            ]
        self.told = self._told(view)

    def _take(self, facts: object) -> None:
        match facts:
            case e.WindowOpened(stage=stage):
                if self._is_new:
                    self._begin()
                self._window, self._is_new = stage, True
                self._again, self.rulings = set(), []
            case e.ReResolved(action=n):
                self._again.add(n)
            case e.ActionResolved():
                self._add(self._action(facts))
            case e.ActionVoid(n=n, kingdom=number, reason=reason):
                self._add(Roll(sort="void", kingdom=self._places[number], n=n, reason=reason))
            case e.SupportRolled() | e.RebellionRolled() | e.CoupRolled():
                self._add(self._of_year(facts))
            case e.FearRuled(kingdom=number):
                fear = Roll(sort="fear", kingdom=self._places[number], support="full-support")
                self._add(fear)
            case e.Fallen(kingdom=number, how=how):
                self.falls[number] = how
            case e.Ruled(text=text):
                self.rulings.append(text)
            case _:
                pass

    def _told(self, view: TableView) -> Told:
        """What the rolls belong to: the question closed last."""
        if any(roll.sort not in ("action", "void") for roll in self.rolls):
            return "year-start"
        if view.stage == "over" and (self._again or not self._is_new):
            return view.season
        if "year-start" in (view.stage, self._window if view.stage == "over" else ""):
            return "Winter" if view.year > 1 else ""
        before = SEASONS.index(view.season) - 1
        return "" if view.stage == "setup" else "year-start" if before < 0 else SEASONS[before]

    def _add(self, roll: Roll) -> None:
        """A roll of the present close; an action done again replaces the one before."""
        if roll.n in self._again:
            told = replace(roll, is_again=True)
            if all(other.n != roll.n for other in self.rolls):
                self.rolls.append(told)
            self.rolls = [told if other.n == roll.n else other for other in self.rolls]
            return
        if self._is_new:
            self._begin()
            self._is_new = False
        self.rolls.append(roll)

    def _begin(self) -> None:
        """A further close: the rolls before leave traces until the first season of a year."""
        if any(roll.sort not in ("action", "void") for roll in self.rolls):
            self.traces = []
        self.traces += [
            Trace(roll.kingdom, roll.target, roll.result)
            for roll in self.rolls
            if roll.sort == "action" and roll.target is not None
        ]
        self.rolls = []

    def _action(self, facts: e.ActionResolved) -> Roll:
        target = None if facts.target is None else self._places[facts.target]
        return Roll(
            sort="action",
            kingdom=self._places[facts.kingdom],
            n=facts.n,
            action=facts.action,
            target=target,
            dice=facts.dice,
            plus=_flat(facts.terms),
            against=facts.defence,
            plus_against=_flat(facts.defence_terms),
            # a number that was ruled is 3 or more: 0 is what somebody without dice rolled
            contested=target is not None
            and (
                facts.action in CONTESTED
                or bool(facts.defence or facts.defence_terms)
                or facts.difficulty == 0
            ),
            total=facts.total,
            difficulty=facts.difficulty,
            result=facts.result,
            words=facts.words or facts.raises or "",
        )

    def _of_year(self, facts: e.SupportRolled | e.RebellionRolled | e.CoupRolled) -> Roll:
        roll = Roll(
            sort="support",
            kingdom=self._places[facts.kingdom],
            dice=facts.dice,
            plus=_flat(facts.terms),
            total=facts.total,
        )
        match facts:
            case e.SupportRolled(support=support):
                return replace(roll, support=support)
            case e.RebellionRolled(result=result):
                return replace(
                    roll, sort="rebellion", difficulty=REBELLION_DIFFICULTY, result=result
                )
            case e.CoupRolled(result=result):
                return replace(roll, sort="coup", difficulty=COUP_DIFFICULTY, result=result)


def _flat(terms: Sequence[e.Term]) -> int:
    return sum(term.amount for term in terms if not term.die)

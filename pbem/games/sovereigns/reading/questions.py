"""Questions about a game of States & Sovereigns: `why action 14`, `why did I lose a military`,
`why is my support so low`, `odds of attacking Borland with 3`, `chances of harmony 3`.

Pure, and never raises for what a player wrote: what is unclear is a problem.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Literal

from engine.ruleset import Problem
from engine.sovereigns.codes import ATTRIBUTES, ActionKind, Attribute
from engine.sovereigns.orders import Action, Way
from engine.sovereigns.questions import Odds, Question, Topic
from engine.sovereigns.seasons.actions import CONTESTED
from engine.sovereigns.state import SEASONS, Season
from engine.sovereigns.view import TableView
from pbem.games.sovereigns.reading.question_words import parts_of
from pbem.games.sovereigns.reading.words import ACTIONS
from pbem.grammar.kit.reading import Unclear, question_of
from pbem.reading.terms import Term

_ACTIONS: Mapping[str, tuple[ActionKind, Attribute]] = {**ACTIONS, "TRY": ("Try", "R")}
_TOPICS: Sequence[tuple[str, Topic]] = (
    ("END", "end"),
    ("YEARROLL", "support"),
    ("YEARSTART", "support"),
    ("RISING", "support"),
    ("FALL", "fall"),
    ("DIE", "fall"),
    ("LOST", "lost"),
    ("GAINED", "gained"),
    ("VOTE", "vote"),
    ("TRADE", "trade"),
    ("TECHNOLOGY", "technology"),
    ("BUILDING", "building"),
)
"""What a question is about, the first that is named; before all of them an action."""
_SEASONS = [name.upper() for name in SEASONS]
_WHEN: Sequence[Season | Literal["start"]] = ("start", *SEASONS)
_OF_ALL = {"YEAR", "SEASON", "LAST", "THIS", "ACTION", "START", *_SEASONS}


def parse_question(view: TableView, player: int | None, text: str) -> Question | Odds | Problem:
    """What a player (None: the public) asks about this table, or what is unclear about it."""

    def read(asked: str) -> Question | Odds:
        parts = parts_of(view, asked)
        is_odds = any(part.kind == "ODDS" for part in parts)
        return _odds(view, parts) if is_odds else _past(view, player, parts)

    return question_of(text, read)


# ----------------------------------------------------------------------------------------- the past
def _past(view: TableView, player: int | None, parts: Sequence[Term]) -> Question:
    kinds = {part.kind for part in parts}
    named = [part.number for part in parts if part.kind == "KINGDOM"]
    mine = [player] if kinds & {"I", "ME"} and player is not None else []
    when = _numbers_in(view, parts)
    action = next((_ACTIONS[part.kind][0] for part in parts if part.kind in _ACTIONS), "")
    attribute = next((a for a in ATTRIBUTES if a in kinds), None)
    topic: Topic | None = next((topic for kind, topic in _TOPICS if kind in kinds), None)
    if "number" in when or action:
        topic = "action"
    elif topic is None and attribute is None and (named or mine or kinds & _OF_ALL):
        topic = "all"
    if topic is None or "NOT" in kinds:
        raise Unclear("not-understood")
    return Question(
        topic,
        tuple(dict.fromkeys([*named, *mine])),
        when.get("offer" if topic == "trade" else "number"),
        action,
        attribute if topic in ("lost", "gained") else None,
        when.get("year"),
        _WHEN[when["season"]] if "season" in when else None,
    )


_NUMBERED = {
    "YEAR": "year",
    "YEARSTART": "year",
    "SEASON": "season",
    "ACTION": "number",
    "TRADE": "offer",
}
"""What a number is of, by the word before it."""


def _numbers_in(view: TableView, parts: Sequence[Term]) -> dict[str, int]:
    """Year and season that are named (0: its start), and the number of an action or of an offer."""
    found: dict[str, int] = {}
    is_alone = all(part.kind in ("NUMBER", "ACTION") for part in parts)
    for before, part in pairwise([Term(""), *parts]):
        what = "number" if is_alone else _NUMBERED.get(before.kind)
        if part.kind == "NUMBER" and what is not None:
            found[what] = part.number
        elif part.kind == "YEAR" and before.kind in ("THIS", "LAST"):
            found["year"] = view.year - (before.kind == "LAST")
        elif part.kind in ("START", "YEARSTART"):
            found["season"] = 0
        elif part.kind in _SEASONS:
            found["season"] = _SEASONS.index(part.kind) + 1
        if what == "season" and not 1 <= found.get("season", 1) <= len(SEASONS):
            raise Unclear("not-understood")
    if not 1 <= found.get("year", 1) <= view.year:
        raise Unclear("no-such-year", year=found["year"], years=view.year)
    return found


# ------------------------------------------------------------------------------------------ chances
def _odds(view: TableView, parts: Sequence[Term]) -> Odds:
    reading = _Rolled(view, {part.kind for part in parts})
    for part in parts:
        reading.hear(part)
    return reading.odds()


_OF_YEAR = {"YEARROLL", "YEARSTART", "RISING"}
_SAID_ANYWHERE = {"ODDS", "ACTION", "BYONE", "DIE", "ALL", "BOON", "WORKS", *_OF_YEAR}


class _Rolled:
    """A question about chances while its parts are heard, from left to right."""

    def __init__(self, view: TableView, kinds: AbstractSet[str]) -> None:
        self.view = view
        self.number: int | None = None
        self.points: int | None = None
        self.depleted: int | None = None
        self.action = self.waiting = ""
        self.has_all, self.boon, self.works = (kind in kinds for kind in ("ALL", "BOON", "WORKS"))
        self.is_year = not kinds.isdisjoint(_OF_YEAR)
        self.is_mine = False
        self.attributes: list[Attribute] = []
        self.raises: Attribute | None = None
        self.before: list[int] = []
        self.behind: list[int] = []

    def hear(self, part: Term) -> None:
        match part.kind:
            case kind if kind in _SAID_ANYWHERE:
                pass
            case kind if kind in _ACTIONS:
                if self.action not in ("", kind):
                    raise Unclear("several-actions")
                self.action = kind
            case "NUMBER":
                self._hear_number(part.number)
            case "DEPLETE":
                self._settle()
                self.waiting = "DEPLETE"
            case "DEPLETED":
                if self.number is None or self.depleted is not None:
                    raise Unclear("how-many-depleted")
                self.depleted, self.number = self.number, None
            case "KINGDOM":
                (self.behind if self.action else self.before).append(part.number)
                self.is_mine = False
            case "I" | "ME" if not self.action:
                self.is_mine = True
            case "I" | "ME":
                self._hear_me(part.kind)
            case "R" | "M" | "H":
                self._hear_attribute(part.kind)
            case _:
                raise Unclear("not-understood")

    def _hear_number(self, number: int) -> None:
        if self.waiting == "DEPLETE":
            self.depleted, self.waiting = number, ""
            return
        self._settle()
        self.number = number

    def _settle(self) -> None:
        """A number that nothing else takes is that of the points."""
        if self.number is not None:
            if self.points is not None:
                raise Unclear("how-many")
            self.points, self.number = self.number, None

    def _hear_me(self, kind: str) -> None:
        """`Borland attacks me`; elsewhere the asker is meant anyway. `Revolt in Borland if I
        foment` leaves open who does it.
        """
        if self.view.you is None or not self.before or self.behind or self.is_mine:
            return
        if kind == "I":
            raise Unclear("which-target", action=_ACTIONS[self.action][0])
        self.behind.append(self.view.you.number)

    def _hear_attribute(self, kind: str) -> None:
        """The first without a number may be what is increased."""
        attribute = next(one for one in ATTRIBUTES if one == kind)
        is_bare = self.number is None and self.points is None
        if is_bare and self.raises is None and attribute != "R":
            self.raises = attribute
        else:
            self.attributes.append(attribute)

    def odds(self) -> Odds:
        self._settle()
        if self.waiting or (self.points is not None and self.has_all):
            raise Unclear("how-many")
        if self.action != "INCREASE" and self.raises is not None:
            self.attributes.append(self.raises)
            self.raises = None
        who = self.before[0] if self.before else None
        if not self.action and (self.is_year or self.attributes == ["H"]):
            return self._year(who)
        if not self.action:
            raise Unclear("which-roll")
        kind, attribute = _ACTIONS[self.action]
        if self.is_year or len(self.before) > 1 or len(self.behind) > 1:
            raise Unclear("not-understood")
        if kind == "Try" and self.attributes:
            attribute = self.attributes.pop(0)
        if any(one != attribute for one in self.attributes):
            raise Unclear("wrong-attribute", action=kind, attribute=attribute)
        target, who = self._target(kind, who)
        if kind == "Increase" and self.raises is None:
            raise Unclear("which-attribute")
        points = self._all_of(attribute, who) if self.has_all else self.points
        if points is None and self.depleted is not None:
            points = 0
        way = Action(
            kind,
            attribute,
            points,
            depleted=self.depleted or 0,
            target=target,
            raises=self.raises,
            boon=self.boon,
            works=self.works,
        )
        return Odds(way, who)

    def _target(self, kind: ActionKind, who: int | None) -> tuple[int | None, int | None]:
        """The target, and whose action it is: `Borland attacks me`, `against Borland if I attack`;
        `Borland attacks` leaves open whom.
        """
        target = self.behind[0] if self.behind else None
        if target is None and self.is_mine:
            target, who = who, None
        if target is None and kind in CONTESTED:
            raise Unclear("which-target", action=kind)
        if target is not None and kind not in (*CONTESTED, "Try"):
            raise Unclear("not-understood")
        return target, who

    def _year(self, who: int | None) -> Odds:
        if self.depleted is not None or self.boon or len(self.before) + len(self.behind) > 1:
            raise Unclear("not-understood")
        if any(one != "H" for one in self.attributes):
            raise Unclear("not-understood")
        if self.points == 0:
            raise Unclear("how-many")
        points = self._all_of("H", who) if self.has_all else self.points
        return Odds(Way(points=points, works=self.works), who)

    def _all_of(self, attribute: Attribute, who: int | None) -> int:
        """What is free of it; of another kingdom, whose free points nobody knows, all it has."""
        own = self.view.you
        if own is not None and who in (None, own.number):
            return max(0, own.free.of(attribute))
        if who is None:
            raise Unclear("how-many")
        return self.view.kingdom(who).total.of(attribute)

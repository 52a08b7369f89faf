"""A game told turn by turn, and the few things that decided it: weighed by what changed the
winners' margin, and told as cause, act and consequence.

A game's own `narrator.j2` has a macro for each kind of news that it tells in its own words, each in
`WAYS` ways; `game/narrator.j2` tells all others, and how the winners stood afterwards.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from engine.ruleset import Event, Facts
from pbem.pages.archive import Close
from pbem.pages.kit.course import (
    WAYS,
    Course,
    Gap,
    Moment,
    course_of,
    gaps_of,
    leaders,
    moments_of,
    turning_points,
)
from pbem.pages.news import SMALL, News
from pbem.pages.rendering import has_macro, phrase

USUAL = "game/narrator.j2"


YOU = "\ue000"
"""Stands for the name of the player to whom it is told."""
_ADDRESSES = (
    (re.compile(f"{YOU}['\u2019]s\\b"), "your"),
    (re.compile(rf"\b[Tt]he (\w+) of {YOU}(?! and\b|, )"), r"your \1"),
    (re.compile(f"{YOU} was\\b"), "you were"),
    (re.compile(YOU), "you"),
)
_BEGINS = re.compile(r"(?:^|(?<=[.!?] ))you")


def marked(cast: Any, you: int | None) -> Any:
    """The same names with `YOU` for that of the reader."""
    if you is None:
        return cast
    names = (YOU if player == you else name for player, name in enumerate(cast.names, start=1))
    return replace(cast, names=tuple(names))


def addressed(told: str) -> str:
    """Sentences in the past as the player reads them who is named by `YOU` in them."""
    if YOU not in told:
        return told
    for pattern, words in _ADDRESSES:
        told = pattern.sub(words, told)
    return _BEGINS.sub("You", told)


class Cast(Protocol):
    """Who names the players."""

    def parties(self, players: Sequence[int]) -> Sequence[str]: ...


MOST_ACTS, MOST_SENTENCES, MOST_WORDS = 3, 4, 60
"""Of the paragraph of a turn: what one reads without putting a game away."""
END_WORDS = 25
"""Room for how it ended, which stands in a sentence of its own."""


MOST_TOLD = {"safe": 1}
"""Kinds of consequence that are rarer."""


@dataclass(slots=True)
class Ways:
    """In which of its ways each kind of thing is told next, as the seed of a game has it: never in
    the same twice running, and unless they go `round`, in none twice.
    """

    seed: str
    round: bool = False
    used: Counter[str] = field(default_factory=Counter)

    def next(self, kind: str) -> int | None:
        """None when all are used."""
        self.used[kind] += 1
        most = MOST_TOLD.get(kind, 0 if self.round else WAYS)
        if most and self.used[kind] > most:
            return None
        first = hashlib.sha256(f"{self.seed} {kind}".encode()).digest()[0]
        return (first + self.used[kind]) % WAYS

    def put_back(self, kind: str) -> None:
        """It was not told so in the end."""
        self.used[kind] -= 1


@dataclass(frozen=True, slots=True)
class Scene:
    """What news are told from: themselves, the public's views before and after their close, and the
    last facts of each kind of event that had happened before. `alone`: as a turning point, where no
    other news of the turn are told.
    """

    news: News
    before: Any
    after: Any
    latest: Mapping[str, Facts]
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A turning point: the place of its close, its news, how the narrator tells it, and how much it
    weighs.
    """

    place: int
    news: News
    told: str
    weight: float


@dataclass(frozen=True, slots=True)
class Past:
    """The closes of a game that count, the start first, with the news, the standing and the
    names of each. One of which something was taken back has no standing.
    """

    closes: Sequence[Close]
    news: Sequence[Sequence[News]]
    standings: Sequence[Mapping[int, int]]
    casts: Sequence[Cast]


QUIET = News("quiet", 0, "", "")
CROSSED = ("level", "ahead", "behind")
"""Of the kinds of a course those in which the lead changed: they are told before all else."""


@dataclass(frozen=True, slots=True)
class Narrator:
    """Who tells the turns and the turning points of one game: `own` is its template ("": it has
    none), `unit` what its standings count; `sides` are those who play together.
    """

    own: str
    unit: str
    sides: Sequence[Sequence[int]]
    winners: Collection[int]
    seed: str

    def tell(self, past: Past) -> list[Told]:
        """The turning points."""
        closes, casts = past.closes, past.casts
        gaps = gaps_of(past.standings, self.sides, self.winners)
        ways, found = Ways(self.seed), []
        for moment in turning_points(past.news, gaps, self.winners):
            place, one = moment.place, moment.news
            latest = {event.kind: event.facts for close in closes[:place] for event in close.events}
            before = closes[max(0, place - 1)].view
            scene = Scene(one, before, closes[place].view, latest, alone=True)
            told = [
                self._act(scene, gaps[place - 1] if place else None, casts[place], ways),
                self._consequence(scene, course_of(gaps, place), casts[place], ways),
            ]
            words = addressed(" ".join(filter(None, told)))
            found.append(Told(place, one, words, moment.weight))
        return found

    def recount(self, past: Past) -> dict[int, str]:
        """A paragraph a turn, of up to four sentences: first that the lead changed, if it did; then
        what weighs most, in the order in which it happened; at last how the winners stood. The
        last turn of a game that is over leaves its end to its headline.
        """
        closes, casts = past.closes, past.casts
        gaps = gaps_of(past.standings, self.sides, self.winners)
        ways = Ways(self.seed, round=True)
        found: dict[int, list[Moment]] = {close.turn: [] for close in closes}
        for moment in moments_of(past.news, gaps, self.winners, least=-1):
            turn, told = closes[moment.place].turn, moment.news.turn
            found.setdefault(told if 0 < turn < told else turn, []).append(moment)
        ends = closes[-1].turn if closes[-1].view.stage == "over" else None
        paragraphs = {}
        for turn in dict.fromkeys(close.turn for close in closes):
            places = [place for place, close in enumerate(closes) if close.turn == turn]
            before = closes[max(0, places[0] - 1)].view
            scene, cast = Scene(QUIET, before, closes[places[-1]].view, {}), casts[places[-1]]
            course = course_of(gaps, places[-1], places[0] - 1) if turn != ends else None
            frame = ("", "") if turn == ends else self._frame(scene, course, cast, ways)
            room = MOST_WORDS - len(" ".join(frame).split()) - (END_WORDS if turn == ends else 0)
            left = MOST_SENTENCES - sum(map(bool, frame)) - (turn == ends)
            acts = self._acts(found[turn], closes, casts, ways, (left, room))
            paragraphs[turn] = " ".join(filter(None, (frame[0], *acts, frame[1])))
        return paragraphs

    def _frame(
        self, scene: Scene, course: Course | None, cast: Cast, ways: Ways
    ) -> tuple[str, str]:
        """How the paragraph of a turn begins, and how it ends."""
        kind = course.kinds[0] if course is not None and course.kinds else ""
        if course is None or kind not in CROSSED or self._has("stands"):
            return "", self._consequence(scene, course, cast, ways)
        names, way = self._names(course.after, cast), ways.next("crossed")
        return phrase(USUAL, f"{kind}_first", course, *names, self.unit, way), ""

    def _acts(
        self,
        moments: Sequence[Moment],
        closes: Sequence[Close],
        casts: Sequence[Cast],
        ways: Ways,
        room: tuple[int, int],
    ) -> list[str]:
        """The greatest of them that have room, in their order; `room` is in sentences and words."""
        sentences, words = room
        chosen: dict[int, str] = {}
        great = any(one.news.weight > SMALL for one in moments)
        for at, one in sorted(enumerate(moments), key=lambda pair: -pair[1].weight):
            if len(chosen) == MOST_ACTS or (great and one.news.weight <= SMALL):
                break
            before = closes[max(0, one.place - 1)].view
            latest = {
                event.kind: event.facts for close in closes[: one.place] for event in close.events
            }
            scene = Scene(one.news, before, closes[one.place].view, latest)
            told = self._in_own_words(scene, casts[one.place], ways)
            told = one.news.told if told is None else told
            more, length = len(re.findall(r"[.!?](?= |$)", told)), len(told.split())
            if told and more <= sentences and length <= words and told not in chosen.values():
                chosen[at] = told
                sentences, words = sentences - more, words - length
            else:
                ways.put_back(one.news.kind)
        return [told for _, told in sorted(chosen.items())]

    def _in_own_words(self, scene: Scene, cast: Cast, ways: Ways) -> str | None:
        """None where the game has no words of its own for it, or has used them all; nothing where
        other news tell it.
        """
        macro = scene.news.kind.replace("-", "_")
        way = ways.next(scene.news.kind) if self._has(macro) else None
        return phrase(self.own, macro, scene, cast, way) if way is not None else None

    def _act(self, scene: Scene, gap: Gap | None, cast: Cast, ways: Ways) -> str:
        told = self._in_own_words(scene, cast, ways)
        if told:
            return told
        way = ways.next("stood") if gap is not None else None
        if gap is None or way is None:
            return scene.news.told
        stood = phrase(USUAL, "stood", gap, *self._names(gap, cast), self.unit, way)
        return f"{stood} {scene.news.told}"

    def _consequence(self, scene: Scene, course: Course | None, cast: Cast, ways: Ways) -> str:
        if self._has("stands"):
            way = ways.next("stands")
            return "" if way is None else phrase(self.own, "stands", scene, cast, way)
        for kind in course.kinds if course is not None else ():
            way = ways.next(kind)
            if course is not None and way is not None:
                names = self._names(course.after, cast)
                return phrase(USUAL, kind, course, *names, self.unit, way)
        return ""

    def _has(self, macro: str) -> bool:
        return bool(self.own) and has_macro(self.own, macro)

    def _names(self, gap: Gap, cast: Cast) -> tuple[Sequence[str], Sequence[str]]:
        return cast.parties(sorted(self.winners)), cast.parties(gap.rivals)


class Narrated(Protocol):
    """What the pages of a game know of it for the narrator."""

    counted: str

    def lasting(self, closes: Sequence[Close]) -> Sequence[Close]: ...
    def standing(self, view: Any) -> Mapping[int, int]: ...
    def sides(self, view: Any) -> Sequence[tuple[str, tuple[int, ...]]]: ...
    def news(
        self, view: Any, events: Sequence[Event], you: int | None = None
    ) -> Sequence[News]: ...


def narrator_of(
    pages: Narrated,
    closes: Sequence[Close],
    own: str,
    seed: str,
    casts: Sequence[Cast],
    you: int | None = None,
) -> tuple[Narrator, Past]:
    """Who tells a game to this player, and what of it; where nobody has won, of those who have
    most.
    """
    last, lasting = closes[-1].view, pages.lasting(closes)
    standings = [
        pages.standing(close.view) if one is close else {}
        for one, close in zip(lasting, closes, strict=True)
    ]
    sides = [side for _, side in pages.sides(last)] or [(one.number,) for one in last.players]
    is_over = last.stage == "over"
    winners = tuple(last.winners) if is_over else leaders(standings[-1], sides)
    news = [pages.news(close.view, close.events, you) for close in lasting]
    narrator = Narrator(own, pages.counted, sides, winners, seed)
    return narrator, Past(lasting, news, standings, casts)


def greatest(points: Sequence[Told], room: int) -> list[Told]:
    """Those that fit into this many words, the greatest first; in the order of the game."""
    kept = []
    for one in sorted(points, key=lambda point: -point.weight):
        words = len(one.told.split())
        if words <= room:
            kept.append(one)
            room -= words
    return sorted(kept, key=lambda point: point.place)

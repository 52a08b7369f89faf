"""What weighs in the course of a game: how its winners stood after each close, and which news
changed that most.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.pages.news import SMALL, TURNING_POINT, News

SWING = 12
"""What the greatest change of the winners' margin adds to the weight of its news."""
MOST_POINTS, LEAST_POINTS = 5, 3
MOST_OUT = 2
WAYS = 3
"""Each kind of turning point has this many ways of telling it, and stands at most this often in a
game.
"""


@dataclass(frozen=True, slots=True)
class Gap:
    """How the winners stand after a close: what they have, and what the best of the others
    (`rivals`) have.
    """

    ours: int
    theirs: int
    rivals: tuple[int, ...]

    @property
    def margin(self) -> int:
        return self.ours - self.theirs


def gaps_of(
    standings: Sequence[Mapping[int, int]],
    sides: Sequence[Sequence[int]],
    winners: Collection[int],
) -> list[Gap | None]:
    """How the winners stand after each close; None while nothing is counted. `standings` are what
    each player has after it; those of a side are added up.
    """
    return [_gap(standing, sides, winners) if standing else None for standing in standings]


def _gap(
    standing: Mapping[int, int], sides: Sequence[Sequence[int]], winners: Collection[int]
) -> Gap | None:
    sums = [(sum(standing.get(player, 0) for player in side), tuple(side)) for side in sides]
    ours = [count for count, side in sums if set(side) & set(winners)]
    others = [(count, side) for count, side in sums if not set(side) & set(winners)]
    if not ours or not others:
        return None
    best = max(count for count, _ in others)
    rivals = tuple(player for count, side in others if count == best for player in side)
    return Gap(max(ours), best, rivals)


@dataclass(frozen=True, slots=True)
class Moment:
    """News that may be a turning point: the place of its close, and its weight there."""

    place: int
    news: News
    weight: float


def turning_points(
    closes: Sequence[Sequence[News]], gaps: Sequence[Gap | None], winners: Collection[int]
) -> list[Moment]:
    """The few things that decided a game, in the order in which they happened. Two are about the
    winners, if there are two.

    News weigh more the more the winners' margin changed in their close, if they are about the
    winners or about those who were ahead of all others.
    """
    found = sorted(moments_of(closes, gaps, winners), key=lambda one: (-one.weight, one.place))
    about = [one for one in found if set(one.news.players) & set(winners)]
    great = [one for one in found if one.weight >= TURNING_POINT]
    chosen: list[Moment] = []
    for most, moments in ((2, about), (MOST_POINTS, great), (LEAST_POINTS, found)):
        for one in moments:
            if len(chosen) < most and _is_new(one, chosen):
                chosen.append(one)
    return sorted(chosen, key=lambda one: one.place)


def moments_of(
    closes: Sequence[Sequence[News]],
    gaps: Sequence[Gap | None],
    winners: Collection[int],
    least: int = SMALL,
) -> Iterator[Moment]:
    """All news of more than this weight, with what the winners' margin adds."""
    pairs = list(zip([None, *gaps], gaps, strict=False))
    swings = [_swing(one, other) for one, other in pairs]
    most = max(swings, default=0) or 1
    for place, news in enumerate(closes):
        rivals = {player for gap in pairs[place] if gap is not None for player in gap.rivals}
        for one in news:
            if one.weight > least and one.mark != "end":
                concerns = set(one.players) & {*winners, *rivals}
                swing = SWING * swings[place] / most if concerns else 0
                yield Moment(place, one, one.weight + swing)


def _swing(one: Gap | None, other: Gap | None) -> int:
    return abs(other.margin - one.margin) if one is not None and other is not None else 0


def _is_new(one: Moment, chosen: Sequence[Moment]) -> bool:
    """Whether it may stand with those that are chosen: of a close one, no two with the same words,
    and of no kind too many.
    """
    if any(one.place == other.place or one.news.short == other.news.short for other in chosen):
        return False
    kinds = Counter(other.news.kind for other in chosen)
    most = MOST_OUT if one.news.mark == "out" else WAYS
    alike = sum(other.news.mark == "out" for other in chosen) if most == MOST_OUT else 0
    return max(kinds[one.news.kind], alike) < most


@dataclass(frozen=True, slots=True)
class Course:
    """How the winners stood before and after a close, against whom, and what the least of their
    margins was from then on (None: there was no close after it).
    """

    before: Gap
    after: Gap
    least: int | None

    @property
    def kinds(self) -> tuple[str, ...]:
        """What became of their margin: which macros say it, the best first; none where nothing
        did.
        """
        was, now = self.before.margin, self.after.margin
        if was == now:
            return ()
        if now == 0:
            return ("level",)
        if was <= 0 < now or now < 0 <= was:
            return ("ahead" if now > 0 else "behind",)
        if now < 0:
            return ("closer" if now > was else "away",)
        is_safe = self.least is not None and self.least >= now > was
        return (*(("safe",) if is_safe else ()), "grew" if now > was else "shrank")


def leaders(standing: Mapping[int, int], sides: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Who has most now, in a game that nobody has won yet."""
    sums = [(sum(standing.get(player, 0) for player in side), side) for side in sides]
    most = max((count for count, _ in sums), default=0)
    return tuple(player for count, side in sums if count == most for player in side)


def course_of(gaps: Sequence[Gap | None], place: int, since: int | None = None) -> Course | None:
    """From the close `since`, or the one before, to this one; None where nothing was counted before
    or after it.
    """
    start = place - 1 if since is None else since
    before, after = gaps[start] if start >= 0 else None, gaps[place]
    if before is None or after is None:
        return None
    later = [gap.margin for gap in gaps[place + 1 :] if gap is not None]
    return Course(before, after, min(later, default=None))

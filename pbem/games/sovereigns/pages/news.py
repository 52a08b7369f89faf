"""What of a close of States & Sovereigns is news, and how much of it; the words are in
`sovereigns/news.j2`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.ruleset import Event
from engine.sovereigns import events as e
from pbem.games.sovereigns.pages.cast import Cast
from pbem.games.sovereigns.pages.events import NEWS, groups, lines_of, macro_of, people_of
from pbem.games.sovereigns.pages.why import is_contested
from pbem.pages import news as w
from pbem.pages.kit.columns import cut
from pbem.pages.news import MOST_SENTENCE, Mark, News, clause
from pbem.pages.rendering import phrase

_WEIGHTS = {
    "game-over": w.OVER,
    "ballot": w.ATTACK,
    "rolled-back": w.LEAD_CHANGED,
    "ballot-closed": w.CLOSE_CALL,
    "objection": w.CLOSE_CALL,
    "verdict": w.CLOSE_CALL,
    "replacement-wanted": w.BATTLE,
    "abdicated": w.BATTLE,
    "technology": w.GROWN,
    "technology-changed": w.GROWN,
    "proposal-refused": w.SMALL,
    "ruling": w.SMALL,
    "offer": w.SMALL,
    "offer-closed": w.SMALL,
    "offer-expired": w.SMALL,
    "trade": w.SMALL,
    "trade-failed": w.SMALL,
    "report": w.SMALL,
}
"""What is news by its kind alone; of trades and reports only those concerned have events."""
_MARKS: dict[str, Mark] = {"game-over": "end", "ballot": "attack"}
_OF_SUPPORT = {"strike": w.BATTLE, "protest": w.GROWN, "rebellion": w.BATTLE, "coup": w.BATTLE}
"""Support that hurts is news of its own."""
_FIGHTS = ("Attack", "Theft", "Foment", "Try")
_ALONE = {"Research": w.GROWN, "Increase": w.GROWN, "Expedition": w.GROWN, "Found": w.GROWN}
"""What succeeds against nobody; anything else is small."""
_WON = ("success", "great")


def news_of(events: Sequence[Event], cast: Cast) -> tuple[News, ...]:
    """The news of these events, in the order in which they happened."""
    found: list[News] = []
    beaten_by: dict[int, int] = {}
    for group in groups(events):
        head = group[0].facts
        if isinstance(head, e.ActionResolved):
            if head.target and head.result in _WON:
                beaten_by[head.target] = head.kingdom
            found += _action(group, head, cast)
        for event in group:
            found += _other(event, beaten_by, cast)
    return (*found, *_splits(events, cast), *_support(events, cast), *_built(events, cast))


@dataclass(frozen=True, slots=True)
class Detail:
    """Whom news concerns, the doer first; how great it is, its mark, the events that say why; and
    who won and lost a fight.
    """

    players: Sequence[int] = ()
    size: int = 0
    mark: Mark = ""
    why: Sequence[Event] = ()
    sides: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


PLAIN = Detail()


def _news(
    macro: str,
    weight: int,
    facts: object,
    cast: Cast,
    *more: object,
    of: Detail = PLAIN,
) -> Iterator[News]:
    """News whose clause and sentence are the two macros of this name, if they say anything."""
    told = phrase(NEWS, f"{macro}_told", facts, cast, *more)
    if told:
        yield News(
            macro.replace("_", "-"),
            weight,
            clause(phrase(NEWS, macro, facts, cast, *more)),
            cut(f"{told[:1].upper()}{told[1:]}", MOST_SENTENCE),
            size=of.size,
            players=tuple(dict.fromkeys(of.players)),
            area=cast.seat(of.players[-1]) if of.players else "",
            mark=of.mark,
            why=tuple(line.body.text for one in of.why for line in lines_of((one,), cast)),
            won=of.sides[0],
            lost=of.sides[1],
            facts=(facts, *more),
        )


def _action(group: Sequence[Event], facts: e.ActionResolved, cast: Cast) -> Iterator[News]:
    spoils = [(macro_of(event), event.facts) for event in group[1:]]
    fights = facts.action in _FIGHTS and facts.target is not None
    is_won = facts.result in _WON
    mark: Mark = ""
    if fights:
        taken = is_won and (facts.result == "great" or "destroyed" in dict(spoils))
        close = is_won or facts.margin == -1
        weight = w.TAKEN if taken else w.CLOSE_CALL if close else w.BATTLE
        mark = "taken" if taken else "battle"
    elif is_won:
        weight = _ALONE.get(facts.action, w.SMALL) + (facts.result == "great")
    elif facts.result == "disaster" or facts.kingdom == cast.you or facts.target is not None:
        weight = w.SMALL
    else:
        return
    people = (facts.kingdom, *(() if facts.target is None else (facts.target,)))
    sides: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    if facts.target is not None and is_contested(facts):
        two = ((facts.kingdom,), (facts.target,))
        sides = two if is_won else (two[1], two[0])
    yield from _news(
        "action",
        weight,
        facts,
        cast,
        spoils,
        of=Detail(players=people, size=abs(facts.margin), mark=mark, why=group, sides=sides),
    )


def _other(event: Event, beaten_by: dict[int, int], cast: Cast) -> Iterator[News]:
    match event.facts:
        case e.Fallen() as facts:
            by = beaten_by.get(facts.kingdom, 0) if facts.how == "below-zero" else 0
            people = (*((by,) if by else ()), facts.kingdom)
            yield from _news(
                "fallen", w.OUT, facts, cast, by, of=Detail(players=people, mark="out")
            )
        case e.RebellionRolled(kingdom=kingdom, result=result) as facts:
            weight = w.CLOSE_CALL if result == "success" else w.TAKEN
            yield from _news(
                "rebellion", weight, facts, cast, of=Detail(players=(kingdom,), why=(event,))
            )
        case e.CoupRolled(kingdom=kingdom, result="success") as facts:  # else it falls
            yield from _news(
                "coup", w.TAKEN, facts, cast, of=Detail(players=(kingdom,), why=(event,))
            )
        case facts if event.kind in _WEIGHTS:
            people = tuple(people_of(facts))
            mark = _MARKS.get(event.kind, "")
            weight = _WEIGHTS[event.kind]
            yield from _news(
                macro_of(event), weight, facts, cast, of=Detail(players=people, mark=mark)
            )


def _splits(events: Sequence[Event], cast: Cast) -> Iterator[News]:
    splits = [event.facts for event in events if isinstance(event.facts, e.SplitMade)]
    if splits:
        yield from _news("splits", w.SMALL, splits, cast)


def _support(events: Sequence[Event], cast: Cast) -> Iterator[News]:
    """What hurts by itself, the rest in one sentence; to its ruler each."""
    best = []
    for event in events:
        match event.facts:
            case e.SupportRolled(kingdom=kingdom, support=support) as facts:
                if support in _OF_SUPPORT or kingdom == cast.you:
                    weight = _OF_SUPPORT.get(support, w.SMALL)
                    yield from _news(
                        "support", weight, facts, cast, of=Detail(players=(kingdom,), why=(event,))
                    )
                if support in ("full-support", "support"):
                    best.append(kingdom)
            case e.FearRuled(kingdom=kingdom) as facts:
                yield from _news(
                    "fear", w.GROWN, facts, cast, of=Detail(players=(kingdom,), why=(event,))
                )
    if best:
        yield from _news("supported", w.SMALL, best, cast)


def _built(events: Sequence[Event], cast: Cast) -> Iterator[News]:
    """All in one sentence, and the reader's own in another."""
    built = [event.facts for event in events if isinstance(event.facts, e.Built)]
    mine = [facts for facts in built if facts.kingdom == cast.you]
    for facts in (mine, [facts for facts in built if facts not in mine]):
        if facts:
            weight = w.GROWN + any(one.building == "BLD-WONDER" for one in facts)
            players = (cast.you,) if facts is mine else ()
            yield from _news("built", weight, facts, cast, of=Detail(players=players))

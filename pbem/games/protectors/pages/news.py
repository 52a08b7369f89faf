"""What of a close of Protectors is news, and how much of it; the words are in
`protectors/news.j2`.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from engine.protectors.cards import CALMS_OF_SUMMER, MISTY_MOUNTAINS
from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    CardRevealed,
    DragonAttacked,
    DragonCame,
    LevelRaised,
    MarchMade,
    PlayerEliminated,
    ProvinceTaken,
    RankingSet,
    TieAsked,
    TurnBegan,
    WorkDone,
)
from engine.protectors.numbers import UNIT_COST
from engine.ruleset import Event, Facts
from pbem.games.protectors.pages.cast import Cast
from pbem.games.protectors.pages.events import event_lines
from pbem.pages import news as w
from pbem.pages.news import Mark, News
from pbem.pages.rendering import phrase

TEMPLATE = "protectors/news.j2"
IDLE_CARDS = (CALMS_OF_SUMMER, MISTY_MOUNTAINS)
"""Cards without an effect are no news."""


@dataclass(frozen=True, slots=True)
class Leader:
    """The Grand Protector of the turn, and their bid; None if earlier news had it. `turn` is 0
    unless the rest is about the turn before.
    """

    player: int
    bid: int | None
    turn: int


@dataclass(frozen=True, slots=True)
class Capture:
    """A province that changed hands. `fight` is the battle that decided it, if there was one. `how`
    says whether who held it was beaten in that battle, stood in an earlier one, had marched out
    (`left`) or had nobody there (`empty`); or whether nobody held it.
    """

    province: int
    by: int
    before: int | None
    fight: BattleFought | None
    how: Literal["beaten", "stood", "left", "empty", "free"]


def news_of(events: Sequence[Event], cast: Cast) -> tuple[News, ...]:
    """The news of these events, in the order in which they happened."""
    captures = _captures([event.facts for event in events])
    deciding = [capture.fight for capture in captures.values() if capture.fight is not None]
    found: list[News] = []
    turn = 0
    for at, event in enumerate(events):
        told: Iterable[News] = ()
        match event.facts:
            case TurnBegan(turn=turn):
                pass
            case ProvinceTaken(province=province):
                told = (_taken(captures[province], cast),)
            case BattleFought() as facts if not any(facts is one for one in deciding):
                told = (_fight(event, facts, cast),)
            case DragonAttacked() as facts:
                told = _attack(event, facts, cast)
            case RankingSet(ranking=ranking) if ranking:
                is_next = bool(turn) and not isinstance(events[0].facts, TurnBegan)
                told = _leads(ranking[0], turn if is_next else 0, _bids_for(events[:at]), cast)
            case facts:
                told = _other(facts, cast)
        found += (replace(one, turn=turn) for one in told)
    found += (replace(one, turn=turn) for one in _cards(events, cast))
    return (*found, *_may_build(events, cast))


def _captures(facts: Sequence[Facts]) -> dict[int, Capture]:
    """The provinces that were taken, with the units that stood in them."""
    fights = [one for one in facts if isinstance(one, BattleFought)]
    marches = [one for one in facts if isinstance(one, MarchMade) and one.units]
    marched = {(one.origin, one.player) for one in marches}
    found = {}
    for one in facts:
        if isinstance(one, ProvinceTaken):
            there = [fight for fight in fights if fight.province == one.province]
            last = there[-1] if there and there[-1].winner.player == one.by else None
            found[one.province] = Capture(
                one.province, one.by, one.before, last, _how(one, there, last, marched)
            )
    return found


def _how(
    facts: ProvinceTaken,
    there: Sequence[BattleFought],
    last: BattleFought | None,
    marched: Collection[tuple[int, int]],
) -> Literal["beaten", "stood", "left", "empty", "free"]:
    if facts.before is None:
        return "free"
    if last is not None and last.loser.player == facts.before:
        return "beaten"
    if any(facts.before in (fight.winner.player, fight.loser.player) for fight in there):
        return "stood"
    return "left" if (facts.province, facts.before) in marched else "empty"


def _bids_for(events: Sequence[Event]) -> list[BidsRevealed]:
    """The bids that a ranking after these events was made of: those since the last one."""
    found: list[BidsRevealed] = []
    for event in events:
        match event.facts:
            case BidsRevealed() as bids:
                found.append(bids)
            case RankingSet():
                found = []
    return found


@lru_cache(maxsize=1024)
def _say(macro: str, *args: object) -> str:
    return phrase(TEMPLATE, macro, *args)


def _taken(told: Capture, cast: Cast) -> News:
    fight = told.fight
    close = fight is not None and fight.winner.total - fight.loser.total <= 1
    beaten = () if fight is None else (fight.loser.player,)
    before = () if told.before is None else (told.before,)
    return News(
        "taken",
        w.TAKEN,
        _say("taken", told, cast),
        _say("taken_told", told, cast),
        size=0 if fight is None else fight.winner.total + close,
        players=tuple(dict.fromkeys((told.by, *before, *beaten))),
        area=cast.place(told.province),
        mark="entered" if fight is None else "taken",
        why=() if fight is None else _sum(Event(fight, ()), cast),
        won=() if fight is None else (told.by,),
        lost=beaten,
        facts=told,
    )


def _fight(event: Event, facts: BattleFought, cast: Cast) -> News:
    is_close = facts.tie or facts.winner.total - facts.loser.total == 1
    is_held = facts.winner.role == "defender"
    return News(
        "battle",
        w.CLOSE_CALL if is_close else w.BATTLE,
        _say("held" if is_held else "beaten", facts, cast),
        _say("fight_told", facts, cast),
        size=facts.winner.total,
        players=(facts.winner.player, facts.loser.player),
        area=cast.place(facts.province),
        mark="battle",
        why=_sum(event, cast),
        won=(facts.winner.player,),
        lost=(facts.loser.player,),
        facts=facts,
    )


def _sum(event: Event, cast: Cast) -> tuple[str, ...]:
    return tuple(line.body.text for line in event_lines(event, cast))


def _attack(event: Event, facts: DragonAttacked, cast: Cast) -> Iterator[News]:
    sent = tuple(share.player for share in facts.shares if share.pledges)
    yield News(
        "dragon-attack",
        w.ATTACK if facts.won else w.ATTACK_LOST,
        _say("attack", facts, cast),
        _say("attack_told", facts, cast),
        size=facts.dpl,
        players=tuple(player for player in sent if player != cast.you),
        mark="attack",
        why=_sum(event, cast),
        facts=facts,
    )
    for share in facts.shares:
        if share.burnt:
            yield News(
                "burnt",
                w.TAKEN,
                _say("burns", share.burnt, cast),
                _say("burns_told", share.burnt, cast, share.player),
                size=len(share.burnt),
                players=(share.player,),
                area=cast.place(share.burnt[0]),
                facts=share,
            )


def _leads(leader: int, turn: int, bids: Sequence[BidsRevealed], cast: Cast) -> Iterator[News]:
    bid = next(
        (counted for one in bids for player, counted, _, _ in one.bids if player == leader), None
    )
    if bids:
        facts = Leader(leader, bid, turn)
        yield News(
            "leads",
            w.BATTLE,
            _say("leads", facts, cast),
            _say("leads_told", facts, cast),
            size=(bid or 0) // UNIT_COST,
            players=(leader,),
            facts=facts,
        )


def _other(facts: object, cast: Cast) -> Iterator[News]:
    match facts:
        case PlayerEliminated(player=player, by=by):
            concerned = (player, *(number for number in by if number and number != player))
            yield _plain("out", w.OUT, facts, cast, concerned, mark="out")
        case DragonCame():
            yield _plain("comes", w.ATTACK, facts, cast)
        case TieAsked(players=players):
            yield _plain("tie", w.CLOSE_CALL, facts, cast, players)
        case LevelRaised(player=player, province=province):
            area = cast.place(province)
            yield _plain("upgraded", w.GROWN, facts, cast, (player,), area=area)


def _plain(
    macro: str,
    weight: int,
    facts: object,
    cast: Cast,
    players: tuple[int, ...] = (),
    *,
    area: str = "",
    mark: Mark = "",
) -> News:
    """News whose clause and sentence are the two macros of this name."""
    told = _say(f"{macro}_told", facts, cast)
    return News(
        macro,
        weight,
        _say(macro, facts, cast),
        told,
        players=players,
        area=area,
        mark=mark,
        facts=facts,
    )


def _cards(events: Sequence[Event], cast: Cast) -> Iterator[News]:
    """The cards of a turn that have an effect."""
    cards = tuple(
        event.facts.card
        for event in events
        if isinstance(event.facts, CardRevealed) and event.facts.card not in IDLE_CARDS
    )
    if cards:
        yield _plain("cards", w.SMALL, cards, cast)


def _may_build(events: Sequence[Event], cast: Cast) -> Iterator[News]:
    """Who worked with gold may upgrade: of the public's news alone, since it is said to each."""
    golden = tuple(
        dict.fromkeys(
            event.facts.player
            for event in events
            if isinstance(event.facts, WorkDone) and event.facts.golden
        )
    )
    if golden:
        names = cast.people(golden)
        yield News(
            "may-build",
            w.SMALL,
            _say("may_build", names, cast),
            _say("may_build_told", names, cast),
        )

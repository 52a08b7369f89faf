"""The running phase: its clock, and going back to before an action that was objected to (SS-10).

A redo starts from the position before the action, plays it and all later ones of the season again,
and takes what was done since then again at its hours. The stream is never rewound: later actions
use the dice recorded for them first (SS-10.6).
"""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from engine.sovereigns import events as e
from engine.sovereigns.deeds import run_ballots_down
from engine.sovereigns.orders import Do, Pass
from engine.sovereigns.refusals import Refused
from engine.sovereigns.seasons.seasons import Play, play
from engine.sovereigns.seasons.technologies import run_down
from engine.sovereigns.seasons.trades import expire
from engine.sovereigns.state import Objection, State, Undone
from engine.sovereigns.table import Table

WINDOWS: Mapping[str, int] = {"setup": 48, "year-start": 36, "season": 72, "redo": 24}
"""Hours of each question (section 12 of the rules); `redo` is asked alone only when the game had
ended.
"""
OBJECTION_HOURS = VERDICT_HOURS = REDO_HOURS = 24

Again = Callable[[Table, int, Mapping[str, object]], None]
"""Does an act of the log again: the table, the actor (0: the game master), the act."""


def deadline(state: State) -> int:
    """The hour at which the open phase closes; it moves while an objection or a redo is open
    (SS-10.7).
    """
    return WINDOWS.get(state.stage, 0) + state.paused


def waits(state: State) -> int:
    """For how many hours more the deadline moves, if nobody says a word of what is open."""
    left = [objection.left for objection in state.objections]
    return max([*left, *(() if state.undone is None else (state.undone.left,))], default=0)


def next_hour(state: State) -> int | None:
    """The hour at which something runs out by itself: an offer, a ballot, a proposal, an objection,
    a redo.
    """
    undone = () if state.undone is None else (state.undone.left,)
    if state.stage == "over":
        return state.hour + undone[0] if undone else None
    left = [
        *(offer.left for offer in state.offers),
        *(ballot.left for ballot in state.ballots),
        *(objection.left for objection in state.objections),
        *undone,
        *(
            discovery.left
            for number in state.living
            for discovery in state.kingdom(number).discoveries
            if discovery.name
        ),
    ]
    return state.hour + min(left) if left else None


def advance(table: Table, hour: int, again: Again) -> None:
    """Let the clock go to this hour; what runs out then does so before anything done at that hour
    (SF-2).
    """
    while table.state.hour < hour and (not table.is_over or table.state.undone is not None):
        waits = bool(table.state.objections) or table.state.undone is not None
        table.put(hour=table.state.hour + 1, paused=table.state.paused + waits)
        expire(table, at_close=False)
        run_down(table)
        run_ballots_down(table)
        for objection in table.state.objections:
            if objection.left <= 1:
                verdict(table, objection, upheld=False)
        table.put(
            objections=tuple(
                replace(objection, left=objection.left - 1) for objection in table.state.objections
            )
        )
        undone = table.state.undone
        if undone is not None and undone.left <= 1:
            redo(table, Pass(), again)
        elif undone is not None:
            table.put(undone=replace(undone, left=undone.left - 1))


def objected(table: Table, player: int, action: int, why: str) -> None:
    """An objection waits for the game master's verdict (SS-10.1 to SS-10.3)."""
    number = table.state.objections_made + 1
    table.change(player, objected=True)
    objection = Objection(number, action, player, VERDICT_HOURS, why)
    table.put(objections_made=number, objections=(*table.state.objections, objection))
    table.tell(
        e.ObjectionMade(number, action, player, why), ["SS-10.1", "SS-10.2", "SS-10.3", "SS-12.5"]
    )


def verdict(table: Table, objection: Objection, *, upheld: bool) -> None:
    """An upheld one closes the others of the season, and the action is rolled back; without a
    verdict the action stands (SS-10.3).
    """
    table.put(objections=tuple(other for other in table.state.objections if other != objection))
    table.tell(e.VerdictGiven(objection.number, objection.action, upheld), ["SS-10.1", "SS-10.3"])
    if upheld:
        roll_back(table, objection.action)


def roll_back(table: Table, action: int) -> None:
    """The ruler of the action is asked for another; until then all lies as it does (SS-10.4,
    SS-12.6).
    """
    player = next(played.player for played in table.state.played if played.number == action)
    table.put(objections=(), undone=Undone(action, player, REDO_HOURS))
    table.tell(e.RolledBack(action, player), ["SS-10.4", "SS-10.5"])


def base_of(state: State) -> State:
    """The position that the redo goes back to. ValueError if there is no redo to wait for."""
    if state.undone is None:
        raise ValueError("nothing was rolled back")
    return next(played.before for played in state.played if played.number == state.undone.action)


def redo(table: Table, order: Do | Pass, again: Again) -> None:
    """The action is done again, and what came after it (SS-10.5, SF-9.13). ValueError if no redo is
    waited for.
    """
    was = table.state
    table.state = replace(base_of(was), objections_made=was.objections_made)
    at = next(
        i
        for i, played in enumerate(was.played)
        if was.undone is not None and played.number == was.undone.action
    )
    plays = [
        Play(played.number, played.player, played.order, played.dice) for played in was.played[at:]
    ]
    plays[0] = Play(plays[0].number, plays[0].player, order)
    for each in plays:
        table.tell(e.ReResolved(each.number), ["SS-10.5", "SS-10.6"])
    play(table, plays, was.played[:at])
    for entry in was.log:
        if not table.is_over:
            advance(table, entry.hour, again)
        if not table.is_over:
            _take_again(table, entry.actor, entry.act, again)
    if not table.is_over:
        advance(table, was.hour, again)
    table.put(log=was.log)
    if table.is_over:
        table.put(question=was.question + 1)
        return
    if was.stage == table.state.stage:
        # those made while the redo was waited for
        table.put(paused=was.paused, question=was.question, objections=was.objections)
    else:
        table.put(question=was.question + 1)
    for number in table.state.living:
        table.change(number, objected=was.kingdom(number).objected)


def _take_again(table: Table, actor: int, told: Mapping[str, object], again: Again) -> None:
    before = table.state
    try:
        again(table, actor, told)
    except Refused:  # what no longer stands in the new position is dropped
        table.state = before

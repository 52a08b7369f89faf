"""What somebody with many questions asks: why, what if, how somebody has played; a line each."""

from collections.abc import Sequence

from engine.protectors import orders as o
from engine.protectors.view import ProvinceView
from pbem.games.protectors.play.phrases import BOOK
from pbem.games.protectors.play.sight import Sight, sight_of
from pbem.play import ScriptedQuestion


def questions_of(question: ScriptedQuestion, orders: Sequence[o.Order]) -> tuple[str, ...]:
    """What is asked about this question, a line each; a note to the game master is a mail of its
    own.
    """
    turn, notes, sight = question.of_stage, BOOK.phrases["notes"], sight_of(question.seen)
    fought = f"why P{(sight.fought or sight.me.provinces)[-1]}"
    match question.stage:
        case "bidding":
            return ("help",)
        case "orders":
            others = ("status", "map", "history", "orders")
            return (what_if(sight, orders), *((others[turn % len(others)],) if turn > 1 else ()))
        case "consolidation":
            later = (
                (fought, "why ranking"),
                (fought, f"profile {_rival(sight)}"),
                ("why money", "why did my order fail"),
            )
            return (
                (fought, "rule PR-7.8", "profile", "hall of fame")
                if turn == 1
                else later[turn % len(later)]
            )
        case "dragon":
            return ("why dragon",) if turn % 2 else (notes[turn // 2 % len(notes)],)
    return ()


def _rival(sight: Sight) -> str:
    """The highest in the ranking apart from the asker."""
    return next(sight.view.player(x).name for x in sight.view.ranking if x != sight.me.number)


def what_if(sight: Sight, orders: Sequence[o.Order]) -> str:
    """A march of the asker's (or, without one, to fortify) against one that an opponent
    might make.
    """
    view, me = sight.view, sight.me
    marches = [
        order
        for order in (*orders, *sight.legal)
        if isinstance(order, o.March) and o.ISLAND not in (order.origin, order.target)
    ]
    threats = [
        (near, target)
        for near in view.provinces
        for target in near.neighbours
        if near.owner is not None
        and near.units
        and not _are_friends(sight, near.owner, view.province(target).owner)
        and not _are_friends(sight, near.owner, me.number)
    ]
    for march in marches:
        if not _are_friends(sight, me.number, view.province(march.target).owner):
            for near, target in threats:
                if target == march.target and near.number != march.origin:
                    mine = f"I march {march.units} from P{march.origin} to P{march.target}"
                    return f"what if {mine} and {_marches(sight, near, target)}?"
    own = next((p for p in me.provinces if view.province(p).units), me.provinces[0])
    return f"what if I fortify P{own}{f' and {_marches(sight, *threats[0])}' if threats else ''}?"


def _marches(sight: Sight, near: ProvinceView, target: int) -> str:
    return (
        f"{sight.view.player(near.owner or 0).name} marches {near.units} from P{near.number} to"
        f" P{target}"
    )


def _are_friends(sight: Sight, one: int, other: int | None) -> bool:
    """The same player, or of one team."""
    view = sight.view
    return other is not None and (
        one == other
        or (view.player(one).team is not None and view.player(one).team == view.player(other).team)
    )

"""What goes wrong with people: each quirk changes the mails that somebody would write about a question.

Quirks are dealt in a fixed order, one to each of the first seven players.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from engine.protectors import orders as o
from engine.protectors.view import ProvinceView
from pbem.demo.cast import Person, small_talk
from pbem.demo.phrasing import Named
from pbem.demo.received import Received
from pbem.demo.sight import Sight
from pbem.demo.writing import write_letter


@dataclass(frozen=True, slots=True)
class Question:
    """A turn mail as somebody reads it: `ordinal` counts all questions to this person from 1, `of_stage` those of this kind."""

    person: Person
    letter: Received
    sight: Sight
    stage: str
    ordinal: int
    of_stage: int
    now: datetime
    deadline: datetime
    names: Mapping[int, Named]


@dataclass(frozen=True, slots=True)
class Intent:
    """A mail somebody means to write at a moment; `wanted` is what a faulty one should have said."""

    at: datetime
    text: str
    copies: int = 1
    automatic: bool = False
    wanted: tuple[o.Order, ...] = ()
    looks: bool = False
    """It looks at a card, and the answer may want another word."""


Change = Callable[[Question, Sequence[o.Order], Sequence[Intent], random.Random], list[Intent]]
"""From the orders meant and the mails intended to the mails that get written."""

SLIPS = {"Fortify!": "frotfy", "Work, work!": "wrok", "Hold": "hodl"}


def _corrects(question: Question, orders: Sequence[o.Order], intents: Sequence[Intent], rng: random.Random) -> list[Intent]:
    """Slips of the pen in the orders window: now a word nobody knows, now a province that is somebody else's."""
    meant = [order for order in orders if o.ordered_province(order) is not None]
    if question.stage != "orders" or not meant or not intents:
        return list(intents)
    wrong = meant[0]
    if isinstance(wrong, o.March | o.Support):
        faulty = _too_far(wrong, question)
    else:
        faulty = _misspelt(wrong, question) if question.of_stage % 2 else _misplaced(question)
    if faulty is None:
        return list(intents)
    rest = [order for order in orders if order != wrong]
    text = write_letter(question.person, rest, question.names, rng, wordings=(faulty,))
    early = question.now + min(intents[0].at - question.now, (question.deadline - question.now) / 3)
    return [replace(intents[0], at=early, text=text, wanted=(wrong,)), *intents[1:]]


def _misspelt(order: o.Order, question: Question) -> str:
    said = o.format_order(order, {number: named.name for number, named in question.names.items()})
    return re.sub("|".join(map(re.escape, SLIPS)), lambda found: SLIPS[found[0]], said, count=1)


def _too_far(order: o.March | o.Support, question: Question) -> str | None:
    near = question.sight.view.province(order.origin).neighbours
    far = [p.number for p in question.sight.view.provinces if p.number not in (*near, order.origin)]
    if not far:
        return None
    if isinstance(order, o.March):
        return f"march {order.units} from P{order.origin} to P{far[0]}"
    return f"support {question.names[order.player].name} in P{far[0]} from P{order.origin}"


def _misplaced(question: Question) -> str | None:
    foreign = [p.number for p in question.sight.view.provinces if p.owner not in (None, question.sight.me.number)]
    return f"fortify P{foreign[0]}" if foreign else None


def correction(letter: Received, wanted: Sequence[o.Order], names: Mapping[int, Named]) -> str:
    """The answer to a receipt that took something else than was meant: `yes 1` if it offers just that, or the order again."""
    said = [o.format_order(order, {number: named.name for number, named in names.items()}) for order in wanted]
    unquoted = " ".join(letter.text.split())
    if len(said) == 1 and re.search(r"\byes 1\b|\byes\b", unquoted) and re.search(r"(?i)did you mean", unquoted) and said[0] in unquoted:
        return "yes 1"
    return "\n".join((small_talk().mistaken, *said))


def _forgets(question: Question, orders: Sequence[o.Order], intents: Sequence[Intent], rng: random.Random) -> list[Intent]:
    """Every now and then no answer at all."""
    return [] if question.ordinal == 3 or (question.ordinal > 3 and rng.random() < 0.25) else list(intents)


def _travels(question: Question, orders: Sequence[o.Order], intents: Sequence[Intent], rng: random.Random) -> list[Intent]:
    """The vacation program answers first."""
    if question.stage != "orders" or question.of_stage % 4 != 1:
        return list(intents)
    away = small_talk().away
    return [Intent(question.now + timedelta(seconds=40), away.body.format(name=question.person.name), automatic=True), *intents]


def _late(question: Question, orders: Sequence[o.Order], intents: Sequence[Intent], rng: random.Random) -> list[Intent]:
    """A day after the deadline, when the next phase is open."""
    if question.stage != "orders" or question.of_stage % 4 != 1:
        return list(intents)
    text = write_letter(question.person, orders, question.names, rng, lead=small_talk().late)
    return [Intent(question.deadline + timedelta(hours=20, minutes=rng.randrange(90)), text)]


def _twice(question: Question, orders: Sequence[o.Order], intents: Sequence[Intent], rng: random.Random) -> list[Intent]:
    """The same mail two times: the program hung, and the button was pressed again."""
    if question.stage != "orders" or question.of_stage % 3 != 1:
        return list(intents)
    return [replace(intent, copies=2) for intent in intents]


def _asks(question: Question, orders: Sequence[o.Order], intents: Sequence[Intent], rng: random.Random) -> list[Intent]:
    """Questions of all kinds and notes to the game master, in mails of their own; what the orders would come to once they are sent."""
    at = question.now + (question.deadline - question.now) / 12
    asked = [Intent(at, "\n\n".join(words))] if (words := questions_of(question, orders)) else []
    previews = [Intent(intents[-1].at + timedelta(minutes=30), "preview")] if question.stage == "orders" and intents else []
    return [*asked, *intents, *previews]


def questions_of(question: Question, orders: Sequence[o.Order]) -> tuple[str, ...]:
    """What is asked about this question, a line each; a note to the game master is a mail of its own."""
    turn, notes = question.of_stage, small_talk().notes
    fought = f"why P{(question.sight.fought or question.sight.me.provinces)[-1]}"
    match question.stage:
        case "bidding":
            return ("help",)
        case "orders":
            others = ("status", "map", "history", "orders")
            return (what_if(question, orders), *((others[turn % len(others)],) if turn > 1 else ()))
        case "consolidation":
            later = ((fought, "why ranking"), (fought, f"profile {_rival(question)}"), ("why money", "why did my order fail"))
            return (fought, "rule PR-7.8", "profile", "hall of fame") if turn == 1 else later[turn % len(later)]
        case "dragon":
            return ("why dragon",) if turn % 2 else (notes[turn // 2 % len(notes)],)
    return ()


def _rival(question: Question) -> str:
    """Who ranks highest beside the asker."""
    return next(question.names[x].name for x in question.sight.view.ranking if x != question.sight.me.number)


def what_if(question: Question, orders: Sequence[o.Order]) -> str:
    """A march of one's own (or none that there is: to fortify) against one that an opponent might make."""
    view, me = question.sight.view, question.sight.me
    marches = [
        order for order in (*orders, *question.sight.legal) if isinstance(order, o.March) and o.ISLAND not in (order.origin, order.target)
    ]
    threats = [
        (near, target)
        for near in view.provinces
        for target in near.neighbours
        if near.owner is not None and near.units and not _are_friends(question, near.owner, view.province(target).owner)
        and not _are_friends(question, near.owner, me.number)
    ]  # fmt: skip
    for march in marches:
        if not _are_friends(question, me.number, view.province(march.target).owner):
            for near, target in threats:
                if target == march.target and near.number != march.origin:
                    mine = f"I march {march.units} from P{march.origin} to P{march.target}"
                    return f"what if {mine} and {_marches(question, near, target)}?"
    own = next((p for p in me.provinces if view.province(p).units), me.provinces[0])
    return f"what if I fortify P{own}{f' and {_marches(question, *threats[0])}' if threats else ''}?"


def _marches(question: Question, near: ProvinceView, target: int) -> str:
    return f"{question.names[near.owner or 0].name} marches {near.units} from P{near.number} to P{target}"


def _are_friends(question: Question, one: int, other: int | None) -> bool:
    """The same player, or of one team."""
    view = question.sight.view
    return other is not None and (one == other or (view.player(one).team is not None and view.player(one).team == view.player(other).team))


def _is_final(question: Question, orders: Sequence[o.Order], intents: Sequence[Intent], rng: random.Random) -> list[Intent]:
    """Always sure; `says_final` sees to it."""
    return list(intents)


QUIRKS: Mapping[str, Change] = {
    "corrects": _corrects,
    "forgets": _forgets,
    "travels": _travels,
    "late": _late,
    "twice": _twice,
    "asks": _asks,
    "final": _is_final,
}


def quirk_of_seat(index: int) -> str | None:
    """The quirk of the n-th player, counted from 0; None after the seventh."""
    return list(QUIRKS)[index] if index < len(QUIRKS) else None


def says_final(quirk: str | None, stage: str) -> bool:
    """One player always does; against the Dragon, and when places are bid for again, everybody is quick to settle."""
    return quirk == "final" or stage in ("dragon", "rebid")

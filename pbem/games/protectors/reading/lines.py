"""A message's entries as lines with their orders: those that name their provinces first, then those
that mean the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from engine.protectors import numbers
from engine.protectors import orders as o
from engine.protectors.abilities import BANK_COST, FAITH_COST, GUARD_COST
from engine.protectors.checking.purchase import supply_room
from engine.ruleset import Fact, Problem
from pbem.games.protectors.reading.drafts import Draft
from pbem.games.protectors.reading.entries import Entry
from pbem.games.protectors.reading.excepting import subject_of
from pbem.games.protectors.reading.orders import build
from pbem.games.protectors.reading.position import Built, Position, Refusal
from pbem.games.protectors.reading.purchase import with_standing
from pbem.games.protectors.reading.sharing import spreads
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.suggesting import nearest_word
from pbem.grammar.kit.vocabulary import load_vocabulary

LANGUAGE = "pbem.games.protectors.reading"
"""The package of the order language: its grammar and its words."""
"""The vocabulary that orders of this game are read by."""


_NOTHING = Draft()
_ADVERBS = frozenset({"as last turn", "like last turn"})


@dataclass(slots=True)
class Line:
    """An item in the making; a `crumb` is a number or `the rest` alone, which is told only beside
    an order.
    """

    entry: Entry
    built: list[Built] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    caret: Lexeme | None = None
    refused: set[int] = field(default_factory=set)
    empty: bool = False
    crumb: bool = False


def build_lines(entries: list[Entry], position: Position) -> list[Line]:
    """Orders of every entry: first those that name their provinces, then those that mean the
    rest.
    """
    lines = [Line(entry) for entry in entries]
    named: list[int] = []
    late: list[Line] = []
    for line in lines:
        draft = line.entry.draft
        if draft is not None and (
            draft.kind == "SAME"
            or "LEFT" in draft.marks
            or (draft.kind == "BID" and draft.all_but is not None)
            or (draft.quantity is not None and draft.quantity.kind == "ELSE")
            or (draft.kind == "HOLD" and spreads(draft))
        ):
            if draft.kind == "HOLD" and draft.quantity is not None:
                draft.quantity = replace(draft.quantity, kind="ELSE")  # `all hold, P6 works`
            late.append(line)
            continue
        _build_line(line, position, ())
        named += [
            p for p in (o.ordered_province(built.order) for built in line.built) if p is not None
        ]
    _withhold_glued(lines)
    _add_to_standing(lines, position)
    position.spent = _spent(lines, position)
    for line in lines:  # `wrok P1, fortify everywhere else`: not P1
        refused = line.entry.draft if line.problems and not line.built else None
        named += [
            *line.entry.lost,
            *(place.value or 0 for place in (subject_of(refused) if refused is not None else ())),
        ]
    for line in late:
        _build_line(line, position, named)
        named += [
            p for p in (o.ordered_province(built.order) for built in line.built) if p is not None
        ]
    _withhold_glued(lines)
    for line in lines:
        if line.crumb and any(other.built for other in lines):
            line.problems.append(
                Problem("not-understood", rules=("PR-6.19",))
            )  # `bid 20... 25`, `2 from P2, the rest`
    _withhold_adverb(lines)
    _withhold_whole(lines)
    return _without_echoes([line for line in lines if line.built or line.problems], position)


def _withhold_glued(lines: list[Line]) -> None:
    """`work P1 P2 fortify`: what nothing parts from something that was not understood."""
    for before, line in pairwise(lines):
        if line.entry.glued and line.built and before.problems and not before.built:
            # Nothing stands between them, so that what was not understood may have changed the
            # meaning of this.
            line.built, line.problems = [], [Problem("not-understood", rules=("PR-6.19",))]
        elif (
            line.entry.glued
            and line.problems
            and not line.built
            and line.entry.draft is not None
            and line.entry.draft.said() == {"verb"}
        ):
            if before.entry.draft is not None and before.entry.draft.after and before.built:
                # `work P1 P2 fortify`: the last province could be meant for either.
                before.built, before.problems = [], [Problem("not-understood", rules=("PR-6.19",))]


def _withhold_adverb(lines: list[Line]) -> None:
    """`P1 works as last turn`: said of one order, or an order of its own for all the rest?"""
    for line in lines:
        draft = line.entry.draft
        if (
            draft is None
            or draft.kind != "SAME"
            or not line.built
            or draft.excepted
            or draft.verb is None
        ):
            continue
        beside = any(
            other is not line and other.entry.line == line.entry.line and other.built
            for other in lines
        )
        if line.entry.glued or (beside and draft.verb.text in _ADVERBS and not draft.places):
            line.built, line.problems = [], [Problem("not-understood", rules=("PR-6.19",))]
            line.caret, line.entry.suggests = draft.verb, False


def _withhold_whole(lines: list[Line]) -> None:
    """`same as last turn, but don't send money`, `cancel all but the march`: what was not
    understood beside it, and what is said not to be anywhere in the message, may have changed what
    is meant by the whole.
    """
    for i, line in enumerate(lines):
        if (
            line.entry.draft is not None
            and line.entry.draft.kind in {"SAME", "CANCELALL"}
            and line.built
        ):
            lost = [
                other
                for other in lines
                if not other.built
                and any(problem.code == "not-understood" for problem in other.problems)
            ]
            denied = any(
                other.entry.trouble == "negation"
                or (other.entry.draft or _NOTHING).kind == "UNSEND"
                for other in lost
            )
            if denied or any(
                other in lines[i + 1 :] and other.entry.line == line.entry.line for other in lost
            ):
                line.built, line.problems = [], [Problem("not-understood", rules=("PR-6.19",))]
                line.entry.suggests = False


def _add_to_standing(lines: list[Line], position: Position) -> None:
    """`also buy 1 in P2`, if it is the message's first purchase and something stands."""
    buying = [line for line in lines if line.built and isinstance(line.built[0].order, o.Buy)]
    if not buying or buying[0].entry.draft is None or "ALSO" not in buying[0].entry.draft.marks:
        return
    whole = with_standing([built for line in buying for built in line.built], position)
    for line in buying:
        line.built = []
        line.empty = True
    buying[0].built, buying[0].empty = whole, False


def _spent(lines: list[Line], position: Position) -> int | None:
    """What the purchases of a message cost, and those that stand if it names none; None if some of
    them would be cut.
    """
    told = [built.order for line in lines for built in line.built]
    standing = position.standing.orders
    buys = [order for order in told if isinstance(order, o.Buy)] or [
        order for order in standing if isinstance(order, o.Buy)
    ]
    rest = [*told, *(order for order in standing if not isinstance(order, o.Buy))]
    wanted: dict[int, int] = {}
    for buy in buys:
        wanted[buy.province] = wanted.get(buy.province, 0) + buy.units
    if any(
        p not in position.own or units > supply_room(position.state, position.player, p)
        for p, units in wanted.items()
    ):
        return None
    costs = {
        o.Upgrade: numbers.UPGRADE_COST,
        o.UseFaith: FAITH_COST,
        o.HireKing: GUARD_COST,
        o.UseBank: BANK_COST,
    }
    return numbers.UNIT_COST * sum(wanted.values()) + sum(
        costs.get(type(order), 0) for order in rest
    )


def _build_line(line: Line, position: Position, named: Sequence[int]) -> None:
    entry = line.entry
    if entry.draft is None:
        line.problems.append(Problem("not-understood", facts=_about_word(entry.at)))
        line.caret = entry.at
        return
    try:
        line.built = build(entry.draft, position, named)
    except Refusal as refusal:
        if (
            entry.trouble == "loose"
            and refusal.code == "not-understood"
            and entry.draft.ability is None
            and len(entry.draft.said() - {"marks"}) < 2
            and not entry.draft.said() & {"place", "origin", "target", "at", "dash"}
        ):
            line.crumb = len(entry.draft.numbers) == 1 or (
                entry.draft.quantity is not None
                and entry.draft.quantity.kind in {"ELSE", "BOTH", "HALF"}
            )
            return
        line.problems.append(Problem(refusal.code, rules=("PR-6.19",), facts=refusal.facts))
        line.caret = refusal.at or entry.draft.verb


def _about_word(lexeme: Lexeme | None) -> dict[str, Fact]:
    """What to say of a word that is none here: itself, and the command word nearest to it if one is
    near.
    """
    if lexeme is None or lexeme.kind != "WORD":
        return {}
    near = nearest_word(lexeme.text, load_vocabulary(LANGUAGE).slips)
    return {"word": lexeme.text} if near is None else {"word": lexeme.text, "nearest": near}


def _without_echoes(lines: list[Line], position: Position) -> list[Line]:
    """`Buy 0 in P1, 2 in P2`: nothing is bought only where nothing else is, and it is said once."""
    buys = any(isinstance(built.order, o.Buy) for line in lines for built in line.built)
    for line in lines:
        if any(isinstance(built.order, o.BuyNothing) for built in line.built):
            if buys:
                line.built, line.empty = [], True
            buys = True
    return lines

"""The parts of a sentence put together to lines of a plan, answers and deeds of Realm-Master
(rules, section 12).

A condition that leads a sentence holds for all that is joined to it; one that follows holds for its
own part, and where more could be meant the sentence is not read. `else` is said of what is before
it, and of nothing more. Words that tell when belong to their own part.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Literal

from engine.realm_master import conditions as c
from engine.realm_master import orders as o
from pbem.games.realm_master.reading.asked import asked_of, is_about_card
from pbem.games.realm_master.reading.dice import faces, reroll
from pbem.games.realm_master.reading.groups import group_of, uses_smoke
from pbem.games.realm_master.reading.parts import NotRead, PlanPart
from pbem.games.realm_master.reading.plain import PLAIN, plain_orders
from pbem.games.realm_master.reading.position import Draft, Position
from pbem.games.realm_master.reading.sequence import follows
from pbem.games.realm_master.reading.shapes import need_shape
from pbem.games.realm_master.reading.stances import attack, enter_lands, stance
from pbem.games.realm_master.reading.trade import buy, life, loot, play, reveal, tribute
from pbem.games.realm_master.reading.wishes import hero
from pbem.grammar.kit.lexemes import Lexeme

_COMMON = frozenset({"ALWAYS", "ONCE", "ELSE", "THEN", "ARE", "TO", "NOW", "CAN", "OWNTURN"})
_FLAGS = {
    "reveal": frozenset({"FIRST", "HOPE"}),
    "reroll": frozenset({"FIRST", "NOT", "ONLY", "EXCEPT", "TWICE", "SECOND", "AGAIN"}),
    "attack": frozenset({"FIRST", "NOT", "ONLY", "YES"}),
    "enter": frozenset({"NOT", "ONLY"}),
    "stance": frozenset({"NOT", "WHENHIT"}),
    "buy": frozenset({"FIRST", "NOT", "ONLY", "HOPE", "EARLY"}),
    "play": frozenset({"FIRST", "NOT", "ONLY", "EARLY", "YES", "WHENHIT"}),
    "life": frozenset({"FIRST", "FORLIFE"}),
    "tribute": frozenset({"ONLY"}),
    "loot": frozenset({"FIRST"}),
    "hero": frozenset({"FIRST", "SECOND"}),
    "faces": frozenset({"FIRST", "SECOND"}),
}
"""The small words that say something in each kind of line; another one makes it uncertain."""
MOST_LINES = 20
"""Of a sentence that are compared."""
OWN_TURN = frozenset({"reroll", "faces", "attack", "buy", "play", "reveal", "life", "enter"})
"""What is done in one's own turn and in no other."""
_MOMENTS = ("WHENHIT", "OWNTURN")
_TRAILING = frozenset({"ALWAYS", "ONCE", "NOW", "CAN", "HOPE", "EARLY"})
_TIMES = _TRAILING | {*_MOMENTS, "SECOND", "THEN"}
"""What tells when, and what of it may end a sentence."""
_LISTS = ("enter", "stance", "attack", "faces")
"""Lines that are lists of choices of which the first counts whose condition holds."""


@dataclass(slots=True)
class _Making:
    """A sentence in the making."""

    position: Position
    moment: Literal["", "hit", "realm", "ultimatum"]
    orders: list[o.Order] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    leading: PlanPart | None = None
    """The condition that holds for what comes."""
    is_used: bool = False
    is_closed: bool = False
    """`Else` was said of a leading condition: what comes after it could belong to either."""
    carried: dict[str, Lexeme] = field(default_factory=dict)
    before: PlanPart | None = None
    instead: PlanPart | None = None
    """`Unless that, then ...`: what comes goes before what was said, where the condition holds."""


def build(
    parts: Sequence[PlanPart],
    position: Position,
    moment: Literal["", "hit", "realm", "ultimatum"] = "",
) -> list[o.Order]:
    """The orders of a sentence. NotRead if any part of it is uncertain: then no part counts."""
    made = _Making(position, moment)
    for i, part in enumerate(parts):
        _take(made, part, parts[i + 1 :])
        made.before = part
    if made.leading is not None and not made.is_used:
        raise NotRead("not-understood", made.leading.first)
    if {*made.carried} - {*_MOMENTS}:
        raise NotRead("not-understood", next(iter(made.carried.values())))
    _tell_times(made, parts)
    told: list[o.Order] = []
    is_hit = any(draft.group == "play" and uses_smoke(draft.parts[0][0]) for draft in made.drafts)
    for draft in made.drafts:
        if is_hit and draft.group == "stance" and not draft.moment and draft.parts[0][1]:
            draft.moment = "hit"  # `leave if I have 3 hearts or fewer, smoke pot only if ...`
        orders = _BUILDERS[draft.group](draft, position)
        if draft.is_after and not follows(told[-1:], orders):
            raise NotRead("not-understood", draft.parts[0][0].flags["THEN"])
        told += orders
    _tell_first(made, told)
    pairs = combinations(told[:MOST_LINES], 2)
    if any(o.is_same_line(one, other) and one != other for one, other in pairs):
        raise NotRead("not-understood")  # `stay and leave`
    made.orders += [order for order in dict.fromkeys(told) if order not in made.orders]
    if not made.orders:
        raise NotRead("not-understood")
    return made.orders


def _tell_first(made: _Making, told: Sequence[o.Order]) -> None:
    """`Buy the shield first, reveal one`: what is said to be first must be (RM-3.4)."""
    if len(made.drafts) < 2:
        return
    for draft in made.drafts:
        first = next((p.flags["FIRST"] for p, _ in draft.parts if "FIRST" in p.flags), None)
        if first is not None and draft.group not in ("hero", "faces") and first.text == "first":
            mine = _BUILDERS[draft.group](draft, made.position)
            rest = [order for order in told if order not in mine]
            late = isinstance(mine[0], o.Buy | o.Reveal) and any(
                isinstance(order, o.Buy | o.Reveal) for order in told[: told.index(mine[0])]
            )  # `reveal one, but buy the shield first`
            if late or not follows(mine, rest):
                raise NotRead("not-understood", first)


def _take(made: _Making, part: PlanPart, after: Sequence[PlanPart]) -> None:
    bare = part.verb is None and not part.things and not part.how
    if part.flags and bare and {*part.flags} <= _TIMES:
        if after and (not made.drafts or part.joiner != "and"):
            made.carried |= part.flags  # `when hit, leave`
            return
        if not after and len(made.drafts) == 1 and {*part.flags} <= _TRAILING:
            made.drafts[0].parts[-1][0].flags.update(part.flags)  # `enter Jerum, if possible`
            return
        raise NotRead("not-understood", part.first)
    if part.kind in PLAIN or part.kind in ("SAME", "FORGET"):
        if made.leading is not None or made.carried or "SECOND" in part.flags:
            raise NotRead("not-understood", part.verb)
        made.orders += [
            order for order in plain_orders(part, made.position) if order not in made.orders
        ]
        return
    if part.is_bare:
        _take_condition(made, part, after)
        return
    if made.is_closed and "ELSE" not in part.flags:
        raise NotRead("not-understood", part.first)
    _add(made, part)


def _take_condition(made: _Making, part: PlanPart, after: Sequence[PlanPart]) -> None:
    """A condition by itself: of what was said if it ends the sentence or an `else` follows, of what
    comes if it begins one.
    """
    if (
        made.drafts
        and part.how == "UNLESS"
        and len(after) == 1
        and "THEN" in after[0].flags
        and not after[0].how
        and len(made.drafts) == 1
    ):
        made.instead = part
        return
    is_last = not after or "ELSE" in after[0].flags
    if made.drafts and (part.how == "ONLY" or (is_last and part.joiner == "comma")):
        _restrict(made, part)
        return
    if (made.drafts and part.joiner != "and") or not after or "ELSE" in after[0].flags:
        raise NotRead("not-understood", part.first)
    if made.leading is not None and not made.is_used:
        raise NotRead("not-understood", part.first)
    part.is_led = True
    made.leading, made.is_used = part, False


def _restrict(made: _Making, part: PlanPart) -> None:
    """`..., but only with 7 hearts or more`: of all that was said; `..., unless ...`: of the one
    thing that was.
    """
    draft = made.drafts[-1]
    several = len(made.drafts) > 1 or made.orders or made.leading is not None
    unless = part.how != "ONLY" and len(draft.parts) > 1
    if several or unless or any(old for _, old in draft.parts):
        raise NotRead("not-understood", part.first)
    draft.is_limited = part.how in ("ONLY", "UNLESS")
    told = [
        (old, PlanPart(old.verb, old.flags, old.things, part.condition, part.how))
        for old, _ in draft.parts
    ]
    draft.parts = [(old, asked_of(made.position, draft.group, old, one)) for old, one in told]


def _add(made: _Making, part: PlanPart) -> None:
    part.flags = made.carried | part.flags
    group = group_of(part, made.drafts, made.position)
    need_shape(group, part)
    known = _COMMON | _FLAGS.get(group, frozenset())
    stray = next((lexeme for kind, lexeme in part.flags.items() if kind not in known), None)
    if stray is not None:
        raise NotRead("not-understood", stray)
    made.carried = {kind: lexeme for kind, lexeme in made.carried.items() if kind in _MOMENTS}
    last = made.drafts[-1] if made.drafts else None
    if "ELSE" in part.flags:
        _add_else(made, part, group, last)
        return
    if made.instead is not None and last is not None:
        _add_instead(made, part, group, last, made.instead)
        return
    if (
        "THEN" in part.flags
        and last is not None
        and last.group != group
        and made.before is not None
        and made.before.how
    ):
        raise NotRead("not-understood", part.first)  # `attack if I have 3 swords, then enter Jerum`
    when = _condition(made, part, group)
    if last is not None and _goes_on(part, when, group, last):
        last.parts.append((part, when))
        last.is_limited = part.how in ("UNLESS", "ONLY")
    else:
        made.drafts.append(
            Draft(
                group, [(part, when)], moment=made.moment, is_limited=part.how in ("UNLESS", "ONLY")
            )
        )
        if last is not None:
            _tell_after(made.drafts[-1], part, last, made.position)
    if part.is_led and not part.is_bare:
        made.leading, made.is_used = part, True


def _tell_after(draft: Draft, part: PlanPart, last: Draft, position: Position) -> None:
    """`Attack, stay` and `attack, then leave` are about the writer's own turn; a hero outside
    cannot mean the latter.
    """
    draft.is_after = "THEN" in part.flags
    is_own = last.group in OWN_TURN and position.stage not in ("hit", "smoke", "ultimatum")
    is_own = is_own and not uses_smoke(last.parts[-1][0])  # which is used when hit
    is_own = is_own and (draft.is_after or not draft.parts[0][1])  # `attack, leave if ...`
    if draft.group == "stance" and not draft.moment and is_own:
        if position.at is None and draft.is_after:
            raise NotRead("not-understood", part.verb)
        draft.moment = "realm" if position.at is not None else ""


def _condition(made: _Making, part: PlanPart, group: str) -> c.When:
    """The condition of a part: its own, or the one that leads the sentence."""
    own = c.ALWAYS if is_about_card(part, group) else asked_of(made.position, group, part, part)
    if made.leading is None or part.is_led:
        before = made.before
        if (
            part.how
            and not part.is_led
            and part.joiner == "and"
            and before is not None
            and not before.how
            and not before.is_bare
        ):
            raise NotRead(
                "not-understood", part.first
            )  # `attack and enter Jerum if I have 7 hearts`
        return own
    if part.how:
        raise NotRead("not-understood", part.first)
    made.is_used = True
    lead = made.leading
    if is_about_card(part, group):
        return c.ALWAYS
    return asked_of(
        made.position,
        group,
        part,
        PlanPart(part.verb, part.flags, part.things, lead.condition, lead.how),
    )


def _add_instead(made: _Making, part: PlanPart, group: str, last: Draft, unless: PlanPart) -> None:
    """`R's are swords, unless I have one half banner left, then banner`."""
    if (
        group != last.group
        or group not in _LISTS
        or len(last.parts) != 1
        or last.parts[0][1]
        or made.leading is not None
    ):
        raise NotRead("not-understood", part.first)
    told = PlanPart(part.verb, part.flags, part.things, unless.condition, "IF")
    last.parts.insert(0, (part, asked_of(made.position, group, part, told)))
    made.instead = None


def _add_else(made: _Making, part: PlanPart, group: str, last: Draft | None) -> None:
    if last is None:
        raise NotRead("not-understood", part.first)
    under = made.leading is not None
    if under and len(made.drafts) > 1:
        raise NotRead("not-understood", part.first)
    if part.is_led or (part.how and not any(when for _, when in last.parts) and group != "reveal"):
        raise NotRead(
            "not-understood", part.first
        )  # `Jerum, else Arub if I have 7 hearts`: is that for both?
    when = c.ALWAYS if is_about_card(part, group) else asked_of(made.position, group, part, part)
    if group == "reroll":
        raise NotRead("not-understood", part.first)
    if group == last.group:
        last.parts.append((part, when))
    else:
        if (group, last.group) != ("save", "buy"):
            raise NotRead("not-understood", part.first)
        made.drafts.append(Draft(group, [(part, c.ALWAYS)], moment=made.moment))
    made.is_closed = made.is_closed or under


def _tell_times(made: _Making, parts: Sequence[PlanPart]) -> None:
    """`Always` belongs to its own part; where it may be said of more, the sentence is not read."""
    for draft in made.drafts:
        flags = {kind for part, _ in draft.parts for kind in part.flags}
        draft.always = "ALWAYS" in flags
        if {"ALWAYS", "ONCE"} <= flags:
            raise NotRead("not-understood", draft.parts[0][0].first)
    told = [part for part in parts if "ALWAYS" in part.flags]
    if not told or len(made.drafts) + len(made.orders) < 2:
        return
    word, first = told[0].flags["ALWAYS"], parts[0]
    joined = any(
        other.joiner == "and" and (one in told) != (other in told)
        for one, other in pairwise(parts)
        if "ONCE" not in {*one.flags, *other.flags}
    )
    bare = any(  # `from now on, attack, enter Jerum`
        part.verb is None and not part.things and not part.how
        for part in told
        if part is not parts[-1]
    )
    begins = word.text != "always" and first.said[0].lexemes[0].kind == "ALWAYS"
    leads = begins and not any({"ALWAYS", "ONCE"} & {*part.flags} for part in parts[1:])
    if joined or bare or leads:
        raise NotRead("not-understood", word)


def _goes_on(part: PlanPart, when: c.When, group: str, draft: Draft) -> bool:
    """Whether a part belongs to the line before it."""
    if draft.group != group:
        return False
    if group == "reroll" and "SECOND" in part.flags and part.things:
        return any("SECOND" in told.flags for told, _ in draft.parts)  # `..., second reroll coins`
    if (
        draft.parts[-1][0].kind == "ULTIMATUM"
        or part.verb is None
        or group in ("reroll", "reveal", "buy")
    ):
        return True
    if group in _LISTS and part.is_led and draft.parts[-1][1]:
        return True  # `if Anna hits me stay, if Dora hits me leave`
    return "THEN" in part.flags and group == "stance"


def _save(draft: Draft, position: Position) -> list[o.Order]:
    """`Otherwise save`: nothing more is bought."""
    return []


def _none(draft: Draft, position: Position) -> list[o.Order]:
    raise NotRead("not-understood")


_BUILDERS: dict[str, Callable[[Draft, Position], list[o.Order]]] = {
    "reroll": reroll,
    "faces": faces,
    "attack": attack,
    "enter": enter_lands,
    "stance": stance,
    "buy": buy,
    "play": play,
    "reveal": reveal,
    "tribute": tribute,
    "life": life,
    "loot": loot,
    "hero": hero,
    "save": _save,
    "": _none,
}

"""Plans kept between rounds (RM-10.1): taking in what a player sends, and forgetting what held for
one turn.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.realm_master import orders as o
from engine.realm_master.events import LineUsed
from engine.realm_master.state import Plan, Stage
from engine.realm_master.table import Table

KEY_OF: dict[Stage, o.Key] = {
    "heroes": "hero",
    "tribute": "tribute",
    "ultimatum": "ultimatum",
    "reroll": "reroll",
    "second": "second",
    "knuckle": "second",
    "faces": "faces",
    "attack": "attack",
    "smoke": "smoke",
    "hit": "hit",
    "loot": "loot",
    "place": "reveal",
    "enter": "enter",
    "realm": "realm",
}
"""Under which key of a plan the answer to a question stands (RM-9)."""


def merge(plan: Plan, orders: Iterable[o.Order]) -> Plan:
    """A plan after a message: a new line replaces the one that speaks of the same thing; the last
    word counts (RM-11.7).
    """
    for order in orders:
        match order:
            case o.Auto(on):
                plan = replace(plan, auto=on)
            case o.Drop(key):
                plan = replace(
                    plan,
                    lines=tuple(
                        line for line in plan.lines if key is not None and o.key_of(line) != key
                    ),
                )
            case _ if isinstance(order, o.Line) and o.key_of(order) is not None:
                kept = tuple(line for line in plan.lines if not o.is_same_line(line, order))
                plan = replace(plan, lines=(*kept, order))
    return plan


def line_of(plan: Plan, key: o.Key) -> o.Line | None:
    """The line under a key (of cards to play the first)."""
    return next((line for line in plan.lines if o.key_of(line) == key), None)


def expire(plan: Plan) -> Plan:
    """The plan after an own turn: what holds for one turn is gone unless it was said to persist
    (RM-10.1).
    """
    kept = tuple(
        line
        for line in plan.lines
        if plan.auto or o.is_always(line) or o.key_of(line) in o.PERSISTENT
    )
    return replace(plan, lines=kept)


def counts_now(table: Table, player: int, line: o.Line) -> bool:
    """Whether a line acts without asking: all do in a round played from plans, else those marked so
    (RM-11.2).
    """
    return table.is_standing or o.is_always(line) or table.players[player].plan.auto


def told(table: Table, player: int, stage: Stage) -> tuple[bool, o.Order | None]:
    """Whether a decision is made, and by which order (None: by the rules' default).

    It is made in the close of its own question, in a round played from plans, or by a line marked
    to act unasked.
    """
    key = KEY_OF.get(stage)
    plan = table.players[player].plan
    line = None if key is None else line_of(plan, key)
    if (
        table.closing is not None
        and table.closing.stage == stage
        and player in table.closing.answers
    ):
        answer = table.closing.answers[player]
        return True, line if answer is None else answer
    if table.is_standing:
        return True, line
    return (True, line) if line is not None and counts_now(table, player, line) else (False, None)


def use(table: Table, player: int, line: o.Order | None) -> None:
    """Tell the owner alone which line has decided. A default makes no event."""
    if line is not None:
        table.tell(LineUsed(player, line), rules_of(line), (player,))


def rules_of(line: o.Order) -> list[str]:
    """The rules that give a line its meaning (RM-10.1 to RM-10.9)."""
    rules = ["RM-10.1"]
    parts = [
        *getattr(line, "rules", ()),
        *getattr(line, "choices", ()),
        *getattr(line, "wishes", ()),
        line,
    ]
    is_conditional = any(getattr(part, "when", ()) for part in parts)
    match line:
        case o.Reroll(rules=told_rules):
            rules += ["RM-10.2", *(["RM-10.3"] if is_conditional else [])]
            rules += ["RM-10.4"] if any(rule.what == "lone" for rule in told_rules) else []
        case o.Faces():
            rules.append("RM-10.7")
        case o.Enter() | o.Realm():
            rules.append("RM-10.6")
        case o.Buy():
            rules.append("RM-10.8")
        case o.Reveal():
            rules.append("RM-10.9")
    return [*rules, *(["RM-10.5"] if is_conditional else [])]


def undecided(table: Table, players: Sequence[int], stage: Stage) -> list[int]:
    """Those of them who must be asked."""
    return [player for player in players if not told(table, player, stage)[0]]


def answer_of(stage: Stage, orders: Sequence[o.Order]) -> o.Order | None:
    """The last of a message's orders that answers a question."""
    return next((order for order in reversed(orders) if answers(stage, order)), None)


def is_act(order: o.Order) -> bool:
    """Whether an order takes effect at once, and leaves the open question open."""
    return isinstance(order, o.Concede | o.Objection)


def is_deed(order: o.Order) -> bool:
    """Whether an order is done before the open question of one's own turn continues: it closes the
    question, which is then asked again.
    """
    return isinstance(order, o.BuyNow | o.RevealNow) or bool(getattr(order, "now", False))


def answers(stage: Stage, order: o.Order) -> bool:
    """Whether an order of this kind answers a question."""
    match stage:
        case "last":
            return isinstance(order, o.GoOn)
        case "faces":
            return isinstance(order, o.Faces | o.GoOn)
        case "place":
            return isinstance(order, o.PlaceCard)
        case "second" | "knuckle":
            return isinstance(order, o.Reroll)
        case "round" | "over":
            return False
    return o.key_of(order) == KEY_OF[stage]


def enters_plan(table_stage: Stage, order: o.Order) -> bool:
    """Whether an order stays as a line of the plan. One that answers the open question stays only
    if the player asks for that.
    """
    if isinstance(order, o.Auto | o.Drop):
        return True
    if is_deed(order):
        return False
    return o.key_of(order) not in (None, "hero") and (
        o.is_always(order) or not answers(table_stage, order)
    )

"""Check a player's new orders against those that stand: refusals, what replaces what, and whether
the phase may close (FW-4.4 to 4.8).
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from engine.fortresses import orders as o
from engine.fortresses.judgement import judge
from engine.fortresses.phases.battles import chooses_losses, chooses_retreat
from engine.fortresses.phases.instructions import replaces as instruction_replaces
from engine.fortresses.refusals import refuse
from engine.fortresses.sense import misread
from engine.fortresses.state import State
from engine.fortresses.stored_lines import merge
from engine.fortresses.table import Table
from engine.fortresses.table_commands import hear, heed, judge_command, run_command
from engine.ruleset import Checked, Problem, Standing

Part = Literal["now", "later"]
"""What a line is for: the open phase, or Reinforce."""
MOST_LINES = 200
"""No turn needs more."""


def check(
    state: State,
    player: int,
    standing: Standing[o.Order],
    orders: Sequence[o.Order],
    *,
    unread: Collection[Part] = (),
) -> Checked[o.Order]:
    """Check the orders of one message. Never raises for what a player wrote.

    Each line is judged alone, in the order written, after the lines that stand (FW-4.7). Numbers of
    `Cancel` are those of the lines stored before the message: held ones first, then standing ones.
    `unread` says for what there are lines that became no order. If a line next to it does not
    stand, `Done` does not count, and closes nothing (FW-4.5, FW-4.8).
    """
    table = Table(state)
    if (orders or unread) and player in table.humans():
        hear(table, player)
    problems: dict[int, Problem] = {}
    commands: dict[int, o.TableCommand] = {}
    cancels: dict[int, o.Cancel] = {}
    lines: dict[int, o.Order] = {}
    for i, order in enumerate(
        orders
    ):  # commands act at once: the other lines find the table as it is after them
        plain = o.plain(order)
        if isinstance(plain, o.TableCommand):
            refusal = judge_command(table, player, plain)
            if refusal is not None:
                problems[i] = refusal
                continue
            commands[i] = plain
            heed(table, player)
            run_command(table, player, plain)
    is_commander = not table.is_over and player == table.commander(table.active)
    for i, order in enumerate(orders):
        plain = o.plain(order)
        if isinstance(plain, o.TableCommand):
            continue
        if table.is_over:
            problems[i] = refuse("not-now", phase="over")
        elif not is_commander:
            problems[i] = misread(order) or refuse("not-your-turn", active=table.active)
        elif isinstance(plain, o.Cancel):
            cancels[i] = plain
        elif len(standing.orders) + len(lines) >= MOST_LINES:
            problems[i] = refuse("out-of-range", most=MOST_LINES)
        else:
            lines[i] = order
    stored = _Stored(state.held if is_commander else (), standing.orders if is_commander else ())
    for i, cancel in cancels.items():
        if not stored.take_back(cancel.number) or table.stage == "battle":
            problems[i] = refuse(
                "out-of-range" if table.stage != "battle" else "not-now",
                phase=table.stage,
                stored=stored.count,
            )
    fallen, verdicts = stored.judge(table, list(lines.values()))
    stands: list[o.Order] = list(stored.left)
    replaced: list[o.Order] = list(stored.taken_back)
    accepted: dict[int, o.Order] = {
        **commands,
        **{i: cancel for i, cancel in cancels.items() if i not in problems},
    }
    for (i, _), (order, found) in zip(lines.items(), verdicts, strict=True):
        if found is not None:
            problems[i] = found
            continue
        accepted[i] = order
        gone = [old for old in stands if _replaces(order, old)]
        replaced += [old for old in gone if old in standing.orders]
        stands = [old for old in stands if old not in gone]
        stands.append(order)
    ends = bool(commands) and table.winner is not None
    is_refused = bool(problems or unread)
    told = tuple(accepted[i] for i in sorted(accepted))
    held = _held_back({*unread, *(_part_of(orders[i]) for i in problems)})
    problems |= {i: held[order] for i, order in accepted.items() if order in held}
    replaced += [old for old in stands if old in held and old in standing.orders]
    stands = [order for order in stands if order not in held]
    final = ends or (not is_refused and _is_final(table, is_commander, standing, told, stands))
    if not is_commander:  # a former commander's lines stand until the new one has any
        stands = list(standing.orders)
    return Checked(
        accepted=told,
        standing=Standing(orders=(*stored.cancels, *stands), final=final),
        problems=(*fallen, *(_of(problems[i], i) for i in sorted(problems))),
        replaced=tuple(replaced),
        complete=final,
    )


def stored_lines(state: State, standing: Sequence[o.Order]) -> tuple[o.Order, ...]:
    """The lines stored before a message, in the order of their numbers."""
    cancels = [order for order in standing if isinstance(order, o.Cancel)]
    own = [order for order in standing if not isinstance(order, o.Cancel)]
    return (*merge(state.held, cancels)[0], *own)


class _Stored:
    """Lines stored before a message: those the state holds, and the standing ones."""

    def __init__(self, held: Sequence[o.Order], standing: Sequence[o.Order]) -> None:
        self.held = held
        self.cancels: list[o.Order] = [order for order in standing if isinstance(order, o.Cancel)]
        self.own: list[o.Order] = [order for order in standing if not isinstance(order, o.Cancel)]
        gone = merge(self.held, self.cancels)[1]
        self._numbers = [number for number in range(1, len(self.held) + 1) if number not in gone]
        self.count = len(self._numbers) + len(self.own)
        self.left: list[o.Order] = list(self.own)
        self.taken_back: list[o.Order] = []
        self._gone: set[int] = set()

    def take_back(self, number: int) -> bool:
        """Whether there is such a line (0: any at all)."""
        places = range(1, self.count + 1) if not number else [number]
        if not self.count or places[0] > self.count:
            return False
        for place in places:
            if place in self._gone:
                continue
            self._gone.add(place)
            if place <= len(self._numbers):
                self.cancels.append(o.Cancel(self._numbers[place - 1]))
                self.taken_back.append(self.held[self._numbers[place - 1] - 1])
            else:
                self.taken_back.append(self.own[place - 1 - len(self._numbers)])
        first = len(self._numbers) + 1
        self.left = [
            order for place, order in enumerate(self.own, start=first) if place not in self._gone
        ]
        return True

    def judge(
        self, table: Table, lines: Sequence[o.Order]
    ) -> tuple[list[Problem], list[tuple[o.Order, Problem | None]]]:
        """Stored lines that do not stand (any more), which then count no longer, and what becomes
        of new ones.
        """
        held = merge(self.held, self.cancels)[0]
        verdicts = judge(table, [*held, *self.left, *lines])
        before = len(held) + len(self.left)
        fallen = [verdict.problem for verdict in verdicts[:before] if verdict.problem is not None]
        self.left = [
            verdict.order for verdict in verdicts[len(held) : before] if verdict.problem is None
        ]
        return fallen, [(verdict.order, verdict.problem) for verdict in verdicts[before:]]


def _replaces(new: o.Order, old: o.Order) -> bool:
    """Whether a later line takes the place of an earlier one that speaks of the same thing."""
    match new:
        case o.Done() | o.NoAttacks() | o.BuyNothing() | o.LoseNow():
            return type(new) is type(old)
        case o.RetreatNow() | o.Stay():
            return isinstance(old, o.RetreatNow | o.Stay)
        case o.Then():
            return new.order == o.Done() and new == old
    return instruction_replaces(new, old)


def _is_final(
    table: Table,
    is_commander: bool,
    standing: Standing[o.Order],
    told: Sequence[o.Order],
    stands: Sequence[o.Order],
) -> bool:
    """Whether the open phase waits for nothing more: `done` in a mail of which every line stood, or
    a whole answer in a battle.
    """
    if not is_commander:
        return False
    if table.stage == "battle":
        battle = table.battles[0]
        has_losses = any(isinstance(order, o.LoseNow) for order in stands) or not chooses_losses(
            battle
        )
        has_stance = any(
            isinstance(order, o.RetreatNow | o.Stay) for order in stands
        ) or not chooses_retreat(table, battle)
        return has_losses and has_stance
    return standing.final or any(
        isinstance(order, o.Done | o.NoAttacks) or order == o.Then(o.Done()) for order in told
    )


def _part_of(order: o.Order) -> Part:
    return "later" if isinstance(o.plain(order), o.Then) else "now"


def _held_back(refused: Collection[Part]) -> Mapping[o.Order, Problem]:
    """What closes a phase, and does not where lines for these do not stand (FW-4.5, FW-4.8)."""
    held: dict[o.Order, Problem] = {}
    if refused:
        held[o.Done()] = Problem("final-held", ("FW-4.5",), warning=True)
    if "later" in refused:
        held[o.Then(o.Done())] = Problem("final-held", ("FW-4.8", "FW-4.5"), warning=True)
    return held


def _of(problem: Problem, i: int) -> Problem:
    return Problem(problem.code, problem.rules, problem.facts, problem.warning, i)

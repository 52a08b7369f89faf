"""What follows what: the open question of a state, and playing on from its close to the next one
(FW-4).
"""

from collections.abc import Mapping, Sequence

from engine.chance import Chance
from engine.fortresses import orders as o
from engine.fortresses.atlas import ALLIANCES, KINGDOMS, Alliance, alliance_of
from engine.fortresses.event_kinds import (
    GoldLeft,
    IncomeCollected,
    LineRefused,
    OrdersGiven,
    PlayerAbsent,
    TurnBegan,
    TurnMissed,
    TurnSkipped,
    WindowOpened,
)
from engine.fortresses.judgement import Verdict, judge, judge_attack, judge_reinforce
from engine.fortresses.phases.battles import BattleAnswer, fight
from engine.fortresses.phases.instructions import added
from engine.fortresses.phases.reinforcement import Reinforcement
from engine.fortresses.state import Stage, State, Winner
from engine.fortresses.stored_lines import merge
from engine.fortresses.table import ABSENT_AFTER, Table
from engine.fortresses.table_commands import hear, heed, partner_of
from engine.fortresses.units import NONE, Units
from engine.ruleset import Outcome, Over, Phase

WINDOWS: Mapping[Stage, int] = {"attack": 48, "battle": 12, "reinforce": 24}
"""Hours of each question (FW-4.2)."""

_RULES: Mapping[Stage, tuple[str, ...]] = {
    "attack": ("FW-4.1", "FW-4.2", "FW-4.5", "FW-6.1", "FW-5.13"),
    "battle": ("FW-4.2", "FW-10.7", "FW-7.5", "FW-7.12"),
    "reinforce": ("FW-4.1", "FW-4.2", "FW-4.6", "FW-8.1", "FW-8.9"),
    "over": (),
}
LEAST_NOTICE, MOST_NOTICE = 2, 12
"""Hours before the deadline between which a reminder is sent (FW-4.11)."""


def phase(state: State) -> Phase:
    """The open question of a state; the turn of a phase is the Year."""
    is_over = state.stage == "over"
    hours = WINDOWS.get(state.stage, 0)
    return Phase(
        kind=state.stage,
        turn=state.year,
        asked=() if is_over else asked_of(state),
        hours=hours,
        rules=_RULES[state.stage],
        early=state.options.early_close,
        over=Over(winners_of(state), state.how or "") if is_over else None,
        question=state.question,
        reminders=() if is_over else (1 - min(MOST_NOTICE, max(LEAST_NOTICE, hours / 4)) / hours,),
    )


def asked_of(state: State) -> tuple[int, ...]:
    """The human who commands the active kingdom; the defender is never asked (FW-4.3)."""
    return tuple(realm.commander for realm in state.realms if realm.kingdom == state.active)


def winners_of(state: State) -> tuple[int, ...]:
    """The humans of the alliance that has won, by number (FW-1.2); nobody for a draw."""
    return tuple(
        sorted({realm.seat for realm in state.realms if alliance_of(realm.kingdom) == state.winner})
    )


def adjudicate(
    state: State, orders: Mapping[int, Sequence[o.Order]], chance: Chance
) -> Outcome[State]:
    """Close the open question and play on to the next one, or to the end. ValueError if nothing is
    open.
    """
    if state.stage == "over":
        raise ValueError("nothing can be closed in a game that is over")
    table = Table(state, chance)
    if state.winner is not None and state.how is not None:
        table.end(state.winner, state.how, "FW-1.2", "FW-9.3", "FW-9.4", "FW-9.5", "FW-9.8")
        return stop(table)
    for player, said in orders.items():
        if said and player in table.humans():
            hear(table, player)
    speaker = _speaker(table, orders)
    said = orders.get(speaker, ())
    lines, cancelled = merge(table.held, said)
    is_heard = any(number <= len(table.held) for number in cancelled)
    new = sum(not isinstance(order, o.Cancel) for order in said)
    close_phase(table, lines, speaker, new, is_heard)
    return stop(table)


def _speaker(table: Table, orders: Mapping[int, Sequence[o.Order]]) -> int:
    """Whose orders count: what the partner ordered while in command stands until the player who is
    back sends orders of the phase (FW-9.8).
    """
    commander = table.commander(table.active)
    partner = partner_of(table, commander)
    is_partner = partner is not None and not orders.get(commander) and bool(orders.get(partner))
    return partner if partner is not None and is_partner else commander


def stop(table: Table) -> Outcome[State]:
    """Freeze the table and open the window."""
    table.question += 1
    if not table.is_over:
        asked = (table.commander(table.active),)
        table.tell(
            WindowOpened(table.stage, table.active, asked, WINDOWS[table.stage]),
            *_RULES[table.stage],
        )
    return Outcome(table.freeze(), tuple(table.events))


def close_phase(
    table: Table, lines: Sequence[o.Order], speaker: int, new: int, is_heard: bool
) -> None:
    """Close the open phase with the lines that stand (FW-4.9). The last `new` of them were sent in
    it.

    `is_heard`: a `Cancel` that took something back was sent in it too.
    """
    stage, kingdom = table.stage, table.active
    plan = work = None
    if stage == "attack":
        verdicts, plan = judge_attack(table, lines)
    elif stage == "reinforce":
        verdicts, work = judge_reinforce(table, lines)
    else:
        verdicts = judge(table, lines)
    standing = [verdict.order for verdict in verdicts if verdict.problem is None]
    if is_heard or any(verdict.problem is None for verdict in verdicts[len(verdicts) - new :]):
        heed(table, speaker)
        table.answered = True
    bought = table.events
    table.events = []
    shown = [order for order in standing if not isinstance(order, o.Then)]
    table.tell(
        OrdersGiven(kingdom, stage, tuple(map(o.format_order, shown))),
        "FW-1.8",
        "FW-4.9",
        "FW-4.10",
    )
    table.events += bought
    table.held = ()
    _keep_presets(table, standing)
    if plan is not None:
        _remember(table, standing)
        table.kept = tuple(order.order for order in standing if isinstance(order, o.Then))
        wished = [order.zones for order in standing if isinstance(order, o.BattleOrder)]
        plan.carry_out(wished[-1] if wished else ())
        go_to_battle(table, None)
    elif work is not None:
        end_turn(table, work)
    else:
        go_to_battle(table, BattleAnswer(standing))


def _remember(table: Table, standing: Sequence[o.Order]) -> None:
    """The instructions of the turn; a later line takes the place of an earlier one (FF-8.7)."""
    for order in standing:
        if isinstance(order, o.Instruction):
            table.instructions = added(table.instructions, order)


def _keep_presets(table: Table, standing: Sequence[o.Order]) -> None:
    for order in standing:
        if isinstance(order, o.Always):
            table.change(
                table.active, presets=added(table.realms[table.active].presets, order.order)
            )


def go_to_battle(table: Table, answer: BattleAnswer | None) -> None:
    """Fight on; Reinforce opens after the last battle (FW-4.10)."""
    table.stage = "battle"
    if not fight(table, answer) and not table.is_over:
        open_reinforce(table)


# ---------------------------------------------------------------------------------------- Reinforce
def open_reinforce(table: Table) -> None:
    """Income is collected, kept lines are judged; the phase opens, or closes at once (FW-4.8,
    FW-4.13, FW-8.1).
    """
    table.stage = "reinforce"
    table.instructions, table.battles, table.passengers = (), [], []
    table.moved = {zone: moved - Units(D=moved.D) for zone, moved in table.moved.items()}  # FW-5.10
    table.gold = table.income_of(table.active)
    table.tell(IncomeCollected(table.active, table.gold), "FW-8.1", "FW-8.2", "FW-8.3", "FW-2.6")
    kept, table.kept = table.kept, ()
    is_skipped = _has_nothing_to_do(table)
    trial = judge_reinforce(Table(table.freeze()), kept)[0] if kept else []
    commander = table.commander(table.active)
    for line, verdict in zip(kept, trial, strict=True):
        if verdict.problem is not None:
            table.tell(
                LineRefused(commander, o.format_order(line), verdict.problem.code),
                "FW-4.8",
                *verdict.problem.rules,
            )
    if is_skipped or _is_whole_turn(trial):
        verdicts, work = judge_reinforce(table, kept)
        standing = [verdict.order for verdict in verdicts if verdict.problem is None]
        _keep_presets(table, standing)
        table.tell(
            OrdersGiven(table.active, "reinforce", tuple(map(o.format_order, standing))),
            "FW-1.8",
            "FW-4.8",
        )
        end_turn(table, work)
        return
    table.held = tuple(
        verdict.order
        for verdict in trial
        if verdict.problem is None and not isinstance(verdict.order, o.Done)
    )
    table.opened = True


def _is_whole_turn(verdicts: Sequence[Verdict]) -> bool:
    """Whether a mail of the Attack phase completes it (FW-4.8)."""
    is_done = any(isinstance(verdict.order, o.Done) for verdict in verdicts)
    return is_done and all(verdict.problem is None for verdict in verdicts)


def _has_nothing_to_do(table: Table) -> bool:
    """No gold, no unit that could move and no Dragon (FW-4.13, FF-8.13)."""
    held = table.on_board(table.active)
    moved = sum(table.moved.values(), NONE)
    return not table.gold and not held.D and not (held - moved).total


def end_turn(table: Table, work: Reinforcement) -> None:
    """What ends a turn, and then the next one (FW-8.3, FW-8.14, FW-8.15, FW-4.12)."""
    work.buy_by_default()
    work.fly_home()
    table.tell(GoldLeft(table.active, table.gold), "FW-8.3", "FW-8.16")
    realm = table.realms[table.active]
    if table.opened and not table.answered and not realm.command:
        table.change(table.active, missed=realm.missed + 1)
        table.tell(TurnMissed(realm.seat, table.active), "FW-4.12")
        if realm.missed + 1 == ABSENT_AFTER:
            table.tell(PlayerAbsent(realm.seat), "FW-4.12", "FW-9.8")
    next_turn(table)


# -------------------------------------------------------------------------------------------- turns
def next_turn(table: Table) -> None:
    """The next kingdom's turn; those that have neither Lands nor units are passed over (FW-9.6)."""
    while True:
        _clear(table)
        if table.active == KINGDOMS[-1]:
            limit = table.was.options.year_limit
            if limit and table.year >= limit:
                end_by_limit(table)
                return
            table.year += 1
        table.active = KINGDOMS[(KINGDOMS.index(table.active) + 1) % len(KINGDOMS)]
        if table.on_board(table.active).total or any(table.lands_of(table.active)):
            begin_turn(table)
            return
        table.tell(TurnSkipped(table.year, table.active), "FW-9.6")


def _clear(table: Table) -> None:
    table.moved, table.carried = {}, {}
    table.gold, table.answered, table.opened = 0, False, False
    table.held, table.kept = (), ()


def begin_turn(table: Table) -> None:
    """Attack is asked for, except for the truce and where there is no unit (FW-1.6, FW-4.13)."""
    table.tell(TurnBegan(table.year, table.active), "FW-4.1", "FW-1.5")
    table.stage = "attack"
    if table.has_truce or not table.on_board(table.active).total:
        open_reinforce(table)
    else:
        table.opened = True


def end_by_limit(table: Table) -> None:
    """More Fortresses, then more income, else a draw (FW-9.2)."""
    standing: dict[Alliance, tuple[int, int]] = {
        alliance: (table.fortresses_of(alliance), sum(map(table.income_of, kingdoms)))
        for alliance, kingdoms in ALLIANCES.items()
    }
    first, second = standing
    winner: Winner = "draw"
    if standing[first] != standing[second]:
        winner = first if standing[first] > standing[second] else second
    table.end(winner, "year-limit", "FW-9.2", "FW-1.2")

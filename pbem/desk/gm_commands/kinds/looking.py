"""What only looks: at a table, at orders, at what would happen."""

from typing import Any

from pbem.desk.gm.insights import look, predict
from pbem.desk.gm_commands.kind import CommandKind, Facts, Item, Outcome, Situation, uses
from pbem.desk.gm_commands.tally import Tally
from pbem.desk.mandate import check_sees, find_game
from pbem.desk.table import load_table, standing_of
from pbem.grammar.gm import commands as c


async def _check_secrets(situation: Situation, _item: Item, _command: c.Look | c.Predict) -> None:
    check_sees(situation.table, situation.person.id)


async def _tell_texts(outcome: Outcome, _command: c.Predict) -> Facts:
    return {"texts": outcome.answer if isinstance(outcome.answer, tuple) else ()}


async def _tell_orders(outcome: Outcome, command: c.Look) -> Facts:
    if isinstance(outcome.answer, tuple):
        return {"texts": outcome.answer}
    return {"texts": await _standing_texts(outcome, command)}


async def _standing_texts(outcome: Outcome, command: c.Look) -> tuple[str, ...]:
    """What a look has shown, once more: the look is logged and told already. Only as long as the
    phase is open.
    """
    work, phase = outcome.work, outcome.item.phase
    table = await load_table(outcome, await find_game(work, command.table))
    seat = next((seat for seat in table.seats if seat.name == command.player), None)
    if seat is None or table.phase is None or (phase is not None and table.phase.number != phase):
        return ()
    standing = standing_of(table.kind, await work.orders.newest(seat.id, table.phase.number), seat)
    return tuple(table.kind.ruleset.format_order(table.state, order) for order in standing.orders)


KINDS: tuple[CommandKind[Any], ...] = (
    CommandKind(c.Status, look_up=Tally.show_status),
    CommandKind(c.Games, look_up=Tally.show_tables),
    CommandKind(c.Help, look_up=Tally.show_help),
    CommandKind(
        c.Look,
        only_one="one-look",  # what is seen for one seat is not mixed with another's
        check=_check_secrets,
        do=uses(look),
        tell=_tell_orders,
    ),
    CommandKind(
        c.Predict,
        check=_check_secrets,
        do=uses(predict),
        tell=_tell_texts,
    ),
)

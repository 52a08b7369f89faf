"""A table from its opening to its end: how it is played, its start, its press; and what only looks:
at a table, at orders, at what would happen.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import msgspec

from pbem.desk import gm
from pbem.desk.gm import By
from pbem.desk.gm.history import end
from pbem.desk.gm.insights import look, predict
from pbem.desk.gm.table_rules import (
    OFF_THE_VOTE,
    TableChanges,
    change_table,
    set_clock,
    set_language,
    set_people,
)
from pbem.desk.gm_commands.kind import CommandKind, Facts, Item, Outcome, Situation, Tally, uses
from pbem.desk.gm_commands.rights import NotDone
from pbem.desk.mandate import check_sees, find_game
from pbem.desk.ports import Desk
from pbem.desk.press.words import set_press
from pbem.desk.table import SUPPOSITIONS, load_table, standing_of
from pbem.game import Game
from pbem.grammar.clock_rules import ClockChange
from pbem.grammar.gm import commands as c
from pbem.grammar.people_rules import OF_NEW_TABLES, changed_rules
from pbem.grammar.press_rules import ALL_PRESS, PressChange, apply_change


async def _new_game(services: Desk, _item: Item, command: c.NewGame, by: By) -> int:
    choices = command.choices
    ruleset = choices.ruleset or next(iter(services.games))
    kind = services.games[ruleset]
    both = [question for question in choices.answers if question in choices.votes]
    if both:
        raise NotDone("settled-and-voted", written=both[0])
    table = gm.NewTable(
        slug=command.table,
        title=command.title,
        ruleset=ruleset,
        options=_options_of(kind, choices),
        zone=choices.zone or services.policy.zone,
        gm_name=choices.gm_name or ("" if by.name == "the game master" else by.name),
        hours=dict(choices.hours),
        least_players=choices.least or 0,
        most_players=choices.most or 0,
        votes=choices.votes,
        starts=choices.starts or "gm",
        open_days=choices.expires_days,
        secrets=bool(choices.secrets),
        suppositions=SUPPOSITIONS if choices.suppositions is None else choices.suppositions,
        clock=choices.clock,
        press=apply_change(ALL_PRESS, choices.press or PressChange()),
        language=choices.language or "en",
        people=changed_rules(OF_NEW_TABLES, choices.people),
    )
    return await gm.open_table(services, table, by)


def _options_of(kind: Game, choices: c.Choices) -> dict[str, Any]:
    """The table options of the rules that the choices settle; answers to questions become options
    as a vote of one would make them.
    """
    options: dict[str, Any] = dict(choices.options)
    if choices.answers:
        options |= kind.ruleset.options_voted(choices.answers)
    if choices.early_close is not None:
        options["early_close"] = choices.early_close
    if choices.finality is not None:
        options["finality"] = choices.finality
    return options


async def _option(services: Desk, _item: Item, command: c.Option, by: By) -> None:
    """Options of the rules and of how the table fills, each logged under a cause of its own."""
    choices = command.choices
    for name, said in (
        ("the game", choices.ruleset),
        ("the zone", choices.zone),
        ("the name", choices.gm_name),
    ):
        if said:
            raise NotDone("not-an-option", written=name)
    if choices.secrets is not None:
        raise NotDone("not-an-option", written="who sees secrets")
    async with services.database.read() as work:
        game = await gm.find_game(work, command.table)
    options = _options_of(services.games[game.ruleset], choices)
    both = [question for question in choices.answers if question in choices.votes]
    if both:
        raise NotDone("settled-and-voted", written=both[0])
    parts: list[Callable[[By], Awaitable[object]]] = []
    if options:
        parts.append(lambda by: gm.change_options(services, command.table, options, by))
    changes = TableChanges(
        choices.least,
        choices.most,
        choices.votes or None,
        choices.starts,
        choices.expires_days,
        choices.suppositions,
    )
    if changes != TableChanges():
        parts.append(lambda by: change_table(services, command.table, changes, by))
    if choices.language:
        parts.append(lambda by: set_language(services, command.table, choices.language, by))
    clock = choices.clock
    if choices.hours:  # `option orders 48h` is `set hours orders 48`
        clock = clock or ClockChange()
        clock = msgspec.structs.replace(clock, hours={**clock.hours, **choices.hours})
    if clock is not None:
        timing = clock
        parts.append(lambda by: set_clock(services, command.table, timing, by))
    if (press := choices.press) is not None:
        parts.append(lambda by: set_press(services, command.table, press, by))
    if choices.people:
        parts.append(lambda by: set_people(services, command.table, choices.people, by))
    for number, part in enumerate(parts):
        try:
            await part(by if number == 0 or by.cause is None else replace(by, cause=f"{by.cause}+"))
        except gm.AlreadyDone:
            if number == len(parts) - 1:
                raise


async def _tell_opened(outcome: Outcome, _command: c.NewGame) -> Facts:
    return {
        "code": outcome.game.join_code if outcome.game is not None else None,
        "address": outcome.services.policy.address,
    }


async def _tell_options(outcome: Outcome, _command: c.Option) -> Facts:
    return {"off_the_vote": tuple(outcome.detail.get(OFF_THE_VOTE, ()))}


async def _tell_ended(outcome: Outcome, _command: c.End) -> Facts:
    return {"begun": bool(outcome.detail.get("phase"))}


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
    CommandKind(
        c.NewGame,
        every_table=True,
        says=lambda command: {"table": command.title},
        do=_new_game,
        tell=_tell_opened,
    ),
    CommandKind(c.Option, in_parts=True, do=_option, tell=_tell_options),
    CommandKind(c.Press, do=uses(set_press)),
    CommandKind(c.Start, do=uses(gm.start), logged=("players",)),
    CommandKind(
        c.End,
        over="is over already",
        do=lambda services, _, command, by: end(services, command.table, by, command.reason),
        tell=_tell_ended,
    ),
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
    CommandKind(c.Predict, check=_check_secrets, do=uses(predict), tell=_tell_texts),
)

"""The dispatch: for every command the use case that carries it out. A new command is a new line of
the table.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace as changed
from typing import Any

import msgspec

from pbem.desk import gm
from pbem.desk.gm import By, Refused
from pbem.desk.gm.deadlines import pause, resume
from pbem.desk.gm.ejecting import eject
from pbem.desk.gm.history import end, roll_back
from pbem.desk.gm.looking import look
from pbem.desk.gm.masters import invite_master
from pbem.desk.gm.notes import dismiss_note
from pbem.desk.gm.opening import change_table, set_language
from pbem.desk.gm.people import announce, answer_note, replace, unlock
from pbem.desk.gm.people_rules import set_people
from pbem.desk.gm.predicting import predict
from pbem.desk.gm.requests import grant, refuse
from pbem.desk.gm.seats import Wanted, offer_seat, remove, set_defaults, substitute
from pbem.desk.gm.strikes import pardon, strike
from pbem.desk.gm.timing import set_clock
from pbem.desk.gm_commands.resolving import Item
from pbem.desk.gm_commands.rights import NotDone
from pbem.desk.mandate import log_command
from pbem.desk.ports import Services
from pbem.desk.press.of_masters import write_press
from pbem.desk.press.setting import set_press
from pbem.desk.table import SUPPOSITIONS
from pbem.game import Game
from pbem.grammar.clock_rules import ClockChange
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import Choices
from pbem.grammar.people_rules import USUAL, changed_rules
from pbem.grammar.press_rules import ALL_PRESS, PressChange, apply_change

Deed = Callable[[Services, Item, Any, By], Awaitable[object]]


async def do(services: Services, item: Item, by: By) -> object:
    """Carry a command out; what its use case answers. Refused, NotDone or AlreadyDone if not."""
    return await DEEDS[type(item.command)](services, item, item.command, by)


async def _new_game(services: Services, item: Item, command: c.NewGame, by: By) -> int:
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
        options=options_of(kind, choices),
        zone=choices.zone or services.policy.zone,
        gm_name=choices.gm_name or ("" if by.name == "the game master" else by.name),
        hours=dict(choices.hours),
        least_players=choices.least or 2,
        most_players=choices.most or 0,
        votes=choices.votes,
        starts=choices.starts or "gm",
        open_days=choices.expires_days,
        secrets=bool(choices.secrets),
        suppositions=SUPPOSITIONS if choices.suppositions is None else choices.suppositions,
        clock=choices.clock,
        press=apply_change(ALL_PRESS, choices.press or PressChange()),
        language=choices.language or "en",
        people=changed_rules(USUAL, choices.people),
    )
    return await gm.open_table(services, table, by)


def options_of(kind: Game, choices: Choices) -> dict[str, Any]:
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


async def _option(services: Services, item: Item, command: c.Option, by: By) -> None:
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
    options = options_of(services.games[game.ruleset], choices)
    both = [question for question in choices.answers if question in choices.votes]
    if both:
        raise NotDone("settled-and-voted", written=both[0])
    deeds: list[Callable[[By], Awaitable[object]]] = []
    if options:
        deeds.append(lambda by: gm.change_options(services, command.table, options, by))
    fills = (
        choices.least,
        choices.most,
        choices.starts,
        choices.expires_days,
        choices.suppositions,
    )
    if any(choice is not None for choice in fills) or choices.votes:
        deeds.append(
            lambda by: change_table(
                services,
                command.table,
                by,
                least_players=choices.least,
                most_players=choices.most,
                votes=choices.votes or None,
                starts=choices.starts,
                open_days=choices.expires_days,
                suppositions=choices.suppositions,
            )
        )
    if choices.language:
        deeds.append(lambda by: set_language(services, command.table, choices.language, by))
    clock = choices.clock
    if choices.hours:  # `option orders 48h` is `set hours orders 48`
        clock = clock or ClockChange()
        clock = msgspec.structs.replace(clock, hours={**clock.hours, **choices.hours})
    if clock is not None:
        change = clock
        deeds.append(lambda by: set_clock(services, command.table, change, by))
    if (press := choices.press) is not None:
        deeds.append(lambda by: set_press(services, command.table, press, by))
    if choices.people:
        deeds.append(lambda by: set_people(services, command.table, choices.people, by))
    for number, deed in enumerate(deeds):
        try:
            await deed(by if number == 0 or by.cause is None else changed(by, cause=f"{by.cause}+"))
        except gm.AlreadyDone:
            if number == len(deeds) - 1:
                raise


async def _press(services: Services, item: Item, command: c.Press, by: By) -> str:
    return await set_press(services, command.table, command.change, by)


async def _people(services: Services, item: Item, command: c.People, by: By) -> str:
    return await set_people(services, command.table, command.changes, by)


async def _substitute(services: Services, item: Item, command: c.Substitute, by: By) -> str:
    if item.until is None:
        raise Refused("bad-time", "no end is named")
    return await substitute(
        services,
        command.table,
        command.player,
        Wanted(command.address, item.until, command.name, item.since),
        by,
    )


async def _defaults(services: Services, item: Item, command: c.Defaults, by: By) -> str:
    return await set_defaults(services, command.table, command.player, by, off=command.off)


async def _remove(services: Services, item: Item, command: c.Remove, by: By) -> None:
    await remove(services, command.table, command.player, command.reason, by)


async def _invite(services: Services, item: Item, command: c.Invite, by: By) -> int:
    (who,) = command.people
    return await gm.invite(services, command.table, who.name, who.address, by)


async def _team(services: Services, item: Item, command: c.Team | c.Faction, by: By) -> None:
    if isinstance(command, c.Faction):
        await gm.seat_in_team(services, command.table, command.player, by, faction=command.faction)
    else:
        await gm.seat_in_team(
            services, command.table, command.player, by, team=command.team, place=command.place
        )


async def _start(services: Services, item: Item, command: c.Start, by: By) -> int:
    return await gm.start(services, command.table, by)


async def _move(services: Services, item: Item, command: c.Extend | c.Shorten, by: By) -> object:
    if item.until is None:
        raise Refused("bad-time", "no time is named")
    return await gm.extend(
        services,
        command.table,
        item.until,
        by,
        shorten=isinstance(command, c.Shorten),
        reason=command.reason,
    )


async def _close(services: Services, item: Item, command: c.Close, by: By) -> bool:
    number = command.phase or 0
    if not await gm.close_now(services, command.table, number, by):
        raise NotDone("not-the-open-phase", table=command.table, phase=number, open_phase=None)
    return True


async def _pause(services: Services, item: Item, command: c.Pause, by: By) -> None:
    await pause(services, command.table, by, command.reason)


async def _resume(services: Services, item: Item, command: c.Resume, by: By) -> object:
    return await resume(services, command.table, by)


async def _replace(services: Services, item: Item, command: c.Replace, by: By) -> int | str:
    if not command.address:
        return await replace(
            services,
            command.table,
            command.player,
            command.name or None,
            "",
            by,
            zone=command.zone or None,
        )
    return await offer_seat(
        services,
        command.table,
        command.player,
        command.name,
        command.address,
        by,
        zone=command.zone or None,
    )


async def _eject(services: Services, item: Item, command: c.Eject, by: By) -> None:
    await eject(services, command.table, command.player, command.reason, by)


async def _predict(services: Services, item: Item, command: c.Predict, by: By) -> tuple[str, ...]:
    return await predict(services, command.table, by)


async def _promote(services: Services, item: Item, command: c.Promote, by: By) -> bool:
    return await invite_master(services, command.address, by, name=command.name, slug=command.table)


async def _unlock(services: Services, item: Item, command: c.Unlock, by: By) -> None:
    await unlock(services, command.table, command.player, by)


async def _strike(services: Services, item: Item, command: c.Strike, by: By) -> None:
    await strike(services, command.table, command.player, command.reason, by)


async def _pardon(services: Services, item: Item, command: c.Pardon, by: By) -> int:
    return await pardon(services, command.table, command.player, command.reason, by)


async def _correct(services: Services, item: Item, command: c.Correct, by: By) -> int:
    return await gm.correct(services, command.table, command.what, command.reason, by)


async def _announce(services: Services, item: Item, command: c.Announce, by: By) -> None:
    await announce(services, command.table, command.text, by)


async def _write(services: Services, item: Item, command: c.Write, by: By) -> None:
    await write_press(services, command.table, command.whom, command.text, by)


async def _answer(services: Services, item: Item, command: c.Answer, by: By) -> None:
    await answer_note(services, command.note, command.text, by)


async def _dismiss(services: Services, item: Item, command: c.Dismiss, by: By) -> None:
    await dismiss_note(services, command.note, by)


async def _look(services: Services, item: Item, command: c.Look, by: By) -> tuple[str, ...]:
    return await look(services, command.table, command.player, by)


async def _roll_back(services: Services, item: Item, command: c.RollBack, by: By) -> int:
    return await roll_back(services, command.table, command.phase, by, reshuffle=command.reshuffle)


async def _end(services: Services, item: Item, command: c.End, by: By) -> None:
    await end(services, command.table, by, command.reason)


async def _zone(services: Services, item: Item, command: c.Zone, by: By) -> None:
    async with services.database.write() as work:
        await log_command(
            work, services, by, "gm zone", {"zone": command.zone}, game_id=None, public=False
        )
        if by.person_id is not None:
            await work.people.set_time_zone(by.person_id, command.zone)


async def _clock(services: Services, item: Item, command: c.Clock, by: By) -> str:
    return await set_clock(services, command.table, command.change, by)


async def _answer_request(
    services: Services, item: Item, command: c.Grant | c.Refuse, by: By
) -> object:
    carry = grant if isinstance(command, c.Grant) else refuse
    return await carry(services, command.table, command.request or 0, by)


DEEDS: Mapping[type, Deed] = {
    c.People: _people,
    c.Substitute: _substitute,
    c.Defaults: _defaults,
    c.Remove: _remove,
    c.Clock: _clock,
    c.Grant: _answer_request,
    c.Refuse: _answer_request,
    c.NewGame: _new_game,
    c.Option: _option,
    c.Press: _press,
    c.Invite: _invite,
    c.Team: _team,
    c.Faction: _team,
    c.Start: _start,
    c.Extend: _move,
    c.Shorten: _move,
    c.Close: _close,
    c.Pause: _pause,
    c.Resume: _resume,
    c.Replace: _replace,
    c.Eject: _eject,
    c.Predict: _predict,
    c.Promote: _promote,
    c.Unlock: _unlock,
    c.Strike: _strike,
    c.Pardon: _pardon,
    c.Correct: _correct,
    c.Announce: _announce,
    c.Write: _write,
    c.Answer: _answer,
    c.Dismiss: _dismiss,
    c.Look: _look,
    c.RollBack: _roll_back,
    c.End: _end,
    c.Zone: _zone,
}

"""Who plays at a table: invitations, sides, seats given to others, the rules about all that; and
words to players, and their notes.
"""

from datetime import timedelta
from typing import Any

import msgspec

from pbem.desk import gm
from pbem.desk.authentication.tenures import find_substitution
from pbem.desk.envelope.message import MAIL
from pbem.desk.gm import By, Refused
from pbem.desk.gm.masters import invite_master
from pbem.desk.gm.people import announce, answer_note, dismiss_note, find_asker, replace
from pbem.desk.gm.seats import Wanted, eject, offer_seat, remove, set_defaults, substitute
from pbem.desk.gm.table_rules import set_people
from pbem.desk.gm.tables import barred, parse_other_address
from pbem.desk.gm_commands.kind import CommandKind, Facts, Item, Outcome, Situation, Tally, uses
from pbem.desk.gm_commands.rights import check_plays, find_player, find_playing
from pbem.desk.mandate import plays
from pbem.desk.people.eligibility import is_barred
from pbem.desk.people.substitutions import MOST_DAYS, check_span
from pbem.desk.ports import Desk
from pbem.desk.press.relay import write_press
from pbem.desk.table import OpenTable
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.times import instant_of
from pbem.store.work import Work


def _each_invited(command: c.Invite) -> list[c.Invite]:
    return [msgspec.structs.replace(command, people=(who,)) for who in command.people]


async def _invite(services: Desk, _item: Item, command: c.Invite, by: By) -> int:
    (who,) = command.people
    return await gm.invite(services, command.table, who.name, who.address, by)


def _said_of_invited(command: c.Invite) -> Facts:
    who = command.people[0]
    return {"player": who.name, "address": who.address, "colour": ""}


async def _tell_invited(outcome: Outcome, command: c.Invite) -> Facts:
    return {
        "player": str(outcome.detail.get("name", command.people[0].name)),
        "colour": str(outcome.detail.get("colour") or ""),
    }


async def _check_newcomer(situation: Situation, _item: Item, command: c.Replace) -> None:
    work, table = situation.work, situation.table
    if not command.address:
        seat = await find_playing(work, table, command.player)
        await find_asker(work, table, seat, command.name)
        return
    address = parse_other_address(situation.services.policy, command.address)
    await find_playing(work, table, command.player)
    person = await work.people.find_by_address(MAIL, address)
    if person is not None and await is_barred(work, person.id):
        raise barred(address)
    if person is not None and plays(table, person.id):
        raise Refused("already-seated", f"{address} has a seat at {table.game.title} already")


async def _replace(services: Desk, _item: Item, command: c.Replace, by: By) -> int | str:
    slug, player, zone = command.table, command.player, command.zone or None
    if not command.address:
        return await replace(services, slug, player, command.name or None, "", by, zone=zone)
    return await offer_seat(services, slug, player, command.name, command.address, by, zone=zone)


async def _check_seated(situation: Situation, _item: Item, command: c.Eject) -> None:
    seat = await find_player(situation.work, situation.table, command.player)
    if seat.person_id is None:
        raise Refused("vacant", f"the seat of {command.player} is already empty")
    await find_playing(situation.work, situation.table, command.player)


async def _preview_ejected(work: Work, table: OpenTable, command: c.Eject) -> Facts:
    """Whether somebody plays on that seat for somebody else, who gets it back."""
    one = await find_substitution(work, await find_player(work, table, command.player))
    return {"returned": one is not None and one.begun}


async def _resolve_span(situation: Situation, item: Item, command: c.Substitute) -> Item:
    """From when (None: from now on) until when a substitute is wanted."""
    now, zone = situation.now(), situation.person.time_zone
    since = instant_of(command.since, now, zone) if command.since is not None else None
    if isinstance(command.until, c.Span):
        until = (since or now) + timedelta(minutes=command.until.minutes)
    else:
        until = instant_of(command.until, since or now, zone)
    return msgspec.structs.replace(item, since=since, until=until)


async def _check_stand_in(situation: Situation, item: Item, command: c.Substitute) -> None:
    """Who it is asked of is told by their own answer; here only what the command itself cannot
    be.
    """
    parse_other_address(situation.services.policy, command.address)
    seat = await find_playing(situation.work, situation.table, command.player)
    if seat.person_id is None:
        raise Refused(
            "vacant", f"the seat of {command.player} is empty; give it to a player with replace"
        )
    if await find_substitution(situation.work, seat) is not None:
        raise Refused("has-substitute", f"{command.player} already has a substitute")
    if item.until is not None and check_span(item.since, item.until, situation.now()) is not None:
        raise Refused(
            "bad-time", f"the end must be in the future, and at most {MOST_DAYS} days away"
        )


async def _substitute(services: Desk, item: Item, command: c.Substitute, by: By) -> str:
    if item.until is None:
        raise Refused("bad-time", "name an end")
    wanted = Wanted(command.address, item.until, command.name, item.since)
    return await substitute(services, command.table, command.player, wanted, by)


async def _tell_span(outcome: Outcome, _command: c.Substitute) -> Facts:
    return {"new": outcome.item.until, "since": outcome.item.since}


def _each_note(command: c.Dismiss) -> list[c.Dismiss]:
    return [
        msgspec.structs.replace(command, note=note, also=())
        for note in (command.note, *command.also)
    ]


async def _preview_writer(work: Work, _table: OpenTable, command: c.Answer | c.Dismiss) -> Facts:
    return {"player": await _writer_of(work, command.note)}


async def _tell_writer(outcome: Outcome, command: c.Answer | c.Dismiss) -> Facts:
    return {"player": await _writer_of(outcome.work, command.note)}


async def _writer_of(work: Work, note_id: int) -> str:
    note = await work.notes.find(note_id)
    seat = await work.seats.find(note.seat_id) if note is not None else None
    return seat.name if seat is not None else ""


KINDS: tuple[CommandKind[Any], ...] = (
    CommandKind(
        c.Invite, split=_each_invited, says=_said_of_invited, do=_invite, tell=_tell_invited
    ),
    CommandKind(
        c.Team,
        says=lambda command: {
            "player": command.player,
            "team": command.team,
            "place": command.place or 0,
        },
        do=lambda services, _, command, by: gm.seat_in_team(
            services, command.table, command.player, by, team=command.team, place=command.place
        ),
    ),
    CommandKind(
        c.Faction,
        do=lambda services, _, command, by: gm.seat_in_team(
            services, command.table, command.player, by, faction=command.faction
        ),
    ),
    CommandKind(c.Replace, check=_check_newcomer, do=_replace),
    CommandKind(
        c.Eject, check=_check_seated, preview=_preview_ejected, do=uses(eject), logged=("returned",)
    ),
    CommandKind(
        c.Substitute, resolve=_resolve_span, check=_check_stand_in, do=_substitute, tell=_tell_span
    ),
    CommandKind(c.Defaults, do=uses(set_defaults)),
    CommandKind(c.Remove, check=check_plays, do=uses(remove)),
    CommandKind(c.People, do=uses(set_people)),
    CommandKind(
        c.Promote,
        do=lambda services, _, command, by: invite_master(
            services, command.address, by, name=command.name, slug=command.table
        ),
    ),
    CommandKind(c.Notes, look_up=Tally.show_notes),
    CommandKind(c.Announce, do=uses(announce)),
    CommandKind(c.Write, says=lambda command: {"player": command.whom}, do=uses(write_press)),
    CommandKind(c.Answer, preview=_preview_writer, do=uses(answer_note), tell=_tell_writer),
    CommandKind(
        c.Dismiss,
        split=_each_note,
        preview=_preview_writer,
        do=lambda services, _, command, by: dismiss_note(services, command.note, by),
        tell=_tell_writer,
    ),
)

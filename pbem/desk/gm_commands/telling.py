"""Facts for the letters to a game master: what a command did, from what was logged of it; what it
would do, from how things stand.
"""

from datetime import datetime
from typing import Any

import msgspec

from pbem.desk.authentication.tenures import find_substitution
from pbem.desk.gm.correcting import foresee
from pbem.desk.gm.opening import OFF_THE_VOTE
from pbem.desk.gm_commands.resolving import Item, find_player
from pbem.desk.mandate import Refused, find_game
from pbem.desk.ports import Services
from pbem.desk.table import OpenTable, load_table, standing_of
from pbem.grammar.clock_rules import format_clock_rules
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import word_of
from pbem.grammar.gm.opening import format_choices
from pbem.grammar.gm.words import WORDS, form_of
from pbem.grammar.people_rules import format_people_rules
from pbem.grammar.press_rules import format_press_rules
from pbem.pages.gm import Result, Value, WordHelp
from pbem.store.repositories.log import GmLogRow
from pbem.store.work import Work


async def has_done(
    work: Work, services: Services, item: Item, row: GmLogRow | None, answer: object = None
) -> Result:
    """A command that was carried out, now or the first time the mail came: the same words each
    time.
    """
    detail: dict[str, Any] = msgspec.json.decode(row.detail) if row is not None else {}
    facts = _said(item)
    game = await work.games.find_by_slug(item.command.table) if item.command.table else None
    if game is not None:
        facts["table"] = game.title
    match item.command:
        case c.NewGame():
            facts |= {
                "code": game.join_code if game is not None else None,
                "address": services.policy.address,
            }
        case c.Invite():
            facts |= {
                "player": str(detail.get("name", facts["player"])),
                "colour": str(detail.get("colour") or ""),
            }
        case c.Start():
            facts |= {"players": int(detail.get("players", 0))}
        case c.Extend() | c.Shorten() | c.Deadline() | c.Resume():
            facts |= {
                "old": _instant(detail.get("from")),
                "new": _instant(detail.get("to")),
                "phase": detail.get("phase"),
            }
        case c.Grant():
            facts |= {
                "old": _instant(detail.get("from")),
                "new": _instant(detail.get("to")),
                "phase": detail.get("phase"),
            }
        case c.RollBack():
            facts |= {"new_phase": int(detail["phase"]) + 1 if "phase" in detail else None}
        case c.Option():
            facts |= {"off_the_vote": tuple(detail.get(OFF_THE_VOTE, ()))}
        case c.Eject():
            facts |= {"returned": bool(detail.get("returned"))}
        case c.Correct():
            facts |= {"told": tuple(detail.get("told", ()))}
        case c.End():
            facts |= {"begun": bool(detail.get("phase"))}
        case c.Look(player=player):
            facts |= {
                "texts": await _standing_texts(work, services, item, player)
                if not isinstance(answer, tuple)
                else answer
            }
        case c.Predict():
            facts |= {"texts": answer if isinstance(answer, tuple) else ()}
        case c.Answer(note=note) | c.Dismiss(note=note):
            facts |= {"player": await _writer_of(work, note)}
    return Result(item.quote, "done", word_of(item.command), facts)


async def would_be(work: Work, services: Services, item: Item) -> Result:
    """A command that waits for a yes: what it would do, to which phase."""
    facts = _said(item)
    command = item.command
    game = await work.games.find_by_slug(command.table) if command.table else None
    if game is not None:
        table = await load_table(work, services.games, game)
        facts |= {
            "table": game.title,
            "phase": item.phase or game.phase_number,
            "open_phase": game.phase_number,
        }
        if table.phase is not None:
            turn = msgspec.json.decode(table.phase.label).get("turn", 0)
            pages = table.kind.pages
            facts |= {
                "phase_name": pages.phase_name(table.phase.kind),
                "turn": int(turn),
                "turn_word": pages.turn_word,
            }
            facts |= {"deadline": table.phase.deadline, "old": table.phase.deadline}
        facts |= {"new": item.until, "since": item.since}
        if isinstance(command, c.Eject):
            facts["returned"] = await _has_substitute(work, table, command.player)
        if isinstance(command, c.Correct):
            facts["told"] = _foreseen(table, command.what)
    if isinstance(command, c.RollBack):
        facts["phase"] = command.phase
    if isinstance(command, c.Answer | c.Dismiss):
        facts["player"] = await _writer_of(work, command.note)
    return Result(item.quote, "asked", word_of(command), facts)


def _said(item: Item) -> dict[str, Value]:
    """What the command itself says."""
    match item.command:
        case c.NewGame(title=title):
            return {"table": title}
        case c.Invite(people=people):
            return {"player": people[0].name, "address": people[0].address, "colour": ""}
        case c.Option(choices=choices):
            return {"options": format_choices(choices)}
        case c.Clock() | c.Grant() | c.Refuse() | c.Press() | c.People():
            return _said_of_rules(item.command)
        case c.Substitute() | c.Defaults() | c.Replace() | c.Eject() | c.Remove():
            return _said_of_a_seat(item, item.command)
        case c.Team(player=player, team=team, place=place):
            return {"player": player, "team": team, "place": place or 0}
        case c.Faction(player=player, faction=faction):
            return {"player": player, "faction": faction}
        case c.Promote(name=name, address=address):
            return {"name": name, "address": address}
        case (
            c.Unlock(player=player)
            | c.Strike(player=player)
            | c.Pardon(player=player)
            | c.Look(player=player)
        ):
            return {"player": player}
        case c.Correct(what=what, reason=reason):
            return {"what": what, "reason": reason, "told": ()}
        case c.Close(phase=phase):
            return {"phase": phase}
        case c.RollBack(phase=phase, reshuffle=reshuffle):
            return {"phase": phase, "reshuffle": reshuffle}
        case c.Answer(note=note) | c.Dismiss(note=note):
            return {"note": note}
        case c.Write(whom=whom):
            return {"player": whom}
        case c.Zone(zone=zone):
            return {"zone": zone}
    return {}


def _said_of_a_seat(
    item: Item, command: c.Substitute | c.Defaults | c.Replace | c.Eject | c.Remove
) -> dict[str, Value]:
    match command:
        case c.Substitute(player=player, name=name, address=address):
            return {
                "player": player,
                "name": name,
                "address": address,
                "new": item.until,
                "since": item.since,
            }
        case c.Replace(player=player, name=name, address=address):
            return {"player": player, "name": name, "address": address}
        case c.Defaults(player=player, off=off):
            return {"player": player, "off": off}
    return {"player": command.player, "reason": command.reason}


def _said_of_rules(command: c.Clock | c.Grant | c.Refuse | c.Press | c.People) -> dict[str, Value]:
    if isinstance(command, c.People):
        return {"options": format_people_rules(command.changes)}
    if isinstance(command, c.Press):
        return {"options": format_press_rules(command.change)}
    return (
        {"options": format_clock_rules(command.change)}
        if isinstance(command, c.Clock)
        else {"request": command.request}
    )


async def _has_substitute(work: Work, table: OpenTable, player: str) -> bool:
    """Whether somebody plays on that seat for somebody else."""
    one = await find_substitution(work, await find_player(work, table, player))
    return one is not None and one.begun


def _foreseen(table: OpenTable, what: str) -> tuple[str, ...]:
    """What a correction would come to as things stand; nothing where only what is asked before it
    makes it possible.
    """
    try:
        return foresee(table, what).told
    except Refused:
        return ()


def _instant(text: object) -> datetime | None:
    return datetime.fromisoformat(text) if isinstance(text, str) else None


async def _writer_of(work: Work, note_id: int) -> str:
    note = await work.notes.find(note_id)
    seat = await work.seats.find(note.seat_id) if note is not None else None
    return seat.name if seat is not None else ""


async def _standing_texts(
    work: Work, services: Services, item: Item, player: str
) -> tuple[str, ...]:
    """What a look has shown, once more: the look is logged and told already. Only as long as the
    phase is open.
    """
    table = await load_table(work, services.games, await find_game(work, item.command.table))
    seat = next((seat for seat in table.seats if seat.name == player), None)
    if (
        seat is None
        or table.phase is None
        or (item.phase is not None and table.phase.number != item.phase)
    ):
        return ()
    standing = standing_of(table.kind, await work.orders.newest(seat.id, table.phase.number), seat)
    return tuple(table.kind.ruleset.format_order(table.state, order) for order in standing.orders)


def word_help(game: str) -> tuple[WordHelp, ...]:
    """Every word of the game masters, for a letter that lists them; examples show the game of this
    id.
    """
    return tuple(
        WordHelp(word, form_of(word, game), entry.dangerous) for word, entry in WORDS.items()
    )

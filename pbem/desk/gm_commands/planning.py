"""What a mail of commands comes to before anything is done: which commands are meant (the table,
the player at it, the phase, the instant), and which lines are not commands.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from pbem.desk.envelope.message import MAIL, Message
from pbem.desk.gm import Refused
from pbem.desk.gm_commands.kind import Item, Situation
from pbem.desk.gm_commands.kinds import kind_of
from pbem.desk.gm_commands.rights import NotDone, Rights, find_player, lexicon_of
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import load_table
from pbem.grammar.gm.commands import AnyCommand, GmLine, Trouble, Unread, word_of
from pbem.grammar.gm.lines import format_gm, parse_gm
from pbem.grammar.gm.spelling import shown_game
from pbem.grammar.gm.words import form_of
from pbem.pages.gm import Result, Value
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.work import Work


def spread(lines: tuple[GmLine, ...]) -> Iterator[tuple[str, GmLine]]:
    """Every line under its index; an invitation of several people, or several notes dismissed, is
    one for each.
    """
    for number, line in enumerate(lines):
        several = kind_of(line.command).split(line.command) if line.command is not None else ()
        if len(several) > 1:
            for at, one in enumerate(several):
                yield f"{number}.{at}", GmLine(format_gm(one), one)
        else:
            yield str(number), line


async def resolve(
    tx: Transaction[Context],
    rights: Rights,
    index: str,
    quote: str,
    command: AnyCommand,
    *,
    check: bool,
) -> Item:
    """What a command means as things stand. NotDone, Refused or the grammar's Unread when it means
    nothing; with `check` also when it needs a confirmation and could not be done now.
    """
    kind = kind_of(command)
    if kind.every_table and not rights.every_table:
        raise NotDone("only-your-tables")
    if command.needs == "house":
        return Item(index, quote, command)
    game = (
        await _note_game(tx.work, rights, getattr(command, "note", 0))
        if command.needs == "note"
        else rights.find(command.table)
    )
    if kind.over and game.status in ("over", "ended"):
        raise Refused("over", f"{game.title} {kind.over}")
    if command.needs == "phase" and game.status not in ("running", "paused"):
        raise NotDone("not-running", table=game.title)
    table = await load_table(tx, game)
    situation = Situation(tx.work, tx.services, rights.person, table)
    command = msgspec.structs.replace(command, table=game.slug)
    written = getattr(command, "player", None)
    if written is not None:
        seat = await find_player(tx.work, table, written)
        command = msgspec.structs.replace(command, player=seat.name)
    phase = game.phase_number if command.needs == "phase" else None
    item = await kind.resolve(situation, Item(index, quote, command, phase=phase), command)
    if check and (check_now := kind_of(item.command).check) is not None:
        await check_now(situation, item, item.command)
    return item


async def _note_game(work: Work, rights: Rights, number: int) -> GameRow:
    """The table of a note is known by the note."""
    note = await work.notes.find(number)
    for game in rights.games:
        if note is not None and note.game_id == game.id:
            return game
    waiting = [
        str(row.id)
        for game in rights.games
        for state in ("waiting", "passed")
        for row in await work.notes.list_by_state(state, game.id)
    ]
    raise NotDone("unknown-note", note=number, waiting=tuple(waiting[:20]))


@dataclass(frozen=True, slots=True)
class Plan:
    """The commands that a mail gives, and why its other lines give none."""

    items: tuple[Item, ...]
    results: tuple[Result, ...]


def cause_of(person: PersonRow, mail: Message, inbox_id: int) -> str:
    """Names the request: the same mail, however often and by whatever road it arrives, is one. Its
    Message-ID tells, else its date, and without either its arrival. A message of a chat stays the
    same request when its words are changed.
    """
    told = mail.message_id or (mail.dated.isoformat() if mail.dated is not None else None)
    if told is None:
        return f"inbox:{inbox_id}"
    words = f"{person.id}\n{told}\n{mail.text if mail.channel == MAIL else ''}"
    return f"mail:{hashlib.sha256(words.encode('utf-8', 'replace')).hexdigest()[:32]}"


async def read_plan(
    tx: Transaction[Context], rights: Rights, text: str, sender_name: str = ""
) -> Plan:
    """All lines of a mail, as things stand now."""
    items: list[Item] = []
    results: list[Result] = []
    for index, line in spread(parse_gm(text, lexicon_of(tx.services.games, rights, sender_name))):
        if line.command is None:
            results.append(unread(line))
            continue
        found = await try_resolve(tx, rights, index, line.quote, line.command, is_first=not items)
        if isinstance(found, Item):
            items.append(found)
        else:
            results.append(found)
    return Plan(tuple(items), tuple(results))


async def try_resolve(
    tx: Transaction[Context],
    rights: Rights,
    index: str,
    quote: str,
    command: AnyCommand,
    *,
    is_first: bool,
) -> Item | Result:
    """The command as it is meant, or why it means nothing; also why it cannot be, unless others
    that need a confirmation come before it.
    """
    try:
        return await resolve(tx, rights, index, quote, command, check=is_first)
    except (NotDone, Refused) as error:
        return refused(quote, command, error, shown_game(tx.services.games))
    except Unread as error:
        return unread(
            GmLine(
                quote,
                trouble=Trouble(
                    error.kind,
                    error.what,
                    error.written,
                    error.nearest,
                    form_of(word_of(command), shown_game(tx.services.games)),
                ),
            )
        )


def unread(line: GmLine) -> Result:
    """A line that is no command."""
    trouble = line.trouble or Trouble("unknown", "word")
    facts: dict[str, Value] = {
        "what": trouble.what,
        "written": trouble.written,
        "nearest": trouble.nearest,
    }
    return Result(line.quote, "unread", trouble.kind, facts, trouble.form)


def refused(quote: str, command: AnyCommand, error: NotDone | Refused, game: str) -> Result:
    """A command that is understood and cannot be done; how it is written shows this game."""
    if isinstance(error, NotDone):
        form = (
            form_of(word_of(command), game)
            if error.code in ("unknown-player", "unknown-note")
            else ""
        )
        return Result(quote, "refused", error.code, error.facts, form)
    facts: dict[str, Value] = {
        "words": str(error),
        "table": command.table,
        "note": getattr(command, "note", None),
    }
    return Result(quote, "refused", error.code, facts)

"""From what was written to what is meant: the table, the player at it, the phase, the instant.
Nothing is done here.
"""

from collections.abc import Iterator

import msgspec

from pbem.desk.gm import Refused
from pbem.desk.gm_commands.kind import Item, Situation
from pbem.desk.gm_commands.kinds import kind_of
from pbem.desk.gm_commands.players import find_player
from pbem.desk.gm_commands.rights import NotDone, Rights
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import load_table
from pbem.grammar.gm.commands import AnyCommand, GmLine
from pbem.grammar.gm.lines import format_gm
from pbem.store.repositories.games import GameRow
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

"""Facts for the letters to a game master: what a command did, from what was logged of it; what it
would do, from how things stand.
"""

from typing import Any

import msgspec

from pbem.desk.gm_commands.kind import Item, Outcome
from pbem.desk.gm_commands.kinds import kind_of
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import load_table
from pbem.grammar.gm.commands import word_of
from pbem.grammar.gm.words import WORDS, form_of
from pbem.pages.gm import Result, Value, WordHelp
from pbem.store.repositories.log import GmLogRow


async def has_done(
    tx: Transaction[Context], item: Item, row: GmLogRow | None, answer: object = None
) -> Result:
    """A command that was carried out, now or the first time the mail came: the same words each
    time.
    """
    kind, command = kind_of(item.command), item.command
    detail: dict[str, Any] = msgspec.json.decode(row.detail) if row is not None else {}
    game = await tx.work.games.find_by_slug(command.table) if command.table else None
    facts: dict[str, Value] = dict(kind.says(command))
    if game is not None:
        facts["table"] = game.title
    logged = {name: detail.get(name, ()) for name in kind.logged}
    facts |= {name: tuple(it) if isinstance(it, list) else it for name, it in logged.items()}
    facts |= await kind.tell(Outcome(tx.work, tx.services, item, game, detail, answer), command)
    return Result(item.quote, "done", word_of(command), facts)


async def would_be(tx: Transaction[Context], item: Item) -> Result:
    """A command that waits for a yes: what it would do, to which phase."""
    kind, command = kind_of(item.command), item.command
    facts: dict[str, Value] = dict(kind.says(command))
    game = await tx.work.games.find_by_slug(command.table) if command.table else None
    if game is not None:
        table = await load_table(tx, game)
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
        facts |= await kind.preview(tx.work, table, command)
    return Result(item.quote, "asked", word_of(command), facts)


def word_help(game: str) -> tuple[WordHelp, ...]:
    """Every word of the game masters, for a letter that lists them; examples show the game of this
    id.
    """
    return tuple(
        WordHelp(word, form_of(word, game), entry.dangerous) for word, entry in WORDS.items()
    )

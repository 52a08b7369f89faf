"""The answer to a game master's message: one letter with what each command did, and in a chat the
buttons below it: the next step of each line, to be tapped instead of written.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from pbem.desk.chat.buttons import Command, Holder, Keyboard, in_lines
from pbem.desk.envelope.letter import Answering, NewLetter
from pbem.desk.envelope.message import TELEGRAM, Commanding, Message
from pbem.desk.gm_commands.kind import Item, Outcome, Tally
from pbem.desk.gm_commands.kinds import kind_of
from pbem.desk.gm_commands.places import place_of, read_places
from pbem.desk.gm_commands.rights import MOST_TABLES, Rights
from pbem.desk.letters.post import Addressee
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.table import house_table, load_table, page_table
from pbem.desk.upkeep.status import list_lines, list_notes, read_status_for
from pbem.grammar.gm.commands import word_of
from pbem.grammar.gm.spelling import shown_game
from pbem.grammar.gm.words import WORDS, form_of
from pbem.pages.gm import Answer, CommandsAnswered, Result, TableStatus, Value, WordHelp, step_label
from pbem.store.repositories.log import GmLogRow
from pbem.store.repositories.post.inbox import InboxRow


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


ANSWER = "gm-answer"
WIDTH = 2
MOST_BUTTONS = 24
ASKING_STEPS = frozenset({"notes"})
"""The steps that change nothing."""


def with_buttons(
    context: Context,
    letter: NewLetter,
    person_id: int,
    tables: Sequence[tuple[int, TableStatus]],
    serial: str,
) -> NewLetter:
    """The same letter with them. A button stands for its words, which are read and carried out like
    any while the phase of its table (given with the game's id) is open; `serial` makes it a new
    one.
    """
    keyboard = Keyboard(context.key, Holder(person_id))
    for game_id, status in tables:
        keyboard.holder = Holder(person_id, game_id, phase_number=status.phase_number)
        name = status.slug if len(tables) > 1 else ""
        steps = [step for step in status.steps if step.is_whole]
        buttons = [
            (
                step_label(step, table=name),
                Command(step.words, serial, step.code in ASKING_STEPS),
            )
            for step in steps
        ]
        for line in in_lines(buttons, WIDTH):
            if len(keyboard.made) < MOST_BUTTONS:
                keyboard.line(*line)
    return (
        msgspec.structs.replace(letter, buttons=keyboard.rows, taps=keyboard.taps)
        if keyboard.made
        else letter
    )


def needs_answer(mail: Message, tally: Tally) -> bool:
    """Not where all that was written waits for a yes: the question that was sent tells of it. Words
    in a chat are answered there, too, when the question went by mail.
    """
    asked = [result for result in tally.results if result.state == "asked"]
    is_question = (
        bool(asked)
        and len(asked) == len(tally.results)
        and not tally.is_changed
        and not tally.helps
        and not tally.lists_tables
    )
    if not is_question or tally.asked_for or tally.notes_of is not None:
        return True
    return mail.channel == TELEGRAM and any(
        result.facts.get("where") != TELEGRAM for result in asked
    )


async def answer_commands(
    services: Desk,
    row: InboxRow,
    mail: Message,
    commanding: Commanding,
    rights: Rights,
    tally: Tally,
) -> list[NewLetter]:
    """One letter for the whole mail."""
    person = rights.person
    async with services.read() as tx:
        person = await tx.work.people.find(person.id) or person
        master = place_of(await read_places(tx.work, services.policy, person), mail, person)
        slugs = list(dict.fromkeys([*tally.asked_for, *tally.touched]))[:MOST_TABLES]
        games = {
            slug: found.id
            for slug in slugs
            if (found := await tx.work.games.find_by_slug(slug)) is not None
        }
        slugs = list(games)
        game = await tx.work.games.find_by_slug(slugs[0]) if len(slugs) == 1 else None
        table = house_table(services)
        if game is not None:
            table = page_table(await load_table(tx, game), services)
        standing = {slug: await read_status_for(tx, slug, person.id) for slug in slugs}
        has_only_done = bool(tally.results) and all(
            result.state == "done" for result in tally.results
        )
        shown = (
            tally.asked_for if mail.channel == TELEGRAM and has_only_done else slugs
        )  # on a phone what was done is answer enough
        answer = Answer(
            results=tuple(tally.results),
            tables=tuple(status for slug, status in standing.items() if slug in shown),
            listed=(
                await list_lines(tx, [game.id for game in rights.games])
                if tally.lists_tables
                else None
            ),
            notes=await list_notes(tx.work, tally.notes_of) if tally.notes_of is not None else None,
            words=word_help(shown_game(services.games)) if tally.helps else (),
            is_changed=tally.is_changed,
        )
    master = replace(master, zone=person.time_zone)
    name = person.name or table.gm_name or services.policy.name
    code = master.token_by(services.key, game.id if game is not None else 0)
    key = f"{ANSWER}:{commanding.cause}{':yes' if commanding.confirmed else ''}"
    if mail.channel == TELEGRAM and (
        mail.message_id is None or mail.is_edit
    ):  # a tap, or a change: each is answered
        key += f":{row.id}"
    to = master.recipient(services.key, name, game)
    who = Addressee(services, to, master.reader(name, code), table)
    letter = who.letter(CommandsAnswered(answer), ANSWER, key, Answering.to(mail))
    offered = [(games[slug], status) for slug, status in standing.items()]
    return [
        (
            with_buttons(services, letter, person.id, offered, str(row.id))
            if mail.channel == TELEGRAM
            else letter
        )
    ]

"""Carrying commands out: each in its own unit of work and once by its cause; what they came to goes
into one answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from pbem.desk.authentication.verdicts import Master
from pbem.desk.chat.edits import first_version
from pbem.desk.envelope.handling import Commanding, Handled
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import Message
from pbem.desk.gm import AlreadyDone, By, Refused
from pbem.desk.gm_commands.answering import answer_commands, needs_answer
from pbem.desk.gm_commands.confirming import (
    PURPOSE,
    ask_back,
    channel_of,
    decode_waiting,
    find_question,
    question_subject,
    settle_command,
    waiting_subject,
)
from pbem.desk.gm_commands.kind import Item
from pbem.desk.gm_commands.kinds import kind_of
from pbem.desk.gm_commands.planning import cause_of, refused, try_resolve, unread
from pbem.desk.gm_commands.resolving import spread
from pbem.desk.gm_commands.rights import NotDone, Rights, lexicon_of, name_of, read_rights
from pbem.desk.gm_commands.tally import Tally
from pbem.desk.gm_commands.telling import has_done
from pbem.desk.letters.bounces import is_troubled, reopen_address
from pbem.desk.messages.conversation import Conversation, begin_conversation
from pbem.desk.ports import Context, Desk, Services, Transaction
from pbem.desk.table import decode_settings
from pbem.grammar.consent import parse_sure_consent
from pbem.grammar.gm.commands import AnyCommand, GmLine, shown_game
from pbem.grammar.gm.lines import parse_gm
from pbem.pages.gm import Result, Value
from pbem.store.repositories.log import GmLogRow
from pbem.store.repositories.post.inbox import InboxRow

MOST_ANSWER_WORDS = 5
MOST_QUOTED = 120


@dataclass(frozen=True, slots=True)
class Commanded:
    """What the commands of a message came to: the letters that answer it, and a code for the
    log.
    """

    outcome: str
    letters: Sequence[NewLetter] = ()
    game_id: int | None = None
    settles: int | None = None
    """The confirmation that is answered by it."""


def commands_of(row: InboxRow, mail: Message, master: Master) -> Commanding:
    """What a proven game master wrote: commands, carried out in transactions of their own."""
    return Commanding(
        master.person, master.game_id, mail.text, cause_of(master.person, mail, row.id)
    )


async def take_answer_of_master(talk: Conversation[object]) -> Handled | Commanding | None:
    """A plain yes or no in a chat answers the question that waits there; not one that was something
    else before. None: no question waits.
    """
    waiting = await talk.work.pending.find_waiting(PURPOSE, talk.mail.sender or "", talk.now())
    return await settle_command(talk, waiting) if waiting is not None else None


async def carry_out(
    services: Services, row: InboxRow, mail: Message, commanding: Commanding
) -> Commanded:
    """Do what the lines say, in their order; what was done before by the same cause is only told
    again.

    From the first dangerous line on, everything that changes something waits for the yes.
    """
    await _welcome_back(services, mail)
    async with services.read() as tx:
        rights = await read_rights(tx, commanding.person, commanding.game_id)
    if rights is None:
        return Commanded("gm-unproven")
    tally = Tally()
    if commanding.confirmed:
        await _do_confirmed(services, rights, commanding, tally)
    elif mail.is_edit and not _only_asks(services, mail, rights, commanding.text):
        await _tell_changed(services, row, mail, rights, commanding, tally)
    else:
        await _do_lines(services, row, mail, rights, commanding, tally)
    letters = (
        await answer_commands(services, row, mail, commanding, rights, tally)
        if needs_answer(mail, tally)
        else []
    )
    outcome = (
        "gm-confirmed"
        if commanding.confirmed
        else "gm-changed"
        if tally.is_changed
        else "gm-commands"
    )
    return Commanded(outcome, letters, await _game_of(services, tally), commanding.pending_id)


async def _welcome_back(services: Desk, mail: Message) -> None:
    """A message from an address that was given up shows that it works again."""
    async with services.database.read() as work:
        known = await work.people.find_address(mail.channel, mail.sender or "")
    if known is not None and is_troubled(known):
        async with services.database.write() as work:
            await reopen_address(work, known, services.clock.now())


async def _do_lines(
    services: Services,
    row: InboxRow,
    mail: Message,
    rights: Rights,
    commanding: Commanding,
    tally: Tally,
) -> None:
    waiting: list[Item] = []
    lines = parse_gm(commanding.text, lexicon_of(services.games, rights, mail.sender_name))
    if _is_bare_answer(commanding.text, lines):
        async with services.read() as tx:
            subject = await waiting_subject(tx, rights.person)
        quote = commanding.text.strip().partition("\n")[0][:MOST_QUOTED]
        tally.results.append(Result(quote, "unread", "yes-or-no", {"subject": subject}))
        return
    for index, line in spread(lines):
        if line.command is None:
            tally.results.append(unread(line))
            continue
        async with services.read() as tx:
            rights = await read_rights(tx, commanding.person, commanding.game_id) or rights
            kind = kind_of(line.command)
            done = await tx.work.log.find_by_cause(f"{commanding.cause}:{index}")
            if done is not None and not kind.in_parts:
                item = Item(index, line.quote, line.command)
                await _tell_again(tx, item, done, tally)
                continue
            if kind.look_up is not None:
                _look_up(rights, line.quote, line.command, tally)
                continue
            resolved = await try_resolve(
                tx, rights, index, line.quote, line.command, is_first=not waiting
            )
        if isinstance(resolved, Result):
            tally.results.append(resolved)
            continue
        kind = kind_of(resolved.command)
        if kind.only_one and any(kind_of(item.command) is kind for item in waiting):
            tally.results.append(Result(line.quote, "refused", kind.only_one))
        elif waiting or kind.words.dangerous:
            waiting.append(resolved)
            tally.touch(resolved.command.table)
            tally.results.append(Result(line.quote, "asked", "asked"))
        else:
            await _do_one(services, rights, resolved, commanding.cause, tally, commanding.phase)
    if waiting:
        await _ask(services, row, mail, rights, commanding, waiting, tally)


def _only_asks(context: Context, mail: Message, rights: Rights, text: str) -> bool:
    """Whether a message does nothing, whatever it said before."""
    lines = parse_gm(text, lexicon_of(context.games, rights, mail.sender_name))
    return bool(lines) and all(_only_looks(line.command) for line in lines)


async def _tell_changed(
    services: Desk,
    row: InboxRow,
    mail: Message,
    rights: Rights,
    commanding: Commanding,
    tally: Tally,
) -> None:
    """A message that was changed commands nothing: what became of it as it was first sent is told,
    line by line.
    """
    tally.is_changed = True
    async with services.read() as tx:
        first = await first_version(tx.work, row, mail)
        lines = (
            parse_gm(first[1].text, lexicon_of(services.games, rights, mail.sender_name))
            if first is not None
            else ()
        )
        question = await find_question(tx, rights.person)
        waiting = decode_waiting(question.detail) if question is not None else None
        indexes = (
            {item.index for item in waiting.items}
            if waiting is not None and waiting.cause == commanding.cause
            else set()
        )
        for index, line in spread(lines):
            done = await tx.work.log.find_by_cause(f"{commanding.cause}:{index}")
            if line.command is None:
                tally.results.append(unread(line))
            elif done is not None:
                item = Item(index, line.quote, line.command)
                await _tell_again(tx, item, done, tally)
            elif index in indexes and question is not None and waiting is not None:
                asked: dict[str, Value] = {
                    "subject": await question_subject(tx, waiting.items),
                    "where": channel_of(question.address),
                }
                tally.results.append(Result(line.quote, "asked", "asked", asked))
            elif not _only_looks(line.command):
                tally.results.append(Result(line.quote, "ignored", "changed"))


def _is_bare_answer(text: str, lines: Sequence[GmLine]) -> bool:
    """Whether a mail says yes or no to a question, and nothing else."""
    return all(line.command is None for line in lines) and is_bare_yes(text)


def is_bare_yes(text: str) -> bool:
    """Whether a text is a yes or a no, and hardly anything else."""
    return parse_sure_consent(text) is not None and len(text.split()) <= MOST_ANSWER_WORDS


async def _tell_again(tx: Transaction[Context], item: Item, row: GmLogRow, tally: Tally) -> None:
    """The mail was carried out as far as this line before: the same answer, from what was
    logged.
    """
    game = await tx.work.games.find(row.game_id) if row.game_id is not None else None
    if game is not None:
        command = msgspec.structs.replace(item.command, table=game.slug)
        item = msgspec.structs.replace(item, command=command)
        tally.touch(game.slug)
    tally.results.append(await has_done(tx, item, row))


async def _ask(
    services: Services,
    row: InboxRow,
    mail: Message,
    rights: Rights,
    commanding: Commanding,
    waiting: list[Item],
    tally: Tally,
) -> None:
    async with services.write() as tx:
        master = Master(rights.person, commanding.game_id)
        talk = begin_conversation(tx, row, mail, master, rights.person)
        asked_back = await ask_back(talk, waiting, cause=commanding.cause, proven=True)
        subject = await question_subject(tx, waiting)
        services.steps.reached("gm.asked.written")
    services.steps.reached("gm.asked.kept")
    is_asked = asked_back.outcome == "asked"
    facts: dict[str, Value] = {"subject": subject, "where": asked_back.where}
    if not is_asked:
        words = "your own address cannot be reached, so you cannot be asked whether it shall be"
        facts = {"words": words}
    tally.results = [
        Result(r.quote, "asked" if is_asked else "refused", asked_back.outcome, facts)
        if r.state == "asked"
        else r
        for r in tally.results
    ]


async def _do_confirmed(
    services: Services, rights: Rights, commanding: Commanding, tally: Tally
) -> None:
    """What was confirmed, as it was understood when it was written. What is about a phase that is
    over by now is left undone.
    """
    items = decode_waiting(commanding.text).items
    async with services.database.read() as work:
        begun = [
            item
            for item in items
            if await work.log.find_by_cause(f"{commanding.cause}:{item.index}") is not None
        ]
    over = {} if begun else await _over_phases(services, items)
    for item in items:
        slug = item.command.table
        kind = kind_of(item.command)
        if item.command.needs != "house" and slug not in {game.slug for game in rights.games}:
            facts: dict[str, Value] = {"written": slug, "nearest": "", "tables": ()}
            tally.results.append(Result(item.quote, "refused", "unknown-table", facts))
        elif item.index in over:
            tally.touch(slug)
            tally.results.append(over[item.index])
        elif kind.look_up is not None:
            _look_up(rights, item.quote, item.command, tally)
        else:
            await _do_one(services, rights, item, commanding.cause, tally)


async def _over_phases(services: Desk, items: Sequence[Item]) -> dict[str, Result]:
    """The commands whose phase is not the open one any more."""
    over: dict[str, Result] = {}
    async with services.database.read() as work:
        for item in items:
            game = (
                await work.games.find_by_slug(item.command.table)
                if item.phase is not None
                else None
            )
            if game is not None and (
                game.phase_number != item.phase or game.status in ("over", "ended")
            ):
                still = game.phase_number if game.status in ("running", "paused") else None
                facts = {"table": game.title, "phase": item.phase, "open_phase": still}
                over[item.index] = Result(item.quote, "ignored", "phase-over", facts)
    return over


async def _do_one(
    services: Services,
    rights: Rights,
    item: Item,
    cause: str,
    tally: Tally,
    phase: int | None = None,
) -> None:
    by = await _by(services, rights, item, f"{cause}:{item.index}", phase)
    try:
        answer = await kind_of(item.command).do(services, item, item.command, by)
    except AlreadyDone:
        answer = None
    except (Refused, NotDone) as error:
        tally.results.append(refused(item.quote, item.command, error, shown_game(services.games)))
        tally.touch(item.command.table if error.code not in ("unknown-game", "game-exists") else "")
        return
    services.steps.reached("gm.command.kept")
    async with services.read() as tx:
        row = await tx.work.log.find_by_cause(f"{cause}:{item.index}")
        tally.results.append(await has_done(tx, item, row, answer))
    tally.touch(item.command.table)


async def _by(context: Context, rights: Rights, item: Item, cause: str, phase: int | None) -> By:
    """Who commands, as the table knows them; a deadline that was reckoned from that of a phase is
    for it alone, and so is a button.
    """
    game = next((game for game in rights.games if game.slug == item.command.table), None)
    name = name_of(rights.person, decode_settings(game).gm_name if game is not None else "")
    if phase is None and kind_of(item.command).holds_phase:
        phase = item.phase
    return By(name, rights.person.id, cause, phase)


def _only_looks(command: AnyCommand | None) -> bool:
    return command is not None and kind_of(command).look_up is not None


def _look_up(rights: Rights, quote: str, command: AnyCommand, tally: Tally) -> None:
    """Questions: the answer is told in sections of its own, below what was done."""
    look_up = kind_of(command).look_up
    try:
        if look_up is not None:
            look_up(tally, lambda: rights.find_all(command.table))
    except NotDone as error:
        tally.results.append(Result(quote, "refused", error.code, error.facts))


async def _game_of(services: Desk, tally: Tally) -> int | None:
    """The table that a mail was about, if it was one."""
    slugs = {*tally.asked_for, *tally.touched}
    if len(slugs) != 1:
        return None
    async with services.database.read() as work:
        game = await work.games.find_by_slug(slugs.pop())
    return game.id if game is not None else None

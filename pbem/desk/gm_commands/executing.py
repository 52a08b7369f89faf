"""Carrying commands out: each in its own unit of work and once by its cause; what they came to goes
into one answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from pbem.desk.authentication.judging import Master
from pbem.desk.chat.edits import first_version
from pbem.desk.envelope.addressing import letter_to_master, master_token
from pbem.desk.envelope.handling import Commanding, Handled
from pbem.desk.envelope.letter import Answering, NewLetter
from pbem.desk.envelope.message import TELEGRAM, Message
from pbem.desk.gm import AlreadyDone, By, Refused
from pbem.desk.gm_commands.answering import with_buttons
from pbem.desk.gm_commands.confirming import (
    PURPOSE,
    ask_back,
    channel_of,
    decode_waiting,
    find_question,
    parse_yes,
    question_subject,
    settle_command,
    waiting_subject,
)
from pbem.desk.gm_commands.places import place_of, read_places
from pbem.desk.gm_commands.planning import cause_of, refused, try_resolve, unread
from pbem.desk.gm_commands.resolving import ASKING, Item, spread
from pbem.desk.gm_commands.rights import LIVE, NotDone, Rights, lexicon_of, name_of, read_rights
from pbem.desk.gm_commands.telling import has_done, word_help
from pbem.desk.gm_commands.use_cases import do
from pbem.desk.letters.bounces import is_troubled, reopen_address
from pbem.desk.ports import Services
from pbem.desk.table import decode_settings, house_table, load_table, page_table
from pbem.desk.upkeep.status import list_lines, list_notes, read_status_for
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.lines import parse_gm
from pbem.grammar.gm.words import is_dangerous
from pbem.pages.gm import Answer, Result, Value
from pbem.pages.page import Reader
from pbem.store.repositories.inbox import InboxRow
from pbem.store.repositories.log import GmLogRow
from pbem.store.work import Work

ANSWER = "gm-answer"
MOST_TABLES = 5
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


@dataclass(slots=True)
class Tally:
    """What the answer will say, gathered line by line."""

    results: list[Result] = field(default_factory=list)
    asked_for: list[str] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    lists_tables: bool = False
    notes_of: list[str] | None = None
    helps: bool = False
    is_changed: bool = False

    def touch(self, slug: str) -> None:
        if slug and slug not in self.touched:
            self.touched.append(slug)


async def take_commands(
    work: Work, services: Services, row: InboxRow, mail: Message, master: Master
) -> Handled | Commanding:
    """A proven game master wrote. In a chat a plain yes or no answers the question that waits
    there; not one that was something else before.
    """
    if mail.channel == TELEGRAM and not mail.is_edit and is_bare_yes(mail.text):
        waiting = await work.pending.find_waiting(PURPOSE, mail.sender or "", services.clock.now())
        if waiting is not None:
            return await settle_command(work, services, mail, waiting)
    return Commanding(
        master.person, master.game_id, mail.text, cause_of(master.person, mail, row.id)
    )


async def carry_out(
    services: Services, row: InboxRow, mail: Message, commanding: Commanding
) -> Commanded:
    """Do what the lines say, in their order; what was done before by the same cause is only told
    again.

    From the first dangerous line on, everything that changes something waits for the yes.
    """
    await _welcome_back(services, mail)
    async with services.database.read() as work:
        rights = await read_rights(work, services, commanding.person, commanding.game_id)
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
        await _answer(services, row, mail, commanding, rights, tally)
        if _needs_answer(mail, tally)
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


def _needs_answer(mail: Message, tally: Tally) -> bool:
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


async def _welcome_back(services: Services, mail: Message) -> None:
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
        async with services.database.read() as work:
            facts: dict[str, Value] = {
                "subject": await waiting_subject(work, services, rights.person)
            }
        tally.results.append(
            Result(
                commanding.text.strip().partition("\n")[0][:MOST_QUOTED],
                "unread",
                "yes-or-no",
                facts,
            )
        )
        return
    for index, line in spread(lines):
        if line.command is None:
            tally.results.append(unread(line))
            continue
        async with services.database.read() as work:
            rights = (
                await read_rights(work, services, commanding.person, commanding.game_id) or rights
            )
            done = await work.log.find_by_cause(f"{commanding.cause}:{index}")
            if done is not None and not isinstance(line.command, c.Option):
                await _tell_again(
                    work, services, Item(index, line.quote, line.command), done, tally
                )
                continue
            if isinstance(line.command, ASKING):
                _look_up(rights, line.quote, line.command, tally)
                continue
            resolved = await try_resolve(
                work, services, rights, index, line.quote, line.command, is_first=not waiting
            )
        if isinstance(resolved, Result):
            tally.results.append(resolved)
        elif isinstance(resolved.command, c.Look) and any(
            isinstance(item.command, c.Look) for item in waiting
        ):
            tally.results.append(
                Result(line.quote, "refused", "one-look")
            )  # what is seen for one seat is not mixed with another's
        elif waiting or is_dangerous(resolved.command):
            waiting.append(resolved)
            tally.touch(resolved.command.table)
            tally.results.append(Result(line.quote, "asked", "asked"))
        else:
            await _do_one(services, rights, resolved, commanding.cause, tally, commanding.phase)
    if waiting:
        await _ask(services, row, mail, rights, commanding, waiting, tally)


def _only_asks(services: Services, mail: Message, rights: Rights, text: str) -> bool:
    """Whether a message does nothing, whatever it said before."""
    lines = parse_gm(text, lexicon_of(services.games, rights, mail.sender_name))
    return bool(lines) and all(isinstance(line.command, ASKING) for line in lines)


async def _tell_changed(
    services: Services,
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
    async with services.database.read() as work:
        first = await first_version(work, row, mail)
        lines = (
            parse_gm(first[1].text, lexicon_of(services.games, rights, mail.sender_name))
            if first is not None
            else ()
        )
        question = await find_question(work, services, rights.person)
        waiting = decode_waiting(question.detail) if question is not None else None
        indexes = (
            {item.index for item in waiting.items}
            if waiting is not None and waiting.cause == commanding.cause
            else set()
        )
        for index, line in spread(lines):
            done = await work.log.find_by_cause(f"{commanding.cause}:{index}")
            if line.command is None:
                tally.results.append(unread(line))
            elif done is not None:
                await _tell_again(
                    work, services, Item(index, line.quote, line.command), done, tally
                )
            elif index in indexes and question is not None and waiting is not None:
                asked: dict[str, Value] = {
                    "subject": await question_subject(work, services, waiting.items),
                    "where": channel_of(question.address),
                }
                tally.results.append(Result(line.quote, "asked", "asked", asked))
            elif not isinstance(line.command, ASKING):
                tally.results.append(Result(line.quote, "ignored", "changed"))


def _is_bare_answer(text: str, lines: Sequence[c.GmLine]) -> bool:
    """Whether a mail says yes or no to a question, and nothing else."""
    return all(line.command is None for line in lines) and is_bare_yes(text)


def is_bare_yes(text: str) -> bool:
    """Whether a text is a yes or a no, and hardly anything else."""
    return parse_yes(text) is not None and len(text.split()) <= MOST_ANSWER_WORDS


async def _tell_again(
    work: Work, services: Services, item: Item, row: GmLogRow, tally: Tally
) -> None:
    """The mail was carried out as far as this line before: the same answer, from what was
    logged.
    """
    game = await work.games.find(row.game_id) if row.game_id is not None else None
    if game is not None:
        item = msgspec.structs.replace(
            item, command=msgspec.structs.replace(item.command, table=game.slug)
        )
        tally.touch(game.slug)
    tally.results.append(await has_done(work, services, item, row))


async def _ask(
    services: Services,
    row: InboxRow,
    mail: Message,
    rights: Rights,
    commanding: Commanding,
    waiting: list[Item],
    tally: Tally,
) -> None:
    async with services.database.write() as work:
        asked_back = await ask_back(
            work,
            services,
            rights.person,
            waiting,
            mail,
            cause=commanding.cause,
            proven=True,
            inbox_id=row.id,
        )
        subject = await question_subject(work, services, waiting)
        services.steps.reached("gm.asked.written")
    services.steps.reached("gm.asked.kept")
    if asked_back.outcome == "asked":
        asked: dict[str, Value] = {"subject": subject, "where": asked_back.where}
        tally.results = [
            Result(r.quote, r.state, r.kind, asked) if r.state == "asked" else r
            for r in tally.results
        ]
    else:
        facts = {
            "words": (
                "your own address cannot be reached, so you cannot be asked whether it shall be"
            )
        }
        tally.results = [
            Result(r.quote, "refused", asked_back.outcome, facts) if r.state == "asked" else r
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
        if not isinstance(item.command, c.NewGame | c.Zone) and slug not in {
            game.slug for game in rights.games
        }:
            tally.results.append(
                Result(
                    item.quote,
                    "refused",
                    "unknown-table",
                    {"written": slug, "nearest": "", "tables": ()},
                )
            )
        elif item.index in over:
            tally.touch(slug)
            tally.results.append(over[item.index])
        elif isinstance(item.command, ASKING):
            _look_up(rights, item.quote, item.command, tally)
        else:
            await _do_one(services, rights, item, commanding.cause, tally)


async def _over_phases(services: Services, items: Sequence[Item]) -> dict[str, Result]:
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
    answer: object = None
    try:
        answer = await do(services, item, by)
    except AlreadyDone:
        answer = None
    except (Refused, NotDone) as error:
        tally.results.append(refused(item.quote, item.command, error, c.shown_game(services.games)))
        tally.touch(item.command.table if error.code not in ("unknown-game", "game-exists") else "")
        return
    services.steps.reached("gm.command.kept")
    async with services.database.read() as work:
        row = await work.log.find_by_cause(f"{cause}:{item.index}")
        tally.results.append(await has_done(work, services, item, row, answer))
    tally.touch(item.command.table)


async def _by(services: Services, rights: Rights, item: Item, cause: str, phase: int | None) -> By:
    """Who commands, as the table knows them; a deadline that was reckoned from that of a phase is
    for it alone, and so is a button.
    """
    game = next((game for game in rights.games if game.slug == item.command.table), None)
    if phase is None and isinstance(item.command, c.Extend | c.Shorten):
        phase = item.phase
    return By(
        name_of(rights.person, decode_settings(game).gm_name if game is not None else ""),
        rights.person.id,
        cause,
        phase,
    )


def _look_up(rights: Rights, quote: str, command: c.GmCommand, tally: Tally) -> None:
    """Questions: the answer is told in sections of its own, below what was done."""
    match command:
        case c.Games():
            tally.lists_tables = True
            return
        case c.Help():
            tally.helps = True
            return
    try:
        slugs = [rights.find(command.table).slug]
    except NotDone as error:
        if error.code != "which-table":
            tally.results.append(Result(quote, "refused", error.code, error.facts))
            return
        slugs = [game.slug for game in rights.games if game.status in LIVE][:MOST_TABLES]
    if isinstance(command, c.Notes):
        tally.notes_of = [*(tally.notes_of or []), *slugs]
    else:
        tally.asked_for += [slug for slug in slugs if slug not in tally.asked_for]


async def _answer(
    services: Services,
    row: InboxRow,
    mail: Message,
    commanding: Commanding,
    rights: Rights,
    tally: Tally,
) -> list[NewLetter]:
    """One letter for the whole mail."""
    now, person = services.clock.now(), rights.person
    async with services.database.read() as work:
        person = await work.people.find(person.id) or person
        master = place_of(await read_places(work, services.policy, person), mail, person)
        slugs = list(dict.fromkeys([*tally.asked_for, *tally.touched]))[:MOST_TABLES]
        games = {
            slug: found.id
            for slug in slugs
            if (found := await work.games.find_by_slug(slug)) is not None
        }
        slugs = list(games)
        game = await work.games.find_by_slug(slugs[0]) if len(slugs) == 1 else None
        table = house_table(services.policy, now)
        if game is not None:
            table = page_table(await load_table(work, services.games, game), services.policy, now)
        standing = {slug: await read_status_for(work, services, slug, person.id) for slug in slugs}
        has_only_done = bool(tally.results) and all(
            result.state == "done" for result in tally.results
        )
        shown = (
            tally.asked_for if mail.channel == TELEGRAM and has_only_done else slugs
        )  # on a phone the deed is answer enough
        answer = Answer(
            results=tuple(tally.results),
            tables=tuple(status for slug, status in standing.items() if slug in shown),
            listed=(
                await list_lines(work, services, [game.id for game in rights.games])
                if tally.lists_tables
                else None
            ),
            notes=await list_notes(work, tally.notes_of) if tally.notes_of is not None else None,
            words=word_help(c.shown_game(services.games)) if tally.helps else (),
            is_changed=tally.is_changed,
        )
    master = replace(master, zone=person.time_zone)
    name = person.name or table.gm_name or services.policy.name
    code = master_token(services.key, master, game.id if game is not None else 0)
    page = services.gm_pages.answer(
        table, Reader(None, name, master.zone, master.locale, code), answer
    )
    key = f"{ANSWER}:{commanding.cause}{':yes' if commanding.confirmed else ''}"
    if mail.channel == TELEGRAM and (
        mail.message_id is None or mail.is_edit
    ):  # a tap, or a change: each is answered
        key += f":{row.id}"
    letter = letter_to_master(
        page,
        kind=ANSWER,
        dedupe_key=key,
        policy=services.policy,
        key=services.key,
        master=master,
        to_name=name,
        game=game,
        answering=Answering.to(mail),
    )
    offered = [(games[slug], status) for slug, status in standing.items()]
    return [
        (
            with_buttons(services, letter, person.id, offered, str(row.id))
            if mail.channel == TELEGRAM
            else letter
        )
    ]


async def _game_of(services: Services, tally: Tally) -> int | None:
    """The table that a mail was about, if it was one."""
    slugs = {*tally.asked_for, *tally.touched}
    if len(slugs) != 1:
        return None
    async with services.database.read() as work:
        game = await work.games.find_by_slug(slugs.pop())
    return game.id if game is not None else None

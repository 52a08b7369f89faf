"""Carrying commands out: each in its own unit of work and once by its cause; what they came to goes
into one answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from pbem.desk.authentication.verdicts import Master
from pbem.desk.chat.inbound import first_version
from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import Commanding, Handled, Message
from pbem.desk.gm import AlreadyDone, By, Refused
from pbem.desk.gm_commands.answering import answer_commands, has_done, needs_answer
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
from pbem.desk.gm_commands.kind import Item, Tally
from pbem.desk.gm_commands.kinds import kind_of
from pbem.desk.gm_commands.planning import cause_of, refused, spread, try_resolve, unread
from pbem.desk.gm_commands.rights import NotDone, Rights, lexicon_of, name_of, read_rights
from pbem.desk.letters.bounces import is_troubled, reopen_address
from pbem.desk.messages.conversation import Conversation, begin_conversation
from pbem.desk.ports import Context, Desk, Services, Transaction
from pbem.desk.table import decode_settings
from pbem.grammar.consent import parse_sure_consent
from pbem.grammar.gm.commands import AnyCommand, GmLine
from pbem.grammar.gm.lines import parse_gm
from pbem.grammar.gm.spelling import shown_game
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
    execution = _Execution(services, row, mail, commanding, rights)
    if commanding.confirmed:
        outcome = "gm-confirmed"
        await execution.do_confirmed()
    elif mail.is_edit and not execution.only_asks():
        outcome = "gm-changed"
        await execution.tell_changed()
    else:
        outcome = "gm-commands"
        await execution.do_lines()
    tally = execution.tally
    letters = (
        await answer_commands(services, row, mail, commanding, execution.rights, tally)
        if needs_answer(mail, tally)
        else []
    )
    return Commanded(outcome, letters, await _game_of(services, tally), commanding.pending_id)


async def _welcome_back(services: Desk, mail: Message) -> None:
    """A message from an address that was given up shows that it works again."""
    async with services.database.read() as work:
        known = await work.people.find_address(mail.channel, mail.sender or "")
    if known is not None and is_troubled(known):
        async with services.database.write() as work:
            await reopen_address(work, known, services.clock.now())


def is_bare_yes(text: str) -> bool:
    """Whether a text is a yes or a no, and hardly anything else."""
    return parse_sure_consent(text) is not None and len(text.split()) <= MOST_ANSWER_WORDS


@dataclass(slots=True)
class _Execution:
    """A message whose commands are carried out, and what the answer will say."""

    services: Services
    row: InboxRow
    mail: Message
    commanding: Commanding
    rights: Rights
    tally: Tally = field(default_factory=Tally)

    def only_asks(self) -> bool:
        """Whether the message does nothing, whatever it said before."""
        lines = self._lines(self.commanding.text)
        return bool(lines) and all(_only_looks(line.command) for line in lines)

    async def do_lines(self) -> None:
        """Do every line that needs no confirmation, and ask about the others."""
        commanding, tally = self.commanding, self.tally
        waiting: list[Item] = []
        lines = self._lines(commanding.text)
        if all(line.command is None for line in lines) and is_bare_yes(commanding.text):
            async with self.services.read() as tx:
                subject = await waiting_subject(tx, self.rights.person)
            quote = commanding.text.strip().partition("\n")[0][:MOST_QUOTED]
            tally.results.append(Result(quote, "unread", "yes-or-no", {"subject": subject}))
            return
        for index, line in spread(lines):
            if line.command is None:
                tally.results.append(unread(line))
                continue
            async with self.services.read() as tx:
                self.rights = (
                    await read_rights(tx, commanding.person, commanding.game_id) or self.rights
                )
                kind = kind_of(line.command)
                done = await tx.work.log.find_by_cause(f"{commanding.cause}:{index}")
                if done is not None and not kind.in_parts:
                    await self._tell_again(tx, Item(index, line.quote, line.command), done)
                    continue
                if kind.look_up is not None:
                    self._look_up(line.quote, line.command)
                    continue
                resolved = await try_resolve(
                    tx, self.rights, index, line.quote, line.command, is_first=not waiting
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
                await self._do_one(resolved, commanding.phase)
        if waiting:
            await self._ask(waiting)

    async def tell_changed(self) -> None:
        """A message that was changed commands nothing: the answer tells, line by line, what became
        of it as it was first sent.
        """
        tally, cause = self.tally, self.commanding.cause
        tally.is_changed = True
        async with self.services.read() as tx:
            first = await first_version(tx.work, self.row, self.mail)
            lines = self._lines(first[1].text) if first is not None else ()
            question = await find_question(tx, self.rights.person)
            waiting = decode_waiting(question.detail) if question is not None else None
            is_ours = waiting is not None and waiting.cause == cause
            indexes = {item.index for item in waiting.items} if waiting and is_ours else set()
            for index, line in spread(lines):
                done = await tx.work.log.find_by_cause(f"{cause}:{index}")
                if line.command is None:
                    tally.results.append(unread(line))
                elif done is not None:
                    await self._tell_again(tx, Item(index, line.quote, line.command), done)
                elif index in indexes and question is not None and waiting is not None:
                    asked: dict[str, Value] = {
                        "subject": await question_subject(tx, waiting.items),
                        "where": channel_of(question.address),
                    }
                    tally.results.append(Result(line.quote, "asked", "asked", asked))
                elif not _only_looks(line.command):
                    tally.results.append(Result(line.quote, "ignored", "changed"))

    async def do_confirmed(self) -> None:
        """Do what was confirmed, as it was understood when it was written. What is about a phase
        that is over by now is left undone.
        """
        items = decode_waiting(self.commanding.text).items
        causes = [f"{self.commanding.cause}:{item.index}" for item in items]
        async with self.services.database.read() as work:
            begun = [cause for cause in causes if await work.log.find_by_cause(cause) is not None]
        over = {} if begun else await _over_phases(self.services, items)
        known = {game.slug for game in self.rights.games}
        for item in items:
            slug = item.command.table
            if item.command.needs != "house" and slug not in known:
                facts: dict[str, Value] = {"written": slug, "nearest": "", "tables": ()}
                self.tally.results.append(Result(item.quote, "refused", "unknown-table", facts))
            elif item.index in over:
                self.tally.touch(slug)
                self.tally.results.append(over[item.index])
            elif kind_of(item.command).look_up is not None:
                self._look_up(item.quote, item.command)
            else:
                await self._do_one(item)

    def _lines(self, text: str) -> tuple[GmLine, ...]:
        return parse_gm(text, lexicon_of(self.services.games, self.rights, self.mail.sender_name))

    async def _tell_again(self, tx: Transaction[Context], item: Item, row: GmLogRow) -> None:
        """The mail was carried out as far as this line before: the same answer, from the log."""
        game = await tx.work.games.find(row.game_id)
        if game is not None:
            command = msgspec.structs.replace(item.command, table=game.slug)
            item = msgspec.structs.replace(item, command=command)
            self.tally.touch(game.slug)
        self.tally.results.append(await has_done(tx, item, row))

    async def _ask(self, waiting: list[Item]) -> None:
        services, person = self.services, self.rights.person
        async with services.write() as tx:
            master = Master(person, self.commanding.game_id)
            talk = begin_conversation(tx, self.row, self.mail, master, person)
            question = await ask_back(talk, waiting, cause=self.commanding.cause, proven=True)
            subject = await question_subject(tx, waiting)
            services.steps.reached("gm.asked.written")
        services.steps.reached("gm.asked.kept")
        is_asked = question.outcome == "asked"
        facts: dict[str, Value] = {"subject": subject, "where": question.where}
        if not is_asked:
            words = "your own address cannot be reached, so you cannot be asked whether it shall be"
            facts = {"words": words}
        state: Literal["asked", "refused"] = "asked" if is_asked else "refused"
        self.tally.results = [
            Result(r.quote, state, question.outcome, facts) if r.state == "asked" else r
            for r in self.tally.results
        ]

    async def _do_one(self, item: Item, phase: int | None = None) -> None:
        cause = f"{self.commanding.cause}:{item.index}"
        services, tally = self.services, self.tally
        try:
            by = self._by(item, cause, phase)
            answer = await kind_of(item.command).do(services, item, item.command, by)
        except AlreadyDone:
            answer = None
        except (Refused, NotDone) as error:
            game = shown_game(services.games)
            tally.results.append(refused(item.quote, item.command, error, game))
            is_there = error.code not in ("unknown-game", "game-exists")
            tally.touch(item.command.table if is_there else "")
            return
        services.steps.reached("gm.command.kept")
        async with services.read() as tx:
            row = await tx.work.log.find_by_cause(cause)
            tally.results.append(await has_done(tx, item, row, answer))
        tally.touch(item.command.table)

    def _by(self, item: Item, cause: str, phase: int | None) -> By:
        """Who commands, as the table knows them; a deadline that was reckoned from that of a phase
        is for it alone, and so is a button.
        """
        games = (game for game in self.rights.games if game.slug == item.command.table)
        game = next(games, None)
        person = self.rights.person
        name = name_of(person, decode_settings(game).gm_name if game is not None else "")
        if phase is None and kind_of(item.command).holds_phase:
            phase = item.phase
        return By(name, person.id, cause, phase)

    def _look_up(self, quote: str, command: AnyCommand) -> None:
        """Questions: the answer is told in sections of its own, below what was done."""
        look_up = kind_of(command).look_up
        try:
            if look_up is not None:
                look_up(self.tally, lambda: self.rights.find_all(command.table))
        except NotDone as error:
            self.tally.results.append(Result(quote, "refused", error.code, error.facts))


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


def _only_looks(command: AnyCommand | None) -> bool:
    return command is not None and kind_of(command).look_up is not None


async def _game_of(services: Desk, tally: Tally) -> int | None:
    """The table that a mail was about, if it was one."""
    slugs = {*tally.asked_for, *tally.touched}
    if len(slugs) != 1:
        return None
    async with services.database.read() as work:
        game = await work.games.find_by_slug(slugs.pop())
    return game.id if game is not None else None

"""Watching a table: who may, what they get, and what is answered to them. Their view is the
public's, and never anything else.
"""

import asyncio

from engine.ruleset import Standing
from pbem.desk.authentication.tenures import list_substitutions, owners_away
from pbem.desk.authentication.verdicts import Watching
from pbem.desk.envelope.letter import Answering
from pbem.desk.envelope.message import Handled, Message
from pbem.desk.hours import view_at
from pbem.desk.letters.post import Addressee, watcher_at
from pbem.desk.letters.queue import queue_letter
from pbem.desk.letters.table_people import Watcher
from pbem.desk.messages.conversation import Conversation, OfPerson
from pbem.desk.messages.receipts import limit_words
from pbem.desk.phases.past import BULLETIN, read_past, tell_past
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.grammar.house import commands as c
from pbem.grammar.house.parsing import parse_commands
from pbem.grammar.people import Watchers
from pbem.pages.notice import Notice
from pbem.pages.notices import WordsCut
from pbem.pages.page import Page
from pbem.pages.people import AwayHelp, ObserverHelp, Observing, WatchersListed
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.work import Work

SHOWN_A_MESSAGE = 3


async def why_not_observe(work: Work, table: OpenTable, person: PersonRow | None) -> str | None:
    """Why somebody cannot watch, as a code; None: they can."""
    if table.game.status in ("over", "ended"):
        return "over"
    if not table.settings.people.observers:
        return "no-observers"
    if person is None:
        return None
    if any(seat.person_id == person.id for seat in table.seats):
        return "plays-here"
    if person.id in await owners_away(work, table.game.id):
        return "away-here"
    if any(row.game_id == table.game.id for row in await work.observers.list_of_person(person.id)):
        return "already"
    return None


async def begin_observing(
    tx: Transaction[Context],
    table: OpenTable,
    person: PersonRow,
    address: str,
    answering: Answering | None,
    cause: str,
) -> bool:
    """Somebody watches from now on, and is told what that means. False: they did already."""
    now = tx.now()
    if not await tx.work.observers.begin(table.game.id, person.id, now):
        return False
    who = watcher_at(tx.services, table, Watcher(person, address))
    key = f"observing:{cause}:{table.game.id}:{who.to.own}"
    await queue_letter(tx, who.letter(Observing(), "observing", key, answering))
    return True


async def stop_observing(tx: Transaction[Context], person: PersonRow, slug: str) -> list[str]:
    """They no longer watch, at that table or ("") at any; the titles of the tables."""
    titles = []
    for row in await tx.work.observers.list_of_person(person.id):
        game = await tx.work.games.find(row.game_id)
        if (
            game is not None
            and slug in ("", game.slug, game.join_code)
            and await tx.work.observers.end(game.id, person.id, tx.now())
        ):
            theirs = {"game_id": game.id, "person_id": person.id, "seat_id": None}
            await tx.work.outbox.drop_untried(BULLETIN, **theirs)
            titles.append(game.title)
    return titles


async def name_watchers(work: Work, table: OpenTable) -> tuple[int, tuple[str, ...]]:
    """How many watch, and their names if the table shows them."""
    people = await work.people.list_by_ids(
        [row.person_id for row in await work.observers.list_of_game(table.game.id)]
    )
    return len(people), tuple(
        person.name for person in people
    ) if table.settings.people.observers_shown == "names" else ()


async def may_watch(work: Work, game: GameRow, person: PersonRow) -> bool:
    """Whether somebody watches there now, or has their seat played by another."""
    observed = any(row.game_id == game.id for row in await work.observers.list_of_person(person.id))
    return observed or person.id in await owners_away(work, game.id)


async def find_watched(
    work: Work, mail: Message, person: PersonRow, *, answering: bool = False
) -> Watching | None:
    """The table that somebody writes about in a chat as an observer: that of the letter they
    answer, or (unless it must be an answer) the one where they watch, if it is one.
    """
    letter = (
        await work.outbox.find_by_message_id(mail.in_reply_to)
        if mail.in_reply_to is not None
        else None
    )
    is_public = letter is not None and letter.seat_id is None
    game = await work.games.find(letter.game_id) if letter is not None and is_public else None
    if game is not None and await may_watch(work, game, person):
        return Watching(person, game.id)
    observed = (
        [] if answering or letter is not None else await work.observers.list_of_person(person.id)
    )
    return Watching(person, observed[0].game_id) if len(observed) == 1 else None


async def answer_watcher(talk: Conversation[OfPerson], game: GameRow) -> Handled:
    """Answer an observer's words about a table, from what the public knows; whatever else they
    write is told what can be.
    """
    table = await load_table(talk, game)
    who = watcher_at(talk.services, table, Watcher(talk.writer.person, talk.address))
    said = await talk.services.apart.run(parse_commands, talk.mail.text)
    commands, cut = limit_words(said, SHOWN_A_MESSAGE)
    told = [one for command in commands if (one := await _answer(talk, table, who, command))]
    if cut:
        told.append(WordsCut(cut, SHOWN_A_MESSAGE))
    if not told:
        told = [await _away_help(talk, table, talk.writer.person) or ObserverHelp()]
    for index, one in enumerate(told):
        key, answered = f"answer:{talk.row.id}.{index}:{who.to.own}", Answering.to(talk.mail)
        await queue_letter(talk, who.letter(one, "answer", key, answered))
    return Handled("observer-answered", game_id=game.id)


async def _away_help(
    tx: Transaction[Context], table: OpenTable, person: PersonRow
) -> Notice | None:
    """To somebody for whom another plays there: who that is, and how to come back. None: it is not
    so.
    """
    found = [
        one
        for one in await list_substitutions(tx.work, table.game.id)
        if one.begun and one.owner_id == person.id
    ]
    if not found or found[0].seat.person_id is None:
        return None
    substitute = await tx.work.people.find(found[0].seat.person_id)
    return AwayHelp(substitute.name if substitute is not None else "", found[0].absence.until)


async def _answer(
    tx: Transaction[Context], table: OpenTable, who: Addressee, command: c.AnyCommand
) -> Page | Notice | None:
    facts, reader = who.facts, who.reader
    if isinstance(command, Watchers):
        count, names = await name_watchers(tx.work, table)
        return WatchersListed(count, names, allowed=True)
    if isinstance(command, c.Rule):
        return await asyncio.to_thread(table.kind.pages.rule, facts, reader, command.id)
    if table.state is None:
        return None
    view, pages = view_at(table, None, facts.now), table.kind.pages
    match command:
        case c.Status() | c.Players():
            return await asyncio.to_thread(pages.status, facts, reader, view, Standing())
        case c.ShowMap():
            return await asyncio.to_thread(pages.map_page, facts, reader, view)
        case c.History():
            told = tell_past(table, await read_past(tx.work, table), view, None)
            return await asyncio.to_thread(pages.history, facts, reader, told)
    return None

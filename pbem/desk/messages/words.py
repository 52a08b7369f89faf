"""The table words: what a player may ask for at any time, also with the code of a phase that is
over.
"""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any
from zoneinfo import ZoneInfo

import msgspec

from pbem.desk.chat.buttons import choices_below
from pbem.desk.chat.menus import show_menu
from pbem.desk.chat.messages import ChatPlace, chat_words_of, mail_draft_of
from pbem.desk.envelope.answers import OWN_ORDERS
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.envelope.recipients import Enclosed, SeatAt
from pbem.desk.hours import view_at
from pbem.desk.letters.routes import HOURS_SHOWN, QUIET, parse_quiet
from pbem.desk.lobby.resignations import ask_to_resign
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.messages.explanations import answer_preview, answer_what_if, answer_why
from pbem.desk.messages.inquiries import INQUIRIES, answer_inquiry
from pbem.desk.messages.people_words import PEOPLE_WORDS
from pbem.desk.messages.receipts import limit_words
from pbem.desk.phases.more_time import answer_deadlines, answer_more_time, answer_vote
from pbem.desk.phases.past import Told, decode_events, read_past, since_asked, tell_past
from pbem.desk.phases.player_time import answer_absences, answer_away, answer_nowait, answer_wait
from pbem.desk.press.words import PRESS_WORDS, PressWord, answer_press_word
from pbem.desk.table import load_table, standing_of
from pbem.desk.upkeep.record_words import answer_record
from pbem.grammar.clock_rules import format_clock
from pbem.grammar.house import commands as c
from pbem.grammar.house.formatting import format_command
from pbem.grammar.languages import language_name
from pbem.grammar.veterans import LIST
from pbem.mail.tokens import parse_message_id_token, parse_token
from pbem.pages.lobby import LanguageSet, LanguageUnclear, LeaveExplained, ZoneSet, ZoneUnclear
from pbem.pages.lobby_view import Refusal
from pbem.pages.notice import Notice, notice_page
from pbem.pages.notices import GameOver, WordsCut
from pbem.pages.page import HoursShown, Page, StoredVersion
from pbem.pages.veterans import OldWords

RESENT_KINDS = ("turn", "bulletin", "ending", "welcome")
BOARD_KINDS = ("turn", "bulletin", "ending", "corrected")
"""The letters whose pictures show the board as it lay last."""
ROWS_A_LETTER = 6
"""A letter may have gone two ways, and in several messages."""

SHOWING_ORDERS = frozenset({c.Orders, c.Preview, c.WhatIf})
"""The words whose answers show the orders of the player who asks."""

TELLING_ORDERS = SHOWING_ORDERS | {c.Status, c.Players}
"""The words whose answers say what stands: they are answered after the orders of the same message
are kept.
"""

Answer = Callable[[Conversation[Player], Any], Awaitable[Page | Notice | None]]


async def answer_words(
    talk: Conversation[Player],
    commands: Sequence[c.AnyCommand],
    without: Container[type[c.AnyCommand]] = (),
) -> bool:
    """Answer the words in a message, `without` these; whether there were any."""
    answered = False
    for index, command in enumerate(limit_words(commands)[0]):
        answer = WORDS.get(type(command))
        if answer is None or type(command) in without:
            continue
        page = await answer(talk, command)
        if page is not None:
            picture_id = await _last_picture(talk) if isinstance(command, c.ShowMap) else None
            below = choices_below(talk.services, talk.table, talk.seat, talk.reader, command)
            await talk.answer(
                page,
                OWN_ORDERS if type(command) in SHOWING_ORDERS else "answer",
                f".{index}",
                picture_id,
                keyboard=below,
            )
        answered = True
    return answered


async def tell_cut(talk: Conversation[Player], commands: Sequence[c.AnyCommand]) -> None:
    """Say which words of a message were too many."""
    _heard, cut = limit_words(commands)
    if cut:
        page = WordsCut(cut)
        await talk.answer(page, "notice", ".cut")


async def tell_orders(
    talk: Conversation[Player], commands: Sequence[c.AnyCommand], *, is_kept: bool
) -> None:
    """Answer the words that tell what stands; where orders of the same message were kept, these
    count, and the table is as they left it.
    """
    if is_kept:
        work, seat, game = talk.work, talk.seat, talk.table.game
        table = await load_table(talk, await work.games.find(game.id) or game)
        newest = await work.orders.newest(seat.id, game.phase_number)
        player = Player(table, seat, standing_of(table.kind, newest, seat))
        talk = dataclasses.replace(talk, writer=player)
    await answer_words(talk, commands, without=frozenset(map(type, commands)) - TELLING_ORDERS)


async def _status(talk: Conversation[Player], command: c.AnyCommand) -> Page:
    facts = dataclasses.replace(talk.page_table(), hours_shown=await _hours_shown(talk))
    return await asyncio.to_thread(
        talk.table.kind.pages.status, facts, talk.reader, _view(talk), talk.standing
    )


async def _hours_shown(talk: Conversation[Player]) -> tuple[HoursShown, ...]:
    """The hours of players who show them; of nobody where names are hidden."""
    if talk.table.hides_names:
        return ()
    names = {seat.person_id: seat.name for seat in talk.table.seats if seat.status != "left"}
    ids = [person_id for person_id in names if person_id is not None]
    chosen = {
        (row.person_id, row.name): row.value for row in await talk.work.preferences.list_of(ids)
    }
    shown = []
    for person in await talk.work.people.list_by_ids(ids):
        quiet = chosen.get((person.id, QUIET))
        if (person.id, HOURS_SHOWN) in chosen:
            until, since = map(format_clock, parse_quiet(quiet)) if quiet else ("", "")
            here = f"{talk.now().astimezone(ZoneInfo(person.time_zone)):%H:%M}"
            shown.append(HoursShown(names[person.id], since, until, person.time_zone, here))
    return tuple(shown)


async def _map(talk: Conversation[Player], command: c.ShowMap | c.TextBoard) -> Page:
    has_picture = isinstance(command, c.ShowMap) and await _last_picture(talk) is not None
    return await asyncio.to_thread(
        talk.table.kind.pages.map_page,
        talk.page_table(has_picture=has_picture),
        talk.reader,
        _view(talk),
    )


async def _orders(talk: Conversation[Player], command: c.Orders) -> Page | Notice | None:
    """In a chat, while something is asked, what stands comes with the buttons to change it. When
    the game is over nothing stands.
    """
    if talk.table.game.status in ("over", "ended"):
        return GameOver()
    if talk.mail.channel == TELEGRAM:
        key = f"{talk.row.id}"
        shown = await show_menu(
            talk,
            talk.table,
            talk.seat,
            ChatPlace(talk.address, reply_to=talk.mail.chat_message_id),
            (),
            key,
        )
        if shown:
            return None
    rows = await talk.work.orders.history(talk.seat.id, talk.table.game.phase_number)
    locks = talk.table.kind.ruleset.final_locks
    versions = [
        StoredVersion(row.version, row.received_at, row.canonical, row.final and locks)
        for row in rows
        if row.tenure == talk.seat.tenure
    ]
    return await asyncio.to_thread(
        talk.table.kind.pages.orders,
        talk.page_table(),
        talk.reader,
        _view(talk),
        talk.standing,
        versions,
    )


async def _history(talk: Conversation[Player], command: c.History) -> Page:
    past = await read_past(talk.work, talk.table)
    return await asyncio.to_thread(_history_page, talk, past)


def _history_page(talk: Conversation[Player], past: Sequence[Told]) -> Page:
    told = tell_past(talk.table, past, _view(talk), talk.seat.number)
    return talk.table.kind.pages.history(talk.page_table(), talk.reader, told)


async def _happened(talk: Conversation[Player], command: c.Happened) -> Page:
    """What has happened since this player was asked last, as they may know it. Who is out of the
    game is told of the last close.
    """
    game, kind, seat = talk.table.game, talk.table.kind, talk.seat
    past = since_asked(await talk.work.phases.list_of_game(game.id), game.phase_number, seat.number)
    past = past if seat.status == "active" else past[-1:]
    told = await talk.work.events.list_of_game(game.id, past[0]) if past else []
    rows = [row for row in told if row.phase_number in past]
    events = decode_events(kind, rows, seat.number)
    return await asyncio.to_thread(
        kind.pages.happened, talk.page_table(), talk.reader, _view(talk), events
    )


async def _help(talk: Conversation[Player], command: c.Help | c.HelpOrders) -> Page:
    """In a chat `help orders` is the whole of it."""
    whole, page = isinstance(command, c.HelpOrders), talk.table.kind.pages.help
    return await asyncio.to_thread(page, talk.page_table(), talk.reader, _view(talk), whole=whole)


async def _rule(talk: Conversation[Player], command: c.Rule) -> Page:
    return await asyncio.to_thread(
        talk.table.kind.pages.rule, talk.page_table(), talk.reader, command.id
    )


async def _resend(talk: Conversation[Player], command: c.Resend) -> Page | None:
    """The last letters of the table once more, under new Message-IDs; each still answers the phase
    it was written in.
    """
    sent, policy = 0, talk.services.policy
    for kind in RESENT_KINDS:
        rows = await talk.work.outbox.list_last_of_seat(talk.seat.id, (kind,), limit=ROWS_A_LETTER)
        for row in rows:
            found = mail_draft_of(row) if row.person_id == talk.seat.person_id else None
            if found is None:
                continue
            draft, message_id = found
            claim = parse_token(parse_message_id_token(message_id or "", policy.host) or "")
            game = talk.table.game
            is_open = claim is not None and claim.phase == game.phase_number
            phase_number = claim.phase if claim is not None else game.phase_number
            calendar = draft.calendar if is_open and game.status == "running" else None
            letter = talk.letter(
                Page(draft.subject, draft.text, draft.html or ""),
                "resend",
                talk.dedupe_key("resend", f".{row.id}"),
                to=SeatAt(game, talk.seat, phase_number, talk.address),
                enclosed=Enclosed(draft.attachment, calendar, row.picture_id),
            )
            words, buttons = chat_words_of(rows, row)
            await talk.send(
                msgspec.structs.replace(letter, chat=words, buttons=buttons if is_open else ())
            )
            sent += 1
            break
    return None if sent else await _status(talk, command)


async def _zone(talk: Conversation[Player], command: c.Zone) -> Page | Notice:
    """Times are shown in that zone from this very answer on."""
    zone = command.zone
    if isinstance(zone, c.Unclear):
        nearest = tuple(format_command(c.Zone(name)) for name in zone.suggestions)
        refusal = Refusal(zone.code, zone.written, nearest)
        return ZoneUnclear(refusal)
    if talk.seat.person_id is not None:
        await talk.work.people.set_time_zone(talk.seat.person_id, zone)
    return notice_page(ZoneSet(), talk.page_table(), dataclasses.replace(talk.reader, zone=zone))


async def _language(talk: Conversation[Player], command: c.Language) -> Page | Notice:
    """Dates are written in that language from this very answer on; all else stays English."""
    language = command.code
    if isinstance(language, c.Unclear):
        return LanguageUnclear(language.written, language.suggestions)
    if talk.seat.person_id is not None:
        await talk.work.people.set_locale(talk.seat.person_id, language)
    return notice_page(
        LanguageSet(language_name(language)),
        talk.page_table(),
        dataclasses.replace(talk.reader, locale=language),
    )


async def _leave(talk: Conversation[Player], command: c.AnyCommand) -> Page | Notice:
    """A game that runs is not left like a table that has not begun."""
    if talk.table.game.status in ("over", "ended"):
        return GameOver()
    return LeaveExplained(is_out=talk.seat.status == "eliminated")


async def _resign(talk: Conversation[Player], command: c.Resign) -> Page | Notice | None:
    """A question whose yes gives the seat up."""
    told = await _leave(talk, command)
    if talk.table.game.status in ("over", "ended") or talk.seat.status != "active":
        return told
    await talk.ask(partial(ask_to_resign, talk), told)
    return None


async def _inquire(talk: Conversation[Player], command: c.AnyCommand) -> Page | None:
    if talk.person_id is None:
        return None
    return await answer_inquiry(talk, talk.person_id, command)


async def _veterans(talk: Conversation[Player], command: c.Veterans) -> Notice:
    """What an old judge's word is called here; for the word alone, all of them with ours."""
    return OldWords(command.old, tuple(LIST.items()), version("pbem"))


async def _press(talk: Conversation[Player], command: PressWord) -> Page | Notice:
    return await answer_press_word(talk, command)


async def _why(talk: Conversation[Player], command: c.Why) -> Page:
    return await answer_why(talk, command.question)


def _view(talk: Conversation[Player]) -> Any:
    return view_at(talk.table, talk.seat.number, talk.now())


async def _last_picture(talk: Conversation[Player]) -> int | None:
    for row in await talk.work.outbox.list_last_of_seat(talk.seat.id, BOARD_KINDS, limit=6):
        if row.picture_id is not None:
            return row.picture_id
    return None


WORDS: Mapping[type[c.AnyCommand], Answer] = {
    c.Status: _status,
    c.Players: _status,
    c.ShowMap: _map,
    c.TextBoard: _map,
    c.Orders: _orders,
    c.History: _history,
    c.Happened: _happened,
    c.Help: _help,
    c.HelpOrders: _help,
    c.Rule: _rule,
    c.Why: _why,
    c.WhatIf: answer_what_if,
    c.Preview: answer_preview,
    c.Resend: _resend,
    c.Zone: _zone,
    c.Language: _language,
    **dict.fromkeys(INQUIRIES, _inquire),
    c.Wait: answer_wait,
    c.NoWait: answer_nowait,
    c.Away: answer_away,
    c.Absences: answer_absences,
    c.MoreTime: answer_more_time,
    c.Vote: answer_vote,
    c.Deadlines: answer_deadlines,
    c.Veterans: _veterans,
    c.Leave: _leave,
    c.Resign: _resign,
    **dict.fromkeys(PRESS_WORDS, _press),
    c.Record: answer_record,
    **PEOPLE_WORDS,
}

"""Groups: the public side of a table. They get bulletins, and answer what everybody may know;
orders are never taken there.

A group belongs to a table once its game master has bound it with a one-time code, from their own
account.
"""

import asyncio
import re
from datetime import timedelta
from typing import Any

import msgspec
from rapidfuzz.fuzz import ratio

from engine.ruleset import Standing
from pbem.desk.chat.commands import COMMANDS, MINE, argument_of, without_slash
from pbem.desk.chat.links import GROUP, fault_of, hash_of, keep_link, make_link, read_bot
from pbem.desk.chat.writing import note_letter
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.letter import ChatButton, NewLetter
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.letters.outgoing import queue_letter, say_note
from pbem.desk.letters.posting import gm_letters, read_recipients
from pbem.desk.messages.naming import parse_named
from pbem.desk.people.masters import games_run_by, masters_of_table
from pbem.desk.ports import Services
from pbem.desk.table import OpenTable, house_table, load_table, page_table
from pbem.desk.updates.entering import offer_entrance
from pbem.grammar.gm.lines import slug_of
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Item
from pbem.grammar.press import opens_press
from pbem.pages.page import Page, Reader
from pbem.store.repositories.chats import ChatRow
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.inbox import InboxRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work
from pbem.telegram.text import deep_link
from pbem.telegram.updates import Joined, Said

GROUP_NOTE = "group-note"
PRIVATELY = "group-in-private"
SCOLDED = "orders-in-group"
SCOLDED_A_DAY = 5
PUBLIC_PICTURES = ("bulletin", "turn", "ending")
"""Letters whose board everybody gets alike."""
EVERY = timedelta(days=1)
QUOTED_LINES = 12
ALIKE = 75.0
"""From what likeness (of 100) to an order on a line of a group is one."""
PROSE = frozenset({"no-order", "not-understood"})
_LETTERS = re.compile(r"[^\W\d_]+")


async def take_said_in_group(work: Work, services: Services, row: InboxRow, said: Said) -> Handled:
    """Answer what is public; say in private, a few times a day, that orders and letters do not
    belong there.
    """
    chat = await work.chats.find(TELEGRAM, str(said.chat_id))
    person = await work.people.find_by_address(TELEGRAM, str(said.user_id))
    if said.command in ("bind", "start"):
        return await _bind(work, services, row, said, person)
    table = await _table_of(work, services, chat)
    if table is None:
        return Handled("said-in-group", ignored=True)
    match said.command:
        case "status" | "map" | "board" | "who" | "players":
            return await _show(work, services, row, said, table)
        case "help":
            return await _help(work, services, row, said, table)
        case "join":
            return await _offer_seat(work, services, row, said, table)
    if person is not None and await _scold(work, services, row, said, table, person):
        return Handled("orders-in-group", game_id=table.game.id)
    if said.command in COMMANDS:
        return await _point_to_private(work, services, row, said, table)
    return Handled("said-in-group", ignored=True)


async def _table_of(work: Work, services: Services, chat: ChatRow | None) -> OpenTable | None:
    game = (
        await work.games.find(chat.game_id)
        if chat is not None and chat.game_id is not None
        else None
    )
    return await load_table(work, services.games, game) if game is not None else None


async def _bind(
    work: Work, services: Services, row: InboxRow, said: Said, person: PersonRow | None
) -> Handled:
    """The group belongs to the table of the code, if its game master says so themselves."""
    now, code = services.clock.now(), argument_of(said)
    if not code:
        if said.command == "bind":
            await _note(
                work,
                services,
                row,
                said,
                services.chat_pages.group_not_bound(
                    house_table(services.policy, now), _everybody(services), "how"
                ),
            )
        return Handled("group-no-code", ignored=True)
    link = await work.links.find(hash_of(code))
    why = fault_of(link, GROUP, now)
    if why is None and link is not None and (person is None or link.person_id != person.id):
        why = "not-master"
    game = (
        await work.games.find(link.game_id)
        if why is None and link is not None and link.game_id is not None
        else None
    )
    known = await work.chats.find(TELEGRAM, str(said.chat_id))
    before = await _table_of(work, services, known)
    if before is not None and (
        game is None or before.game.id == game.id or before.game.status in ("over", "ended")
    ):
        before = None
    if why is None and before is not None and not await _runs(work, services, person, before):
        why = "other-table"
    if why is None and (
        link is None or game is None or not await work.links.use(link.id, str(said.chat_id), now)
    ):
        why = "used"
    if why is not None or game is None:
        await _note(
            work,
            services,
            row,
            said,
            services.chat_pages.group_not_bound(
                house_table(services.policy, now), _everybody(services), why or "used"
            ),
        )
        return Handled(f"group-{why}", ignored=True)
    chat_id = await work.chats.put(
        TELEGRAM, str(said.chat_id), title=known.title if known else "", state="active", since=now
    )
    await work.chats.belong(chat_id, game.id)
    table = await load_table(work, services.games, game)
    await _note(
        work,
        services,
        row,
        said,
        services.chat_pages.group_bound(
            page_table(table, services.policy, now), _everybody(services)
        ),
        game=game,
    )
    if before is not None and known is not None:
        await _tell_masters_lost(
            work, services, before, known.title, f"group-moved:{row.id}", now_of=game.title
        )
    return Handled("group-bound", game_id=game.id)


async def _runs(work: Work, services: Services, person: PersonRow | None, table: OpenTable) -> bool:
    return person is not None and any(
        master.person_id == person.id
        for master in await masters_of_table(work, services.policy, table.game.id)
    )


def _everybody(services: Services, zone: str | None = None) -> Reader:
    return Reader(None, "everybody", zone or services.policy.zone, is_group=True)


async def _note(
    work: Work,
    services: Services,
    row: InboxRow,
    said: Said,
    page: Page,
    *,
    game: GameRow | None = None,
    button: ChatButton | None = None,
    picture_id: int | None = None,
) -> None:
    """An answer to a group, a few a day."""
    letter = note_letter(
        services,
        page,
        chat_id=str(said.chat_id),
        to_name="",
        key=str(row.id),
        reply_to=said.message_id,
        kind=GROUP_NOTE,
        game=game,
    )
    await say_note(work, services, with_button(letter, button, picture_id))


def with_button(
    letter: NewLetter, button: ChatButton | None, picture_id: int | None = None
) -> NewLetter:
    """The same letter with a button that opens a link, and a picture."""
    return msgspec.structs.replace(
        letter, buttons=((button,),) if button is not None else (), picture_id=picture_id
    )


async def _show(
    work: Work, services: Services, row: InboxRow, said: Said, table: OpenTable
) -> Handled:
    """The status or the board as everybody may know them."""
    if table.state is None:
        return Handled("group-not-begun", ignored=True)
    now, rules, pages = services.clock.now(), table.kind.ruleset, table.kind.pages
    view: Any = rules.view(table.state, None)
    is_of_people = said.command in ("status", "who", "players")
    picture = (
        await work.outbox.last_picture_of(table.game.id, PUBLIC_PICTURES)
        if said.command == "map"
        else None
    )
    facts = page_table(table, services.policy, now, has_picture=picture is not None)
    reader = _everybody(services, table.settings.zone)
    if is_of_people:
        page = await asyncio.to_thread(pages.status, facts, reader, view, Standing())
    else:
        page = await asyncio.to_thread(pages.map_page, facts, reader, view)
    await _note(work, services, row, said, page, game=table.game, picture_id=picture)
    return Handled("group-answered", game_id=table.game.id)


async def _help(
    work: Work, services: Services, row: InboxRow, said: Said, table: OpenTable
) -> Handled:
    """What is answered in a group, and where the rest belongs."""
    facts, reader = (
        page_table(table, services.policy, services.clock.now()),
        _everybody(services, table.settings.zone),
    )
    page = services.chat_pages.group_help(facts, reader)
    await _note(
        work,
        services,
        row,
        said,
        page,
        game=table.game,
        button=await _private_button(work, services, table),
    )
    return Handled("group-answered", game_id=table.game.id)


async def _private_button(work: Work, services: Services, table: OpenTable) -> ChatButton | None:
    """Leads to the chat with the bot."""
    bot = await read_bot(work)
    return (
        ChatButton(
            services.chat_pages.words("in_private"), url=deep_link(bot, f"{MINE}{table.game.id}")
        )
        if bot is not None
        else None
    )


async def _offer_seat(
    work: Work, services: Services, row: InboxRow, said: Said, table: OpenTable
) -> Handled:
    """A button that leads to the private chat, and there to a seat; while the table is open."""
    now, bot = services.clock.now(), await read_bot(work)
    facts, reader = (
        page_table(table, services.policy, now),
        _everybody(services, table.settings.zone),
    )
    if bot is None or table.game.join_code is None or table.game.status != "open":
        await _note(
            work,
            services,
            row,
            said,
            services.chat_pages.join_closed(facts, reader),
            game=table.game,
        )
        return Handled("group-join-closed", game_id=table.game.id)
    button = ChatButton(
        services.chat_pages.words("join", title=table.game.title),
        url=await offer_entrance(work, services, bot, table.game, now),
    )
    await _note(
        work,
        services,
        row,
        said,
        services.chat_pages.join_in_group(facts, reader),
        game=table.game,
        button=button,
    )
    return Handled("group-join", game_id=table.game.id)


async def _scold(
    work: Work, services: Services, row: InboxRow, said: Said, table: OpenTable, person: PersonRow
) -> bool:
    """Whether it was orders, or a letter to one player: then whoever wrote is told in private, and
    nothing is taken.
    """
    seat = next((seat for seat in table.seats if seat.person_id == person.id), None)
    if seat is None or table.state is None or not said.text.strip():
        return False
    now, address = services.clock.now(), str(said.user_id)
    reader = Reader(seat.number, seat.name, person.time_zone, person.locale)
    letter = (
        COMMANDS["press"](argument_of(said)) if said.command == "press" else without_slash(said)
    )
    if opens_press(letter.partition("\n")[0]):
        page = services.chat_pages.press_in_group(page_table(table, services.policy, now), reader)
    else:
        quotes = await _orders_in(services, table, seat, said)
        if not quotes:
            return False
        page = services.chat_pages.orders_in_group(
            page_table(table, services.policy, now), reader, quotes[:QUOTED_LINES]
        )
    if (
        await work.outbox.count_to_address_since(TELEGRAM, address, (SCOLDED,), now - EVERY)
        < SCOLDED_A_DAY
    ):
        note = note_letter(
            services,
            page,
            chat_id=address,
            to_name=seat.name,
            key=str(row.id),
            kind=SCOLDED,
            person_id=person.id,
            game=table.game,
        )
        await queue_letter(work, note, now)
    return True


async def _orders_in(services: Services, table: OpenTable, seat: SeatRow, said: Said) -> list[str]:
    """The lines of a message that are orders, legal or not, behind the table's name and behind a
    slash too: what a command means, or else what stands behind it.
    """
    meant = COMMANDS.get(said.command or "")
    for text in (
        (meant(argument_of(said)), argument_of(said))
        if meant is not None
        else (without_slash(said),)
    ):
        named = parse_named(text, (table.game,))
        reading = await services.apart.run(
            table.kind.read,
            table.state,
            seat.number,
            Standing(),
            named[1] if named is not None else text,
        )
        if quotes := [
            item.quote for item in reading.items if item.orders or _reads_like_an_order(item)
        ]:
            return quotes
    return []


def _reads_like_an_order(item: Item) -> bool:
    """Whether the words are an order that cannot be. What only has a place or a verb in it is talk,
    of which a group is full.
    """
    if (
        item.texts
        or item.suggestion is None
        or all(problem.code in PROSE for problem in item.problems)
    ):
        return bool(item.texts)
    written, meant = fold(item.quote), fold(item.suggestion.text)
    return ratio(written, meant) >= ALIKE or {
        word for word in _LETTERS.findall(written) if len(word) > 1
    } <= set(_LETTERS.findall(meant))


async def _point_to_private(
    work: Work, services: Services, row: InboxRow, said: Said, table: OpenTable
) -> Handled:
    """What is nobody else's business: one line for all to read, and a button that leads to the
    private chat.
    """
    facts, reader = (
        page_table(table, services.policy, services.clock.now()),
        _everybody(services, table.settings.zone),
    )
    letter = note_letter(
        services,
        services.chat_pages.in_private(facts, reader),
        chat_id=str(said.chat_id),
        to_name="",
        key=str(row.id),
        reply_to=said.message_id,
        kind=PRIVATELY,
        game=table.game,
    )
    await say_note(
        work, services, with_button(letter, await _private_button(work, services, table))
    )
    return Handled("group-in-private", game_id=table.game.id)


async def offer_group(
    work: Work, services: Services, row: InboxRow, said: Said, person: PersonRow
) -> Handled:
    """A game master asks in private how a group is bound to a table of theirs."""
    now, bot = services.clock.now(), await read_bot(work)
    if bot is None:
        return Handled("no-bot", ignored=True)
    reader = Reader(None, person.name, person.time_zone, person.locale)
    runs = await games_run_by(work, services.policy, person.id)
    games = [
        game
        for game in await work.games.list_by_status("open", "running", "paused")
        if runs is None or game.id in runs
    ]
    wanted = slug_of(argument_of(said))
    found = (
        [game for game in games if wanted in (game.slug, slug_of(game.title))] if wanted else games
    )
    if len(found) != 1:
        page = services.chat_pages.which_group(
            house_table(services.policy, now), reader, [game.slug for game in games]
        )
        game = None
    else:
        (game,) = found
        link = make_link(
            services.key,
            bot,
            GROUP,
            about=f"bind:{row.id}",
            now=now,
            person_id=person.id,
            game_id=game.id,
        )
        await keep_link(work, link.kept, now)
        table = page_table(await load_table(work, services.games, game), services.policy, now)
        page = services.chat_pages.group_code(
            table, reader, link.url, link.code, link.kept.expires_at
        )
    letter = note_letter(
        services,
        page,
        chat_id=str(said.user_id),
        to_name=person.name,
        key=str(row.id),
        reply_to=said.message_id,
        person_id=person.id,
        game=game,
    )
    await say_note(work, services, letter)
    return Handled("group-offered", game_id=game.id if game is not None else None)


async def take_joined(work: Work, services: Services, row: InboxRow, joined: Joined) -> Handled:
    """Where we may write has changed."""
    now, address = services.clock.now(), str(joined.chat_id)
    match joined.change:
        case "migrated" if joined.migrated_to is not None:
            await work.chats.move(TELEGRAM, address, str(joined.migrated_to))
            await work.outbox.readdress(TELEGRAM, address, str(joined.migrated_to), now)
        case "added":
            await work.chats.put(
                TELEGRAM, address, title=joined.chat_title[:100], state="active", since=now
            )
        case "removed":
            await _leave(work, services, row, address, joined)
    return Handled(f"chat:{joined.change}", ignored=True)


async def _leave(
    work: Work, services: Services, row: InboxRow, address: str, joined: Joined
) -> None:
    """We were put out: nothing is sent there any more, and the game masters are told. It has to be
    bound anew.
    """
    now, known = services.clock.now(), await work.chats.find(TELEGRAM, address)
    chat_id = await work.chats.put(
        TELEGRAM, address, title=joined.chat_title[:100], state="left", since=now
    )
    await work.outbox.withhold_for_address(TELEGRAM, address, "chat-closed")
    table = await _table_of(work, services, known)
    if table is None:
        return
    await work.chats.belong(chat_id, None)
    await _tell_masters_lost(work, services, table, joined.chat_title[:100], f"group-left:{row.id}")


async def _tell_masters_lost(
    work: Work, services: Services, table: OpenTable, title: str, key: str, *, now_of: str = ""
) -> None:
    """To the game masters of a table whose group it is no more; `now_of`: the table that the group
    speaks of instead.
    """
    now = services.clock.now()
    facts, desk = (
        page_table(table, services.policy, now),
        await read_recipients(work, services, table),
    )
    for letter in gm_letters(
        services,
        table,
        desk,
        lambda reader: services.chat_pages.group_left(facts, reader, title, now_of),
        kind="gm-group-left",
        dedupe_key=key,
    ):
        await queue_letter(work, letter, now)

"""Groups: the public side of a table. They get bulletins, and answer what everybody may know;
orders are never taken there.
"""

import asyncio
from datetime import timedelta

from engine.ruleset import Standing
from pbem.desk.chat.commands import MINE, argument_of, meant_by, without_slash
from pbem.desk.chat.links import read_bot
from pbem.desk.envelope.letter import ChatButton
from pbem.desk.envelope.message import TELEGRAM, Handled
from pbem.desk.envelope.recipients import Recipient
from pbem.desk.hours import view_at
from pbem.desk.letters.bounces import reopen_group
from pbem.desk.letters.post import Addressee
from pbem.desk.letters.queue import queue_letter, say_note
from pbem.desk.messages.conversation import Conversation
from pbem.desk.messages.table_names import parse_named
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, page_reader, page_table
from pbem.desk.updates.bindings import (
    bind_group,
    group_at,
    say_to_group,
    table_of_group,
    with_button,
)
from pbem.desk.updates.links import offer_entrance
from pbem.grammar.house.reading import read_alone
from pbem.grammar.press import opens_press
from pbem.pages.chat import (
    AnsweredInPrivate,
    GroupHelp,
    JoinClosed,
    JoinInGroup,
    OrdersInGroup,
    PressInGroup,
    button_words,
)
from pbem.pages.notice import Notice
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.telegram.text import deep_link
from pbem.telegram.updates import Said

PRIVATELY = "group-in-private"
SCOLDED = "orders-in-group"
SCOLDED_A_DAY = 5
PUBLIC_PICTURES = ("bulletin", "turn", "ending")
"""Letters whose board everybody gets alike."""
EVERY = timedelta(days=1)
SPEAKS_AGAIN = timedelta(minutes=1)
"""So soon after somebody has spoken in a group that refused us we try again."""
QUOTED_LINES = 12


async def take_said_in_group(talk: Conversation[object], said: Said) -> Handled:
    """Answer what is public; say in private, a few times a day, that orders and letters do not
    belong there.
    """
    chat = await talk.work.chats.find(TELEGRAM, str(said.chat_id))
    person = await talk.work.people.find_by_address(TELEGRAM, str(said.user_id))
    if said.command in ("bind", "start"):
        return await bind_group(talk, said, person)
    table = await table_of_group(talk, chat)
    await reopen_group(talk.work, chat, talk.now() + SPEAKS_AGAIN)
    if table is None:
        return Handled("said-in-group", ignored=True)
    match said.command:
        case "status" | "map" | "board" | "who" | "players":
            return await _show(talk, said, table)
        case "help":
            return await _help(talk, said, table)
        case "join":
            return await _offer_seat(talk, said, table)
    if person is not None and await _scold(talk, said, table, person):
        return Handled("orders-in-group", game_id=table.game.id)
    if meant_by(said) is not None:
        return await _point_to_private(talk, said, table)
    return Handled("said-in-group", ignored=True)


async def _show(talk: Conversation[object], said: Said, table: OpenTable) -> Handled:
    """The status or the board as everybody may know them."""
    if table.state is None:
        return Handled("group-not-begun", ignored=True)
    now, pages = talk.now(), table.kind.pages
    view = view_at(table, None, now)
    is_of_people = said.command in ("status", "who", "players")
    picture = (
        await talk.work.outbox.last_picture_of(table.game.id, PUBLIC_PICTURES)
        if said.command == "map"
        else None
    )
    facts = page_table(table, talk.services, has_picture=picture is not None)
    reader = group_at(talk.services, said, table).reader
    if is_of_people:
        page = await asyncio.to_thread(pages.status, facts, reader, view, Standing())
    else:
        page = await asyncio.to_thread(pages.map_page, facts, reader, view)
    await say_to_group(talk, said, page, table, picture_id=picture)
    return Handled("group-answered", game_id=table.game.id)


async def _help(talk: Conversation[object], said: Said, table: OpenTable) -> Handled:
    """What is answered in a group, and where the rest belongs."""
    button = await _private_button(talk, table)
    await say_to_group(talk, said, GroupHelp(), table, button=button)
    return Handled("group-answered", game_id=table.game.id)


async def _private_button(tx: Transaction[Context], table: OpenTable) -> ChatButton | None:
    """Leads to the chat with the bot."""
    bot = await read_bot(tx.work)
    return (
        ChatButton(button_words("in_private"), url=deep_link(bot, f"{MINE}{table.game.id}"))
        if bot is not None
        else None
    )


async def _offer_seat(talk: Conversation[object], said: Said, table: OpenTable) -> Handled:
    """A button that leads to the private chat, and there to a seat; while the table is open."""
    bot = await read_bot(talk.work)
    if bot is None or table.game.join_code is None or table.game.status != "open":
        await say_to_group(talk, said, JoinClosed(), table)
        return Handled("group-join-closed", game_id=table.game.id)
    button = ChatButton(
        button_words("join", title=table.game.title),
        url=await offer_entrance(talk, bot, table.game),
    )
    await say_to_group(talk, said, JoinInGroup(), table, button=button)
    return Handled("group-join", game_id=table.game.id)


async def _scold(
    talk: Conversation[object], said: Said, table: OpenTable, person: PersonRow
) -> bool:
    """Whether it was orders, or a letter to one player: then the person who wrote is told in
    private, and nothing is taken.
    """
    seat = next((seat for seat in table.seats if seat.person_id == person.id), None)
    if seat is None or table.state is None or not said.text.strip():
        return False
    address = str(said.user_id)
    letter = (meant_by(said) if said.command == "press" else None) or without_slash(said)
    if opens_press(letter.partition("\n")[0]):
        told: Notice = PressInGroup()
    else:
        quotes = await _orders_in(talk.services, table, seat, said)
        if not quotes:
            return False
        told = OrdersInGroup(quotes[:QUOTED_LINES])
    if not await talk.has_had(TELEGRAM, address, SCOLDED, most=SCOLDED_A_DAY, within=EVERY):
        to = Recipient(address, seat.name, person.id, game=table.game)
        reader = page_reader(seat, person, table.settings.zone)
        who = Addressee(talk.services, to, reader, page_table(table, talk.services))
        await queue_letter(talk, who.note(told, str(talk.row.id), kind=SCOLDED))
    return True


async def _orders_in(context: Context, table: OpenTable, seat: SeatRow, said: Said) -> list[str]:
    """The lines of a message that are orders, legal or not, behind the table's name and behind a
    slash too: what a command means, or else what stands behind it.
    """
    meant = meant_by(said)
    for text in (meant, argument_of(said)) if meant is not None else (without_slash(said),):
        named = parse_named(text, (table.game,))
        reading = await context.apart.run(
            table.reader(read_alone, seat.number, Standing()),
            named.rest if named is not None else text,
        )
        if quotes := [item.quote for item in reading.items if item.is_order]:
            return quotes
    return []


async def _point_to_private(talk: Conversation[object], said: Said, table: OpenTable) -> Handled:
    """What is nobody else's business: one line for all to read, and a button that leads to the
    private chat.
    """
    group, key = group_at(talk.services, said, table), str(talk.row.id)
    letter = group.note(AnsweredInPrivate(), key, kind=PRIVATELY, reply_to=said.message_id)
    await say_note(talk, with_button(letter, await _private_button(talk, table)))
    return Handled("group-in-private", game_id=table.game.id)

"""Links that bind a Telegram account to a person, or seat somebody at a table.

A link that binds is used once, goes to the person's mail address, and binds the numeric id alone.
Who follows it is told in the chat, and the mail address hears of it with the word that undoes it.
An account is one person's only, and a person has one. The link of a table seats the person who
follows it, while the table waits for players.
"""

from datetime import timedelta

import msgspec

from pbem.desk.chat.inbound import message_of_said
from pbem.desk.chat.links import ENTER, PERSON, chat_of, fault_of, hash_of, keep_links, make_link
from pbem.desk.envelope.letter import NewLetter, NewLink
from pbem.desk.envelope.message import MAIL, TELEGRAM, Handled
from pbem.desk.letters.post import master_at, person_at, player_at
from pbem.desk.letters.queue import queue_letter, say_note
from pbem.desk.lobby import ask_joiner
from pbem.desk.messages.conversation import Conversation, Visitor, begin_conversation
from pbem.desk.people.masters import find_master
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, load_table, mail_address_of
from pbem.pages.chat import ChatLinked, ChatLinkedTold, ChatMovedAway, JoinClosed, LinkRefused
from pbem.pages.notice import Notice
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.telegram.text import deep_link
from pbem.telegram.updates import Said

LINKED = "telegram-linked"


async def follow_link(talk: Conversation[object], said: Said, code: str) -> Handled:
    """Somebody pressed Start behind a link."""
    now, chat_id = talk.now(), str(said.user_id)
    link = await talk.work.links.find(hash_of(code))
    known = await talk.work.people.find_by_address(TELEGRAM, chat_id)
    why = fault_of(link, PERSON, now)
    person = (
        await talk.work.people.find(link.person_id) if why is None and link is not None else None
    )
    if known is not None and link is not None and link.person_id == known.id:
        await talk.work.people.confirm_address(TELEGRAM, chat_id)
        why = "known"
    elif known is not None and why is None:
        why = "taken"
    elif why is None and (
        person is None or link is None or not await talk.work.links.use(link.id, chat_id, now)
    ):
        why = "unknown" if person is None else "used"
    if why is not None or person is None:
        await say_note(talk, _note(talk, said, LinkRefused(why or "unknown"), known))
        return Handled(f"link-{why or 'unknown'}", ignored=known is None)
    await _bind(talk, said, person)
    return Handled("linked")


async def _bind(talk: Conversation[object], said: Said, person: PersonRow) -> None:
    chat_id = str(said.user_id)
    before = await chat_of(talk.work, person.id)
    if before is not None:
        former = person_at(talk.services, person, before)
        await queue_letter(talk, former.note(ChatMovedAway(), f"moved:{talk.row.id}"))
        await talk.work.people.remove_address(person.id, TELEGRAM, before)
    await talk.work.links.withdraw(person.id, PERSON, talk.now())
    await talk.work.people.add_address(person.id, TELEGRAM, chat_id, "confirmed")
    seats = [
        seat for seat in await talk.work.seats.list_of_person(person.id) if seat.status != "left"
    ]
    titles = []
    for seat in seats:
        game = await talk.work.games.find(seat.game_id)
        if game is not None and game.status not in ("over", "ended"):
            titles.append(game.title)
    runs_tables = await talk.work.masters.find(person.id) is not None
    told = ChatLinked(titles, runs_tables=runs_tables)
    await queue_letter(talk, _note(talk, said, told, person))
    await _tell_mail(talk, said, person, seats)


async def _tell_mail(
    talk: Conversation[object], said: Said, person: PersonRow, seats: list[SeatRow]
) -> None:
    """The mail address hears of it; an answer to that letter is proof, so that it can undo what
    somebody else did.
    """
    address = await mail_address_of(talk.work, person.id)
    if address is None:
        return
    key, name = f"{LINKED}:{talk.row.id}", said.user_name or str(said.user_id)
    seat = next(iter(seats), None)
    game = await talk.work.games.find(seat.game_id) if seat is not None else None
    master = await find_master(talk.work, talk.services.policy, person.id)
    if seat is not None and game is not None:
        table = await load_table(talk, game)
        owner = player_at(talk.services, table, seat, person, address)
    elif master is not None:
        owner = master_at(talk.services, master)
    else:
        owner = person_at(talk.services, person, address)
    letter = owner.letter(ChatLinkedTold(name), LINKED, key)
    await queue_letter(talk, msgspec.structs.replace(letter, only=MAIL))


def _note(
    talk: Conversation[object],
    said: Said,
    told: Notice,
    person: PersonRow | None,
    table: OpenTable | None = None,
) -> NewLetter:
    who = person_at(talk.services, person, str(said.user_id), table, said.user_name)
    return who.note(told, str(talk.row.id), reply_to=said.message_id)


LOBBY = "telegram-lobby"
"""What the link is for."""
LIVES = timedelta(days=90)
"""Where a table has no end of its own to its wait for players."""


async def offer_entrance(tx: Transaction[Context], bot: str, game: GameRow) -> str:
    """The address of the button; the same for everybody, as long as the table waits for players."""
    now = tx.now()
    made = make_link(
        tx.services.key,
        bot,
        LOBBY,
        about=f"lobby:{game.created_at.isoformat()}",
        now=now,
        person_id=None,
        game_id=game.id,
    )
    kept = NewLink(made.kept.code_hash, LOBBY, game.expires_at or now + LIVES, None, game.id)
    await keep_links(tx.work, (kept,), now)
    return deep_link(bot, f"{ENTER}{made.code}")


async def follow_entrance(talk: Conversation[object], said: Said, code: str) -> Handled:
    """Somebody pressed Start behind the button: they sit down, as with the join code, while the
    table is open.
    """
    now = talk.now()
    link = await talk.work.links.find(hash_of(code))
    why = fault_of(link, LOBBY, now)
    is_of_table = link is not None and link.purpose == LOBBY
    game = await talk.work.games.find(link.game_id) if link is not None and is_of_table else None
    person = await talk.work.people.find_by_address(TELEGRAM, str(said.user_id))
    if why is None and game is not None and game.status == "open" and game.join_code is not None:
        mail = message_of_said(said, f"join {game.join_code}")
        joiner = begin_conversation(talk, talk.row, mail, Visitor(person, True), person)
        return await ask_joiner(joiner, ((game.join_code, ""),))
    table = await load_table(talk, game) if game is not None else None
    told = JoinClosed() if table is not None else LinkRefused("no-entrance")
    await say_note(talk, _note(talk, said, told, person, table))
    return Handled("entrance-closed", ignored=True, game_id=game.id if game is not None else None)

"""What an update is besides a message: a tap, a link followed, a group joined. What is a plain
message goes the way of all messages. Where somebody else takes the bot's updates, we stop, and the
game masters are told.
"""

from datetime import timedelta

from pbem.desk.chat.commands import JOIN, MINE, TAKE
from pbem.desk.chat.inbound import message_of_update
from pbem.desk.chat.links import ENTER, read_bot
from pbem.desk.envelope.message import TELEGRAM, Disposal, Handled
from pbem.desk.letters.deliver_chat import close_chat, reopen_chat
from pbem.desk.letters.post import master_at, person_at
from pbem.desk.letters.queue import queue_letter
from pbem.desk.messages.conversation import Conversation, begin_conversation
from pbem.desk.people.masters import list_masters
from pbem.desk.ports import Context, Desk, Transaction
from pbem.desk.updates.answers import may_answer, take_answer
from pbem.desk.updates.bindings import offer_group, take_joined
from pbem.desk.updates.groups import take_said_in_group
from pbem.desk.updates.links import follow_entrance, follow_link
from pbem.desk.updates.taps import take_tap
from pbem.pages.chat import BotStopped, NotOwnWords
from pbem.store.repositories.marks import TELEGRAM_STOPPED
from pbem.store.work import Work
from pbem.telegram.updates import Joined, Said, Tapped, Unreadable, Update

BLOCKED = "the bot was stopped by its user"
NOT_OWN = "not-own"
NOT_OWN_EVERY = timedelta(days=1)
REPEATED = ("forward", "via-bot")
"""Why the words of a message are not the sender's own, though a player may think so."""


class BentUpdateError(Exception):
    """Telegram has sent what its own rules do not know. Perhaps somebody said something: it is laid
    aside, and a game master hears.
    """


def is_said_privately(update: Update) -> bool:
    """Whether somebody wrote words to the bot alone: who they are matters then."""
    return isinstance(update, Said) and update.chat_kind == "private"


def is_plain(update: Update) -> bool:
    """Whether it is words and cannot be more: no link followed, no answer to a question."""
    return (
        isinstance(update, Said)
        and update.chat_kind == "private"
        and update.sent_for_others is None
        and update.addressed_to is None
        and update.command not in ("start", "bind")
        and not may_answer(message_of_update(update))
    )


async def welcome_back(tx: Transaction[Context], update: Update | None) -> None:
    """The person who writes or taps is reached again in a chat that was closed to us."""
    if (
        isinstance(update, Said | Tapped)
        and update.chat_kind == "private"
        and update.user_id == update.chat_id
    ):
        await reopen_chat(tx, str(update.chat_id))


async def take_update(talk: Conversation[object], update: Update) -> Disposal | None:
    """Deal with an update; None: it is a private message, to be handled as any other."""
    match update:
        case Unreadable(
            why="too-big" | "not-json" | "not-an-update" | "bent" as why, detail=detail
        ):
            raise BentUpdateError(f"{why} {detail}".rstrip())
        case Unreadable(why=why):
            return Handled(f"unreadable:{why}", ignored=True)
        case Said(sent_for_others=str() as reason):
            if reason in REPEATED and update.chat_kind == "private":
                await _tell_not_own(talk, update)
            return Handled(f"not-own:{reason}", ignored=True)
        case Said(addressed_to=str() as bot) if (
            bot != (await read_bot(talk.work) or bot).casefold()
        ):
            return Handled("for-another-bot", ignored=True)
        case Said(chat_kind="private"):
            return await _take_private(talk, update)
        case Said():
            return await take_said_in_group(talk, update)
        case Tapped():
            return await take_tap(talk, update)
        case Joined(change="blocked", chat_kind="private"):
            await close_chat(
                talk,
                str(update.chat_id),
                BLOCKED,
                game_id=await _game_of(talk.work, update),
            )
            return Handled("chat:blocked", ignored=True)
        case Joined(change="unblocked", chat_kind="private"):
            await reopen_chat(talk, str(update.chat_id))
            return Handled("chat:unblocked", ignored=True)
        case Joined():
            return await take_joined(talk, update)


async def _take_private(talk: Conversation[object], said: Said) -> Disposal | None:
    """What only a chat has: a link that binds it, a game master's wish for a group, and an answer
    that names no code.
    """
    payload = said.start_payload or ""
    if said.command == "start" and payload.startswith(ENTER):
        return await follow_entrance(talk, said, payload.removeprefix(ENTER))
    if said.command == "start" and payload and not payload.startswith((JOIN, MINE, TAKE)):
        return await follow_link(talk, said, payload)
    if said.command == "bind":
        person = await talk.work.people.find_by_address(TELEGRAM, str(said.user_id))
        if person is not None and await talk.work.masters.find(person.id) is not None:
            return await offer_group(talk, said, person)
    mail = message_of_update(said)
    return await take_answer(begin_conversation(talk, talk.row, mail, None, None))


async def _tell_not_own(talk: Conversation[object], said: Said) -> None:
    """To somebody we know, once a day: what is forwarded, or made by another bot, is not taken."""
    chat_id = str(said.chat_id)
    person = (
        await talk.work.people.find_by_address(TELEGRAM, chat_id)
        if said.user_id == said.chat_id
        else None
    )
    if person is None or await talk.has_had(TELEGRAM, chat_id, NOT_OWN, within=NOT_OWN_EVERY):
        return
    who = person_at(talk.services, person, chat_id)
    note = who.note(NotOwnWords(), str(talk.row.id), kind=NOT_OWN, reply_to=said.message_id)
    await queue_letter(talk, note)


async def _game_of(work: Work, update: Joined) -> int | None:
    """A table whose game masters should know that somebody is not reached there any more."""
    person = await work.people.find_by_address(TELEGRAM, str(update.chat_id))
    seats = await work.seats.list_of_person(person.id) if person is not None else []
    return next((seat.game_id for seat in seats if seat.status != "left"), None)


STOPPED = "telegram-stopped"


async def tell_stopped(services: Desk, told: str) -> None:
    """Once a stop. `told` is what Telegram said."""
    now = services.clock.now()
    async with services.write() as tx:
        await tx.work.marks.put(TELEGRAM_STOPPED, now, told[:200])
        for master in await list_masters(tx.work, services.policy):
            key = f"{STOPPED}:{now.isoformat()}:{master.address}"
            letter = master_at(services, master).letter(BotStopped(told), STOPPED, key)
            await queue_letter(tx, letter)

"""Groups that refuse our messages. The game masters hear once what is refused. What can go is sent,
and the rest is tried again until the group takes it, or a day is over.
"""

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta

from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.letters.post import Masters, read_post
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import load_table
from pbem.pages.chat import GroupRefuses
from pbem.store.repositories.post.chats import ChatRow
from pbem.store.work import Work
from pbem.telegram.refusals import Kind

PAUSES_SECONDS = (60, 300, 900, 3600)
"""How long a message waits for a group that refuses it, each time it is tried."""
REFUSED = "gm-group-refuses"
TOLD_A_DAY = 12
A_DAY = timedelta(days=1)
"""The most letters of this kind that a table writes in a day: the owner of a group may give us
rights and take them again and again.
"""
OF_PICTURES = frozenset({"no-pictures"})
OF_TOPICS = frozenset({"topic-closed", "topic-gone"})


def is_group(address: str) -> bool:
    """Whether a chat is a group's."""
    return address.startswith("-")


async def note_refused(tx: Transaction[Context], address: str, kind: Kind) -> None:
    """A group takes nothing from us now."""
    chat = await tx.work.chats.find(TELEGRAM, address)
    if chat is not None:
        await _note(tx, chat, {kind}, allowed=set())


async def note_taken(
    tx: Transaction[Context],
    address: str,
    refused: Collection[Kind],
    *,
    with_picture: bool,
    thread_id: int | None,
) -> None:
    """A group has taken a message, perhaps without its picture or outside of its topic."""
    chat = await tx.work.chats.find(TELEGRAM, address)
    if chat is None:
        return
    in_own_topic = thread_id is not None and thread_id == chat.thread_id
    kinds = set(refused) - (set() if in_own_topic else OF_TOPICS)
    allowed = {"no-words", "removed", "shut", "general-closed"}
    if with_picture:
        allowed |= OF_PICTURES
    if in_own_topic:
        allowed |= OF_TOPICS
    await _note(tx, chat, kinds, allowed=allowed - kinds)


async def reopen_group(work: Work, chat: ChatRow | None, by: datetime) -> None:
    """A group has spoken, or gave us rights: what waits for it is tried again by then. One that an
    earlier version of this program has closed for good is open again.
    """
    if chat is None or chat.game_id is None:
        return
    if chat.state == "left":
        await work.chats.put(TELEGRAM, chat.address, title=chat.title, state="active", since=by)
    if chat.refused is not None:
        await work.outbox.hasten(TELEGRAM, chat.address, by)


async def _note(
    tx: Transaction[Context],
    chat: ChatRow,
    kinds: AbstractSet[str],
    *,
    allowed: AbstractSet[str],
) -> None:
    """A group refuses this, and no longer refuses what is `allowed`. Its game masters hear of what
    they do not know yet.
    """
    now = tx.services.clock.now()
    stays = [kind for kind in chat.refuses if kind not in allowed]
    new = sorted(kinds - set(stays))
    if new or stays != list(chat.refuses):
        await tx.work.chats.refuse(chat.id, [*stays, *new], now if new else chat.refused_at)
    if "topic-gone" in new:
        await tx.work.chats.leave_topic(chat.id)
    for kind in new:
        await _tell_masters(tx, chat, kind, now)


async def _tell_masters(tx: Transaction[Context], chat: ChatRow, kind: str, now: datetime) -> None:
    game = await tx.work.games.find(chat.game_id) if chat.game_id is not None else None
    if game is None:
        return
    table = await load_table(tx, game)
    if await tx.work.outbox.count_of_game_since(game.id, REFUSED, now - A_DAY) >= TOLD_A_DAY:
        return
    post = await read_post(tx, table)
    await post.tell(
        tx.work,
        Masters(),
        GroupRefuses(chat.title, kind),
        REFUSED,
        f"{REFUSED}:{chat.id}:{kind}:{now.isoformat()}",
    )

"""Which table a group belongs to: the one whose game master has bound it with a one-time code, from
their own account.
"""

import msgspec

from pbem.desk.chat.commands import argument_of
from pbem.desk.chat.links import GROUP, fault_of, hash_of, keep_links, make_link, read_bot
from pbem.desk.envelope.letter import ChatButton, NewLetter
from pbem.desk.envelope.message import TELEGRAM, Handled
from pbem.desk.envelope.recipients import Recipient
from pbem.desk.letters.bounces import reopen_group
from pbem.desk.letters.post import Addressee, Masters, facts_around, person_at, read_post
from pbem.desk.letters.queue import say_note
from pbem.desk.messages.conversation import Conversation
from pbem.desk.people.masters import games_run_by, masters_of_table
from pbem.desk.phases.past import BULLETIN
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import OpenTable, load_table
from pbem.grammar.gm.naming import slug_of
from pbem.pages.chat import GroupBound, GroupCode, GroupLeft, GroupNotBound, WhichGroup
from pbem.pages.notice import Notice
from pbem.pages.page import Page, Reader
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.post.chats import ChatRow
from pbem.telegram.updates import Joined, Said

GROUP_NOTE = "group-note"


async def table_of_group(tx: Transaction[Context], chat: ChatRow | None) -> OpenTable | None:
    game = await tx.work.games.find(chat.game_id) if chat is not None else None
    return await load_table(tx, game) if game is not None else None


async def bind_group(talk: Conversation[object], said: Said, person: PersonRow | None) -> Handled:
    """The group belongs to the table of the code, if its game master says so themselves."""
    now, code = talk.now(), argument_of(said)
    if not code:
        if said.command == "bind":
            await say_to_group(talk, said, GroupNotBound("how"))
        return Handled("group-no-code", ignored=True)
    link = await talk.work.links.find(hash_of(code))
    why = fault_of(link, GROUP, now)
    if why is None and link is not None and (person is None or link.person_id != person.id):
        why = "not-master"
    game = await talk.work.games.find(link.game_id) if why is None and link is not None else None
    known = await talk.work.chats.find(TELEGRAM, str(said.chat_id))
    before = await table_of_group(talk, known)
    if before is not None and (
        game is None or before.game.id == game.id or before.game.status in ("over", "ended")
    ):
        before = None
    if why is None and before is not None and not await _runs(talk, person, before):
        why = "other-table"
    if why is None and (
        link is None
        or game is None
        or not await talk.work.links.use(link.id, str(said.chat_id), now)
    ):
        why = "used"
    if why is not None or game is None:
        await say_to_group(talk, said, GroupNotBound(why or "used"))
        return Handled(f"group-{why}", ignored=True)
    chat_id = await talk.work.chats.put(
        TELEGRAM, str(said.chat_id), title=known.title if known else "", state="active", since=now
    )
    await talk.work.chats.belong(chat_id, game.id, said.thread_id)
    await talk.work.outbox.drop_untried(BULLETIN, channel=TELEGRAM, address=str(said.chat_id))
    table = await load_table(talk, game)
    await say_to_group(talk, said, GroupBound(in_topic=said.thread_id is not None), table)
    if before is not None and known is not None:
        await _tell_masters_lost(
            talk, before, known.title, f"group-moved:{talk.row.id}", now_of=game.title
        )
    return Handled("group-bound", game_id=game.id)


async def _runs(tx: Transaction[Context], person: PersonRow | None, table: OpenTable) -> bool:
    return person is not None and any(
        master.person_id == person.id
        for master in await masters_of_table(tx.work, tx.services.policy, table.game.id)
    )


def group_at(context: Context, said: Said, table: OpenTable | None) -> Addressee:
    """Everybody in the group where that was said."""
    to = Recipient(str(said.chat_id), "", game=table.game if table is not None else None)
    zone = table.settings.zone if table is not None else context.policy.zone
    reader = Reader(None, "everybody", zone, is_group=True)
    return Addressee(context, to, reader, facts_around(context, table))


async def say_to_group(
    talk: Conversation[object],
    said: Said,
    told: Page | Notice,
    table: OpenTable | None = None,
    *,
    button: ChatButton | None = None,
    picture_id: int | None = None,
) -> None:
    """An answer to a group, a few a day."""
    group, key = group_at(talk.services, said, table), str(talk.row.id)
    letter = group.note(told, key, kind=GROUP_NOTE, reply_to=said.message_id)
    letter = msgspec.structs.replace(letter, chat_thread=said.thread_id)
    await say_note(talk, with_button(letter, button, picture_id))


def with_button(
    letter: NewLetter, button: ChatButton | None, picture_id: int | None = None
) -> NewLetter:
    """The same letter with a button that opens a link, and a picture."""
    return msgspec.structs.replace(
        letter, buttons=((button,),) if button is not None else (), picture_id=picture_id
    )


async def offer_group(talk: Conversation[object], said: Said, person: PersonRow) -> Handled:
    """A game master asks in private how a group is bound to a table of theirs."""
    now, bot = talk.now(), await read_bot(talk.work)
    if bot is None:
        return Handled("no-bot", ignored=True)
    runs = await games_run_by(talk.work, talk.services.policy, person.id)
    games = [
        game
        for game in await talk.work.games.list_by_status("open", "running", "paused")
        if runs is None or game.id in runs
    ]
    wanted = slug_of(argument_of(said))
    found = (
        [game for game in games if wanted in (game.slug, slug_of(game.title))] if wanted else games
    )
    told: Notice = WhichGroup([game.slug for game in games])
    table = None
    if len(found) == 1:
        (game,) = found
        link = make_link(
            talk.services.key,
            bot,
            GROUP,
            about=f"bind:{talk.row.id}",
            now=now,
            person_id=person.id,
            game_id=game.id,
        )
        await keep_links(talk.work, (link.kept,), now)
        table = await load_table(talk, game)
        told = GroupCode(link.url, link.code, link.kept.expires_at)
    who = person_at(talk.services, person, str(said.user_id), table)
    await say_note(talk, who.note(told, str(talk.row.id), reply_to=said.message_id))
    return Handled("group-offered", game_id=table.game.id if table is not None else None)


async def take_joined(talk: Conversation[object], joined: Joined) -> Handled:
    """Where we may write has changed."""
    now, address = talk.now(), str(joined.chat_id)
    match joined.change:
        case "migrated" if joined.migrated_to is not None:
            await talk.work.chats.move(TELEGRAM, address, str(joined.migrated_to))
            await talk.work.outbox.readdress(TELEGRAM, address, str(joined.migrated_to), now)
        case "added":
            await talk.work.chats.put(
                TELEGRAM, address, title=joined.chat_title[:100], state="active", since=now
            )
            await reopen_group(talk.work, await talk.work.chats.find(TELEGRAM, address), now)
        case "changed":
            await reopen_group(talk.work, await talk.work.chats.find(TELEGRAM, address), now)
        case "removed":
            await _leave(talk, address, joined)
    return Handled(f"chat:{joined.change}", ignored=True)


async def _leave(talk: Conversation[object], address: str, joined: Joined) -> None:
    """We were put out: nothing is sent there any more, and the game masters are told. It has to be
    bound again.
    """
    now, known = talk.now(), await talk.work.chats.find(TELEGRAM, address)
    chat_id = await talk.work.chats.put(
        TELEGRAM, address, title=joined.chat_title[:100], state="left", since=now
    )
    await talk.work.outbox.withhold_for_address(TELEGRAM, address, "chat-closed")
    table = await table_of_group(talk, known)
    if table is None:
        return
    await talk.work.chats.belong(chat_id, None)
    await _tell_masters_lost(talk, table, joined.chat_title[:100], f"group-left:{talk.row.id}")


async def _tell_masters_lost(
    tx: Transaction[Context], table: OpenTable, title: str, key: str, *, now_of: str = ""
) -> None:
    """To the game masters of a table whose group it is no longer; `now_of`: the table that the
    group speaks of instead.
    """
    post = await read_post(tx, table)
    await post.tell(
        tx.work,
        Masters(),
        GroupLeft(title, now_of),
        "gm-group-left",
        key,
    )

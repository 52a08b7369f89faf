"""A link of a group's Join button: bound to a table that has not begun, and worth nothing from its
start on.

It lets people in as the join code does, and does not tell that code: what leaks with it is a seat
that anybody might have had.
"""

from datetime import datetime, timedelta

from pbem.desk.chat.links import ENTER, fault_of, hash_of, keep_links, make_link
from pbem.desk.chat.reading import message_of_said
from pbem.desk.chat.writing import note_letter
from pbem.desk.envelope.addressing import Recipient
from pbem.desk.envelope.handling import Handled
from pbem.desk.envelope.letter import NewLink
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.letters.outgoing import say_note
from pbem.desk.lobby import ask_joiner
from pbem.desk.messages.conversation import Conversation, Visitor, begin_conversation
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import house_table, load_table, page_table
from pbem.pages.page import Reader
from pbem.store.repositories.games import GameRow
from pbem.telegram.text import deep_link
from pbem.telegram.updates import Said

LOBBY = "telegram-lobby"
"""What the link is for."""
LIVES = timedelta(days=90)
"""Where a table has no end of its own to its wait for players."""


async def offer_entrance(tx: Transaction[Context], bot: str, game: GameRow, now: datetime) -> str:
    """The address of the button; the same for everybody, as long as the table waits for players."""
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
    game = (
        await talk.work.games.find(link.game_id)
        if link is not None and link.purpose == LOBBY and link.game_id is not None
        else None
    )
    person = await talk.work.people.find_by_address(TELEGRAM, str(said.user_id))
    if why is None and game is not None and game.status == "open" and game.join_code is not None:
        mail = message_of_said(said, f"join {game.join_code}")
        joiner = begin_conversation(talk, talk.row, mail, Visitor(person, True), person)
        return await ask_joiner(joiner, ((game.join_code, ""),))
    reader = Reader(None, said.user_name, talk.services.policy.zone)
    if person is not None:
        reader = Reader(None, person.name, person.time_zone, person.locale)
    if game is not None:
        page = talk.services.pages.chat.join_closed(
            page_table(
                await load_table(talk.work, talk.services.games, game), talk.services.policy, now
            ),
            reader,
        )
    else:
        page = talk.services.pages.chat.link_refused(
            house_table(talk.services.policy, now), reader, "no-entrance"
        )
    letter = note_letter(
        talk.services,
        Recipient(
            str(said.user_id), reader.name, person.id if person is not None else None, game=game
        ),
        page,
        str(talk.row.id),
        reply_to=said.message_id,
    )
    await say_note(talk.work, talk.services, letter)
    return Handled("entrance-closed", ignored=True, game_id=game.id if game is not None else None)

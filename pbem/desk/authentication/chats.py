"""The word `telegram`: a link that binds somebody's chat to them, and the word that undoes it."""

from pbem.desk.chat.links import PERSON, chat_of, keep_links, make_link, read_bot
from pbem.desk.chat.writing import note_letter
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.letters.outgoing import queue_letter
from pbem.desk.ports import Context
from pbem.desk.table import mail_address_of
from pbem.pages.page import Page, Reader, Table
from pbem.store.work import Work

UNLINKED = "telegram-unlinked"


async def offer_link(
    work: Work, context: Context, person_id: int, table: Table, reader: Reader, *, by_mail: bool
) -> Page:
    """The answer to `telegram`: the link, to a mail address alone."""
    pages, now = context.pages.chat, context.clock.now()
    bot = await read_bot(work)
    if bot is None:
        return pages.link_not_offered(table, reader, "no-bot")
    if await chat_of(work, person_id) is not None:
        return pages.link_not_offered(table, reader, "linked")
    if not by_mail:
        return pages.link_not_offered(table, reader, "by-mail")
    link = make_link(
        context.key, bot, PERSON, about=f"word:{now.isoformat()}", now=now, person_id=person_id
    )
    await keep_links(work, (link.kept,), now)
    return pages.link_offered(table, reader, link.url, link.kept.expires_at)


async def unlink(
    work: Work, context: Context, person_id: int, table: Table, reader: Reader, *, by_mail: bool
) -> Page:
    """Nothing written in their chat counts any more, and nothing is sent there; never where nobody
    could reach them otherwise.

    The page answers where it was asked; asked by mail the chat is told as well.
    """
    now, chat_id = context.clock.now(), await chat_of(work, person_id)
    if chat_id is None:
        await work.links.withdraw(person_id, PERSON, now)
        return context.pages.chat.unlinked(table, reader, "none")
    if await mail_address_of(work, person_id) is None:
        return context.pages.chat.unlinked(table, reader, "last")
    await work.people.remove_address(person_id, TELEGRAM, chat_id)
    await work.links.withdraw(person_id, PERSON, now)
    await work.outbox.withhold_for_address(TELEGRAM, chat_id, UNLINKED)
    page = context.pages.chat.unlinked(table, reader, "done")
    if by_mail:
        key = f"{UNLINKED}:{person_id}:{now.isoformat()}"
        await queue_letter(
            work, note_letter(context, page, chat_id=chat_id, to_name=reader.name, key=key), now
        )
    return page

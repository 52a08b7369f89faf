"""The word `telegram`: a link that binds somebody's chat to them, and the word that undoes it."""

from pbem.desk.chat.links import PERSON, chat_of, keep_links, make_link, read_bot
from pbem.desk.chat.messages import note_letter
from pbem.desk.envelope.message import TELEGRAM
from pbem.desk.envelope.recipients import Recipient
from pbem.desk.letters.queue import queue_letter
from pbem.desk.ports import Context, Transaction
from pbem.desk.table import mail_address_of
from pbem.pages.chat import ChatUnlinked, LinkNotOffered, LinkOffered
from pbem.pages.notice import notice_page
from pbem.pages.page import Page, Reader, Table

UNLINKED = "telegram-unlinked"


async def offer_link(
    tx: Transaction[Context], person_id: int, table: Table, reader: Reader, *, by_mail: bool
) -> Page:
    """The answer to `telegram`: the link, to a mail address alone."""
    now = tx.now()
    bot = await read_bot(tx.work)
    if bot is None:
        return notice_page(LinkNotOffered("no-bot"), table, reader)
    if await chat_of(tx.work, person_id) is not None:
        return notice_page(LinkNotOffered("linked"), table, reader)
    if not by_mail:
        return notice_page(LinkNotOffered("by-mail"), table, reader)
    link = make_link(
        tx.services.key, bot, PERSON, about=f"word:{now.isoformat()}", now=now, person_id=person_id
    )
    await keep_links(tx.work, (link.kept,), now)
    return notice_page(LinkOffered(link.url, link.kept.expires_at), table, reader)


async def unlink(
    tx: Transaction[Context], person_id: int, table: Table, reader: Reader, *, by_mail: bool
) -> Page:
    """Nothing written in their chat counts any more, and nothing is sent there; never where nobody
    could reach them otherwise.

    The page answers where it was asked; asked by mail the chat is told as well.
    """
    now, chat_id = tx.now(), await chat_of(tx.work, person_id)
    if chat_id is None:
        await tx.work.links.withdraw(person_id, PERSON, now)
        return notice_page(ChatUnlinked("none"), table, reader)
    if await mail_address_of(tx.work, person_id) is None:
        return notice_page(ChatUnlinked("last"), table, reader)
    await tx.work.people.remove_address(person_id, TELEGRAM, chat_id)
    await tx.work.links.withdraw(person_id, PERSON, now)
    await tx.work.outbox.withhold_for_address(TELEGRAM, chat_id, UNLINKED)
    page = notice_page(ChatUnlinked("done"), table, reader)
    if by_mail:
        key = f"{UNLINKED}:{person_id}:{now.isoformat()}"
        await queue_letter(tx, note_letter(tx.services, Recipient(chat_id, reader.name), page, key))
    return page

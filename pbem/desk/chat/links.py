"""Links to the bot: one-time ones, which bind a chat or a group, and those that lead to a table.

A code has 128 bits, lives two days, works once, and is kept as its hash.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.desk.chat.commands import MINE
from pbem.desk.envelope.letter import NewLink
from pbem.desk.envelope.message import TELEGRAM
from pbem.store.database import Database
from pbem.store.repositories.marks import BOT, TELEGRAM_HEARD, TELEGRAM_STOPPED
from pbem.store.repositories.post.links import LinkRow, NewLinkRow
from pbem.store.work import Work
from pbem.telegram.text import deep_link

PERSON, GROUP = "telegram", "telegram-group"
"""What a link is for."""
LIVES = timedelta(hours=48)
CODE_OCTETS = 16
ENTER = "seat_"
"""What the payload begins with of a link to a table that has not begun."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to be handed out: where it leads, and what is kept of it."""

    url: str
    code: str
    kept: NewLink


def make_link(
    key: bytes,
    bot: str,
    purpose: str,
    *,
    about: str,
    now: datetime,
    person_id: int | None,
    game_id: int | None = None,
) -> Link:
    """A link for this person (and table). The same `about` gives the same code: a letter made twice
    has one.
    """
    told = "|".join(("link", purpose, str(person_id), str(game_id), about)).encode()
    code = (
        base64.urlsafe_b64encode(hmac.new(key, told, hashlib.sha256).digest()[:CODE_OCTETS])
        .decode()
        .rstrip("=")
    )
    kept = NewLink(hash_of(code), purpose, now + LIVES, person_id, game_id)
    return Link(deep_link(bot, code, to_group=purpose == GROUP), code, kept)


def orders_link(bot: str, game_id: int) -> str:
    """A link that leads to one's own orders at a table, in private."""
    return deep_link(bot, f"{MINE}{game_id}")


def hash_of(code: str) -> str:
    """What is kept of a code."""
    return hashlib.sha256(code.encode()).hexdigest()


async def read_bot(work: Work) -> str | None:
    """The username of our bot; None where there is none, or it has not been reached yet."""
    mark = await work.marks.find(BOT)
    return mark.detail if mark is not None else None


async def forget_bot(database: Database) -> None:
    """There is no bot (any more): nobody is sent to it, and nobody waits to hear of it."""
    async with database.write() as work:
        for mark in (BOT, TELEGRAM_HEARD, TELEGRAM_STOPPED):
            await work.marks.remove(mark)


async def keep_links(work: Work, kept: Iterable[NewLink], now: datetime) -> None:
    """Make them live; the same one a second time stays as it is."""
    await work.links.add_all(
        [
            NewLinkRow(
                link.code_hash, link.purpose, now, link.expires_at, link.person_id, link.game_id
            )
            for link in kept
        ]
    )


async def chat_of(work: Work, person_id: int) -> str | None:
    """The numeric id of somebody's Telegram account, in whatever state the chat is."""
    rows = await work.people.list_addresses(person_id)
    return next((row.address for row in rows if row.channel == TELEGRAM), None)


def fault_of(link: LinkRow | None, purpose: str, now: datetime) -> str | None:
    """Why a link leads nowhere; None: it is good."""
    if link is None or link.purpose != purpose:
        return "unknown"
    return "used" if link.used_at is not None else "expired" if link.expires_at <= now else None

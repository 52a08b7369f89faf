"""Feeds: what closed, as Atom (RFC 4287), of a game and of the house, and the open deadline as a
calendar (RFC 5545).

Identities are made of what never changes, so that a feed may move: a game's of its commitment, the
house's of where players write.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, UUID, uuid5

from pbem.archive.catalogue import Card, GameCard
from pbem.archive.templates import render, say
from pbem.mail.calendar import DeadlineEvent, format_deadline

FEED, CALENDAR = "feed.xml", "deadlines.ics"
MOST_OF_HOUSE = 50
_NEVER_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class _Item:
    id: str
    title: str
    summary: str
    link: str
    updated: str


def game_feed(card: Card, base_url: str, author: str) -> bytes:
    """An entry a close; `base_url` is the address of the house's folder, with a slash at its
    end.
    """
    return _feed(
        title=say("feed_title", card.title, card.game),
        identity=_game_id(card),
        home=f"{base_url}{card.slug}/",
        author=author,
        items=[_item(card, entry, base_url, entry.headline) for entry in card.entries],
        updated=card.last,
    )


def house_feed(cards: Iterable[Card], base_url: str, name: str, address: str) -> bytes:
    """The newest closes of all games. `address` is where players write to the house of this
    `name`.
    """
    told = sorted(
        ((card, entry) for card in cards for entry in card.entries),
        key=lambda one: (one[1].at, one[0].slug),
        reverse=True,
    )[:MOST_OF_HOUSE]
    return _feed(
        title=say("house_feed_title", name),
        identity=uuid5(NAMESPACE_URL, f"mailto:{address}"),
        home=base_url,
        author=name,
        items=[
            _item(card, entry, base_url, say("house_entry", card.title, entry.headline))
            for card, entry in told
        ],
        updated=told[0][1].at if told else datetime.fromtimestamp(0, UTC),
    )


def calendar_of(card: Card) -> bytes:
    """The open deadline; else a note at the last close, because a calendar may not be empty. It
    names nobody.
    """
    entry = card.entries[0]
    words = say("no_deadline" if card.due is None else "deadline", card.title, card.due_name)
    return format_deadline(
        DeadlineEvent(
            uid=str(uuid5(_game_id(card), f"{card.stamp.phase}")),
            sequence=card.stamp.sequence,
            stamped_at=entry.at,
            deadline=card.due or entry.at,
            summary=words,
            description=words,
        )
    )


def _game_id(card: Card) -> UUID:
    return uuid5(NAMESPACE_URL, f"urn:pbem:{card.commitment}")


def _item(card: Card, entry: GameCard, base_url: str, title: str) -> _Item:
    return _Item(
        uuid5(_game_id(card), entry.key).urn,
        _legal(title),
        _legal(entry.sentence),
        f"{base_url}{card.slug}/index.html#{entry.key}",
        _stamp(entry.at),
    )


def _feed(
    *, title: str, identity: UUID, home: str, author: str, items: Sequence[_Item], updated: datetime
) -> bytes:
    return str(
        render(
            "feed.xml.j2",
            title=_legal(title),
            id=identity.urn,
            home=home,
            own=f"{home}{FEED}",
            author=_legal(author),
            items=items,
            updated=_stamp(updated),
        )
    ).encode()


def _stamp(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _legal(words: str) -> str:
    """Without the characters that no XML may have."""
    return _NEVER_IN_XML.sub("", words)

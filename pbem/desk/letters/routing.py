"""Where a letter goes: by mail, by Telegram or by both, as its reader has chosen and as they can be
reached.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel
from pbem.desk.letters.quiet import read_resting, resting_of
from pbem.desk.table import mail_addresses
from pbem.store.repositories.around import Around
from pbem.store.repositories.people import AddressRow
from pbem.store.work import Work

Topic = Literal["turns", "bulletins", "reminders", "press", "news"]
"""What letters are about, as their readers sort them."""
TOPICS: tuple[Topic, ...] = ("turns", "bulletins", "reminders", "press", "news")

Way = Literal["mail", "telegram", "both", "off"]
WAYS: tuple[Way, ...] = ("mail", "telegram", "both", "off")
MAY_BE_OFF: frozenset[Topic] = frozenset({"bulletins", "reminders", "press"})
"""Nobody can do without the others: a game would stand still."""

MAY_WAIT: frozenset[Topic] = frozenset({"reminders", "press", "news"})
"""What waits for the end of somebody's quiet hours."""

TIMED_KINDS = frozenset({"vote"})
"""What asks for an answer before a time of its own, which may be over by then."""

DEFAULT_WAYS: Mapping[Topic, Way] = {
    "turns": "both",
    "bulletins": "both",
    "reminders": "telegram",
    "press": "telegram",
    "news": "both",
}
"""Of who is reached both ways and has chosen nothing."""

_TOPIC_OF: Mapping[str, Topic] = {
    "turn": "turns",
    "welcome": "turns",
    "takeover": "turns",
    "bulletin": "bulletins",
    "ending": "bulletins",
    "reminder": "reminders",
    "press": "press",
    "press-digest": "press",
}


SUSPENDED = "suspended"


@dataclass(frozen=True, slots=True)
class Route:
    """A channel, and the address on it."""

    channel: Channel
    address: str


@dataclass(frozen=True, slots=True)
class Reach:
    """How people are reached, looked up once for many letters: usable addresses by person, and what
    they chose, by person and name.
    """

    telegram: Mapping[int, str]
    ways: Mapping[tuple[int, str], str]
    resting: Mapping[int, datetime] = field(default_factory=dict)
    """Who is not to be disturbed now, and until when."""
    people: frozenset[int] = frozenset()
    """Who was looked up."""

    def knows(self, letters: Iterable[NewLetter]) -> bool:
        """Whether all readers were looked up of those letters that are routed."""
        return people_of(letters) <= self.people


def topic_of(kind: str) -> Topic:
    return _TOPIC_OF.get(kind, "news")


def may_wait(kind: str) -> bool:
    """Whether letters of that kind can come at the end of quiet hours."""
    return topic_of(kind) in MAY_WAIT and kind not in TIMED_KINDS


def preference_of(topic: Topic) -> str:
    """The name under which the choice is kept."""
    return f"route.{topic}"


def people_of(letters: Iterable[NewLetter]) -> frozenset[int]:
    """The readers of those letters that are routed."""
    return frozenset(
        letter.person_id
        for letter in letters
        if letter.person_id is not None and letter.only is None
    )


async def read_reach(work: Work, letters: Iterable[NewLetter], now: datetime) -> Reach:
    """Look up the readers of letters that are routed."""
    people = people_of(letters)
    telegram = await chat_addresses_of(work, people)
    ways = (
        {(row.person_id, row.name): row.value for row in await work.preferences.list_of(people)}
        if people
        else {}
    )
    return Reach(telegram, ways, await read_resting(work, ways, people, now), people)


def reach_of(around: Around, now: datetime) -> Reach:
    """The same of everybody around a table."""
    ways = {
        (who, name): value
        for who, somebody in around.people.items()
        for name, value in somebody.choices.items()
    }
    zones = {who: somebody.person.time_zone for who, somebody in around.people.items()}
    return Reach(
        chat_addresses(row for one in around.people.values() for row in one.addresses),
        ways,
        resting_of(ways, zones, now),
        frozenset(around.people),
    )


async def chat_addresses_of(work: Work, people: Collection[int]) -> dict[int, str]:
    """The chat in which each of these people is reached on Telegram; who is not is missing."""
    return chat_addresses(await work.people.list_addresses_of(people) if people else ())


def chat_addresses(addresses: Iterable[AddressRow]) -> dict[int, str]:
    """The same, by the addresses of them all.

    A chat that is closed to us stays the way to somebody without a mail address: what is for them
    waits until they write again.
    """
    rows = tuple(addresses)
    by_mail = mail_addresses(rows)
    return {
        row.person_id: row.address
        for row in rows
        if row.channel == TELEGRAM
        and (row.state == "confirmed" or (row.state == SUSPENDED and row.person_id not in by_mail))
    }


def routes_of(letter: NewLetter, reach: Reach) -> tuple[Route, ...]:
    """The ways this letter takes. An answer goes back where it was asked; a letter that proves an
    address goes there alone.
    """
    if letter.only is not None:
        return (Route(letter.only, letter.address),) if letter.address else ()
    mail = (Route(MAIL, letter.address),) if letter.address else ()
    chat_id = reach.telegram.get(letter.person_id) if letter.person_id is not None else None
    chat = (Route(TELEGRAM, chat_id),) if chat_id is not None else ()
    if letter.person_id is None:
        return mail
    topic = topic_of(letter.kind)
    way = reach.ways.get((letter.person_id, preference_of(topic)))
    if way == "off" and topic in MAY_BE_OFF:
        return ()
    if not mail or not chat:
        return mail or chat
    match way if way in WAYS and way != "off" else DEFAULT_WAYS[topic]:
        case "mail":
            return mail
        case "telegram":
            return chat
    return (*mail, *chat)

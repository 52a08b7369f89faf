"""Where a letter goes, and when: by mail, by Telegram or by both, as its reader has chosen and as
they can be reached. In quiet hours what can wait comes at their end, and what cannot makes no sound
in a chat.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from pbem.desk.envelope.letter import NewLetter
from pbem.desk.envelope.message import MAIL, TELEGRAM, Channel
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
"""For people who are reached both ways and have chosen nothing."""

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
DIGEST_OF_NEWS = "news.digest"
"""The preference that news does not wait for a digest: `at once`."""


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

    def is_told_at_once(self, person_id: int | None) -> bool:
        """Whether somebody wants all news at once, where they would wait for a digest."""
        return person_id is not None and (person_id, DIGEST_OF_NEWS) in self.ways

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


QUIET = "quiet"
HOURS_SHOWN = "hours shown"
"""The choice of a person who lets others see their time zone and the hours that are not quiet."""
"""The preference: from which minute of the day until which, as `1320-420`, by the person's own
clock.
"""


def format_quiet(since: int, until: int) -> str:
    return f"{since}-{until}"


def parse_quiet(value: str) -> tuple[int, int]:
    """The inverse of `format_quiet`."""
    since, _, until = value.partition("-")
    return int(since), int(until)


def quiet_until(value: str, zone: str, now: datetime) -> datetime | None:
    """When the quiet hours end that it is in now; None when it is in none. An hour that the clocks
    skip ends with the skip.
    """
    since, until = parse_quiet(value)
    here = now.astimezone(ZoneInfo(zone))
    minute = here.hour * 60 + here.minute
    if not (since <= minute < until if since < until else minute >= since or minute < until):
        return None
    day = here.date() + timedelta(days=1 if minute >= until else 0)
    end = datetime.combine(day, time(until // 60, until % 60), ZoneInfo(zone)).astimezone(
        now.tzinfo
    )
    return end if end > now else None


async def read_resting(
    work: Work, preferences: Mapping[tuple[int, str], str], people: Collection[int], now: datetime
) -> dict[int, datetime]:
    """Those of these people who are not to be disturbed now, and until when; `preferences` by
    person and name.
    """
    chosen = {person_id for person_id in people if (person_id, QUIET) in preferences}
    zones = {
        person.id: person.time_zone
        for person in (await work.people.list_by_ids(chosen) if chosen else ())
    }
    return resting_of(preferences, zones, now)


def resting_of(
    preferences: Mapping[tuple[int, str], str], zones: Mapping[int, str], now: datetime
) -> dict[int, datetime]:
    """The same of the people in these zones."""
    resting = {}
    for person_id, zone in zones.items():
        chosen = preferences.get((person_id, QUIET))
        end = quiet_until(chosen, zone, now) if chosen is not None else None
        if end is not None:
            resting[person_id] = end
    return resting


async def read_resting_of(work: Work, person_id: int, now: datetime) -> datetime | None:
    """Until when one person is not to be disturbed; None: they may be."""
    kept = await work.preferences.get(person_id, QUIET)
    return (
        (await read_resting(work, {(person_id, QUIET): kept}, (person_id,), now)).get(person_id)
        if kept is not None
        else None
    )

"""What people choose for themselves: which way letters come, when they may come. Told on one page,
with the words that choose otherwise.
"""

import asyncio
from collections.abc import Sequence

from pbem.desk.envelope.message import MAIL, TELEGRAM
from pbem.desk.letters.quiet import QUIET, format_quiet, parse_quiet, read_resting_of
from pbem.desk.letters.routing import DEFAULT_WAYS, MAY_BE_OFF, TOPICS, WAYS, Topic, preference_of
from pbem.desk.messages.conversation import Conversation
from pbem.desk.press.preferences import DIGEST, EVERYBODY, GREY, mute_name, parse_muted
from pbem.grammar.clock_rules import format_clock
from pbem.grammar.settings import (
    NoQuiet,
    Quiet,
    Route,
    Setting,
    Unclear,
    format_setting,
)
from pbem.pages.page import Page, Reader
from pbem.pages.settings import Chosen, SettingsFacts, SettingsPages
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

WISHES_A_MESSAGE = 12


async def answer_settings(
    talk: Conversation[object], person_id: int, choices: Sequence[Setting | Unclear]
) -> Page:
    """Keep what is chosen and show how everything stands then."""
    channels = await _channels_of(talk.work, person_id)
    results = [
        result
        for wish in choices[:WISHES_A_MESSAGE]
        for result in await _choose(talk.work, person_id, channels, wish)
    ]
    resting = await read_resting_of(talk.work, person_id, now := talk.now())
    await talk.work.outbox.wait_no_longer(person_id, resting or now)
    facts = await _read_facts(talk.work, person_id, talk.reader, channels, talk.seats)
    pages = SettingsPages()
    return await asyncio.to_thread(pages.settings, talk.page_table(), talk.reader, facts, results)


async def _channels_of(work: Work, person_id: int) -> tuple[str, ...]:
    rows = await work.people.list_addresses(person_id)
    return tuple(
        channel
        for channel in (MAIL, TELEGRAM)
        if any(row.channel == channel and row.state == "confirmed" for row in rows)
    )


async def _choose(
    work: Work, person_id: int, channels: tuple[str, ...], wish: Setting | Unclear
) -> list[Chosen]:
    match wish:
        case Unclear(code=code, written=written):
            return [Chosen(code, written)]
        case Quiet(since=since, until=until):
            await work.preferences.put(person_id, QUIET, format_quiet(since, until))
        case NoQuiet():
            await work.preferences.put(person_id, QUIET, None)
        case Route():
            return [await _route(work, person_id, channels, wish)]
    return [Chosen("chosen", format_setting(wish))]


async def _route(work: Work, person_id: int, channels: tuple[str, ...], wish: Route) -> Chosen:
    """The way of a topic, or of everything. Who has one channel can choose no other; what a game
    needs cannot be switched off.
    """
    written = format_setting(wish)
    wanted = {"mail": (MAIL,), "telegram": (TELEGRAM,), "both": (MAIL, TELEGRAM), "off": ()}[
        wish.way
    ]
    missing = [channel for channel in wanted if channel not in channels]
    if missing:
        return Chosen("only-mail" if TELEGRAM in missing else "only-telegram", written)
    topics: Sequence[Topic] = TOPICS if wish.topic == "everything" else (wish.topic,)
    if wish.way == "off" and not MAY_BE_OFF.intersection(topics):
        return Chosen("needed", written)
    for topic in topics:
        if wish.way != "off" or topic in MAY_BE_OFF:
            await work.preferences.put(person_id, preference_of(topic), wish.way)
    return Chosen(
        "chosen" if wish.way != "off" or wish.topic != "everything" else "some-needed", written
    )


async def _read_facts(
    work: Work, person_id: int, reader: Reader, channels: tuple[str, ...], seats: Sequence[SeatRow]
) -> SettingsFacts:
    kept = {row.name: row.value for row in await work.preferences.list_of([person_id])}
    ways = []
    for topic in TOPICS:
        way = kept.get(preference_of(topic), "")
        way = way if way in WAYS else DEFAULT_WAYS[topic]
        ways.append(
            (
                topic,
                way if way == "off" or len(channels) > 1 else channels[0] if channels else "mail",
            )
        )
    quiet = "-".join(map(format_clock, parse_quiet(kept[QUIET]))) if QUIET in kept else ""
    muted = parse_muted(kept.get(mute_name(seats[0].game_id))) if seats else frozenset()
    names = [seat.name for seat in seats if str(seat.number) in muted]
    names += [word for word in (GREY, EVERYBODY) if word in muted]
    return SettingsFacts(
        tuple(ways),
        tuple(sorted(MAY_BE_OFF)),
        channels,
        quiet,
        kept.get(DIGEST, "at once"),
        tuple(names),
        reader.zone,
    )

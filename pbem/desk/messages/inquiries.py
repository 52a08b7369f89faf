"""Words about people rather than tables: `profile`, `hall of fame`, `settings`, `telegram`. They
are answered whether one plays just now or not.
"""

import asyncio
from collections.abc import Sequence
from typing import Literal

from pbem.desk.chat.buttons import choices_below
from pbem.desk.chat.links import PERSON, chat_of, keep_links, make_link, read_bot
from pbem.desk.envelope.answers import Answer, Answers
from pbem.desk.envelope.message import MAIL, TELEGRAM, Handled
from pbem.desk.envelope.recipients import Recipient
from pbem.desk.letters.bounces import reopen_address
from pbem.desk.letters.post import Addressee
from pbem.desk.letters.queue import send_answers
from pbem.desk.letters.routes import (
    DEFAULT_WAYS,
    DIGEST_OF_NEWS,
    HOURS_SHOWN,
    MAY_BE_OFF,
    QUIET,
    TOPICS,
    WAYS,
    Topic,
    format_quiet,
    parse_quiet,
    preference_of,
    read_resting_of,
)
from pbem.desk.messages.conversation import Conversation, OfPerson, Player
from pbem.desk.messages.receipts import limit_words
from pbem.desk.people.profiles import Viewer, hides_names, read_hall, read_profile, read_viewer
from pbem.desk.phases.past import BULLETIN
from pbem.desk.ports import Context, Transaction
from pbem.desk.press.readers import DIGEST, EVERYBODY, GREY, mute_name, parse_muted
from pbem.desk.table import mail_address_of
from pbem.grammar.called import skeleton
from pbem.grammar.clock_rules import format_clock
from pbem.grammar.house import commands as c
from pbem.grammar.languages import language_name
from pbem.grammar.settings import (
    NewsAt,
    NoQuiet,
    Quiet,
    Route,
    Setting,
    ShowHours,
    Unclear,
    format_setting,
)
from pbem.grammar.splitting import split_words
from pbem.pages.chat import ChatUnlinked, LinkNotOffered, LinkOffered
from pbem.pages.notice import Notice
from pbem.pages.notices import WordsCut
from pbem.pages.page import Page, Reader, locale_of
from pbem.pages.results import HallShown, NoProfile, ProfileShown
from pbem.pages.settings import (
    Chosen,
    HowToJoin,
    OwnLanguage,
    OwnZone,
    SettingsChosen,
    SettingsFacts,
    SettingsShown,
)
from pbem.store.repositories.people import PersonRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

UNLINKED = "telegram-unlinked"


async def offer_link(tx: Transaction[Context], person_id: int, *, by_mail: bool) -> Notice:
    """The answer to `telegram`: the link, to a mail address alone."""
    now = tx.now()
    bot = await read_bot(tx.work)
    if bot is None:
        return LinkNotOffered("no-bot")
    if await chat_of(tx.work, person_id) is not None:
        return LinkNotOffered("linked")
    if not by_mail:
        return LinkNotOffered("by-mail")
    link = make_link(
        tx.services.key, bot, PERSON, about=f"word:{now.isoformat()}", now=now, person_id=person_id
    )
    await keep_links(tx.work, (link.kept,), now)
    return LinkOffered(link.url, link.kept.expires_at)


async def _unlink(talk: Conversation[object], person_id: int) -> Notice:
    """Nothing written in their chat counts any more, and nothing is sent there; never where nobody
    could reach them otherwise.

    It is answered where it was asked; asked by mail the chat is told as well.
    """
    work, now, chat_id = talk.work, talk.now(), await chat_of(talk.work, person_id)
    if chat_id is None:
        await work.links.withdraw(person_id, PERSON, now)
        return ChatUnlinked("none")
    if await mail_address_of(work, person_id) is None:
        return ChatUnlinked("last")
    await work.people.remove_address(person_id, TELEGRAM, chat_id)
    await work.links.withdraw(person_id, PERSON, now)
    await work.outbox.withhold_for_address(TELEGRAM, chat_id, UNLINKED)
    if talk.mail.channel == MAIL:
        to = Recipient(chat_id, talk.reader.name)
        chat = Addressee(talk.services, to, talk.reader, talk.page_table())
        key = f"{UNLINKED}:{person_id}:{now.isoformat()}"
        await talk.send(chat.note(ChatUnlinked("done"), key))
    return ChatUnlinked("done")


INQUIRIES = (
    c.Profile,
    c.HallOfFame,
    c.LinkTelegram,
    c.UnlinkTelegram,
    c.Settings,
    c.OwnZone,
    c.OwnLanguage,
    c.HowToJoin,
)


async def answer_inquiry(talk: Conversation[object], person_id: int, command: c.AnyCommand) -> Page:
    """The page that answers one of the words of somebody we know."""
    return await asyncio.to_thread(talk.page, await _answer(talk, person_id, command))


async def _answer(talk: Conversation[object], person_id: int, command: c.AnyCommand) -> Notice:
    match command:
        case c.Settings(choices=choices):
            return await answer_settings(talk, person_id, choices)
        case c.LinkTelegram():
            return await offer_link(talk, person_id, by_mail=talk.mail.channel == MAIL)
        case c.UnlinkTelegram():
            return await _unlink(talk, person_id)
        case c.HallOfFame():
            return HallShown(await read_hall(talk.work, person_id))
        case c.Profile(name=name):
            return await _profile(talk, person_id, name)
    return _how_it_is_used(command, talk)


async def _profile(talk: Conversation[object], person_id: int, written: str) -> Notice:
    viewer = await read_viewer(talk.work, person_id)
    found: PersonRow | Literal["unknown", "vacant", "several", "hidden"] | None
    called = None
    names = [seat.name for seat in talk.seats if seat.person_id is not None]
    if written and skeleton(written) not in ("me", "myseif"):
        found, called = await _find(talk, viewer, written)
    else:
        found = await talk.work.people.find(person_id)
    if found is None or isinstance(found, str):
        written = called or written
        return NoProfile(written, found or "unknown", names)
    return ProfileShown(await read_profile(talk, found, viewer, called=called))


def _how_it_is_used(command: c.AnyCommand, talk: Conversation[object]) -> Notice:
    """How a word is used that takes something behind it, and what holds now."""
    if isinstance(command, c.OwnZone):
        return OwnZone()
    if isinstance(command, c.OwnLanguage):
        return OwnLanguage(language_name(locale_of(talk.page_table(), talk.reader)))
    return HowToJoin(is_seated=bool(talk.seats))


async def _find(
    talk: Conversation[object], viewer: Viewer, written: str
) -> tuple[PersonRow | Literal["unknown", "vacant", "several", "hidden"], str | None]:
    """Who is meant (or why nobody), and what the seat is called there: first at the table that the
    message is about, then at the asker's other ones.
    """
    for seat in talk.seats:
        if (
            seat.name == written
            or skeleton(seat.name) == skeleton(written)
            or str(seat.number) == written
        ):
            game = await talk.work.games.find(seat.game_id)
            if game is not None and hides_names(game) and seat.person_id != viewer.person_id:
                return "hidden", seat.name
            person = await talk.work.people.find(seat.person_id)
            return (person or "vacant"), seat.name
    known: dict[int, str] = {}
    for game_id in sorted(viewer.games):
        for seat in await talk.work.seats.list_of_game(game_id):
            if seat.person_id is not None and skeleton(seat.name) == skeleton(written):
                known[seat.person_id] = seat.name
    if len(known) != 1:
        return ("several" if known else "unknown"), None
    ((person_id, name),) = known.items()
    person = await talk.work.people.find(person_id)
    return (person, name) if person is not None else ("unknown", None)


async def answer_inquiries(
    talk: Conversation[Player], commands: Sequence[c.AnyCommand], serial: str = ".people"
) -> None:
    """Answer these words of a player."""
    if talk.person_id is None:
        return
    for index, command in enumerate(commands):
        below = choices_below(talk.services, talk.table, talk.seat, talk.reader, command)
        page = await answer_inquiry(talk, talk.person_id, command)
        await talk.answer(page, "answer", f"{serial}{index}", keyboard=below)


async def answer_person(talk: Conversation[OfPerson]) -> tuple[bool, str]:
    """Answer the words in a message that is proven to be this person's and is about no table;
    whether there were any, and the other lines.

    Nothing in the answers proves a seat.
    """
    commands, rest = await talk.services.apart.run(split_words, talk.mail.text, INQUIRIES)
    if not commands:
        return False, rest
    known = await talk.work.people.find_address(talk.mail.channel, talk.address)
    if known is not None:
        await reopen_address(talk.work, known, talk.now())
    heard, cut = limit_words(commands)
    pages = [await answer_inquiry(talk, talk.writer.person.id, command) for command in heard]
    if cut:
        pages.append(talk.page(WordsCut(cut)))
    answers = Answers()
    for index, page in enumerate(pages):
        letter = talk.letter(page, "answer", talk.dedupe_key("answer", f".people{index}"))
        answers.add(Answer(page, letter))
    await send_answers(talk, answers)
    return True, rest


async def answer_known(talk: Conversation[OfPerson]) -> Handled:
    """Somebody we know beyond doubt, who has no seat anywhere: these words are answered, anything
    else is not.
    """
    answered, _rest = await answer_person(talk)
    return Handled("answered") if answered else Handled("stranger:no-seat", ignored=True)


WISHES_A_MESSAGE = 12


async def answer_settings(
    talk: Conversation[object], person_id: int, choices: Sequence[Setting | Unclear]
) -> Notice:
    """Keep what is chosen and show how everything stands then."""
    channels = await _channels_of(talk.work, person_id)
    results = [
        result
        for wish in choices[:WISHES_A_MESSAGE]
        for result in await _choose(talk.work, person_id, channels, wish)
    ]
    resting = await read_resting_of(talk.work, person_id, now := talk.now())
    held = () if NewsAt("at once") in choices else (BULLETIN,)
    await talk.work.outbox.wait_no_longer(person_id, resting or now, but_no=held)
    facts = await _read_settings(talk.work, person_id, talk.reader, channels, talk.seats)
    return SettingsChosen(facts, results) if results else SettingsShown(facts)


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
        case NewsAt(when=when):
            kept = when if when == "at once" else None
            await work.preferences.put(person_id, DIGEST_OF_NEWS, kept)
        case ShowHours(yes=yes):
            await work.preferences.put(person_id, HOURS_SHOWN, "yes" if yes else None)
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


async def _read_settings(
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
        kept.get(DIGEST_OF_NEWS, "together"),
        tuple(names),
        reader.zone,
        shows_hours=HOURS_SHOWN in kept,
    )

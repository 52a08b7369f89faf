"""A table of eight from its opening to its end: five play by mail, three by Telegram, and
everything that happens around orders happens.

`play` leaves plain values: what everybody has got, what they may have got, and what the house
thinks of it.
"""

import asyncio
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import msgspec

from pbem.demo.gallery.proving import Proof, prove
from pbem.demo.received import Received
from pbem.demo.telegram.meter import Violation
from pbem.demo.telegram.people import Group
from pbem.desk import gm
from pbem.desk.table import decode_settings, encode_settings
from pbem.desk.upkeep.records import verify_game
from pbem.grammar.people_rules import PeopleRules
from pbem.grammar.press_rules import PressRules
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.phases import PhaseRow
from pbem.store.repositories.post.outbox import OutboxRow
from tests.desk.harness import SEED, text_of
from tests.house.hall import Got, Hall, address_of, binds_group, open_hall
from tests.played import PLAYED

BY_MAIL = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil")
BY_TELEGRAM = ("Fenna", "Gus", "Mei")
PLAYERS = (*BY_MAIL, *BY_TELEGRAM)
WITH_MAIL = (*BY_MAIL, "Fenna", "Mei", "Uma", "Yusuf", "Wanda")
"""Gus and Otto are known on Telegram alone; Fenna has both all along, Emil goes over to Telegram,
and Mei is driven back to mail.
"""
OTHERS = ("Uma", "Yusuf", "Wanda", "Otto")
"""A substitute, a stranger who takes a seat over, an observer by mail, and one by Telegram."""
GROUP = "the group"
EVERYBODY = (*PLAYERS, *OTHERS, "GM", GROUP)

SECRETS: Mapping[str, tuple[str, ...]] = {
    word: tuple(readers.split())
    for word, readers in {
        "xylophone": "Anna",
        "quokka": "Gus",
        "yodelling": "Chloé",
        "jackdaw": "Fenna",
        "hurdygurdy": "Yusuf",
        "rhubarb": "Uma",
        "walrus": "Dmytro GM",
        "periwinkle": "Mei GM",
        "oboist": "Yusuf GM",
        "marmalade": "Fenna Bartek Chloé",
        "zeppelin": "Bartek Fenna",
        "narwhal": "Fenna Bartek",
        "ukulele": "Gus Yusuf",
        "tambourine": "Emil Gus",
    }.items()
}
"""Words that stand beside orders, in notes, in private press: each with its writer, and then whom
it is for.
"""


@dataclass
class Story:
    """What became of the table."""

    got: dict[str, list[Got]] = field(default_factory=dict)
    ever: dict[str, list[bytes]] = field(default_factory=dict)
    """By reader: all that was ever sent, also what was replaced later, or refused by the reader's
    phone.
    """
    names: dict[str, set[str]] = field(default_factory=dict)
    """By person: their mail address and their numeric id."""
    overheard: list[tuple[str, str, list[str]]] = field(default_factory=list)
    """Orders, each with its writer, and who else got anything for it."""
    standings: list[str] = field(default_factory=list)
    """What one player is told of the table before anybody has ordered, and after some have."""
    phases: list[PhaseRow] = field(default_factory=list)
    letters: list[OutboxRow] = field(default_factory=list)
    shunted: list[str] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    proof: Proof | None = None
    game: GameRow | None = None
    retired: dict[str, int] = field(default_factory=dict)
    """How many messages somebody had in all when their part in the game was over."""


@dataclass
class Table:
    """The hall with this table in it, and the story as far as it is."""

    hall: Hall
    story: Story
    code: str
    group: Group

    async def order(self, name: str, text: str, *, chat: bool = False) -> None:
        """Somebody orders something; whoever else gets anything for it is written down."""
        before = await self._counts()
        if chat:
            await self.hall.says(name, text)
        else:
            await self.hall.mails(name, text)
        after = await self._counts()
        self.story.overheard.append(
            (name, text, [who for who in after if after[who] != before[who] and who != name])
        )

    async def _counts(self) -> dict[str, int]:
        counts = {
            name: len(await self.hall.mail.mails(address_of(name))) for name in (*WITH_MAIL, "GM")
        }
        for name, user in self.hall.users.items():
            counts[name] = counts.get(name, 0) + len(self.hall.ever_sent_to(user.chat_id))
        return counts | {GROUP: len(self.hall.ever_sent_to(self.group.chat_id))}


async def play(folder: Path) -> Story:
    async with open_hall(folder, WITH_MAIL) as hall:
        table = await _open(hall)
        await _bidding(table)
        await _orders(table)
        await _purchases(table)
        await _dragon(table)
        await _roll_back(table)
        await _to_the_end(table)
        await _read_all(table)
        return table.story


async def _open(hall: Hall) -> Table:
    """Seven are invited, Gus comes by the link of the table; the game begins, its group is bound,
    two observers look on.
    """
    services, by = hall.service.services, gm.By("test")
    rules = gm.NewTable(
        "heron", "Heron", PLAYED, {}, "UTC", "Greta", seed=SEED, press=PressRules(grey=True)
    )
    await gm.open_table(services, rules, by)
    for name in PLAYERS:
        if name != "Gus":
            await gm.invite(services, "heron", name, address_of(name), by)
    async with services.database.write() as work:
        game = await work.games.find_by_slug("heron")
        assert game is not None
        assert game.join_code is not None
        settings = msgspec.structs.replace(
            decode_settings(game), people=PeopleRules(takeovers="first")
        )
        await work.games.set_settings(game.id, encode_settings(settings))
    await hall.settle()
    table = Table(hall, Story(), game.join_code, hall.telegram.group("Heron at night"))
    await hall.user("Gus").starts(f"join_{table.code}")
    await hall.settle()
    await gm.start(services, "heron", by)
    await hall.settle()
    await binds_group(hall, table.group)
    await hall.mails("GM", "set extensions by vote", answering=await hall.open_letter("GM"))
    for name in ("Fenna", "Mei"):
        await hall.links(name)
    await hall.says("Mei", "everything by telegram")
    await hall.mails("Dmytro", "digest daily\nmute Bartek")
    await hall.mails("Wanda", f"observe {table.code}", new=True)
    await hall.mails("Wanda", "yes", answering=(await hall.letters("Wanda"))[-1])
    await hall.says("Otto", f"observe {table.code}")
    return table


async def _standing(table: Table) -> str:
    """What Dmytro and Mei are told of the table, by mail and in the chat."""
    hall = table.hall
    await hall.mails("Dmytro", "status\nplayers")
    mails = [text_of(mail) for mail in (await hall.letters("Dmytro"))[-1:]]
    await hall.says("Mei", "/who")
    await hall.says("Mei", "/status")
    return "\n".join([*mails, *(shown.text for shown in hall.user("Mei").by_bot[-2:])])


async def _bidding(table: Table) -> None:
    """Phase 1: bids, and press of every kind; Anna says that she will be away."""
    hall, story = table.hall, table.story
    story.standings.append(await _standing(table))
    await table.order("Anna", "bid 4\nxylophone P1")
    await table.order("Gus", "bid 3\nquokka P1", chat=True)
    await table.order("Fenna", "bid 2\njackdaw jackdaw", chat=True)
    await table.order("Chloé", "yodelling on the hills\nbid 1. final")
    story.standings.append(await _standing(table))
    await hall.mails("Dmytro", "GM: walrus is my word")
    await hall.says("Mei", "press to GM: periwinkle")
    await hall.says("Fenna", "/press Bartek, Chloé: marmalade for the three of us")
    await hall.mails("Bartek", "Agreed, zeppelin.", answering=await hall.newest("Bartek", "press"))
    await hall.says("Fenna", "Then it is narwhal.", reply_to=hall.user("Fenna").by_bot[-1])
    await hall.mails("Emil", "press grey to all: obelisk at dawn")
    await hall.mails("Anna", "press to all: kaleidoscope for everybody")
    await hall.mails("Bartek", "press to all: bagpipe for everybody")
    await hall.mails("Anna", f"away from {_day(hall, 3)} to {_day(hall, 8)}")
    await hall.closes()


def _day(hall: Hall, days: int) -> str:
    return f"{hall.clock.now() + timedelta(days=days):%d %B}"


async def _orders(table: Table) -> None:
    """Phase 2, later for Anna's absence: the table votes for twelve hours more."""
    hall = table.hall
    await hall.mails("Dmytro", "extend by 12h")
    await hall.mails("Anna", "yes", answering=await hall.newest("Anna", "more time"))
    await hall.taps("Gus", hall.user("Gus").by_bot[-1], "Yes")
    await hall.says("Fenna", "vote yes")
    await hall.mails("Bartek", "vote yes")
    await table.order("Chloé", "fortify P7")
    await table.order("Mei", "fortify", chat=True)
    await hall.closes()


async def _purchases(table: Table) -> None:
    """Phase 3: Emil goes over to Telegram; Uma plays for Chloé from now on."""
    hall = table.hall
    await hall.links("Emil")
    await hall.says("Emil", "everything by telegram")
    await hall.mails("Chloé", f"Uma {address_of('Uma')} plays for me until {_day(hall, 2)}")
    await hall.mails("Uma", "yes", answering=(await hall.letters("Uma"))[-1])
    await table.order("Uma", "rhubarb rhubarb\nbid 2")
    await hall.says("Emil", "press to Gus: a tambourine")
    await hall.closes()


async def _dragon(table: Table) -> None:
    """Phase 4: Bartek gives up, Yusuf takes the seat over with the code that the game master hands
    out; everybody sends one unit; Mei blocks the bot.
    """
    hall = table.hall
    await hall.mails("Bartek", "resign")
    await hall.mails("Bartek", "yes", answering=(await hall.letters("Bartek"))[-1])
    table.story.retired["Bartek"] = len(await hall.got("Bartek"))
    found = re.search(
        r"take over (heron-[a-z0-9]{10})\b",
        "".join(text_of(mail) for mail in await hall.letters("GM")),
    )
    assert found is not None
    await hall.mails("Yusuf", f"take over {found[1]}", new=True)
    await hall.mails("Yusuf", "yes", answering=(await hall.letters("Yusuf"))[-1])
    await hall.mails("Yusuf", "GM: oboist is my word")
    await hall.says("Gus", "press to Bartek: ukulele")
    await _fight(table)
    hall.telegram.network.chats[
        hall.user("Mei").chat_id
    ].bot = "blocked"  # and nobody tells the service before it tries to write
    await hall.closes()


async def _fight(table: Table) -> None:
    """Everybody sends one unit against the Dragon."""
    await table.order("Mei", "commit 1", chat=True)
    for name in ("Anna", "Uma", "Dmytro"):
        await table.order(name, "commit 1")
    await table.order("Yusuf", "hurdygurdy please\ncommit 1")
    for name in ("Emil", "Fenna", "Gus"):
        await table.order(name, "commit 1", chat=True)


async def _roll_back(table: Table) -> None:
    """Phase 5: Gus orders with buttons, Mei by mail again; then the game master rolls back, asked
    back in the chat, as dangerous words are.
    """
    hall = table.hall
    await hall.says("Gus", "/orders")
    await hall.taps("Gus", hall.user("Gus").by_bot[-1], "Orders for P3")
    await hall.taps("Gus", hall.user("Gus").by_bot[-1], "Fortify")
    await table.order("Mei", "fortify")
    await hall.mails("GM", "roll back heron to phase 4", answering=await hall.open_letter("GM"))
    await hall.taps("GM", hall.user("GM").by_bot[-1], "Yes, do it")


async def _to_the_end(table: Table) -> None:
    """Phase 6, the Dragon again: six hours more; Chloé's seat is hers at the day that was agreed;
    and hardly anybody fights any more.
    """
    hall = table.hall
    await hall.mails("GM", "extend heron by 6h", answering=await hall.open_letter("GM"))
    await hall.comes_to(timedelta(hours=20))
    table.story.retired["Uma"] = len(await hall.got("Uma"))
    await table.order("Chloé", "commit 1")
    await table.order("Fenna", "commit 1")
    while await hall.is_running():
        await hall.closes()


async def _read_all(table: Table) -> None:
    """Everything that everybody has got, and what the house has of the game."""
    hall, story, services = table.hall, table.story, table.hall.service.services
    for name in EVERYBODY:
        if name == GROUP:
            story.got[name], story.ever[name] = (
                hall.stands_in(table.group.chat_id),
                hall.ever_sent_to(table.group.chat_id),
            )
            continue
        story.got[name] = await hall.got(name)
        story.ever[name] = [got.everything for got in story.got[name]]
        story.names[name] = {address_of(name)} if name in (*WITH_MAIL, "GM") else set()
        if name in hall.users:
            story.ever[name] += hall.ever_sent_to(hall.users[name].chat_id)
            story.names[name].add(str(hall.users[name].chat_id))
    async with services.database.read() as work:
        story.game = await work.games.find_by_slug("heron")
        story.phases = list(await work.phases.list_of_game(1))
        story.shunted = [
            f"{row.outcome}: {row.trace}" for row in await work.inbox.list_by_state("shunted")
        ]
        for state in ("queued", "sending", "sent", "refused", "withheld"):
            story.letters += await work.outbox.list_by_state(state, 10_000)
    story.violations = list(hall.telegram.violations)
    story.differences = await verify_game(services, "heron")
    mails = [Received(raw) for raw in await hall.mail.mails(address_of("Anna"))]
    welcome = next(mail for mail in mails if "Welcome" in mail.subject)
    story.proof = await prove(
        welcome,
        next(
            mail
            for mail in mails
            if any(name.endswith("-record.json") for name in mail.attachments)
        ),
    )


def play_once() -> Story:
    """The whole of it, in a folder and an event loop of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(play(Path(folder)))

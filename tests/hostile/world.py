"""A house in the middle of its work, which hostile mails are sent into: made once, copied for each
family of them.
"""

import hashlib
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

from pbem.desk import gm
from pbem.desk.gm.masters import revoke_master
from pbem.desk.messages.intake import store_mail
from pbem.desk.messages.receive import receive
from pbem.mail.ports import StoredMail
from pbem.mail.tokens import Purpose, make_token
from tests.desk.harness import (
    ADDRESS,
    AUTHSERV,
    GM,
    KEY,
    Desk,
    StandingClock,
    address_of,
    open_desk,
    parse,
)
from tests.desk.lobbies import code_of, open_lobby

EVE = "eve@elsewhere.example"
PASS_PLAYERS = f"{AUTHSERV}; dmarc=pass header.from=players.example"
FAIL_PLAYERS = f"{AUTHSERV}; dmarc=fail header.from=players.example"
PASS_EVE = f"{AUTHSERV}; dmarc=pass header.from=elsewhere.example"
FAIL_HOUSE = f"{AUTHSERV}; dmarc=fail header.from=house.example"
NONE = f"{AUTHSERV}; dmarc=none"

EFFECTS: Mapping[str, str] = {
    "games": "SELECT * FROM games",
    "people": "SELECT * FROM people",
    "addresses": "SELECT * FROM addresses",
    "gms": "SELECT * FROM gms",
    "masters": "SELECT * FROM masters",
    "seats": "SELECT * FROM seats",
    "tenures": "SELECT * FROM tenures",
    "votes": "SELECT * FROM votes",
    "invitations": "SELECT * FROM invitations",
    "phases": "SELECT * FROM phases",
    "states": "SELECT game_id, phase_number, ordinal FROM states",
    "orders": "SELECT * FROM orders",
    "events": "SELECT count(*) FROM events",
    "acts": "SELECT * FROM acts",
    "notes": "SELECT * FROM notes",
    "secrets": "SELECT * FROM secrets",
    # That somebody was asked is on record, like the letter itself; what was carried out is an
    # effect.
    "gm_log": "SELECT * FROM gm_log WHERE command <> 'gm asked'",
    "pending": "SELECT id, outcome FROM pending WHERE outcome IN ('confirmed', 'refused')",
    "shunted": "SELECT id, trace FROM inbox WHERE state = 'shunted'",
}
"""Everything that a message which is believed could change."""


def letter_raw(
    sender: str | tuple[str, ...],
    body: str | bytes,
    *,
    to: str = ADDRESS,
    results: str | tuple[str, ...] | None = None,
    head: tuple[str, ...] = (),
    message_id: str | None = None,
    subject: str = "orders",
    date: str = "Tue, 17 Nov 2026 12:00:00 +0000",
) -> bytes:
    """A mail byte by byte: `sender` are whole From values (or header lines, when they hold a colon
    first), `results` what stands on top.
    """
    senders = (sender,) if isinstance(sender, str) else sender
    stamped = () if results is None else (results,) if isinstance(results, str) else results
    lines = [f"Authentication-Results: {value}" for value in stamped]
    lines += [value if value.startswith("=HEAD=") else f"From: {value}" for value in senders]
    lines = [line.removeprefix("=HEAD=") for line in lines]
    lines += [f"To: {to}", f"Subject: {subject}", f"Date: {date}"]
    lines += [*head]
    text = body.encode("utf-8", "surrogateescape") if isinstance(body, str) else body
    told = "\n".join(lines).encode("utf-8", "surrogateescape") + text
    given = (
        f"<{hashlib.sha256(told).hexdigest()[:20]}@mail.example>"
        if message_id is None
        else message_id
    )
    lines += [f"Message-ID: {given}"] if given else []
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + text + b"\r\n"


@dataclass(frozen=True, slots=True)
class World:
    """`letters` are ours by a name each, `sent` the players' mails that were taken, `own` every
    mail of ours.
    """

    folder: Path
    now: datetime
    letters: Mapping[str, EmailMessage]
    sent: Mapping[str, bytes]
    own: tuple[bytes, ...]
    join_code: str
    tokens: Mapping[str, str] = field(default_factory=dict)

    def token(self, name: str) -> str:
        return self.tokens[name]

    def reply_to(self, name: str) -> str:
        return f"orders+{self.tokens[name]}@house.example"


def token_of(letter: EmailMessage) -> str:
    return str(letter["Reply-To"]).partition("+")[2].partition("@")[0]


async def build_world(folder: Path) -> World:
    """Heron (Anna, Bartek and, in Chloé's seat, Dmytro) in its second phase, Swan beside it, Egret
    waiting for players.

    Open questions: whether Bartek resigns, whether Heron is closed, whether Mei joins Egret,
    whether orders are Anna's.
    """
    letters: dict[str, EmailMessage] = {}
    sent: dict[str, bytes] = {}
    async with open_desk(folder) as desk:
        await desk.open_game(3)
        for name in ("Anna", "Bartek", "Chloé"):
            letters[f"{name} early"] = desk.turn_mail(name)
        letters["gm old"] = parse(desk.postbox.to(GM)[-1])

        async def say(key: str, raw: bytes) -> None:
            sent[key] = raw
            await desk.bring(raw)
            await desk.work()

        async def from_player(key: str, name: str, base: EmailMessage, text: str) -> None:
            raw = letter_raw(
                f"{name} <{address_of(name)}>",
                text,
                to=str(base["Reply-To"]),
                results=PASS_PLAYERS,
                message_id=f"<{key.replace(' ', '.')}@players.example>",
            )
            await say(key, raw)

        await from_player("anna bids", "Anna", letters["Anna early"], "bid 3")
        await from_player("bartek bids", "Bartek", letters["Bartek early"], "bid 5")
        await desk.everybody_passes()
        for name in ("Anna", "Bartek", "Chloé"):
            letters[name] = desk.turn_mail(name)
        await from_player(
            "chloe orders", "Chloe", letters["Chloé"], "golden work P3\nGM: a note of mine"
        )
        await gm.replace(
            desk.services, "heron", "Chloé", "Dmytro", address_of("Dmytro"), gm.By("test")
        )
        await desk.work()
        letters["Dmytro"] = desk.letters("Dmytro")[-1]
        await from_player("anna orders first", "Anna", letters["Anna"], "golden fortify P1")
        await from_player("anna zone", "Anna", letters["Anna"], "my time zone is Europe/Oslo")
        await from_player("anna orders", "Anna", letters["Anna"], "golden work P1")
        sent["anna without id"] = letter_raw(
            "Anna <anna@players.example>",
            "work P1",
            to=str(letters["Anna"]["Reply-To"]),
            results=PASS_PLAYERS,
            message_id="",
        )
        await say("anna without id", sent["anna without id"])
        await from_player("anna orders last", "Anna", letters["Anna"], "fortify P1")
        await from_player("bartek orders", "Bartek", letters["Bartek"], "fortify P2")

        await desk.open_game(2, slug="swan", names=("Emil", "Fenna"))
        letters["Emil"] = desk.turn_mail("Emil")
        await open_lobby(desk, "egret")
        code = await code_of(desk, "egret")
        gus = letter_raw(
            "Gus <gus@players.example>",
            f"join {code} as Gus",
            results=PASS_PLAYERS,
            message_id="<gus@players.example>",
        )
        await say("gus joins", gus)
        base = desk.letters("Gus")[-1]
        await from_player("gus says yes", "Gus", base, "yes")
        letters["Gus joining"], letters["Gus"] = base, desk.letters("Gus")[-1]
        mei = letter_raw(
            "Mei <mei@players.example>",
            f"join {code} as Mei",
            results=PASS_PLAYERS,
            message_id="<mei@players.example>",
        )
        await say("mei joins", mei)
        letters["Mei joining"] = desk.letters("Mei")[-1]

        await from_player("bartek resigns", "Bartek", letters["Bartek"], "resign")
        letters["Bartek resigning"] = (
            desk.last("Bartek", "resign")
            if any("resign" in str(mail["Subject"]).lower() for mail in desk.letters("Bartek"))
            else desk.letters("Bartek")[-1]
        )
        await say(
            "eve as anna", letter_raw("Anna <anna@players.example>", "march all from P1 to P2")
        )
        letters["Anna confirming"] = desk.last("Anna", "did you write")
        assert await revoke_master(desk.services, GM, gm.By("test")) == "renewed"
        await gm.announce(desk.services, "heron", "A word to all.", gm.By("test"))
        await say(
            "eve notes",
            letter_raw(
                "Bartek <bartek@players.example>",
                "GM: who am I?",
                to=str(letters["Bartek"]["Reply-To"]),
                results=PASS_PLAYERS,
                message_id="<note@players.example>",
            ),
        )
        letters["gm"] = parse(desk.postbox.to(GM)[-1])
        raw = letter_raw(
            GM,
            "extend heron by 2h\nclose heron now\nend heron: enough",
            to=str(letters["gm"]["Reply-To"]),
            message_id="<gm1@house.example>",
            results=f"{AUTHSERV}; dmarc=pass header.from=house.example",
        )
        await say("gm commands", raw)
        letters["gm confirming"] = next(
            parse(mail)
            for mail in reversed(desk.postbox.to(GM))
            if "Please confirm" in str(parse(mail)["Subject"])
        )
        own, now = tuple(mail.raw for mail in desk.postbox.mails), desk.clock.now()
        async with desk.services.database.read() as work:
            assert await work.inbox.list_by_state("shunted") == []
    tokens = {name: token_of(letter) for name, letter in letters.items()}
    return World(folder, now, letters, sent, own, code, tokens | _other_tokens(tokens["Anna"]))


def _other_tokens(anna: str) -> dict[str, str]:
    seat, phase = (int(number) for number in anna[1:].split("-")[:2])
    return {
        "bounce": make_token(KEY, Purpose.BOUNCE, seat, 1, phase),
        "tenure to come": make_token(KEY, Purpose.ORDERS, seat, 2, phase),
        "phase to come": make_token(KEY, Purpose.ORDERS, seat, 1, phase + 1),
        "other key": make_token(b"x" * 32, Purpose.ORDERS, seat, 1, phase),
        "no seat": make_token(KEY, Purpose.ORDERS, 999, 1, phase),
        "no question": make_token(KEY, Purpose.CONFIRM, 999, 0, 0),
    }


@dataclass(slots=True)
class Siege:
    """A copy of the world that mails are sent into, one by one; `accepted` names those that changed
    something, and what.
    """

    desk: Desk
    file: Path
    reader: sqlite3.Connection
    accepted: list[tuple[str, str]] = field(default_factory=list)
    sent: int = 0
    _before: dict[str, int] = field(default_factory=dict)
    _outbox: int = 0

    async def send(self, name: str, raw: bytes, *, received_at: datetime | None = None) -> None:
        """Store and handle one mail, and look at what it changed."""
        self.sent += 1
        self.desk.sent += 1
        when = (received_at or self.desk.clock.now()).replace(microsecond=0)
        await store_mail(
            self.desk.services, StoredMail(raw, when, 9, self.desk.sent, oversize=False)
        )
        newest = int(self.reader.execute("SELECT max(id) FROM inbox").fetchone()[0])
        await receive(self.desk.services, newest)
        self.look(name)

    async def settle(self, name: str) -> None:
        """Do all the work that was asked for meanwhile: that may show what a mail has set off."""
        await self.desk.work()
        self.look(f"{name}: afterwards")

    def look(self, name: str) -> None:
        now = digest(self.reader)
        changed = sorted(table for table, value in now.items() if self._before.get(table) != value)
        if changed and self._before:
            self.accepted.append((name, ", ".join(changed)))
        self._before = now

    def letters_since(self) -> list[tuple[str, str]]:
        """Kind and address of every letter that the siege has caused."""
        return self.reader.execute(
            "SELECT kind, address FROM outbox WHERE id > ? ORDER BY id", (self._outbox,)
        ).fetchall()

    def registered(self) -> set[str]:
        """The addresses of players and game masters, and those that asked to join and have a
        question of ours to answer.
        """
        known = (
            "SELECT address FROM addresses WHERE channel = 'mail' UNION SELECT address FROM pending"
        )
        return {row[0] for row in self.reader.execute(known)}

    def outcomes(self) -> Iterator[tuple[str, str]]:
        """State and outcome of every message of the siege, the oldest first."""
        yield from self.reader.execute(
            "SELECT state, outcome FROM inbox ORDER BY id DESC LIMIT ?", (self.sent,)
        ).fetchall()[::-1]

    def begin(self) -> None:
        self._before = digest(self.reader)
        self._outbox = int(
            self.reader.execute("SELECT coalesce(max(id), 0) FROM outbox").fetchone()[0]
        )


def digest(reader: sqlite3.Connection) -> dict[str, int]:
    """A fingerprint of each thing that a believed message could change."""
    return {name: hash(tuple(reader.execute(query).fetchall())) for name, query in EFFECTS.items()}


def _copy(world: World, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in world.folder.glob("pbem.sqlite*"):
        shutil.copy(file, folder / file.name)


@asynccontextmanager
async def besieged(world: World, folder: Path) -> AsyncIterator[Siege]:
    """The world in a folder of its own."""
    _copy(world, folder)
    async with open_desk(folder, clock=StandingClock(world.now)) as desk:
        desk.sent = 1000
        reader = sqlite3.connect(folder / "pbem.sqlite")
        try:
            siege = Siege(desk, folder / "pbem.sqlite", reader)
            siege.begin()
            yield siege
        finally:
            reader.close()

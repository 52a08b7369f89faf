"""A small game from the first bid to the Dragon's victory, told as a script that can be taken up
again wherever it was broken off.

Played with the harness's seed by three players who write little. In it: orders, a correction, the
same mail twice, a mail without proof with its confirmation, a stranger, a holiday notice, a note,
reminders, a close that is held, a mail that comes too late, an early close, a second game master's
command given twice, an address that does not work for a day, a Dragon Attack and an elimination.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from pbem.demo.reports import FailedDelivery, format_report
from pbem.desk import gm
from pbem.desk.messages.intake import store_mail
from pbem.mail.ports import Delivery, OutboundMail, Sent, StoredMail
from pbem.mail.tokens import Purpose, format_reply_address, make_token
from pbem.store import tables
from tests.desk.dates import NOON
from tests.desk.harness import ADDRESS, AUTHSERV, GM, KEY, SEED, Desk, address_of
from tests.played import PLAYED

PLAYERS = ("Anna", "Bartek", "Chloé")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens `hours` after noon; `what` names a function below, whose arguments are
    `words`.
    """

    hours: float
    what: str
    words: tuple[str, ...] = ()


UNCHECKED = "X-Checked: no"
"""The header of a mail of which our own server says nothing."""

A_TABLE_BY_MAIL: tuple[Step, ...] = (
    Step(
        210,
        "answer",
        (
            "GM",
            "",
            f"new game Egret: {PLAYED}, 2 to 3 players, grand or normal by vote, starts when full",
        ),
    ),
    Step(211, "knock", ("Anna", "join {code} as Anna")),
    Step(212, "knock", ("Dmytro", "join {code} as Dmytro, time zone Europe/Kyiv")),
    Step(213, "answer", ("Dmytro", "", "yes")),
    Step(214, "knock", ("Emil", "join {code}")),
    Step(215, "answer", ("Emil", "", "yes, as Emil, green")),
    Step(216, "answer", ("Anna", "", "vote grand")),
    Step(217, "answer", ("Dmytro", "", "vote normal\nmy time zone is Europe/Oslo")),
    Step(218, "answer", ("Emil", "", "vote grand")),
    Step(219, "wait"),
    Step(220, "answer", ("GM", "", "egret: extend by 24h")),
    Step(221, "answer", ("Dmytro", "", "bid 3\nGM: may I ask something?")),
    Step(222, "answer", ("GM", "", "answer 2: yes, you may\negret: announce: the kettle is on")),
    Step(223, "answer", ("GM", "", "pause egret")),
    Step(224, "answer", ("Anna", "", "bid 4. final")),
    Step(225, "answer", ("GM", "", "resume egret")),
    Step(226, "answer", ("Dmytro", "", "bid 5. final")),
    Step(227, "answer", ("GM", "", "unlock Dmytro in egret")),
    Step(228, "answer", ("GM", "gm-confirm", "yes")),
    Step(229, "answer", ("Emil", "", "bid 6. final")),
    Step(230, "answer", ("Dmytro", "", "final")),
    Step(232, "answer", ("Emil", "", "Work P1")),
    Step(233, "answer", ("GM", "", "roll back egret to phase 1")),
    Step(234, "answer", ("GM", "gm-confirm", "yes")),
    Step(235, "answer", ("GM", "", "replace Emil in egret with Fenna fenna@players.example")),
    Step(236, "answer", ("GM", "gm-confirm", "yes")),
    Step(236.5, "answer", ("Fenna", "stand-in-confirm", "yes")),
    Step(237, "answer", ("Dmytro", "", "resign")),
    Step(238, "answer", ("Dmytro", "", "yes")),
    Step(239, "answer", ("Fenna", "", "bid 2")),
    Step(240, "answer", ("GM", "", "close egret now")),
    Step(241, "answer", ("GM", "gm-confirm", "yes")),
    Step(242, "answer", ("GM", "", "end egret: that was fun")),
    Step(243, "answer", ("GM", "gm-confirm", "yes")),
    Step(244, "wait"),
)
"""A second table that is opened, joined, voted on, started, run, rolled back and ended by mail
alone.
"""

SCRIPT: tuple[Step, ...] = (
    Step(0, "open"),
    *(Step(0, "invite", (name,)) for name in PLAYERS),
    Step(0, "start"),
    Step(1, "mail", ("Anna", "1", "bid 12")),
    Step(2, "mail", ("Anna", "1", "no wait, bid 5 please")),
    Step(2, "again", ("6",)),
    Step(3, "mail", ("Bartek", "0", "bid 7", "", UNCHECKED)),
    Step(4, "confirm", ("Bartek", "1", "yes")),
    Step(5, "mail", ("Chloé", "1", "I am on holiday.", "", "Auto-Submitted: auto-replied")),
    Step(5, "mail", ("Anna", "0", "bid 50", "eve@elsewhere.example")),
    Step(20.1, "wait"),
    Step(24.1, "break"),
    Step(24.5, "mend"),
    Step(50, "mail", ("Anna", "2", "Work P1\nGM: what a lovely map")),
    Step(51, "mail", ("Bartek", "2", "golden fortify P2\nattack P77")),
    Step(52, "mail", ("Chloé", "2", "status")),
    Step(53, "extend", ("97",)),
    Step(54, "bounce", ("Chloé", "2")),
    Step(73.1, "wait"),
    Step(97.001, "late", ("Chloé", "2", "Work P3")),
    Step(97.5, "mend"),
    Step(98, "mail", ("Anna", "3", "bid 1. final")),
    Step(98, "mail", ("Bartek", "3", "bid 2. final")),
    Step(98, "mail", ("Chloé", "3", "bid 3. final")),
    Step(120, "wait"),
    Step(200, "wait"),
    Step(201, "wait"),
    *A_TABLE_BY_MAIL,
)


class WireFile:
    """The next mail server, as it is seen over several lives of the service: whatever it took stays
    taken.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def send(self, mail: OutboundMail) -> Delivery:
        line = json.dumps([mail.recipient, mail.raw.decode("ascii")])
        with self._path.open("a", encoding="ascii") as file:
            file.write(f"{line}\n")
        return Sent("250 taken")

    def taken(self) -> list[tuple[str, bytes]]:
        """Recipient and bytes of every mail, in order."""
        if not self._path.exists():
            return []
        return [
            (line[0], line[1].encode())
            for line in map(json.loads, self._path.read_text(encoding="ascii").splitlines())
        ]


def moment_of(step: Step) -> datetime:
    return NOON + timedelta(hours=step.hours)


async def play(desk: Desk, progress: Path, *, times: int = 1, until: int = len(SCRIPT)) -> None:
    """Play from where `progress` says; every job is done `times` times."""
    done = _line_of(progress)
    for index in range(done, until):
        step = SCRIPT[index]
        desk.clock.instant = moment_of(step)
        await STEPS[step.what](desk, index, step.words)
        await desk.work(times=times)
        _note_line(progress, index + 1)


def _line_of(progress: Path) -> int:
    return int(progress.read_text()) if progress.exists() else 0


def _note_line(progress: Path, line: int) -> None:
    progress.write_text(str(line))


async def _open(desk: Desk, index: int, words: Sequence[str]) -> None:
    new = gm.NewTable("heron", "Heron", PLAYED, {}, "Europe/Berlin", "Greta", seed=SEED)
    await _unless(("game-exists",), gm.open_table(desk.services, new, gm.By("test")))


async def _invite(desk: Desk, index: int, words: Sequence[str]) -> None:
    await _unless(
        ("already-invited",),
        gm.invite(desk.services, "heron", words[0], address_of(words[0]), gm.By("test")),
    )


async def _start(desk: Desk, index: int, words: Sequence[str]) -> None:
    await _unless(("already-started",), gm.start(desk.services, "heron", gm.By("test")))


async def _extend(desk: Desk, index: int, words: Sequence[str]) -> None:
    await _unless(
        ("same-deadline",),
        gm.extend(
            desk.services,
            "heron",
            NOON + timedelta(hours=float(words[0])),
            gm.By("Greta"),
            shorten=True,
        ),
    )


async def _unless(codes: Sequence[str], command: Any) -> None:
    """A command given again after a crash says that it was done; that is fine."""
    try:
        await command
    except gm.Refused as refused:
        if refused.code not in codes:
            raise


async def _mail(desk: Desk, index: int, words: Sequence[str]) -> None:
    await bring(desk, index, player_mail(index, *words), moment_of(SCRIPT[index]))


async def _late(desk: Desk, index: int, words: Sequence[str]) -> None:
    """A mail that arrives in the second after the deadline, while the mailbox cannot be read to its
    end.
    """
    desk.mailbox.broken = True
    await bring(
        desk, index, player_mail(index, *words), moment_of(SCRIPT[index]) + timedelta(seconds=1)
    )


async def _again(desk: Desk, index: int, words: Sequence[str]) -> None:
    """The same mail once more, by another way."""
    first = int(words[0])
    await bring(
        desk,
        index,
        b"Received: by elsewhere\r\n" + player_mail(first, *SCRIPT[first].words),
        moment_of(SCRIPT[index]),
    )


async def _confirm(desk: Desk, index: int, words: Sequence[str]) -> None:
    name, pending, text = words
    token = make_token(KEY, Purpose.CONFIRM, int(pending), 0, 0)
    await bring(
        desk,
        index,
        compose(index, name, format_reply_address(ADDRESS, token), text),
        moment_of(SCRIPT[index]),
    )


async def _knock(desk: Desk, index: int, words: Sequence[str]) -> None:
    """Somebody writes to the house without any secret address, knowing the join code."""
    name, text = words
    async with desk.services.database.read() as work:
        game = await work.games.find_by_slug("egret")
    assert game is not None
    await bring(
        desk,
        index,
        compose(index, name, ADDRESS, text.format(code=game.join_code)),
        moment_of(SCRIPT[index]),
    )


async def _answer(desk: Desk, index: int, words: Sequence[str]) -> None:
    """Somebody answers the newest letter (of a kind) that was written to them before this line:
    whatever comes of it now, the same.
    """
    name, kind, text = words
    of_kind = [tables.outbox.c.kind == kind] if kind else []
    written = (
        tables.outbox.c.address == mailbox_of(name),
        tables.outbox.c.created_at < moment_of(SCRIPT[index]),
        *of_kind,
    )
    newest = (
        sa.select(tables.outbox.c.letter)
        .where(*written)
        .order_by(tables.outbox.c.id.desc())
        .limit(1)
    )
    async with desk.services.database.read() as work:
        letter = msgspec.json.decode((await work.connection.execute(newest)).scalar_one())
    await bring(
        desk, index, compose(index, name, letter["reply_to"], text), moment_of(SCRIPT[index])
    )


def mailbox_of(name: str) -> str:
    return GM if name == "GM" else address_of(name)


async def _bounce(desk: Desk, index: int, words: Sequence[str]) -> None:
    """Another server reports that a letter to a player could not be delivered."""
    name, phase = words
    sender = format_reply_address(
        ADDRESS, make_token(KEY, Purpose.BOUNCE, PLAYERS.index(name) + 1, 1, int(phase))
    )
    at = moment_of(SCRIPT[index])
    failed = FailedDelivery(
        reporting_host="players.example",
        sender=sender,
        recipient=address_of(name),
        reply="550 5.1.1 no such user",
        at=at,
        serial=index,
        raw=b"Subject: Turn\r\n\r\n",
    )
    await bring(desk, index, b"Return-Path: <>\r\n" + format_report(failed), at)


async def _break(desk: Desk, index: int, words: Sequence[str]) -> None:
    desk.mailbox.broken = True


async def _mend(desk: Desk, index: int, words: Sequence[str]) -> None:
    desk.mailbox.broken = False


async def _wait(desk: Desk, index: int, words: Sequence[str]) -> None:
    """Time passes."""


STEPS = {
    "open": _open,
    "invite": _invite,
    "start": _start,
    "extend": _extend,
    "mail": _mail,
    "late": _late,
    "again": _again,
    "confirm": _confirm,
    "knock": _knock,
    "answer": _answer,
    "bounce": _bounce,
    "break": _break,
    "mend": _mend,
    "wait": _wait,
}


def seat_address(name: str, phase: int) -> str:
    """The reply address of a seat for a phase; the seats of the first game are numbered as they
    were invited.
    """
    return format_reply_address(
        ADDRESS, make_token(KEY, Purpose.ORDERS, PLAYERS.index(name) + 1, 1, phase)
    )


def player_mail(
    index: int, name: str, phase: str, text: str, sender: str = "", header: str = ""
) -> bytes:
    to = seat_address(name, int(phase)) if phase != "0" else ADDRESS
    return compose(index, name, to, text, sender, header)


def compose(index: int, name: str, to: str, text: str, sender: str = "", header: str = "") -> bytes:
    mail = EmailMessage()
    mail["From"] = sender or f"{name} <{mailbox_of(name)}>"
    mail["To"] = to
    mail["Subject"] = "Re: [Heron]"
    mail["Message-ID"] = f"<script.{index}@players.example>"
    if header:
        mail[header.partition(": ")[0]] = header.partition(": ")[2]
    mail.set_content(text)
    if header == UNCHECKED:
        return mail.as_bytes(policy=SMTP)
    domain = mailbox_of(name).partition("@")[2]
    return (
        f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from={domain}\r\n".encode()
        + mail.as_bytes(policy=SMTP)
    )


async def bring(desk: Desk, uid: int, raw: bytes, received_at: datetime) -> None:
    await store_mail(
        desk.services, StoredMail(raw, received_at.replace(microsecond=0), 1, uid, oversize=False)
    )


async def read_record(desk: Desk) -> dict[str, list[Any]]:
    """All that a game leaves behind, without row numbers, attempts and the instants of sending."""
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
        assert game is not None

        async def rows(table: sa.Table, *names: str) -> list[Any]:
            found = await work.connection.execute(sa.select(*(table.c[name] for name in names)))
            return sorted((tuple(row) for row in found), key=repr)

        return {
            "game": [game.status, game.phase_number, game.chance_place, game.attempts],
            "phases": await rows(
                tables.phases,
                "number",
                "kind",
                "status",
                "deadline",
                "opened_at",
                "ics_sequence",
                "reminders_sent",
            ),
            "states": await rows(tables.states, "phase_number", "body", "chance_place"),
            "events": await rows(
                tables.events, "phase_number", "ordinal", "kind", "body", "audience", "rules"
            ),
            "orders": await rows(
                tables.orders,
                "phase_number",
                "seat_id",
                "version",
                "orders",
                "canonical",
                "final",
                "received_at",
            ),
            "seats": await rows(tables.seats, "number", "name", "status"),
            "notes": await rows(tables.notes, "seat_id", "text", "state"),
            "inbox": await rows(tables.inbox, "message_key", "state", "outcome"),
            "outbox": [
                (kind, address, message_id, key, state, msgspec.json.decode(letter))
                for kind, address, message_id, key, state, letter in await rows(
                    tables.outbox, "kind", "address", "message_id", "dedupe_key", "state", "letter"
                )
            ],
            "log": await rows(tables.gm_log, "command", "detail"),
            "pictures": await rows(tables.pictures, "digest"),
        }

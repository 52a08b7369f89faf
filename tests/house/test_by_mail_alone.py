"""A table from its opening to its end by nothing but mail: `pbem serve` in a process of its own,
behind postfix and dovecot.
"""

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid
from functools import partial
from pathlib import Path

import pytest

from pbem.mail.ports import OutboundMail, Sent
from pbem.mail.smtp import SmtpOutbound
from pbem.opening import SystemClock
from pbem.store.database import open_database
from tests.desk.harness import text_of
from tests.played import PLAYED
from tests.servers.dovecot import running_dovecot
from tests.servers.postfix import Postfix, running_postfix
from tests.servers.reader import Reader, reading

HOST = "mail.example"
ORDERS, GRETA = f"orders@{HOST}", f"greta@{HOST}"
PLAYERS = ("Anna", "Bartek", "Chloe")
BEATEN = "no unit, level"
"""What a turn mail tells of somebody whose last unit fell to the Dragon, with nothing to order."""
MOST_PHASES = 12
"""Two turns have five, and a few more when the Dragon comes."""
ANSWERS = {
    "purchases": "bid {bid}\nfinal",
    "Dragon Attack": "commit everything\nfinal",
    "orders": "work everywhere\nfinal",
    "bid": "bid {bid}\nfinal",
}
"""By a word of the question's subject. Nobody bids alike, so nobody has to bid again."""

pytestmark = pytest.mark.servers


@dataclass
class Town:
    """The exchanger, and who reads where; `seen` counts the mails each reader has looked at."""

    postfix: Postfix
    readers: dict[str, Reader]
    seen: dict[str, int] = field(default_factory=dict)

    async def write(self, sender: str, text: str, answering: EmailMessage | None = None) -> None:
        mail = EmailMessage()
        recipient = str(answering["Reply-To"]) if answering is not None else ORDERS
        mail["From"], mail["To"], mail["Message-ID"] = sender, recipient, make_msgid(domain=HOST)
        mail["Subject"] = f"Re: {answering['Subject']}" if answering is not None else "hello"
        if answering is not None:
            mail["In-Reply-To"] = str(answering["Message-ID"])
        mail.set_content(text)
        async with SmtpOutbound(self.postfix.exchanger()) as outbound:
            sent = await outbound.send(OutboundMail(sender, recipient, mail.as_bytes(policy=SMTP)))
        assert isinstance(sent, Sent), sent

    async def next(self, reader: str, *words: str) -> EmailMessage:
        """The next mail to somebody that has all these words, of those not looked at yet."""
        start, mails = self.seen.get(reader, 0), self.readers[reader].mails

        def is_wanted(mail: EmailMessage) -> bool:
            said = f"{mail['Subject']}\n{text_of(mail)}".casefold()
            return mails.index(mail) >= start and all(word.casefold() in said for word in words)

        found = await self._wait(reader, is_wanted, words)
        self.seen[reader] = mails.index(found) + 1
        return found

    async def turn_mail(self, reader: str, phase: int) -> EmailMessage:
        """The mail whose answer orders something for that phase."""

        def asks(mail: EmailMessage) -> bool:
            is_for_it = re.search(rf"\+o\d+-{phase}-", str(mail["Reply-To"])) is not None
            return is_for_it and any(
                part.get_content_type() == "text/calendar" and part.get_param("method") == "PUBLISH"
                for part in mail.walk()
            )

        return await self._wait(reader, asks, f"orders for phase {phase}")

    async def _wait(
        self, reader: str, wanted: Callable[[EmailMessage], bool], what: object
    ) -> EmailMessage:
        try:
            return await self.readers[reader].wait_for(wanted)
        except TimeoutError:
            got = [
                f"{mail['Subject']}\n{text_of(mail)}"
                for mail in self.readers[reader].mails[self.seen.get(reader, 0) :]
            ]
            pytest.fail(f"{reader} got nothing with {what}, but:\n" + "\n---\n".join(got))


def address_of(name: str) -> str:
    return f"{name.lower()}@{HOST}"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Postfix, dict[str, str]]]:
    users = dict.fromkeys((ORDERS, GRETA, *map(address_of, PLAYERS)), "secret")
    with running_dovecot(users) as dovecot, running_postfix(dovecot, HOST) as postfix:
        yield postfix, {"imap": str(dovecot.imap_port), "smtp": str(postfix.submission_port)}


@asynccontextmanager
async def serving(folder: Path, ports: dict[str, str]) -> AsyncIterator[None]:
    """`pbem serve`, until the block ends."""
    login = f'host = "127.0.0.1"\ntls = "none"\nuser = "{ORDERS}"\npassword = "secret"\n'
    file = folder / "pbem.toml"
    file.touch(mode=0o600)
    file.write_text(
        f'[service]\naddress = "{ORDERS}"\nsweep_seconds = 0.2\n[gm]\naddresses = ["{GRETA}"]\n'
        f"[imap]\nport = {ports['imap']}\n{login}[smtp]\nport = {ports['smtp']}\n{login}",
        "utf-8",
    )
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from pbem.cli import main; main()",
            "serve",
            "--config",
            str(file),
            cwd=folder,
            stdout=log,
            stderr=log,
        )
        try:
            yield
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGTERM)
            assert await asyncio.wait_for(process.wait(), 60) == 0, (folder / "log").read_text(
                "utf-8"
            )


@pytest.mark.long(
    held_by="tests/desk/gm_commands and tests/desk/lobby (each of these commands by mail),"
    " tests/desk/gm/test_history.py (rolled back and ended), tests/house/test_postfix_game.py"
    " (a table through postfix and dovecot), tests/deploy/test_serve.py (the command itself)"
)
async def test_a_table_is_opened_joined_played_rolled_back_and_ended_by_mail_alone(
    servers: tuple[Postfix, dict[str, str]], tmp_path: Path
) -> None:
    postfix, ports = servers
    async with AsyncExitStack() as stack:
        readers = {}
        for address in (GRETA, *map(address_of, PLAYERS)):
            settings = postfix.dovecot.imap_settings(address)
            readers[address] = await stack.enter_async_context(reading(settings, SystemClock()))
        town = Town(postfix, readers)
        await stack.enter_async_context(serving(tmp_path, ports))

        await town.write(
            GRETA, f"new game Heron: {PLAYED}, 3 to 3 players, grand or normal by vote, orders 72h"
        )
        await town.write(GRETA, "yes", await town.next(GRETA, "new game"))
        opened = await town.next(GRETA, "heron", "join ")
        code = re.search(r"join (heron-\w+)", text_of(opened))
        assert code is not None, text_of(opened)

        seated = await asyncio.gather(*(join(town, name, code[1]) for name in PLAYERS))
        await town.next(GRETA, "All seats are taken")
        await asyncio.gather(
            *map(partial(vote, town), PLAYERS, ("grand", "normal", "grand"), seated)
        )
        await town.write(GRETA, "start", opened)

        phase = await play_until(town, turn=3)
        await town.write(GRETA, "status", opened)
        status = text_of(await town.next(GRETA, "Anna", "Bartek", "Chloe", f"phase {phase}"))
        assert re.search(r"Anna .*missing", status), status
        await town.write(GRETA, "roll back to phase 2", opened)
        await town.write(GRETA, "yes", await town.next(GRETA, "roll back", "phase 2", "yes"))
        for name in PLAYERS:
            asked = await town.turn_mail(address_of(name), phase + 1)
            assert str(asked["Subject"]).endswith("[Heron 1]")
        await town.write(GRETA, "end: thank you all", opened)
        await town.write(GRETA, "yes", await town.next(GRETA, "end", "thank you all", "yes"))
        for name in PLAYERS:
            await town.next(address_of(name), "thank you all", "seed")

    database = open_database(f"sqlite+aiosqlite:///{tmp_path / 'pbem-data' / 'pbem.sqlite'}")
    async with database.read() as work:
        (game,) = await work.games.list_by_status()
        assert (game.status, game.phase_number) == ("ended", phase + 1)
        assert {seat.name for seat in await work.seats.list_of_game(game.id)} == set(PLAYERS)
        assert set(await work.inbox.count_by_state()) == {"handled"}
        assert set(await work.outbox.count_by_state()) == {"sent"}
    await database.dispose()


async def join(town: Town, name: str, code: str) -> EmailMessage:
    await town.write(address_of(name), f"join {code} as {name}, time zone Europe/Oslo")
    await town.write(address_of(name), "yes", await town.next(address_of(name), "seat"))
    return await town.next(address_of(name), "Europe/Oslo", "when it begins")


async def vote(town: Town, name: str, answer: str, seated: EmailMessage) -> None:
    await town.write(address_of(name), f"vote {answer}", seated)
    await town.next(address_of(name), "you vote", answer)


async def play_until(town: Town, turn: int) -> int:
    """Everybody answers every question finally, so that each closes at once; the number of the
    phase that opens that turn.
    """
    for phase in range(1, MOST_PHASES):
        first = await town.turn_mail(address_of(PLAYERS[0]), phase)
        if str(first["Subject"]).endswith(f"[Heron {turn}]"):
            return phase
        await asyncio.gather(
            *(
                answer_turn(town, name, phase, bid)
                for name, bid in zip(PLAYERS, (9, 8, 7), strict=True)
            )
        )
    pytest.fail(f"{MOST_PHASES} phases, and turn {turn} has not come")


async def answer_turn(town: Town, name: str, phase: int, bid: int) -> None:
    asked = await town.turn_mail(address_of(name), phase)
    text = next(text for word, text in ANSWERS.items() if word in str(asked["Subject"]))
    is_beaten = BEATEN in text_of(asked)
    await town.write(address_of(name), "final" if is_beaten else text.format(bid=bid), asked)
    if is_beaten:  # to end a turn without an order needs a yes
        question = await town.next(address_of(name), 'Did you mean "Final"')
        await town.write(address_of(name), "yes", question)

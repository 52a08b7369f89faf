"""The whole house once: `pbem serve` behind postfix and dovecot, with a bot, while a table is
played by mail and by chat; and trouble of every kind on the way: a forged mail, a Bot API server
that fails, a reader's mail server that hangs, a kill -9.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.demo.telegram import Fault
from tests.desk.harness import text_of
from tests.house.outside import (
    GRETA,
    ORDERS,
    PATIENCE_SECONDS,
    PLAYERS,
    Lives,
    Table,
    Town,
    Windows,
    address_of,
    at_rest,
    open_town,
)
from tests.servers.dovecot import Dovecot, running_dovecot
from tests.servers.greylist import Greylist, running_greylist
from tests.servers.postfix import Postfix, running_postfix

HOST = "mail.example"
LAST = 4
"""The phase that is not played any more."""
FAILING = 3

pytestmark = pytest.mark.servers


async def play(
    folder: Path, dovecot: Dovecot, postfix: Postfix, greylist: Greylist
) -> dict[str, Any]:
    windows = Windows()
    (folder / "log").touch()
    async with Lives() as lives, open_town(folder, dovecot, postfix) as town:
        table = Table(town, town.telegram.user("Cleo"), limit=(1, LAST))
        await lives.serve(folder)
        await table.open()
        async with asyncio.timeout(PATIENCE_SECONDS), asyncio.TaskGroup() as group:
            await table.link()
            forged = group.create_task(forge(town))
            playing = group.create_task(table.play())
            await asked(town, "Anna", 2)
            await lives.kill()
            windows.look(town)
            fail_for_a_while(town)
            greylist.hung.add(GRETA)
            await lives.start(folder)
            await asked(town, "Anna", 3)
            await asyncio.to_thread(greylist.hanging.wait, PATIENCE_SECONDS)
            during = len(
                town.rows(
                    "SELECT id FROM outbox WHERE address = 'greta@mail.example' AND state <> 'sent'"
                )
            )
            for name in PLAYERS:
                await asked(town, name, LAST)
            waited = len(
                town.rows(
                    "SELECT id FROM outbox WHERE address = 'greta@mail.example' AND state <> 'sent'"
                )
            )
            greylist.let_go.set()
            await playing
            await forged
        await at_rest(town, lives)
        sent = {
            str(name)
            for (name,) in town.rows(
                "SELECT message_id FROM outbox WHERE channel = 'mail' AND state = 'sent'"
            )
        }
        async with asyncio.timeout(PATIENCE_SECONDS), town.news:
            await town.news.wait_for(lambda: sent <= {letter.message_id for letter in town.letters})
        return {
            "written": len(town.written),
            "said": len(town.shown(by_bot=False)),
            "windows": windows,
            "inbox": Counter(town.rows("SELECT channel, state, outcome FROM inbox")),
            "outbox": Counter(town.rows("SELECT channel, state FROM outbox")),
            "letters": Counter(letter.message_id for letter in town.letters),
            "chats": Counter(shown.text for shown in town.shown(by_bot=True)),
            "hung": (during, waited),
            "failed": [call.method for call in town.telegram.calls].count("sendMessage"),
            "games": town.rows("SELECT status, phase_number, attempts FROM games"),
            "bids": town.rows(
                "SELECT canonical FROM orders WHERE phase_number = 1 AND seat_id = 2 ORDER BY version"
            ),
            "log": (folder / "log").read_text("utf-8", "replace"),
        }


async def forge(town: Town) -> None:
    """Somebody writes in Bartek's name to the house's bare address; he alone hears of it."""
    await town.write(address_of("Bartek"), ORDERS, "bid 0, final")
    await town.letter(
        lambda letter: (
            letter.reader == address_of("Bartek")
            and "did you write this" in text_of(letter.mail).lower()
        )
    )


def fail_for_a_while(town: Town) -> None:
    """The Bot API server fails, as in an outage of a minute: nothing is taken, nothing handed
    out.
    """
    for method in ("sendMessage", "sendPhoto", "getUpdates"):
        town.telegram.fail(method, *[Fault.refused(502, "Bad Gateway")] * FAILING)


async def asked(town: Town, name: str, phase: int) -> None:
    await town.letter(lambda letter: letter.reader == address_of(name) and letter.phase == phase)


@pytest.mark.long(
    held_by="tests/house/test_postfix_game.py, tests/house/test_by_telegram.py (the servers),"
    " tests/trouble (each trouble by itself)"
)
def test_a_table_is_played_through_every_trouble_and_nothing_is_lost(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    users = dict.fromkeys((ORDERS, GRETA, *map(address_of, PLAYERS)), "secret")
    with running_greylist() as greylist, running_dovecot(users) as dovecot:
        restrictions = {"smtpd_recipient_restrictions": greylist.restriction}
        with running_postfix(dovecot, HOST, settings=restrictions) as postfix:
            found = asyncio.run(play(tmp_path, dovecot, postfix, greylist))
    doubled = {message_id: count - 1 for message_id, count in found["letters"].items() if count > 1}
    record_property(
        "figures",
        f"the whole house: {found['written']} mails and {found['said']} chat messages written, {found['inbox'].total()} came in; "
        f"{len(found['letters'])} letters, {sum(doubled.values())} doubled, {found['windows'].mails.total()} in the window of the kill; "
        f"{sum(found['chats'].values())} chat messages of the bot after {3 * FAILING} failures of its server; "
        f"letters to the reader whose server hung, while it hung: {found['hung'][1]} unsent; {LAST - 1} closes",
    )
    assert found["games"] == [("running", LAST, 0)]
    assert found["inbox"].total() == found["written"] + found["said"]
    assert {state for _, state, _ in found["inbox"]} <= {"handled", "ignored"}, found["inbox"]
    assert "shunted" not in {state for _, state, _ in found["inbox"]}
    assert {state for _, state in found["outbox"]} <= {"sent", "withheld"}, found["outbox"]
    assert doubled.keys() <= found["windows"].mails.keys()
    assert [bid for (bid,) in found["bids"]] == ['["Bid 8"]'], "and nothing of the forged one"
    assert found["hung"][1] > 0, "the others were asked, and answered, while Greta's server hung"
    assert "Traceback" not in found["log"]

"""A word of its own in everything that is secret, over a game with everything in it; searched in
all that leaves. And what others can tell.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from pbem.store import tables
from tests.desk.harness import GM, Desk, address_of, open_desk, parse
from tests.desk.lobbies import answer, code_of, join, open_lobby
from tests.desk.mastery import command, gm_last

CANARIES = {"Anna": "xylophone", "Bartek": "zeppelin", "Chloé": "quokka"}
TOKEN = re.compile(rb"[ocbgw]\d+-\d+-([a-z2-7]{26})")


def everything_in(raw: bytes) -> bytes:
    """A letter with its head, all of its parts decoded, and the text chunks of its pictures
    (which are not packed).
    """
    mail = parse(raw)
    services = [part.get_payload(decode=True) for part in mail.walk() if not part.is_multipart()]
    head = "\n".join(f"{key}: {value}" for key, value in mail.items()).encode("utf-8", "replace")
    return b"\n".join([raw, head, *(part for part in services if isinstance(part, bytes))]).lower()


def tokens_in(raw: bytes) -> set[bytes]:
    return set(TOKEN.findall(everything_in(raw)))


async def whole_game(desk: Desk) -> None:
    """Two windows of orders and bids with everybody's secrets in them, commands of the game master,
    and a table that is joined beside it.
    """
    await desk.open_game()
    for turn in range(3):
        for name, word in CANARIES.items():
            await desk.write(name, f"{word} P1")
            await desk.write(name, f"send 1 to {word}\nfortify {word}")
            await desk.write(name, f"GM: {word}note is my word")
            await desk.write(
                name,
                f"to Anna: {word}press for you alone"
                if name != "Anna"
                else f"press to Bartek: {word}press for you alone",
            )
            await desk.write(
                name,
                f"bid {turn + 3}" if turn == 0 else f"fortify P{list(CANARIES).index(name) + 1}",
            )
            await desk.write(name, f"{word} from elsewhere", sender="eve@elsewhere.example")
        await command(
            desk,
            f"extend heron by {turn + 1}h\nstatus heron\nannounce heron: All is well.",
            answering=gm_last(desk, "Note"),
        )
        await desk.everybody_passes()
    await open_lobby(desk, "egret")
    await join(desk, "Emil", slug="egret")
    await join(desk, "Fenna", slug="egret", wish=", colour green")
    await answer(desk, "Emil", "GM: marmalade is Emil's word")
    assert await code_of(desk, "egret")


async def test_a_secret_word_is_in_nothing_that_leaves_to_others(tmp_path: Path) -> None:
    with capture_logs() as logs:
        async with open_desk(tmp_path) as desk:
            await whole_game(desk)
            mails = list(desk.postbox.mails)
            async with desk.services.database.read() as work:
                alts = (
                    (await work.connection.execute(sa.select(tables.pictures.c.alt)))
                    .scalars()
                    .all()
                )
    words = {**CANARIES, "Emil": "marmalade"}
    for name, word in words.items():
        mine = [mail for mail in mails if mail.recipient == address_of(name)]
        assert any(word.encode() in everything_in(mail.raw) for mail in mine), (
            "the search finds what is there"
        )
        for mail in mails:
            if mail.recipient in (address_of(name), "eve@elsewhere.example"):
                continue
            found = everything_in(mail.raw)
            if mail.recipient == GM:  # a note is for the game master; nothing else of a player's is
                found = found.replace(f"{word}note".encode(), b"").replace(
                    b"marmalade is emil", b""
                )
            if mail.recipient == address_of(
                "Bartek" if name == "Anna" else "Anna"
            ):  # press is for its reader
                found = found.replace(f"{word}press".encode(), b"")
            assert word.encode() not in found, (
                name,
                mail.recipient,
                str(parse(mail.raw)["Subject"]),
            )
        assert word not in repr(logs)
        assert not any(word in alt for alt in alts)
    assert len(logs) > 50, "there are logs to look at"


@pytest.mark.long(
    held_by="tests/desk/whole/test_secrecy.py (secrets), tests/hostile/test_hostile.py (codes)"
)
async def test_the_code_of_a_letter_is_in_no_other_readers_letter_and_in_no_log(
    tmp_path: Path,
) -> None:
    with capture_logs() as logs:
        async with open_desk(tmp_path) as desk:
            await whole_game(desk)
            mails = list(desk.postbox.mails)
    told = repr(logs).encode()
    owners: dict[bytes, str] = {}
    for mail in mails:
        for mac in tokens_in(mail.raw):
            assert owners.setdefault(mac, mail.recipient) == mail.recipient
            assert mac not in told
    assert len(owners) > 10


SECRETS = (
    ("bid 1", "bid 49"),
    ("bid 12. final", "bid 30. final"),
    ("bid 2\nmarch everything", "frobnicate the marmalade\nbid 48"),
    ("status", "bid 5"),
    ("what if Bartek holds?", "preview"),
)


async def seen_by_others(folder: Path, text: str) -> Mapping[str, object]:
    """Every byte that others get until the close, in which order, and when each letter was due."""
    async with open_desk(folder) as desk:
        await desk.open_game()
        await desk.write("Anna", text)
        await desk.write("Bartek", "bid 7")
        await desk.write("Bartek", "status")
        await desk.write("Chloé", "orders\nmap")
        desk.clock.forward(hours=4)
        await desk.work()
        await desk.write("Chloé", "help")
        others = [
            (mail.recipient, mail.envelope_from, mail.raw)
            for mail in desk.postbox.mails
            if mail.recipient not in (address_of("Anna"), GM)
        ]
        async with desk.services.database.read() as work:
            columns = (
                tables.outbox.c.kind,
                tables.outbox.c.address,
                tables.outbox.c.due_at,
                tables.outbox.c.created_at,
                tables.outbox.c.message_id,
            )
            rows = (
                await work.connection.execute(sa.select(*columns).order_by(tables.outbox.c.id))
            ).all()
        timing = [tuple(row) for row in rows if row.address not in (address_of("Anna"), GM)]
        return {"letters": others, "timing": timing}


@pytest.mark.long(held_by="tests/desk/whole/test_secrecy.py (the letters of the others)")
@pytest.mark.parametrize(("one", "other"), SECRETS)
async def test_every_byte_and_moment_of_the_others_letters_is_the_same(
    tmp_path: Path, one: str, other: str
) -> None:
    seen = []
    for number, text in enumerate((one, other)):
        (tmp_path / str(number)).mkdir()
        seen.append(await seen_by_others(tmp_path / str(number), text))
    assert seen[0] == seen[1]
    assert seen[0]["letters"]

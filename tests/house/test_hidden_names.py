"""A table with hidden names at the real service, played by mail and in a chat from its opening to
its archive: nobody else gets a name before the end, and everybody does at the end.
"""

from pathlib import Path

import pytest

from pbem.archive.shelf import archive_games
from pbem.desk import gm
from tests.house.hall import Hall, open_hall
from tests.played import PLAYED

BY_MAIL, BY_CHAT = ("Xenquist", "Yorvath"), "Qanarina"
BY = gm.By("test")
WEB = "https://games.example/"


async def join_code(hall: Hall) -> str:
    async with hall.service.services.database.read() as work:
        game = await work.games.find_by_slug("heron")
    assert game is not None
    assert game.join_code is not None
    return game.join_code


async def sit_down(hall: Hall) -> None:
    """The game master opens the game by mail; two join by mail, one in a chat."""
    await hall.mails(
        "GM", f"new game Heron: {PLAYED}, 3 players, names hidden until the end", new=True
    )
    await hall.mails("GM", "yes", answering=await hall.newest("GM"))
    code = await join_code(hall)
    for name in BY_MAIL:
        await hall.mails(name, f"join {code} as {name}", new=True)
        await hall.mails(name, "yes", answering=await hall.newest(name))
    await hall.says(BY_CHAT, f"/join {code}")
    await hall.says(BY_CHAT, "yes")
    await hall.mails("GM", "start", answering=await hall.newest("GM"))
    await hall.mails("GM", "yes", answering=await hall.newest("GM"))


async def reaches_others(hall: Hall, name: str) -> list[bytes]:
    """All that anybody but this player and the game master has ever got, in small letters."""
    found = []
    for other in (*BY_MAIL, BY_CHAT):
        if other != name:
            found += [one.everything for one in await hall.got(other)]
            if other in hall.users:
                found += hall.ever_sent_to(hall.users[other].chat_id)
    return found


async def published(hall: Hall, folder: Path) -> dict[str, bytes]:
    """The files of the game's archive, and of the list of all games."""
    await archive_games(hall.service.services, ["heron"], folder, BY, base_url=WEB)
    return {str(one.relative_to(folder)): one.read_bytes() for one in files_in(folder)}


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


async def check_nobody_knows(hall: Hall, folder: Path) -> None:
    files = await published(hall, folder)
    assert {"index.html", "feed.xml", "heron/index.html", "heron/feed.xml"} <= set(files)
    for name in (*BY_MAIL, BY_CHAT):
        canary = name.lower().encode()
        letters = await reaches_others(hall, name)
        assert len(letters) > 5
        for text in (*letters, *(text.lower() for text in files.values())):
            at = text.find(canary)
            assert at < 0, text[max(0, at - 200) : at + 200]


@pytest.mark.long(held_by="tests/desk/people/test_hidden_names.py (all letters, chats and pages)")
async def test_nobody_reads_a_name_before_the_end_and_everybody_does_then(tmp_path: Path) -> None:
    async with open_hall(tmp_path, BY_MAIL) as hall:
        await sit_down(hall)
        for words in ("status", "players", "press to all: Good luck!", "bid 3"):
            await hall.mails("Xenquist", words)
            await hall.says(BY_CHAT, words)
        await hall.mails("Yorvath", "press to Red: Shall we?\nENDPRESS")
        await hall.mails("Xenquist", "With pleasure.", answering=await hall.newest("Xenquist"))
        for _ in range(2):
            await hall.closes()
            await check_nobody_knows(hall, tmp_path / "web")
        status = await hall.newest("GM")
        await hall.mails("GM", "status", answering=status)
        assert "Xenquist" in (await hall.got("GM"))[-1].text
        await hall.mails("GM", "end", answering=await hall.newest("GM"))
        await hall.mails("GM", "yes", answering=await hall.newest("GM"))
        for name in (*BY_MAIL, BY_CHAT):
            (told,) = [one for one in await hall.got(name) if "who was who" in one.subject.lower()]
            for person in (*BY_MAIL, BY_CHAT):
                assert person in told.text
        files = await published(hall, tmp_path / "web")
        assert (
            b"Red was Xenquist; Blue was Yorvath; Yellow was Qanarina" in files["heron/index.html"]
        )
        assert hall.telegram.violations == []

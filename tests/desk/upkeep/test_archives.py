"""The archive of a real game: what everybody knew while it runs, the letters too when it is
over.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.letters import read_private_mails
from pbem.archive.packing import unpack
from pbem.archive.site import archive_game
from pbem.desk import gm
from pbem.desk.press.words import set_press
from pbem.grammar.press_rules import PressChange
from tests.desk.harness import SEED, Desk, open_desk, text_of
from tests.played import PLAYED

BY = gm.By("operator")


async def play(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 3\nGM: xylophone")
    await desk.everybody_passes()
    await desk.write("Anna", "work P1\nGM: zeppelin")
    await desk.everybody_passes()


def index_of(folder: Path) -> str:
    """The index, whose links lead somewhere, and so do those of the letters."""
    for page in folder.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"#:]+)["#]', page.read_text("utf-8")):
            assert (page.parent / link).is_file(), (page.name, link)
    return (folder / "index.html").read_text("utf-8")


def everything_in(folder: Path) -> str:
    texts = (path for path in folder.rglob("*") if path.suffix in (".html", ".js", ".json"))
    return "\n".join(path.read_text("utf-8") for path in texts)


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def game_in(folder: Path) -> Any:
    """What the replay reads."""
    return json.loads(unpack((folder / "game.js").read_bytes()))


async def test_of_a_game_that_runs_everything_public_is_shown_and_nothing_else(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await play(desk)
        archived = await archive_game(desk.services, "heron", folder, BY)
        bulletins = [text_of(mail) for mail in desk.letters("Bartek") if mail["List-Id"]]
        async with desk.services.database.read() as work:
            game = await work.games.find(1)
            commands = [row.command for row in await work.log.list_of_game(1)]
    index, text = index_of(folder), everything_in(folder)
    assert game is not None
    assert (archived.steps, archived.letters) == (game.phase_number, 0)
    assert len(game_in(folder)["steps"]) == game.phase_number
    assert "still running" in index
    for secret in ("xylophone", "zeppelin", "players.example", "Bid 3", SEED.hex()):
        assert secret not in text, secret
    assert not re.search(r"[ocbgw]\d+-\d+-[a-z2-7]{26}", text)
    assert bulletins is not None
    assert "game export" not in commands
    assert len(list((folder / "pictures").glob("*.webp"))) >= 2


async def test_orders_of_an_open_phase_change_nothing_of_an_archive(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await play(desk)
        await archive_game(desk.services, "heron", tmp_path / "out", BY)
        before = files_in(tmp_path / "out")
        await desk.write("Anna", "bid 7")
        await desk.write("Bartek", "bid 9, final")
        archived = await archive_game(desk.services, "heron", tmp_path / "out", BY)
        assert files_in(tmp_path / "out") == before
        assert (archived.change.written, archived.change.removed) == ((), ())


async def test_the_mails_of_a_game_that_runs_are_secret(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        with pytest.raises(gm.Refused) as refused:
            await archive_game(desk.services, "heron", tmp_path / "out", BY, private=True)
    assert refused.value.code == "too-early"
    assert not (tmp_path / "out").exists()


async def test_of_a_game_that_is_over_the_mails_can_be_shown_and_everybody_is_told(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await play(desk)
        await gm.end(desk.services, "heron", BY)
        await desk.work()
        archived = await archive_game(desk.services, "heron", folder, BY, private=True)
        await desk.work()
        told = desk.last("Bartek", "have been read")
        async with desk.services.database.read() as work:
            (entry,) = [
                row for row in await work.log.list_of_game(1) if row.command == "game export"
            ]
    index_of(folder)
    text, anna = everything_in(folder), (folder / "players" / "anna.html").read_text("utf-8")
    assert archived.letters > 10
    assert "xylophone" in anna
    assert "All that went between the post office and Anna" in anna
    assert "players.example" not in text
    assert not re.search(r"[ocbgw]\d+-\d+-[a-z2-7]{26}", text)
    assert "archive" in text_of(told)
    assert (entry.actor, entry.public) == ("operator", True)


async def test_an_earlier_archive_is_replaced_and_nothing_else_touched(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await gm.end(desk.services, "heron", BY)
        await desk.work()
        await archive_game(desk.services, "heron", folder, BY, private=True)
        letters = sorted(f"letters/{path.name}" for path in (folder / "letters").iterdir())
        (folder / "players" / "mine.html").write_text("mine")
        (folder / "mine.txt").write_text("mine")
        archived = await archive_game(desk.services, "heron", folder, BY)
    assert letters
    assert set(letters) <= set(archived.change.removed)
    assert not (folder / "letters").exists()
    assert (folder / "players" / "mine.html").read_text() == "mine"
    assert (folder / "mine.txt").read_text() == "mine"


async def test_the_film_and_the_picture_to_share_are_made_again_only_when_they_show_something_else(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await play(desk)
        await archive_game(desk.services, "heron", folder, BY)
        (folder / "share.png").write_bytes(b"kept")
        await archive_game(desk.services, "heron", folder, BY)
        assert (folder / "share.png").read_bytes() == b"kept"
        await desk.everybody_passes()
        await archive_game(desk.services, "heron", folder, BY)
        assert (folder / "share.png").read_bytes() != b"kept"
        await gm.end(desk.services, "heron", BY)
        await desk.work()
        await archive_game(desk.services, "heron", folder, BY)
        (folder / "film.webp").write_bytes(b"kept")
        archived = await archive_game(desk.services, "heron", folder, BY)
        assert (folder / "film.webp").read_bytes() == b"kept"
        assert archived.change.written == ()
        (folder / ".sources.json").write_text("{}")
        archived = await archive_game(desk.services, "heron", folder, BY)
        assert archived.change.written == ("film.webp", ".sources.json")


async def test_a_game_that_has_not_begun_or_is_not_there_is_refused(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await gm.open_table(desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "UTC"), BY)
        for slug, code in (("heron", "not-running"), ("egret", "unknown-game")):
            with pytest.raises(gm.Refused) as refused:
                await archive_game(desk.services, slug, tmp_path / "out", BY)
            assert refused.value.code == code


async def test_mails_of_the_same_second_stand_in_the_order_of_a_conversation(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 3")
        async with desk.services.database.read() as work:
            game = await work.games.find(1)
        assert game is not None
        mails = await read_private_mails(desk.services, game)
    assert [mail.kind for mail in mails if mail.seat_number == 1] == [
        *("invitation", "welcome", "turn", "orders", "receipt"),
    ]


async def test_public_press_is_shown_and_grey_press_names_nobody_even_when_the_game_is_over(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await set_press(desk.services, "heron", PressChange(grey=True), BY)
        await desk.work()
        await desk.write(
            "Anna",
            "broadcast: the pelican flies\nto Bartek: the stork does not\npress grey to all: beware of the walrus",
        )
        await desk.write("Bartek", "Who are you?", answering=desk.last("Bartek", "unnamed player"))
        await desk.write(
            "Anna", "A friend of herons.", answering=desk.last("Anna", "Press from Bartek")
        )
        await desk.write("Anna", "press list")
        await archive_game(desk.services, "heron", tmp_path / "public", BY)
        shown = everything_in(tmp_path / "public")
        assert "pelican" in shown
        assert "walrus" in shown
        assert "stork" not in shown
        await gm.end(desk.services, "heron", BY)
        await desk.work()
        await archive_game(desk.services, "heron", tmp_path / "private", BY, private=True)
    index_of(tmp_path / "private")
    anna, bartek = (
        (tmp_path / "private" / "players" / f"{name}.html").read_text("utf-8")
        for name in ("anna", "bartek")
    )
    assert "pelican" not in anna, "it stood in the same message as the grey one"
    assert "walrus" not in anna
    assert "friend of herons" not in anna
    assert "Who are you?" not in anna
    assert "Who are you?" in bartek
    for letter in (tmp_path / "private" / "letters").glob("*.html"):
        text = letter.read_text("utf-8")
        assert not ("walrus" in text and "without your name" in text)

"""The gallery of a real game: what everybody knew while it runs, the letters too when it is
over.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.ruleset import Event
from pbem.archive.chapters import read_private_mails
from pbem.archive.chronicle import write_chronicle
from pbem.archive.gallery import export_game
from pbem.board.board import Board, Picture, TableFacts
from pbem.desk import gm
from pbem.desk.press.setting import set_press
from pbem.grammar.press_rules import PressChange
from tests.desk.harness import PIXEL, Desk, StillPainter, open_desk, text_of
from tests.played import PLAYED

BY = gm.By("operator")


class NumberingPainter(StillPainter):
    """A board of one pixel that differs from turn to turn, by what PNG allows after its end."""

    async def board(
        self, board: Board, view: Any, events: Sequence[Event], land: bytes, facts: TableFacts
    ) -> Picture:
        return Picture(PIXEL + str(len(events)).encode(), f"The realm in turn {view.turn}.")


async def play(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 3\nGM: xylophone")
    await desk.everybody_passes()
    await desk.write("Anna", "work P1\nGM: zeppelin")
    await desk.everybody_passes()


def page_of(folder: Path) -> str:
    page = (folder / "index.html").read_text("utf-8")
    for link in re.findall(r'(?:href|src)="([^"#]+)"', page):
        assert (folder / link).is_file(), link
    for letter in (folder / "letters").glob("*.html"):
        for picture in re.findall(r'<img src="([^"]*)"', letter.read_text("utf-8")):
            assert (letter.parent / picture).is_file(), letter.name
    return page


def everything_in(folder: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in folder.rglob("*.html"))


async def test_of_a_game_that_runs_everything_public_is_shown_and_nothing_else(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "out"
    async with open_desk(tmp_path, painter=NumberingPainter()) as desk:
        await play(desk)
        gallery = await export_game(desk.services, "heron", folder, BY, private=False)
        bulletins = [text_of(mail) for mail in desk.letters("Bartek") if mail["List-Id"]]
        async with desk.services.database.read() as work:
            game = await work.games.find(1)
            commands = [row.command for row in await work.log.list_of_game(1)]
    page, text = page_of(folder), everything_in(folder)
    assert game is not None
    assert (gallery.bulletins, gallery.letters) == (game.phase_number, 0)
    assert page.count('class="bulletin"') == game.phase_number
    assert "still running" in page
    for secret in ("xylophone", "zeppelin", "players.example", "Bid 3"):
        assert secret not in text, secret
    assert not re.search(r"[ocbgw]\d+-\d+-[a-z2-7]{26}", text)
    assert bulletins
    assert "game export" not in commands
    assert len(list((folder / "pictures").glob("*.png"))) >= 2


async def test_the_mails_of_a_game_that_runs_are_secret(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        with pytest.raises(gm.Refused) as refused:
            await export_game(desk.services, "heron", tmp_path / "out", BY, private=True)
    assert refused.value.code == "too-early"
    assert not (tmp_path / "out").exists()


async def test_of_a_game_that_is_over_the_mails_can_be_shown_and_everybody_is_told(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "out"
    async with open_desk(tmp_path, painter=NumberingPainter()) as desk:
        await play(desk)
        await gm.end(desk.services, "heron", BY)
        await desk.work()
        gallery = await export_game(desk.services, "heron", folder, BY, private=True)
        await desk.work()
        told = desk.last("Bartek", "have been read")
        async with desk.services.database.read() as work:
            (entry,) = [
                row for row in await work.log.list_of_game(1) if row.command == "game export"
            ]
    page, text = page_of(folder), everything_in(folder)
    assert gallery.letters > 10
    assert "xylophone" in page
    assert "Anna&rsquo;s mails" in page
    assert "players.example" not in text
    assert not re.search(r"[ocbgw]\d+-\d+-[a-z2-7]{26}", text)
    assert "gallery" in text_of(told)
    assert (entry.actor, entry.public) == ("operator", True)


async def test_an_earlier_gallery_is_replaced_and_nothing_else_touched(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await export_game(desk.services, "heron", folder, BY, private=False)
        (folder / "letters" / "old.html").write_text("old")
        (folder / "mine.txt").write_text("mine")
        await export_game(desk.services, "heron", folder, BY, private=False)
    assert not (folder / "letters" / "old.html").exists()
    assert (folder / "mine.txt").read_text() == "mine"


async def test_a_game_that_has_not_begun_or_is_not_there_is_refused(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await gm.open_table(desk.services, gm.NewTable("heron", "Heron", PLAYED, {}, "UTC"), BY)
        for slug, code in (("heron", "not-running"), ("egret", "unknown-game")):
            with pytest.raises(gm.Refused) as refused:
                await export_game(desk.services, slug, tmp_path / "out", BY, private=False)
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
        "invitation",
        "welcome",
        "turn",
        "orders",
        "receipt",
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
        await export_game(desk.services, "heron", tmp_path / "public", BY, private=False)
        shown = everything_in(tmp_path / "public")
        assert "pelican" in shown
        assert "walrus" in shown
        assert "stork" not in shown
        await gm.end(desk.services, "heron", BY)
        await desk.work()
        await export_game(desk.services, "heron", tmp_path / "private", BY, private=True)
    shown = page_of(tmp_path / "private")
    anna = shown[shown.index('id="p1"') : shown.index('id="p2"')]
    assert "pelican" not in anna, "it stood in the same message as the grey one"
    assert "walrus" not in anna
    assert "friend of herons" not in anna
    assert "Who are you?" not in anna
    assert "Who are you?" in shown
    for letter in (tmp_path / "private" / "letters").glob("*.html"):
        text = letter.read_text("utf-8")
        assert not ("walrus" in text and "without your name" in text)


def test_the_page_of_the_whole_story_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    page = tmp_path / "chronicle.html"
    assert write_chronicle("<p>In the beginning", tmp_path) == page.name
    assert "<p>In the beginning" in page.read_text("utf-8")
    assert write_chronicle("", tmp_path) == ""
    assert not page.exists()

"""The archive of a table has the chronicle of its world beside it, with what everybody knows."""

import re
from html import unescape
from pathlib import Path

from pbem.archive.pages import pages_of
from pbem.archive.reader import read_archive
from pbem.archive.site import archive_game
from pbem.desk import gm
from tests.desk.harness import open_desk
from tests.desk.mastery import command
from tests.games.sovereigns.desk.test_in_time import later, state_of, to_summer

_ATTACK = re.compile("Aldermark (?:attacks|defeats) Borland")


def words_of(page: Path) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.read_text("utf-8"))).split())


async def test_a_world_is_told_by_year_and_a_redo_takes_the_place_of_what_was_taken_back(
    tmp_path: Path,
) -> None:
    """SS-1.9, SS-10.5: the offer is known to two and is not in it."""
    folder = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna="Attack Borland: 3M", Cleo="Expedition: 2M")
        await desk.write("Bartek", "Offer Cyrene: 1R permanent against nothing")
        await archive_game(desk.services, "heron", folder, gm.By("operator"))
        index = (folder / "index.html").read_text("utf-8")
        assert '<a href="chronicle.html"' in index
        first = words_of(folder / "chronicle.html")
        assert "Year 1" in first
        assert _ATTACK.search(first)
        assert "offer" not in first.casefold()
        state = await state_of(desk)
        attack = next(played.number for played in state.played if played.player == 1)
        await command(desk, f"correct roll back action {attack} because the roads were closed")
        await command(desk, "yes")
        await later(desk, hours=25)
        await archive_game(desk.services, "heron", folder, gm.By("operator"))
        again = words_of(folder / "chronicle.html")
    assert "An action of Aldermark is taken back" in again
    assert not _ATTACK.search(again)


async def test_the_archive_of_a_world_sets_its_chronicle_in_its_frame(tmp_path: Path) -> None:
    """Every page of it has the same menu, and its board names kingdoms by their seats."""
    async with open_desk(tmp_path) as desk:
        await to_summer(desk, Anna="Attack Borland: 3M", Cleo="Expedition: 2M")
        async with desk.services.database.read() as work:
            game = await work.games.find(1)
            assert game is not None
        archive = await read_archive(desk.services, game)
    page = pages_of(archive)["chronicle.html"].decode()
    assert '<a href="chronicle.html" aria-current="page">' in page
    assert page.count("<main") == page.count("<h1>") == 1
    assert _ATTACK.search(" ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split()))
    assert [area.key for area in archive.steps[-1].areas] == ["1", "2", "3"]
    assert archive.steps[-1].lead.headline.startswith("Year 1, Spring: ")
    assert archive.plots[0].title == "All points"

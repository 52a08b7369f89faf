"""The archives of a house: what is public and nothing else, and only what changed is written."""

import os
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.archive.catalogue import CATALOGUE, read_catalogue
from pbem.archive.folder import MANIFEST
from pbem.archive.outdated import read_standing
from pbem.archive.shelf import archive_games, take_away
from pbem.archive.site import write_posters
from pbem.desk import gm
from pbem.desk.gm.table_rules import set_people
from pbem.desk.table import archive_url, load_table
from pbem.registry import load_games
from tests.desk.harness import Desk, StillPainter, address_of, open_desk, parse, text_of
from tests.played import PLAYED

BY = gm.By("operator")
URL = "https://play.house.example/"
UNLINKED = "libEGL.so.1: cannot open shared object file"


class NoPainter(StillPainter):
    """On a machine that lacks the painter's libraries."""

    async def image(self, svg: str) -> bytes:
        raise ImportError(UNLINKED)

    async def sheet(self, svg: str, wide: float) -> tuple[bytes, bytes]:
        raise ImportError(UNLINKED)


async def close_off(desk: Desk, slug: str) -> None:
    await set_people(desk.services, slug, {"observers": False}, BY)
    await desk.work()


async def test_all_public_games_that_have_begun_are_written_and_the_house_lists_them(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.open_game(slug="egret")
        await desk.open_game(slug="owl")
        await close_off(desk, "owl")
        await gm.open_table(desk.services, gm.NewTable("ibis", "Ibis", PLAYED, {}, "UTC"), BY)
        done = await archive_games(desk.services, (), out, BY, base_url=URL)
        standing = await read_standing(desk.services)
    assert [one.index for one in done] == [out / name / "index.html" for name in ("heron", "egret")]
    page = (out / "index.html").read_text("utf-8")
    for name in ("heron", "egret"):
        assert f'href="{name}/index.html"' in page
        assert {path.name for path in (out / name).iterdir()} >= {
            *("index.html", "feed.xml", "deadlines.ics", "card.webp"),
        }
    assert not (out / "owl").exists()
    assert "Owl" not in page
    assert not (out / "ibis").exists()
    stamps = {slug: card.stamp for slug, card in read_catalogue(out).items()}
    assert stamps == standing.public
    assert standing.hidden == {"owl"}


async def test_without_a_painter_pages_are_written_without_pictures_and_say_so_f_101(
    tmp_path: Path,
) -> None:
    """F-101: with a painter the next run adds what was missing."""
    out = tmp_path / "out"
    async with open_desk(tmp_path, painter=NoPainter()) as desk:
        await desk.open_game()
        await desk.everybody_passes()
        await gm.end(desk.services, "heron", BY)
        (done,) = await archive_games(desk.services, (), out, BY, base_url=URL)
        async with desk.services.database.write() as work:
            await work.connection.exec_driver_sql("UPDATE games SET status = 'over'")
        with pytest.raises(gm.Refused) as refused:
            await write_posters(desk.services, "heron", tmp_path / "posters")
    assert done.unpainted
    assert (refused.value.code, (tmp_path / "posters").exists()) == ("unpainted", False)
    assert not [path for path in out.rglob("*") if path.suffix in (".webp", ".png", ".pdf")]
    pages = {path: path.read_text("utf-8") for path in out.rglob("*.html")}
    assert not [path for path, page in pages.items() if "<img" in page or "og:image" in page]
    assert "could not paint" in pages[out / "heron/index.html"]
    async with open_desk(tmp_path) as desk:
        (done,) = await archive_games(desk.services, (), out, BY, base_url=URL)
    assert done.unpainted == ""
    assert "could not paint" not in (out / "heron/index.html").read_text("utf-8")
    assert {"share.png", "film.webp", "card.webp"} <= set(done.change.written)


async def test_a_second_run_writes_nothing_and_a_close_only_what_it_changed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.open_game(slug="egret")
        await archive_games(desk.services, (), out, BY, base_url=URL)
        seen = {path: path.stat().st_ino for path in out.rglob("*") if path.is_file()}
        again = await archive_games(desk.services, (), out, BY, base_url=URL)
        assert [one.change.written for one in again] == [(), ()]
        same = {path: path.stat().st_ino for path in seen if path.name != MANIFEST}
        assert same == {path: seen[path] for path in same}
        await desk.everybody_passes()
        (closed,) = await archive_games(desk.services, ["heron"], out, BY, base_url=URL)
    assert {"index.html", "feed.xml", "deadlines.ics"} <= set(closed.change.written)
    written = [path for path in closed.change.written if path.startswith("pictures/")]
    assert len({path.removesuffix(".webp").removesuffix("-small") for path in written}) == 1
    cards = read_catalogue(out)
    assert cards["heron"].stamp.phase == 2
    assert len(cards["heron"].entries) == 2
    assert len(cards["egret"].entries) == 1, "it is not read again for the index"


async def test_without_an_address_there_are_no_feeds_and_earlier_ones_go(tmp_path: Path) -> None:
    out = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await archive_games(desk.services, (), out, BY, base_url=URL)
        assert ET.parse(out / "heron" / "feed.xml").getroot().tag.endswith("feed")  # noqa: S314
        await archive_games(desk.services, (), out, BY)
    assert not list(out.rglob("feed.xml"))
    assert (out / "heron" / "deadlines.ics").exists()
    assert "http" not in (out / "heron" / "deadlines.ics").read_text("utf-8")


async def test_a_table_that_is_closed_to_observers_is_taken_away_and_nothing_of_others(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await desk.open_game(slug="egret")
        await archive_games(desk.services, (), out, BY)
        (out / "egret" / "mine.txt").write_text("mine")
        for name in ("heron", "egret"):
            await take_away(desk.services, name, out)
        await take_away(desk.services, "heron", out)
    assert not (out / "heron").exists()
    assert [path.name for path in (out / "egret").iterdir()] == ["mine.txt"]
    assert "Heron" not in (out / "index.html").read_text("utf-8")
    assert read_catalogue(out) == {}


async def test_what_cannot_be_shown_is_refused_and_what_was_written_before_stays_listed(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        await gm.open_table(desk.services, gm.NewTable("ibis", "Ibis", PLAYED, {}, "UTC"), BY)
        for slug, code in (("ibis", "not-running"), ("owl", "unknown-game")):
            with pytest.raises(gm.Refused) as refused:
                await archive_games(desk.services, ["heron", slug], out, BY)
            assert refused.value.code == code
        with pytest.raises(gm.Refused) as refused:
            await archive_games(desk.services, ["heron"], tmp_path / "private", BY, private=True)
        assert refused.value.code == "too-early"
    assert list(read_catalogue(out)) == ["heron"]
    assert not (tmp_path / "private").exists()


async def test_who_has_won_is_what_was_booked_at_the_end(tmp_path: Path) -> None:
    out = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        for _ in range(4):
            await desk.everybody_passes()
        await archive_games(desk.services, (), out, BY)
    (card,) = read_catalogue(out).values()
    assert card.status == "over"
    assert card.winners == (), "the Dragon has won"


async def test_a_web_server_of_another_user_can_read_it_whatever_the_umask(tmp_path: Path) -> None:
    out = tmp_path / "out"
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        before = os.umask(0o077)
        try:
            await archive_games(desk.services, (), out, BY)
        finally:
            os.umask(before)
    assert (out / CATALOGUE).exists()
    for path in (out, *out.rglob("*")):
        if not path.name.startswith("."):
            assert path.stat().st_mode & 0o777 == (0o755 if path.is_dir() else 0o644), path


@pytest.mark.parametrize("ruleset", sorted(load_games()))
async def test_welcome_and_help_name_where_a_public_game_is_followed(
    tmp_path: Path, ruleset: str
) -> None:
    async with open_desk(tmp_path, painter=StillPainter()) as desk:
        published = replace(desk.services.policy, archive_url=URL)
        desk.services = replace(desk.services, policy=published)
        await desk.open_game(players=4, ruleset=ruleset)
        welcome = parse(desk.postbox.to(address_of("Anna"))[-1])
        await desk.write("Anna", "help", answering=welcome)
        await desk.work()
    letters = [parse(raw) for raw in desk.postbox.to(address_of("Anna"))]
    naming = [str(letter["Subject"]) for letter in letters if f"{URL}heron/" in text_of(letter)]
    assert len(naming) == 2, [str(letter["Subject"]) for letter in letters]


async def test_mails_can_name_where_a_public_game_is_followed(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game()
        async with desk.services.read() as tx:
            game = await tx.work.games.find_by_slug("heron")
            assert game is not None
            table = await load_table(tx, game)
        policy = desk.services.policy
        assert archive_url(table, policy) == ""
        published = replace(policy, archive_url=URL)
        assert archive_url(table, published) == f"{URL}heron/"
        await close_off(desk, "heron")
        async with desk.services.read() as tx:
            game = await tx.work.games.find_by_slug("heron")
            assert game is not None
            hidden = await load_table(tx, game)
    assert archive_url(hidden, published) == ""

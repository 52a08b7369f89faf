"""The index of a house: every game on it without a script, nothing of a game that is not public, and
only what changed is written.
"""

from pathlib import Path

import msgspec
import pytest

from pbem.archive.catalogue import CATALOGUE, Card, Player, read_catalogue
from pbem.archive.feeds import FEED
from pbem.archive.folder import write_files
from pbem.archive.house import INDEX, house_page, write_house
from tests.archive.markup import read_markup
from tests.archive.shelves import HALL, HOUSE, NO_HALL, ON_THE_WEB, card, cards


def shelve(folder: Path, shown: list[Card]) -> None:
    for one in shown:
        write_files(folder / one.slug, {"index.html": b"x"})


def test_every_game_is_there_with_its_board_headline_players_and_dates() -> None:
    page = house_page(HOUSE, cards(), HALL)
    found = read_markup(page)
    words = " ".join("".join(found.text).split())
    assert found.faults == []
    assert len(found.all("h1")) == 1
    for one in cards():
        assert one.headline in words
        assert one.title in words
        assert f"{len(one.players)} players, {one.turns} turns" in words
        assert {"href": f"{one.slug}/index.html"} in found.all("a")
        for player in one.players:
            assert player.name in words
    for image in found.all("img"):
        assert (image["width"], image["height"]) == ("240", "240")
        assert len(image["alt"]) > 40
    assert "16 Nov 2026 to 3 Dec 2026" in words
    assert "16 Nov 2026 until now" in words
    assert "Next: orders, Mon 30 Nov, 02:00 (Europe/Berlin)" in words
    assert words.count("Anna won") == 2


def test_the_arms_of_a_player_are_those_of_the_board_and_drawn_once_a_page() -> None:
    found = read_markup(house_page(HOUSE, cards(), HALL))
    used = {given["href"].removeprefix("#") for given in found.all("use")}
    colours = {player.colour for one in cards() for player in one.players}
    assert len(used) == len(colours)
    assert used <= found.ids


def test_it_can_be_filtered_by_game_player_winner_and_size() -> None:
    shown = cards()
    found = read_markup(house_page(HOUSE, shown, NO_HALL))
    rows = [given for given in found.all("li") if "data-game" in given]
    assert [row["data-size"] for row in rows] == ["5", "3", "7"]
    assert [row["data-winner"] for row in rows] == ["Anna", "Anna", ""]
    assert set(rows[1]["data-player"].split("\n")) == {"Anna", "Bartek", "Chloé"}
    assert [given["name"] for given in found.all("select")] == ["player", "size"], (
        "no choice where there is nothing to choose from"
    )
    assert "hidden" in found.all("form")[0], "without a script there are no filters"
    words = "".join(found.text)
    assert words.index("Who") < words.index("How many")


def test_it_says_what_this_place_is_before_all_else() -> None:
    words = " ".join("".join(read_markup(house_page(HOUSE, cards(), HALL)).text).split())
    assert words.index("A post office for board games") < words.index("Games Who")


def test_the_hall_of_fame_tells_what_the_one_by_mail_tells() -> None:
    words = " ".join("".join(read_markup(house_page(HOUSE, cards(), HALL)).text).split())
    assert "The best of 3 players" in words
    assert "successor of Chloé" in words
    assert "a former player" in words
    empty = "".join(read_markup(house_page(HOUSE, [], NO_HALL)).text)
    assert "No game has ended here yet" in empty
    assert "The first game appears here" in empty


def test_what_players_are_called_is_no_markup() -> None:
    one = msgspec.structs.replace(
        card(),
        headline="<script>alert(1)</script>",
        players=(Player('"><img src=x>', "red", won=True, is_out=False),),
    )
    found = read_markup(house_page(HOUSE, [one], NO_HALL))
    assert found.faults == []
    assert len(found.all("script")) == 1
    assert len(found.all("img")) == 1


def test_absolute_addresses_are_only_there_where_the_folder_is_on_the_web() -> None:
    assert "http" not in house_page(HOUSE, cards(), HALL).replace(
        'xmlns="http://www.w3.org/2000/svg"', ""
    )
    page = house_page(ON_THE_WEB, cards(), HALL)
    assert 'property="og:image" content="https://play.house.example/games/heron/card.webp"' in page
    assert 'type="application/atom+xml" title="All games" href="feed.xml"' in page


def test_the_folder_is_written_once_and_keeps_what_others_put_there(tmp_path: Path) -> None:
    shelve(tmp_path, cards())
    (tmp_path / "mine.txt").write_text("mine")
    write_house(tmp_path, ON_THE_WEB, cards(), HALL)
    before = {path.name: path.stat() for path in tmp_path.iterdir() if path.is_file()}
    assert {INDEX, FEED, CATALOGUE, "mine.txt"} <= before.keys()
    write_house(tmp_path, ON_THE_WEB, cards(), HALL)
    for name in (INDEX, FEED, CATALOGUE):
        assert (tmp_path / name).stat().st_ino == before[name].st_ino, name
        assert before[name].st_mode & 0o777 == 0o644
    write_house(tmp_path, HOUSE, cards(), HALL)
    assert not (tmp_path / FEED).exists()
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_the_newest_comes_first_and_what_runs_before_all_that_is_over(tmp_path: Path) -> None:
    write_house(tmp_path, HOUSE, cards(), NO_HALL)
    found = read_markup((tmp_path / INDEX).read_text("utf-8"))
    assert [given["href"] for given in found.all("a") if given.get("class") == "board"] == [
        "egret/index.html",
        "heron/index.html",
        "ibis/index.html",
    ]


def test_the_catalogue_holds_the_cards_of_what_lies_there(tmp_path: Path) -> None:
    shelve(tmp_path, cards()[:2])
    write_house(tmp_path, HOUSE, cards(), NO_HALL)
    assert read_catalogue(tmp_path) == {one.slug: one for one in cards()[:2]}


@pytest.mark.parametrize("raw", [b"", b"{}", b'{"games": [{"slug": 7}]}', b"\xff"])
def test_a_catalogue_that_cannot_be_read_is_made_anew(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / CATALOGUE).write_bytes(raw)
    assert read_catalogue(tmp_path) == {}
    assert read_catalogue(tmp_path / "none") == {}

"""`pbem archive`, as operators run it."""

from pathlib import Path

import pytest

from tests.cli.operator import CONFIG, Operator


def test_it_wants_a_folder_an_address_and_for_mails_a_game(
    operator: Operator, tmp_path: Path
) -> None:
    nowhere = operator.types("archive")
    assert (nowhere.status, "--out DIR" in " ".join(nowhere.err.split())) == (2, True)
    out = str(tmp_path / "out")
    odd = operator.types("archive", "--out", out, "--base-url", "play.example.org")
    assert (odd.status, "is not the address of a page" in " ".join(odd.err.split())) == (2, True)
    assert operator.types("archive", "--out", out, "--private").status == 2
    assert operator.types("archive", "egret", "--out", out).status == 3
    assert not (tmp_path / "out").exists()


def test_a_house_without_games_has_an_index_too(operator: Operator, tmp_path: Path) -> None:
    url = '[archive]\nfolder = "site"\nbase_url = "https://play.house.example"\n'
    operator.config.write_text(CONFIG + url, encoding="utf-8")
    folder = operator.config.parent / "site"
    said = operator.types("archive", "--json")
    assert (said.status, said.json) == (0, {"index": str(folder / "index.html"), "games": []})
    assert (folder / "feed.xml").exists()
    assert operator.types("archive", "--out", str(tmp_path / "usb")).status == 0
    assert not (tmp_path / "usb" / "feed.xml").exists(), "that is not what lies on the web"


@pytest.mark.long(held_by="tests/desk/upkeep/test_shelf.py (what is written)")
def test_a_running_game_is_written_and_its_mails_are_refused(
    operator: Operator, tmp_path: Path
) -> None:
    operator.seat_three()
    out = tmp_path / "out"
    assert operator.types("archive", "heron", "--out", str(out)).status == 4
    assert operator.types("game", "start", "heron").status == 0
    said = operator.types("archive", "heron", "--out", str(out), "--json")
    assert said.status == 0
    assert said.json == {
        "index": str(out / "index.html"),
        "games": [
            {"index": str(out / "heron/index.html"), "steps": 1, "letters": 0, "unpainted": ""}
        ],
    }
    assert "Heron" in (out / "index.html").read_text("utf-8")
    refused = operator.types("archive", "heron", "--out", str(tmp_path / "secret"), "--private")
    assert operator.types("archive", "heron", "--poster", "--out", str(tmp_path)).status == 4
    assert operator.types("archive", "--poster").status == 2
    assert (refused.status, (tmp_path / "secret").exists()) == (4, False)
    again = operator.types("archive", "--out", str(out))
    assert again.out.splitlines()[-1] == f"All games: {out / 'index.html'}"

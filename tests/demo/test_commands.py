"""`pbem demo` and `pbem try` as they are typed."""

import os
import re
import subprocess
import sys
from email.message import EmailMessage
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from pbem.cli.app import app
from pbem.demo.received import Received
from pbem.demo.seat import Terminal
from pbem.demo.stage import play_of
from tests.played import GAMES, PLAYED, spoken
from tests.rows import each_row

PROGRAM = [sys.executable, "-c", "from pbem.cli import main; main()"]


def _run(
    folder: Path, *arguments: str, typed: str | None = None, beside: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments],
        cwd=folder,
        env=os.environ | ({} if beside is None else {"PYTHONPATH": str(beside)}),
        input=typed,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.long(
    held_by="tests/demo/test_demonstration.py (a demonstration and its gallery),"
    " tests/cli/test_starting.py (the command)"
)
def test_a_short_demo_ends_with_counts_and_a_gallery(tmp_path: Path) -> None:
    done = _run(tmp_path, "demo", "--players", "3", "--turns", "2", "--seed", "5", "--out", "shown")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith("turn 1  bids")
    ends = "\n".join(lines[-7:])
    assert re.search(r"\d+ turns?, \d+ phases?, \d+ Dragon Attacks?", ends)
    counted = re.search(r"(\d+) mails in, (\d+) out", ends)
    assert counted is not None
    mails = list((tmp_path / "shown" / "stage" / "mails").glob("*.eml"))
    assert len(mails) == int(counted[1]) + int(counted[2])
    assert (tmp_path / "shown" / "index.html").is_file()
    assert lines[-1] == f"The game, to open in a browser: {Path('shown') / 'index.html'}"
    receipts = [mail.read_text("utf-8", "replace") for mail in mails if "receipt" in mail.name]
    assert any("NOT POSSIBLE" in one or "NOT UNDERSTOOD" in one for one in receipts), (
        "READING-25: one who plays by mail errs, though the one who always does has a phone"
    )
    assert "0 in quarantine" in ends
    assert re.search(r"\d+ Telegram updates in, \d+ messages out, 0 of them too fast", ends)
    assert (tmp_path / "shown" / "stage" / "chats" / "anna.html").is_file()


@pytest.mark.long(
    held_by="tests/demo/test_demonstration.py (a demonstration and its gallery),"
    " tests/desk/whole/test_everything_on.py (such a game to its end),"
    " tests/demo/test_proving.py and tests/cli/test_verify.py (its proof)"
)
def test_a_whole_game_with_factions_the_island_and_teams_ends_with_its_proof(
    tmp_path: Path,
) -> None:
    """A short game: one team is gone in the second turn."""
    done = _run(
        tmp_path,
        "demo",
        "--factions",
        "choice",
        "--island",
        "--teams",
        "2",
        "--players",
        "4",
        "--seed",
        "56",
        "--out",
        "shown",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(
        r"^Team \w+ \(\w+ and \w+\) wins: nobody else is left\.$", done.stdout, re.MULTILINE
    )
    assert re.search(
        r"^heron-record\.json replayed: all \d+ draws, every state and every event are the same\.$",
        done.stdout,
        re.MULTILINE,
    )
    page = (tmp_path / "shown" / "index.html").read_text("utf-8")
    assert re.search(r"team [AB], wins", page)
    assert 'href="heron-record.json"' in page
    checked = _run(tmp_path, "verify", "shown/heron-record.json")
    assert checked.returncode == 0, checked.stderr
    mails = [
        path.read_bytes()
        for path in (tmp_path / "shown" / "stage" / "mails").glob("*-out-*-receipt.eml")
    ]
    assert any(b"Weather forecast" in mail for mail in mails)


@pytest.fixture
def unlinked(tmp_path: Path) -> Path:
    """A folder that makes Python find the painter's library as it is where libEGL is missing."""
    folder = tmp_path / "modules"
    folder.mkdir()
    error = "libEGL.so.1: cannot open shared object file: No such file or directory"
    (folder / "skia.py").write_text(f"raise ImportError({error!r})\n", encoding="utf-8")
    return folder


@pytest.mark.long(
    held_by="tests/demo/test_demonstration.py (the turn), tests/games (its pages),"
    " tests/desk/whole/test_twice.py (the same game from the same orders),"
    " tests/desk/upkeep/test_archives.py (an archive without pictures)"
)
def test_the_same_seed_plays_the_same_game_with_pictures_and_without_f_101(
    tmp_path: Path, unlinked: Path
) -> None:
    """By mail alone, so that there are no phones. F-101: where the painter's libraries are missing,
    one line says what to install, and so does the page.
    """

    def play(out: str, beside: Path | None = None) -> tuple[str, str, str]:
        asked = "demo --players 3 --turns 1 --seed 9 --no-telegram --out".split()
        done = _run(tmp_path, *asked, out, beside=beside)
        assert done.returncode == 0, done.stderr
        assert "Telegram" not in done.stdout
        assert list((tmp_path / out / "stage" / "chats").glob("*")) == []
        assert "The phones" not in (tmp_path / out / "stage" / "index.html").read_text("utf-8")
        game = done.stdout.partition("seconds.")[0].rpartition("\n")[0]
        return game, done.stderr, (tmp_path / out / "index.html").read_text("utf-8")

    (game, said, page), (same, warned, unpainted) = play("one"), play("two", unlinked)
    assert game == same
    assert said == ""
    assert "could not paint" not in page
    assert "libEGL.so.1" in warned
    assert "apt install libegl1 libgl1" in warned
    assert len(warned.splitlines()) == 1
    assert "could not paint" in unpainted


@pytest.mark.long(held_by="tests/doctor/test_machine.py (what is said of a painter's libraries)")
def test_a_seat_in_the_terminal_says_that_it_has_no_pictures_f_101(
    tmp_path: Path, unlinked: Path
) -> None:
    """F-101: the game goes on without them."""
    done = _run(tmp_path, "try", typed="quit\n", beside=unlinked)
    assert done.returncode == 0, done.stderr
    assert "apt install libegl1 libgl1" in done.stderr.splitlines()[0]
    assert "You leave the game." in done.stdout


@each_row(
    "arguments",
    [
        ("--players", "1"),
        ("--players", "17"),
        ("--version", "huge"),
        ("--turns", "0"),
        ("--seed", "x"),
        ("--seed", "-1"),
        ("--teams", "3"),
        ("--teams", "1"),
        ("--teams", "7"),
        ("--factions", "many"),
    ],
)
def test_bad_values_are_usage_errors(arguments: tuple[str, str]) -> None:
    assert CliRunner().invoke(app, ["demo", *arguments]).exit_code == 2


@pytest.mark.long(
    held_by="tests/demo/test_pace.py, tests/demo/test_demonstration.py (a seat and its mails)"
)
def test_a_newcomer_bids_reads_the_receipt_and_gets_the_next_mail(tmp_path: Path) -> None:
    done = _run(tmp_path, "try", "--seed", "4", typed="Bid 47\n\n\nFortify everything\n.\nquit\n")
    assert done.returncode == 0, done.stderr
    said = done.stdout
    assert "Robin, your bid" in said or "ROBIN, YOUR BID" in said
    assert "Bid 47" in said.partition("ALL FINE")[2]
    assert "ROBIN, YOUR ORDERS" in said
    pictures = re.findall(r"The board: (\S+\.png)", said)
    assert pictures
    assert all((tmp_path / picture).read_bytes().startswith(b"\x89PNG") for picture in pictures)
    assert said.rstrip().endswith("You leave the game. Thank you for playing.")


@pytest.mark.long(
    held_by="tests/demo/test_pace.py, tests/demo/test_demonstration.py (a seat and its mails)"
)
@pytest.mark.parametrize("game", [game for game in GAMES if game != PLAYED])
def test_a_newcomer_may_sit_down_to_any_game(tmp_path: Path, game: str) -> None:
    answer, play = spoken(game).answer, play_of(GAMES[game])
    done = _run(tmp_path, "try", "--ruleset", game, "--seed", "4", typed=f"{answer}\n\nquit\n")
    assert done.returncode == 0, done.stderr
    assert (
        f"You are Robin. You play with {play.usual_players - 1} others, all by mail." in done.stdout
    )
    assert "\nVersion 1, received " in done.stdout.partition("Your answer (")[2]


@pytest.mark.parametrize("arguments", [("--ruleset", "chess"), ("--option", "version=huge")])
def test_a_game_that_cannot_be_tried_is_a_usage_error(arguments: tuple[str, str]) -> None:
    assert CliRunner().invoke(app, ["try", *arguments]).exit_code == 2


@pytest.mark.long(held_by="tests/demo/test_pace.py (time goes on when every mail is read)")
def test_send_nothing_lets_the_deadline_pass(tmp_path: Path) -> None:
    """The input ends behind it, and the game ends politely."""
    done = _run(tmp_path, "try", "--seed", "4", typed="send nothing\n\n")
    assert done.returncode == 0, done.stderr
    assert "ROBIN, YOUR ORDERS" in done.stdout
    assert done.stdout.rstrip().endswith("You leave the game. Thank you for playing.")


def test_f105_a_seat_in_a_terminal_shows_boards_and_no_coats_of_arms(tmp_path: Path) -> None:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "House <house@post.example>", "Your turn"
    mail.set_content("Words")
    for name in ("board", "arms-red"):
        mail.add_related(name.encode(), "image", "png", cid=f"<{name}@post.example>")
    shown = StringIO()
    terminal = Terminal(Console(file=shown, width=200), StringIO(), tmp_path)
    terminal.show(Received(mail.as_bytes()))
    assert shown.getvalue().count("The board:") == 1
    assert [path.read_bytes() for path in tmp_path.glob("*.png")] == [b"board"]

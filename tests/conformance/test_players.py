"""A game for three or more is opened, seated and played as one for two: `pbem game new` without a
number, a demonstration by mail and chat, and the whole check.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.conformance.beginning import write_game
from pbem.desk import gm
from pbem.desk.upkeep.status import read_status
from pbem.game import Game
from tests.desk.harness import open_desk
from tests.desk.mastery import command
from tests.played import GAME, GAMES, PLAYED

BY = gm.By("test")
SIZES = ((3, 5), (4, 4))


def of_size(players: tuple[int, int]) -> dict[str, Game]:
    """The games of the house, the first of them for so many players alone."""
    rules = type("Sized", (type(GAME.ruleset),), {"players": players})()
    return {**GAMES, PLAYED: replace(GAME, ruleset=rules)}


@pytest.mark.parametrize("players", SIZES)
async def test_a_table_without_a_number_takes_what_its_game_takes(
    players: tuple[int, int], tmp_path: Path
) -> None:
    async with open_desk(tmp_path, games=of_size(players)) as desk:
        await desk.open_game(4)
        await command(desk, f"new game Crane: {PLAYED}")
        for slug in ("heron", "crane"):
            status = await read_status(desk.services, slug)
            assert (status.seats_least, status.seats_most) == players


@pytest.mark.parametrize(("players", "told"), [((3, 5), "3 to 5"), ((4, 4), "4")])
async def test_another_number_is_refused_with_the_numbers_that_can_play(
    players: tuple[int, int], told: str, tmp_path: Path
) -> None:
    async with open_desk(tmp_path, games=of_size(players)) as desk:
        new = gm.NewTable("egret", "Egret", PLAYED, {}, "UTC", least_players=2, most_players=6)
        with pytest.raises(gm.Refused, match=f"is for {told} players, not 2 to 6"):
            await gm.open_table(desk.services, new, BY)


Run = Callable[..., str]


@pytest.fixture(params=SIZES, ids=["3 to 5", "4"])
def pbem(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """The commands of the house with a new game for so many installed, which is called `trio`."""
    least, most = request.param
    folder = write_game("trio", tmp_path)
    rules = folder / "trio" / "rules.py"
    rules.write_text(
        rules.read_text("utf-8").replace("players = (2, 6)", f"players = ({least}, {most})"),
        "utf-8",
    )
    play = folder / "trio" / "play.py"
    play.write_text(
        play.read_text("utf-8").replace("usual_players = 3", f"usual_players = {most}"), "utf-8"
    )
    installed = folder / "trio-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: trio\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[pbem.games]\ntrio = trio.game:GAME\n")
    path = os.pathsep.join((str(folder), os.environ.get("PYTHONPATH", "")))
    environment = {**os.environ, "PYTHONPATH": path}

    def run(*words: str) -> str:
        done = subprocess.run(
            (sys.executable, "-m", "pbem", *words),
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        assert "readers-not-ready" not in done.stderr
        return done.stdout

    return run


@pytest.mark.long(
    held_by="test_a_table_without_a_number_takes_what_its_game_takes (the table),"
    " tests/conformance/test_beginning.py (the check)"
)
def test_a_game_for_more_than_two_passes_the_whole_check_and_is_played(
    pbem: Run, tmp_path: Path
) -> None:
    said = pbem("games", "check", "trio")
    assert "a whole game was played, and its replay is the same" in said
    assert "Everything is well." in said
    told = pbem("demo", "--ruleset", "trio", "--out", str(tmp_path / "out"))
    assert "0 in quarantine" in told

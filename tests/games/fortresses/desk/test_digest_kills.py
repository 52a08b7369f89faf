"""The service is really killed (`kill -9`) while news is held, while a digest takes the place of
what was held, and while a receipt waits for the close: nothing is lost, and nothing comes twice.
"""

import json
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.desk.harness import parse
from tests.desk.scenario import WireFile
from tests.games.fortresses.desk.doomed import ATTACKS_IN
from tests.rings import at_length

LAST = ATTACKS_IN + 2
"""Phases until then: the attack, the attacker's purchases, and a turn of the next kingdom."""
SURELY = ("receive.kept", "close.written", "close.kept")
KILLS = at_length(1, 36)
"""So many besides, spread over all steps but those of a letter that is being sent: it may come
twice then.
"""


def live(folder: Path, fatal: int, until: int) -> int:
    """One life of the service; how it ended."""
    command = (sys.executable, "-m", "tests.games.fortresses.desk.doomed")
    return subprocess.run((*command, folder, str(fatal), str(until)), check=False).returncode


def told(folder: Path) -> Any:
    return json.loads((folder / "told").read_text())


def wire(folder: Path) -> Counter[tuple[str, str]]:
    """How often each letter was taken by the next server."""
    taken = WireFile(folder / "wire").taken()
    return Counter((to, str(parse(raw)["Message-ID"])) for to, raw in taken)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("digest") / "begun"
    folder.mkdir()
    assert live(folder, 0, ATTACKS_IN - 1) == 0
    return folder


@pytest.mark.long(
    held_by="tests/games/fortresses/desk/test_digest_whole.py (what is held is told once),"
    " tests/desk/phases/test_time_kills.py (a close that dies at every step)"
)
def test_a_kill_loses_and_doubles_neither_news_nor_a_receipt(begun: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    shutil.copytree(begun, whole)
    assert live(whole, 0, LAST) == 0
    steps = told(whole)["steps"]
    assert not any(row[0] == "receipt" for row in told(whole)["record"]["outbox"])
    quiet = [n for n, step in enumerate(steps, 1) if not step.startswith("deliver")]
    every = max(1, len(quiet) // (KILLS + 1))
    fatal = {steps.index(step) + 1 for step in SURELY} | set(quiet[every::every][:KILLS])
    for step in sorted(fatal):
        folder = tmp_path / f"killed{step}"
        shutil.copytree(begun, folder)
        assert live(folder, step, LAST) == -signal.SIGKILL, steps[step - 1]
        assert live(folder, 0, LAST) == 0
        assert wire(folder) == wire(whole), steps[step - 1]
        assert set(wire(folder).values()) == {1}
        mine, others = told(folder)["record"], told(whole)["record"]
        assert mine["outbox"] == others["outbox"], steps[step - 1]
        assert mine["events"] == others["events"], steps[step - 1]

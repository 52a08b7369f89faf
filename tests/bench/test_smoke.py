"""The bench runs: one round of every part, with few games; how long anything took is nobody's
matter here.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEYS = (
    "board_ms board_vs_resvg close_ms close_vs_floor close_statements message_ms message_vs_floor"
    " message_statements adjudicate_ms adjudicate_vs_diplomacy many_seconds many_receipt_p99_ms"
    " many_mb growth_turns growth_store delivery_vs_bare workers_2_vs_1"
)
ALWAYS = ("board_", "close_", "message_", "adjudicate_ms", "many_", "growth_", "delivery_")
"""Figures that can be had on every machine."""


@pytest.mark.servers
@pytest.mark.long(held_by="tests/desk/whole (what is measured)")
def test_the_bench_measures_everything_once(tmp_path: Path) -> None:
    """Issue 16, point 7."""
    file = tmp_path / "figures.json"
    words = ("-m", "bench", "--rounds", "1", "--games", "2", "--json", str(file))
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(file.read_text("utf-8"))
    assert set(KEYS.split()) <= set(figures)
    assert [key for key in KEYS.split() if key.startswith(ALWAYS) and figures[key] is None] == []
    if shutil.which("redis-server"):
        assert figures["workers_done_twice"] == 0

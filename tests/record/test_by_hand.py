"""docs/verify.md tells how a game is checked without our program: its example comes out by hashlib
alone, and its listing runs by itself.
"""

import hashlib
import hmac
import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from pbem.record.record import Record, format_record
from tests.record.games import recorded, swapped

PAGE = (Path(__file__).parents[2] / "docs" / "verify.md").read_text("utf-8")
SEED = bytes(range(32))


def run_listing(folder: Path, record: Record) -> list[str]:
    """The page's listing on a record, in a Python that finds no packages."""
    found = re.search(r"^```python\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    (folder / "check.py").write_text(found[1], encoding="utf-8")
    (folder / "record.json").write_bytes(format_record(record))
    done = subprocess.run(
        [sys.executable, "-I", "-S", "check.py", "record.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_the_worked_example_comes_out_by_hashlib_alone() -> None:
    def hmac_of(message: str) -> str:
        """RFC 2104, with a hash and nothing else."""
        key = SEED.ljust(64, b"\0")
        inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message.encode()).digest()
        return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).hexdigest()

    assert hmac_of("x") == hmac.new(SEED, b"x", "sha256").hexdigest()
    assert f"    {SEED.hex()}\n" in PAGE
    assert f"    {hashlib.sha256(SEED).hexdigest()}\n" in PAGE
    for message, bound, number in (
        ("0/vote: version/0.0", 2, 0),
        ("1/start places/2.0", 3, 0),
        ("1/start places/1.0", 2, 1),
    ):
        told = hmac_of(message)
        assert f"`{message}`" in PAGE
        assert f"    {told}\n" in PAGE
        assert int(told[:16], 16) % bound == number
        assert told[:16] in PAGE.replace(told, "")
    chance = Chance(SEED)
    assert chance.coin("vote: version") is True
    assert chance.shuffle("start places", ("Anna", "Bartek", "Chloé")) == (
        "Chloé",
        "Bartek",
        "Anna",
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_the_listing_finds_nothing_in_a_record_that_is_right(tmp_path: Path, seed: int) -> None:
    assert run_listing(tmp_path, recorded(seed)) == [f"fingerprint {recorded(seed).fingerprint}"]


def test_the_listing_finds_a_swapped_card_and_a_changed_order(tmp_path: Path) -> None:
    record = recorded(2)
    draw = record.start.draws[1]
    assert isinstance(draw.result, tuple)
    start = replace(
        record.start, draws=swapped(record.start.draws, 1, replace(draw, result=draw.result[::-1]))
    )
    lines = run_listing(tmp_path, replace(record, start=start))
    assert lines[0].startswith(f"draw 1 {draw.label} should be {list(draw.result)}")
    assert lines[1] == "phase 0, the start, is not as it was sealed"
    first = record.phases[0]
    orders = swapped(first.orders, 0, replace(first.orders[0], orders=("Bid 0",)))
    changed = replace(
        record, phases=(replace(first, orders=orders), *record.phases[1:]), seed="00" * 32
    )
    lines = run_listing(tmp_path, changed)
    assert lines[0] == "the seed is not the one that was committed to"
    assert "phase 1 is not as it was sealed" in lines

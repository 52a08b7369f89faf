"""One service process per data directory."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.store import AlreadyServed, lock_directory

HOLDER = """
import sys
from pathlib import Path
from pbem.store import lock_directory
with lock_directory(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_second_holder_is_told_who_is_first(tmp_path: Path) -> None:
    with lock_directory(tmp_path) as path:
        assert path.read_text() == f"{os.getpid()}\n"
        with pytest.raises(AlreadyServed, match=f"process {os.getpid()}") as refused, lock_directory(tmp_path):
            pytest.fail("locked twice")
        assert (refused.value.pid, refused.value.path) == (os.getpid(), path)
    with lock_directory(tmp_path):
        pass


def test_another_process_holds_the_directory_till_it_dies_however_it_dies(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(AlreadyServed) as refused, lock_directory(tmp_path):
            pytest.fail("locked twice")
        assert refused.value.pid == other.pid
        other.send_signal(signal.SIGKILL)
    with lock_directory(tmp_path) as path:
        assert path.read_text() == f"{os.getpid()}\n"


def test_an_error_within_the_block_comes_through_and_unlocks(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="mine"), lock_directory(tmp_path):
        raise LookupError("mine")
    with lock_directory(tmp_path):
        pass


def test_a_lock_file_with_rubbish_in_it_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "pbem.lock").write_text("no number at all, and longer than any")
    with lock_directory(tmp_path) as path:
        assert path.read_text() == f"{os.getpid()}\n"

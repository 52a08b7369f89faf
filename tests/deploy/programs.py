"""Where the programs of the system lie that look at our samples."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"


def find_program(name: str, *, required: bool = False) -> str:
    """Skips the test where it is missing; a required one fails it instead under
    REQUIRE_SERVERS=1.
    """
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/sbin")
    if program is not None:
        return program
    if required and os.environ.get("REQUIRE_SERVERS") == "1":
        pytest.fail(f"{name} is not installed")
    pytest.skip(f"{name} is not installed")


def complaints(*command: str | Path) -> str:
    """Everything a checking program has to say on its standard error, or its output if it
    failed.
    """
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )
    return (
        done.stderr.strip()
        if done.returncode == 0
        else f"status {done.returncode}: {done.stdout}{done.stderr}"
    )

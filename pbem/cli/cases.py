"""`pbem adjudicate`: run adjudication and reading cases."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pbem.cases.runner import run_files
from pbem.cli.options import JsonOption
from pbem.registry import load_games


def adjudicate(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Case files (YAML); one file may hold several documents.", exists=False
        ),
    ],
    as_json: JsonOption = False,
) -> None:
    """Run case files: close the phase with these orders, and compare the results.

    Exit status 1 if any case failed, 2 if a file cannot be read.
    """
    raise typer.Exit(run_files(files, load_games(), as_json, sys.stdout))

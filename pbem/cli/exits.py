"""How a command ends: a status that a script can read, and one line on stderr if it failed.

0 ok, 1 failed, 2 usage, 3 not found, 4 refused, 5 conflict, 75 temporary (try again).
"""

from pathlib import Path

import typer

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NOT_FOUND = 3
EXIT_REFUSED = 4
EXIT_CONFLICT = 5
EXIT_TEMPORARY = 75


def report_failure(message: str) -> None:
    """Say what went wrong, on stderr."""
    typer.echo(f"pbem: {message}", err=True)


def refuse_to_overwrite(path: Path, *, force: bool) -> None:
    """Return only where there is no such file, or with `--force`. typer.Exit otherwise."""
    if path.exists() and not force:
        report_failure(f"{path} already exists; --force overwrites it")
        raise typer.Exit(EXIT_REFUSED)

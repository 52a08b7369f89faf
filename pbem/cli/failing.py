"""How a command fails: one line on stderr, and a status that a script can read.

0 ok, 1 failed, 2 usage, 3 not found, 4 refused, 5 conflict, 75 temporary (try again).
"""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from pbem.config import ConfigError
from pbem.desk.gm import Refused
from pbem.store.errors import AlreadyServed, StoreBusy, StoreConflict, StoreError, StoreUnwritable

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NOT_FOUND = 3
EXIT_REFUSED = 4
EXIT_CONFLICT = 5
EXIT_TEMPORARY = 75

_STATUS = {
    "unknown-game": EXIT_NOT_FOUND,
    "unknown-seat": EXIT_NOT_FOUND,
    "unknown-note": EXIT_NOT_FOUND,
    "unknown-master": EXIT_NOT_FOUND,
    "unknown-person": EXIT_NOT_FOUND,
    "unknown-player": EXIT_NOT_FOUND,
    "unknown-request": EXIT_NOT_FOUND,
    "no-such-phase": EXIT_NOT_FOUND,
    "conflict": EXIT_CONFLICT,
    "game-exists": EXIT_CONFLICT,
    "name-or-colour-taken": EXIT_CONFLICT,
    **dict.fromkeys(
        (
            "bad-options",
            "bad-name",
            "bad-address",
            "bad-time",
            "bad-zone",
            "unknown-ruleset",
            "unknown-colour",
            "unknown-faction",
            "no-text",
            "too-long",
            "zone-unknown",
            "zone-offset",
            "zone-ambiguous",
            "zone-abbreviation",
            "name-empty",
            "name-too-long",
            "name-reserved",
            "name-unprintable",
        ),
        EXIT_USAGE,
    ),
}
_HINTS = {
    "unknown-game": "; `pbem game list` shows what there is",
    "unknown-master": "; `pbem gm list` shows who does",
    "unknown-note": "; `pbem game notes` shows those that wait",
}


def report_failure(message: str) -> None:
    """Say what went wrong, on stderr."""
    typer.echo(f"pbem: {message}", err=True)


@contextmanager
def told() -> Iterator[None]:
    """Turn the expected failures of a command into a line and an exit status."""
    try:
        yield
    except Refused as error:
        report_failure(str(error) + _HINTS.get(error.code, ""))
        raise typer.Exit(_STATUS.get(error.code, EXIT_REFUSED)) from error
    except ConfigError as error:
        report_failure(f"the configuration cannot be used:\n{error}")
        raise typer.Exit(EXIT_USAGE) from error
    except (StoreBusy, StoreUnwritable) as error:
        report_failure(f"the database cannot be written now: {error}")
        raise typer.Exit(EXIT_TEMPORARY) from error
    except (AlreadyServed, StoreConflict) as error:
        report_failure(str(error))
        raise typer.Exit(EXIT_CONFLICT) from error
    except StoreError as error:
        report_failure(str(error))
        raise typer.Exit(EXIT_FAILED) from error

"""How a command fails: which status and which line each expected failure comes to."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from pbem.cli.exits import (
    EXIT_CONFLICT,
    EXIT_FAILED,
    EXIT_NOT_FOUND,
    EXIT_REFUSED,
    EXIT_TEMPORARY,
    EXIT_USAGE,
    report_failure,
)
from pbem.config import ConfigError
from pbem.desk.mandate import Refused
from pbem.grammar.gm.values import Unread
from pbem.pages.gm import Result, Value, unread_text
from pbem.store.errors import AlreadyServed, StoreBusy, StoreConflict, StoreError, StoreUnwritable

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
    "unknown-game": "; `pbem game list` shows all games",
    "unknown-master": "; `pbem gm list` shows the game masters",
    "unknown-note": "; `pbem game notes` shows the open notes",
}


@contextmanager
def told() -> Iterator[None]:
    """Turn the expected failures of a command into a line and an exit status."""
    try:
        yield
    except Refused as error:
        report_failure(str(error) + _HINTS.get(error.code, ""))
        raise typer.Exit(_STATUS.get(error.code, EXIT_REFUSED)) from error
    except Unread as error:
        facts: dict[str, Value] = {"what": error.what, "written": error.written}
        facts["nearest"] = error.nearest
        report_failure(unread_text(Result("", "unread", error.kind, facts)))
        raise typer.Exit(EXIT_USAGE) from error
    except ConfigError as error:
        report_failure(f"cannot use the configuration:\n{error}")
        raise typer.Exit(EXIT_USAGE) from error
    except (StoreBusy, StoreUnwritable) as error:
        report_failure(f"cannot write the database now: {error}")
        raise typer.Exit(EXIT_TEMPORARY) from error
    except (AlreadyServed, StoreConflict) as error:
        report_failure(str(error))
        raise typer.Exit(EXIT_CONFLICT) from error
    except StoreError as error:
        report_failure(str(error))
        raise typer.Exit(EXIT_FAILED) from error

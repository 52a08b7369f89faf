"""How a command ends: which status and which line each expected failure comes to, and how rows
are shown.
"""

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import typer

from pbem.cli.common import read_config, run_at_desk
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
from pbem.desk.ports import Services
from pbem.grammar.gm.values import Unread
from pbem.pages.gm import Result, Value, unread_text
from pbem.store.errors import AlreadyServed, StoreBusy, StoreConflict, StoreError, StoreUnwritable

P = ParamSpec("P")
T = TypeVar("T")
_CODES = {
    EXIT_NOT_FOUND: (
        "unknown-game unknown-seat unknown-note unknown-master unknown-person unknown-player"
        " unknown-request unknown-address no-such-phase"
    ),
    EXIT_CONFLICT: "conflict game-exists name-or-colour-taken",
    EXIT_USAGE: (
        "bad-options bad-name bad-address bad-time bad-zone unknown-ruleset unknown-colour"
        " unknown-faction no-text too-long zone-unknown zone-offset zone-ambiguous"
        " zone-abbreviation name-empty name-too-long name-reserved name-unprintable"
    ),
}
_STATUS = {code: status for status, codes in _CODES.items() for code in codes.split()}
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


def at_desk(
    config: Path | None,
    work: Callable[Concatenate[Services, P], Awaitable[T]],
    *given: P.args,
    **named: P.kwargs,
) -> T:
    """Do one thing at a desk of the configuration; its expected failures are told."""
    with told():
        return run_at_desk(read_config(config), work, *given, **named)


def show_rows(
    rows: Sequence[T],
    facts: Callable[[T], Mapping[str, object]],
    line: Callable[[T], str],
    *,
    as_json: bool,
    none: str = "",
) -> None:
    """Print each row as a line, or as JSON; where there are no rows, print `none`."""
    for row in rows:
        typer.echo(json.dumps(facts(row), ensure_ascii=False) if as_json else line(row))
    if none and not rows and not as_json:
        typer.echo(none)

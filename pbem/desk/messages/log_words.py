"""The audit log as a player may read it: the entries for everybody at the table, and those about
their own seat.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

from pbem.desk.table import OpenTable
from pbem.pages.people import LogLine
from pbem.store.repositories.log import GmLogRow
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

READ = 1000
TOLD = (
    "told",
    "seat",
    "player",
    "name",
    "phase",
    "from",
    "to",
    "until",
    "reason",
    "text",
    "missed",
    "players",
    "reshuffle",
    "version",
    "options",
)
"""What of an entry's detail is told; anything else stays with the game masters."""
INSTANTS = frozenset({"from", "to", "until"})
HOUSE = "the game master"
HIDDEN_ADDRESS = "(an address)"
_ADDRESS = re.compile(r"(?<![^\s<>@,;:()])[^\s<>@,;:()]++@[^\s<>@,;:()]+")
HIDDEN = frozenset(
    {"gm asked", "note dismiss", "seat asked for", "substitute asked", "seat missed"}
)
"""Entries about a game master's own mails."""


async def read_log(
    work: Work, table: OpenTable, seat: SeatRow, most: int
) -> tuple[tuple[LogLine, ...], bool]:
    """The newest entries that this seat may read, the oldest of them first; and whether there were
    more.

    An entry that is not for everybody is read by the seat that it names, from the beginning of its
    present tenure on: what was done about whoever had it before is theirs.
    """
    since = next(
        (row.since for row in await work.seats.list_tenures(seat.id) if row.tenure == seat.tenure),
        None,
    )
    found = []
    for row in await work.log.list_of_game(table.game.id, limit=READ):
        detail: dict[str, Any] = msgspec.json.decode(row.detail)
        is_own = (
            detail.get("seat") == seat.name
            and (since is None or row.at >= since)
            and row.command not in HIDDEN
        )
        if row.public or is_own:
            found.append(_line(row, detail))
    return tuple(reversed(found[:most])), len(found) > most


def _line(row: GmLogRow, detail: Mapping[str, Any]) -> LogLine:
    said = tuple(
        (key, _told(key, detail[key]))
        for key in TOLD
        if key in detail and detail[key] not in (None, "", False, [], {})
    )
    by = HOUSE if "@" in row.actor else row.actor
    return LogLine(row.at, by, row.command, said, is_private=not row.public)


def _told(key: str, value: object) -> str | datetime:
    """Instants as such, to be told in the reader's own time; all else as text, without anybody's
    address.
    """
    if isinstance(value, str) and key in INSTANTS:
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return _ADDRESS.sub(HIDDEN_ADDRESS, value)
    if isinstance(value, dict):
        value = ", ".join(f"{name} {said}" for name, said in value.items())
    elif isinstance(value, list) and key == "told":
        value = " ".join(map(str, value)).removesuffix(".")
    elif isinstance(value, list):
        value = ", ".join(map(str, value))
    return _ADDRESS.sub(HIDDEN_ADDRESS, str(value))

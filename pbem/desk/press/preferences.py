"""What a reader has chosen about press: when it is told, and whose is not."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.grammar.house.commands import DigestTime
from pbem.store.work import Work

DIGEST = "press.digest"
DAILY_AT = time(8)
EVERYBODY, GREY = "all", "grey"
"""What may be muted besides the numbers of seats."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One reader's: `muted` holds numbers of seats as text, `grey` and `all`."""

    digest: DigestTime = "at once"
    muted: frozenset[str] = frozenset()

    def wants(self, writer: int | None, *, grey: bool) -> bool:
        """Whether press of this seat (None: of nobody who sits there) is told. A mute of somebody
        never tells who wrote grey press.
        """
        if EVERYBODY in self.muted:
            return False
        return GREY not in self.muted if grey else str(writer) not in self.muted


def mute_name(game_id: int) -> str:
    """The preference that keeps whose press is muted at a table."""
    return f"press.mute.{game_id}"


def parse_muted(value: str | None) -> frozenset[str]:
    return frozenset(value.split(",")) if value else frozenset()


def format_muted(muted: Collection[str]) -> str | None:
    """The inverse of `parse_muted`; None: nobody is muted."""
    return ",".join(sorted(muted)) or None


async def read_choices(work: Work, game_id: int, person_ids: Collection[int]) -> dict[int, Choice]:
    """The choices of all these people."""
    found = {person_id: Choice() for person_id in person_ids}
    for row in await work.preferences.list_of(person_ids) if person_ids else ():
        if row.name == DIGEST and row.value in ("hourly", "daily"):
            found[row.person_id] = Choice(
                "hourly" if row.value == "hourly" else "daily", found[row.person_id].muted
            )
        elif row.name == mute_name(game_id):
            found[row.person_id] = Choice(found[row.person_id].digest, parse_muted(row.value))
    return found


def due_at(digest: DigestTime, now: datetime, zone: str) -> datetime:
    """When press of this moment is told: now, at the next full hour, or at eight in the morning
    where the reader lives.
    """
    if digest == "at once":
        return now
    if digest == "hourly":
        return now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    here = ZoneInfo(zone)
    day = now.astimezone(here).date()
    due = datetime.combine(day, DAILY_AT, here).astimezone(now.tzinfo)
    return (
        due
        if due > now
        else datetime.combine(day + timedelta(days=1), DAILY_AT, here).astimezone(now.tzinfo)
    )

"""Who can be written to at a table, who may write what just now, whom a kept piece of press is for,
and what a reader has chosen about press.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.desk.table import OpenTable
from pbem.grammar.addressees import Member, Roll, To
from pbem.grammar.house.commands import DigestTime
from pbem.grammar.press_rules import PressRules
from pbem.store.repositories.post.press import PressRow
from pbem.store.repositories.seats import SeatRow
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


GM, OBSERVERS, MASKED = 0, -1, -2
"""Besides the numbers of seats in `PressRow.recipients`: the game masters, the observers. `MASKED`
stands first where the number behind it is the writer of grey press that is answered: nobody is told
that they are meant.
"""


def roll_of(table: OpenTable, writer: SeatRow | None) -> Roll:
    """Everybody who sits there, by all words that mean them; `writer` None: a game master
    writes.
    """
    kind = table.kind
    symbols = dict(zip(kind.colours, kind.reserved_words[len(kind.colours) :], strict=False))
    members = []
    for seat in table.seats:
        if seat.status != "left":
            colour = seat.colour or ""
            words = (colour, symbols.get(colour, ""), *called(table, seat))
            members.append(Member(seat.number, seat.name, tuple(filter(None, words))))
    return (
        Roll(tuple(members), writer.number, team_of(table, writer))
        if writer is not None
        else Roll(tuple(members))
    )


def called(table: OpenTable, seat: SeatRow) -> tuple[str, ...]:
    """What somebody is called in the game itself."""
    if table.state is None or table.kind.called is None:
        return ()
    return table.kind.called(table.kind.ruleset.view(table.state, None), seat.number)


def team_of(table: OpenTable, seat: SeatRow) -> tuple[int, ...]:
    """Those who play with somebody; nobody where there are no teams."""
    if table.state is not None and table.kind.team_mates is not None:
        return table.kind.team_mates(table.kind.ruleset.view(table.state, seat.number), seat.number)
    return tuple(
        other.number
        for other in table.seats
        if seat.team is not None and other.team == seat.team and other.number != seat.number
    )


def why_not(table: OpenTable, writer: SeatRow, to: To) -> str | None:
    """Why that cannot be written now, as a code; None: it can.

    `no-press`, `public-only`, `private-only`, `team-only`: what the table allows at all. `closed`:
    not in this phase. `no-grey`. `you-are-out` and `they-are-out`: the eliminated neither write nor
    are written to. `no-observers`, `game-over`. `vacant`: nobody sits there. A word to the game
    masters alone is always possible.
    """
    rules = table.settings.press
    if to.kind == "gm" and not to.grey:
        return None
    if table.game.status in ("over", "ended") and not rules.after_end:
        return "game-over"
    if (
        table.game.status not in ("over", "ended")
        and table.phase is not None
        and table.phase.kind in rules.closed_in
    ):
        return "closed"
    return _mode(rules, to) or _people(table, rules, writer, to)


def _mode(rules: PressRules, to: To) -> str | None:
    if rules.mode == "none":
        return "no-press"
    if rules.mode == "public" and to.kind != "public":
        return "public-only"
    if rules.mode == "private" and to.kind == "public":
        return "private-only"
    if rules.mode == "team" and to.kind != "team":
        return "team-only"
    return "no-grey" if to.grey and not rules.grey else None


def _people(table: OpenTable, rules: PressRules, writer: SeatRow, to: To) -> str | None:
    if writer.status == "eliminated" and not rules.eliminated:
        return "you-are-out"
    addressed = [seat for seat in table.seats if seat.number in to.players]
    if any(seat.status == "eliminated" for seat in addressed) and not rules.eliminated:
        return "they-are-out"
    if any(seat.person_id is None for seat in addressed) and to.kind == "private":
        return "vacant"
    return "no-observers" if to.observers and not rules.observers else None


def recipients_of(to: To) -> tuple[int, ...]:
    """As a press row keeps them."""
    return (*to.players, *((GM,) if to.gm else ()), *((OBSERVERS,) if to.observers else ()))


def seats_of(table: OpenTable, row: PressRow) -> Sequence[SeatRow]:
    """The seats that a piece of press is for. The eliminated get public press only where they
    may.
    """
    if row.kind == "public":
        rules = table.settings.press
        return [
            seat
            for seat in table.seats
            if seat.id != row.seat_id and (seat.status == "active" or rules.eliminated)
        ]
    return [seat for seat in table.seats if seat.number in row.recipients]


def may_read(row: PressRow, seat: SeatRow) -> bool:
    """Whether the seat's present player wrote or got it, or anybody may read it."""
    if row.kind == "public":
        return True
    if seat.joined_at is not None and row.created_at < seat.joined_at:
        return False  # it was their predecessor's
    return row.seat_id == seat.id or seat.number in row.recipients

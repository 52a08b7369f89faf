"""A table as a use case needs it: the rows of one game, its state and its rules, read in one
look.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Literal, TypeVar

import msgspec

from engine.ruleset import Standing, known_state
from pbem.desk.envelope.message import MAIL
from pbem.desk.ports import Context, Policy, Transaction
from pbem.desk.windows import Away, Hours, deadline_of
from pbem.game import Game
from pbem.grammar.clock_rules import (
    ClockChange,
    format_clock_rules,
    parse_clock,
    parse_days,
    parse_quiet,
)
from pbem.grammar.people_rules import PeopleRules
from pbem.grammar.press_rules import PressRules
from pbem.pages.page import PeopleFacts, Reader, Table
from pbem.store.repositories.games import GameRow
from pbem.store.repositories.orders import OrdersRow
from pbem.store.repositories.people import AddressRow, PersonRow
from pbem.store.repositories.phases import PhaseRow, parse_label
from pbem.store.repositories.seats import SeatRow
from pbem.store.work import Work

ReadT = TypeVar("ReadT")

SUPPOSITIONS = 10
"""How many times a player may ask in a phase what would happen, unless the table was opened
otherwise.
"""


LATER = "deadline later"
"""The key of the log under which stands that a window is longer because somebody is away; never
public.
"""
MOST_MOVED = 3
"""How many deadlines of a table may move for one player's absences."""


class Settings(msgspec.Struct, frozen=True):
    """How the service runs one game.

    `hours` overrides the rules' windows by kind of phase; `map_text` is a GM's own map file.
    `votes` are the questions put to the vote before the start. `most_players` 0: as many as the
    game takes; a table that `starts` "full" begins by itself once nobody else can sit down and the
    vote is over. `secrets`: a game master who plays here may look at secrets anyway.
    `suppositions`: how many times a player may ask in a phase what would happen (0: never).

    `clock`, `days` and `quiet` are when deadlines may be, as `desk.windows` reads them ("": at any
    hour, on any day). A deadline moves by at most `absence_days` for somebody who is away. A late
    player is waited for `grace_hours` once a phase, and `graces` times in a game. Of more time the
    game master decides, or the table by vote (`extensions`). `tells_names`: the table learns who is
    away or late. `settled_hours`: so long after the last order a phase closes for which everybody
    has orders that lack nothing, though they are not final (0: not before its deadline).
    """

    zone: str
    gm_name: str
    early_close: bool = True
    finality: str = "confirm"
    hours: dict[str, float] = {}
    map_text: str = ""
    votes: tuple[str, ...] = ()
    least_players: int = 2
    most_players: int = 0
    starts: Literal["gm", "full"] = "gm"
    secrets: bool = False
    suppositions: int = SUPPOSITIONS
    press: PressRules = PressRules()
    clock: str = ""
    days: str = ""
    quiet: str = ""
    absence_days: int = 7
    graces: int = 0
    grace_hours: float = 24.0
    extensions: Literal["gm", "vote"] = "gm"
    tells_names: bool = False
    settled_hours: float = 0.0
    people: PeopleRules = PeopleRules()
    idle: dict[int, int] = {}
    """Seats that play by the rules' defaults and are not waited for: the tenure of each, by the
    seat's id.
    """
    language: str = "en"
    """The language of dates, as a BCP 47 or POSIX name, for players who have chosen none."""
    reminded_of: datetime | None = None
    """Of a table that waits for players: the expiry that everybody was reminded of."""

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it who has no part in it: then its archive is published."""
        return self.people.observers


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A game with everything around its open phase; `phase` and `state` are None before the start.

    `waiting` are the numbers of the seats that do not want the phase to close before its deadline;
    `away` the absences that may move the next one. `settles_at`: when the phase closes before its
    deadline, if nobody orders anything else; None: it does not.
    """

    game: GameRow
    kind: Game
    settings: Settings
    seats: tuple[SeatRow, ...]
    phase: PhaseRow | None
    state: Any
    waiting: frozenset[int] = frozenset()
    away: tuple[Away, ...] = ()
    settles_at: datetime | None = None

    def known(self, number: int) -> Any:
        """The state as the player of this number may assume it: readers get no other."""
        return known_state(self.kind.ruleset, self.state, number)

    def reader(
        self, read: Callable[..., ReadT], number: int, standing: Standing[Any]
    ) -> partial[ReadT]:
        """A way to read words, as what this player says next to these orders."""
        return partial(read, self.kind.read, self.known(number), number, standing)

    @property
    def hides_names(self) -> bool:
        """Whether only the game masters may know who the players are."""
        return self.settings.people.hidden_names and self.game.status not in ("over", "ended")

    def hours_of_phase(self) -> float:
        """How long the open phase lasts by the rules and the table, if nothing moves its end."""
        phase = self.kind.ruleset.phase(self.state)
        return self.settings.hours.get(phase.kind, phase.hours)

    def seat(self, number: int) -> SeatRow:
        return next(seat for seat in self.seats if seat.number == number)


class UnknownGame(LookupError):
    """There is no such game, or no rules for it."""


async def load_table(
    tx: Transaction[Context], game: GameRow, phase: PhaseRow | None = None
) -> OpenTable:
    """Read a table as it stands now; its open phase, unless that was read."""
    work, games = tx.work, tx.services.games
    if game.ruleset not in games:
        raise UnknownGame(game.ruleset)
    kind = games[game.ruleset]
    phase = phase or await work.phases.current(game.id)
    after = phase.opened_at if phase is not None else game.created_at
    seated = await work.seats.list_with_wishes(game.id, game.phase_number, after)
    row = await work.states.find(game.id, game.phase_number) if game.phase_number else None
    table = OpenTable(
        game,
        kind,
        decode_settings(game),
        tuple(one.seat for one in seated),
        phase,
        kind.ruleset.decode_state(row.body) if row is not None else None,
        waiting=frozenset(
            one.seat.number for one in seated if one.waits and one.seat.status == "active"
        ),
        away=await _read_away(work, game, [one.seat for one in seated if one.has_absences], after),
    )
    return await with_settling(work, table)


async def with_settling(work: Work, table: OpenTable) -> OpenTable:
    """The table with the instant at which its orders as they are stored now close the phase."""
    phase, settings = table.phase, table.settings
    if phase is None or not settings.settled_hours or not settings.early_close or table.waiting:
        return replace(table, settles_at=None)
    latest = await work.orders.latest(table.game.id, phase.number, deadline=phase.deadline)
    rows, rules = {row.seat_id: row for row in latest}, table.kind.ruleset
    ordered = [phase.opened_at]
    for seat in table.seats:
        is_idle = settings.idle.get(seat.id) == seat.tenure
        if seat.number not in phase.asked or seat.status == "left" or is_idle:
            continue
        row = rows.get(seat.id)
        standing = standing_of(table.kind, row, seat)
        if row is not None and row.tenure == seat.tenure:
            ordered.append(row.received_at)
        has_all = rules.check(table.state, seat.number, standing, ()).complete
        if not (standing.orders and has_all) and not rules.is_ready(
            table.state, seat.number, standing
        ):
            return replace(table, settles_at=None)
    at = deadline_of(max(ordered), settings.settled_hours, hours_of(settings)).deadline
    is_due = len(ordered) > 1 and at < phase.deadline
    return replace(table, settles_at=at if is_due else None)


async def _read_away(
    work: Work, game: GameRow, seats: Sequence[SeatRow], after: datetime
) -> tuple[Away, ...]:
    """The absences of those who sit here that nobody sits in for, and that have moved no deadline
    of this table yet.
    """
    people = {
        seat.person_id for seat in seats if seat.person_id is not None and seat.status == "active"
    }
    rows = [
        row
        for row in (await work.absences.list_of(people, after) if people else ())
        if row.game_id in (None, game.id) and row.substitute_id is None
    ]
    moved = (
        [
            msgspec.json.decode(row.detail, type=MovedFor)
            for row in await work.log.list_of_commands(game.id, (LATER,))
        ]
        if rows
        else []
    )
    used = {one.absence for one in moved}
    people_moved = [one.person for one in moved]
    return tuple(
        Away(row.id, row.since, row.until, row.person_id)
        for row in rows
        if row.id not in used and people_moved.count(row.person_id) < MOST_MOVED
    )


class MovedFor(msgspec.Struct, frozen=True):
    """What is logged when a deadline of a table is later for an absence."""

    phase: int
    absence: int
    person: int


def moved_by(absence_id: int, game_id: int) -> str:
    """The cause under which it is logged that an absence has moved a deadline of a table: it does
    so once.
    """
    return f"absence:{absence_id}:{game_id}"


def hours_of(settings: Settings) -> Hours:
    """When deadlines of the table may be. ValueError if the settings say nothing that can be
    read.
    """
    return Hours(
        settings.zone,
        parse_clock(settings.clock) if settings.clock else None,
        parse_days(settings.days) if settings.days else frozenset(range(7)),
        parse_quiet(settings.quiet) if settings.quiet else None,
    )


def decode_settings(game: GameRow) -> Settings:
    return msgspec.json.decode(game.settings, type=Settings)


def encode_settings(settings: Settings) -> str:
    return msgspec.json.encode(settings).decode()


def standing_of(kind: Game, row: OrdersRow | None, seat: SeatRow) -> Standing[Any]:
    """What stands for a seat; orders of an earlier tenure do not count for the newcomer."""
    if row is None or row.tenure != seat.tenure:
        return Standing()
    return Standing(kind.ruleset.decode_orders(row.orders.encode()), row.final)


def page_table(
    table: OpenTable,
    context: Context,
    *,
    now: datetime | None = None,
    code: str = "",
    phase: PhaseRow | None = None,
    has_picture: bool = False,
    in_chat: bool = True,
) -> Table:
    """The facts around the game that pages show, as they stand `now` (None: by the clock)."""
    policy, shown = context.policy, phase or table.phase
    return Table(
        title=table.game.title,
        slug=table.game.slug,
        game_title=table.kind.pages.title,
        now=now or context.clock.now(),
        deadline=(
            shown.deadline
            if shown is not None and table.game.status not in ("paused", "ended")
            else None
        ),
        phase_number=shown.number if shown is not None else 0,
        gm_name=table.settings.gm_name,
        code=code,
        zone=table.settings.zone,
        early_close=table.settings.early_close,
        finality=table.settings.finality,
        has_picture=has_picture,
        in_chat=in_chat,
        hours=(
            round((shown.deadline - shown.opened_at).total_seconds() / 3600)
            if shown is not None
            else 0
        ),
        rules_url=policy.rules_url or "",
        archive_url=archive_url(table, policy),
        locale=table.settings.language,
        is_paused=table.game.status == "paused",
        away=parse_label(shown).away if shown is not None else (),
        people=PeopleFacts(**msgspec.structs.asdict(table.settings.people)),
        settles_at=table.settles_at if table.game.status == "running" else None,
        rhythm=format_clock_rules(
            ClockChange(
                table.settings.clock or None,
                table.settings.days or None,
                table.settings.quiet or None,
            )
        ),
    )


def archive_url(table: OpenTable, policy: Policy) -> str:
    """Where everybody can follow the game on the web; "" where it is not published."""
    if not policy.archive_url or not table.settings.is_public:
        return ""
    return f"{policy.archive_url}{table.game.slug}/"


def house_table(context: Context) -> Table:
    """What a page shows in the place of a table when it speaks of the house itself."""
    return table_of_house(context.policy, context.clock.now())


def table_of_house(policy: Policy, now: datetime) -> Table:
    """The same, where there is no service but its configuration."""
    return Table(
        title=policy.name,
        slug="",
        game_title=policy.name,
        now=now,
        deadline=None,
        phase_number=0,
        gm_name="",
        code="",
        zone=policy.zone,
        early_close=False,
        finality="",
        has_picture=False,
        hours=0,
        rules_url=policy.rules_url or "",
    )


def page_reader(seat: SeatRow, person: PersonRow | None, zone: str) -> Reader:
    """The seat's reader; times in the person's own zone."""
    if person is None:
        return Reader(seat.number, seat.name, zone)
    return Reader(seat.number, seat.name, person.time_zone, person.locale)


def reader_of(person: PersonRow | None, context: Context, name: str = "") -> Reader:
    """A reader without a seat, with times in their own zone; somebody unknown by this name, with
    times in the zone of the house.
    """
    if person is None:
        return Reader(None, name, context.policy.zone)
    return Reader(None, person.name, person.time_zone, person.locale)


async def mail_address_of(work: Work, person_id: int | None) -> str | None:
    """Where letters to this person go: the first address that is not suspended."""
    return (
        (await mail_addresses_of(work, [person_id])).get(person_id)
        if person_id is not None
        else None
    )


async def mail_addresses_of(work: Work, person_ids: Collection[int]) -> dict[int, str]:
    """As `mail_address_of` for several people; who cannot be reached by mail is missing."""
    return mail_addresses(await work.people.list_addresses_of(person_ids))


def mail_addresses(addresses: Iterable[AddressRow]) -> dict[int, str]:
    """The same, by the addresses of them all in the order they were given."""
    reached: dict[int, str] = {}
    for row in addresses:
        if row.channel == MAIL and row.state != "suspended":
            reached.setdefault(row.person_id, row.address)
    return reached

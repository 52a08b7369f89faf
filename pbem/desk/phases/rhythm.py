"""A table's rules about time, as pages show them."""

from pbem.desk.table import OpenTable, Settings
from pbem.desk.windows import WEEK_DAYS
from pbem.grammar.clock_rules import format_clock, parse_clock, parse_days, parse_quiet
from pbem.pages.time import ClockFacts
from pbem.store.repositories.seats import SeatRow


def clock_facts(table: OpenTable, seat: SeatRow | None = None, used: int = 0) -> ClockFacts:
    """The settings of a table's time as a page shows them; for a seat, how often it is still waited
    for.
    """
    settings: Settings = table.settings
    windows = {**table.kind.ruleset.windows, **settings.hours}
    quiet = parse_quiet(settings.quiet) if settings.quiet else None
    days = parse_days(settings.days) if settings.days else frozenset(range(7))
    return ClockFacts(
        windows=tuple((name, float(hours)) for name, hours in windows.items()),
        clock=format_clock(parse_clock(settings.clock)) if settings.clock else "",
        days=tuple(WEEK_DAYS[day] for day in sorted(days)) if len(days) < 7 else (),
        quiet=(format_clock(quiet[0]), format_clock(quiet[1])) if quiet is not None else None,
        zone=settings.zone,
        absence_days=settings.absence_days,
        graces=settings.graces,
        grace_hours=settings.grace_hours,
        votes=settings.extensions == "vote",
        tells_names=settings.tells_names,
        left=max(0, settings.graces - used) if seat is not None and settings.graces else None,
    )

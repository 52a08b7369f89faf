"""A table and a reader by hand, for the tests of all pages."""

from datetime import UTC, datetime, timedelta

from pbem.pages.page import Reader, Table

NOW = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)
NAMES = ("Anna", "Bartek", "Emil", "Chloé", "Dmytro", "Fenna", "Mei")


def table(**changes: object) -> Table:
    values: dict[str, object] = {
        "title": "Heron",
        "slug": "heron",
        "game_title": "The Game of Herons",
        "now": NOW,
        "deadline": NOW + timedelta(days=3),
        "phase_number": 14,
        "gm_name": "Gerda",
        "code": "heron-6-k7qx",
        "zone": "Europe/Berlin",
        "early_close": True,
        "finality": "confirm",
        "has_picture": True,
        "hours": 72,
    }
    return Table(**(values | changes))  # type: ignore[arg-type]  # values of many kinds


def reader(number: int | None = 1, name: str = "Anna", zone: str = "Europe/Berlin") -> Reader:
    return Reader(number, name, zone)

"""The clock of a demonstration."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.demo.clock import START, FastClock


def test_it_stands_still_until_it_is_moved() -> None:
    clock = FastClock()
    assert clock.now() == START == clock.now()


def test_it_goes_on_to_an_instant_and_tells_it_in_utc() -> None:
    clock = FastClock()
    clock.advance_to(datetime(2026, 11, 17, 19, 0, tzinfo=ZoneInfo("Europe/Berlin")))
    assert clock.now() == datetime(2026, 11, 17, 18, 0, tzinfo=UTC)
    assert clock.now().tzinfo is UTC


def test_it_never_goes_back() -> None:
    clock = FastClock()
    with pytest.raises(ValueError, match="does not go back"):
        clock.advance_to(START - timedelta(seconds=1))
    assert clock.now() == START

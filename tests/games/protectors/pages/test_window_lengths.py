"""How long a window is open, in words."""

from types import SimpleNamespace

import pytest

from pbem.pages.rendering import phrase


@pytest.mark.parametrize(
    ("hours", "words"),
    [(1, "1 hour"), (48.0, "48 hours"), (0.5, "30 minutes"), (1.5, "90 minutes")],
)
def test_a_window_is_open_for_hours_or_where_they_are_not_whole_for_minutes(
    hours: float, words: str
) -> None:
    window = SimpleNamespace(phase="orders", asked=range(5), hours=hours)
    assert phrase("protectors/events.j2", "window", window, None) == f"Orders: 5 players, {words}."

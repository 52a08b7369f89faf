"""What stands is replaced whole, or stays, as its writer says; what comes to nothing is quoted."""

import pytest

from tests.games.reading.unused import read

STANDING = {
    "fortresses": ("Attack Syria with 2L from Egypt",),
    "sovereigns": ("Research: 2R", "Every season: Expedition: 1M"),
}
NEW = {
    "fortresses": (
        "attack Lombardy with 3K from Aquitaine",
        "Attack Lombardy with 3K from Aquitaine",
    ),
    "sovereigns": ("attack Ben with 2 military", "Attack Ben: 2M"),
}


@pytest.mark.parametrize("game", STANDING)
@pytest.mark.parametrize(
    "begins",
    [
        *("all of it off. New plan:", "scrap all that.", "forget everything I said, new plan:"),
        *("start over:", "Throw it all out."),
    ],
)
def test_all_that_stands_is_replaced(game: str, begins: str) -> None:
    """F-78: what begins so replaces all that stands."""
    said, order = NEW[game]
    _, after = read(game, f"{begins} {said}", STANDING[game])
    assert after == [order]


@pytest.mark.parametrize("rest", ["The rest stays.", "The rest remains."])
def test_the_rest_stays_in_fortresses(rest: str) -> None:
    """F-75: beside a change nothing else that stands is replaced."""
    said, order = NEW["fortresses"]
    _, after = read("fortresses", f"{said}. {rest}", STANDING["fortresses"])
    assert after == [*STANDING["fortresses"], order]


@pytest.mark.parametrize("rest", ["The rest stays.", "The rest remains."])
def test_the_rest_stays_in_sovereigns(rest: str) -> None:
    """F-75: an action replaces that of its season alone (one is made a season)."""
    said, order = NEW["sovereigns"]
    _, after = read("sovereigns", f"{said}. {rest}", STANDING["sovereigns"])
    assert after == ["Every season: Expedition: 1M", order]


@pytest.mark.parametrize(
    ("game", "text", "unused"),
    [
        ("sovereigns", "research 2 and let the works help", ("works",)),
        ("realm-master", "attack, and snitch on Ben too", ("Ben",)),
    ],
)
def test_what_came_to_nothing_is_quoted(game: str, text: str, unused: tuple[str, ...]) -> None:
    """F-74: what was lost under a taken order is told."""
    assert read(game, text)[0].unused == unused

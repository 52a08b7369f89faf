"""Words of the game that a message says for nothing are told, and what stands is cleared."""

from tests.games.fortresses.reading.scoring import SCALE
from tests.games.fortresses.reading.tables import POSITIONS
from tests.games.reading.unused import read
from tests.rows import each_row

ATTACK = "attack Lombardy with 3K from Aquitaine"


@each_row(
    ("text", "unused"),
    [
        (f"repeat last year, {ATTACK} though", ("repeat last year",)),
        (f"Same as last turn. {ATTACK}", ("Same as last turn",)),
        (f"As before. {ATTACK}", ("As before",)),
        (
            f"{ATTACK}. And somebody give the herring admiral his wobble back",
            ("somebody give the herring admiral his wobble back",),
        ),
        (f"{ATTACK}. We do the thing with the geese", ("We do the thing with the geese",)),
        (f"2. {ATTACK}", ("2",)),
        (f"1. {ATTACK}", ()),
        (f"{ATTACK}. I hope that does the trick.", ()),
        (f"{ATTACK}. Have a nice day and give my love to Anna", ()),
    ],
)
def test_what_came_to_nothing_is_told(text: str, unused: tuple[str, ...]) -> None:
    """F-74: what asks for a deed, and came to none, is quoted; talk is not."""
    reading, after = read("fortresses", text)
    assert reading.unused == unused
    assert after == ["Attack Lombardy with 3K from Aquitaine"]


@each_row(
    "begins",
    [
        *("all of it off. New plan:", "Everything off the table.", "all orders off,"),
        *("everything is cancelled!", "Call it all off.", "call off everything;"),
        *("wipe the slate clean:", "drop them all,"),
    ],
)
def test_held_lines_are_cleared(begins: str) -> None:
    """F-78: lines that were sent ahead stand, too."""
    told = {**POSITIONS["attack"], "held": ["Attack Syria with 2L from Egypt"]}
    state = SCALE.parse(told, {}, "held")
    _, after = read("fortresses", f"{begins} {ATTACK}", state=state)
    assert after == ["Cancel 1", "Attack Lombardy with 3K from Aquitaine"]

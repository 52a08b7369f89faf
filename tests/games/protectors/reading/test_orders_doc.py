"""docs/games/protectors/orders.md and docs/players.md are true: every example is read as its row
says.
"""

import re
from pathlib import Path
from typing import get_args

import msgspec

from engine.protectors import orders as o
from engine.protectors.state import State
from engine.ruleset import Standing
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.reading.positions import NAMES, table, texts
from tests.rows import each_row

DOCS = Path(__file__).parents[4] / "docs" / "games" / "protectors"
PAGE, PLAYERS = DOCS / "orders.md", DOCS.parents[1] / "players.md"
_BOARD = {
    f"P{p}": {"owner": NAMES[(p - 1) // 2], "units": units}
    for p, units in enumerate((2, 3, 2, 1, 3, 2, 2, 0, 1, 2), start=1)
}


def _examples(page: Path) -> list[tuple[str, str, str, str]]:
    """The rows below a comment that names their phase, up to the next heading or paragraph."""
    found, phase = [], ""
    for line in page.read_text("utf-8").splitlines():
        marked = re.fullmatch(r"<!-- phase: (.+) -->", line)
        row = re.fullmatch(r"\| (?:(\w+): )?`(.+?)` \| (.+?) \|", line)
        if marked:
            phase = marked[1]
        elif line and not line.startswith("|"):
            phase = ""
        elif row and phase:
            found.append((phase, row[1] or "Anna", row[2], row[3]))
    return found


def _table(phase: str) -> State:
    kind, *more = phase.split(", ")
    calm = ["Calms of Summer", "The Misty Mountains Cold"]
    board: dict[str, dict[str, object]] = {name: dict(held) for name, held in _BOARD.items()}
    told: dict[str, object] = {}
    if kind == "orders":
        told["in_play"] = [
            *calm,
            "Pirates!"
            if "pirates" in more
            else "Seafarers!"
            if "factions" in more
            else "Crab Infestation!",
        ]
    if kind == "consolidation":
        for name, held in board.items():
            held["units"] = 1
            held |= (
                {"level": 3}
                if name in {"P5", "P6"}
                else {"order": "golden work"}
                if name == "P7"
                else {}
            )
    if "factions" in more and kind != "dragon":
        board["Island"] = {"owner": "May", "units": 1}
        board["P4"] |= {"units": 0, "burnt": True}
    state = table(kind, {"board": board} | told, factions="factions" in more)
    if kind == "consolidation" and "factions" in more:
        players = {
            name: {"realm": 80, "faction": f}
            for name, f in zip(
                NAMES, ("Iron Light", "Kalu'Ak", "Cenarion", "Hodir", "Lannuvár"), strict=True
            )
        }
        players["May"]["used"] = ["king"]
        state = table(kind, {"board": board, "players": players}, factions=True)
    if "teams" in more:
        seats = tuple(
            msgspec.structs.replace(seat, team="Red" if seat.name in ("Anna", "Mark") else "Gold")
            for seat in state.players
        )
        state = msgspec.structs.replace(
            state, players=seats, options=msgspec.structs.replace(state.options, teams=2)
        )
    if kind == "bidding":
        players = {name: {"realm": 50} for name in NAMES}
        state = table(kind, {"players": players, "turn": 1}, factions=True)
    return state


@each_row(("phase", "who", "written", "meant"), [*_examples(PAGE), *_examples(PLAYERS)])
def test_every_example_of_the_page_is_read_as_it_says(
    phase: str, who: str, written: str, meant: str
) -> None:
    state = _table(phase)
    reading = read_alone(READER.read, state, NAMES.index(who) + 1, Standing(), written)
    assert texts(reading, state) == ([] if meant == "nothing" else meant.split("; "))


def test_every_form_of_order_has_an_example_or_is_named_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    for kind in get_args(o.Order):
        for words in re.split(r"\{[^}]*\}|[][]", kind.form):
            assert words.strip() in page
    assert "Golden" in page
    assert "Delayed" in page


def test_both_pages_have_examples_of_their_own() -> None:
    assert len(_examples(PAGE)) > 60
    assert {phase.partition(",")[0] for phase, _, _, _ in _examples(PLAYERS)} == {
        *("bidding", "orders", "dragon", "consolidation"),
    }

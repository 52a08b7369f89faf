"""Positions to read in: the one of the reading cases, and random ones."""

from collections.abc import Mapping

from hypothesis import strategies as st

from engine.protectors import orders as o
from engine.protectors.colours import COLOURS
from engine.protectors.positions.position import parse_position
from engine.protectors.state import State
from engine.ruleset import Standing
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.reading import Reading

NAMES = ("Anna", "Annabel", "Chloé", "May", "Mark")
ANNA, ANNABEL, CHLOE, MAY, MARK = range(1, 6)
EMPTY: Standing[o.Order] = Standing()
_UNITS = {
    1: (ANNA, 2),
    2: (ANNA, 3),
    3: (ANNABEL, 2),
    4: (ANNABEL, 1),
    5: (CHLOE, 3),
    6: (CHLOE, 2),
    7: (MAY, 2),
    8: (MAY, 0),
    9: (MARK, 1),
    10: (MARK, 2),
}


def table(
    phase: str = "orders",
    more: Mapping[str, object] | None = None,
    *,
    factions: bool = False,
    names: tuple[str, ...] = NAMES,
) -> State:
    """Five players, ten provinces in a ring, as in the reading cases."""
    factions_of = ("Iron Light", "Kalu'Ak", "Cenarion", "Hodir", "Lannuvár")
    players: dict[str, dict[str, object]] = {}
    for name, colour, faction in zip(
        names, ("blue", "yellow", "green", "orange", "white"), factions_of, strict=True
    ):
        players[name] = {"colour": colour, "realm": 80} | ({"faction": faction} if factions else {})
    position: dict[str, object] = {
        "turn": 6,
        "phase": phase,
        "provinces": 10,
        "ranking": [names[2], names[3], names[0], names[1], names[4]],
        "players": players,
        "board": {
            f"P{p}": {"owner": names[owner - 1], "units": units}
            for p, (owner, units) in _UNITS.items()
        },
    }
    if phase == "dragon":
        position |= {
            "in_play": ["Calms of Summer", "There be Dragons!"],
            "attack": {"during": "reveal", "dpl": 9},
        }
    return parse_position(
        position | dict(more or {}),
        {"version": "grand", "factions": "choice" if factions else "none", "island": factions},
        "test",
    )


def read(
    text: str, player: int = ANNA, state: State | None = None, standing: Standing[o.Order] = EMPTY
) -> Reading:
    return read_alone(READER.read, state or table(), player, standing, text)


def texts(reading: Reading, state: State | None = None) -> list[str]:
    """Canonical texts of what stands."""
    names = {seat.number: seat.name for seat in (state or table()).players}
    return [
        o.format_order(order, names)
        for order in (reading.checked.accepted if reading.checked is not None else ())
    ]


def codes(reading: Reading) -> set[str]:
    return {problem.code for item in reading.items for problem in item.problems}


_PHASES = ("orders", "orders", "orders", "dragon", "consolidation", "bidding")
_FACTIONS = ("Cenarion", "Kalu'Ak", "Hodir", "Iron Light", "Lannuvár")
_PEOPLE = (
    *("Anna", "Annabel", "Chloé", "May", "Will", "Łukasz", "Mary Ann", "O'Neil", "Black", "Dr. No"),
    "Mo",
)


@st.composite
def random_tables(draw: st.DrawFn) -> tuple[State, int]:
    """A legal position of any phase, and one of its players."""
    count = draw(st.integers(2, 6))
    names = draw(st.permutations(_PEOPLE))[:count]
    colours = draw(st.permutations(COLOURS))
    phase = draw(st.sampled_from(_PHASES))
    provinces = count * draw(st.integers(2, 3))
    board: dict[str, Mapping[str, object]] = {}
    for p in range(1, provinces + 1):
        owner = draw(st.sampled_from((*names, None)))
        if p <= count:
            owner = names[p - 1]
        burnt = draw(st.booleans()) and p > count
        held: dict[str, object] = {"owner": owner, "burnt": burnt}
        if owner is not None:
            held |= {"units": draw(st.integers(0, 3))}
        if not burnt:
            held |= {"level": draw(st.integers(0, 3))}
        board[f"P{p}"] = held
    sea = draw(st.sampled_from(((), ("Seafarers!",), ("Ferry!",), ("Pirates!",))))
    event = draw(
        st.sampled_from(("Calms of Summer", "Flood!", "Restlessness of Spring", "Deep Snow"))
    )
    position: dict[str, object] = {
        "turn": 1 if phase == "bidding" else 6,
        "phase": phase,
        "provinces": provinces,
        "ranking": list(names),
        "players": {
            name: {"colour": colours[i], "realm": draw(st.integers(0, 160))}
            | ({} if phase == "bidding" else {"faction": draw(st.sampled_from(_FACTIONS))})
            for i, name in enumerate(names)
        },
        "board": board,
    }
    if phase == "dragon":
        position |= {
            "in_play": ["Calms of Summer", "There be Dragons!"],
            "attack": {"during": "reveal", "dpl": 9},
        }
    elif phase == "orders":
        position["in_play"] = [event, "The Misty Mountains Cold", *sea]
    state = parse_position(
        position, {"version": "grand", "factions": "choice", "island": True}, "random"
    )
    return state, draw(st.integers(1, count))

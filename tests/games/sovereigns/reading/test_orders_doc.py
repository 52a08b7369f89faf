"""docs/games/sovereigns/orders.md is true: every example is read as its row says, every refusal has
its code, and no form of order is missing. So are the words of gm.md.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from engine.ruleset import Problem, Standing
from engine.sovereigns.orders import Order
from engine.sovereigns.state import State
from engine.sovereigns.view import view_of
from engine.sovereigns.wording import format_order, parse_order
from pbem.cases.runner import problem_codes
from pbem.games.sovereigns.reading.questions import parse_question
from pbem.games.sovereigns.reading.reader import READER, read_case
from pbem.games.sovereigns.reading.suppositions import read_supposition
from pbem.grammar.house.reading import read_alone
from tests.games.sovereigns.engine.playing import Play, table
from tests.rows import each_row

DOCS = Path(__file__).parents[4] / "docs" / "games" / "sovereigns"
PAGE = (DOCS / "orders.md").read_text("utf-8")
ANNA = 1
TECHNOLOGIES = {
    "steel": "STAT-ROLL M",
    "medicine": "BLD-HOSPITAL",
    "sails": "STAT-ACT Expedition",
    "shipyard": "STAT-ACT Expedition",
}
KINGDOMS: Mapping[str, Mapping[str, Any]] = {
    "Anna": {
        "name": "Aldermark",
        "R": 6,
        "M": 5,
        "H": 4,
        "ex": {"R": 1, "H": 2},
        "support": "indifference",
        "tech": ["steel", "medicine"],
        "boons": ["bonus"],
        "faith": 1,
        "bld": ["BLD-WORKS R"],
    },
    "Ben": {
        "name": "Borland",
        "R": 4,
        "M": 4,
        "tech": ["medicine", "sails"],
        "bld": ["BLD-HOSPITAL"],
    },
    "Chloé": {"name": "Cyrene", "R": 4, "H": 4, "tech": ["shipyard"]},
    "Dora": {"name": "Dunmore"},
    "Emil": {"name": "Eskerland", "alive": False},
}
OFFERS = [
    ("Ben", "Anna", "1R permanent", "2M for 2 seasons"),
    ("Chloé", "Anna", "1M permanent", "tech steel"),
    ("Anna", "Dora", "1R until year end", "1M until year end"),
]
MORE: Mapping[str, Mapping[str, Any]] = {
    "year": {"phase": "year-start", "anna": {"ex": {}, "bld": ["BLD-WORKS H"]}},
    "unbelieving": {"anna": {"faith": 0}},
    "discovered": {"anna": {"discoveries": [{"great": True}, {"great": False}]}},
    "camped": {"anna": {"ex": {"M": 1}, "bld": ["BLD-CAMP"]}},
    "offered": {
        "counts": {"offers": 3},
        "offers": [
            {"id": i, "from": giver, "to": taker, "gives": [gives], "wants": [wants], "left": 40}
            for i, (giver, taker, gives, wants) in enumerate(OFFERS, start=1)
        ],
    },
    "claimed": {"ballots": [{"claimant": "Ben", "ayes": [], "left": 40}]},
}


def _examples() -> list[tuple[str, str, str, str]]:
    """(phase, text, what it means, code of its problem) of the rows below a comment that names their
    phase, up to the next heading or paragraph.
    """
    found, phase = [], ""
    for line in PAGE.splitlines():
        marked = re.fullmatch(r"<!-- phase: (.+) -->", line)
        row = re.fullmatch(r"\| `(.+?)` \| (.+?) \|(?: (.+?) \|)?", line)
        if marked:
            phase = marked[1]
        elif line and not line.startswith("|"):
            phase = ""
        elif row and phase:
            found.append((phase, row[1], row[2], (row[3] or "").strip("`")))
    return found


ROWS = _examples()
QUESTIONS = [written for phase, written, _, _ in ROWS if "question" in phase]
EXAMPLES = [row for row in ROWS if "question" not in row[0]]


def _table(phase: str) -> State:
    kind = phase.split(", ")[0]
    if kind == "setup":
        return table({name: {} for name in KINGDOMS}, phase="setup")
    if kind in ("resolved", "undone"):
        return _after_spring(undone=kind == "undone")
    told: dict[str, Any] = {"season": "Summer", "year": 2, **MORE.get(kind, {})}
    anna = {**KINGDOMS["Anna"], **told.pop("anna", {})}
    return table({**KINGDOMS, "Anna": anna}, technologies=TECHNOLOGIES, **told)


def _after_spring(*, undone: bool) -> State:
    """Summer, with actions 12 to 14 behind it; `undone`: Anna's was rolled back."""
    start: dict[str, Any] = {"season": "Spring", "year": 2, "counts": {"actions": 11}}
    game = Play(table(KINGDOMS, technologies=TECHNOLOGIES, **start))
    game.say("Anna", "Expedition: 2M")
    game.say("Ben", "Expedition: 1M")
    game.say("Chloé", "Security: 1M")
    game.close()
    if undone:
        (hers,) = (played.number for played in game.state.played if played.player == ANNA)
        game.say("Ben", f"Object to action {hers}: no ships")
        game.say("GM", "gm verdict 1 uphold")
    return game.state


@each_row(("phase", "written", "meant", "code"), EXAMPLES)
def test_every_example_of_the_page_is_read_as_it_says(
    phase: str, written: str, meant: str, code: str
) -> None:
    state = _table(phase)
    read = read_case if "confirmed" in phase else READER.read
    reading = read_alone(read, state, ANNA, Standing(), written)
    checked = reading.checked
    stands = [format_order(state, order) for order in checked.accepted] if checked else []
    problems, warnings = problem_codes(reading)
    if "refused" in phase:
        assert (stands, problems) == ([], (code,))
    elif meant == "nothing":
        assert stands == []
    else:
        assert (stands, problems) == (meant.split(" · "), ())
        assert warnings == ((code,) if "warned" in phase else ())


@each_row("written", QUESTIONS)
def test_every_question_of_the_page_is_understood(written: str) -> None:
    state = _table("resolved")
    if supposed := re.fullmatch(r"what if (.+)", written):
        assert read_supposition(state, ANNA, Standing(), supposed[1]).is_understood
    else:
        assert not isinstance(parse_question(view_of(state, ANNA), ANNA, written), Problem)


def test_every_form_of_order_has_an_example() -> None:
    meant = [
        text
        for phase, _, said, _ in EXAMPLES
        if "refused" not in phase and said != "nothing"
        for text in said.split(" · ")
    ]
    state = _table("season")
    kinds = {type(parse_order(state, text)) for text in meant}
    assert kinds == set(get_args(Order))
    assert len(EXAMPLES) > 90

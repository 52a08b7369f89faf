"""docs/games/fortresses/orders.md is true: every example is read as its row says, every refusal has
its code, and no form of order is missing.
"""

import re
from pathlib import Path
from typing import Any, get_args

from engine.fortresses import orders as o
from engine.fortresses.state import State
from engine.fortresses.view import view_of
from engine.ruleset import Problem, Standing
from pbem.cases.runner import problem_codes
from pbem.games.fortresses.reading.corrections import FORMS, read_correction
from pbem.games.fortresses.reading.questions import parse_question
from pbem.games.fortresses.reading.reader import FortressesReader
from pbem.games.fortresses.reading.suppositions import read_supposition
from pbem.grammar.house.reading import read_alone
from tests.games.fortresses.engine.playing import orders_of, table
from tests.rows import each_row

PAGE = (Path(__file__).parents[4] / "docs" / "games" / "fortresses" / "orders.md").read_text(
    "utf-8"
)
READER = FortressesReader(suggests=False)
SEATS = {"Chloé": ["silver"], "Anna": ["red"], "Ben": ["blue"], "Dora": ["gold"]}
ANNA = 2
TOLD: dict[str, dict[str, Any]] = {
    "attack": {},
    "reinforce": {"units": {"Andalusia": "red 3L 1K 1W", "Bay of Biscay": "red 1D"}},
    "battle": {
        "units": {"Aragon": "red 1W", "Aquitaine": "silver 2L, red 2L 1K 1D"},
        "battles": [
            {
                "zone": "Aquitaine",
                "attackers": "2L 1K 1D",
                "started": "2L 1K 1D",
                "points": 0,
                "round": 1,
                "hits": 1,
            }
        ],
        "instructions": ["Interactive"],
    },
    "absent": {"missed": {"silver": 3, "blue": 3, "gold": 3}},
}
STORED = ("Attack Syria with 2L 1K from Egypt", "Attack France with 1L from Provence")


def _examples() -> list[tuple[str, str, str]]:
    """(phase, text, what it means) of the rows below a comment that names their phase, up to the
    next heading or paragraph; of a refusal its code instead.
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
            found.append((phase, row[1], row[3].strip("`") if "refused" in phase else row[2]))
    return found


ROWS = _examples()
QUESTIONS = [written for phase, written, _ in ROWS if "question" in phase]
EXAMPLES = [row for row in ROWS if "question" not in row[0]]


def _table(phase: str) -> State:
    kind, *more = phase.split(", ")
    told = {key: value for word in (kind, *more) for key, value in TOLD.get(word, {}).items()}
    return table(kind, "red", base="start", seats=SEATS, **told)


@each_row(("phase", "written", "meant"), EXAMPLES)
def test_every_example_of_the_page_is_read_as_it_says(phase: str, written: str, meant: str) -> None:
    standing = Standing(orders=orders_of(STORED)) if "stored" in phase else Standing[o.Order]()
    reading = read_alone(READER.read, _table(phase), ANNA, standing, written)
    checked = reading.checked
    stands = [o.format_order(order) for order in checked.accepted] if checked else []
    problems, _ = problem_codes(reading)
    if "refused" in phase:
        assert (stands, problems) == ([], (meant,))
    else:
        assert stands == ([] if meant == "nothing" else meant.split(" · "))
        assert problems == () or meant == "nothing"


@each_row("written", QUESTIONS)
def test_every_question_of_the_page_is_understood(written: str) -> None:
    state = _table("attack")
    if supposed := re.fullmatch(r"what if (.+)", written):
        assert read_supposition(state, ANNA, Standing(), supposed[1]).is_understood
    else:
        assert not isinstance(parse_question(view_of(state, ANNA), ANNA, written), Problem)


def test_every_form_of_order_has_an_example() -> None:
    meant = "\n".join(said for phase, _, said in EXAMPLES if "refused" not in phase)
    for kind in get_args(o.Order):
        if "{" not in kind.form:
            said = f"`{kind.form.lower()}`" in PAGE
            assert said if kind in (o.Draw, o.Resign) else kind.form in meant
    for words in ("Attack", "Galleon in", "Move", "Buy", "Cancel 2", "Cancel all", "Lose K then L"):
        assert words in meant
    for words in (
        *("Keep a", "Keep no", "Interactive", "Not interactive", "Battle order:", "Always:"),
    ):
        assert words in meant
    for words in ("never", "after 2 rounds", "when alone", "when outnumbered", "at first loss"):
        assert words in meant
    assert "Then: " in meant
    assert len(EXAMPLES) > 60


def test_every_correction_of_the_page_is_read_and_every_kind_is_on_it() -> None:
    state, shown = _table("attack"), re.findall(r"`correct (.+?) because \.\.\.`", PAGE)
    kinds = {read_correction(state, text).act["act"] for text in shown}
    assert kinds == {read_correction(state, form).act["act"] for form in FORMS}

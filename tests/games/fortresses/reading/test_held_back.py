"""What a part of a sentence takes back is not ordered: provisos, wishes that come to nothing, and
what only tells how things are. Each of these was taken as an order once.
"""

from engine.ruleset import Standing
from pbem.games.fortresses.reading.reader import read_case
from pbem.grammar.house.parsing import hear
from tests.games.fortresses.engine.playing import table
from tests.rows import each_row

SEATS = {"Ann": ["silver", "gold"], "Ben": ["red"], "Cara": ["blue"]}
ATTACK = table("attack", "red", units={"Egypt": "red 6L 2K", "Provence": "red 4L"}, seats=SEATS)
REINFORCE = table(
    "reinforce",
    "gold",
    gold=14,
    units={"Constantinople": "gold 3L 1D", "Greece": "gold 2L 1K"},
    seats=SEATS,
)
SYRIA = "attack Syria with 4 legions from Egypt"
DRAGON = "buy a dragon in Constantinople"


@each_row(
    "text",
    [
        *(
            f"{SYRIA}{behind}"
            for behind in (
                *(" but wait for Cara's ok", ", but ask Cara first", "\nbut ask Cara first"),
                *(" but only after Cara confirmed", ", after Cara confirmed", ", wait for my ok"),
                *(" though only after Cara confirmed", " (only after Cara confirmed)"),
            )
        ),
        "no attacks but only after Cara confirmed",
        "done, after Cara confirmed",
        "I want to resign but my wife won't let me",
        "I'd love to concede but we are still strong",
        f"I'd love to {SYRIA} but Cara says no",
        f"I want to {SYRIA} but I am scared",
        "Syria has 2 legions from Egypt",
        "Attack France and Aquitaine with 2 legions from Provence",
        "attack Syria with 4 legions and 2 knights from Egypt, sorry 1 knight",
        *(
            f"{SYRIA}. {behind}"
            for behind in (
                *("If Cara agrees.", "Not yet.", "Perhaps.", "That would be stupid.", "Joke!"),
                "Tomorrow.",
            )
        ),
        f"{SYRIA}, he says",
        f"headline: {SYRIA}",
    ],
)
def test_an_attack_held_back_is_asked_about(text: str) -> None:
    reading = read_case(ATTACK, 2, Standing(), hear(text))
    assert reading.checked is None or reading.checked.accepted == ()
    assert any(item.problems for item in reading.items)


@each_row(
    "text",
    [
        *(
            f"{DRAGON}{behind}"
            for behind in (
                *(" but only after Ann confirmed", " but wait until tomorrow", ", but not yet"),
                *(" but please not before Ann agrees", " but in Greece"),
                " but a warbeast if possible",
            )
        ),
        f"I'd like to {DRAGON} but have not enough gold",
        f"I want to {DRAGON} but it's too expensive",
        "my dragon is in Constantinople",
        "I have 3 legions in Constantinople",
        "dragon back to Constantinople",
        "Legion: 1 from Constantinople to Bulgaria",
        "buy 2 knights and 3 legions in Constantinople, sorry, 2 legions",
        "Move 2 legions from Greece to Bulgaria but 1 only",
    ],
)
def test_a_purchase_held_back_is_asked_about(text: str) -> None:
    reading = read_case(REINFORCE, 1, Standing(), hear(text))
    assert reading.checked is None or reading.checked.accepted == ()
    assert any(item.problems for item in reading.items)


def test_a_number_behind_its_unit_is_that_number() -> None:
    reading = read_case(ATTACK, 2, Standing(), hear("attack Syria with legion 1 from Egypt"))
    assert [text for item in reading.items for text in item.texts] == [
        "Attack Syria with 1L from Egypt"
    ]


def test_units_in_letters_are_never_lost_beside_an_answer() -> None:
    state = table(
        "battle",
        "red",
        units={"Syria": "red 4L 1K 1D, gold 2L"},
        moved={"Syria": "4L 1K 1D"},
        battles=[{"zone": "Syria", "attackers": "4L 1K 1D", "round": 1, "hits": 2}],
        seats=SEATS,
    )
    for text in ("lose L2 and retreat", "L1 K1, retreat", "lose L2. Stay"):
        reading = read_case(state, 2, Standing(), hear(text))
        assert any(item.problems for item in reading.items), text

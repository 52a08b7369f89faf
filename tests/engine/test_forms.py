"""One template of an order tells it and reads it again."""

from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.forms import Forms, Slot, Template, choice, digits, listed
from tests.engine.random_orders import orders_of
from tests.rows import each_row


class Sail(msgspec.Struct, frozen=True, tag="sail"):
    form: ClassVar[str] = (
        "{slow?Slowly }{far?Far }Sail {ships:count} to {target:place}[ via {way:places}]"
    )
    ships: int
    target: str
    way: tuple[str, ...] = ()
    slow: bool = False
    far: bool = False


class Stay(msgspec.Struct, frozen=True, tag="stay"):
    form: ClassVar[str] = "Stay"


class Hoist(msgspec.Struct, frozen=True, tag="hoist"):
    form: ClassVar[str] = "{flag:flag} on {ship:ship}"
    flag: bool
    ship: int


class Later(msgspec.Struct, frozen=True, tag="later"):
    form: ClassVar[str] = "Later: {order:now}"
    order: Sail | Stay | Hoist


def _ship(name: str, numbers: dict[str, int]) -> int:
    if name not in numbers:
        raise ValueError(f"no ship {name!r}")
    return numbers[name]


SHIPS = {1: "Swan", 2: "Two on One"}
NUMBERS = {name: number for number, name in SHIPS.items()}
PLACE = Slot(r"[A-Z][a-z]++")
SLOTS = {
    "count": digits(),
    "place": PLACE,
    "places": listed(PLACE, ", "),
    "flag": choice({"Red": True, "Red and white": False}),
    "ship": Slot(r".+", _ship, lambda number, names: names[number]),
}
NOW: Forms[Any] = Forms("an order of now", (Sail, Stay, Hoist), SLOTS)
FORMS: Forms[Any] = Forms("an order", (Sail, Stay, Hoist, Later), {**SLOTS, "now": NOW.slot()})
PLACES = st.sampled_from(("Rhodes", "Kos"))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "count": st.integers(0, 10**9),
    "place": PLACES,
    "places": st.lists(PLACES, max_size=3).map(tuple),
    "flag": st.booleans(),
    "ship": st.sampled_from(tuple(SHIPS)),
}
ORDERS = orders_of(FORMS, {**VALUES, "now": orders_of(NOW, VALUES)})
TEXTS = {
    "Stay": Stay(),
    "Sail 3 to Kos": Sail(3, "Kos"),
    "Slowly Far Sail 0 to Kos via Rhodes, Kos": Sail(0, "Kos", ("Rhodes", "Kos"), True, True),
    "Far Sail 3 to Kos": Sail(3, "Kos", far=True),
    "Red and white on Two on One": Hoist(False, 2),
    "Later: Red on Swan": Later(Hoist(True, 1)),
}


@each_row("text", TEXTS)
def test_a_text_and_its_order(text: str) -> None:
    assert FORMS.parse(text, NUMBERS) == TEXTS[text]
    assert FORMS.format(TEXTS[text], SHIPS) == text


@given(ORDERS)
def test_a_text_that_was_told_reads_back(order: object) -> None:
    assert FORMS.parse(FORMS.format(order, SHIPS), NUMBERS) == order


@each_row(
    ("text", "reason"),
    [
        ("", "'' is no canonical text of an order"),
        ("stay", "'stay' is no canonical text of an order"),
        ("Stay here", "'Stay here' is no canonical text of an order"),
        ("Sail 03 to Kos", "'Sail 03 to Kos' is no canonical text of an order"),
        ("Far Slowly Sail 3 to Kos", "'Far Slowly Sail 3 to Kos' is no canonical text of an order"),
        ("Sail 3 to Kos via ", "'Sail 3 to Kos via ' is no canonical text of an order"),
        ("Red on Gull", "no ship 'Gull' in 'Red on Gull'"),
        ("Later: Red on Gull", "no ship 'Gull' in 'Red on Gull' in 'Later: Red on Gull'"),
        (
            "Later: Later: Stay",
            "'Later: Stay' is no canonical text of an order of now in 'Later: Later: Stay'",
        ),
    ],
)
def test_what_is_no_text_of_an_order(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        FORMS.parse(text, NUMBERS)
    assert str(refused.value) == reason


def test_a_template_tells_words_and_finds_them() -> None:
    template = Template(
        "{far?Far }Sail {n:num} to {to:place}[ via {way:place}]",
        {"num": "[0-9]+", "place": ".+?"}.__getitem__,
    )
    assert template.slots == {"far": "far", "n": "num", "to": "place", "way": "place"}
    assert template.flags == {"far": "Far "}
    assert template.optional == {"way"}
    assert template.tell({"far": "", "n": 3, "to": "Kos"}) == "Sail 3 to Kos"
    said = {"far": "Far ", "n": "3", "to": "Kos", "way": "Rhodes"}
    assert template.tell(said) == "Far Sail 3 to Kos via Rhodes"
    assert template.said_in("Far Sail 3 to Kos via Rhodes") == said
    assert template.said_in("Sail 3 to Kos") == {"far": "", "n": "3", "to": "Kos"}
    assert template.said_in("Sail three to Kos") is None

"""Which lines of a message came to nothing."""

import pytest

from pbem.grammar.house.parsing import hear
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.unheard import unheard_lines
from tests.rows import each_row

NAMES = ("Anna", "Greta Gold")
ORDERS = Reading(items=(Item("fortify P2"),))


@each_row(
    ("text", "told"),
    [
        ("flurb\nstatus", ("flurb",)),
        ("why ranking\nflurb the ranking", ("flurb the ranking",)),
        ("Hi Greta,\n\nstatus please\n\nThanks, Anna", ()),
        ("status\n\nBest,\nAnnie Oakley", ()),
        ("status\n\nViele Grüße\nder Jäger", ()),
        ("status\n\nAnia", ()),
        ("status\nGreta, Anna", ()),
        ("My dog is ill, so I am late.\nstatus", ("My dog is ill, so I am late.",)),
        ("GM: a note\nof two lines\n\nstatus\nflurb", ("flurb",)),
        ("> quoted\nstatus", ()),
    ],
)
def test_lines_beside_words_are_told_and_politeness_is_not(
    text: str, told: tuple[str, ...]
) -> None:
    assert unheard_lines(hear(text), Reading(), NAMES) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fortify P2\nflurb", ("flurb",)),
        ("Orders for turn 2:\nfortify P2\nI hope that this is what you meant.", ()),
        ("fortify P2\nyes 1\nstatus", ()),
        ("Please fortify P2, will you\nLG\nAnia", ()),
    ],
)
def test_beside_orders_a_line_of_a_few_words_is_told(text: str, told: tuple[str, ...]) -> None:
    assert unheard_lines(hear(text), ORDERS, NAMES) == told


def test_no_more_than_a_few_lines_are_told() -> None:
    assert (
        len(
            unheard_lines(
                hear("status\n" + "\n".join(f"flurb {number}" for number in range(40))),
                Reading(),
                NAMES,
            )
        )
        == 5
    )


@pytest.mark.parametrize(
    "text",
    [
        "status\nAnna van der Meer\nAccounts, Noordzee Shipping B.V.",
        "status\n\nAnna van der Meer\n\nAccounts, Noordzee Shipping B.V.\n+31 20 555 0100",
        "status\n\nFenna de Vries\nAccounts, Noordzee Shipping B.V.",
        "status\n\nJ. O'Neill-Smith\nHead of Sales\nFoo Ltd",
    ],
)
def test_f50_a_signature_of_several_lines_is_not_told(text: str) -> None:
    assert unheard_lines(hear(text), Reading(), NAMES) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("status\nFlurb P2 Now\nFlurb P3", ("Flurb P2 Now", "Flurb P3")),
        ("status\n\nAnna\nflurb P2", ("flurb P2",)),
        ("Anna\nFlurb\nstatus", ("Flurb",)),
        ("status\nFenna de Vries\nAccounts", ("Fenna de Vries", "Accounts")),
        (
            "status\n\nAnna\nFlurb\nFlurb\nFlurb\nFlurb\nFlurb",
            ("Flurb", "Flurb", "Flurb", "Flurb", "Flurb"),
        ),
    ],
)
def test_other_lines_below_words_are_told(text: str, told: tuple[str, ...]) -> None:
    assert unheard_lines(hear(text), Reading(), NAMES) == told

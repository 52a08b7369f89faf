"""Which lines of a message came to nothing."""

import pytest

from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.unheard import unheard_lines

NAMES = ("Anna", "Greta Gold")
ORDERS = Reading(items=(Item("fortify P2"),))


@pytest.mark.parametrize(
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
    assert unheard_lines(text, Reading(), NAMES) == told


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
    assert unheard_lines(text, ORDERS, NAMES) == told


def test_no_more_than_a_few_lines_are_told() -> None:
    assert (
        len(
            unheard_lines(
                "status\n" + "\n".join(f"flurb {number}" for number in range(40)), Reading(), NAMES
            )
        )
        == 5
    )

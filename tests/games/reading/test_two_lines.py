"""F-106: two orders on two lines, of which the first is as long as one that a mail program breaks,
and the second begins small.
"""

from itertools import permutations

import pytest

from tests.games.reading.unused import read

LINES = {
    "protectors": (
        "the good people of P1 are to work in the fields for this turn",
        "march one of my soldiers from P1 over to P2 as fast as they can",
        "send Otto twenty of all the gold that I have in my hands by now",
        "work P4 this turn",
        "march 1 from P1 to P2",
    ),
    "realm-master": (
        "reroll all the dice that are not swords or a whole banner to me",
        "enter the village of Mertle with all that I have got in my hand",
        "buy the Iron Shield and the Whetted Blade, in just that order ok",
        "keep all swords",
        "attack",
    ),
    "fortresses": (
        "attack Sicily with one of the legions that now stand over in Egypt",
        "attack Lombardy with all of the three knights out of Aquitaine",
        "attack Lombardy with 3K from Aquitaine",
        "the two legions of Egypt attack Syria",
    ),
    "sovereigns": (
        "dig a canal to divert their river, 2 resources, to starve Ben",
        "offer Ben 1 resource for 1 military until the end of this year",
        "research something that is good for us all with 2 resources ok",
        "offer Ben 1 resource for 1 military until year end",
        "attack Ben with 2 military",
    ),
}
PAIRS = [
    (game, above, below)
    for game, lines in LINES.items()
    for above, below in permutations(lines, 2)
    if 57 <= len(above) <= 79 and below != LINES["sovereigns"][0]
]


@pytest.mark.sample(10)
@pytest.mark.parametrize(("game", "above", "below"), PAIRS)
def test_two_orders_on_two_lines_are_taken_or_quoted(game: str, above: str, below: str) -> None:
    """F-106: both are taken, or what is not is quoted whole; nothing else is taken."""
    reading, _ = read(game, f"{above}\n{below}")
    told = {text for item in reading.items for text in item.texts}
    quoted = " ".join(" ".join(item.quote.split()) for item in reading.items if item.problems)
    alone = {
        line: {x for item in read(game, line)[0].items for x in item.texts} for line in LINES[game]
    }
    assert told <= alone[above] | alone[below]
    for line in (above, below):
        assert (alone[line] and alone[line] <= told) or line in quoted


def test_a_free_action_above_an_offer() -> None:
    """F-106: the message that was lost."""
    reading, _ = read(
        "sovereigns",
        "dig a canal to divert their river, 2 resources, to starve Ben\n"
        "offer Ben 1 resource for 1 military until year end",
    )
    assert [text for item in reading.items for text in item.texts] == [
        'Try: 2R against Ben for -1 "dig a canal to divert their river"',
        "Offer Ben: 1R until year end against 1M until year end",
    ]


@pytest.mark.parametrize(
    "condition",
    [
        "if Ben attacks Chloé before the end of this season or the next",
        "if Ben uses 2 military against Chloé or against me this season",
    ],
)
def test_a_condition_on_a_long_line_holds_the_order_below(condition: str) -> None:
    """F-106: the lines are not parted where the first is a condition of the second."""
    reading, after = read("sovereigns", f"{condition}\nattack Ben with 2 military")
    assert after == []
    assert reading.items[0].problems

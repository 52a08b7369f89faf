"""Canonical texts read back to the orders they are of, and nothing else reads as an order."""

import pytest

from engine.sovereigns import orders as o
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.reading import parse_order
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from tests.games.sovereigns.engine.playing import table

TEXTS = (
    "Research: 2R, steel weapons = STAT-ROLL M",
    "Research: 3R, steam engine = ANA-DIE R from boiling water",
    "Research: 2R + 1 depleted, boon, works",
    "Increase M: 3R",
    "Increase R: 3R",
    "Attack Bo: 3M, burn BLD-HOSPITAL",
    "Attack Bo: 3M, burn BLD-WORKS R, boon",
    "Attack Bo: all M, spare buildings if Bo lives else Expedition: 2M else Security: 1M",
    "Attack: 1M",
    "Expedition: 2M if Bo has fallen",
    "Espionage Bo: 1M, seek steel, works",
    "Theft Bo: 2M if Bo has more M than Ann Lee",
    "Security: 2M if Bo has at least 3M",
    "Found: 2H if Bo has at most 3M",
    "Spread Bo: 2H",
    "Contact: all H",
    "Foment Bo: 2H",
    'Try: 3R against Bo for -1 "dig a canal, or else 2M if we may"',
    'Try: 2H for +1 M "a feast"',
    'Try: 2H "a feast", boon',
    'Try: 2H + 1 depleted "" if Bo lives else Try: 1R "b"',
    "Build BLD-HOSPITAL",
    "Build BLD-WORKS R",
    "Camp",
    "Pass",
    "Done",
    "Cancel all",
    "Offer Bo: 1R permanent, tech steel against 2M for 2 seasons expended too within 12 hours",
    "Offer Bo: 1M until year end against nothing",
    "Offer Bo: BLD-WALL against nothing",
    "Accept offer 1",
    "Decline offer 1",
    "Withdraw offer 1",
    "Harmony: 3H, rebellion 2M with works, coup 3M, works",
    "Harmony: 3H, coup 3M with works",
    "Harmony: all but 1",
    "Harmony: all",
    "Rule by Fear",
    "Rule by Fear, sure if Bo lives else Harmony: 1H else Harmony: 2H",
    "Propose steel = STAT-ROLL M",
    "Propose steam = ANA-DOUBLE STAT-CALM + STAT-ROLL M from tea",
    "Claim victory",
    "Vote yes on Ann Lee",
    "Vote no on Bo",
    "Object to action 2: why: because; of this",
    "Redo: Attack Bo: 2M",
    "Redo: Pass",
    "Abdicate",
    "Every year: Harmony: 3H",
    "Every season: Expedition: 2M",
    "Forget every year",
    "Forget every season",
    "Split 4/3/2, Aldermark",
    "Split 4/3/2",
)
STATE = table({"Ann Lee": {"name": "Aldermark"}, "Bo": {}})


@pytest.mark.parametrize("text", TEXTS)
def test_a_canonical_text_reads_back_to_itself(text: str) -> None:
    order = parse_order(STATE, text)
    assert SOVEREIGNS.format_order(STATE, order) == text
    assert SOVEREIGNS.decode_orders(SOVEREIGNS.encode_orders([order])) == (order,)


def test_a_kingdom_goes_by_its_own_name_too_and_a_term_left_out_is_until_year_end() -> None:
    """SS-5.6."""
    assert parse_order(STATE, "Attack aldermark: 1M") == parse_order(STATE, "Attack Ann Lee: 1M")
    assert parse_order(STATE, "Offer Bo: 1R against nothing") == parse_order(
        STATE, "Offer Bo: 1R until year end against nothing"
    )
    nobody = parse_order(STATE, "Attack Atlantis: 1M")
    assert isinstance(nobody, o.Do)
    assert nobody.ways[0].target == 0
    assert SOVEREIGNS.format_order(STATE, nobody) == "Attack nobody: 1M"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Research",
        "Research: 2M",
        "Research: 2R, 3",
        "Attack Bo: 1M, please",
        "Expedition: 2M, quick",
        "Rule by Fear, perhaps",
        "Harmony: 2M",
        'Try: 2R for +2 M "x"',
        "Sing: 2H",
        "Offer Bo: a song against nothing",
        "Expedition: 2M if only",
    ],
)
def test_anything_else_is_not_understood(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no"):
        parse_order(STATE, text)


def test_commands() -> None:
    """SS-10.8."""
    assert parse_command(STATE, "gm end Bo", {}) == {"act": "end", "winner": 2}
    assert parse_command(STATE, "gm set Aldermark M 3 ex 1", {})["player"] == 1
    with pytest.raises(ValueError, match="no command"):
        parse_command(STATE, "gm sing", {})
    with pytest.raises(Refused, match="no such kingdom"):
        parse_command(STATE, 'gm give Q tech "x"', {})

"""Thousands of hostile mails into a house at work (every sixteenth of each family in
the first ring, every fourth in the second, each with RING=full):
none is believed, and what they cause in letters is little and goes to nobody new.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.matrix import FAMILIES, MOST_LETTERS, send_family
from tests.hostile.world import World
from tests.rings import at_length

EVERY = at_length(16, 1)


@pytest.mark.parametrize("family", FAMILIES)
async def test_no_mail_of_the_family_is_believed(
    world: World, family: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    count = await send_family(world, family, tmp_path, every=EVERY)
    counts = {
        "sent": count.sent,
        "accepted": len(count.accepted),
        "letters caused": len(count.letters),
    }
    record_property("counted", ("hostile mail", family, counts))
    assert list(count.accepted) == []
    assert count.strangers == frozenset()
    assert len(count.letters) <= MOST_LETTERS


def test_there_are_two_thousand_of_them(world: World) -> None:
    assert sum(1 for family in FAMILIES.values() for _case in family(world)) >= 2000

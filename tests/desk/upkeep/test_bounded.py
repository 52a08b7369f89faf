"""The file does not grow for ever (issue 16, point 4): what a table leaves behind for good (its
orders, its pictures, each seat's last letter of a kind) is less than what it needs while it is
played, the room of the rest is used again by the next, and years in which nothing happens cost
nothing.
"""

import sqlite3
from contextlib import closing
from hashlib import sha256
from itertools import pairwise

from pbem.desk import gm
from pbem.desk.upkeep.housekeeping import keep_house
from tests.desk.harness import NAMES, Desk

BY = gm.By("test")
QUOTED = "".join(f"> {sha256(bytes([line])).hexdigest()}\n" for line in range(200))
"""A long answer in words that do not repeat: packing must not make it nothing."""
YEARS_OF_PLAY, IDLE_YEARS = 3, 10


def pages(desk: Desk) -> tuple[int, int]:
    """Of the file, and of it in use."""
    file = desk.services.database.file
    assert file is not None
    with closing(sqlite3.connect(file)) as connection:
        (count,) = connection.execute("PRAGMA page_count").fetchone()
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    return int(count), int(count - free)


async def test_a_store_of_many_years_keeps_little_of_each_game(desk: Desk) -> None:
    peaks, rests = [], []
    for year in range(YEARS_OF_PLAY):
        slug = f"table{year}"
        await desk.open_game(slug=slug)
        for name in NAMES[:3]:
            for bid in range(1, 6):
                await desk.write(name, f"bid {bid}\n\nOn Monday, Post Office wrote:\n{QUOTED}")
        await gm.end(desk.services, slug, BY)
        await desk.work()
        peaks.append(pages(desk)[1])
        desk.clock.forward(days=365)
        await keep_house(desk.services)
        rests.append(pages(desk))
    needed = peaks[-1] - rests[-2][1]
    left = [later[1] - earlier[1] for earlier, later in pairwise(rests)]
    assert max(left) * 3 < needed * 2
    assert max(left) - min(left) <= 8, "each year leaves as much as the one before"
    assert rests[-1][0] <= max(peaks) + 8, "the room is used again"
    for _ in range(IDLE_YEARS):
        desk.clock.forward(days=365)
        await keep_house(desk.services)
        assert pages(desk) == rests[-1]

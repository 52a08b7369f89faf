"""Pictures that are kept as differences come back byte for byte."""

import asyncio
import hashlib
import struct
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random

import deflate
import pytest
import sqlalchemy as sa

from pbem.desk.precedence import Courtesy
from pbem.desk.upkeep.housekeeping import keep_differences
from pbem.png import LEVEL
from pbem.store import Database, tables
from pbem.store.repositories.marks import PICTURED

from .samples import add_game

NOW = datetime(2026, 11, 16, 12, tzinfo=UTC)
WIDE, HIGH = 90, 60
PALETTE = Random(5).randbytes(3 * 40)


def pixels_of(turn: int) -> bytes:
    """A board of noise, in which each turn paints a few rows."""
    rng = Random(7)
    rows = [bytearray(rng.randrange(40) for _ in range(WIDE)) for _ in range(HIGH)]
    for number in range(turn):
        rows[number % HIGH][:] = bytes([number % 40]) * WIDE
    return b"".join(b"\0" + bytes(row) for row in rows)


def png_of(rows: bytes, *, palette: bytes = PALETTE, wide: int = WIDE, kind: int = 3) -> bytes:
    """As our painter packs."""
    high = len(rows) // (1 + wide)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, kind, 0, 0, 0)),
        (b"PLTE", palette),
        (b"IDAT", deflate.zlib_compress(rows, LEVEL)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(told)) + name + told + struct.pack(">I", zlib.crc32(name + told))
        for name, told in parts
    )


async def add_all(database: Database, pictures: Sequence[bytes], slug: str = "heron") -> list[int]:
    async with database.write() as work:
        game = await add_game(work, slug)
        return [
            await work.pictures.add_once(game, hashlib.sha256(png).hexdigest(), png, "the board")
            for png in pictures
        ]


async def read_all(database: Database, ids: Sequence[int]) -> list[bytes]:
    async with database.read() as work:
        found = [await work.pictures.find(one) for one in ids]
    return [row.png for row in found if row is not None]


async def rooms(database: Database) -> list[int]:
    """How long each is as it lies there."""
    async with database.read() as work:
        length = sa.select(sa.func.length(tables.pictures.c.png)).order_by(tables.pictures.c.id)
        return [*(await work.connection.execute(length)).scalars()]


async def test_a_game_of_pictures_takes_little_room_and_comes_back(database: Database) -> None:
    pictures = [png_of(pixels_of(turn)) for turn in range(25)]
    ids = await add_all(database, pictures)
    await keep_differences(database, NOW)
    assert await read_all(database, ids) == pictures
    assert sum(await rooms(database)) < sum(map(len, pictures)) / 3
    async with database.read() as work:
        stored = await work.connection.scalars(sa.select(tables.pictures.c.png))
        depths = [png[1] for png in stored if png.startswith(b"\0")]
    assert max(depths) == 8, "no picture stands on more than eight others"


async def test_each_difference_gives_way_first(database: Database) -> None:
    lay: list[list[int]] = []

    class Noting(Courtesy):
        async def give_way(self) -> None:
            lay.append(await rooms(database))

    pictures = [png_of(pixels_of(turn)) for turn in range(2)]
    await add_all(database, pictures)
    await keep_differences(database, NOW, Noting(asyncio.Event(), 1.0))
    whole = [*map(len, pictures)]
    assert lay[:2] == [whole, whole]
    assert lay[2] == await rooms(database) != whole


async def test_colours_at_other_places_of_the_palette_are_the_same_colours(
    database: Database,
) -> None:
    first, turned = pixels_of(3), bytes.maketrans(bytes(range(40)), bytes(range(39, -1, -1)))
    other = b"".join(
        b"\0" + first[at + 1 : at + 1 + WIDE].translate(turned)
        for at in range(0, len(first), 1 + WIDE)
    )
    swapped = b"".join(PALETTE[at : at + 3] for at in range(len(PALETTE) - 3, -1, -3))
    pictures = [png_of(first), png_of(other, palette=swapped)]
    ids = await add_all(database, pictures)
    await keep_differences(database, NOW)
    assert await read_all(database, ids) == pictures
    assert (await rooms(database))[1] < 400


async def test_what_differs_in_size_kind_or_game_stays_whole(database: Database) -> None:
    rows = pixels_of(0)
    pictures = [
        png_of(rows),
        png_of(rows[: len(rows) // 2]),
        png_of(rows, wide=WIDE, kind=0),
        png_of(b"\xff" * len(rows), palette=bytes(3 * 256)),
        b"\x89PNG\r\n\x1a\n",
        b"no picture",
    ]
    ids = await add_all(database, pictures)
    ids += await add_all(database, [png_of(rows)], "crane")
    await keep_differences(database, NOW)
    assert await read_all(database, ids) == [*pictures, png_of(rows)]
    assert await rooms(database) == [len(png) for png in (*pictures, png_of(rows))]


async def test_what_was_done_before_an_end_is_not_done_again(database: Database) -> None:
    """A process may end between any two pictures, and the next one goes on from there."""
    pictures = [png_of(pixels_of(turn)) for turn in range(6)]
    ids = await add_all(database, pictures[:3])
    await keep_differences(database, NOW)
    before = await rooms(database)
    ids += await add_all(database, pictures[3:], "crane")
    await keep_differences(database, NOW)
    assert (await rooms(database))[:3] == before
    assert await read_all(database, ids) == pictures
    async with database.read() as work:
        mark = await work.marks.find(PICTURED)
    assert mark is not None
    assert mark.detail == str(ids[-1])
    async with database.write() as work:  # restored from a backup of before the mark
        await work.marks.put(PICTURED, NOW, "0")
    await keep_differences(database, NOW)
    assert await read_all(database, ids) == pictures


async def test_a_difference_without_its_base_is_told(database: Database) -> None:
    ids = await add_all(database, [png_of(pixels_of(turn)) for turn in range(2)])
    await keep_differences(database, NOW)
    async with database.write() as work:
        await work.connection.execute(
            tables.pictures.delete().where(tables.pictures.c.id == ids[0])
        )
    with pytest.raises(LookupError, match="stands on"):
        await read_all(database, ids[1:])

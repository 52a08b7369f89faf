"""Board pictures, each kept once however many letters show it, in the end as what changed since the
one before.

A difference begins with a zero, as no PNG does. It names its base by the digest, which means the
same picture in every copy of the database, and holds the pixels that differ. A picture comes back
with every pixel, and with the very bytes if it was packed as our painter packs.
"""

import asyncio
import struct
import zlib
from collections.abc import Sequence

import deflate
import msgspec
import sqlalchemy as sa

from pbem.png import HARDER, IHDR, Paletted, format_png, parse_png
from pbem.store.repositories.repository import Repository, Rows, bound
from pbem.store.tables import pictures

_HEAD = struct.Struct(">BB32s13s")
"""Of a difference: zero, how many pictures lie below it, the digest of its base, its own IHDR."""
_DEEPEST, _LOOK_BACK = 8, 16
_SAME = 255
"""In the place of a pixel that is as in the base. No picture of ours has 256 colours."""
_WORTH = 0.8
"""So much of a picture a difference may have, to be kept instead."""


class PictureRow(msgspec.Struct, frozen=True):
    """A picture (PNG) with the words for those who do not see it. `digest` names its content."""

    id: int
    game_id: int
    digest: str
    png: bytes
    alt: str


_PICTURE = Rows(PictureRow, pictures)
_BY_DIGEST = sa.select(pictures.c.png).where(
    pictures.c.game_id == bound("game_id"), pictures.c.digest == bound("digest")
)
_HEADS_BEFORE = (
    sa.select(
        pictures.c.digest,
        sa.func.substr(pictures.c.png, 1, _HEAD.size, type_=sa.LargeBinary).label("head"),
    )
    .where(pictures.c.game_id == bound("game_id"), pictures.c.id < bound("before_id"))
    .order_by(pictures.c.id.desc())
    .limit(_LOOK_BACK)
)
_AFTER = _PICTURE.select.where(pictures.c.id > bound("after_id")).order_by(pictures.c.id).limit(1)


class Pictures(Repository):
    """The pictures of the games."""

    async def add_once(self, game_id: int, digest: str, png: bytes, alt: str) -> int:
        """Keep a picture; its id, also when it was there already."""
        added = await self._insert_once(pictures, game_id=game_id, digest=digest, png=png, alt=alt)
        if added is not None:
            return added
        return await self._number(
            sa.select(pictures.c.id).where(
                pictures.c.game_id == game_id, pictures.c.digest == digest
            )
        )

    async def find(self, picture_id: int) -> PictureRow | None:
        row = await self._find(_PICTURE, id=picture_id)
        if row is None or not _is_difference(row.png):
            return row
        chain = await self._chain(row.game_id, row.png)
        png = await asyncio.to_thread(lambda: format_png(_opened(chain)))
        return msgspec.structs.replace(row, png=png)

    async def difference_after(self, picture_id: int) -> tuple[int, bytes | None] | None:
        """The next picture's id, and as which difference it should be kept (None: it stays as it
        is). None: there is no next one.
        """
        row = await self._one(PictureRow, _AFTER, after_id=picture_id)
        if row is None:
            return None
        mine = await asyncio.to_thread(parse_png, row.png)
        if mine is None or len(mine.palette) > 3 * _SAME:
            return row.id, None
        before = {"game_id": row.game_id, "before_id": row.id}
        for digest, head in await self._connection.execute(_HEADS_BEFORE, before):
            depth, ihdr = _told(head)
            if ihdr == row.png[IHDR] and depth < _DEEPEST and len(digest) == 64:
                base = await self._value(bytes, _BY_DIGEST, game_id=row.game_id, digest=digest)
                assert base is not None  # noqa: S101 - its head was read in this transaction
                chain = await self._chain(row.game_id, base)
                found = await asyncio.to_thread(_difference, mine, chain, digest, depth + 1)
                return row.id, found if len(found) < _WORTH * len(row.png) else None
        return row.id, None

    async def keep_as(self, picture_id: int, difference: bytes) -> None:
        """Keep a picture as this difference."""
        await self._set(pictures, picture_id, png=difference)

    async def _chain(self, game_id: int, png: bytes) -> list[bytes]:
        """A picture as it lies there, and what it stands on, down to a whole picture."""
        chain = [png]
        while _is_difference(chain[-1]):
            digest = _HEAD.unpack_from(chain[-1])[2].hex()
            below = await self._value(bytes, _BY_DIGEST, game_id=game_id, digest=digest)
            if below is None:
                raise LookupError(f"the picture {digest} that another one stands on is gone")
            chain.append(below)
        return chain


def _opened(chain: Sequence[bytes]) -> Paletted:
    """The first picture of a chain. ValueError: the last is not of our kind."""
    *differences, whole = chain
    found = parse_png(whole)
    if found is None:
        raise ValueError("a picture stands on one that has no palette")
    for difference in reversed(differences):
        ihdr = _HEAD.unpack_from(difference)[3]
        unpacked = zlib.decompress(difference[_HEAD.size :])
        palette, change = unpacked[: -len(found.rows)], unpacked[-len(found.rows) :]
        found = Paletted(ihdr, palette, _put_on(change, _rows_in(palette, found)))
    return found


def _rows_in(palette: bytes, picture: Paletted) -> bytes:
    """The rows as they would be with another palette: each colour by the nearest in that."""
    others = _colours(palette)
    places = {colour: place for place, colour in reversed([*enumerate(others)])}
    table = bytearray(256)
    for place, colour in enumerate(_colours(picture.palette)):
        known = places.get(colour)
        table[place] = _nearest(colour, others) if known is None else known
    return picture.rows.translate(bytes(table))


def _is_difference(png: bytes) -> bool:
    return png.startswith(b"\0")


def _told(head: bytes) -> tuple[int, bytes]:
    """How deep a picture lies, and its IHDR."""
    if _is_difference(head):
        _, depth, _, ihdr = _HEAD.unpack_from(head)
        return depth, ihdr
    return 0, head[IHDR]


def _difference(mine: Paletted, chain: Sequence[bytes], digest: str, depth: int) -> bytes:
    change = _changed(mine.rows, _rows_in(mine.palette, _opened(chain)))
    head = _HEAD.pack(0, depth, bytes.fromhex(digest), mine.ihdr)
    return head + bytes(deflate.zlib_compress(mine.palette + change, HARDER))


def _changed(rows: bytes, base: bytes) -> bytes:
    """The rows with `_SAME` wherever they are as in the base."""
    mine, other = int.from_bytes(rows, "little"), int.from_bytes(base, "little")
    differs = _where_any(mine ^ other, len(rows))
    return (mine & differs | _all(len(rows)) ^ differs).to_bytes(len(rows), "little")


def _put_on(change: bytes, base: bytes) -> bytes:
    """The rows again."""
    mine, other = int.from_bytes(change, "little"), int.from_bytes(base, "little")
    differs = _where_any(mine ^ _all(len(change)), len(change))
    return (mine & differs | other & ~differs).to_bytes(len(change), "little")


def _where_any(number: int, size: int) -> int:
    """All bits of each byte that has any. Shifted over all bytes at once; what comes from the byte
    above does not reach the lowest bit.
    """
    for bits in (4, 2, 1):
        number |= number >> bits
    lowest = number & int.from_bytes(b"\x01" * size, "little")
    return (lowest << 8) - lowest


def _all(size: int) -> int:
    return (1 << 8 * size) - 1


def _colours(palette: bytes) -> list[tuple[int, int, int]]:
    return [*zip(palette[::3], palette[1::3], palette[2::3], strict=True)]


def _nearest(colour: Sequence[int], others: Sequence[Sequence[int]]) -> int:
    def far(place: int) -> int:
        return sum((one - other) ** 2 for one, other in zip(colour, others[place], strict=True))

    return min(range(len(others)), key=far)

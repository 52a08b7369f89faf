"""Pictures in at most 256 colours as PNG (ISO/IEC 15948), with nothing in them but their pixels."""

import struct
import zlib

import deflate
import msgspec

SIGNATURE = b"\x89PNG\r\n\x1a\n"
IHDR = slice(16, 29)
"""Where the size and the kind of a picture stand in its bytes."""
LEVEL, HARD, HARDER = 6, 7, 8
"""How hard libdeflate packs a picture, one that is near its most bytes, and what must be smaller.
"""
_NAMES = [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
_BY_PALETTE = bytes((8, 3))
"""A byte for each pixel, which is its place in the palette."""


class Paletted(msgspec.Struct, frozen=True):
    """A picture, open: its rows begin with a byte for the filter."""

    ihdr: bytes
    palette: bytes
    rows: bytes


def ihdr_of(wide: int, high: int) -> bytes:
    """The size and the kind of a picture with a byte for each pixel, in px."""
    return struct.pack(">II", wide, high) + _BY_PALETTE + bytes(3)


def format_png(picture: Paletted, level: int = LEVEL) -> bytes:
    """The same picture has always the same bytes, on every machine."""
    packed = bytes(deflate.zlib_compress(picture.rows, level))
    parts = zip(_NAMES, (picture.ihdr, picture.palette, packed, b""), strict=True)
    return SIGNATURE + b"".join(
        struct.pack(">I", len(told)) + name + told + struct.pack(">I", zlib.crc32(name + told))
        for name, told in parts
    )


def parse_png(png: bytes) -> Paletted | None:
    """None for all that `format_png` would not write again, pixel for pixel."""
    if not png.startswith(SIGNATURE) or png[IHDR][8:10] != _BY_PALETTE:
        return None
    parts: dict[bytes, bytes] = {}
    at = len(SIGNATURE)
    while at < len(png):
        (size,) = struct.unpack_from(">I", png, at)
        name = png[at + 4 : at + 8]
        parts[name] = parts.get(name, b"") + png[at + 8 : at + 8 + size]
        at += 12 + size
    if [*parts] != _NAMES:
        return None
    return Paletted(parts[b"IHDR"], parts[b"PLTE"], zlib.decompress(parts[b"IDAT"]))

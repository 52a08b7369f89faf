"""How long columns lie in the database: in less room than they have.

What is packed begins with two bytes: a zero, and which words it was packed with. Everything else
lies as it is: what is short, what does not get shorter, and what was written before there was
packing.

Packing is DEFLATE with a dictionary, the words of `packing.words`: the frame of our letters and
what mails begin with. That file must never change, because what was packed with it can be unpacked
with nothing else. New words are a second file with the next number.
"""

import zlib
from functools import cache, lru_cache
from importlib.resources import files

_MARK = b"\0"
_AS_IT_IS, _WORDS = b"\0", b"\1"
_LEVEL = 3
_HEAD_BYTES = 6
"""A stream begins with two bytes of its own and the checksum of the words (RFC 1950 2.2)."""
_LEAST, _MOST = 64, 1 << 18
"""What is longer would hold up everybody, and is mostly packed already: pictures in mails."""


def packed(content: bytes) -> bytes:
    """The same content has always the same form; `unpacked` gives it back byte for byte."""
    if _LEAST <= len(content) <= _MOST:
        packer = _packer().copy()
        short = _MARK + _WORDS + packer.compress(content) + packer.flush()
        if len(short) < len(content):
            return short
    return _MARK + _AS_IT_IS + content if content.startswith(_MARK) else content


def unpacked(stored: bytes) -> bytes:
    """Raises `ValueError` for what was damaged, or packed by a newer program."""
    if not stored.startswith(_MARK):
        return stored
    how, rest = stored[1:2], stored[2:]
    if how == _AS_IT_IS:
        return rest
    if how != _WORDS:
        raise ValueError(f"packed in a way that this program does not know: {how!r}")
    try:
        unpacker = _unpacker(rest[:_HEAD_BYTES]).copy()
        content = unpacker.decompress(rest[_HEAD_BYTES:])
    except zlib.error as error:
        raise ValueError(f"what is stored was damaged: {error}") from error
    if not unpacker.eof:
        raise ValueError("what is stored was cut off")
    return content


@cache
def _words() -> bytes:
    return (files("pbem.store") / "packing.words").read_bytes()


@lru_cache(maxsize=4)
def _unpacker(head: bytes) -> "zlib._Decompress":
    """One that has read the words, which a head names, to be copied."""
    unpacker = zlib.decompressobj(zdict=_words())
    unpacker.decompress(head)
    return unpacker


@cache
def _packer() -> "zlib._Compress":
    """One that has read the words, to be copied: reading them takes its time."""
    return zlib.compressobj(_LEVEL, zdict=_words())

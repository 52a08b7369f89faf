"""Data as scripts, packed: a page that was opened from a disk may load nothing else."""

import base64
import zlib

RECORD_SCRIPT = "record.js"
"""The record of a game, from which a page checks it in a browser alone: `window.RECORD`."""
_RAW = -zlib.MAX_WBITS
"""Deflate without a head: the `deflate-raw` of browsers."""


def pack(name: str, data: bytes) -> bytes:
    """A script that hands data to its page, under this name of the window."""
    packer = zlib.compressobj(9, wbits=_RAW)
    packed = packer.compress(data) + packer.flush()
    return f'window.{name} = "'.encode() + base64.b64encode(packed) + b'";\n'


def unpack(script: bytes) -> bytes:
    """The data of such a script."""
    return zlib.decompress(base64.b64decode(script.split(b'"')[1]), _RAW)

"""Join codes: what lets people in, short enough to be typed and long enough not to be guessed by mail."""

import hashlib

from pbem.grammar.lobby import CODE_LENGTH, CODE_LETTERS


def make_join_code(slug: str, secret: bytes) -> str:
    """`heron-k7m2qd`: the table's short name and six letters drawn from fresh random bytes (27^6 possibilities)."""
    number = int.from_bytes(hashlib.sha256(b"join code|" + slug.encode() + b"|" + secret).digest(), "big")
    letters = []
    for _ in range(CODE_LENGTH):
        number, index = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[index])
    return f"{slug}-{''.join(letters)}"

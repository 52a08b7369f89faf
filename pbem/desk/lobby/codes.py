"""Join codes: what lets people in, short enough to be typed and long enough not to be guessed by
mail.
"""

import hashlib
import hmac

from pbem.grammar.joining import CODE_LENGTH, CODE_LETTERS

SEAT_CODE_LENGTH = 10


def make_join_code(slug: str, secret: bytes) -> str:
    """`heron-k7m2qd`: the table's short name and six letters drawn from fresh random bytes (27^6
    possibilities).
    """
    digest = hashlib.sha256(b"join code|" + slug.encode() + b"|" + secret).digest()
    return f"{slug}-{_letters(digest, CODE_LENGTH)}"


def make_takeover_code(slug: str, key: bytes, seat_id: int, tenure: int) -> str:
    """`heron-` and ten letters: what gives one seat away, as long as it stands empty in this tenure
    (27^10 possibilities).
    """
    about = f"takeover code|{slug}|{seat_id}|{tenure}".encode()
    return f"{slug}-{_letters(hmac.new(key, about, hashlib.sha256).digest(), SEAT_CODE_LENGTH)}"


def _letters(digest: bytes, length: int) -> str:
    number, letters = int.from_bytes(digest, "big"), []
    for _ in range(length):
        number, index = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[index])
    return "".join(letters)

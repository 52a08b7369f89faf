"""Seat tokens: the secret part of a reply address that proves which seat a mail speaks for.

Nothing about a token is stored. It is `<purpose letter><seat>-<phase>-<mac>`, for example
`o12-345-mfrggzdfmztwq2lknnwg23tpoa`: the numbers are public hints that say where to look, the MAC
is HMAC-SHA256 under the server's key over purpose, seat, tenure and phase, cut to 128 bits (RFC
2104, section 5) and written in base32 (RFC 4648) without padding. The tenure is not in the text: a
seat that changes hands makes every older token worthless.

Only `[a-z0-9-]` occur, so a token survives clients that fold case, and it is at most 48 characters
long, so that `orders+TOKEN` keeps within the 64 characters of a local part (RFC 5321, 4.5.3.1.1).
"""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import StrEnum

MAX_TOKEN_CHARS = 48
MAX_NUMBER = 999_999_999
_MAC_BYTES = 16


class Purpose(StrEnum):
    """What a token may be used for; a token of one purpose never proves another."""

    ORDERS = "orders"
    CONFIRM = "confirm"
    BOUNCE = "bounce"
    GM = "gm"
    WATCH = "watch"
    """An observer of a table, or a substitute there: the numbers are the person and the game."""


_LETTERS = {
    Purpose.ORDERS: "o",
    Purpose.CONFIRM: "c",
    Purpose.BOUNCE: "b",
    Purpose.GM: "g",
    Purpose.WATCH: "w",
}
_PURPOSES = {letter: purpose for purpose, letter in _LETTERS.items()}
_TOKEN = re.compile(r"([ocbgw])(0|[1-9][0-9]{0,8})-(0|[1-9][0-9]{0,8})-([a-z2-7]{26})")

CODE_LINE = re.compile(
    r"\bCode:?[ \t\u00a0]+([ocbgw][0-9]{1,9}-[0-9]{1,9}-[a-z2-7]{26})(?![a-z0-9-])", re.IGNORECASE
)
"""Finds the code in the footer of our own mails, quoted or not."""


@dataclass(frozen=True, slots=True)
class TokenClaim:
    """What a token says of itself. It is a claim until `proves` has said yes."""

    purpose: Purpose
    seat: int
    phase: int
    mac: str

    def __repr__(self) -> str:
        return f"TokenClaim({self.purpose.value} seat={self.seat} phase={self.phase} mac=***)"


def make_token(key: bytes, purpose: Purpose, seat: int, tenure: int, phase: int) -> str:
    """The token of a seat for a phase.

    Raises ValueError when a number is outside 0..999,999,999 or the key is shorter than 16 bytes.
    """
    for number in (seat, tenure, phase):
        if not 0 <= number <= MAX_NUMBER:
            raise ValueError(f"token numbers run from 0 to {MAX_NUMBER}, not {number}")
    return f"{_LETTERS[purpose]}{seat}-{phase}-{_mac(key, purpose, seat, tenure, phase)}"


def parse_token(text: str) -> TokenClaim | None:
    """Read a token's text, in any case; None when it is not one."""
    if len(text) > MAX_TOKEN_CHARS or not text.isascii():
        return None
    match = _TOKEN.fullmatch(text.lower())
    if match is None:
        return None
    letter, seat, phase, mac = match.groups()
    return TokenClaim(_PURPOSES[letter], int(seat), int(phase), mac)


def format_token(claim: TokenClaim) -> str:
    """The text a claim was read from."""
    return f"{_LETTERS[claim.purpose]}{claim.seat}-{claim.phase}-{claim.mac}"


def proves(claim: TokenClaim, key: bytes, tenure: int) -> bool:
    """Whether the claim was made under this key for the seat's present tenure; constant in time."""
    if not 0 <= tenure <= MAX_NUMBER:
        return False
    return hmac.compare_digest(claim.mac, _mac(key, claim.purpose, claim.seat, tenure, claim.phase))


def format_reply_address(base_address: str, token: str) -> str:
    """`orders@host` and a token make `orders+TOKEN@host` (RFC 5233 subaddressing)."""
    local, at, host = base_address.rpartition("@")
    if not at or not local or not host:
        raise ValueError("the base address needs a local part and a host")
    return f"{local}+{token}@{host}"


def format_message_id(token: str, serial: str, host: str) -> str:
    """A Message-ID that carries the token: `<TOKEN.serial@host>`, for clients that drop the
    address.
    """
    return f"<{token}.{serial}@{host}>"


def parse_message_id_token(message_id: str, host: str) -> str | None:
    """The token in one of our own Message-IDs; None for anybody else's. An empty host accepts
    any.
    """
    local, at, domain = message_id.strip().removeprefix("<").removesuffix(">").rpartition("@")
    token, dot, _serial = local.partition(".")
    if not at or not dot or (host and domain.lower() != host.lower()):
        return None
    return token.lower() if parse_token(token) else None


def _mac(key: bytes, purpose: Purpose, seat: int, tenure: int, phase: int) -> str:
    if len(key) < _MAC_BYTES:
        raise ValueError("the server key is shorter than 128 bits")
    words = f"pbem seat token 1|{purpose.value}|{seat}|{tenure}|{phase}".encode()
    digest = hmac.new(key, words, hashlib.sha256).digest()[:_MAC_BYTES]
    return base64.b32encode(digest).decode("ascii").rstrip("=").lower()

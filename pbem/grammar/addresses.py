"""What may be written about one's own addresses, a line each: another one, a list of them, one to
be forgotten.

They count when a line is that and nothing else, politeness aside; alike before the start of a game
and during it.
"""

import msgspec

from pbem.grammar.joining import drop_politeness
from pbem.later import Later

MOST_LINE_CHARACTERS = 500
_MAKE = Later("pbem.grammar.house.productions:make_command")


class AddressWish(msgspec.Struct, frozen=True, tag_field="wish"):
    """Base of what is wished."""


class AddAddress(AddressWish, frozen=True, tag="add address"):
    """`my address is also anna@work.example`"""

    address: str


class ForgetAddress(AddressWish, frozen=True, tag="forget address"):
    """`forget address anna@work.example`"""

    address: str


class ListAddresses(AddressWish, frozen=True, tag="list addresses"):
    """`my addresses`"""


def wishes_address(text: str) -> bool:
    """Whether a line of a text (new text alone) is such a wish."""
    return any(parse_address_wish(line) is not None for line in text.split("\n"))


def parse_address_wish(line: str) -> AddressWish | None:
    """What a line wishes, if it is one of these."""
    if len(line) > MOST_LINE_CHARACTERS:
        return None
    said = drop_politeness(" ".join(line.split()))
    # a list may be asked for
    bare = said.rstrip(" .!" if "@" in said else " .!?")
    wish: AddressWish | None = _MAKE(bare, "address_wish")
    return wish


def format_address_wish(wish: AddressWish) -> str:
    """The one spelling of a wish."""
    match wish:
        case AddAddress(address=address):
            return f"my address is also {address}"
        case ForgetAddress(address=address):
            return f"forget address {address}"
    return "my addresses"

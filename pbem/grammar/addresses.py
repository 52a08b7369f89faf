"""What may be written about one's own addresses, a line each: another one, a list of them, one to
be forgotten.

They count when a line is that and nothing else, politeness aside; alike before the start of a game
and during it.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AddAddress:
    """`my address is also anna@work.example`"""

    address: str


@dataclass(frozen=True, slots=True)
class ForgetAddress:
    """`forget address anna@work.example`"""

    address: str


@dataclass(frozen=True, slots=True)
class ListAddresses:
    """`my addresses`"""


AddressWish = AddAddress | ForgetAddress | ListAddresses

_BEFORE = r"\s*(?:[-*•]\s*)?(?:(?:please|pls|kindly|hi|hello|and|also)[ ,]+)*"
_AFTER = r"(?:[ ,]+(?:please|too|as well|thanks|thank you))*[ .!]*"
_ADDRESS = (
    r"(?:<?mailto:|<|\")?(?P<address>[^\s<>\",;:()]{1,200}@[^\s<>\",;:()]{1,200}?)"
    r"(?:>|\")?(?:\s*<mailto:[^>]{1,300}>)?"
)
_MAIL = r"(?:e-?mail |mail )?"
_ADD = re.compile(
    rf"{_BEFORE}(?:my {_MAIL}address is also|my (?:other|second|work|new) {_MAIL}address is|i"
    r" (?:also|sometimes) write from|i also use"
    rf"|set {_MAIL}address(?: to)?|add (?:my |the )?{_MAIL}address|register (?:my |the"
    rf" )?{_MAIL}address)[ :]+{_ADDRESS}{_AFTER}",
    re.IGNORECASE,
)
_FORGET = re.compile(
    rf"{_BEFORE}(?:forget|remove|drop|delete) (?:my |the )?{_MAIL}address[ :]+{_ADDRESS}{_AFTER}",
    re.IGNORECASE,
)
_LIST = re.compile(
    rf"{_BEFORE}(?:(?:show|list|get)(?: me)? )?my {_MAIL}addresses{_AFTER}|{_BEFORE}(?:which"
    rf" are|what are) my {_MAIL}addresses\??{_AFTER}",
    re.IGNORECASE,
)
MOST_LINE_CHARACTERS = 500


def parse_addresses(text: str) -> tuple[tuple[AddressWish, ...], str]:
    """The wishes in a text (new text alone), and the text without their lines."""
    wishes: list[AddressWish] = []
    rest: list[str] = []
    for line in text.split("\n"):
        wish = parse_address_wish(line)
        if wish is None:
            rest.append(line)
        else:
            wishes.append(wish)
    return tuple(wishes), "\n".join(rest)


def parse_address_wish(line: str) -> AddressWish | None:
    """What a line wishes, if it is one of these."""
    if len(line) > MOST_LINE_CHARACTERS:
        return None
    if (found := _ADD.fullmatch(line)) is not None:
        return AddAddress(found["address"].rstrip(".!").lower())
    if (found := _FORGET.fullmatch(line)) is not None:
        return ForgetAddress(found["address"].rstrip(".!").lower())
    return ListAddresses() if _LIST.fullmatch(line) else None


def format_address_wish(wish: AddressWish) -> str:
    """The one spelling of a wish."""
    match wish:
        case AddAddress(address=address):
            return f"my address is also {address}"
        case ForgetAddress(address=address):
            return f"forget address {address}"
    return "my addresses"

"""Whether Python's own mail library has its security fixes.

Distributions bring fixes to older numbers, so each is looked for by what it does. Our own letters
do not rest on them: `Letter` takes no line break into a header, and `compose` looks at the head
that came out.
"""

import email.utils
import sys
from collections.abc import Callable, Mapping
from email.errors import MessageError
from email.generator import BytesGenerator
from email.message import Message
from email.policy import EmailPolicy, default
from io import BytesIO

FIXED_IN = "3.11.15, 3.12.13, 3.13.12 or 3.14.3"
"""The first releases that have all of them."""


class _FoldsWrongly(EmailPolicy):
    """As if a value had been folded so that a second field comes out."""

    def fold_binary(self, name: str, value: str) -> bytes:
        return f"{name}: {value}\nX-Second: field\n".encode()


def _refuses_in_bytes() -> bool:
    message = Message(_FoldsWrongly())
    message["Subject"] = "first"
    try:
        BytesGenerator(BytesIO()).flatten(message)
    except MessageError:
        return True
    return False


FIXES: Mapping[str, Callable[[], bool]] = {
    "CVE-2023-27043": lambda: bool(getattr(email.utils, "supports_strict_parsing", False)),
    "CVE-2024-6923": lambda: bool(getattr(default, "verify_generated_headers", False)),
    "CVE-2026-1299": _refuses_in_bytes,
}
"""Addresses read as others than they are; line breaks let into headers, as text and as bytes."""


def missing_fixes() -> tuple[str, ...]:
    """Which of them this Python does not have."""
    return tuple(name for name, has_it in FIXES.items() if not has_it())


def describe(missing: tuple[str, ...]) -> str:
    """What is wrong with this Python, for the operator."""
    number = ".".join(map(str, sys.version_info[:3]))
    return (
        f"Python {number} lacks security fixes of its mail library ({', '.join(missing)}); install"
        f" {FIXED_IN}, or newer"
    )


if __name__ == "__main__":  # the image is not built on a Python without them
    sys.exit(describe(found) if (found := missing_fixes()) else 0)

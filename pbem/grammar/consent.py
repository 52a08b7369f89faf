"""Yes or no: the first word of an answer to a question of ours, in the languages it is likely to be given in."""

import re

YES = frozenset(
    [
        "yes",
        "y",
        "yep",
        "yeah",
        "ja",
        "jo",
        "oui",
        "si",
        "sí",
        "sim",
        "tak",
        "ano",
        "da",
        "igen",
        "evet",
        "ok",
        "okay",
        "confirm",
        "confirmed",
    ]
)
NO = frozenset(["no", "n", "nope", "nein", "nee", "non", "nej", "nie", "não", "nem", "hayır", "ei", "ne"])
_WORD = re.compile(r"[^\W\d_]+")


def parse_consent(text: str) -> bool | None:
    """Whether the answer begins with a yes (True) or a no (False); None when it says neither."""
    first = _WORD.search(text.casefold())
    if first is None:
        return None
    return True if first.group() in YES else False if first.group() in NO else None

"""What a message begins with when all that stands is to go: `Forget everything I said, new plan:
...`, `scrap all that`, `start over:`.
"""

import re

_OLD = (
    r"(?:(?:all )?(?:my|the|those|these) )?(?:earlier|previous|last|old|older|former|other) "
    r"(?:orders?|plans?|mails?|messages?|moves|letters?|version)"
)
_ALL = (
    r"(?:(?:it |that |this )?all|everything|all (?:of )?(?:that|this|it)"
    r"|all (?:of )?(?:my |the |those |these )?(?:orders|lines|moves|plans|attacks)"
    r"|the (?:whole )?lot|the whole (?:thing|plan))"
)
_SAID = r"(?: (?:that )?i(?: have|'ve)? (?:just )?(?:said|wrote|written|sent|ordered|told you))"
_WHEN = (
    r"(?: (?:before|earlier|so far|until now|till now|up to now|above|yesterday|earlier today|today"
    r"|last night|last week|this morning|before (?:lunch|dinner|breakfast|work|noon|bed)))?"
)
_DROP = (
    r"(?:forget|scrap|scratch|ignore|disregard|discard|drop|delete|bin|cancel|erase|revoke|undo"
    r"|strike)"
)
_DROPPED = (
    r"(?:forgotten|scrapped|scratched|ignored|discarded|dropped|deleted|binned|cancell?ed|erased"
    r"|withdrawn|revoked|void|off)"
)
_FAR = r"(?: (?:off|out|away))"
_BE = r"(?: (?:is|are|goes|gets|be|must be|should be)(?: now| all)?)"
_OVER = r"(?:let me |let's |i(?:'m| am) )?start(?:ing)? (?:all )?over(?: again)?"
_CLEARS = re.compile(
    r"\A(?P<ahead>(?:[^\d.!?:\n]{0,40}[,.!:\n-]\s*+){0,2}?(?:(?:ok(?:ay)?|please|so|well|no|oh) )*)"
    r"(?P<clears>(?:please |let's |let us |i |we )?"
    rf"(?:{_DROP}(?: about)? (?:(?:{_ALL}|them all){_SAID}?|{_OLD}|what{_SAID}){_WHEN}"
    rf"|(?:throw|take|call|cross) {_ALL}{_FAR}|(?:throw|call|cross){_FAR} {_ALL}"
    rf"|{_ALL}{_SAID}?{_BE}? {_DROPPED}(?: the table)?"
    r"|(?:wipe|clear) the slate(?: clean)?"
    rf"|{_OVER}|clean slate)(?:\s*+,?\s*+(?:and )?{_OVER})?)"
    r"(?P<end>(?:[^\S\n]*+[.!:;,\n-]|\s*+\Z)"
    r"(?:\s*+(?:here is )?(?:my |the )?new (?:plan|orders?)\s*:)?)"
)
_KEEPS = re.compile(
    r"[^.!?;\n]*\b(?:stays?|remains?|stands?|keep|except|but|apart from|other than|save for"
    r"|leave)\b"
)
"""What says, in the same sentence, that not all of it goes."""


def clearing_in(text: str) -> tuple[int, int] | None:
    """Where such a beginning stands in a folded text, with the sign behind it."""
    found = _CLEARS.match(text)
    if found is not None and _KEEPS.match(text, found.end("clears")):
        return None  # `everything cancelled, only the North stays`
    return None if found is None else (found.start("clears"), found.end())

"""What a message begins with when all that stands is to go: `Forget everything I said, new plan:
...`, `scrap all that`, `start over:`. It is read as `cancel all`, in every game.
"""

import re

_ALL = r"(?:all|everything|all (?:of )?(?:that|this|it)|the (?:lot|whole lot|whole thing))"
_OLD = (
    r"(?:(?:all )?(?:my|the) )?(?:earlier|previous|last|old|older|former|other) "
    r"(?:orders?|plans?|mails?|messages?|moves|letters?|version)"
)
_SAID = r"(?: (?:that )?i(?: have|'ve)? (?:just )?(?:said|wrote|written|sent|ordered|told you))"
_WHEN = r"(?: (?:before|earlier|so far|until now|till now|up to now|above))?"
_CLEARS = re.compile(
    r"\A(?P<ahead>(?:[^\d.!?:\n]{0,40}[,.!:\n-]\s*){0,2}(?:(?:ok(?:ay)?|please|so|well|no|oh) )*)"
    r"(?P<clears>(?:please )?(?:forget|scrap|scratch|ignore|disregard|discard|drop|delete|bin)"
    rf"(?: about)? (?:{_ALL}{_SAID}?|{_OLD}|what{_SAID}){_WHEN}"
    rf"|{_ALL}(?: (?:is|goes))? off|(?:throw|take) (?:it |that )?all (?:off|out|away)"
    r"|(?:let me |i |we )?start(?:ing)? (?:all )?over(?: again)?|clean slate)"
    r"(?P<end>\s*(?:[.!:;,\n-]|\Z)(?:\s*(?:here is )?(?:my |the )?new (?:plan|orders?)\s*:)?)"
)


def with_clearing(text: str) -> str:
    """A folded text of the same length in which such a beginning is a sentence `cancel all`."""
    found = _CLEARS.match(text)
    if found is None:
        return text
    start, end = found.span("clears")
    said = "cancel".ljust(end - start - 3) + "all"
    return f"{text[:start]}{said}{'.'.ljust(len(found['end']))}{text[found.end() :]}"

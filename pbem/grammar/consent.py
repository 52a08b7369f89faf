"""Yes or no: the first word of an answer to a question of ours, in the languages it is likely to be
given in.

A machine that answers every mail must not say yes by chance: what is yes in one language begins a
sentence in another ("Da ich verreist bin", "Tak for din mail", "Si avvisa che"). So a yes stands by
itself, or a few words at most stand beside it.
"""

import re

from pbem.grammar.times import parse_vote

MOST_VOTE_CHARACTERS = 40
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
NO = frozenset(
    ["no", "n", "nope", "nein", "nee", "non", "nej", "nie", "não", "nem", "hayır", "ei", "ne"]
)
_WORD = re.compile(r"[^\W\d_]+")
_WEAK = frozenset(
    ["y", "jo", "si", "sí", "sim", "tak", "ano", "da", "ok", "okay", "confirm", "confirmed"]
)
"""A yes too, and the beginning of other things."""

_FEW = 4


def parse_consent(text: str) -> bool | None:
    """Whether the answer begins with a yes (True) or a no (False); None when it says neither."""
    folded = text.casefold()
    first = _WORD.search(folded)
    if first is None:
        return None
    if first.group() in YES:
        rest = folded[first.end() :].partition("\n")[0]
        return True if _stands_alone(rest, weak=first.group() in _WEAK) else None
    return False if first.group() in NO else None


_POLITE = frozenset(
    ["please", "thanks", "thank", "you", "sorry", "sure", "of", "course", "danke", "bitte", "merci"]
)


def parse_plain_consent(text: str) -> bool | None:
    """Whether a text is a yes (True) or a no (False), with nothing but politeness beside it; None
    for anything else.
    """
    words = _WORD.findall(text.casefold())
    if (
        not words
        or any(sign.isdigit() for sign in text)
        or not set(words[1:]) <= _POLITE | {words[0]}
    ):
        return None
    return True if words[0] in YES else False if words[0] in NO else None


def parse_plain_vote(text: str) -> str | None:
    """What a text that is nothing but a vote answers, without a number."""
    vote = parse_vote(text) if len(text) < MOST_VOTE_CHARACTERS else None
    if vote is not None and vote.number is None:
        return vote.answer
    consent = parse_plain_consent(text)
    return None if consent is None else "yes" if consent else "no"


def _stands_alone(rest: str, *, weak: bool) -> bool:
    """Whether what follows a yes in its line leaves it one."""
    apart = rest.lstrip(" \t")[:1] in tuple(",.!;") or not rest.strip()
    few = len(_WORD.findall(rest)) <= _FEW
    return apart and few if weak else apart or few

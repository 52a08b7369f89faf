"""Words that edit what stands: `cancel 2`, `change line 1 to ...`, `keep 1, drop the rest`, a
returned list with one line marked. Only whole clauses are edits; whatever may turn one leaves it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Literal

from msgspec import Struct

from pbem.grammar.kit.fresh_start import clearing_in


class Numbers(Struct, frozen=True):
    """Lines by their numbers in the receipt; 0: the last. `plain`: nothing but the digits says so,
    `nth`: it is counted, which may be done in a list of the writer's own.
    """

    numbers: tuple[int, ...]
    plain: bool = False
    nth: bool = False


class Described(Struct, frozen=True):
    """Lines by what they say; `several`: all of them, however many there are. `firm`: such words
    may be about pieces, so that they are to say that an order is meant: `take back the North`.
    """

    words: str
    several: bool = False
    firm: bool = False


class Rest(Struct, frozen=True):
    """All lines that no other edit of the message names."""


class All(Struct, frozen=True):
    """Every line."""


Ref = Numbers | Described | Rest | All
Operation = Literal["drop", "change", "keep", "clear"]


class Edit(Struct, frozen=True):
    """One edit, from where to where of the text it stands; `new` is where the words stand that take
    the place of the line. `is_weak`: such words may as well be an order.
    """

    operation: Operation
    refs: tuple[Ref, ...]
    start: int
    end: int
    new: tuple[int, int] | None = None
    is_weak: bool = False


_LEAST = re.compile(
    r"\b(?:cancel|scrap|scratch|drop|del|delete|remove|undo|revoke|withdraw|retract|rescind|ditch|bin"
    r"|erase|discard|forget|skip|take|call|cross|strike|leave|change|replace|swap|alter|edit|update"
    r"|switch|turn|convert|correct|amend|make|keep|no|not|without|don't|dont|do not|off|out|gone"
    r"|cancell?ed|scrapped|dropped|deleted|removed|withdrawn|revoked|history|instead|nothing|number"
    r"|line|order|same|everything|all|first|second|third|last|start|slate|disregard|ignore|wipe"
    r"|throw|clear|void|rest|others?|stays?|remain\w*|stands?)\b|\d(?:st|nd|rd|th)\b|# ?\d"
)
"""Without one of these no word is an edit."""
_WORDS = "one two three four five six seven eight nine ten".split()
_NTH = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_NOUN = r"(?:orders?|lines?|entr(?:y|ies)|items?|numbers?|nos?|nr|num)"
_THE = r"(?:(?:the|my|that|this) )?"
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(_WORDS)})(?!\w|\.\d)"
_NUMBERED = (
    rf"(?:{_THE}{_NOUN}\ *+(?:{_NOUN}\ *+)?\#?\ *+{_COUNT}|\#\ *+\d{{1,2}}(?!\w)"
    rf"|{_THE}(?:{'|'.join(_NTH)}|last|\d{{1,2}}(?:st|nd|rd|th))(?:\ (?:{_NOUN}|one))?(?!\w))"
)
_AND = r"\ *+(?:,\ *+and|,|and|&|\+)\ *+"
_REF = rf"(?:{_NUMBERED}|\d{{1,2}}(?:\ *-\ *\d{{1,2}})?(?!\w|\.\d))"
_REFS = rf"{_REF}(?:{_AND}{_REF})*"
_ELSE = (
    r"(?:(?:all )?(?:the |my )?(?:rest|others?|remaining (?:ones|orders|lines))(?: of (?:them|it))?"
    r"|everything else|all else|all (?:the |my )?other (?:orders|lines|ones)"
    r"|the other (?:orders|lines|ones|two|three))"
)
_WHOLE = r"(?:everything|all(?: of (?:it|them|that))?|all (?:of )?my (?:orders|lines))"
_DROP = (
    r"(?:cancel|scrap|scratch|drop|del|delete|remove|undo|revoke|withdraw|retract|rescind|ditch|bin"
    r"|erase|discard|forget(?: about)?|skip|take (?:back|out|off)|cross (?:out|off)|call off"
    r"|strike(?: out)?|leave out)"
)
_GONE = (
    r"(?:cancell?ed|scrapped|dropped|deleted|removed|withdrawn|revoked|off|out|gone|history"
    r"|off the table)"
)
_IS = r"(?: (?:is|are|can be|should be|must be|gets|has to be|goes))?(?: now)?"
_FINE = (
    r"(?:stays?|stands?|remains?|is|are|(?:can|may|shall) (?:stay|stand))"
    r"(?: (?:as (?:it|they) (?:is|are|was|were)|as is|as before|the same|fine|ok(?:ay)?|good|in"
    r"|unchanged|put|standing|correct|right))?"
)
_CHANGE = r"(?:change|replace|swap|alter|edit|update|switch|turn|convert|correct|amend)"
_INTO = r"\s?(?:\bto(?: be)?\b|\binto\b|\bwith\b|\bby\b|\bfor\b|:|=|→|\bso (?:that )?it\b)\s?"
_BEGINS = re.compile(
    r"(?>(?:"
    r"(?:ok(?:ay)?|please|pls|plz|so|well|and|oh|also|then|hi|hello|hey(?: there)?|sorry|hmm*|ah"
    r"|um|actually|now|just|but|thanks|cheers|yes|ps|no(?=\s*,)|wait"
    r"|(?:my )?(?:changes?|corrections?|edits?|updates?|new orders?)(?=\s*:))\b[\s,:!-]*)*)"
    r"(?:(?:i(?:'d| would)? (?:like|want|wish|need|have) to|let me|let's|lets|let us|(?:can|could"
    r"|would|will) you|(?:can|could|may) i|i'll|i will|i must|i'm going to|we|i)\s+)?"
    r"(?:(?:please|pls|just|now|also|then|better|rather)\s+)*"
)
_ENDING = re.compile(
    r"\b(?:please|pls|plz|again|after all|now|too|as well|then|thanks|thank you|thx|ty"
    r"|from (?:my|the) (?:list|orders)|altogether|entirely|completely|for now|instead)\Z"
)
_LONGEST_ENDING = 20
_ASKS = re.compile(r"(?:please )?(?:can|could|would|will) you\b|(?:can|could|may) i\b")
_TURNS = re.compile(
    r"\b(?:if|unless|when(?:ever)?|whether|maybe|perhaps|might|may(?! i\b)|otherwise|in case|until"
    r"|till|once|suppos\w+|assuming|or|wonder\w*|thinking|considering|should i|shall i|never|not"
    r"|don't|dont|do not|won't|wont|wouldn't|didn't|why|told|said|says|asked|wants)\b"
)
_REASONED = re.compile(
    r"(?:because |since |as |for )?(?:i|we|he|she|they|it|that|there)(?:'\w+)? "
    r"(?!.*\b(?:if|unless|when|whether|maybe|perhaps|might|sure|think|thinking|want|wants|know|mean|said|says|told|asked"
    r"|otherwise|until|till|or|should|shall|orders?|lines?|yet)\b)"
)
"""A remark behind an edit that turns nothing: `drop 2, I don't like the look of it`."""
_BACK = re.compile(
    r"(?:hm+\W+|oh\W+|oops\W+)*(?:no(?=\s*(?:[,.!;\n]|\Z)|\s+(?:wait|keep|don|do\b|leave|sorry))"
    r"|nope|wait\b|actually|scratch that|never ?mind|forget (?:that|it)\b|undo|(?:just )?kidding|jk"
    r"|joking|on second thoughts?|or not|not really|hang on|hold on|oops|keep (?:it|them)\b"
    r"|leave (?:it|them)\b)"
)
_MAY_MOVE = re.compile(r"(?:take|strike|call(?! off)|leave|withdraw)\b(?!.*\blist\b)")
_BUT = r"(?:but|except(?: for)?|apart from|other than)"
_LIST = r"(?: (?:of |off )?(?:the|my) (?:list|orders))?"
_NOT = r"(?:no|without|don't|dont|do not)"
_DROPS = (
    (rf"{_DROP} (?P<refs>{_REFS})", False),
    (rf"(?:take|call|cross|strike|leave) (?P<refs>{_REFS}) (?:back|off|out|away)", False),
    (rf"(?:want )?(?P<refs>{_NUMBERED}){_IS} {_GONE}", False),
    (rf"(?:want )?(?P<refs>{_REFS}){_IS} {_GONE}", True),
    (rf"(?:no|without) (?:more )?(?P<refs>{_NUMBERED})", False),
    (rf"{_DROP} (?P<rest>{_ELSE})", False),
    (rf"(?P<rest>{_ELSE}) (?:is|are|goes|can go) {_GONE}", False),
    (rf"{_DROP} {_WHOLE},? {_BUT} (?P<but>{_REFS})", False),
    (rf"{_DROP} {_WHOLE},? {_BUT} (?P<butwhat>.+)", False),
    (rf"{_WHOLE}{_IS} {_GONE},? (?:{_BUT}|only) (?P<but>{_REFS})(?: {_FINE})?", False),
    (rf"{_WHOLE}{_IS} {_GONE},? (?:{_BUT}|only) (?P<butwhat>.+?)(?: {_FINE})?", False),
    (rf"{_DROP} (?P<what>.+)", False),
    (rf"(?:take|call|cross|strike|leave) (?P<what>.+) (?:back|off|out){_LIST}", False),
    (rf"(?:want )?(?P<what>.+?){_IS} {_GONE}", True),
    (rf"(?P<what>[^:]+):\s*(?:{_DROP}|{_GONE}|nothing)", True),
    (r"(?P<what>.+?)(?: is| are)? (?:no longer|not) (?:needed|wanted|necessary)", True),
    (rf"{_NOT} (?P<what>.+?)(?: (?:after all|any ?more))", True),
    (r"(?:without|not) (?P<what>.+)", True),
    (r"(?P<what>.+) gets nothing", True),
    (r"nothing (?:for|to|from|in) (?P<what>.+)", True),
)
_KEEPS = (
    rf"(?:keep|leave) (?P<rest>{_ELSE})(?: as (?:it|they) (?:is|are)| as is| in)?",
    rf"(?P<rest>{_ELSE}) {_FINE}",
    (
        rf"(?P<only>only )?(?:keep|leave) (?P<only2>only )?(?P<refs>{_REFS})"
        r"(?: as (?:it|they) (?:is|are)| as is)?"
    ),
    rf"(?P<refs>{_REFS}) {_FINE}",
    r"(?P<only>only )?keep (?P<only2>only )?(?P<what>.+)",
)
_SAME = re.compile(
    r"(?:the )?same as (?:before|i (?:said|sent|wrote))|no (?:other )?changes?"
    r"|(?:(?:keep|leave) )?(?:everything|all|it)(?: (?:stays|is))?"
    r"(?: (?:as|like) (?:(?:it|they) )?(?:is|are|was|were|before)| the same)"
)
_IS_TO = "should|must|shall|will|can|is to|has to|is now|becomes|only"
_WISH = r"\b(?:i|we)(?:'d like|'d prefer| would like| would prefer| want| need| prefer)\b"
_CHANGES = (
    (rf"{_CHANGE} (?P<refs>{_REF}){_INTO}(?P<new>.+)", False),
    (rf"make (?P<refs>{_NUMBERED})(?: into)?:?\s+(?P<new>.+)", False),
    (rf"(?P<refs>{_NUMBERED})\s*(?:[:=→]|(?:{_IS_TO})(?: be)?\b)\s*(?P<new>.+)", False),
    (rf"instead of (?P<refs>{_REF})\s?[,:]?\s?(?P<new>.+)", False),
    (rf"(?P<new>.+?),? instead of (?P<refs>{_NUMBERED})", False),
    (rf"instead of (?P<what>[^,:]+?)\s?(?:[,:]|\bdo\b|\bmake\b|{_WISH})\s?(?P<new>.+)", True),
    (rf"{_CHANGE} (?P<what>.+?){_INTO}(?P<new>.+)", True),
)
_FORMS: dict[Operation, tuple[tuple[re.Pattern[str], bool], ...]] = {
    "keep": tuple((re.compile(form), False) for form in _KEEPS),
    "drop": tuple((re.compile(form), weak) for form, weak in _DROPS),
    "change": tuple((re.compile(form, re.DOTALL), weak) for form, weak in _CHANGES),
}
_AFRESH = re.compile(rf"{_CHANGE} {_WHOLE}{_INTO}")
_SENTENCE = re.compile(r"(?:[^.!?;\n…]|\.(?=\d))+")
_ABBREVIATED = re.compile(r"\b(nos?|nr|num)\.(?=\s*\d)")
_CUT = re.compile(r"\s?,\s*(?:(?:and|but|then|so|only)\s+)*|\s(?:and|but|&)\s+(?:then\s+)?|\s-\s+")
_LONGEST = 300
"""Characters of a sentence that is looked at."""
_NUMBERS = 6
"""Pieces that the numbers of one edit may be in."""
_SENTENCES = 60
"""Sentences that are looked at, as the pieces of each."""
_MOST = 12
"""Pieces of a sentence that are looked at."""


def edits_in(text: str) -> list[Edit]:
    """The edits of a folded text, in their order; none where what follows takes them back."""
    if _LEAST.search(text) is None:
        return []
    clears = clearing_in(text)
    found = [Edit("clear", (All(),), *clears)] if clears is not None else []
    text = _ABBREVIATED.sub(lambda hit: hit[1] + " ", text)
    sentences = _SENTENCE.finditer(text, clears[1] if clears is not None else 0)
    for sentence in islice(sentences, _SENTENCES):
        found += _of_sentence(text, *sentence.span())
    edits = [edit for edit in found if edit.operation in {"drop", "change"}]
    return [] if any(_is_taken_back(text, edit) for edit in edits) else found


def _is_taken_back(text: str, edit: Edit) -> bool:
    at = re.compile(r"[\s.,;!…-]*").match(text, edit.end)
    return at is not None and bool(_BACK.match(text, at.end()))


def _of_sentence(text: str, start: int, end: int) -> list[Edit]:
    """The edits of a sentence; none if something in it may turn them, or if it asks."""
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end = start + len(text[start:end].rstrip())
    if end - start > _LONGEST or _LEAST.search(text, start, end) is None:
        return []
    above = text[max(0, start - _LONGEST) : start].rstrip()
    heads = above.endswith(":") and not _BEGINS.fullmatch(above.splitlines()[-1].strip() + " ")
    if heads or (text[end : end + 2].lstrip()[:1] == "?" and not _ASKS.search(text, start, end)):
        return []
    cuts = [*_CUT.finditer(text, start, end)]
    places = [
        *zip([start, *(x.end() for x in cuts)], [*(x.start() for x in cuts), end], strict=False)
    ]
    found: list[Edit] = []
    guarded, i = [], 0
    while i < len(places) <= _MOST:
        edit, last = _longest(text, places, i)
        if edit is None:
            said = text[slice(*places[i])]
            guarded += [] if found and _REASONED.match(said) else [said]
        elif edit.operation == "change" and edit.refs != (All(),):
            last = next((k for k in range(i + 1, len(places)) if _longest(text, places, k)[0]), 0)
            last = (last or len(places)) - 1
            edit = _clause(text, places[i][0], places[last][1], is_long=True) or edit
        if edit is not None:
            found.append(edit)
            guarded += [one.words for one in edit.refs if isinstance(one, Described)]
        i = last + 1
    return [] if _TURNS.search(" | ".join(guarded)) else found


def _longest(text: str, places: Sequence[tuple[int, int]], i: int) -> tuple[Edit | None, int]:
    """The edit that begins with this piece, and the last piece of it."""
    for j in range(min(i + _NUMBERS, len(places)) - 1, i - 1, -1):
        edit = _clause(text, places[i][0], places[j][1], is_long=j > i)
        if edit is not None:
            return edit, j
    return None, i


def _clause(text: str, start: int, end: int, *, is_long: bool) -> Edit | None:
    """A clause that is wholly an edit. One of several pieces names its lines by numbers."""
    if _LEAST.search(text, start, end) is None:
        return None
    begins = _BEGINS.match(text, start, end)
    first = begins.end() if begins is not None else start
    last = _before_ending(text, start, end)
    afresh = _AFRESH.match(text, first, last)
    if afresh is not None:
        return Edit("clear", (All(),), start, afresh.end())
    if not is_long and _SAME.fullmatch(text, first, last):
        same = text.startswith(("same", "the same"), first)
        return Edit("keep", (), start, end, is_weak=same)
    for operation, forms in _FORMS.items():
        for form, weak in forms:
            stop = end if operation == "drop" and " (?:after all" in form.pattern else last
            hit = form.fullmatch(text, first, stop)
            if hit is None:
                continue
            said = hit.groupdict()
            is_whole = operation == "change" or said.get("butwhat") is not None
            if is_long and not is_whole and said.get("what") is not None:
                continue
            refs = tuple(_refs_of(said, firm=_MAY_MOVE.match(text, first) is not None))
            only = said.get("only") or said.get("only2")
            if only:
                refs, operation = (Rest(), *refs), "drop"
            new = hit.span("new") if "new" in said else None
            return Edit(operation, refs, start, end, new, weak)
    return None


def _before_ending(text: str, start: int, end: int) -> int:
    """Where a clause ends without what is said for politeness, or of no matter."""
    while True:
        end = start + len(text[start:end].rstrip(" \t\r\n,-"))
        hit = _ENDING.search(text, max(start, end - _LONGEST_ENDING), end)
        if hit is None:
            return end
        end = hit.start()


def _refs_of(said: dict[str, str | None], *, firm: bool) -> Iterator[Ref]:
    if said.get("rest") is not None:
        yield Rest()
    if said.get("but") is not None or said.get("butwhat") is not None:
        yield Rest()
    words = said.get("what") or said.get("butwhat")
    if words is not None:
        several = re.match(r"(?:all|everything|every|both|each|any(?:thing)?)\b", words)
        yield Described(words, several is not None, firm)
    named = said.get("refs") or said.get("but")
    is_plain = True
    for ref in re.finditer(_REF, named or ""):
        is_plain &= not re.search(r"[a-z#]", ref[0])
        yield _numbers_of(ref[0], plain=is_plain)


def _numbers_of(words: str, *, plain: bool) -> Numbers:
    digits = [int(digit) for digit in re.findall(r"\d+", words)]
    nth = [i for i, word in enumerate(_NTH, 1) if re.search(rf"\b{word}\b", words)]
    named = [i for i, word in enumerate(_WORDS, 1) if re.search(rf"\b{word}\b", words)]
    if len(digits) == 2:
        return Numbers(tuple(range(digits[0], digits[1] + 1)), plain)
    if digits:
        return Numbers((digits[0],), plain, bool(re.search(r"\d(?:st|nd|rd|th)", words)))
    if nth or "last" in words:
        return Numbers((nth[0] if nth else 0,), nth=True)
    return Numbers((named[0],))

"""The lines of a message that are the house's: `status`, `rule PR-7.8`, `yes 2`, a note to the game
master, a letter; typed, so that nobody reads them again.

A word counts only when a line is that word, with nothing but politeness around it; never out of the
middle of a sentence. The words are data (`house.words`), what they take is grammar (`house.lark`).
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

import msgspec

from pbem.grammar import consent
from pbem.grammar.garbled import lone_numbers
from pbem.grammar.house.asking import questions_of, word_asked
from pbem.grammar.house.commands import (
    AnyCommand,
    Letter,
    Mute,
    Preview,
    Profile,
    Rule,
    Status,
    Unmute,
    Veterans,
    WhatIf,
    Why,
    word_of,
)
from pbem.grammar.house.lines import parse_line, parse_slip, parse_wish
from pbem.grammar.house.statements import (
    Called,
    Leaving,
    Note,
    Said,
    Statement,
    Unclear,
    Word,
    Yes,
    partition,
)
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.joining import drop_behind
from pbem.grammar.kit.normalise import Plain, blanked, fold, normalise
from pbem.grammar.leaving import find_leaving
from pbem.grammar.names import without_stop
from pbem.grammar.press import opens_press
from pbem.grammar.questions import Questions, find_questions
from pbem.grammar.veterans import alias_of, old_word_of

_BEFORE = (
    r"please|pls|plz|kindly|hi|hello|hey|dear gm|can i have|could i have|i'd like|i would like|give"
    r" me|send me|show me|the|a|your|again"
)
_AFTER = ("please", "pls", "plz", "thanks", "thank you", "thx", "again", "now", "me")
_POLITE = re.compile(rf"(?>(?:(?:{_BEFORE})[ ,]++)*)")
_SIGNS = " .!?\"'"
_NOTE = re.compile(
    r"(?:(?:(?:note )?(?:to|for) )?(?:the )?(?:gm|game ?master)|dear gm)[ ]?:[ ]*(?=\S)"
)
_WHY = re.compile(
    rf"[/*-]?[ ]*+(?>(?:(?:{_BEFORE})[ ,]++)*)(?:"
    r"(?:(?:explain|tell)(?: to)?(?: me| us)?[ ,:]+)?(?:why|how come|warum|wieso|weshalb)"
    r"(?![ ,]+(?:not|don'?t|should|would|shall|nicht)\b)(?=[ ,:?!.]|$)"
    r"|explain(?: to)?(?: me| us)?[ ,:]+(?=(?:the|my|our|how|what happened|turn|province|p"
    r" ?\d|#\d)(?![a-z-]))(?!the rule)"
    r"|how"
    r" (?=(?:was|were|is|did|has|have)\b[^?!\n]*\b"
    r"(?:decided|fought|won|lost|settled|beaten|counted|computed|calculated|worked out"
    r"|fall|fell|fallen|taken|made|come about|come to)\b)"
    r"|(?:(?:what are|what is|what's|tell me|show me)[ ]+)?(?:the |my |our )?"
    r"(?=odds\b|chances? (?:of|to|that|for|in|if|with)\b|how likely (?:is it|am i|are we|will i)\b)"
    r")[ ,:]*+(?P<rest>(?>(?:[^?!;\n.]|\.(?![ ]|$))*))(?:[?!;][?!; ]*+|\.[ ]*+|$)"
)
"""A question about what has happened, or about odds, up to the end of its sentence: `why did I lose
P6 in turn 4?`, `warum P6`.
"""
_WHO_SENT = re.compile(
    r"(?:who(?: else)?|which players?|how many(?: players?|"
    r" people)?|everybody|everyone|anybody|anyone|all)? ?"
    r"(?:(?:has|have|did|do|does|is|are|we|still|already|yet|not|hasn't|haven't|didn't|isn't|aren't|to"
    r"|everybody|everyone|anybody|anyone|all)[ ]){0,6}"
    r"(?:send|sent|submit|submitted|gave|given|answer|answered|ordered|reply|replied|responded|missing|wait|waiting|late|handed|turned)"
    r"(?: (?:in|their|his|"
    r"her|any|the|an|a|orders?|answers?|bids?|anything|something|yet|so|far|already|still|for|us)){0,6}"
)
"""A question who has answered; `_asks_who` says which of these lines are one."""
_KEEPERS = frozenset(
    "steward clerk scribe herald postmaster referee umpire host organiser treasurer".split()
)
"""What players call who keeps the game."""
_CALLED = re.compile(r"\s*:\s+(?=\S)")
_ALL_OF_THEM = re.compile(r"\b(?:everybody|everyone|anybody|anyone|all)\b")
_LETTER = re.compile(r"(?P<word>press to|press|to|an)[ ]+(?P<whom>[^:\n]{1,60}?)[ ]?:[ ]*(?=\S)")


def parse_commands(text: str) -> tuple[AnyCommand, ...]:
    """All words of a text; the inverse of `format_command`."""
    return hear(text).commands


def hear(text: str) -> Said:
    """What a text says that is for its game and the house alone."""
    return Said(text, partition(text, read_words(text)))


def read_words(text: str, tables: Collection[str] = ()) -> list[Statement]:
    """The statements of a text that are the house's. A note to the GM or a `what if` continues to
    the next blank line, a letter to the end. `tables`: what the table is called, folded.
    """
    plain = normalise(text)
    letter = _find_letter(plain.text)
    unread = blanked(plain.text, [letter] if letter is not None else [])
    questions = find_questions(
        msgspec.structs.replace(plain, text=unread), lambda line: _NOTE.match(line) is not None
    )
    found = list(_questions_in(plain, questions))
    if letter is not None:
        found.append(Word(_cut(plain, *letter), Letter(plain.quote(*letter).strip())))
    at, note = 0, list[tuple[int, int, str]]()
    for line in [*blanked(unread, questions.spans).split("\n"), ""]:
        start, end = at, at + len(line)
        at = end + 1
        stripped = line.strip()
        first = start + len(line) - len(line.lstrip())
        opening = _NOTE.match(stripped) if not note else None
        if stripped and (note or opening is not None):
            begun = first + opening.end() if opening is not None else first
            note.append((start, end, plain.quote(begun, end).strip()))
            continue
        if note:
            span = _cut(plain, note[0][0], note[-1][1])
            found.append(Note(span, "\n".join(words for _, _, words in note)))
            note = []
        called = _called_by(stripped, tables)
        if called:
            found.append(Called(_cut(plain, first, first + called)))
            start = first = first + called
        if stripped:
            found += _read_line(plain, stripped[called:], (start, first, end), tables)
    return [*found, *_lone_numbers(text, found)]


def _called_by(line: str, tables: Collection[str]) -> int:
    """The count of characters that say which table a line is for: `heron: status`."""
    names = (name for name in tables if name and line.startswith(name))
    said = (_CALLED.match(line, len(name)) for name in names)
    return max((found.end() for found in said if found is not None), default=0)


def _cut(plain: Plain, start: int, end: int) -> tuple[int, int]:
    """Where in the original a part of the folded text stands, with all signs that were dropped in
    it and behind it.
    """
    return plain.where[start], plain.where[end]


def _lone_numbers(text: str, found: Sequence[Statement]) -> Iterator[Statement]:
    """Numbers alone next to what nobody can read, where nothing else is known of them."""
    places = sorted(one.span for one in found)
    for start, end in lone_numbers(text):
        near = bisect_left(places, (end, 0)) - 1
        if near < 0 or places[near][1] <= start:
            yield Unclear((start, end), "number")


def _questions_in(plain: Plain, questions: Questions) -> Iterator[Statement]:
    """`what if ...`; with nothing behind it but `predict`, the old judges' word, it is the
    preview.
    """
    for i, (start, end) in enumerate(questions.asked):
        rest = plain.quote(start, end).strip()
        is_preview = not rest.strip(" .!?") and plain.text[:start].rstrip(" .!?:,").endswith(
            "predict"
        )
        command = Preview() if is_preview or i in questions.previews else WhatIf(rest)
        yield Word(_cut(plain, questions.starts[i], end), command)
    for start, end in questions.loose:
        yield Unclear(_cut(plain, start, end), "question")


def _read_line(
    plain: Plain, line: str, places: tuple[int, int, int], tables: Collection[str]
) -> Iterator[Statement]:
    """What a line says to the house: all of it, its beginning, or sentences of it. `places`: where
    it begins, where its first word does, and where it ends.
    """
    start, first, end = places
    written, whole = plain.quote(first, end), _cut(plain, start, end)
    wish = parse_wish(written.strip())
    if wish is not None:
        yield Word(whole, wish)
        return
    why = _WHY.match(line)
    if why is not None and (why["rest"] or why.end() == len(line)) and not _asks_for_rule(line):
        asked = plain.quote(first + why.start("rest"), first + why.end("rest"))
        yield Word(_cut(plain, first, first + why.end()), Why(asked.strip()))
        return
    answer = consent.read_consent(line)
    said = _spoken(whole, line, answer) or _old_line(whole, written)
    if said is None and isinstance(answer, consent.Yes) and answer.numbers and answer.is_apart:
        behind = first + len(line.removesuffix(answer.rest))
        said = Yes(_cut(plain, first, behind), answer.numbers)
    if said is not None:
        yield _as_written(plain, line, first, said)
        return
    for begin, last in questions_of(line):
        place = _cut(plain, first + begin, first + last)
        asked = line[begin:last].strip()
        question = _spoken(place, asked, consent.read_consent(asked))
        if isinstance(question, Word) and word_of(question.command) in load_words().lists["word"]:
            yield question
    for begin, last in find_leaving(line, tables):
        is_all = not line[:begin].strip(_SIGNS) and not line[last:].strip(_SIGNS)
        yield Leaving(whole if is_all else _cut(plain, first + begin, first + last))


def _as_written(plain: Plain, line: str, first: int, said: Statement) -> Statement:
    """With the name in it as it was written, with the dot of an abbreviation."""
    match said:
        case Word(command=Profile(name=name) | Mute(whom=name) | Unmute(whom=name)) if (
            name not in ("", "all", "grey") and name in line
        ):
            start = line.rindex(name)
            end = start + len(name)
            end += line[end : end + 1] == "."
            written = without_stop(plain.quote(first + start, first + end))
            return msgspec.structs.replace(said, command=type(said.command)(written))
    return said


def _asks_for_rule(line: str) -> bool:
    """`explain 7.8` and `explain PR-7.8` are the rule."""
    return line.startswith("explain") and isinstance(parse_line(line.strip(" .!?")), Rule)


def _find_letter(text: str) -> tuple[int, int] | None:
    """From the first line that begins a letter (`to Ben: ...`, not `to P3: 2`) to the end: the desk
    has taken out what it could send.
    """
    at = 0
    for line in text.split("\n") if ":" in text else ():
        letter = _LETTER.match(line.strip())
        is_note = letter is not None and (_NOTE.match(line.strip()) or _is_house(letter["whom"]))
        if letter is not None and opens_press(line) and not is_note:
            return at + len(line) - len(line.lstrip()), len(text)
        at += len(line) + 1
    return None


def _is_house(whom: str) -> bool:
    """`To the steward: ...`: who keeps the game, and takes orders."""
    return whom.startswith("the ") and whom.removeprefix("the ") in _KEEPERS


def _spoken(span: tuple[int, int], line: str, answer: consent.Consent) -> Statement | None:
    """A yes, or a word of the house."""
    if isinstance(answer, consent.Yes) and not answer.rest:
        if answer.numbers or answer.kind != "SURE":
            return Yes(span, answer.numbers)
    words = _bare(line)
    command = Status() if _asks_who(words) else parse_line(words)
    if command is None:
        asked = word_asked(" ".join(line.strip(_SIGNS).split())) or word_asked(words)
        command = parse_line(asked) if asked is not None else None
    slip = parse_slip(words) if command is None else None
    if slip is not None:
        return Word(span, slip, words)
    return Word(span, command) if command is not None else None


def _bare(line: str) -> str:
    """A line without what is around a word of the house: politeness, signs, space."""
    whole = " ".join(line.lstrip("/-* ").split())
    begun = _POLITE.sub("", whole, count=1)
    for said in (whole, begun):
        if said.strip(_SIGNS) in load_words().lines:
            return said.strip(_SIGNS)
    bare, known = drop_behind(begun, _AFTER).strip(_SIGNS), load_words()
    wants_more = bare in known.taking and bare not in known.lines
    return begun.strip(_SIGNS) if wants_more else bare


def _asks_who(words: str) -> bool:
    """`who has not sent orders yet`, `is everybody waiting`: the status says what anybody may know
    of it.
    """
    first = words.partition(" ")[0]
    asks = first in ("who", "which", "how") or (
        first in ("has", "have", "did", "is", "are") and _ALL_OF_THEM.search(words[:40]) is not None
    )
    return asks and _WHO_SENT.fullmatch(words) is not None


def _old_line(span: tuple[int, int], line: str) -> Statement | None:
    """What only the old judges' players write so."""
    ours = alias_of(line)
    if ours is not None:
        words = fold(ours)
        return _spoken(span, words, consent.read_consent(words))
    old = old_word_of(line)
    return Word(span, Veterans(old)) if old is not None else None

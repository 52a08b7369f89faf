"""The lines of a message that are the house's: `status`, `rule PR-7.8`, `yes 2`, a note to the game
master, a letter; typed, and nothing of them to be read again.

A word counts only when a line is that word, with nothing but politeness around it; never out of the
middle of a sentence. The words are data (`house.words`), what they take is grammar (`house.lark`).
"""

import dataclasses
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbem.grammar.garbled import lone_numbers
from pbem.grammar.house.commands import (
    AnyCommand,
    Leave,
    Letter,
    Preview,
    Rule,
    Settings,
    Status,
    Veterans,
    WhatIf,
    Why,
)
from pbem.grammar.house.lines import parse_line, parse_slip
from pbem.grammar.house.vocabulary import load_words
from pbem.grammar.joining import drop_behind
from pbem.grammar.kit.normalise import Plain, blanked, fold, normalise
from pbem.grammar.leaving import is_leaving
from pbem.grammar.people import parse_wish
from pbem.grammar.press import opens_press
from pbem.grammar.questions import Questions, find_questions
from pbem.grammar.veterans import alias_of, old_word_of

_BEFORE = (
    r"please|pls|plz|kindly|hi|hello|hey|dear gm|can i have|could i have|i'd like|i would like|give"
    r" me|send me|show me|the|a|your|again"
)
_AFTER = ("please", "pls", "plz", "thanks", "thank you", "thx", "again", "now", "me")
_POLITE = re.compile(rf"(?:(?:{_BEFORE})[ ,]++)*+")
_SIGNS = " .!?\"'"
_NOTE = re.compile(
    r"(?:(?:(?:note )?(?:to|for) )?(?:the )?(?:gm|game ?master)|dear gm)[ ]?:[ ]*(?=\S)"
)
_YES = re.compile(
    r"(?:yes|y|yep|yeah|yup|ja|si|oui)!*+(?:["
    r" ,:]++(?:please|pls|thanks|to|take|number|no\.?|lines?|suggestions?))*[ ,:]*+"
    r"(?P<numbers>(?:\d{1,3}(?!\d)(?:[ ]*+(?:,|and|&|\+|;|/)?[ ]*+\d{1,3}(?!\d))*+(?:["
    r" ]*+(?:,|and|&|\+|;|/))?)?)"
    r"(?:[ ,]++(?:please|pls|thanks|thank you|thx))*[ .!]*"
)
_YES_BEFORE = re.compile(
    r"(?:yes|y|yep|yeah|yup|ja|si|oui)[ ]+(?:(?:to|take|number|no\.?)[ ]+)*(?P<numbers>\d{1,3}(?:["
    r" ]*(?:,|and|&|\+)[ ]*\d{1,3})*)"
    r"[ ]*[,;.][ ]+(?=[a-z])"
)
"""The same with its numbers, before orders on the same line."""
_WHY = re.compile(
    rf"[/*-]?[ ]*+(?:(?:{_BEFORE})[ ,]++)*+(?:"
    r"(?:(?:explain|tell)(?: to)?(?: me| us)?[ ,:]+)?(?:why|how come|warum|wieso|weshalb)"
    r"(?![ ,]+(?:not|don'?t|should|would|shall|nicht)\b)(?=[ ,:?!.]|$)"
    r"|explain(?: to)?(?: me| us)?[ ,:]+(?=(?:the|my|our|how|what happened|turn|province|p"
    r" ?\d|#\d)(?![a-z-]))(?!the rule)"
    r"|how"
    r" (?=(?:was|were|is|did|has|have)\b[^?!\n]*\b"
    r"(?:decided|fought|won|lost|settled|beaten|counted|computed|calculated|worked out"
    r"|fall|fell|fallen|taken|made|come about|come to)\b)"
    r"|(?:(?:what are|tell me|show me)[ ]+)?(?:the |my )?(?=odds\b)"
    r")[ ,:]*+(?P<rest>(?:[^?!;\n.]|\.(?![ ]|$))*+)(?:[?!;][?!; ]*+|\.[ ]*+|$)"
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
_ALL_OF_THEM = re.compile(r"\b(?:everybody|everyone|anybody|anyone|all)\b")
_LETTER = re.compile(r"(?P<word>press to|press|to|an)[ ]+(?P<whom>[^:\n]{1,60}?)[ ]?:[ ]*(?=\S)")


@dataclass(slots=True)
class Taken:
    """What the lines of a message came to apart from orders; `spans` (of the folded text) are not
    to be read again.

    `loose` are those of them that ask what would happen, behind something else on the same line;
    `unclear` are numbers alone beside what nobody can read: nothing came of them.
    """

    commands: list[AnyCommand] = field(default_factory=list)
    answers: tuple[int, ...] | None = None
    note: str | None = None
    spans: list[tuple[int, int]] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    loose: list[tuple[int, int]] = field(default_factory=list)
    unclear: list[tuple[int, int]] = field(default_factory=list)


def parse_commands(text: str) -> tuple[AnyCommand, ...]:
    """All words of a text; the inverse of `format_command`."""
    return tuple(take_commands(normalise(text)).commands)


def take_commands(plain: Plain) -> Taken:
    """Read the lines that are commands. A note to the GM or a `what if` goes on to the next blank
    line, a letter to the end.
    """
    letter = _find_letter(plain.text)
    text = blanked(plain.text, [letter] if letter is not None else [])
    questions = find_questions(
        dataclasses.replace(plain, text=text), lambda line: _NOTE.match(line) is not None
    )
    taken = Taken(spans=list(questions.spans), loose=questions.loose)
    if letter is not None:
        taken.commands.append(Letter(plain.quote(*letter).strip()))
        taken.spans.append(letter)
    at = 0
    lines = blanked(text, questions.spans).split("\n")
    inside = in_note = False
    notes: list[str] = []
    for line in lines:
        start, end = at, at + len(line)
        at = end + 1
        stripped = line.strip()
        if not stripped:
            inside = False
            continue
        first = start + len(line) - len(line.lstrip())
        if inside:
            if in_note:
                notes.append(plain.quote(first, end).strip())
            taken.spans.append((start, end))
            continue
        note = _NOTE.match(stripped)
        if note is not None:
            notes.append(plain.quote(first + note.end(), end).strip())
            inside = in_note = True
            taken.spans.append((start, end))
            continue
        wish = parse_wish(plain.quote(first, end).strip())
        if wish is not None:
            taken.commands.append(wish)
            taken.spans.append((start, end))
            continue
        why = _WHY.match(stripped)
        if (
            why is not None
            and (why["rest"] or why.end() == len(stripped))
            and not _asks_for_rule(stripped)
        ):
            asked = plain.quote(first + why.start("rest"), first + why.end("rest"))
            taken.commands.append(Why(asked.strip()))
            taken.spans.append((first, first + why.end()))
            continue
        if (
            _take_line(taken, stripped)
            or _take_old_line(taken, plain.quote(first, end))
            or _take_leaving(taken, plain.quote(first, end))
        ):
            taken.spans.append((start, end))
            continue
        before = _YES_BEFORE.match(stripped)
        if before is not None and _take_line(taken, before.group().rstrip(" ,;.")):
            taken.spans.append((first, first + before.end()))
    if notes:
        taken.note = "\n".join(notes)
    taken.commands = merge_settings((*taken.commands, *_questions_in(plain, questions)))
    taken.unclear = [
        (bisect_left(plain.where, start), bisect_left(plain.where, end))
        for start, end in lone_numbers(plain.original)
    ]
    taken.spans += taken.unclear
    return taken


def merge_settings(commands: Sequence[AnyCommand]) -> list[AnyCommand]:
    """All choices of a message as one command, where the first of them stood: they are answered
    together.
    """
    settings = [command for command in commands if isinstance(command, Settings)]
    if len(settings) < 2:
        return list(commands)
    first = commands.index(settings[0])
    rest = (command for command in commands[first:] if not isinstance(command, Settings))
    chosen = tuple(choice for one in settings for choice in one.choices)
    return [*commands[:first], Settings(chosen), *rest]


def _questions_in(plain: Plain, questions: Questions) -> Iterator[AnyCommand]:
    """`what if ...`; with nothing behind it but `predict`, the old judges' word, it is the
    preview.
    """
    for i, (start, end) in enumerate(questions.asked):
        rest = plain.quote(start, end).strip()
        is_preview = not rest.strip(" .!?") and plain.text[:start].rstrip(" .!?:,").endswith(
            "predict"
        )
        yield Preview() if is_preview or i in questions.previews else WhatIf(rest)


def _asks_for_rule(line: str) -> bool:
    """`explain 7.8` and `explain PR-7.8` are the rule."""
    return line.startswith("explain") and isinstance(parse_line(line.strip(" .!?")), Rule)


def _find_letter(text: str) -> tuple[int, int] | None:
    """From the first line that begins a letter (`to Ben: ...`, not `to P3: 2`) to the end: the desk
    has taken out what it could send.
    """
    at = 0
    for line in text.split("\n"):
        letter = _LETTER.match(line.strip())
        if letter is not None and opens_press(line) and not _NOTE.match(line.strip()):
            return at + len(line) - len(line.lstrip()), len(text)
        at += len(line) + 1
    return None


def _take_line(taken: Taken, line: str) -> bool:
    yes = _YES.fullmatch(line)
    if yes is not None:
        numbers = tuple(dict.fromkeys(int(digits) for digits in re.findall(r"\d+", yes["numbers"])))
        taken.answers = tuple(dict.fromkeys((*(taken.answers or ()), *numbers)))
        return True
    words = _bare(line)
    command = Status() if _asks_who(words) else parse_line(words)
    if command is None:
        command = parse_slip(words)
        taken.slips += [words] if command is not None else []
    if command is not None:
        taken.commands.append(command)
    return command is not None


def _bare(line: str) -> str:
    """A line without what is around a word of the house: politeness, signs, space."""
    whole = " ".join(line.lstrip("/-* ").split())
    begun = _POLITE.sub("", whole, count=1)
    for said in (whole, begun):
        if said.strip(_SIGNS) in load_words().lines:
            return said.strip(_SIGNS)
    return drop_behind(begun, _AFTER).strip(_SIGNS)


def _asks_who(words: str) -> bool:
    """`who has not sent orders yet`, `is everybody waiting`: the status says what anybody may know
    of it.
    """
    first = words.partition(" ")[0]
    asks = first in ("who", "which", "how") or (
        first in ("has", "have", "did", "is", "are") and _ALL_OF_THEM.search(words[:40]) is not None
    )
    return asks and _WHO_SENT.fullmatch(words) is not None


def _take_old_line(taken: Taken, line: str) -> bool:
    """What only the old judges' players write so."""
    ours = alias_of(line)
    if ours is not None:
        return _take_line(taken, fold(ours))
    old = old_word_of(line)
    if old is not None:
        taken.commands.append(Veterans(old))
    return old is not None


def _take_leaving(taken: Taken, line: str) -> bool:
    """That somebody wants to leave, in whatever words: answered as `leave` is."""
    if not is_leaving(line):
        return False
    taken.commands.append(Leave())
    return True

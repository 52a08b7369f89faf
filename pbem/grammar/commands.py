"""Words that mean the same at every table: `status`, `map`, `help`, `rule PR-7.8`, `yes 2`, a note
to the game master, a letter.

They count only when a line is that word, with nothing but politeness around it; never out of the
middle of a sentence. A new word is a new line of a table.
"""

import dataclasses
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rapidfuzz.distance import OSA

from pbem.grammar.garbled import lone_numbers
from pbem.grammar.joining import drop_behind
from pbem.grammar.kit.normalise import Plain, blanked, fold
from pbem.grammar.kit.reading import Command
from pbem.grammar.kit.vocabulary import SHORTEST_SLIP
from pbem.grammar.leaving import is_leaving
from pbem.grammar.people import Back, parse_wish, word_of_wish
from pbem.grammar.press import opens_press
from pbem.grammar.questions import Questions, find_questions
from pbem.grammar.settings import Unclear, format_setting, parse_setting
from pbem.grammar.veterans import NONE_HERE, alias_of, old_word_of

TEXT_BOARD = "text board"
"""The word of the board without a picture."""

OWN_ZONE, OWN_LANGUAGE, HOW_TO_JOIN = "time zone", "my language", "join"
"""The words of what takes something behind them, without it: how they are used."""

HELP_ORDERS = "help orders"
"""The word of all that can be said; `help` alone is short where there is little room."""

_SYNONYMS = {
    "status": ("status", "standing", "summary", "list", "state", "the status"),
    "map": ("map", "board", "the map", "picture", "show map", "show the map", "get map"),
    TEXT_BOARD: (
        "text board",
        "board in text",
        "board as text",
        "the board in text",
        "text map",
        "map in text",
        "map as text",
    ),
    "orders": ("orders", "my orders", "show orders", "show my orders", "list orders", "get orders"),
    "history": ("history", "get history", "show history"),
    "happened": (
        "happened",
        "what happened",
        "what has happened",
        "what happened last",
        "show what happened",
    ),
    "help": ("help", "get help", "help me", "commands", "hilfe", "manual", "get rules", "rules"),
    HELP_ORDERS: (
        "help orders",
        "help with orders",
        "help with the orders",
        "all help",
        "full help",
        "long help",
    ),
    OWN_ZONE: ("time zone", "my time zone", "timezone", "my timezone"),
    OWN_LANGUAGE: ("my language", "language"),
    HOW_TO_JOIN: ("join", "join a table"),
    "record": (
        "record",
        "the record",
        "get record",
        "show record",
        "record file",
        "record of the game",
        "game record",
        "game file",
        "the game file",
        "verification file",
        "the verification file",
    ),
    "resend": ("resend", "send again", "resend last", "send it again"),
    "players": (
        "players",
        "player list",
        "list players",
        "show players",
        "who plays",
        "who is playing",
        "who",
        "whogame",
        "the players",
    ),
    "resign": (
        "resign",
        "i resign",
        "i want to resign",
        "i would like to resign",
        "i'd like to resign",
        "resign my seat",
        "resign the game",
    ),
    "preview": (
        "preview",
        "preview my orders",
        "preview orders",
        "preview the orders",
        "preview them",
        "predict",
        "what would happen",
        "what would happen now",
        "what would my orders do",
    ),
    "profile": (
        "profile",
        "my profile",
        "show profile",
        "show my profile",
        "get profile",
        "my record",
        "my results",
    ),
    "press": ("press", "press help"),
    "press list": (
        "press list",
        "list press",
        "show press",
        "show the press",
        "get press",
        "read press",
        "press history",
    ),
    "hall of fame": (
        "hall of fame",
        "the hall of fame",
        "show hall of fame",
        "show the hall of fame",
        "halloffame",
        "fame",
        "top",
    ),
    "telegram": (
        "telegram",
        "link telegram",
        "telegram link",
        "connect telegram",
        "play by telegram",
        "link my telegram",
    ),
    "unlink telegram": (
        "unlink telegram",
        "unlink my telegram",
        "telegram off",
        "unlink",
        "disconnect telegram",
    ),
    "wait": (
        "wait",
        "set wait",
        "please wait",
        "wait for me",
        "wait for the deadline",
        "don't close early",
        "do not close early",
    ),
    "nowait": (
        "nowait",
        "no wait",
        "set nowait",
        "set no wait",
        "don't wait",
        "do not wait",
        "don't wait for me",
        "no need to wait",
    ),
    "ready": (
        "ready",
        "set ready",
        "i am ready",
        "i'm ready",
        "im ready",
        "we are ready",
        "we're ready",
    ),
    "absences": (
        "absences",
        "absence",
        "away",
        "i am away",
        "i'm away",
        "set absence",
        "my absences",
        "list absences",
        "show absences",
        "show my absences",
    ),
    "back": (
        "back",
        "i am back",
        "i'm back",
        "im back",
        "set noabsence",
        "noabsence",
        "set no absence",
        "not away",
        "i am not away",
    ),
    "more time": (
        "more time",
        "extend",
        "extension",
        "i need more time",
        "we need more time",
        "extend the deadline",
        "extend deadline",
        "can we have more time",
        "could we have more time",
    ),
    NONE_HERE: ("veterans", "old words", "words of the old judges", "njudge", "dpjudge"),
    "deadlines": (
        "deadlines",
        "deadline",
        "the deadline",
        "when is the deadline",
        "clock",
        "show deadlines",
        "when are deadlines",
    ),
    "leave": (
        "leave",
        "i leave",
        "leave the game",
        "leave the table",
        "leave game",
        "leave table",
        "i want to leave",
        "quit",
        "i quit",
    ),
}
WORDS: Mapping[str, str] = {line: word for word, lines in _SYNONYMS.items() for line in lines}
"""A whole line, and the word it means (the old judges' words included)."""

SETTINGS = "settings"
"""The word of everything that people choose for themselves; its argument is the choice."""

TAKING: Mapping[str, str] = {
    "rule": "rule",
    "rules": "rule",
    "get rule": "rule",
    "show rule": "rule",
    "explain": "rule",
    "regel": "rule",
    "history": "history",
    **dict.fromkeys(
        (
            "profile of",
            "show profile of",
            "show the profile of",
            "get profile of",
            "profile for",
            "profile",
        ),
        "profile",
    ),
    **dict.fromkeys(
        (
            "my time zone is",
            "my timezone is",
            "my time zone",
            "my timezone",
            "time zone is",
            "time zone",
            "timezone",
            "set time zone",
            "set my time zone to",
            "set timezone",
            "set zone",
            "my zone is",
            "zone",
            "tz",
        ),
        "zone",
    ),
    **dict.fromkeys(
        (
            "away",
            "i am away",
            "i'm away",
            "im away",
            "i will be away",
            "i'll be away",
            "we are away",
            "i am on holiday",
            "i'm on holiday",
            "on holiday",
            *(
                f"{who}on {what}"
                for who in (
                    "i will be ",
                    "i'll be ",
                    "we will be ",
                    "i am ",
                    "i'm ",
                    "i am going ",
                    "i'm going ",
                    "i go ",
                    "",
                )
                for what in ("holiday", "holidays", "vacation", "leave")
            ),
            "i will be travelling",
            "i will be traveling",
            "i will be out of town",
            "i'll be out of town",
            "i am out of town",
            "set absence",
            "set vacation",
            "set holiday",
            "absence",
            "vacation",
        ),
        "away",
    ),
    **dict.fromkeys(
        (
            "extend the deadline",
            "extend deadline",
            "extend",
            "more time",
            "i need more time",
            "we need more time",
            "can we have more time",
            "could we have more time",
        ),
        "more time",
    ),
    **dict.fromkeys(("vote", "i vote", "propose to", "propose a", "propose"), "vote"),
    **dict.fromkeys(
        (
            "my language is",
            "my language",
            "language is",
            "language",
            "set language",
            "set my language to",
            "write dates in",
        ),
        "language",
    ),
    "mute": "mute",
    "unmute": "unmute",
    **dict.fromkeys(("press digest", "set digest", "digest"), "digest"),
}
"""Words that take an argument of their own kind on the same line."""

_ARGUMENTS = {
    "rule": re.compile(r"(?:[a-z]{2}[- ]?)?\d+(?:\.\d+)?[a-z]?|[a-z]{2}[- ][a-z]\d{1,2}"),
    "history": re.compile(r"\d+"),
    "profile": re.compile(r"[^,;:\n]{1,40}"),
    "zone": re.compile(r"(?:is |to )?(?=[a-z+])[a-z0-9+/ .,:-]{2,60}"),
    "language": re.compile(r"(?:is |to )?(?=[^\W\d_])[\w() .-]{2,30}"),
    "away": re.compile(
        r"(?=.*(?:\d|day|week|until|till|tomorrow|today|tonight|weekend))(?:from|between|until|till|to|through|on|for|this|next|the|over|\d"
        r"|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|today|tonight|tomorrow).{0,70}"
    ),
    "more time": re.compile(r"(?:by|until|till|to|for|of|\d|an? |one |two |three |\+).{0,50}"),
    "vote": re.compile(
        r"(?:yes|no|abstain)(?: (?:(?:to|on|for) )?(?:motion |number |no\.?"
        r" ?|#)?\d{1,9})?|pause|resume"
    ),
    "mute": re.compile(r"[^,;:\n]{1,60}"),
    "unmute": re.compile(r"[^,;:\n]{1,60}"),
    "digest": re.compile(r"(?:is |= ?|to )?[a-z0-9][a-z0-9 ]{1,30}"),
}
_BEFORE = (
    r"please|pls|plz|kindly|hi|hello|hey|dear gm|can i have|could i have|i'd like|i would like|give"
    r" me|send me|show me|the|a|your|again"
)
_AFTER = ("please", "pls", "plz", "thanks", "thank you", "thx", "again", "now", "me")
_POLITE = re.compile(rf"(?:(?:{_BEFORE})[ ,]++)*+")
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

    commands: list[Command] = field(default_factory=list)
    answers: tuple[int, ...] | None = None
    note: str | None = None
    spans: list[tuple[int, int]] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    loose: list[tuple[int, int]] = field(default_factory=list)
    unclear: list[tuple[int, int]] = field(default_factory=list)


def take_commands(plain: Plain, places: frozenset[str] = frozenset()) -> Taken:
    """Read the lines that are commands. A note to the GM or a `what if` goes on to the next blank
    line, a letter to the end.
    """
    letter = _find_letter(plain.text, places)
    text = blanked(plain.text, [letter] if letter is not None else [])
    questions = find_questions(
        dataclasses.replace(plain, text=text), lambda line: _NOTE.match(line) is not None
    )
    taken = Taken(spans=list(questions.spans), loose=questions.loose)
    if letter is not None:
        taken.commands.append(Command("press", plain.quote(*letter).strip()))
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
        if wish is not None and (
            not isinstance(wish, Back) or wish.table
        ):  # `back` alone is a word about one's own time
            taken.commands.append(Command(word_of_wish(wish), plain.quote(first, end).strip()))
            taken.spans.append((start, end))
            continue
        why = _WHY.match(stripped)
        if (
            why is not None
            and (why["rest"] or why.end() == len(stripped))
            and not _asks_for_rule(stripped)
        ):
            taken.commands.append(
                Command(
                    "why", plain.quote(first + why.start("rest"), first + why.end("rest")).strip()
                )
            )
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
    taken.commands += _questions_in(plain, questions)
    taken.unclear = [
        (bisect_left(plain.where, start), bisect_left(plain.where, end))
        for start, end in lone_numbers(plain.original)
    ]
    taken.spans += taken.unclear
    return taken


def _questions_in(plain: Plain, questions: Questions) -> Iterator[Command]:
    """`what if ...`; with nothing behind it but `predict`, the old judges' word, it is the
    preview.
    """
    for i, (start, end) in enumerate(questions.asked):
        rest = plain.quote(start, end).strip()
        is_preview = not rest.strip(" .!?") and plain.text[:start].rstrip(" .!?:,").endswith(
            "predict"
        )
        yield (
            Command("preview")
            if is_preview or i in questions.previews
            else Command("what-if", rest)
        )


def _asks_for_rule(line: str) -> bool:
    """`explain 7.8` and `explain PR-7.8` are the rule."""
    return (
        line.startswith("explain")
        and _ARGUMENTS["rule"].fullmatch(line.removeprefix("explain").strip(" :=.!?")) is not None
    )


def _find_letter(text: str, places: frozenset[str]) -> tuple[int, int] | None:
    """From the first line that begins a letter (`to Ben: ...`, not `to P3: 2`) to the end: the desk
    has taken out what it could send.
    """
    at = 0
    for line in text.split("\n"):
        letter = _LETTER.match(line.strip())
        if (
            letter is not None
            and letter["whom"].strip() not in places
            and opens_press(line)
            and not _NOTE.match(line.strip())
        ):
            return at + len(line) - len(line.lstrip()), len(text)
        at += len(line) + 1
    return None


def _take_line(taken: Taken, line: str) -> bool:
    yes = _YES.fullmatch(line)
    if yes is not None:
        numbers = tuple(dict.fromkeys(int(digits) for digits in re.findall(r"\d+", yes["numbers"])))
        taken.answers = tuple(dict.fromkeys((*(taken.answers or ()), *numbers)))
        return True
    words = drop_behind(_POLITE.sub("", line.lstrip("/-* "), count=1), _AFTER).strip(" .!?\"'")
    words = " ".join(words.split())
    word = "status" if _asks_who(words) else WORDS.get(words)
    if word is None:
        word = _with_slip(taken, words)
    if word is not None:
        taken.commands.append(Command(word))
        return True
    setting = parse_setting(words)
    if setting is not None:
        argument = setting.written if isinstance(setting, Unclear) else format_setting(setting)
        taken.commands.append(Command(SETTINGS, argument))
        return True
    for key, meant in TAKING.items():
        if words.startswith((key + " ", key + ":", key + "=")):
            argument = words[len(key) :].strip(" :=")
            if _ARGUMENTS[meant].fullmatch(argument):
                taken.commands.append(
                    Command(meant, argument.upper() if meant == "rule" else argument)
                )
                return True
    return False


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
        taken.commands.append(Command(NONE_HERE, old))
    return old is not None


def _take_leaving(taken: Taken, line: str) -> bool:
    """That somebody wants to leave, in whatever words: answered as `leave` is."""
    if not is_leaving(line):
        return False
    taken.commands.append(Command("leave"))
    return True


def _with_slip(taken: Taken, words: str) -> str | None:
    """A single word of five letters or more with one slip."""
    if not words.isalpha() or len(words) < SHORTEST_SLIP - 1:
        return None
    near = {
        meant
        for word, meant in WORDS.items()
        if word.isalpha()
        and len(word) >= SHORTEST_SLIP
        and OSA.distance(words, word, score_cutoff=1) <= 1
    }
    if len(near) != 1 or words in {"border", "borders", "older", "others", "holders", "story"}:
        return None
    taken.slips.append(words)
    return near.pop()

"""A game master's mail, line by line: commands as values, and why any other line is no command.

Pure, and it never raises for what a person wrote. A line begins with a word of the table in
`words`, or with a table's name and a colon (`heron: extend by 24h`). Nothing is guessed: what
may be read in two ways is asked about.
"""

import re
from collections.abc import Sequence

import msgspec
from rapidfuzz import fuzz, process

from pbem.grammar.gm.commands import (
    AnyCommand,
    GmLine,
    Lexicon,
    NewGame,
    Ruling,
    Trouble,
    Unread,
    word_of,
)
from pbem.grammar.gm.ending import begins_command
from pbem.grammar.gm.heads import PREFIX, head_of
from pbem.grammar.gm.naming import slug_of
from pbem.grammar.gm.spelling import load_spellings, shown_game
from pbem.grammar.gm.veterans import master_alias_of, master_words_for, signed_table
from pbem.grammar.gm.words import PHRASES, WORDS, form_of
from pbem.grammar.joining import drop_behind

__all__ = ["format_gm", "is_to_the_house", "nearest_name", "parse_gm", "slug_of"]

MOST_LINES = 400
MOST_COMMANDS = 20
MOST_TEXT = 20_000
QUOTED = 120

_CALLED = re.compile(r"(?P<table>[^\W\d_][\w -]{0,40}?)[ ]?,[ ](?P<rest>.+)", re.DOTALL)
_TO_THE_HOUSE = re.compile(r"^gm[ ]+(?=[^\W_])", re.IGNORECASE)
_BEFORE = re.compile(
    r"^(?:(?:please|pls|kindly|(?:could|can|would|will) (?:you|we|i)|i(?:'d| would) like"
    r" to|let's|let us|and|then|also)[ ,]+)+",
    re.IGNORECASE,
)
_ALSO_ALONE = re.compile(
    r"(?P<table>[A-Za-z][\w-]*) (?P<word>status|notes|start|resume)", re.IGNORECASE
)
_REPLACE_INSIDE = re.compile(r"\breplace\b.+@", re.IGNORECASE)
_AFTER = ("please", "pls", "many thanks", "thanks", "thanks a lot", "thank you", "thx", "cheers")
_SMALL_TALK = re.compile(
    r"(?:hi|hello|hey|dear|good (?:morning|evening|day)|thanks|thank"
    r" you|thx|cheers|regards|(?:best|kind|warm) (?:regards|wishes)|greetings"
    r"|best|yours|sincerely|ciao|bye)\b[^:@]{0,40}",
    re.IGNORECASE,
)

_CLOSING = re.compile(
    r"(?:(?:many )?thanks|thank you|thx|cheers|regards|(?:best|kind|warm)(?:"
    r" (?:regards|wishes))?|greetings|yours(?: \w+)?|sincerely"
    r"|ciao|bye|lg|vg|mfg|(?:viele |liebe |beste )?gr[üu](?:ß|ss)e)[ ,.!-]*",
    re.IGNORECASE,
)
"""What stands above a name, at the end of a mail."""


def format_gm(command: AnyCommand) -> str:
    """The one spelling of a command, the table in front where it is named; `parse_gm` reads it back
    to the same.
    """
    prefix = f"{command.table}: " if command.table and not isinstance(command, NewGame) else ""
    return f"{prefix}{WORDS[word_of(command)].format(command)}"


def parse_gm(text: str, lexicon: Lexicon) -> tuple[GmLine, ...]:
    """Every command in a mail's new text. It skips greetings and thanks; of more than
    `MOST_COMMANDS` the rest is told to be unread.
    """
    lexicon = msgspec.structs.replace(lexicon, phrases=frozenset(PHRASES))
    lines = text[:MOST_TEXT].replace("\r\n", "\n").split("\n")[:MOST_LINES]
    found: list[GmLine] = []
    table, at = "", 0
    while at < len(lines) and len(found) < MOST_COMMANDS:
        line = _tidy(lines[at])
        at += 1
        if not line or _SMALL_TALK.fullmatch(line) or _CLOSING.fullmatch(line):
            if line and found and _is_signed(lines[at:]):
                break
            continue
        if line.strip(" ,.!-").casefold() in lexicon.signers:
            continue
        signed = (slug_of(name) for name in signed_table(line) or ())
        if (called := next((slug for slug in signed if slug in lexicon.tables), None)) is not None:
            table = called
            continue
        line = master_alias_of(line, lexicon.tables) or line
        called_by = _CALLED.fullmatch(line)
        if called_by is not None and slug_of(called_by["table"]) in lexicon.tables:
            line = f"{called_by['table']}: {called_by['rest']}"
        head = head_of(line)
        if head.phrase == "" == head.rest and slug_of(head.table) in lexicon.tables:
            table = slug_of(head.table)
            continue
        spelling = load_spellings().get(head.word)
        if spelling is not None and spelling.to_the_end:
            end, doubtful = _end_of_text(lines, at, head.word, table, lexicon)
            line = "\n".join([line, *lines[at:end]]).rstrip()
            at = end
            if doubtful:
                trouble = Trouble("ambiguous", "where-it-ends", doubtful[:QUOTED])
                found.append(GmLine(line, trouble=trouble))
                continue
        elif spelling is not None and spelling.wraps:
            while at < len(lines) and _goes_on(head.word, line, _tidy(lines[at])):
                line = f"{line} {_tidy(lines[at])}"
                at += 1
        found.append(_read_line(line, table, lexicon))
    if len(found) >= MOST_COMMANDS and any(_tidy(line) for line in lines[at:]):
        found.append(GmLine("…", trouble=Trouble("invalid", "too-many", str(MOST_COMMANDS))))
    return tuple(found)


_TELLING = frozenset({"undo", "restore", "reinstate", "place", "card", "kill", "mode", "rule"})
"""Words that begin a line and say what is meant, too: `undo Anna's elimination because ...`."""
_UNDONE = ("eliminat", "turn", "round")
"""What can be undone by setting it right; all else is rolled back."""


def is_to_the_house(text: str) -> bool:
    """Whether a message is for the house as a game master's: it begins with `gm`, and not with
    `GM:` like a player's note to one.
    """
    return _TO_THE_HOUSE.match(text.lstrip().lstrip("/")) is not None


def _tidy(line: str) -> str:
    bare = _TO_THE_HOUSE.sub("", " ".join(line.replace("\t", " ").split()).lstrip("-*•/ "))
    return drop_behind(_BEFORE.sub("", bare), _AFTER, " ,.!?").strip()


def _is_signed(rest: list[str]) -> bool:
    """Whether only a name or two follow a closing word."""
    left = [_tidy(line) for line in rest if _tidy(line)]
    return len(left) <= 3 and all(
        len(line.split()) <= 3
        and not any(letter.isdigit() or letter in "@:" for letter in line)
        and not head_of(line).word
        and _nearest_word(line) is None
        for line in left
    )


def _end_of_text(
    lines: list[str], at: int, word: str, table: str, lexicon: Lexicon
) -> tuple[int, str]:
    """The line where another command begins, and "", or the whole rest with a line of it that may
    be a command or not.
    """
    for number in range(at, len(lines)):
        line = _tidy(lines[number])
        how = begins_command(line, head_of(line), table, word, lexicon) if line else "text"
        if how == "clear":
            return number, ""
        if how == "doubtful":
            return len(lines), line
    return _begin_of_signature(lines, at, lexicon), ""


def _begin_of_signature(lines: list[str], at: int, lexicon: Lexicon) -> int:
    """The line where a closing word with a name below it ends a text, or the game master's own name
    below a blank line.
    """
    for number in range(at, len(lines)):
        line, rest = _tidy(lines[number]), lines[number + 1 :]
        if _CLOSING.fullmatch(line) and any(_tidy(one) for one in rest) and _is_signed(rest):
            return number
        is_name = line.strip(" ,.!-").casefold() in lexicon.signers
        if is_name and not lines[number - 1].strip() and not any(_tidy(one) for one in rest):
            return number
    return len(lines)


def _goes_on(word: str, line: str, following: str) -> bool:
    """Whether the next line belongs to this one, because a mail program has broken it."""
    if not following or _SMALL_TALK.fullmatch(following) or head_of(following).word:
        return False
    return word != "invite" or line.endswith((",", ";")) or "@" in following


def _read_line(line: str, table: str, lexicon: Lexicon) -> GmLine:
    instead = master_words_for(line, shown_game(lexicon.rulesets))
    if instead is not None:
        return GmLine(line[:QUOTED], trouble=Trouble("unknown", "old-word", line[:QUOTED], instead))
    ruling = _ruling_at(line, table, lexicon)
    if ruling is not None:
        return GmLine(line[:QUOTED], command=ruling)
    game = shown_game(lexicon.rulesets)
    head = head_of(line)
    behind = _ALSO_ALONE.fullmatch(line) if not head.word else None
    if behind is not None and slug_of(behind["table"]) in lexicon.tables:
        head = head_of(f"{behind['table']}: {behind['word']}")
    is_undone = head.phrase != "undo" or any(what in head.rest.casefold() for what in _UNDONE)
    word = WORDS.get(head.word)
    is_text = word is not None and word.spelling.to_the_end
    quote = line if is_text or len(line) <= QUOTED else f"{line[: QUOTED - 1]}…"
    if word is None or not is_undone:
        return GmLine(quote, trouble=_unknown(line, game))
    is_whole = word.spelling.keeps or head.phrase in _TELLING
    table = slug_of(head.table) if head.table else table
    try:
        command = word.read(head.rest if is_whole else head.said, table, lexicon)
    except Unread as unread:
        written = unread.written[:QUOTED]
        words = re.findall(r"[a-z-]+", line.casefold())
        form = form_of(head.word, next((one for one in words if one in lexicon.rulesets), game))
        return GmLine(
            quote, trouble=Trouble(unread.kind, unread.what, written, unread.nearest, form)
        )
    return GmLine(quote, command=command)


def _ruling_at(line: str, table: str, lexicon: Lexicon) -> Ruling | None:
    """An answer to what a game has asked, in the words of the letter that asked alone."""
    prefix = PREFIX.fullmatch(line)
    if prefix is not None and slug_of(prefix["table"]) in lexicon.tables:
        table, line = slug_of(prefix["table"]), prefix["rest"].strip()
    what = " ".join(line.strip(" .!").split())
    return Ruling(what=what, table=table) if what and lexicon.is_ruling(table, what) else None


def _unknown(line: str, game: str) -> Trouble:
    """No word of ours; the nearest one, by its beginning, if any is near, written for this game."""
    if _REPLACE_INSIDE.search(line):
        return Trouble("unknown", "word", line[:QUOTED], ("replace",), form_of("replace", game))
    word = _nearest_word(line)
    return Trouble(
        "unknown",
        "word",
        " ".join((line.partition(":")[2].strip() or line).casefold().split()[:3])[:QUOTED],
        (word,) if word else (),
        form_of(word, game) if word else "",
    )


def _nearest_word(line: str) -> str | None:
    """The word of ours that a line's beginning is near to."""
    rest = line.partition(":")[2].strip() or line
    words = rest.casefold().split()
    best: tuple[float, str] = (0.0, "")
    for count in (1, 2):
        said = " ".join(words[:count])
        hit = (
            process.extractOne(said, list(PHRASES), scorer=fuzz.ratio, score_cutoff=70.0)
            if said
            else None
        )
        if hit is not None and hit[1] > best[0]:
            best = (hit[1], hit[0])
    return PHRASES.get(best[1])


def nearest_name(written: str, names: Sequence[str]) -> str | None:
    """The name most like one that nobody has, if any is near."""
    folded = {name.casefold(): name for name in names}
    hit = process.extractOne(written.casefold(), list(folded), scorer=fuzz.ratio, score_cutoff=60.0)
    return None if hit is None else folded[hit[0]]

"""Where a text that runs to the end of a mail ends: before a line that clearly begins another
command.

What is sent cannot be taken back, so between a command and a sentence that looks like one nothing
is guessed: it is asked about.
"""

import re
from typing import Literal

from rapidfuzz import fuzz

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import AnyCommand, Lexicon, Unread
from pbem.grammar.gm.naming import slug_of
from pbem.grammar.gm.words import PHRASES, WORDS

_NUMBERED = re.compile(
    r"(?:(?P<word>[^\W\d_]+) )?(?:note )?#?\d{1,9} ?[:,-](?: .*)?", re.IGNORECASE
)
_SETTLED = (
    c.Extend,
    c.Shorten,
    c.Deadline,
    c.Promote,
    c.RollBack,
    c.Replace,
    c.Invite,
    c.NewGame,
    c.Zone,
    c.Option,
    c.Strike,
    c.Pardon,
    c.Answer,
    c.Dismiss,
    c.Announce,
    c.Write,
    c.Press,
    c.People,
    c.Substitute,
)
"""Commands that are read from so much form that a sentence is none by chance."""

_ALONE = (c.Start, c.Status, c.Games, c.Notes, c.Resume, c.Help)
_MOST_NAME_WORDS = 2


def begins_command(
    line: str,
    table: str,
    verb: re.Match[str] | None,
    prefix: str,
    rest: str,
    word: str,
    lexicon: Lexicon,
) -> Literal["clear", "doubtful", "text"]:
    """What a line within such a text of `word` is. `verb` is the word it begins with, perhaps
    behind `prefix`, a table's name; `rest` what stands from the word on.
    """
    if verb is None:
        if line.endswith(":") and slug_of(line[:-1]) in lexicon.tables:
            return "clear"
        return "doubtful" if word == "answer" and _looks_numbered(line) else "text"
    known_prefix = not prefix or slug_of(prefix) in lexicon.tables
    said = rest[verb.end() :]
    try:
        command = WORDS[_word_of(verb)].read(said, slug_of(prefix) if prefix else table, lexicon)
    except Unread:
        return "doubtful" if known_prefix else "text"
    is_loose = (
        isinstance(command, c.Write) and _word_of(verb) == "answer"
    )  # `answer me: when do we meet?`
    if known_prefix and not is_loose and _is_clear(command, said, table, lexicon):
        return "clear"
    is_sentence = isinstance(command, _ALONE) and len(said.split()) > 1
    return "text" if is_sentence else "doubtful"


def _word_of(verb: re.Match[str]) -> str:
    return PHRASES[" ".join(verb["phrase"].casefold().split())]


def _looks_numbered(line: str) -> bool:
    """`2: yes`, `anser 2: yes`: perhaps the answer to another note."""
    found = _NUMBERED.fullmatch(line)
    return found is not None and (
        found["word"] is None or fuzz.ratio(found["word"].casefold(), "answer") >= 60
    )


def _is_clear(command: AnyCommand, said: str, table: str, lexicon: Lexicon) -> bool:
    """Whether all of the line is a command's form, and its table one that there is."""
    if isinstance(command, c.NewGame | c.Zone):
        return True
    if command.table not in ("", table) and command.table not in lexicon.tables:
        return False
    if isinstance(command, _SETTLED):
        return True
    bare = said.strip(" .!?")
    if isinstance(command, c.Help | c.Games):
        return not bare
    if isinstance(command, (*_ALONE, c.Close)):
        return True
    if isinstance(command, c.Clock):
        return True
    if isinstance(command, c.Predict | c.Grant | c.Refuse):
        return not bare or bool(command.table)
    if isinstance(command, c.Pause | c.End):
        return not command.reason or ":" in said
    if isinstance(command, c.Correct | c.Ruling):
        return False  # `correct me if I am wrong, because ...`
    return len(command.player.split()) <= _MOST_NAME_WORDS

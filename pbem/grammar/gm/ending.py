"""Where a text that runs to the end of a mail ends: before a line that clearly begins another
command.

What is sent cannot be taken back, so between a command and a sentence that looks like one nothing
is guessed: it is asked about.
"""

import re
from typing import Literal

from rapidfuzz import fuzz

from pbem.grammar.gm import commands as c
from pbem.grammar.gm.commands import AnyCommand, Lexicon, Unread, slots_of
from pbem.grammar.gm.heads import Head
from pbem.grammar.gm.naming import slug_of
from pbem.grammar.gm.words import WORDS

_NUMBERED = re.compile(
    r"(?:(?P<word>[^\W\d_]+) )?(?:note )?#?\d{1,9} ?[:,-](?: .*)?", re.IGNORECASE
)
_MOST_NAME_WORDS = 2


def begins_command(
    line: str, head: Head, table: str, word: str, lexicon: Lexicon
) -> Literal["clear", "doubtful", "text"]:
    """What a line within such a text of `word` is; `head` is its beginning."""
    if not head.word:
        if line.endswith(":") and slug_of(line[:-1]) in lexicon.tables:
            return "clear"
        return "doubtful" if word == "answer" and _looks_numbered(line) else "text"
    known_prefix = not head.table or slug_of(head.table) in lexicon.tables
    try:
        command = WORDS[head.word].read(head.said, slug_of(head.table) or table, lexicon)
    except Unread:
        return "doubtful" if known_prefix else "text"
    is_loose = isinstance(command, c.Write) and head.word == "answer"
    if known_prefix and not is_loose and _is_clear(command, head.said, table, lexicon):
        return "clear"  # but not `answer me: when do we meet?`
    is_sentence = not slots_of(type(command)) and len(head.said.split()) > 1
    return "text" if is_sentence else "doubtful"


def _looks_numbered(line: str) -> bool:
    """`2: yes`, `anser 2: yes`: perhaps the answer to another note."""
    found = _NUMBERED.fullmatch(line)
    return found is not None and (
        found["word"] is None or fuzz.ratio(found["word"].casefold(), "answer") >= 60
    )


def _is_clear(command: AnyCommand, said: str, table: str, lexicon: Lexicon) -> bool:
    """Whether all of the line is a command's form, and its table is known."""
    if isinstance(command, c.NewGame | c.Zone):
        return True
    if command.table not in ("", table) and command.table not in lexicon.tables:
        return False
    slots = slots_of(type(command))
    if any(slot.required and slot.part.has_form for slot in slots):
        return not isinstance(command, c.Correct)  # `correct me if I am wrong, because ...`
    if isinstance(command, c.HouseCommand):
        return not said.strip(" .!?")
    if isinstance(command, c.Predict | c.Grant | c.Refuse):
        return bool(command.table) or not said.strip(" .!?")
    if isinstance(command, c.Pause | c.End):
        return not command.reason or ":" in said
    player = getattr(command, "player", "")
    return not isinstance(command, c.Ruling) and len(player.split()) <= _MOST_NAME_WORDS

"""Taking some words out of a message that is about something else, or about no table."""

from collections.abc import Collection

from pbem.grammar.house.commands import AnyCommand
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.statements import Said, Word, cut_line, merge_settings

MOST_LINE_CHARACTERS = 200


def split_words(
    text: str, words: Collection[type[AnyCommand]]
) -> tuple[tuple[AnyCommand, ...], str]:
    """The lines of a message (new text alone) that are one of these words, as they are read at
    every table, and the message without them.
    """
    return split_said(hear(text), words)


def split_said(
    said: Said, words: Collection[type[AnyCommand]]
) -> tuple[tuple[AnyCommand, ...], str]:
    """The same of a message that has been read."""
    found: list[AnyCommand] = []
    rest: list[str] = []
    for one in said.statements or ():
        written = said.text[slice(*one.span)]
        if isinstance(one, Word) and type(one.command) in words:
            line = written.strip()
            if len(line) <= MOST_LINE_CHARACTERS:
                found.append(one.command)
                written = cut_line(written, rest)
        rest.append(written)
    return merge_settings(found), "".join(rest)

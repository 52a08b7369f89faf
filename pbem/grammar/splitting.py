"""Taking some words out of a message that is about something else, or about no table."""

from collections.abc import Collection

from pbem.grammar.house.commands import AnyCommand, Letter
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
    """The same of a message that has been read. Of a letter, which continues to the end, the first
    line is taken out.
    """
    found: list[AnyCommand] = []
    rest: list[str] = []
    for one in said.statements:
        written, below = said.text[slice(*one.span)], ""
        if isinstance(one, Word) and type(one.command) in words:
            if isinstance(one.command, Letter):
                written, end, below = written.partition("\n")
                written += end
            if len(written.strip()) <= MOST_LINE_CHARACTERS:
                found.append(one.command)
                written = cut_line(written, rest)
        rest.append(written + below)
    return merge_settings(found), "".join(rest)

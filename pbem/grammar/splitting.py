"""Taking some words out of a message that is about something else, or about no table."""

from collections.abc import Collection

from pbem.grammar.house.commands import AnyCommand, Letter, PressHelp
from pbem.grammar.house.parsing import merge_settings, take_commands
from pbem.grammar.kit.normalise import normalise

MOST_LINE_CHARACTERS = 200


def split_words(
    text: str, words: Collection[type[AnyCommand]]
) -> tuple[tuple[AnyCommand, ...], str]:
    """The lines of a message (new text alone) that are one of these words, as they are read at
    every table, and the message without them.

    Nothing is taken out of a note to the game master or a letter, which go on to the next blank
    line.
    """
    found: list[AnyCommand] = []
    rest: list[str] = []
    inside = False
    for line in text.split("\n"):
        inside = inside and bool(line.strip())
        command = None
        if not inside and len(line) <= MOST_LINE_CHARACTERS:
            taken = take_commands(normalise(line))
            inside = taken.note is not None or any(
                isinstance(one, Letter | PressHelp) for one in taken.commands
            )
            command = next((one for one in taken.commands if type(one) in words), None)
        if command is None:
            rest.append(line)
        else:
            found.append(command)
    return tuple(merge_settings(found)), "\n".join(rest)

"""The bot's commands: what each means in words that every channel knows, and how it stands in the
menus.

A new command is a new line of the table. A command takes of its own line what belongs to it;
everything else stands below it, and the message is read whole. What is no command is read without
its slash: it may be an order, or a table word; if it is neither, it is answered with its name.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from pbem.grammar.house import commands as c
from pbem.grammar.house.formatting import format_command
from pbem.grammar.house.parsing import parse_commands
from pbem.grammar.house.told import menu
from pbem.grammar.people import Back, Draw, ForgetMe
from pbem.telegram.updates import Said


@dataclass(frozen=True, slots=True)
class OfferedCommand:
    """A line of a menu."""

    name: str
    about: str


def _word(command: c.AnyCommand | str, taking: str = "") -> Callable[[str], str]:
    """The word alone, or with what follows the command: `taking` is the word before it. A word that
    takes nothing has what is no part of it (`help orders`, `status please`) below.
    """

    def words(rest: str) -> str:
        word = command if isinstance(command, str) else format_command(command)
        if not rest:
            return word
        together = f"{taking or word} {rest}"
        return together if taking or parse_commands(together) else f"{word}\n{rest}"

    return words


def _press(rest: str) -> str:
    """`/press Ben: ...`, `/press to Ben: ...`, `/press all ...`; alone it asks how."""
    if not rest:
        return "press"
    return (
        f"press {rest}"
        if rest.casefold().startswith(("to ", "grey ", "gray ", "white ", "list"))
        else f"press to {rest}"
    )


def _absence(rest: str) -> str:
    return (
        rest
        if rest.casefold().startswith(("away", "back", "absen"))
        else f"away {rest}"
        if rest
        else "absences"
    )


def _final(rest: str) -> str:
    return f"{rest}\nfinal" if rest else "final"


def _available(rest: str) -> str:
    """`/available`, `/available heron`, `/available no`."""
    table, is_off = (
        rest.removeprefix("no").removeprefix("off").strip(),
        rest.casefold() in ("no", "off"),
    )
    return (
        f"I {'cannot' if is_off else 'can'}"
        f" substitute{f' at {table}' if table and not is_off else ''}"
    )


_AS_WRITTEN = (
    "log",
    "observers",
    "observe",
    "vote",
    "mute",
    "unmute",
    "digest",
    "quiet",
    "wait",
    "nowait",
    "ready",
    "deadlines",
    "record",
)
"""Commands that are the word itself, with what follows it."""


def _with_spaces() -> Iterator[tuple[str, Callable[[str], str]]]:
    """Of words that hold spaces, without them: `/halloffame`, `/stopobserving heron`."""
    for word in c.BY_WORD:
        if " " in word:
            yield word.replace(" ", ""), _word(word, word)


COMMANDS: Mapping[str, Callable[[str], str]] = {
    **dict(_with_spaces()),
    "help": _word(c.Help()),
    "status": _word(c.Status()),
    "orders": _word(c.Orders()),
    "map": _word(c.ShowMap()),
    "board": _word(c.TextBoard()),
    "happened": _word(c.Happened()),
    "history": _word(c.History(), "history"),
    "press": _press,
    "who": _word(c.Players()),
    "players": _word(c.Players()),
    "settings": _word(c.Settings()),
    "timezone": _word(c.OwnZone(), "my time zone is"),
    "absence": _absence,
    "leave": _word(c.Leave()),
    "join": _word(c.HowToJoin(), "join"),
    "cancel": _word("cancel all", "cancel"),
    "rule": _word(c.Help(), "rule"),
    "why": _word(c.Why(), "why"),
    "preview": _word(c.Preview()),
    "resend": _word(c.Resend()),
    "profile": _word(c.Profile(), "profile"),
    "gm": _word("gm status", "gm"),
    "telegram": _word(c.LinkTelegram()),
    "unlink": _word(c.UnlinkTelegram()),
    "stop": _word(c.UnlinkTelegram()),
    "draw": _word(Draw()),
    "concede": _word(c.Help(), "concede to"),
    "forgetme": _word(ForgetMe()),
    "resign": _word(c.Resign()),
    "extend": _word(c.MoreTime(), "extend"),
    "final": _final,
    "back": _word(Back(), "back in"),
    "language": _word(c.OwnLanguage(), "my language is"),
    "available": _available,
    **{name: _word(name, name) for name in _AS_WRITTEN},
}
"""By the name of the command: from what is written behind it on its line to what is meant."""

IN_PRIVATE = tuple(OfferedCommand(name, about) for name, about in menu())
IN_GROUPS = (
    OfferedCommand("status", "How the table stands, as everybody may know it"),
    OfferedCommand("map", "The board"),
    OfferedCommand("join", "Join the table"),
)
OF_MASTERS = (
    OfferedCommand("gm", "The tables I run, and what each needs"),
    OfferedCommand("bind", "Speak of a table in a group: /bind heron"),
)


_SLASH = re.compile(r"/([A-Za-z0-9_]+)(?:@[A-Za-z0-9_]+)?")


def argument_of(said: Said) -> str:
    """What stands behind the command."""
    return " ".join(said.text.strip().split(maxsplit=1)[1:])


def meant_by(said: Said) -> str | None:
    """What a command means, with all that is written below it. None: the bot has no such
    command.
    """
    meant = COMMANDS.get(said.command or "")
    if meant is None:
        return None
    line, _break, below = said.text.strip().partition("\n")
    words = meant(" ".join(line.split(maxsplit=1)[1:]))
    return f"{words}\n{below}" if below else words


JOIN, MINE, TAKE = "join_", "my_", "take_"
"""The beginnings of links to the bot, besides those that bind a chat: a table's join code, a
table's number, a vacant seat's code.
"""


def _started(payload: str) -> str:
    """What somebody means who followed a link. (One that binds a chat is dealt with before.)"""
    if payload.startswith(JOIN):
        return f"join {payload.removeprefix(JOIN)}"
    if payload.startswith(TAKE):
        return f"take over {payload.removeprefix(TAKE)}"
    return f"G{payload.removeprefix(MINE)}: orders" if payload.startswith(MINE) else "help"


def words_of(said: Said) -> str:
    """What a private message means: a command in words, or the message itself."""
    if said.command is None:
        return said.text
    if said.command == "start":
        return _started(said.start_payload or "")
    meant = meant_by(said)
    return meant if meant is not None else without_slash(said)


def unknown_command(said: Said) -> str:
    """The name of a command that the bot does not have; "" for any other message."""
    return (
        said.command
        if said.command is not None
        and said.command not in ("start", "bind")
        and said.command not in COMMANDS
        else ""
    )


def without_slash(said: Said) -> str:
    """`/march 2 from P1 to P2`, `/take_over heron-k7m2qd`: the words as they would be typed."""
    return _SLASH.sub(lambda found: found[1].replace("_", " "), said.text.strip(), count=1)

"""Every command of a game master has one object on the desk, which does it or shows something."""

from typing import Any, get_args

from pbem.desk.gm_commands.kind import CommandKind, never
from pbem.desk.gm_commands.kinds import GROUPS, KINDS
from pbem.grammar.gm import commands as c
from pbem.grammar.gm.words import WORDS
from tests.rows import each_row


def test_every_command_has_exactly_one_object() -> None:
    commands = [kind.command for group in GROUPS for kind in group.KINDS]
    assert len(commands) == len(set(commands))
    assert set(commands) == set(get_args(c.AnyCommand))
    assert {kind.words.spelling for kind in KINDS.values()} == {
        word.spelling for word in WORDS.values()
    }


@each_row("kind", KINDS.values())
def test_a_command_either_does_something_or_shows_something(kind: CommandKind[Any]) -> None:
    does = kind.do is not never or kind.command is c.Deadline  # which is meant as another
    assert does != (kind.look_up is not None)

"""Every kind of a game master's commands, a module a group; a new command is a new entry of one."""

from collections.abc import Mapping
from typing import Any

from pbem.desk.gm_commands.kind import CommandKind
from pbem.desk.gm_commands.kinds import deadlines, people, rulings, tables
from pbem.grammar.gm.commands import GmCommand

GROUPS = (deadlines, tables, people, rulings)
KINDS: Mapping[type[GmCommand], CommandKind[Any]] = {
    kind.command: kind for group in GROUPS for kind in group.KINDS
}


def kind_of(command: GmCommand) -> CommandKind[Any]:
    """What there is to do with a command."""
    return KINDS[type(command)]

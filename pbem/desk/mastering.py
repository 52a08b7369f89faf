"""A game master's mail: its lines are commands, and each is carried out once, however often the mail arrives."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.desk.handling import Commanding, Handled
from pbem.desk.letters import NewLetter
from pbem.desk.ports import Parts
from pbem.desk.proof import Master, PerhapsMaster
from pbem.mail.message import InboundMail
from pbem.store.inbox import InboxRow
from pbem.store.pending import PendingRow
from pbem.store.work import Work

PURPOSE = "gm"
"""Of the confirmations that dangerous commands, and commands without a code, wait under."""


@dataclass(frozen=True, slots=True)
class Commanded:
    """What the commands of a message came to: the letters that answer it, and a code for the log."""

    outcome: str
    letters: Sequence[NewLetter] = ()
    game_id: int | None = None
    settles: int | None = None
    """The confirmation that is answered by it."""


async def take_commands(work: Work, parts: Parts, row: InboxRow, mail: InboundMail, master: Master) -> Handled | Commanding:
    """A proven game master wrote."""
    return Commanding(master.person, master.game_id, mail.text, f"inbox:{row.id}")


async def ask_master(work: Work, parts: Parts, row: InboxRow, mail: InboundMail, verdict: PerhapsMaster) -> Handled:
    """Perhaps a game master wrote: a fresh mail to their own address asks."""
    return Handled("gm-unproven", ignored=True)


async def settle_command(work: Work, parts: Parts, mail: InboundMail, pending: PendingRow) -> Handled | Commanding:
    """The game master has confirmed commands that waited."""
    return Handled("gm-unproven", ignored=True)


async def carry_out(parts: Parts, row: InboxRow, mail: InboundMail, commanding: Commanding) -> Commanded:
    """Do what the lines say, in their order; what was done before by the same cause is only told again."""
    return Commanded("gm-unread")

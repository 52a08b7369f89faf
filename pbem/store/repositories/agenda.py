"""All pending work in one query: most queries of a house find nothing, and then need no
second one.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec
import sqlalchemy as sa

from pbem.store.repositories.absences import SUBSTITUTED
from pbem.store.repositories.motions import MOTIONS_DUE
from pbem.store.repositories.post.inbox import HAS_KNOWN, UNHANDLED
from pbem.store.repositories.post.outbox import LETTERS_DUE
from pbem.store.repositories.post.press import READERS_WAITING
from pbem.store.repositories.repository import Repository, bound, bound_list
from pbem.store.tables import inbox, pending


class AgendaRow(msgspec.Struct, frozen=True):
    """Whether there is anything of each kind; what exactly, its own repository tells.

    `known`: messages of somebody unknown who is known by now; `changes`: people who stand in for
    others, or leave, now or later.
    """

    known: bool
    messages: bool
    letters: bool
    press: bool
    motions: bool
    questions: bool
    changes: bool


_OPEN_QUESTIONS = sa.select(pending.c.id).where(pending.c.done_at.is_(None))
_AGENDA = sa.select(
    *(
        statement.order_by(None).limit(None).exists()
        for statement in (
            HAS_KNOWN,
            sa.select(inbox.c.id).where(*UNHANDLED),
            LETTERS_DUE,
            READERS_WAITING,
            MOTIONS_DUE,
            _OPEN_QUESTIONS.where(
                pending.c.purpose.in_(bound_list("questions")), pending.c.expires_at <= bound("now")
            ),
        )
    ),
    sa.or_(
        SUBSTITUTED.order_by(None).exists(),
        _OPEN_QUESTIONS.where(pending.c.purpose.in_(bound_list("changes"))).exists(),
    ),
)


class Agenda(Repository):
    """Of the whole house."""

    async def read(
        self, now: datetime, *, lane: int, questions: Sequence[str], changes: Sequence[str]
    ) -> AgendaRow:
        """What is due by now. `lane` is that of people unknown, `questions` and `changes` are
        purposes of what waits (`Pending`).
        """
        values = {"now": now, "lane": lane, "questions": questions, "changes": changes}
        found = (await self._connection.execute(_AGENDA, values)).one()
        return AgendaRow(*map(bool, found))

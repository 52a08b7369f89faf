"""What goes by itself after some time: the words of old letters, and who was asked to confirm
something long ago.
"""

from datetime import datetime

import sqlalchemy as sa

from pbem.store.repositories.forgetting import EMPTY_LETTER, FORGOTTEN
from pbem.store.repositories.repository import Repository
from pbem.store.tables import games, outbox, pending


class Retention(Repository):
    """The statements of tidying."""

    async def empty_letters_before(self, instant: datetime) -> int:
        """The words of settled letters made before then go, of games that were over by then and of
        the house itself; how many letters.

        Each seat keeps its newest letter of a kind, so that the last ones can be sent again.
        """
        over = sa.select(games.c.id).where(
            games.c.status.in_(("over", "ended")), games.c.over_at < instant
        )
        newer = outbox.alias("newer")
        is_newest = sa.and_(
            outbox.c.seat_id.is_not(None),
            ~sa.exists().where(
                newer.c.seat_id == outbox.c.seat_id,
                newer.c.kind == outbox.c.kind,
                newer.c.id > outbox.c.id,
            ),
        )
        statement = outbox.update().where(
            outbox.c.state.in_(("sent", "refused", "withheld")),
            outbox.c.created_at < instant,
            outbox.c.letter != EMPTY_LETTER,
            sa.or_(outbox.c.game_id.is_(None), outbox.c.game_id.in_(over)),
            ~is_newest,
        )
        answer = sa.case(
            (outbox.c.state == "withheld", "emptied"), else_=outbox.c.answer
        )  # nothing releases an empty letter
        return await self._changed(statement.values(letter=EMPTY_LETTER, answer=answer))

    async def blank_confirmations_before(self, instant: datetime) -> int:
        """Of confirmations that were over by then, nobody can tell any more whom they were asked
        of; how many.
        """
        return await self._update(
            pending,
            pending.c.done_at < instant,
            pending.c.address != FORGOTTEN,
            address=FORGOTTEN,
            detail="{}",
            inbox_ids=(),
        )

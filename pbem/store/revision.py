"""Which step of the migrations a database has taken, and which is the newest this program knows;
nothing is changed.

A step's file is named after it, so that looking needs no alembic; a test holds the names to what
alembic makes of the files.
"""

from functools import cache
from importlib.resources import files

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

_TAKEN = sa.table("alembic_version", sa.column("version_num", sa.String))


async def read_revision(connection: AsyncConnection) -> str | None:
    """The step that the database stands at; None when it is empty."""
    if not await connection.run_sync(lambda plain: sa.inspect(plain).has_table(_TAKEN.name)):
        return None
    taken = await connection.scalar(sa.select(_TAKEN.c.version_num))
    return None if taken is None else str(taken)


def newest_revision() -> str:
    """The step this program works with."""
    return _revisions()[-1]


def older_revisions() -> frozenset[str]:
    """The steps before it."""
    return frozenset(_revisions()[:-1])


@cache
def _revisions() -> tuple[str, ...]:
    """All steps, in their order."""
    steps = (files("pbem.store.migrations") / "versions").iterdir()
    return tuple(sorted(step.name.partition("_")[0] for step in steps if step.name.endswith(".py")))

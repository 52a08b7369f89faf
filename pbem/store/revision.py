"""Which step of the migrations a database has taken, and which is the newest this program knows;
nothing is changed.
"""

from importlib.resources import as_file, files

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import AsyncConnection


async def read_revision(connection: AsyncConnection) -> str | None:
    """The step that the database stands at; None when it is empty."""
    return await connection.run_sync(
        lambda plain: MigrationContext.configure(plain).get_current_revision()
    )


def newest_revision() -> str:
    """The step this program works with."""
    with as_file(files("pbem.store.migrations")) as folder:
        return str(ScriptDirectory(str(folder)).get_current_head())


def older_revisions() -> frozenset[str]:
    """The steps before it."""
    with as_file(files("pbem.store.migrations")) as folder:
        return frozenset(
            step.revision for step in ScriptDirectory(str(folder)).walk_revisions()
        ) - {newest_revision()}

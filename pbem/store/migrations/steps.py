"""Taking the steps, with alembic."""

from contextlib import AbstractContextManager
from pathlib import Path

import sqlalchemy as sa
from alembic import command, op
from alembic.config import Config
from alembic.operations import BatchOperations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from pbem.store.errors import StoreTooNew


def make_config(folder: Path, connection: sa.Connection) -> Config:
    """Alembic's settings for the steps in `folder`, to be taken over `connection`."""
    config = Config()
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def take_steps(connection: sa.Connection, folder: Path) -> None:
    """Take those in `folder` that were not taken; StoreTooNew if others were."""
    config = make_config(folder, connection)
    known = ScriptDirectory.from_config(config)
    taken = set(MigrationContext.configure(connection).get_current_heads())
    if unknown := taken - {step.revision for step in known.walk_revisions()}:
        raise StoreTooNew(
            "the database was written by a newer version of this program (step"
            f" {', '.join(sorted(unknown))})"
        )
    if taken != set(known.get_heads()):
        command.upgrade(config, "head")


def rebuilt(table: str) -> AbstractContextManager[BatchOperations]:
    """A change of a table. SQLite writes the table again, so that every column has its place."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    return op.batch_alter_table(table, recreate="always" if is_sqlite else "auto")

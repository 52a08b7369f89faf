"""What Alembic runs to take steps, to compare the tables with the steps taken, and to write a new
step.

`migrations.migrate` hands the connection over; developers without one give the database by `alembic
-x url=sqlite+aiosqlite:///FILE`.
"""

import asyncio
from typing import Literal

import sqlalchemy as sa
from alembic import context
from alembic.autogenerate.api import AutogenContext

from pbem.store.columns import JsonText, Numbers, Packed, PackedJson, Texts, UtcDateTime
from pbem.store.database import open_database
from pbem.store.tables import metadata


def render_plainly(kind: str, item: object, _context: AutogenContext) -> str | Literal[False]:
    """Write our own column types as what they are in the database: a published step must not change
    when the code does.
    """
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, JsonText | Numbers | Texts):
        return "sa.Text()"
    if kind == "type" and isinstance(item, Packed | PackedJson):
        return "sa.LargeBinary()"
    return False


def run(connection: sa.Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        transactional_ddl=True,
        compare_type=True,
        compare_server_default=True,
        render_item=render_plainly,
    )
    with context.begin_transaction():
        context.run_migrations()


async def run_alone(url: str) -> None:
    database = open_database(url)
    async with database.writer.begin() as connection:
        await connection.run_sync(run)
    await database.dispose()


handed_over: sa.Connection | None = context.config.attributes.get("connection")
if handed_over is not None:
    run(handed_over)
else:
    asyncio.run(run_alone(context.get_x_argument(as_dictionary=True)["url"]))

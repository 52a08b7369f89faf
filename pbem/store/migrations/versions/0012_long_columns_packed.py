"""Raw messages, letters and states lie packed (`packing`).

On SQLite every row is packed here, one at a time. On PostgreSQL, which packs long values by itself,
what was written before stays as it is; only what could be taken for packed is marked.

What waits for an address, and what went there lately, is found without looking through all that
ever did.
"""

import sqlalchemy as sa
from alembic import op

from pbem.store.driver import Connection
from pbem.store.migrations.steps import rebuilt
from pbem.store.packing import packed

revision: str = "0012"
down_revision: str | None = "0011"

BYTES = (("inbox", "raw"), ("states", "body"))


def upgrade() -> None:
    _pack()
    op.drop_index(op.f("ix_outbox_channel_address"), "outbox")
    for last in ("state", "created_at"):
        op.create_index(
            op.f(f"ix_outbox_channel_address_{last}"), "outbox", ["channel", "address", last]
        )


def _pack() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        op.execute("ALTER TABLE outbox ALTER letter TYPE bytea USING convert_to(letter, 'UTF8')")
        for table, column in BYTES:
            op.execute(
                f"UPDATE {table} SET {column} = '\\x0000'::bytea || {column}"  # noqa: S608
                f" WHERE substr({column}, 1, 1) = '\\x00'::bytea"
            )
        return
    driver = connection.connection.driver_connection
    assert isinstance(driver, Connection)  # noqa: S101 - `connect` makes all of SQLite's
    driver.plain.create_function("packed", 1, _packed, deterministic=True)
    # What is forgotten later must not lie in the room that becomes free here.
    op.execute("PRAGMA secure_delete = ON")
    for table, column in (*BYTES, ("outbox", "letter")):
        op.execute(
            f"UPDATE {table} SET {column} = packed({column}) WHERE {column} IS NOT NULL"  # noqa: S608
        )
    with rebuilt("outbox") as outbox:
        outbox.alter_column("letter", type_=sa.LargeBinary(), existing_nullable=False)


def _packed(content: str | bytes) -> bytes:
    return packed(content.encode() if isinstance(content, str) else content)

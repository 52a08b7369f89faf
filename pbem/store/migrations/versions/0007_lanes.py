"""Lanes: what is handled first of the messages that wait, and sent first of the letters."""

import sqlalchemy as sa
from alembic import op

from pbem.store.migrations.steps import rebuilt

revision: str = "0007"
down_revision: str | None = "0006"


def upgrade() -> None:
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    before = (
        "raw" if is_sqlite else None
    )  # SQLite reads through a long value to what lies behind it
    with rebuilt("inbox") as inbox:
        inbox.add_column(
            sa.Column("lane", sa.Integer(), nullable=False, server_default="0"),
            insert_before=before,
        )
        inbox.add_column(
            sa.Column("sender", sa.Text(), nullable=False, server_default=""), insert_before=before
        )
    with rebuilt("outbox") as outbox:
        outbox.add_column(sa.Column("lane", sa.Integer(), nullable=False, server_default="1"))
    with op.batch_alter_table("inbox") as inbox:
        inbox.alter_column("lane", server_default=None)
        inbox.alter_column("sender", server_default=None)
        inbox.create_index(op.f("ix_inbox_state_lane"), ["state", "lane"])
    with op.batch_alter_table("outbox") as outbox:
        outbox.alter_column("lane", server_default=None)
        outbox.create_index(
            op.f("ix_outbox_state_lane_next_try_at"), ["state", "lane", "next_try_at"]
        )

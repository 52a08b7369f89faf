"""The parts of a text that a chat program has cut; the topic of a group, and what it refuses."""

import sqlalchemy as sa
from alembic import op

from pbem.store.migrations.steps import rebuilt
from pbem.store.tables.schema import instant, text, to

revision: str = "0011"
down_revision: str | None = "0010"


def upgrade() -> None:
    op.create_table(
        "parts",
        to("inbox", primary_key=True),
        to("inbox", name="whole_id"),
        sa.Column("message_id", sa.BigInteger, nullable=False),
        instant("held_until", nullable=True),
        sa.Index(None, "whole_id"),
        sa.Index(None, "message_id"),
        sa.Index(None, "held_until"),
    )
    with rebuilt("chats") as chats:
        chats.add_column(sa.Column("thread_id", sa.BigInteger))
        chats.add_column(text("refused", nullable=True))
        chats.add_column(instant("refused_at", nullable=True))

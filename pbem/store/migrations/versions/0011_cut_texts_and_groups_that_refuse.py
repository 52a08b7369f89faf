"""The parts of a text that a chat program has cut; the topic of a group, and what it refuses."""

from typing import Literal

import sqlalchemy as sa
from alembic import op

from pbem.store.columns import UtcDateTime

revision: str = "0011"
down_revision: str | None = "0010"
branch_labels: str | None = None
depends_on: str | None = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "parts",
        sa.Column("inbox_id", _KEY, nullable=False),
        sa.Column("whole_id", _KEY, nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("held_until", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_parts_inbox_id_inbox")),
        sa.ForeignKeyConstraint(["whole_id"], ["inbox.id"], name=op.f("fk_parts_whole_id_inbox")),
        sa.PrimaryKeyConstraint("inbox_id", name=op.f("pk_parts")),
    )
    op.create_index(op.f("ix_parts_whole_id"), "parts", ["whole_id"])
    op.create_index(op.f("ix_parts_message_id"), "parts", ["message_id"])
    op.create_index(op.f("ix_parts_held_until"), "parts", ["held_until"])
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    recreate: Literal["auto", "always"] = "always" if is_sqlite else "auto"
    with op.batch_alter_table("chats", recreate=recreate) as chats:
        chats.add_column(sa.Column("thread_id", sa.BigInteger(), nullable=True))
        chats.add_column(sa.Column("refused", sa.Text(), nullable=True))
        chats.add_column(sa.Column("refused_at", UtcDateTime(), nullable=True))

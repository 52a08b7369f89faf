"""Drop the suppositions that a player had answered in a phase. They are now part of other answers,
and letters no longer count them.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels: str | None = None
depends_on: str | None = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "suppositions",
        sa.Column("inbox_id", _KEY, nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("seat_id", _KEY, nullable=False),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["inbox_id"], ["inbox.id"], name=op.f("fk_suppositions_inbox_id_inbox")
        ),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_suppositions_game_id_games")
        ),
        sa.ForeignKeyConstraint(
            ["seat_id"], ["seats.id"], name=op.f("fk_suppositions_seat_id_seats")
        ),
        sa.PrimaryKeyConstraint("inbox_id", "asked", name=op.f("pk_suppositions")),
    )
    op.create_index(
        op.f("ix_suppositions_game_id_phase_number_seat_id"),
        "suppositions",
        ["game_id", "phase_number", "seat_id"],
    )

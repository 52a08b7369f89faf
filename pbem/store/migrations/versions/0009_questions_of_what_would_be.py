"""Drop the suppositions that a player had answered in a phase. They are now part of other answers,
and letters no longer count them.
"""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables.schema import number, to

revision: str = "0009"
down_revision: str | None = "0008"


def upgrade() -> None:
    op.create_table(
        "suppositions",
        to("inbox", primary_key=True),
        sa.Column("asked", sa.Text, primary_key=True),
        to("games"),
        number("phase_number"),
        to("seats"),
        number("tenure"),
        sa.Index(None, "game_id", "phase_number", "seat_id"),
    )

"""What players choose before the start: a team, a place within it, a faction."""

import sqlalchemy as sa

from pbem.store.migrations.steps import rebuilt

revision: str = "0003"
down_revision: str | None = "0002"


def upgrade() -> None:
    with rebuilt("seats") as seats:
        seats.add_column(sa.Column("team", sa.Text(), nullable=True))
        seats.add_column(sa.Column("place", sa.Integer(), nullable=True))
        seats.add_column(sa.Column("faction", sa.Text(), nullable=True))

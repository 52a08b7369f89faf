"""What players choose before the start: a team, a place within it, a faction."""

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    with op.batch_alter_table(
        "seats", recreate="auto" if op.get_bind().dialect.name != "sqlite" else "always"
    ) as seats:
        seats.add_column(sa.Column("team", sa.Text(), nullable=True))
        seats.add_column(sa.Column("place", sa.Integer(), nullable=True))
        seats.add_column(sa.Column("faction", sa.Text(), nullable=True))

"""When the close of a game was tried last, so that a table that was stopped is tried again by
itself.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    with op.batch_alter_table(
        "games", recreate="auto" if op.get_bind().dialect.name != "sqlite" else "always"
    ) as games:
        games.add_column(sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True))

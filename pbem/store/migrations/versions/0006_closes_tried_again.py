"""When the close of a game was tried last, so that a table that was stopped is tried again by
itself.
"""

import sqlalchemy as sa

from pbem.store.migrations.steps import rebuilt

revision: str = "0006"
down_revision: str | None = "0005"


def upgrade() -> None:
    with rebuilt("games") as games:
        games.add_column(sa.Column("tried_at", sa.DateTime(timezone=True), nullable=True))

"""Since when mail to an address has failed, and when it failed last: tried once a day, and
suspended after some days.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    with op.batch_alter_table(
        "addresses", recreate="auto" if op.get_bind().dialect.name != "sqlite" else "always"
    ) as addresses:
        addresses.add_column(sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True))
        addresses.add_column(sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True))

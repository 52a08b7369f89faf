"""Since when mail to an address has failed, and when it failed last: tried once a day, and
suspended after some days.
"""

import sqlalchemy as sa

from pbem.store.migrations.steps import rebuilt

revision: str = "0008"
down_revision: str | None = "0007"


def upgrade() -> None:
    with rebuilt("addresses") as addresses:
        addresses.add_column(sa.Column("failing_since", sa.DateTime(timezone=True), nullable=True))
        addresses.add_column(sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True))

"""Indexes for what is asked at every sweep, close and tidying, so that a store of many years is no
slower than a new one; one that nothing needs any more goes.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0010"
down_revision: str | None = "0009"

_OPEN = sa.text("settled_at IS NULL")
_STANDING_IN = sa.text("substitute_id IS NOT NULL AND game_id IS NOT NULL AND cancelled_at IS NULL")


def upgrade() -> None:
    op.create_index(op.f("ix_games_status"), "games", ["status"])
    op.create_index(
        op.f("ix_outbox_game_id_kind_created_at"), "outbox", ["game_id", "kind", "created_at"]
    )
    op.create_index(op.f("ix_addresses_state"), "addresses", ["state"])
    op.create_index(op.f("ix_taps_created_at"), "taps", ["created_at"])
    op.create_index(op.f("ix_pending_purpose_address"), "pending", ["purpose", "address"])
    op.create_index(op.f("ix_pending_done_at"), "pending", ["done_at"])
    op.create_index(
        "ix_motions_open", "motions", ["closes_at"], sqlite_where=_OPEN, postgresql_where=_OPEN
    )
    op.create_index(
        "ix_absences_standing_in",
        "absences",
        ["game_id"],
        sqlite_where=_STANDING_IN,
        postgresql_where=_STANDING_IN,
    )
    op.drop_index(op.f("ix_outbox_state_next_try_at"), "outbox")

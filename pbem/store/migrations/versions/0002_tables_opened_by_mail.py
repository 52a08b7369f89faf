"""Tables that are joined by mail: join codes, votes, game masters with tokens; states after an act;
marks of the running service.
"""

import sqlalchemy as sa
from alembic import op

from pbem.store.migrations.steps import rebuilt
from pbem.store.tables.schema import instant, number, text, to

revision: str = "0002"
down_revision: str | None = "0001"


def upgrade() -> None:
    with op.batch_alter_table("games") as games:
        games.add_column(sa.Column("join_code", sa.Text(), nullable=True))
        games.add_column(sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
        games.add_column(sa.Column("voting_until", sa.DateTime(timezone=True), nullable=True))
        games.add_column(sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True))
        games.create_unique_constraint(op.f("uq_games_join_code"), ["join_code"])
    with rebuilt("outbox") as outbox:
        outbox.add_column(sa.Column("correlation", sa.Text(), nullable=True))
    with op.batch_alter_table("gm_log") as gm_log:
        gm_log.add_column(sa.Column("cause", sa.Text(), nullable=True))
        gm_log.create_unique_constraint(op.f("uq_gm_log_cause"), ["cause"])
    with op.batch_alter_table("states") as states:
        states.add_column(sa.Column("ordinal", sa.Integer(), nullable=False, server_default="0"))
        states.drop_constraint(op.f("pk_states"), type_="primary")
        states.create_primary_key(op.f("pk_states"), ["game_id", "phase_number", "ordinal"])
    with op.batch_alter_table("states") as states:
        states.alter_column("ordinal", server_default=None)
    op.create_table(
        "masters", to("people", primary_key=True), number("generation"), instant("since")
    )
    op.create_table(
        "votes",
        to("seats", primary_key=True),
        sa.Column("question", sa.Text, primary_key=True),
        text("answer"),
        instant("at"),
    )
    op.create_table(
        "marks", sa.Column("name", sa.Text, primary_key=True), instant("at"), text("detail")
    )

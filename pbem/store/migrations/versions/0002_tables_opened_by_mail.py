"""Tables that are joined by mail: join codes, votes, game masters with tokens; states after an act;
marks of the running service.
"""

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | None = None
depends_on: str | None = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("games") as games:
        games.add_column(sa.Column("join_code", sa.Text(), nullable=True))
        games.add_column(sa.Column("expires_at", sa.DateTime(timezone=True), nullable=True))
        games.add_column(sa.Column("voting_until", sa.DateTime(timezone=True), nullable=True))
        games.add_column(sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True))
        games.create_unique_constraint(op.f("uq_games_join_code"), ["join_code"])
    with op.batch_alter_table(
        "outbox", recreate="auto" if op.get_bind().dialect.name != "sqlite" else "always"
    ) as outbox:
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
        "masters",
        sa.Column("person_id", _KEY, nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_masters_person_id_people")
        ),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_masters")),
    )
    op.create_table(
        "votes",
        sa.Column("seat_id", _KEY, nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_votes_seat_id_seats")),
        sa.PrimaryKeyConstraint("seat_id", "question", name=op.f("pk_votes")),
    )
    op.create_table(
        "marks",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_marks")),
    )

"""What people keep of the games they played: results, and strikes. Strikes given before are taken
over from the log.
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | None = None
depends_on: str | None = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "results",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("seat_id", _KEY, nullable=False),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.Column("person_id", _KEY, nullable=True),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("prize", sa.Integer(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_results_game_id_games")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_results_person_id_people")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_results_seat_id_seats")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_results")),
        sa.UniqueConstraint(
            "game_id", "seat_id", "tenure", name=op.f("uq_results_game_id_seat_id_tenure")
        ),
    )
    op.create_index(op.f("ix_results_person_id"), "results", ["person_id"])
    op.create_table(
        "strikes",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("person_id", _KEY, nullable=False),
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("seat_id", _KEY, nullable=False),
        sa.Column("log_id", _KEY, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("given_by", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("pardoned_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("pardoned_by", sa.Text(), nullable=True),
        sa.Column("pardon_reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_strikes_game_id_games")),
        sa.ForeignKeyConstraint(["log_id"], ["gm_log.id"], name=op.f("fk_strikes_log_id_gm_log")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_strikes_person_id_people")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_strikes_seat_id_seats")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_strikes")),
        sa.UniqueConstraint("log_id", name=op.f("uq_strikes_log_id")),
    )
    op.create_index(op.f("ix_strikes_person_id"), "strikes", ["person_id"])
    op.create_index(op.f("ix_strikes_seat_id"), "strikes", ["seat_id"])
    _take_strikes_from_the_log()


def _take_strikes_from_the_log() -> None:
    connection = op.get_bind()
    log = sa.table(
        "gm_log",
        *map(sa.column, ("id", "game_id", "actor", "command", "detail")),
        sa.column("at", sa.DateTime(timezone=True)),
    )
    seats = sa.table("seats", *map(sa.column, ("id", "game_id", "name")))
    strikes = sa.table(
        "strikes",
        *map(sa.column, ("person_id", "game_id", "seat_id", "log_id", "reason", "given_by")),
        sa.column("at", sa.DateTime(timezone=True)),
    )
    for entry in connection.execute(
        sa.select(log).where(log.c.command == "game strike").order_by(log.c.id)
    ).all():
        detail: dict[str, Any] = json.loads(entry.detail)
        seat = connection.execute(
            sa.select(seats.c.id).where(
                seats.c.game_id == entry.game_id, seats.c.name == detail.get("seat", "")
            )
        ).scalar_one_or_none()
        if seat is not None and detail.get("person") is not None:
            connection.execute(
                strikes.insert().values(
                    person_id=detail["person"],
                    game_id=entry.game_id,
                    seat_id=seat,
                    log_id=entry.id,
                    reason=detail.get("reason", ""),
                    given_by=entry.actor,
                    at=entry.at,
                )
            )

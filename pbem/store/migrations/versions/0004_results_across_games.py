"""What people keep of the games they played: results, and strikes. Strikes given before are taken
over from the log.
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from pbem.store.tables.schema import instant, key, number, text, to

revision: str = "0004"
down_revision: str | None = "0003"


def upgrade() -> None:
    op.create_table(
        "results",
        key(),
        to("games"),
        to("seats"),
        number("tenure"),
        to("people", nullable=True),
        sa.Column("place", sa.Integer),
        number("players"),
        sa.Column("won", sa.Boolean, nullable=False),
        number("prize"),
        text("how"),
        instant("at"),
        sa.UniqueConstraint("game_id", "seat_id", "tenure"),
        sa.Index(None, "person_id"),
    )
    op.create_table(
        "strikes",
        key(),
        to("people"),
        to("games"),
        to("seats"),
        to("gm_log", name="log_id"),
        text("reason"),
        text("given_by"),
        instant("at"),
        instant("pardoned_at", nullable=True),
        text("pardoned_by", nullable=True),
        text("pardon_reason", nullable=True),
        sa.UniqueConstraint("log_id"),
        sa.Index(None, "person_id"),
        sa.Index(None, "seat_id"),
    )
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

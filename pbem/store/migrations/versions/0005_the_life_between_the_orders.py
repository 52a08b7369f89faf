"""The life between the orders: channels, press, absences, motions, observers."""

import sqlalchemy as sa
from alembic import op

from pbem.store.tables.schema import instant, key, number, one_of, text, to

revision: str = "0005"
down_revision: str | None = "0004"


def upgrade() -> None:
    op.create_table(
        "absences",
        key(),
        to("people"),
        to("games", nullable=True),
        instant("since"),
        instant("until"),
        to("people", name="substitute_id", nullable=True),
        instant("created_at"),
        instant("cancelled_at", nullable=True),
        sa.Index(None, "person_id"),
    )
    op.create_table(
        "chats",
        key(),
        text("channel"),
        text("address"),
        to("games", nullable=True),
        text("title"),
        text("state"),
        instant("since"),
        sa.UniqueConstraint("channel", "address"),
        one_of("state", ("active", "left")),
        sa.Index(None, "game_id"),
    )
    op.create_table(
        "links",
        key(),
        text("code_hash"),
        text("purpose"),
        to("people", nullable=True),
        to("games", nullable=True),
        instant("created_at"),
        instant("expires_at"),
        instant("used_at", nullable=True),
        text("used_by", nullable=True),
        sa.UniqueConstraint("code_hash"),
        sa.Index(None, "person_id"),
    )
    op.create_table(
        "observers",
        to("games", primary_key=True),
        to("people", primary_key=True),
        instant("since"),
        instant("until", nullable=True),
        sa.Index(None, "person_id"),
    )
    op.create_table(
        "preferences",
        to("people", primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        text("value"),
    )
    op.create_table(
        "graces",
        to("games", primary_key=True),
        sa.Column("phase_number", sa.Integer, primary_key=True),
        to("seats", primary_key=True),
        instant("at"),
    )
    op.create_table(
        "motions",
        key(),
        to("games"),
        text("kind"),
        text("detail"),
        to("seats", nullable=True),
        number("phase_number"),
        instant("opened_at"),
        instant("closes_at"),
        instant("settled_at", nullable=True),
        text("outcome", nullable=True),
        sa.Index(None, "game_id"),
    )
    op.create_table(
        "taps",
        sa.Column("code", sa.Text, primary_key=True),
        to("people"),
        to("games", nullable=True),
        to("seats", nullable=True),
        number("tenure"),
        number("phase_number"),
        text("action"),
        instant("created_at"),
        instant("used_at", nullable=True),
        sa.Index(None, "seat_id", "phase_number"),
    )
    op.create_table(
        "waits",
        to("games", primary_key=True),
        sa.Column("phase_number", sa.Integer, primary_key=True),
        to("seats", primary_key=True),
        instant("at"),
    )
    op.create_table(
        "ballots",
        to("motions", primary_key=True),
        to("seats", primary_key=True),
        text("answer"),
        instant("at"),
    )
    op.create_table(
        "press",
        key(),
        to("games"),
        number("phase_number"),
        to("seats", nullable=True),
        to("people", nullable=True),
        to("inbox", nullable=True),
        text("kind"),
        sa.Column("grey", sa.Boolean, nullable=False),
        text("recipients"),
        text("text"),
        instant("created_at"),
        sa.UniqueConstraint("inbox_id"),
        one_of("kind", ("public", "private", "team", "gm")),
        sa.Index(None, "game_id"),
    )
    op.create_table(
        "deliveries",
        to("press", name="press_id", primary_key=True),
        to("people", primary_key=True),
        instant("due_at"),
        instant("told_at", nullable=True),
        sa.Index(None, "told_at", "due_at"),
    )
    op.create_index(op.f("ix_outbox_channel_sent_at"), "outbox", ["channel", "sent_at"])

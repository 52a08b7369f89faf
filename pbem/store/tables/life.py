"""The tables of the life between the orders: channels, press, absences, motions, observers."""

import sqlalchemy as sa

from pbem.store.columns import Numbers
from pbem.store.tables.schema import instant, json_text, key, metadata, number, one_of, text, to

_STANDING_IN = "substitute_id IS NOT NULL AND game_id IS NOT NULL AND cancelled_at IS NULL"

preferences = sa.Table(
    "preferences",
    metadata,
    to("people", primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    text("value"),
)

links = sa.Table(
    "links",
    metadata,
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

taps = sa.Table(
    "taps",
    metadata,
    sa.Column("code", sa.Text, primary_key=True),
    to("people"),
    to("games", nullable=True),
    to("seats", nullable=True),
    number("tenure"),
    number("phase_number"),
    json_text("action"),
    instant("created_at"),
    instant("used_at", nullable=True),
    sa.Index(None, "seat_id", "phase_number"),
    sa.Index(None, "created_at"),
)

chats = sa.Table(
    "chats",
    metadata,
    key(),
    text("channel"),
    text("address"),
    to("games", nullable=True),
    text("title"),
    text("state"),
    instant("since"),
    sa.Column("thread_id", sa.BigInteger),
    text("refused", nullable=True),
    instant("refused_at", nullable=True),
    sa.UniqueConstraint("channel", "address"),
    one_of("state", ("active", "left")),
    sa.Index(None, "game_id"),
)

press = sa.Table(
    "press",
    metadata,
    key(),
    to("games"),
    number("phase_number"),
    to("seats", nullable=True),
    to("people", nullable=True),
    to("inbox", nullable=True),
    text("kind"),
    sa.Column("grey", sa.Boolean, nullable=False),
    sa.Column("recipients", Numbers, nullable=False),
    text("text"),
    instant("created_at"),
    sa.UniqueConstraint("inbox_id"),
    one_of("kind", ("public", "private", "team", "gm")),
    sa.Index(None, "game_id"),
)

deliveries = sa.Table(
    "deliveries",
    metadata,
    to("press", name="press_id", primary_key=True),
    to("people", primary_key=True),
    instant("due_at"),
    instant("told_at", nullable=True),
    sa.Index(None, "told_at", "due_at"),
)

observers = sa.Table(
    "observers",
    metadata,
    to("games", primary_key=True),
    to("people", primary_key=True),
    instant("since"),
    instant("until", nullable=True),
    sa.Index(None, "person_id"),
)

absences = sa.Table(
    "absences",
    metadata,
    key(),
    to("people"),
    to("games", nullable=True),
    instant("since"),
    instant("until"),
    to("people", name="substitute_id", nullable=True),
    instant("created_at"),
    instant("cancelled_at", nullable=True),
    sa.Index(None, "person_id"),
    sa.Index(
        "ix_absences_standing_in",
        "game_id",
        sqlite_where=sa.text(_STANDING_IN),
        postgresql_where=sa.text(_STANDING_IN),
    ),
)

graces = sa.Table(
    "graces",
    metadata,
    to("games", primary_key=True),
    sa.Column("phase_number", sa.Integer, primary_key=True),
    to("seats", primary_key=True),
    instant("at"),
)

waits = sa.Table(
    "waits",
    metadata,
    to("games", primary_key=True),
    sa.Column("phase_number", sa.Integer, primary_key=True),
    to("seats", primary_key=True),
    instant("at"),
)

suppositions = sa.Table(
    "suppositions",
    metadata,
    to("inbox", primary_key=True),
    sa.Column("asked", sa.Text, primary_key=True),
    to("games"),
    number("phase_number"),
    to("seats"),
    number("tenure"),
    sa.Index(None, "game_id", "phase_number", "seat_id"),
)

motions = sa.Table(
    "motions",
    metadata,
    key(),
    to("games"),
    text("kind"),
    json_text("detail"),
    to("seats", nullable=True),
    number("phase_number"),
    instant("opened_at"),
    instant("closes_at"),
    instant("settled_at", nullable=True),
    text("outcome", nullable=True),
    sa.Index(None, "game_id"),
    sa.Index(
        "ix_motions_open",
        "closes_at",
        sqlite_where=sa.text("settled_at IS NULL"),
        postgresql_where=sa.text("settled_at IS NULL"),
    ),
)

ballots = sa.Table(
    "ballots",
    metadata,
    to("motions", primary_key=True),
    to("seats", primary_key=True),
    text("answer"),
    instant("at"),
)

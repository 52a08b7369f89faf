"""The tables of people: how they are reached, and what they keep of the games they played."""

import sqlalchemy as sa

from pbem.store.tables.schema import instant, key, metadata, number, one_of, text, to

people = sa.Table(
    "people",
    metadata,
    key(),
    text("name"),
    text("locale"),
    text("time_zone"),
    instant("created_at"),
)

addresses = sa.Table(
    "addresses",
    metadata,
    key(),
    to("people"),
    text("channel"),
    text("address"),
    text("state"),
    text("reason", nullable=True),
    instant("bounced_at", nullable=True),
    instant("failing_since", nullable=True),
    instant("failed_at", nullable=True),
    sa.UniqueConstraint("channel", "address"),
    one_of("state", ("confirmed", "unconfirmed", "suspended")),
    sa.Index(None, "state"),
    sa.Index(None, "person_id"),
)

masters = sa.Table(
    "masters", metadata, to("people", primary_key=True), number("generation"), instant("since")
)

results = sa.Table(
    "results",
    metadata,
    key(),
    to("games"),
    to("seats"),
    number("tenure"),
    to("people", nullable=True),
    sa.Column("place", sa.Integer, nullable=True),
    number("players"),
    sa.Column("won", sa.Boolean, nullable=False),
    number("prize"),
    text("how"),
    instant("at"),
    sa.UniqueConstraint("game_id", "seat_id", "tenure"),
    sa.Index(None, "person_id"),
)

strikes = sa.Table(
    "strikes",
    metadata,
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

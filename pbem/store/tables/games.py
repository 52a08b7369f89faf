"""The tables of a game: who sits there, what is asked, what was ordered, what happened."""

import sqlalchemy as sa

from pbem.store.columns import Numbers, Packed, Texts
from pbem.store.tables.schema import instant, json_text, key, metadata, number, one_of, text, to

games = sa.Table(
    "games",
    metadata,
    key(),
    text("slug"),
    text("title"),
    text("ruleset"),
    json_text("options"),
    text("status"),
    text("seed"),
    text("commitment"),
    number("chance_place"),
    number("phase_number"),
    number("attempts"),
    instant("tried_at", nullable=True),
    json_text("settings"),
    text("thread_id", nullable=True),
    instant("created_at"),
    instant("started_at", nullable=True),
    instant("over_at", nullable=True),
    sa.Column("land", sa.LargeBinary),
    text("join_code", nullable=True),
    instant("expires_at", nullable=True),
    instant("voting_until", nullable=True),
    instant("paused_at", nullable=True),
    sa.UniqueConstraint("slug"),
    sa.UniqueConstraint("join_code"),
    one_of("status", ("open", "running", "paused", "over", "ended")),
    sa.Index(None, "status"),
)

gms = sa.Table(
    "gms",
    metadata,
    to("games", primary_key=True),
    to("people", primary_key=True),
    sa.Index(None, "person_id"),
)

seats = sa.Table(
    "seats",
    metadata,
    key(),
    to("games"),
    number("number"),
    text("name"),
    text("name_key"),
    text("colour", nullable=True),
    to("people", nullable=True),
    number("tenure"),
    instant("joined_at", nullable=True),
    text("status"),
    text("team", nullable=True),
    sa.Column("place", sa.Integer),
    text("faction", nullable=True),
    sa.UniqueConstraint("game_id", "number"),
    sa.UniqueConstraint("game_id", "name"),
    sa.UniqueConstraint("game_id", "name_key"),
    sa.UniqueConstraint("game_id", "colour"),
    one_of("status", ("active", "eliminated", "left")),
    sa.Index(None, "person_id"),
)

tenures = sa.Table(
    "tenures",
    metadata,
    to("seats", primary_key=True),
    sa.Column("tenure", sa.Integer, primary_key=True),
    to("people", nullable=True),
    instant("since"),
    instant("until", nullable=True),
)

votes = sa.Table(
    "votes",
    metadata,
    to("seats", primary_key=True),
    sa.Column("question", sa.Text, primary_key=True),
    text("answer"),
    instant("at"),
)

invitations = sa.Table(
    "invitations",
    metadata,
    key(),
    to("games"),
    to("people"),
    to("seats", nullable=True),
    text("nonce"),
    instant("sent_at"),
    instant("answered_at", nullable=True),
    sa.UniqueConstraint("game_id", "person_id"),
    sa.UniqueConstraint("nonce"),
)

phases = sa.Table(
    "phases",
    metadata,
    key(),
    to("games"),
    number("number"),
    text("kind"),
    sa.Column("asked", Numbers, nullable=False),
    instant("opened_at"),
    instant("deadline"),
    instant("closed_at", nullable=True),
    text("status"),
    instant("held_since", nullable=True),
    number("ics_sequence"),
    number("reminders_sent"),
    json_text("label"),
    sa.UniqueConstraint("game_id", "number"),
    one_of("status", ("open", "closing", "closed", "held")),
    sa.Index(None, "status", "deadline"),
)

states = sa.Table(
    "states",
    metadata,
    to("games", primary_key=True),
    sa.Column("phase_number", sa.Integer, primary_key=True),
    sa.Column("ordinal", sa.Integer, primary_key=True),
    sa.Column("body", Packed, nullable=False),
    number("chance_place"),
    text("ruleset_version"),
)

orders = sa.Table(
    "orders",
    metadata,
    key(),
    to("games"),
    number("phase_number"),
    to("seats"),
    number("tenure"),
    number("version"),
    to("inbox", nullable=True),
    text("source"),
    instant("received_at"),
    json_text("orders"),
    sa.Column("canonical", Texts, nullable=False),
    sa.Column("final", sa.Boolean, nullable=False),
    json_text("offered", nullable=True),
    instant("created_at"),
    sa.UniqueConstraint("seat_id", "phase_number", "version"),
    sa.UniqueConstraint("inbox_id", "seat_id"),
    sa.ForeignKeyConstraint(["game_id", "phase_number"], ["phases.game_id", "phases.number"]),
    sa.Index(None, "game_id", "phase_number"),
)

events = sa.Table(
    "events",
    metadata,
    key(),
    to("games"),
    number("phase_number"),
    number("ordinal"),
    text("kind"),
    json_text("body"),
    sa.Column("audience", Numbers),
    sa.Column("rules", Texts, nullable=False),
    sa.UniqueConstraint("game_id", "phase_number", "ordinal"),
)

acts = sa.Table(
    "acts",
    metadata,
    key(),
    to("games"),
    number("phase_number"),
    number("ordinal"),
    text("actor"),
    json_text("body"),
    instant("at"),
    sa.UniqueConstraint("game_id", "phase_number", "ordinal"),
)

pictures = sa.Table(
    "pictures",
    metadata,
    key(),
    to("games"),
    text("digest"),
    sa.Column("png", sa.LargeBinary, nullable=False),
    text("alt"),
    sa.UniqueConstraint("game_id", "digest"),
)

gm_log = sa.Table(
    "gm_log",
    metadata,
    key(),
    to("games", nullable=True),
    text("actor"),
    text("command"),
    json_text("detail"),
    instant("at"),
    sa.Column("public", sa.Boolean, nullable=False),
    text("cause", nullable=True),
    sa.UniqueConstraint("cause"),
    sa.Index(None, "game_id"),
)

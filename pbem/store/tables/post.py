"""The tables of the post office itself: messages that came, letters that go out, and what waits for
an answer.
"""

import sqlalchemy as sa

from pbem.store.columns import Numbers, Packed, PackedJson
from pbem.store.tables.schema import instant, json_text, key, metadata, number, one_of, text, to

inbox = sa.Table(
    "inbox",
    metadata,
    key(),
    text("channel"),
    text("message_key"),
    instant("received_at"),
    instant("stored_at"),
    text("state"),
    text("outcome", nullable=True),
    to("games", nullable=True),
    to("seats", nullable=True),
    number("attempts"),
    text("trace", nullable=True),
    json_text("facts"),
    number("lane"),
    text("sender"),
    # Last: SQLite reads through a long value to what lies behind it.
    sa.Column("raw", Packed),
    sa.UniqueConstraint("channel", "message_key"),
    one_of("state", ("new", "handled", "ignored", "shunted")),
    sa.Index(None, "state", "received_at"),
    sa.Index(None, "state", "lane"),
)

parts = sa.Table(
    "parts",
    metadata,
    to("inbox", primary_key=True),
    to("inbox", name="whole_id"),
    sa.Column("message_id", sa.BigInteger, nullable=False),
    instant("held_until", nullable=True),
    sa.Index(None, "whole_id"),
    sa.Index(None, "message_id"),
    sa.Index(None, "held_until"),
)

outbox = sa.Table(
    "outbox",
    metadata,
    key(),
    text("channel"),
    to("games", nullable=True),
    to("seats", nullable=True),
    to("people", nullable=True),
    text("address"),
    text("kind"),
    sa.Column("letter", PackedJson, nullable=False),
    to("pictures", nullable=True),
    text("message_id", nullable=True),
    instant("created_at"),
    instant("due_at"),
    text("state"),
    number("attempts"),
    instant("next_try_at"),
    text("answer", nullable=True),
    instant("sent_at", nullable=True),
    number("epoch"),
    text("dedupe_key", nullable=True),
    text("correlation", nullable=True),
    number("lane"),
    sa.UniqueConstraint("message_id"),
    sa.UniqueConstraint("dedupe_key"),
    one_of("state", ("queued", "sending", "sent", "refused", "withheld")),
    sa.Index(None, "state", "lane", "next_try_at"),
    sa.Index(None, "game_id", "kind", "created_at"),
    sa.Index(None, "seat_id", "kind"),
    sa.Index(None, "channel", "address", "state"),
    sa.Index(None, "channel", "address", "created_at"),
    sa.Index(None, "channel", "sent_at"),
)

notes = sa.Table(
    "notes",
    metadata,
    key(),
    to("games"),
    to("seats"),
    to("inbox", nullable=True),
    text("text"),
    instant("created_at"),
    text("state"),
    sa.UniqueConstraint("inbox_id"),
    one_of("state", ("waiting", "passed", "answered")),
    sa.Index(None, "state", "game_id"),
)

pending = sa.Table(
    "pending",
    metadata,
    key(),
    text("purpose"),
    text("address"),
    to("games", nullable=True),
    to("seats", nullable=True),
    sa.Column("inbox_ids", Numbers, nullable=False),
    json_text("detail"),
    instant("created_at"),
    instant("expires_at"),
    instant("done_at", nullable=True),
    text("outcome", nullable=True),
    # At most one confirmation of a purpose waits for an address: further unproven mails join it.
    sa.Index(
        "ix_pending_waiting",
        "purpose",
        "address",
        unique=True,
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    ),
    sa.Index(None, "purpose", "address"),
    sa.Index(None, "done_at"),
)

marks = sa.Table(
    "marks", metadata, sa.Column("name", sa.Text, primary_key=True), instant("at"), text("detail")
)

secrets = sa.Table("secrets", metadata, sa.Column("name", sa.Text, primary_key=True), text("value"))

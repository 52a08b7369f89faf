"""Every table of the service. The migrations make them; a test holds the two together.

Nothing is ever deleted by a cascade: a game stays whole when a person is forgotten.
"""

from collections.abc import Iterable

import sqlalchemy as sa

from pbem.store.columns import JsonText, Key, Numbers, Texts, UtcDateTime

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _id() -> sa.Column[int]:
    return sa.Column("id", Key, primary_key=True)


def _to(target: str, *, nullable: bool = False, name: str | None = None, primary_key: bool = False) -> sa.Column[int]:
    """A reference to another table's id, named after the table in the singular unless said."""
    singular = {"people": "person", "inbox": "inbox"}.get(target, target.removesuffix("s"))
    return sa.Column(name or f"{singular}_id", Key, sa.ForeignKey(f"{target}.id"), nullable=nullable, primary_key=primary_key)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _json(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, JsonText, nullable=nullable)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def _instant(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, UtcDateTime, nullable=nullable)


def _one_of(column: str, values: Iterable[str]) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"{column} IN ({', '.join(repr(value) for value in values)})", name=column)


games = sa.Table(
    "games",
    metadata,
    _id(),
    _text("slug"),
    _text("title"),
    _text("ruleset"),
    _json("options"),
    _text("status"),
    _text("seed"),
    _text("commitment"),
    _number("chance_place"),
    _number("phase_number"),
    _number("attempts"),
    _json("settings"),
    _text("thread_id", nullable=True),
    _instant("created_at"),
    _instant("started_at", nullable=True),
    _instant("over_at", nullable=True),
    sa.Column("land", sa.LargeBinary),
    _text("join_code", nullable=True),
    _instant("expires_at", nullable=True),
    _instant("voting_until", nullable=True),
    _instant("paused_at", nullable=True),
    sa.UniqueConstraint("slug"),
    sa.UniqueConstraint("join_code"),
    _one_of("status", ("open", "running", "paused", "over", "ended")),
)

people = sa.Table("people", metadata, _id(), _text("name"), _text("locale"), _text("time_zone"), _instant("created_at"))

addresses = sa.Table(
    "addresses",
    metadata,
    _id(),
    _to("people"),
    _text("channel"),
    _text("address"),
    _text("state"),
    _text("reason", nullable=True),
    _instant("bounced_at", nullable=True),
    sa.UniqueConstraint("channel", "address"),
    _one_of("state", ("confirmed", "unconfirmed", "suspended")),
    sa.Index(None, "person_id"),
)

gms = sa.Table("gms", metadata, _to("games", primary_key=True), _to("people", primary_key=True), sa.Index(None, "person_id"))

masters = sa.Table("masters", metadata, _to("people", primary_key=True), _number("generation"), _instant("since"))

seats = sa.Table(
    "seats",
    metadata,
    _id(),
    _to("games"),
    _number("number"),
    _text("name"),
    _text("name_key"),
    _text("colour", nullable=True),
    _to("people", nullable=True),
    _number("tenure"),
    _instant("joined_at", nullable=True),
    _text("status"),
    _text("team", nullable=True),
    sa.Column("place", sa.Integer),
    _text("faction", nullable=True),
    sa.UniqueConstraint("game_id", "number"),
    sa.UniqueConstraint("game_id", "name"),
    sa.UniqueConstraint("game_id", "name_key"),
    sa.UniqueConstraint("game_id", "colour"),
    _one_of("status", ("active", "eliminated", "left")),
    sa.Index(None, "person_id"),
)

tenures = sa.Table(
    "tenures",
    metadata,
    _to("seats", primary_key=True),
    sa.Column("tenure", sa.Integer, primary_key=True),
    _to("people", nullable=True),
    _instant("since"),
    _instant("until", nullable=True),
)

votes = sa.Table(
    "votes",
    metadata,
    _to("seats", primary_key=True),
    sa.Column("question", sa.Text, primary_key=True),
    _text("answer"),
    _instant("at"),
)

invitations = sa.Table(
    "invitations",
    metadata,
    _id(),
    _to("games"),
    _to("people"),
    _to("seats", nullable=True),
    _text("nonce"),
    _instant("sent_at"),
    _instant("answered_at", nullable=True),
    sa.UniqueConstraint("game_id", "person_id"),
    sa.UniqueConstraint("nonce"),
)

phases = sa.Table(
    "phases",
    metadata,
    _id(),
    _to("games"),
    _number("number"),
    _text("kind"),
    sa.Column("asked", Numbers, nullable=False),
    _instant("opened_at"),
    _instant("deadline"),
    _instant("closed_at", nullable=True),
    _text("status"),
    _instant("held_since", nullable=True),
    _number("ics_sequence"),
    _number("reminders_sent"),
    _json("label"),
    sa.UniqueConstraint("game_id", "number"),
    _one_of("status", ("open", "closing", "closed", "held")),
    sa.Index(None, "status", "deadline"),
)

states = sa.Table(
    "states",
    metadata,
    _to("games", primary_key=True),
    sa.Column("phase_number", sa.Integer, primary_key=True),
    sa.Column("ordinal", sa.Integer, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
    _number("chance_place"),
    _text("ruleset_version"),
)

inbox = sa.Table(
    "inbox",
    metadata,
    _id(),
    _text("channel"),
    _text("message_key"),
    _instant("received_at"),
    _instant("stored_at"),
    _text("state"),
    _text("outcome", nullable=True),
    _to("games", nullable=True),
    _to("seats", nullable=True),
    _number("attempts"),
    _text("trace", nullable=True),
    _json("facts"),
    # Last: SQLite reads through a long value to what lies behind it.
    sa.Column("raw", sa.LargeBinary),
    sa.UniqueConstraint("channel", "message_key"),
    _one_of("state", ("new", "handled", "ignored", "shunted")),
    sa.Index(None, "state", "received_at"),
)

orders = sa.Table(
    "orders",
    metadata,
    _id(),
    _to("games"),
    _number("phase_number"),
    _to("seats"),
    _number("tenure"),
    _number("version"),
    _to("inbox", nullable=True),
    _text("source"),
    _instant("received_at"),
    _json("orders"),
    sa.Column("canonical", Texts, nullable=False),
    sa.Column("final", sa.Boolean, nullable=False),
    _json("offered", nullable=True),
    _instant("created_at"),
    sa.UniqueConstraint("seat_id", "phase_number", "version"),
    sa.UniqueConstraint("inbox_id", "seat_id"),
    sa.ForeignKeyConstraint(["game_id", "phase_number"], ["phases.game_id", "phases.number"]),
    sa.Index(None, "game_id", "phase_number"),
)

events = sa.Table(
    "events",
    metadata,
    _id(),
    _to("games"),
    _number("phase_number"),
    _number("ordinal"),
    _text("kind"),
    _json("body"),
    sa.Column("audience", Numbers),
    sa.Column("rules", Texts, nullable=False),
    sa.UniqueConstraint("game_id", "phase_number", "ordinal"),
)

acts = sa.Table(
    "acts",
    metadata,
    _id(),
    _to("games"),
    _number("phase_number"),
    _number("ordinal"),
    _text("actor"),
    _json("body"),
    _instant("at"),
    sa.UniqueConstraint("game_id", "phase_number", "ordinal"),
)

pictures = sa.Table(
    "pictures",
    metadata,
    _id(),
    _to("games"),
    _text("digest"),
    sa.Column("png", sa.LargeBinary, nullable=False),
    _text("alt"),
    sa.UniqueConstraint("game_id", "digest"),
)

outbox = sa.Table(
    "outbox",
    metadata,
    _id(),
    _text("channel"),
    _to("games", nullable=True),
    _to("seats", nullable=True),
    _to("people", nullable=True),
    _text("address"),
    _text("kind"),
    _json("letter"),
    _to("pictures", nullable=True),
    _text("message_id", nullable=True),
    _instant("created_at"),
    _instant("due_at"),
    _text("state"),
    _number("attempts"),
    _instant("next_try_at"),
    _text("answer", nullable=True),
    _instant("sent_at", nullable=True),
    _number("epoch"),
    _text("dedupe_key", nullable=True),
    _text("correlation", nullable=True),
    sa.UniqueConstraint("message_id"),
    sa.UniqueConstraint("dedupe_key"),
    _one_of("state", ("queued", "sending", "sent", "refused", "withheld")),
    sa.Index(None, "state", "next_try_at"),
    sa.Index(None, "seat_id", "kind"),
    sa.Index(None, "channel", "address"),
)

notes = sa.Table(
    "notes",
    metadata,
    _id(),
    _to("games"),
    _to("seats"),
    _to("inbox", nullable=True),
    _text("text"),
    _instant("created_at"),
    _text("state"),
    sa.UniqueConstraint("inbox_id"),
    _one_of("state", ("waiting", "passed", "answered")),
    sa.Index(None, "state", "game_id"),
)

pending = sa.Table(
    "pending",
    metadata,
    _id(),
    _text("purpose"),
    _text("address"),
    _to("games", nullable=True),
    _to("seats", nullable=True),
    sa.Column("inbox_ids", Numbers, nullable=False),
    _json("detail"),
    _instant("created_at"),
    _instant("expires_at"),
    _instant("done_at", nullable=True),
    _text("outcome", nullable=True),
    # At most one confirmation of a purpose waits for an address: further unproven mails join it.
    sa.Index(
        "ix_pending_waiting",
        "purpose",
        "address",
        unique=True,
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    ),
)

gm_log = sa.Table(
    "gm_log",
    metadata,
    _id(),
    _to("games", nullable=True),
    _text("actor"),
    _text("command"),
    _json("detail"),
    _instant("at"),
    sa.Column("public", sa.Boolean, nullable=False),
    _text("cause", nullable=True),
    sa.UniqueConstraint("cause"),
    sa.Index(None, "game_id"),
)

results = sa.Table(
    "results",
    metadata,
    _id(),
    _to("games"),
    _to("seats"),
    _number("tenure"),
    _to("people", nullable=True),
    sa.Column("place", sa.Integer, nullable=True),
    _number("players"),
    sa.Column("won", sa.Boolean, nullable=False),
    _number("prize"),
    _text("how"),
    _instant("at"),
    sa.UniqueConstraint("game_id", "seat_id", "tenure"),
    sa.Index(None, "person_id"),
)

strikes = sa.Table(
    "strikes",
    metadata,
    _id(),
    _to("people"),
    _to("games"),
    _to("seats"),
    _to("gm_log", name="log_id"),
    _text("reason"),
    _text("given_by"),
    _instant("at"),
    _instant("pardoned_at", nullable=True),
    _text("pardoned_by", nullable=True),
    _text("pardon_reason", nullable=True),
    sa.UniqueConstraint("log_id"),
    sa.Index(None, "person_id"),
    sa.Index(None, "seat_id"),
)

marks = sa.Table("marks", metadata, sa.Column("name", sa.Text, primary_key=True), _instant("at"), _text("detail"))

secrets = sa.Table("secrets", metadata, sa.Column("name", sa.Text, primary_key=True), _text("value"))

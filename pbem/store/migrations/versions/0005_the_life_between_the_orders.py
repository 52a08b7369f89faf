"""The life between the orders: channels, press, absences, motions, observers."""

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | None = None
depends_on: str | None = None

_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "absences",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("person_id", _KEY, nullable=False),
        sa.Column("game_id", _KEY, nullable=True),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("substitute_id", _KEY, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_absences_game_id_games")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_absences_person_id_people")
        ),
        sa.ForeignKeyConstraint(
            ["substitute_id"], ["people.id"], name=op.f("fk_absences_substitute_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absences")),
    )
    op.create_index(op.f("ix_absences_person_id"), "absences", ["person_id"])

    op.create_table(
        "chats",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("game_id", _KEY, nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("state IN ('active', 'left')", name=op.f("ck_chats_state")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_chats_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chats")),
        sa.UniqueConstraint("channel", "address", name=op.f("uq_chats_channel_address")),
    )
    op.create_index(op.f("ix_chats_game_id"), "chats", ["game_id"])

    op.create_table(
        "links",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("code_hash", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("person_id", _KEY, nullable=True),
        sa.Column("game_id", _KEY, nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("used_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_links_game_id_games")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_links_person_id_people")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_links")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_links_code_hash")),
    )
    op.create_index(op.f("ix_links_person_id"), "links", ["person_id"])

    op.create_table(
        "observers",
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("person_id", _KEY, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_observers_game_id_games")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_observers_person_id_people")
        ),
        sa.PrimaryKeyConstraint("game_id", "person_id", name=op.f("pk_observers")),
    )
    op.create_index(op.f("ix_observers_person_id"), "observers", ["person_id"])

    op.create_table(
        "preferences",
        sa.Column("person_id", _KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_preferences_person_id_people")
        ),
        sa.PrimaryKeyConstraint("person_id", "name", name=op.f("pk_preferences")),
    )
    op.create_table(
        "graces",
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("seat_id", _KEY, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_graces_game_id_games")),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_graces_seat_id_seats")),
        sa.PrimaryKeyConstraint("game_id", "phase_number", "seat_id", name=op.f("pk_graces")),
    )
    op.create_table(
        "motions",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("seat_id", _KEY, nullable=True),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closes_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_motions_game_id_games")),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_motions_seat_id_seats")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_motions")),
    )
    op.create_index(op.f("ix_motions_game_id"), "motions", ["game_id"])

    op.create_table(
        "taps",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("person_id", _KEY, nullable=False),
        sa.Column("game_id", _KEY, nullable=True),
        sa.Column("seat_id", _KEY, nullable=True),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_taps_game_id_games")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_taps_person_id_people")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_taps_seat_id_seats")),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_taps")),
    )
    op.create_index(op.f("ix_taps_seat_id_phase_number"), "taps", ["seat_id", "phase_number"])

    op.create_table(
        "waits",
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("seat_id", _KEY, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_waits_game_id_games")),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_waits_seat_id_seats")),
        sa.PrimaryKeyConstraint("game_id", "phase_number", "seat_id", name=op.f("pk_waits")),
    )
    op.create_table(
        "ballots",
        sa.Column("motion_id", _KEY, nullable=False),
        sa.Column("seat_id", _KEY, nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["motion_id"], ["motions.id"], name=op.f("fk_ballots_motion_id_motions")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_ballots_seat_id_seats")),
        sa.PrimaryKeyConstraint("motion_id", "seat_id", name=op.f("pk_ballots")),
    )
    op.create_table(
        "press",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("game_id", _KEY, nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("seat_id", _KEY, nullable=True),
        sa.Column("person_id", _KEY, nullable=True),
        sa.Column("inbox_id", _KEY, nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("grey", sa.Boolean(), nullable=False),
        sa.Column("recipients", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('public', 'private', 'team', 'gm')", name=op.f("ck_press_kind")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_press_game_id_games")),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name=op.f("fk_press_inbox_id_inbox")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_press_person_id_people")
        ),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_press_seat_id_seats")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
        sa.UniqueConstraint("inbox_id", name=op.f("uq_press_inbox_id")),
    )
    op.create_index(op.f("ix_press_game_id"), "press", ["game_id"])

    op.create_table(
        "deliveries",
        sa.Column("press_id", _KEY, nullable=False),
        sa.Column("person_id", _KEY, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("told_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.id"], name=op.f("fk_deliveries_person_id_people")
        ),
        sa.ForeignKeyConstraint(
            ["press_id"], ["press.id"], name=op.f("fk_deliveries_press_id_press")
        ),
        sa.PrimaryKeyConstraint("press_id", "person_id", name=op.f("pk_deliveries")),
    )
    op.create_index(op.f("ix_deliveries_told_at_due_at"), "deliveries", ["told_at", "due_at"])

    op.create_index(op.f("ix_outbox_channel_sent_at"), "outbox", ["channel", "sent_at"])

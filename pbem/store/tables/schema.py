"""What every table is made of: the metadata, and the few kinds of columns there are.

The steps of the migrations are written with these columns: none of them may become another one.
"""

from collections.abc import Iterable

import sqlalchemy as sa

from pbem.store.columns import JsonText, Key, UtcDateTime

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def key() -> sa.Column[int]:
    return sa.Column("id", Key, primary_key=True)


def to(
    target: str, *, nullable: bool = False, name: str | None = None, primary_key: bool = False
) -> sa.Column[int]:
    """A reference to another table's id, named after the table in the singular unless said."""
    singular = {"people": "person", "inbox": "inbox"}.get(target, target.removesuffix("s"))
    return sa.Column(
        name or f"{singular}_id",
        Key,
        sa.ForeignKey(f"{target}.id"),
        nullable=nullable,
        primary_key=primary_key,
    )


def text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable)


def json_text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, JsonText, nullable=nullable)


def number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def instant(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, UtcDateTime, nullable=nullable)


def one_of(column: str, values: Iterable[str]) -> sa.CheckConstraint:
    return sa.CheckConstraint(
        f"{column} IN ({', '.join(repr(value) for value in values)})", name=column
    )

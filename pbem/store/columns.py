"""Column types that read and write the same on SQLite and on PostgreSQL.

JSON lies in plain text columns: byte-stable for hashes, and alike on both databases.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from pbem.store.packing import packed, unpacked

Key = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""The type of every id: 64 bits; on SQLite the alias of the row id."""


class UtcDateTime(TypeDecorator[datetime]):
    """An instant. A naive datetime is refused on the way in; what comes back is aware and in
    UTC.
    """

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError("an instant needs a time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class JsonText(TypeDecorator[str]):
    """A JSON document the store keeps as it was written and never looks into, except to refuse what
    is no JSON.
    """

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is not None:
            msgspec.json.decode(value)
        return value


class Packed(TypeDecorator[bytes]):
    """Long bytes, in less room than they have."""

    impl = sa.LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else packed(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        return None if value is None else unpacked(value)


class PackedJson(TypeDecorator[str]):
    """A long JSON document, as `JsonText`, in less room than it has. SQL cannot look into it."""

    impl = sa.LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        if value is None:
            return None
        msgspec.json.decode(value)
        return packed(value.encode())

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        return None if value is None else unpacked(value).decode()


class Numbers(TypeDecorator[tuple[int, ...]]):
    """A tuple of whole numbers, kept as a JSON array."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Sequence[int] | None, dialect: Dialect) -> str | None:
        return None if value is None else msgspec.json.encode(tuple(value)).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[int, ...] | None:
        return None if value is None else msgspec.json.decode(value, type=tuple[int, ...])


class Texts(TypeDecorator[tuple[str, ...]]):
    """A tuple of texts, kept as a JSON array."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Sequence[str] | None, dialect: Dialect) -> str | None:
        return None if value is None else msgspec.json.encode(tuple(value)).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        return None if value is None else msgspec.json.decode(value, type=tuple[str, ...])


def end_of_second(instant: datetime) -> datetime:
    """The last microsecond of the instant's second: mail servers stamp whole seconds, and the
    deadline's own second is in time.
    """
    return instant.replace(microsecond=999_999)

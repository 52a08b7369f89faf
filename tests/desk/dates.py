"""Instants that tests use."""

from datetime import UTC, datetime

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)

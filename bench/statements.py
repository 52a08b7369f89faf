"""How many statements go to the driver; `executemany` is one, what begins and ends a transaction
none.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa


@dataclass(slots=True)
class Count:
    """Since `begin`."""

    statements: int = 0

    def begin(self) -> None:
        self.statements = 0

    def note(self, *_about: object) -> None:
        self.statements += 1


@contextmanager
def counted() -> Iterator[Count]:
    """Count what any engine of this process is asked in the block."""
    count = Count()
    sa.event.listen(sa.Engine, "before_cursor_execute", count.note)
    try:
        yield count
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", count.note)

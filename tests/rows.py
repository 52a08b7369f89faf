"""A test of many rows that is one test: what it costs to collect, to send about and to report is
paid once.
"""

from collections.abc import Callable, Iterable
from typing import Any

SHOWN = 20
"""So many of the rows that fail are shown."""


def each_row(
    names: str | tuple[str, ...], rows: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, but all rows in one test, which takes no fixtures. Every row is
    tried, and those that fail are told together.
    """

    every = list(rows)

    def of(test: Callable[..., None]) -> Callable[..., None]:
        def of_all(**given: Any) -> None:
            failed: list[Exception] = []
            for row in every:
                told = given | (
                    {names: row} if isinstance(names, str) else dict(zip(names, row, strict=True))
                )
                try:
                    test(**told)
                except Exception as wrong:
                    wrong.add_note(f"of the row {str(told)[:400]}")
                    failed.append(wrong)
                    if not isinstance(wrong, AssertionError | ExceptionGroup):
                        raise
            if failed:
                said = f"{len(failed)} of {len(every)} rows fail"
                raise ExceptionGroup(said, failed[:SHOWN])

        of_all.__name__, of_all.__doc__ = test.__name__, test.__doc__
        return of_all

    return of

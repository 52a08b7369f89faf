"""One id from a message in to the letters out: bound while a use case runs, kept with each letter
it queues, bound again when that is sent.

`m12` is message 12 and what it causes, `c3.7` the close of phase 7 of game 3, `r3.7` its reminders,
`t3` the tending of table 3, `g45` the game master's command logged as 45, `d9` the sending of
letter 9 if nothing is known of its cause. Ids of rows and nothing else.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from structlog.contextvars import bind_contextvars, bound_contextvars, get_contextvars

from pbem.desk.ports import Services

KEY = "correlation"

P = ParamSpec("P")
T = TypeVar("T")


def current_cause() -> str | None:
    """What the present work is done for; None when nothing was said."""
    return get_contextvars().get(KEY)


@contextmanager
def caused_by(cause: str) -> Iterator[None]:
    """Everything within is done for this."""
    with bound_contextvars(**{KEY: cause}):
        yield


def follow(cause: str | None) -> None:
    """From here on, till the use case ends, the work is done for this (if anything is known)."""
    if cause is not None:
        bind_contextvars(**{KEY: cause})


def begin_command(log_id: int) -> None:
    """A command is being carried out; one that a message gave stays with its message."""
    cause = current_cause()
    if cause is None or cause.startswith("g"):
        follow(f"g{log_id}")


def correlated(
    letter: str,
) -> Callable[
    [Callable[Concatenate[Services, P], Awaitable[T]]],
    Callable[Concatenate[Services, P], Awaitable[T]],
]:
    """A use case whose cause is its own ids, as `c3.7`."""

    def decorate(
        use_case: Callable[Concatenate[Services, P], Awaitable[T]],
    ) -> Callable[Concatenate[Services, P], Awaitable[T]]:
        @wraps(use_case)
        async def run(services: Services, /, *args: P.args, **kwargs: P.kwargs) -> T:
            with caused_by(letter + ".".join(str(argument) for argument in args)):
                return await use_case(services, *args, **kwargs)

        return run

    return decorate

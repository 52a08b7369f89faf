"""What becomes of a message: the two answers of whoever handles one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Handled:
    """The message is dealt with. `outcome` is a code for the log; `close` names a phase that may close now;
    `receive_again` are messages that were set free.
    """

    outcome: str
    ignored: bool = False
    game_id: int | None = None
    seat_id: int | None = None
    close: tuple[int, int] | None = None
    receive_again: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class NotYet:
    """The message came after the deadline of a phase that is not closed yet; it is looked at again afterwards."""

    game_id: int

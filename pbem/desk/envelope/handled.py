"""What becomes of a message, as its handler says."""

from dataclasses import dataclass

from pbem.store.repositories.people import PersonRow


@dataclass(frozen=True, slots=True)
class Handled:
    """The message is dealt with. `outcome` is a code for the log; `close` names a phase that may
    close now; `receive_again` are messages that were set free. `pop` answers the tap that the
    message was, in few words (`alert`: to be read and put away).
    """

    outcome: str
    ignored: bool = False
    game_id: int | None = None
    seat_id: int | None = None
    close: tuple[int, int] | None = None
    receive_again: tuple[int, ...] = ()
    pop: str = ""
    alert: bool = False
    again: str | None = None
    """We must handle the message once more, with these facts."""


def outcome_of(done: Handled, outcome: str) -> Handled:
    """The same message, with another code for the log."""
    return Handled(outcome, game_id=done.game_id, seat_id=done.seat_id)


@dataclass(frozen=True, slots=True)
class Forgetting:
    """The owner of this address wants to be forgotten, and has confirmed it. It is done in units of
    work of its own, after which the message itself is forgotten too.
    """

    address: str


@dataclass(frozen=True, slots=True)
class NotYet:
    """The message came after the deadline of a phase that is not closed yet; it is looked at again
    afterwards.
    """

    game_id: int


@dataclass(frozen=True, slots=True)
class Commanding:
    """The message gives a game master's commands. They are carried out in units of work of their
    own, each once by its cause (`cause` and the line), before the message is settled. `game_id` is
    the table meant where a line names none; `confirmed` says that the writer has confirmed
    dangerous ones.
    """

    person: PersonRow
    game_id: int | None
    text: str
    cause: str
    confirmed: bool = False
    pending_id: int | None = None
    tap: str = ""
    """The code of the button that they were on, if it counts once."""
    phase: int | None = None
    """The phase that the button was made in: in another one it means nothing."""


class Outdated(Exception):
    """We judged the writer by facts that are no longer true when we write the answer."""

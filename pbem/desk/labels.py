"""What the store keeps of a phase for showing it."""

from datetime import datetime

import msgspec

from pbem.store.repositories.phases import PhaseRow


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the store keeps of a phase for showing it. `rolled_back_to`: the phase whose opening
    state this one began with again. `away`: for whom the deadline is later, "" where their name is
    not told. `span` and `span_began_at`: to which span it belongs, and since when that lasts.
    `is_untold`: the table has not been told yet how it came to it. `remind_at`: after which shares
    of the window those missing are reminded; none: as many hours before the deadline as the service
    does. `stopped_minutes`: for how long its clock was stopped.
    """

    turn: int = 0
    rolled_back_to: int | None = None
    away: tuple[str, ...] = ()
    span: str = ""
    span_began_at: datetime | None = None
    is_untold: bool = False
    remind_at: tuple[float, ...] = ()
    stopped_minutes: int = 0


def format_label(label: Label) -> str:
    return msgspec.json.encode(label).decode()


def parse_label(phase: PhaseRow) -> Label:
    return msgspec.json.decode(phase.label, type=Label)

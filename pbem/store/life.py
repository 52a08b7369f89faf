"""The life of a game and of a phase, each as a table: what leads from which state to which. Nothing
else changes a state; every step is guarded by where it may begin, in the very statement that takes
it.

Invariants, in every committed state of the database:

- A game has an open phase (its `phase_number`, the only one not closed) while it runs or is
  paused. Before it begins it has none; when it is over or ended all are closed.
- A phase that was closed stays closed; what was closed once is not closed again by anyone.
- Only a game that runs is closed by the clock: one that is paused has a deadline that waits.
"""

from collections.abc import Mapping
from typing import Literal

GameStatus = Literal["open", "running", "paused", "over", "ended"]
PhaseStatus = Literal["open", "closing", "closed", "held"]
GameStep = Literal["advance", "pause", "resume", "give_up", "break_off"]
PhaseStep = Literal["hold", "put_off", "close"]

GAME_LIFE: Mapping[GameStep, tuple[frozenset[GameStatus], frozenset[GameStatus]]] = {
    # the start, a close, an act that ends a phase; a roll back
    "advance": (frozenset({"open", "running"}), frozenset({"running", "over", "ended"})),
    "pause": (frozenset({"running"}), frozenset({"paused"})),
    "resume": (frozenset({"paused"}), frozenset({"running"})),
    # a table that does not fill
    "give_up": (frozenset({"open"}), frozenset({"ended"})),
    # by its game master
    "break_off": (frozenset({"open", "running", "paused"}), frozenset({"ended"})),
}
PHASE_LIFE: Mapping[PhaseStep, tuple[frozenset[PhaseStatus], frozenset[PhaseStatus]]] = {
    # the mailbox cannot be read
    "hold": (frozenset({"open", "closing"}), frozenset({"held"})),
    "put_off": (frozenset({"closing", "held"}), frozenset({"open"})),
    "close": (frozenset({"open", "closing", "held"}), frozenset({"closed"})),
}

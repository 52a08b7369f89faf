"""Reads what a ruler supposes: `I attack Borland with 3`, `we build the hospital and research with
1`.

The orders are read as if they were sent, and none may be left out: a part of a question is another
question.
"""

from functools import partial

from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.acts import act_of
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_order
from pbem.games.sovereigns.reading.reader import SovereignsReader
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.reading import Supposition, supposed, supposition_of

_READER = SovereignsReader(suggests=False)


def read_supposition(
    state: State, player: int, standing: Standing[o.Order], text: str
) -> Supposition:
    """What this ruler supposes, in addition to their orders that stand. Never raises for what a
    player wrote.
    """

    def read() -> Supposition:
        reading = _READER.read(state, player, standing, Said(text.strip(" ?!.")))
        tell = partial(format_order, state)
        return supposed(
            player, standing.orders, reading, tell, lambda order: act_of(order) is not None
        )

    return supposition_of(text, read)

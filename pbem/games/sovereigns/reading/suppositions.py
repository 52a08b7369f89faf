"""Reads what a ruler supposes: `I attack Borland with 3`, `we build the hospital and research with
1`.

The orders are read as if they were sent, and none may be left out: a part of a question is another
question.
"""

from engine.ruleset import Problem, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.acts import act_of
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_order
from pbem.games.sovereigns.reading.reader import SovereignsReader
from pbem.grammar.house.statements import Said
from pbem.grammar.kit.reading import Item, SupposedItem, Supposition

LONGEST = 3000
"""Characters of a question that are read; a longer one is not understood."""
_READER = SovereignsReader(suggests=False)


def read_supposition(
    state: State, player: int, standing: Standing[o.Order], text: str
) -> Supposition:
    """What this ruler supposes, in addition to their orders that stand. Never raises for what a
    player wrote.
    """
    if len(text) > LONGEST:
        item = Item(text.strip()[:200], problems=(Problem("too-long", facts={"most": LONGEST}),))
        return Supposition(items=(SupposedItem(None, item),))
    reading = _READER.read(state, player, standing, Said(text.strip(" ?!.")))
    items = [SupposedItem(player, item) for item in reading.items]
    checked = reading.checked
    items += [
        SupposedItem(player, Item(format_order(state, order), problems=(Problem("at-once"),)))
        for order in (checked.accepted if checked is not None else ())
        if act_of(order) is not None
    ]
    orders = checked.standing.orders if checked is not None else standing.orders
    return Supposition({player: orders} if orders else {}, tuple(items), stored=checked is None)

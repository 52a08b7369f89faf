"""The kinds of words of Fortresses, in sets, as the kit needs them."""

from collections.abc import Mapping

from engine.fortresses import orders as o
from pbem.grammar.kit.lexemes import set_of
from pbem.grammar.kit.slots import Dialect

UNITS = set_of("UL UK UW UG UD ULAND UNITS THEUNITS")
COUNTING = set_of("NUM ALL BOTH")
CARRYING = set_of("CARRY PICK DROP ABOARD")
FLEEING = set_of("RETREAT NEVERRETREAT STAY REMAIN")
ANSWERS = FLEEING | set_of("LOSE DIE")
"""What may be said of a battle while it is fought."""
SAID: Mapping[str, o.Line] = {
    "KEEP": o.Keep(True),
    "KEEPNONE": o.Keep(False),
    "INTERACT": o.Interactive(True),
    "NOTINTERACT": o.Interactive(False),
    **{
        tag.replace("-", "").upper(): line
        for tag, line in o.PLAIN.items()
        if not isinstance(line, (*o.ANSWERS, o.Cancel))
    },
}
"""Words that are a whole order: the kind of the words is its tag, in capitals."""
INSTRUCTING = frozenset(kind for kind, line in SAID.items() if isinstance(line, o.Instruction))
THERE = ANSWERS | INSTRUCTING
"""Instructions that may be for one zone."""
PLAIN = SAID.keys() - INSTRUCTING
"""Orders of one word."""
ORDERS = THERE | PLAIN | set_of("BATTLEORDER FIGHT CANCEL")
VERBS = CARRYING | ORDERS | set_of("ATTACK MOVE BUY ALWAYS")
CONDITIONS = set_of("OUTNUMBERED ALONE FIRSTLOSS NEVERLEAVE AFTER ROUND")
DIALECT = Dialect(
    verbs=VERBS,
    flags=frozenset(),
    marks=UNITS | CONDITIONS | set_of("VIA HOME REINFORCE FIRST BEFORE"),
    in_place=frozenset(),
    takers={},
    closing=set_of("DONE"),
    weak=set_of("MOVE PICK DROP FIGHT LOSE DIE ALWAYS ABOARD BUY CARRY"),
)

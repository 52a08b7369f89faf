"""What is said of an order after it: `make it golden`, `the march is delayed`, `gold on P4`."""

from collections.abc import Sequence

from pbem.games.protectors.reading.dialect import MARCHING
from pbem.games.protectors.reading.ledger import LedgerEntry, OrderLedger
from pbem.grammar.kit.slots import Slots

_SAID = frozenset({"verb", "flag", "place", "origin", "target", "mark"})
_POINTS = frozenset({"THEM", "THERE"})
_CUES = frozenset({"", "soft"})


def amends(slots: Slots, ledger: OrderLedger, number: int) -> bool:
    """Put the flags of a clause to the one order of the message that it speaks of; False if it says
    more, or speaks of none or several.
    """
    about = _about(slots, ledger)
    if len(about) != 1:
        return False
    entry = about[0]
    entry.slots.flags.update(slots.flags)
    if entry.number == number:
        entry.slots.end = max(entry.slots.end, slots.end)
    return True


def _about(slots: Slots, ledger: OrderLedger) -> Sequence[LedgerEntry]:
    if not slots.flags or slots.turns or slots.loose or slots.cue not in _CUES:
        return ()
    if slots.filled() - _SAID or not slots.marks.keys() <= _POINTS:
        return ()
    ways = slots.filled() & {"origin", "target"}
    named = {place.value for place in slots.all_places}
    if len(ways) > 1 or (slots.verb is not None and "target" in ways) or len(named) > 1:
        return ()
    alike = MARCHING if slots.kind in MARCHING else {slots.kind}
    plain = [e for e in ledger.standing if not e.spreads and not slots.flags.keys() & e.slots.flags]
    if slots.verb is not None:
        plain = [entry for entry in plain if entry.slots.kind in alike]
    if named:
        return [entry for entry in plain if named == entry.provinces()]
    plain = [entry for entry in plain if len(entry.provinces()) < 2]
    if slots.verb is None:
        return [e for e in plain if e is ledger.last] if slots.marks.keys() & _POINTS else ()
    return plain

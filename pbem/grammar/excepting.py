"""Exceptions: `work everywhere, except P2`, `all fortify, but not P2`, `same as last turn, except P2 holds`."""

from collections.abc import Sequence

from pbem.grammar.drafts import Draft
from pbem.grammar.entries import Entry
from pbem.grammar.lexemes import Lexeme
from pbem.grammar.sharing import SPREADING, spreads


def leave_out(entry: Entry | None, places: Sequence[Lexeme], end: int = 0) -> bool:
    """Except these provinces from an entry that speaks of several; False if it does not. `end`: up to where that was said."""
    if entry is None or entry.draft is None or not places:
        return False
    whole = entry.draft.kind == "SAME" or (entry.draft.kind == "HOLD" and entry.draft.is_only("verb", "excepted"))
    if not whole and not spreads(entry.draft):
        return False
    entry.draft.excepted, entry.end = [*entry.draft.excepted, *places], max(entry.end, end)
    return True


def subject_of(draft: Draft) -> list[Lexeme]:
    """The provinces that an order of its own is given to."""
    if draft.before or draft.origin is not None:
        return draft.before or [place for place in (draft.origin,) if place is not None]
    return draft.after if draft.kind in SPREADING else []


def deny(entry: Entry | None, draft: Draft, end: int) -> bool:
    """Take back what is negated beside an entry, `but not golden`, `but not P2`; False if it is something else."""
    if entry is None:
        return False
    if draft.is_only("golden", "delayed") and entry.draft is not None:
        entry.draft.golden = None if draft.golden else entry.draft.golden
        entry.draft.delayed = None if draft.delayed else entry.draft.delayed
        return True
    if draft.is_only("place"):
        leave_out(entry, draft.before, end)
        return True
    return False

"""Exceptions: `work everywhere, except P2`, `all fortify, but not P2`, `same as last turn, except
P2 holds`.
"""

from collections.abc import Sequence

from pbem.games.protectors.reading.clauses import Clause
from pbem.games.protectors.reading.drafts import DIALECT, Draft
from pbem.games.protectors.reading.entries import Entry
from pbem.games.protectors.reading.likeness import begins_with_place
from pbem.games.protectors.reading.sharing import SPREADING, spreads
from pbem.grammar.kit.lexemes import Lexeme


def leave_out(entry: Entry | None, places: Sequence[Lexeme], end: int = 0) -> bool:
    """Except these provinces from an entry that speaks of several; False if it does not. `end`: up
    to where that was said.
    """
    if entry is None or entry.draft is None or not places:
        return False
    whole = entry.draft.kind == "SAME" or (
        entry.draft.kind == "HOLD" and entry.draft.is_only("verb", "excepted")
    )
    whole = whole or (entry.draft.kind in SPREADING and entry.draft.dash is not None)
    if not whole and not spreads(entry.draft):
        return False
    entry.draft.excepted, entry.end = [*entry.draft.excepted, *places], max(entry.end, end)
    return True


def subject_of(draft: Draft) -> list[Lexeme]:
    """The provinces that an order of its own is given to."""
    if draft.before or draft.origin is not None:
        return draft.before or [place for place in (draft.origin,) if place is not None]
    return draft.after if draft.kind in SPREADING else []


def goes_on(later: Sequence[Clause]) -> bool:
    """Whether the clauses behind a province go on with a list that ends in an order for all of it:
    `(but P1), P2 and P3 work`.
    """
    for clause in later:
        if clause.verb(DIALECT) is not None:
            return (
                clause.joined == "and" and begins_with_place(clause) and clause.verdict == "order"
            )
        if any(lexeme.kind != "PLACE" for lexeme in clause.meaning()):
            return False
    return False


def deny(entries: Sequence[Entry], line: int, draft: Draft, end: int) -> bool:
    """Take back what is negated beside the last entry, or in the sentence behind it: `but not
    golden`, `Not P2.`; False if it is something else. Who orders something for a province and says
    that it is not for that one is asked.
    """
    last = entries[-1] if entries else None
    if (
        last is None
        or last.draft is None
        or last.trouble not in {"", "loose"}
        or last.line < line - 1
    ):
        return False
    if draft.is_only("golden", "delayed"):
        last.draft.golden = None if draft.golden else last.draft.golden
        last.draft.delayed = None if draft.delayed else last.draft.delayed
        last.end = max(last.end, end)
        return True
    if not draft.is_only("place"):
        return False
    if leave_out(last, draft.before, end):
        return True
    denied = {place.value for place in draft.before}
    spoken = [entry for entry in entries if entry.draft is not None and entry.line >= line - 1]
    both = [
        entry
        for entry in spoken
        if entry.draft is not None and denied & {place.value for place in subject_of(entry.draft)}
    ]
    for entry in both:
        entry.draft, entry.trouble, entry.at, entry.suggests = (
            None,
            "unread",
            draft.before[0],
            False,
        )
        entry.end = max(entry.end, end) if entry is last else entry.end
    return bool(both) or last.line == line

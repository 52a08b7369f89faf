"""Exceptions: `work everywhere, except P2`, `all fortify, but not P2`, `same as last turn, except
P2 holds`.
"""

from collections.abc import Sequence

from pbem.games.protectors.reading.clauses import Clause
from pbem.games.protectors.reading.drafts import DIALECT, Draft, merge
from pbem.games.protectors.reading.entries import Entry
from pbem.games.protectors.reading.likeness import begins_with_place
from pbem.games.protectors.reading.sharing import SPREADING, spreads
from pbem.grammar.kit.lexemes import Lexeme

_IN_PROVINCES = frozenset({"FORTIFY", "WORK", "HOLD", "MARCH", "ATTACK", "SUPPORT"})


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


def replace_part(entries: Sequence[Entry], draft: Draft, same: Sequence[Entry]) -> bool:
    """`X all. Wait, P4 Y`, `fortify P1 P2. No, P2 works`: take out of what was said of several what
    is now said otherwise; False if nothing was said of several, or of something else as well.
    """
    own = {place.value for place in subject_of(draft)}
    if not own or draft.kind not in _IN_PROVINCES or spreads(draft):
        return False
    whole = [
        (entry, entry.draft)
        for entry in entries
        if entry.draft is not None
        and (
            spreads(entry.draft)
            or (
                any(entry is other for other in same)
                and not own >= {place.value for place in subject_of(entry.draft)}
            )
        )
    ]
    if not whole or any(all(other is not entry for entry, _ in whole) for other in same):
        return False
    for entry, told in whole:
        if spreads(told):
            leave_out(entry, subject_of(draft))
        else:
            told.before = [place for place in told.before if place.value not in own]
            told.after = [place for place in told.after if place.value not in own]
    return True


def cancels_told(entries: Sequence[Entry], draft: Draft) -> bool:
    """Whether this cancels what the same message has ordered."""
    gone = {place.value for place in draft.places} if draft.kind == "CANCEL" else set()
    return any(
        gone & {place.value for place in subject_of(entry.draft)}
        for entry in entries
        if entry.draft is not None and entry.draft.kind != "CANCEL"
    )


def stays_and(entry: Entry | None, draft: Draft, end: int) -> bool:
    """`P2 stays and fortifies`: one order, the second; False if it is not so."""
    told = entry.draft if entry is not None else None
    if (
        entry is None
        or told is None
        or told.verb is None
        or told.kind != "HOLD"
        or not told.verb.text.startswith(("stay", "remain"))
        or draft.kind not in SPREADING
        or not draft.is_only("verb", "golden")
    ):
        return False
    entry.draft, entry.end = merge(told, draft, corrects=False), end
    entry.draft.verb = draft.verb
    return True

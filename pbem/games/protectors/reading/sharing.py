"""What clauses of Protectors share: which roles one still lacks, and what it takes over from the
one before.
"""

from collections.abc import Iterable, Mapping

from pbem.games.protectors.reading.clauses import Clause
from pbem.games.protectors.reading.drafts import Draft, merge
from pbem.grammar.kit.lexemes import Lexeme

SPREADING = frozenset({"FORTIFY", "WORK", "HOLD", "BURN", "UPGRADE", "CANCEL"})
"""Verbs that a list of provinces may share."""


_MARCHING = frozenset(
    {"number", "origin", "target", "place", "at", "dash", "quantity", "golden", "delayed"}
)
SHARED_ROLES: Mapping[str, frozenset[str]] = {
    "BUY": frozenset({"number", "at", "place"}),
    "COMMIT": frozenset({"number", "origin", "at", "place", "sacrifice", "quantity"}),
    "MARCH": _MARCHING,
    "ATTACK": _MARCHING,
    "SEND": frozenset({"number", "who"}),
    "GIVE": frozenset({"number", "who"}),
    "SUPPORT": frozenset({"who", "at", "origin", "golden", "place"}),
}
"""What a clause without a verb may say to share the verb before it."""


_BEHIND_LIST = frozenset(
    {"too", "also", "as well", "please", "pls", "thanks", "both", "likewise", "this turn", "now"}
)


def spreads(draft: Draft) -> bool:
    return draft.quantity is not None and draft.quantity.kind in {"ALL", "ELSE"}


def takes_modifier(draft: Draft, modifier: Draft) -> bool:
    """Whether an order can be golden, or late, as a sentence beside it says."""
    marches = draft.kind in {"MARCH", "ATTACK"} or (
        not draft.kind and bool(draft.target or draft.dash)
    )
    if modifier.delayed is not None:
        return marches
    return (marches or draft.kind in {"FORTIFY", "WORK", "SUPPORT"}) and draft.golden is None


def lists_provinces(draft: Draft, clause: Clause) -> bool:
    """`fortify 1 and 2`, `fortify P1, 2`: a number where the clause before named provinces; not `P1
    works, 2 days late`.
    """
    at = next((i for i, lexeme in enumerate(clause.lexemes) if lexeme.kind == "NUM"), 0)
    if any(
        lexeme.text not in _BEHIND_LIST
        for lexeme in clause.lexemes[at:]
        if lexeme.kind in {"FILLER", "PROSE"}
    ):
        return False
    return (
        draft.kind in SPREADING
        and bool(draft.places or draft.numbers)
        and clause.joined in {"and", "comma"}
    )


def missing_roles(draft: Draft) -> set[str]:
    """The roles a clause still lacks to be an order."""
    said = draft.said()
    match draft.kind:
        case "MARCH" | "ATTACK":
            lacking = set() if said & {"number", "quantity"} else {"number", "quantity"}
            if "origin" not in said and not draft.before and "at" not in said:
                lacking.add("origin")
            if not said & {"target", "dash"} and not (draft.kind == "ATTACK" and draft.after):
                lacking.add("target")
            return lacking
        case "SUPPORT":
            return {
                role
                for role in ("who", "at", "origin")
                if role not in said and not (role == "origin" and draft.before)
            }
        case "SEND" | "GIVE":
            return {role for role in ("who", "number") if role not in said}
        case "BID" | "FIRE":
            return set() if said & {"number", "quantity"} else {"number", "quantity"}
        case "COMMIT" | "BUY":
            return (
                {role for role in ("number", "at", "origin", "quantity") if role not in said}
                if not said & {"place", "at", "origin"} or not said & {"number", "quantity"}
                else set()
            )
        case "":
            return (
                {"number", "quantity"} - said
                if said & {"origin", "target", "dash"} and not said & {"number", "quantity"}
                else set()
            )
    return set()


def gapped(template: Draft, more: Draft) -> Draft:
    """A clause that shares the verb (and what else it does not say itself) of the one before it."""
    bare = template.copy()
    bare.golden = bare.delayed = bare.dash = None
    bare.sacrifice, bare.excepted, bare.all_but, bare.surplus = (), [], None, None
    said = more.said()
    if said & {"origin", "at", "place"} and template.kind in {
        "COMMIT",
        "BUY",
        "MARCH",
        "ATTACK",
        "SUPPORT",
        "",
    }:
        if said & {"origin", "at"} or "target" in said:
            bare.before, bare.after = (
                ([], []) if said & {"origin", "place", "at"} else (bare.before, bare.after)
            )
        if template.kind in {"COMMIT", "BUY", ""}:
            bare.before, bare.after, bare.origin, bare.at = [], [], None, None
    if template.kind in {"MARCH", "ATTACK"} and "number" not in said and "quantity" not in said:
        bare.numbers, bare.quantity = [], None
    if template.kind in {"MARCH", "ATTACK"} and "place" in said:
        bare.before, bare.after, bare.origin = [], [], None
    if template.quantity is not None and template.kind in SPREADING:
        bare.quantity = None
    bare.golden, bare.delayed = (
        (template.golden, None)
        if template.kind in SPREADING and more.is_only("place") and not template.subject_first
        else (None, None)
    )
    return merge(bare, more, corrects=False)


def is_about_the_same(old: Draft, new: Draft) -> bool:
    """Whether a corrected clause names what an earlier one named: the same province, or the one
    bid, or the same receiver.
    """
    if new.kind in {"BID", "NOBID"}:
        return old.kind in {"BID", "NOBID"}
    if new.kind in {"SNITCH", "FACTION", "CAPITOL", "SAME", "PALANTIR"}:
        return old.kind == new.kind
    if new.kind in {"TAKE", "REFRESH"}:
        return old.kind in {"TAKE", "REFRESH"}
    if new.kind in {"SEND", "GIVE"} and new.who is not None:
        return (
            old.kind in {"SEND", "GIVE"} and old.who is not None and old.who.value == new.who.value
        )
    return bool(_occupied(old) & _occupied(new)) and (old.kind in {"BUY", "BURN", "UPGRADE"}) == (
        new.kind in {"BUY", "BURN", "UPGRADE"}
    )


def _occupied(draft: Draft) -> set[int]:
    """The provinces a clause gives an order to."""
    lexemes: Iterable[Lexeme | None]
    if draft.kind in {"MARCH", "ATTACK", "SUPPORT", "SEND"}:
        lexemes = (
            [draft.origin, *draft.before]
            if draft.origin or draft.before
            else [draft.at]
            if draft.kind == "MARCH"
            else []
        )
    else:
        lexemes = (
            [draft.origin, *draft.places]
            if draft.places or draft.origin
            else draft.numbers
            if draft.kind in SPREADING
            else []
        )
    return {lexeme.value for lexeme in lexemes if lexeme is not None and lexeme.value is not None}

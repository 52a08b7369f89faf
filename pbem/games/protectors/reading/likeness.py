"""Whether words that were not read could have been meant as an order: what is only talk is passed
over, the rest is asked about.
"""

from pbem.games.protectors.reading.clauses import Clause, Sentence
from pbem.games.protectors.reading.drafts import DIALECT, Draft

_MOST_UNKNOWN = 3
_POLITE = frozenset(
    {
        "please",
        "pls",
        "plz",
        "thanks",
        "thank you",
        "thx",
        "i",
        "we",
        "this turn",
        "ok",
        "okay",
        "so",
        "just",
        "simply",
        "only",
        "exactly",
        "well",
        "hm",
        "hmm",
    }
)
_BOARD = frozenset(
    "province provinces there here them neighbour neighbours neighbor neighbors border borders next"
    " north south east west".split()
)
_NEVER_NOUNS = frozenset({"SNITCH", "COMMIT", "BURN", "CANCEL", "FORTIFY", "PALANTIR", "REFRESH"})


def looks_like_order(clause: Clause) -> bool:
    """Whether a clause that was not read could have been meant as an order."""
    lexemes = clause.meaning()
    kinds = [lexeme.kind for lexeme in lexemes]
    unknown = sum(kind == "WORD" for kind in kinds)
    verb = clause.verb(DIALECT)
    solid = any(
        kind in {"PLACE", "NUM", "RANGE", "WHO", "ALL", "ELSE", "BOTH", "THEUNITS"}
        for kind in kinds
    )
    if verb is not None:
        if verb is lexemes[0] and len(clause.lexemes) > 1 and _speaks_of_the_board(clause):
            return True  # `March my unit to the next province`
        if (
            verb.kind in _NEVER_NOUNS
            and unknown <= _MOST_UNKNOWN
            and len(kinds) <= _MOST_UNKNOWN + 1
        ):
            return True
        if (
            verb.kind not in DIALECT.weak
            and unknown <= _MOST_UNKNOWN
            and (solid or len(kinds) <= 2 or clause.verdict != "order")
        ):
            return True
        counted = ("NUM" in kinds or "RANGE" in kinds) and verb.kind not in {"WORK", "HOLD"}
        placed = "PLACE" in kinds or counted or clause.verdict == "negation"
        return (placed and unknown <= 2 * _MOST_UNKNOWN) or (
            unknown <= 1 and (solid or len(kinds) == 1)
        )
    if "RANGE" in kinds:
        return unknown <= 1 and len(kinds) <= _MOST_UNKNOWN + 2 and not _is_small_talk(clause)
    if (
        kinds.count("PLACE") > 1
        and "TO" in kinds
        and unknown <= 2
        and len(kinds) <= 9
        and "STATEMENT" not in kinds
    ):
        return True
    if "PLACE" in kinds:
        told = "STATEMENT" in kinds and clause.verdict != "doubt"
        return unknown <= 2 and len(kinds) <= 5 and not told and not _is_small_talk(clause)
    if "SAC" in kinds and "NUM" in kinds:
        return unknown <= 1
    if (
        "HEDGE" in kinds
        and set(kinds) <= {"HEDGE", "NUM", "UNITS", "REALM"}
        and is_bare_answer(clause)
    ):
        return "NUM" in kinds  # `maybe 18`
    return kinds[:2] == ["WORD", "NUM"] and set(kinds[2:]) <= {
        "REALM",
        "TO",
        "FROM",
        "WHO",
        "UNITS",
    }


def _speaks_of_the_board(clause: Clause) -> bool:
    return clause.has("UNITS", "THEUNITS", "REALM", "GOLD", "DELAY") or any(
        lexeme.text in _BOARD for lexeme in clause.lexemes
    )


def _is_small_talk(clause: Clause) -> bool:
    """`Hello from P3!`: a province, but a greeting."""
    return any(
        lexeme.kind == "PROSE"
        or lexeme.text in {"hi", "hello", "hey", "greetings", "regards", "cheers", "thanks", "love"}
        for lexeme in clause.lexemes
    )


def is_plain_order(clause: Clause, draft: Draft) -> bool:
    """Joined to a reason by `and`: only what is plainly an order of its own (`and work P6`, `and P6
    works`).
    """
    verb = draft.verb
    if verb is None:
        return False
    if draft.before:
        return True
    return not verb.text.endswith("s") and bool(draft.said() - {"verb"})


def is_list_for(sentence: Sentence) -> bool:
    """Whether a sentence goes on under a heading like `Fortify:` or `Fortify`, on a line of its
    own.
    """
    first = sentence.clauses[0]
    kinds = [lexeme.kind for lexeme in first.meaning()]
    return (
        first.fresh_line
        and bool(kinds)
        and first.verb(DIALECT) is None
        and set(kinds) <= {"PLACE", "NUM", "IN", "FROM", "TO", "UNITS", "ARROW"}
        and "PLACE" in kinds
    )


def is_bare_answer(clause: Clause) -> bool:
    """`none`, `25 please`: a word or number that is the whole answer, not a crumb of a sentence
    (`dear all`, `2 days`).
    """
    return (
        all(
            lexeme.kind not in {"FILLER", "PROSE"} or lexeme.text in _POLITE
            for lexeme in clause.lexemes
        )
        and not clause.dropped
    )


def begins_with_place(clause: Clause) -> bool:
    return next((lexeme.kind == "PLACE" for lexeme in clause.meaning()), False)


def could_be_each(draft: Draft) -> bool:
    """`buy 2 in P1 and P2`, `commit 2 from P2 and P1`: one in each, or two?"""
    if "EACH" in draft.marks:
        return False
    if draft.kind == "BUY":
        return not all(number.value == 1 for number in draft.numbers)
    return draft.kind in {"COMMIT", ""} and bool(draft.numbers)

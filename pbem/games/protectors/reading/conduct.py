"""What a careful game master would not take for an order: questions, conditions, negations, doubts,
and talk about others.

Each clause gets a verdict: `order` (it may be read), `question`, `condition`, `negation`, `doubt`,
`talk` (about others or the past), `reason` (why, or what for), `retraction` (`just kidding`: of
what stands before). Words that correct what was said before are taken off and noted.
"""

from collections.abc import Iterable
from itertools import pairwise

from pbem.games.protectors.reading.clauses import Clause, Dialect, Sentence
from pbem.games.protectors.reading.scope import STRONG, hangs_on_before
from pbem.grammar.kit.lexemes import Lexeme

_CORRECTIONS = {"CORRECT": "hard", "INSTEAD": "hard", "SOFTLY": "soft", "SCRATCH": "scratch"}
_POLITE_TAGS = frozenset(
    {
        "ok",
        "okay",
        "please",
        "pls",
        "plz",
        "alright",
        "all right",
        "thanks",
        "agreed",
        "would you mind",
    }
)
_QUIET = frozenset({"FILLER", "PROSE", "BAR", "PAST", "LATER"})
_WANTING = frozenset({"i", "we"})


def governs_next(sentence: Sentence) -> bool:
    """`If Ben attacks`, and the line ends: what stands below hangs on it."""
    clause = sentence.clauses[0]
    return len(sentence.clauses) == 1 and any(
        _is_condition(clause, clause.lexemes.index(first), first)
        for first in _significant(clause.lexemes)[:1]
    )


def judge(
    sentence: Sentence,
    following: Sentence | None,
    dialect: Dialect,
    me: int | None,
    *,
    earlier: bool,
) -> None:
    """Settle the verdicts of a sentence's clauses; `earlier`: whether the message has said an order
    before.

    The `following` sentence is looked at for a condition that hangs on this one.
    """
    clauses = sentence.clauses
    for i, clause in enumerate(clauses):
        if (earlier or i) and _is_retraction(
            clause, last=i == len(clauses) - 1, alone=following is None and len(clauses) == 1
        ):
            clause.verdict = "retraction"
            continue
        _note_corrections(clause, dialect, earlier=earlier or i > 0)
    _judge_questions(sentence, dialect)
    _judge_conditions(clauses, dialect)
    _judge_doubts(clauses, dialect)
    _cut_reasons(clauses, dialect)
    for clause in clauses:
        if clause.verdict == "order":
            _judge_talk(clause, dialect, me)
        if clause.verdict == "order":
            _judge_time(clause, dialect)
        _judge_negation(clause, dialect)
    _spread_refusals(clauses, dialect)
    if following is not None and hangs_on_before(following, dialect):
        for clause in clauses:
            clause.verdict = "condition" if clause.verdict == "order" else clause.verdict


def _significant(lexemes: Iterable[Lexeme]) -> list[Lexeme]:
    return [lexeme for lexeme in lexemes if lexeme.kind not in _QUIET]


# -------------------------------------------------------------------------------------- corrections
def _note_corrections(clause: Clause, dialect: Dialect, *, earlier: bool) -> None:
    kept: list[Lexeme] = []
    for i, lexeme in enumerate(clause.lexemes):
        strength = _CORRECTIONS.get(lexeme.kind, "")
        if (
            lexeme.kind == "NEG"
            and lexeme.text in {"no", "nope"}
            and earlier
            and not _significant(kept)
            and _is_correcting_no(clause, i)
        ):
            strength = "hard"
        if strength and _stands_between(kept, clause.lexemes[i + 1 :]):
            kept.append(lexeme)  # `fortify P1 sorry P2`: both, or P2 alone?
        elif strength and (earlier or lexeme.kind in {"SOFTLY", "INSTEAD"}):
            if clause.correction != "scratch" and not (strength == "soft" and clause.correction):
                clause.correction = strength
            clause.dropped.append(lexeme)
        else:
            kept.append(lexeme)
    clause.lexemes = kept


def _stands_between(before: list[Lexeme], after: list[Lexeme]) -> bool:
    """Whether a word of correction has the same on either side, with no comma: it would be lost
    among them.
    """
    said, following = _significant(before), _significant(after)
    return (
        bool(said and following)
        and said[-1].kind == following[0].kind
        and said[-1].kind in {"PLACE", "NUM", "WHO"}
    )


def _is_correcting_no(clause: Clause, at: int) -> bool:
    """`no, work P1`, `no 25`, `no P2`: not `no march`."""
    after = _significant(clause.lexemes[at + 1 :])
    return clause.joined != "and" and (
        not after
        or after[0].kind in {"NUM", "PLACE", "WHO", "CORRECT", "SOFTLY"}
        or (
            len(after) > 1
            and clause.joined == "comma"
            and after[1].kind == "PLACE"
            and after[0].kind != "MARCH"
        )
    )


def _is_retraction(clause: Clause, *, last: bool, alone: bool) -> bool:
    """`Just kidding`, `... - not!`: nothing but that."""
    said = _significant(clause.lexemes)
    return bool(said) and all(
        lexeme.kind == "RETRACT"
        or (
            last
            and lexeme.kind == "SOFTLY"
            and (lexeme.text.endswith(" no") or any(other.kind == "NEG" for other in said))
        )
        or (
            lexeme.kind == "NEG"
            and ((last and lexeme.text in {"not", "nope"}) or (alone and lexeme.text == "no"))
        )
        for lexeme in said
    )


# ---------------------------------------------------------------------------------------- questions
def _judge_questions(sentence: Sentence, dialect: Dialect) -> None:
    clauses = sentence.clauses
    opener = next((i for i, clause in enumerate(clauses) if _opens_question(clause, dialect)), None)
    if opener is None and sentence.asked:
        last = clauses[-1]
        if (
            len(clauses) > 1
            and all(lexeme.text in _POLITE_TAGS for lexeme in last.lexemes)
            and last.joined == "comma"
        ):
            return
        if any(_is_request(clause, dialect) for clause in clauses):
            return
        opener = 0
    if opener is not None:
        for clause in clauses[opener:]:
            clause.verdict = "question"


def _opens_question(clause: Clause, dialect: Dialect) -> bool:
    meaning = _significant(clause.lexemes)
    if not meaning or clause.joined == "verb":
        return False
    if meaning[0].kind == "REQUEST":
        return len(meaning) > 1 and meaning[1].kind == "ASKING"
    if meaning[0].kind == "ASKING":
        return not (
            meaning[0].text in {"can i", "could i", "may i", "can we", "could we", "may we"}
            and _says_please(clause)
            and clause.verb(dialect) is not None
        )
    first = clause.lexemes[0]
    if _says_please(clause) and first.text in {"can", "could"} and clause.verb(dialect) is not None:
        return False
    if clause.joined != "start":
        return (
            first.text in {"can", "could", "will"}
            and len(meaning) > 0
            and meaning[0].kind in {"PLACE", "WHO"}
        )
    return first.text in {"is", "are", "does", "can", "could", "will", "would"} and (
        meaning[0].kind in {"PLACE", "WHO", "OTHER"} or first.text in {"is", "are", "does"}
    )


def _says_please(clause: Clause) -> bool:
    return any(lexeme.text in {"please", "pls", "plz"} for lexeme in clause.lexemes)


def _is_request(clause: Clause, dialect: Dialect) -> bool:
    polite = clause.has("ASKING") or any(
        lexeme.text in {"can", "could"} for lexeme in clause.lexemes[:1]
    )
    return clause.has("REQUEST") or (
        _says_please(clause) and polite and clause.verb(dialect) is not None
    )


# ---------------------------------------------------------------------------- conditions and doubts
def _judge_conditions(clauses: list[Clause], dialect: Dialect) -> None:
    if any(clause.has("TURN") for clause in clauses):
        for clause in clauses:
            clause.verdict = "condition" if clause.verdict == "order" else clause.verdict
        return
    for i, clause in enumerate(clauses):
        at = next(
            (k for k, lexeme in enumerate(clause.lexemes) if _is_condition(clause, k, lexeme)), None
        )
        if at is None:
            continue
        first = i
        if any(
            lexeme.kind not in {"NEG", "EXCEPT"} for lexeme in _significant(clause.lexemes[:at])
        ) or clause.has("OR"):
            # Hanging on what stands before it: the clauses joined to this one, back to one with a
            # verb.
            while first > 0 and (
                clauses[first].joined in {"and", "verb"} or clauses[first].verb(dialect) is None
            ):
                first -= 1
        elif i and (
            clause.joined == "but"
            or clause.has("EXCEPT")
            or clause.lexemes[at].text in STRONG
            or _is_last_thought(clauses, i, dialect)
        ):
            first = i - 1
            while first > 0 and clauses[first].verb(dialect) is None:
                first -= 1
        for other in clauses[first:]:
            if other.verdict == "order":
                other.verdict = "condition"
        return


def _is_condition(clause: Clause, at: int, lexeme: Lexeme) -> bool:
    if lexeme.kind in {"COND", "OR"}:
        return True
    if lexeme.kind == "REASON" and lexeme.text in {"in case", "just in case"}:
        return clause.joined == "start" and not _significant(clause.lexemes[:at])
    return (
        lexeme.text in {"should", "had", "were", "given"}
        and at == 0
        and clause.joined == "start"
        and any(
            later.kind in {"WHO", "OTHER", "PLACE", "NOTHING", "ALL"}
            or clause.lexemes[1].text in _WANTING
            for later in _significant(clause.lexemes[1:])[:1]
        )
        and clause.verdict != "question"
    )


def _is_last_thought(clauses: list[Clause], at: int, dialect: Dialect) -> bool:
    """Whether a condition begun at this clause has nothing of its own behind it to hang on: then it
    hangs on what is before.
    """
    own = clauses[at]
    return all(clause.verb(dialect) is None or clause is own for clause in clauses[at:])


def _judge_doubts(clauses: list[Clause], dialect: Dialect) -> None:
    for i, clause in enumerate(clauses):
        possible = any(
            one.kind in {"PLACE", "ALL", "ELSE"} and two.text in {"could", "would"}
            for one, two in pairwise(clause.lexemes)
        )
        if (clause.has("HEDGE") or possible) and clause.verdict == "order":
            clause.verdict = "doubt"
            for later in clauses[i + 1 :]:
                if later.joined == "and" and later.verb(dialect) is None:
                    later.verdict = "doubt"
                else:
                    break
            if (
                i
                and clause.verb(dialect) is None
                and {one.kind for one in clause.meaning()}
                <= {"HEDGE", "NUM", "UNITS", "ALL", "BOTH"}
            ):
                clauses[i - 1].verdict = "doubt"  # `bid 17, maybe 18`
            if clause.verb(dialect) is None and not clause.has("PLACE", "NUM"):
                if i + 1 < len(clauses):
                    clauses[i + 1].verdict = "doubt"
                if i and (i + 1 == len(clauses) or clause.joined == "paren"):
                    clauses[i - 1].verdict = "doubt"


# ------------------------------------------------------------------------------------------ reasons
def _cut_reasons(clauses: list[Clause], dialect: Dialect) -> None:
    """Take off why and what for; what is joined to a reason by `and` must plainly be an order to be
    one.
    """
    reasoning = False
    for clause in clauses:
        at = next((i for i, lexeme in enumerate(clause.lexemes) if lexeme.kind == "REASON"), None)
        if reasoning and clause.joined in {"and", "verb", "but"}:
            clause.after_reason = True
            if clause.joined == "verb":
                clause.verdict = "reason"
                clause.dropped += clause.lexemes
                clause.lexemes = []
                continue
        if at is None:
            reasoning = reasoning and clause.joined in {"and", "verb"}
            continue
        reasoning = True
        if clause.verdict == "order":
            clause.dropped += clause.lexemes[at:]
            clause.lexemes = clause.lexemes[:at]
            if not _significant(clause.lexemes):
                clause.verdict = "reason"


# ------------------------------------------------------------------------------- negations and talk
def _judge_negation(clause: Clause, dialect: Dialect) -> None:
    if clause.verdict != "order":
        return
    nobody = any(
        lexeme.kind == "NOTHING" and lexeme.text in {"nobody", "no one", "noone"}
        for lexeme in clause.lexemes
    )
    verb = clause.verb(dialect)
    if (
        nobody
        and verb is not None
        and verb.kind in {"MARCH", "ATTACK", "WORK", "HOLD", "FORTIFY", "SUPPORT"}
    ) or clause.has("NEG"):
        clause.verdict = "negation"


def _judge_talk(clause: Clause, dialect: Dialect, me: int | None) -> None:
    """Who speaks of others, or of what was, orders nothing."""
    meaning = _significant(clause.lexemes)
    if not meaning:
        return
    if meaning[0].kind == "REQUEST":
        clause.lexemes = [lexeme for lexeme in clause.lexemes if lexeme.kind != "REQUEST"]
        return
    if meaning[0].kind == "ASKING":
        clause.lexemes = [lexeme for lexeme in clause.lexemes if lexeme.kind != "ASKING"]
        return
    if meaning[0].kind == "IN":
        clause.lexemes = [
            lexeme for lexeme in clause.lexemes if lexeme.text != "they"
        ]  # `in P2 they work`
    clause.lexemes = [
        lexeme
        for lexeme in clause.lexemes
        if not (
            lexeme.kind == "WHO"
            and lexeme.value == me
            and lexeme is meaning[0]
            and len(meaning) > 1
            and meaning[1].kind in dialect.verbs
        )
    ]
    meaning = _significant(clause.lexemes)
    others = (
        meaning
        and meaning[0].kind in {"OTHER", "WHO"}
        and len(meaning) > 1
        and (
            meaning[1].kind in dialect.verbs
            or meaning[1].kind in {"STATEMENT", "WORD", "OTHER", "ASKING", "PROSE"}
        )
    )
    past = clause.has("SEEMS") or (
        clause.has("STATEMENT") and not (clause.has("NEG") and meaning and meaning[0].kind == "NEG")
    )
    clause.about_others = (
        bool(others)
        or bool(meaning and meaning[0].kind == "OTHER")
        or _names_subject(clause, dialect, me)
    )
    thanked = any(
        one.kind == "FOR" and two.kind in dialect.verbs and two.text.endswith("ing")
        for one, two in pairwise(meaning)
    )
    if (
        thanked
        or others
        or (past and not _orders_first(meaning, dialect))
        or (meaning and meaning[0].kind == "OTHER")
    ):
        clause.verdict = "talk"
        if any(
            one.kind == "STATEMENT" and two.text == "by" for one, two in pairwise(clause.lexemes)
        ) and clause.has("PLACE"):
            clause.verdict = "doubt"  # `march ..., supported by P3`
    elif past:
        clause.verdict = "doubt"


def _orders_first(meaning: list[Lexeme], dialect: Dialect) -> bool:
    """`march 1 from P4 to P5 supported by P3`: an order, and behind it something said of it; not `I
    fortified P1`.
    """
    at = next((i for i, lexeme in enumerate(meaning) if lexeme.kind in {"STATEMENT", "SEEMS"}), 0)
    verb = next((i for i, lexeme in enumerate(meaning[:at]) if lexeme.kind in dialect.verbs), None)
    if verb is None or any(
        lexeme.kind not in {"PLACE", "IN", "FROM", "ALL", "ELSE", "GOLD", "DELAY", "NUM", "UNITS"}
        for lexeme in meaning[:verb]
    ):
        return False
    return any(lexeme.kind in {"PLACE", "ALL", "ELSE"} for lexeme in meaning[:at])


def _judge_time(clause: Clause, dialect: Dialect) -> None:
    """What one did last turn is told, not ordered; what one will do later is no order yet."""
    verb = clause.verb(dialect)
    if clause.has("PAST") and verb is not None and verb.kind != "SAME":
        told = verb.text.split()[0] in _WANTING or any(
            lexeme.text in _WANTING for lexeme in clause.lexemes
        )
        clause.verdict = "talk" if told else "doubt"
    elif clause.has("LATER") and (verb is not None or clause.has("PLACE", "NUM")):
        clause.verdict = "doubt"


def _names_subject(clause: Clause, dialect: Dialect, me: int | None) -> bool:
    """`I think May will buy two`: somebody else stands before the verb."""
    for lexeme in clause.lexemes:
        if lexeme.kind in dialect.verbs:
            return False
        if lexeme.kind == "OTHER" or (lexeme.kind == "WHO" and lexeme.value != me):
            return True
    return False


def _has_own_subject(clause: Clause, dialect: Dialect) -> bool:
    """`and I fortify P1`, `and P1 works`, `and bid 5` of mine: not `(May will buy two) and bid
    40`.
    """
    for lexeme in clause.lexemes:
        if lexeme.kind in dialect.verbs:
            return False
        if lexeme.kind in {"PLACE", "ALL", "ELSE"} or lexeme.text in {
            "i",
            "i'll",
            "i'd",
            "we",
            "we'll",
            "my",
            "our",
            "let",
            "please",
            "pls",
        }:
            return True
    return True


def _begins_with_verb(clause: Clause, dialect: Dialect) -> bool:
    return (
        bool(clause.lexemes)
        and clause.lexemes[0].kind in dialect.verbs
        and not clause.lexemes[0].text.endswith("s")
    )


def _spread_refusals(clauses: list[Clause], dialect: Dialect) -> None:
    """`don't march from P2 or P3`: what has no verb of its own shares the verdict of what it hangs
    on.
    """
    for before, clause in reversed(list(pairwise(clauses))):
        bare = (
            before.joined == "comma"
            and before.verdict == "order"
            and {lexeme.kind for lexeme in before.meaning()} == {"PLACE"}
        )
        if (
            bare
            and clause.joined in {"and", "comma"}
            and clause.verdict == "negation"
            and clause.verb(dialect) is None
        ):
            before.verdict = "negation"  # `P1 works, P2 and P3 don't`
    for before, clause in pairwise(clauses):
        told = before.verb(dialect) if before.verdict == "talk" and before.has("PAST") else None
        if (
            told is not None
            and clause.verb(dialect) is None
            and any(lexeme.text == "now" for lexeme in clause.lexemes)
        ):
            clause.lexemes.insert(0, told)  # `I bid 12 last time, now 15`
            continue
        hangs = (
            clause.joined in {"and", "verb", "comma"}
            and clause.verb(dialect) is None
            and clause.verdict == "order"
            and not clause.correction
        )
        if (
            clause.joined == "and"
            and clause.verdict == "order"
            and before.verdict == "talk"
            and before.about_others
        ):
            if not _has_own_subject(clause, dialect):
                clause.verdict, clause.about_others = "talk", True
        shared = (
            clause.joined == "and"
            and before.verdict == "negation"
            and before.verb(dialect) is not None
        )
        if (
            shared
            and clause.verdict == "order"
            and not clause.correction
            and _begins_with_verb(clause, dialect)
        ):
            clause.verdict = "negation"  # `I don't want to fortify P1 and march ...`
        if (
            clause.joined == "verb"
            and clause.verdict == "order"
            and before.verdict not in {"order", "reason"}
        ) or (
            hangs
            and before.verdict in {"negation", "question", "doubt", "talk"}
            and (before.verb(dialect) is not None or clause.joined != "comma")
        ):
            clause.verdict = before.verdict

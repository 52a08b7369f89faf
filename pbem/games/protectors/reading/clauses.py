"""A message in sentences, a sentence in clauses of at most one verb each.

Lines, `.`, `;`, `!` and `?` end a sentence; commas, `and`, `then`, `but`, brackets and dashes part
clauses; where nothing parts them, the verbs do (`p1 works p2 fortify`). What a clause lacks it may
take from its neighbours later.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pbem.games.protectors.reading.numbering import without_numbering
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain

MOST_CLAUSES = 300
"""A message is read no further than so many clauses."""

MOST_WORDS = 200
"""A clause of more words than this, with nothing that parts them, is not read."""

_WRAPPED_LINE = 55  # a line this long may have been broken by a mail program
_LOOSE = frozenset(
    {
        "FROM",
        "TO",
        "IN",
        "FOR",
        "AND",
        "EXCEPT",
        "ARROW",
        "DASH",
        "COMMA",
        "BUT",
        "OR",
        "NUM",
        "UNITS",
    }
)
_TURNING = frozenset({"NEG", "COND", "OR", "HEDGE", "TURN", "ASKING", "CONTRAST", "OTHER", "WHO"})
_TIGHT = frozenset({"FROM", "TO", "IN", "ARROW", "FOR"})
_UNPARTED = {"BUT": "EXCEPT", "SLASH": "OR"}
_MODIFIERS = frozenset(
    {
        "GOLD",
        "DELAY",
        "NUM",
        "UNITS",
        "ALL",
        "BOTH",
        "HALF",
        "SAC",
        "THEM",
        "NOTHING",
        "FILLER",
        "EACH",
    }
)
_SILENT = frozenset({"FILLER", "BAR", "QUOTE", "PROSE", "PAST", "LATER"})


@dataclass(frozen=True, slots=True)
class Dialect:
    """What clause-splitting must know of a game.

    Its verbs; `helpers` are those that another verb makes idle (`use 2 units to attack`); `weak`
    ones are too common to mean an order without a province or number; `takers` are followed by the
    name of an ability, which may be one of `named`; `echoes` may be said twice (`bid 20 as my
    bid`); `standing` are names that are an order alone; `spreading` verbs take bare numbers for
    provinces; `closing` ones end a message (`17 final`).
    """

    verbs: frozenset[str]
    helpers: frozenset[str]
    weak: frozenset[str]
    takers: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    echoes: frozenset[str] = frozenset()
    standing: frozenset[str] = frozenset()
    spreading: frozenset[str] = frozenset()
    closing: frozenset[str] = frozenset()


@dataclass(slots=True)
class Clause:
    """A stretch of a sentence with at most one verb.

    `joined` tells what stands before it: `start` of a sentence, `comma`, `and`, `but`, `paren`,
    `verb` (nothing at all). `verdict` is settled by conduct: `order` as long as nothing speaks
    against it. `line` counts sentences. `outcome` is what came of it: `taken`, `asked` or `silent`.
    """

    lexemes: list[Lexeme]
    joined: str
    line: int = 0
    verdict: str = "order"
    correction: str = ""
    colon: bool = False
    after_reason: bool = False
    fresh_line: bool = False
    about_others: bool = False
    outcome: str = "silent"
    dropped: list[Lexeme] = field(default_factory=list)

    @property
    def start(self) -> int:
        return min(lexeme.start for lexeme in (*self.lexemes, *self.dropped))

    @property
    def end(self) -> int:
        return max(lexeme.end for lexeme in (*self.lexemes, *self.dropped))

    def verb(self, dialect: Dialect) -> Lexeme | None:
        return next((lexeme for lexeme in self.lexemes if lexeme.kind in dialect.verbs), None)

    def has(self, *kinds: str) -> bool:
        return any(lexeme.kind in kinds for lexeme in self.lexemes)

    def meaning(self) -> list[Lexeme]:
        """The lexemes that say something."""
        return [lexeme for lexeme in self.lexemes if lexeme.kind not in _SILENT]


@dataclass(slots=True)
class Sentence:
    clauses: list[Clause]
    asked: bool


def sentences_of(plain: Plain, lexemes: Sequence[Lexeme], dialect: Dialect) -> Iterator[Sentence]:
    """Split a message. Numbering and bullets are gone afterwards."""
    line = 0
    for part, asked, fresh in _parts(plain, without_numbering(list(lexemes)), dialect):
        clauses = [
            piece
            for clause in _clauses(part, dialect)
            for piece in _split_at_verbs(clause, dialect)
        ]
        clauses = [clause for clause in clauses if clause.lexemes or clause.dropped]
        if clauses:
            line += 1
            for clause in clauses:
                clause.line = line
            clauses[0].fresh_line = fresh
            yield Sentence(clauses, asked)


def _parts(
    plain: Plain, lexemes: list[Lexeme], dialect: Dialect
) -> Iterator[tuple[list[Lexeme], bool, bool]]:
    """Stretches of lexemes between the ends of sentences, whether a question mark ended them, and
    whether a new line began them.
    """
    part: list[Lexeme] = []
    line_start, fresh = 0, True
    listing = False  # under a verb on a line of its own
    for i, lexeme in enumerate(lexemes):
        kind = lexeme.kind
        if kind == "NL":
            after = lexemes[i + 1] if i + 1 < len(lexemes) else None
            broken = after is not None and not listing and _lacks_verb(part, after, dialect)
            wrapped = after is not None and not _starts_anew(lexemes[i + 1 : i + 9], dialect)
            if (
                part
                and after is not None
                and (
                    broken
                    or (wrapped and _is_wrapped(plain, part, lexeme, after, line_start, dialect))
                )
            ):
                line_start = after.start
                continue
            line_start = lexeme.end
        elif (kind == "BANG" and _belongs_to_verb(part, lexemes, i, dialect)) or (
            kind == "DOT" and _is_tight(part, lexemes, i, dialect)
        ):
            continue
        elif kind not in {"DOT", "SEMI", "ASK", "BANG"}:
            part.append(lexeme)
            continue
        if part:
            listing = (listing and not any(other.kind in dialect.verbs for other in part)) or (
                part[0].kind in dialect.verbs and len(part) < 3
            )
            yield part, kind == "ASK", fresh
            fresh = False
        fresh = fresh or kind == "NL"
        part = []
    if part:
        yield part, False, fresh


def _is_wrapped(
    plain: Plain,
    part: list[Lexeme],
    newline: Lexeme,
    after: Lexeme,
    line_start: int,
    dialect: Dialect,
) -> bool:
    """Whether a line goes on in the next: it ends or goes on with a small word, or was long and the
    next is no beginning.
    """
    if after.kind == "NL" or part[-1].kind == "COLON":
        return False
    if part[-1].kind in _LOOSE - {"NUM", "UNITS"} or after.kind in _TIGHT:
        return True
    if after.kind in dialect.verbs and not any(lexeme.kind in _TURNING for lexeme in part):
        return False  # an order of its own, whatever goes before
    next_begins = plain.quote(after.start, after.start + 1)
    return newline.start - line_start >= _WRAPPED_LINE and next_begins.islower()


def _starts_anew(line: list[Lexeme], dialect: Dialect) -> bool:
    """`from P2 march 1 to P3`: a place and at once its verb is an order of its own, whatever stands
    above it.
    """
    if len(line) < 3 or line[0].kind not in {"FROM", "IN"} or line[1].kind != "PLACE":
        return False
    follows = next(
        (lexeme.kind for lexeme in line[2:] if lexeme.kind not in {"FILLER", "GOLD", "DELAY"}), ""
    )
    return follows in dialect.verbs


def _lacks_verb(part: list[Lexeme], after: Lexeme, dialect: Dialect) -> bool:
    """A line that names a province and no verb, before one that begins with the verb; `1 from P1`
    is an item of a list.
    """
    kinds = {lexeme.kind for lexeme in part}
    return (
        "PLACE" in kinds
        and not {"NUM", "FROM"} <= kinds
        and not kinds & dialect.verbs
        and part[-1].kind in {"PLACE", "COLON"}
        and after.kind in dialect.verbs | {"GOLD", "DELAY"}
    )


def _is_tight(part: list[Lexeme], lexemes: list[Lexeme], at: int, dialect: Dialect) -> bool:
    """`P1.fortify`: a point without a blank between a province and a verb ends nothing."""
    after = lexemes[at + 1] if at + 1 < len(lexemes) else None
    if (
        not part
        or after is None
        or part[-1].kind != "PLACE"
        or after.kind not in dialect.verbs
        or after.start != lexemes[at].end
    ):
        return False
    return not any(lexeme.kind in dialect.verbs for lexeme in part[-4:])


def _belongs_to_verb(part: list[Lexeme], lexemes: list[Lexeme], at: int, dialect: Dialect) -> bool:
    """`Fortify! P4`, `P2: March! 2 to P3`: the sign is part of the order's name; `P1 works! P2
    fortifies!`: it is not.
    """
    if not part or part[-1].kind not in dialect.verbs | {"ABILITY"}:
        return False
    follows = next(
        (later.kind for later in lexemes[at + 1 : at + 8] if later.kind not in {"FILLER", "BANG"}),
        "NL",
    )
    if part[-1].kind == "ABILITY":  # `Crusade! 2 from P2 to P3`
        return follows in {"NUM", "FROM", "MARCH", "DELAY"} and not any(
            lexeme.kind in dialect.verbs for lexeme in part
        )
    if part[-1].kind == "MARCH" and (
        follows in {"NUM", "BOTH", "TO"}
        or [later.kind for later in lexemes[at + 1 : at + 3]] == ["ALL", "TO"]
    ):
        return True
    if follows == "WHO" and part[-1].kind in {"SUPPORT", "SNITCH"}:
        return True
    clause: list[str] = []
    for lexeme in reversed(part[:-1]):
        if lexeme.kind in {"COMMA", "AND", "BUT"}:
            break
        clause.append(lexeme.kind)
    while clause and clause[-1] in _SILENT | {"GOLD", "DELAY"}:
        clause.pop()
    verb_first = "PLACE" not in clause or clause[-1] in dialect.verbs
    return verb_first and follows in {
        "PLACE",
        "NUM",
        "WHO",
        "FROM",
        "IN",
        "ALL",
        "ELSE",
        "BOTH",
        "TO",
        "WORD",
        "ATTACK",
    }


def _clauses(part: list[Lexeme], dialect: Dialect) -> Iterator[Clause]:
    """Cut one sentence at commas, joining words, brackets, and at dashes and colons that part."""
    clause = Clause([], "start")
    follows = _following(part)
    brackets = _plain_brackets(part)
    before: Lexeme | None = None
    for i, lexeme in enumerate(part):
        joined = "drop" if i in brackets else _joint(lexeme, clause, before, follows[i], dialect)
        if lexeme.kind in {"EXCEPT", "BUT"} and _orders_otherwise(part, i, clause, dialect):
            joined = "but"
        before = before if lexeme.kind in _SILENT or joined == "drop" else lexeme
        if joined is None:
            clause.lexemes.append(replace(lexeme, kind=_UNPARTED.get(lexeme.kind, lexeme.kind)))
        elif joined != "drop":
            clause.colon = lexeme.kind == "COLON"
            yield clause
            clause = Clause([], joined if clause.lexemes or joined != "and" else "and")
        elif lexeme.kind == "COLON":
            clause.colon = True
    yield clause


def _orders_otherwise(part: list[Lexeme], at: int, clause: Clause, dialect: Dialect) -> bool:
    """`work everywhere, except P2 fortifies`: an exception with an order of its own; `everything
    except P2 works` has none.
    """
    if clause.meaning() and not clause.verb(dialect) and not clause.has("NOTHING"):
        return False
    follows = [
        later.kind
        for later in part[at + 1 :]
        if later.kind not in _SILENT | {"COLON", "GOLD", "DELAY", "WHICH"}
    ]
    listed = next(
        (i for i, kind in enumerate(follows) if kind not in {"PLACE", "COMMA", "AND"}), len(follows)
    )
    if follows[max(0, listed - 2) : listed] == ["AND", "PLACE"]:
        del follows[: listed - 1]
    return any(kind in dialect.verbs for kind in follows[1:2] if follows[0] == "PLACE") or bool(
        set(follows[:1]) & dialect.verbs
    )


def _following(part: list[Lexeme]) -> list[Lexeme | None]:
    """For each place the next lexeme that says something."""
    following: list[Lexeme | None] = [None] * len(part)
    after: Lexeme | None = None
    for i in range(len(part) - 1, -1, -1):
        following[i] = after
        after = part[i] if part[i].kind not in _SILENT else after
    return following


def _plain_brackets(part: list[Lexeme]) -> set[int]:
    """Where the brackets of `(2)`, `(golden)`, `(sac 2)` stand: they belong to what is around
    them.
    """
    plain: set[int] = set()
    opening: int | None = None
    for i, lexeme in enumerate(part):
        if lexeme.kind == "LPAR":
            opening = i
        elif lexeme.kind == "RPAR" and opening is not None:
            plain |= {opening, i}
            opening = None
        elif lexeme.kind not in _MODIFIERS:
            opening = None
    return plain


def _joint(
    lexeme: Lexeme, clause: Clause, before: Lexeme | None, after: Lexeme | None, dialect: Dialect
) -> str | None:
    """How this lexeme parts clauses; `drop`: not at all, and it says nothing; None: it is no
    joint.
    """
    left, right = before.kind if before else "", after.kind if after else ""
    match lexeme.kind:
        case "COMMA":
            if lexeme.text == "…" and left == "PLACE" and clause.verb(dialect) is None:
                if right in dialect.verbs | {"GOLD", "DELAY", "NUM"}:
                    return "drop"  # `P1 ... fortify`
            opens = clause.joined == "start" and {lexeme.kind for lexeme in clause.meaning()} == {
                "EXCEPT",
                "PLACE",
            }
            return (
                "drop" if opens and right in {"ALL", "ELSE"} else "comma"
            )  # `except P2, everything works`
        case "AND":
            return "and"
        case "BUT":
            return (
                None if left in {"ALL", "ELSE"} or (left == "NOTHING" and right == "NUM") else "but"
            )
        case "SLASH":  # `P1 work/fortify`
            if left in dialect.verbs and right in dialect.verbs:
                return None
            verb = clause.verb(dialect)  # `march 2 from P2 to P3/P1`
            apart = (
                verb is not None
                and verb.kind not in dialect.spreading
                and left == right
                and left in {"PLACE", "WHO"}
            )
            return None if apart else "comma"
        case "LPAR" | "RPAR":
            return "paren"
        case "COLON" | "BAR":
            glued = left == "WHO" and clause.verb(dialect) is not None
            glued = (
                glued
                or left in {"PLACE", "NUM", "GOLD", "DELAY", "ALL", "ELSE", "ABILITY"}
                or left in dialect.verbs
            )
            glued = glued or (left == "UNITS" and clause.has("PLACE") and not clause.verb(dialect))
            return "drop" if glued and clause.lexemes else "comma"
        case "ARROW" if right in dialect.verbs or right in {"GOLD", "DELAY"}:
            return "drop"
        case "DASH":
            if left == "PLACE" and right == "PLACE":
                return None
            return "drop" if left == "PLACE" and not clause.verb(dialect) else "comma"
        case "BANG":
            return "drop"
    return None


def _split_at_verbs(clause: Clause, dialect: Dialect) -> Iterator[Clause]:
    """Part what no sign parts. Who begins with a province puts it before the verb; who begins with
    the verb, behind it.
    """
    if len(clause.lexemes) > MOST_WORDS:
        clause.lexemes = clause.lexemes[:MOST_WORDS]
        clause.verdict = "endless"
        yield clause
        return
    for piece in (
        piece
        for whole in _split_at_last_word(clause, dialect)
        for piece in _split_at_amounts(whole, dialect)
    ):
        yield from _split_at_each_verb(piece, dialect)


def _split_at_last_word(clause: Clause, dialect: Dialect) -> list[Clause]:
    """`17 final`, `2 from P2 final`: the last word is an order of its own."""
    before = [lexeme.kind for lexeme in clause.lexemes[:-1] if lexeme.kind not in _SILENT]
    if (
        len(before) == 0
        or clause.lexemes[-1].kind not in dialect.closing
        or set(before) & (dialect.verbs | {"NEG", "COND"})
    ):
        return [clause]
    if not set(before) & {"NUM", "NOTHING", "ALL", "BOTH"}:
        return [clause]
    return [
        replace(clause, lexemes=clause.lexemes[:-1], colon=False),
        Clause(clause.lexemes[-1:], "comma", colon=clause.colon),
    ]


def _split_at_amounts(clause: Clause, dialect: Dialect) -> Iterator[Clause]:
    """`2 from p1 3 from p2`, `bid 25 hodir`: the next amount, or the name of a faction, begins
    anew.
    """
    first = 0
    for i in range(1, len(clause.lexemes)):
        after = next(
            (
                later.kind
                for later in clause.lexemes[i + 1 :]
                if later.kind not in {"UNITS", "FILLER"}
            ),
            "",
        )
        before = [lexeme.kind for lexeme in clause.lexemes[first:i]]
        amount = (
            clause.lexemes[i].kind == "NUM"
            and after in {"FROM", "IN"}
            and "NUM" in before
            and before[-1] == "PLACE"
        )
        if amount or (
            clause.lexemes[i].kind in dialect.standing
            and "NUM" in before
            and before[-1] in {"NUM", "REALM"}
        ):
            yield Clause(clause.lexemes[first:i], clause.joined if not first else "and")
            first = i
    if first:
        yield Clause(clause.lexemes[first:], "and", colon=clause.colon)
    else:
        yield clause


def _split_at_each_verb(clause: Clause, dialect: Dialect) -> Iterator[Clause]:
    lexemes = _without_idle_verbs(clause.lexemes, dialect)
    if any(lexeme.kind == "CONTRAST" for lexeme in clause.lexemes):
        behind = lexemes[-1].end if lexemes else 0
        clause.dropped = [lexeme for lexeme in clause.lexemes if lexeme.start >= behind]
    verbs = [i for i, lexeme in enumerate(lexemes) if lexeme.kind in dialect.verbs]
    if len(verbs) < 2:
        clause.lexemes = lexemes
        yield clause
        return
    subject_first = any(lexeme.kind in {"PLACE", "ALL", "ELSE"} for lexeme in lexemes[: verbs[0]])
    cuts = [0]
    for verb in verbs[1:]:
        cut = verb
        while (
            cut - 1 > cuts[-1]
            and lexemes[cut - 1].kind in {"GOLD", "DELAY", "FILLER", "NEG", "WHICH"}
            and not (subject_first and lexemes[cut - 1].kind in {"GOLD", "DELAY"})
        ):
            cut -= 1
        if subject_first:
            while (
                cut - 1 > cuts[-1]
                and lexemes[cut - 1].kind in {"PLACE", "ALL", "ELSE", "FILLER"}
                and lexemes[cut - 2].kind not in {"FROM", "TO", "IN", "ARROW", "EXCEPT"}
            ):
                cut -= 1
        cuts.append(cut)
    cuts.append(len(lexemes))
    for i, (first, last) in enumerate(pairwise(cuts)):
        piece = Clause(
            lexemes[first:last],
            clause.joined if i == 0 else "verb",
            colon=clause.colon and i == len(cuts) - 2,
        )
        if i == len(cuts) - 2:
            piece.dropped = clause.dropped
        if piece.lexemes:
            yield piece


def _goes_on_behind(rest: list[Lexeme], dialect: Dialect) -> bool:
    """`instead of P1 P2 works`: where what is set aside ends, nobody can tell; `work P1 instead of
    fortifying P2` ends with it.
    """
    kinds = [lexeme.kind for lexeme in rest if lexeme.kind not in _SILENT]
    verbs = [i for i, kind in enumerate(kinds) if kind in dialect.verbs]
    return len(verbs) > 1 or bool(verbs and "PLACE" in kinds[: verbs[0]])


def _without_idle_verbs(lexemes: list[Lexeme], dialect: Dialect) -> list[Lexeme]:
    """`use 2 from P2 to attack P3`, `to work`, `support Ben's attack on P3`: words that look like a
    second verb and are none.
    """
    kept: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        after = next((later.kind for later in lexemes[i + 1 :] if later.kind != "FILLER"), "")
        seen = [earlier.kind for earlier in kept if earlier.kind in dialect.verbs]
        if lexeme.kind == "CONTRAST" and not _goes_on_behind(lexemes[i + 1 :], dialect):
            break
        if (
            seen
            and seen[-1] == "CANCEL"
            and lexeme.kind in dialect.verbs
            and not any(earlier.kind == "PLACE" for earlier in kept)
        ):
            continue  # `cancel my fortify in P1`
        if (
            lexeme.kind in dialect.echoes
            and lexeme.kind in seen
            and not any(later.kind == "PLACE" for later in lexemes[i + 1 :])
        ):
            continue
        if lexeme.kind == "IN" and after in dialect.verbs and not seen:
            continue  # `P1 on fortify`
        if lexeme.kind == "TO" and after in dialect.verbs:
            if seen and seen[-1] not in dialect.helpers:
                kept.append(Lexeme("REASON", lexeme.text, lexeme.start, lexeme.end))
            continue
        if lexeme.kind in dialect.named and seen and seen[-1] in dialect.takers:
            kept.append(replace(lexeme, kind="ABILITY"))
            continue
        if lexeme.kind in dialect.helpers and any(
            later.kind in dialect.verbs - dialect.helpers for later in lexemes[i + 1 :]
        ):
            continue
        if (
            lexeme.kind in {"ATTACK", "MARCH"}
            and seen
            and seen[-1] == "SUPPORT"
            and any(earlier.kind == "WHO" for earlier in kept)
            and after in {"IN", "TO", "PLACE"}
        ):
            continue
        kept.append(lexeme)
    return kept

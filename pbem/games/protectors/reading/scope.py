"""What one line of a message does to others: a heading governs the list below it, and a condition
the sentence it hangs on.

`Don't:`, `If Ben attacks:`, `Plan A:`, `Ben wrote:` and headings of words that are none here keep
what stands under them from being an order; `Orders:`, `Money:`, `Turn 3:` end that; `P1:` and
`Fortify:` do neither.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.games.protectors.reading.clauses import Dialect, Sentence
from pbem.grammar.kit.binding import People
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain

Span = tuple[int, int]

_QUOTED = re.compile(r'"[^"\n]*"')
_GRAVE = frozenset(
    {"NEG", "COND", "HEDGE", "OR", "ELSE", "CONTRAST"}
)  # governs all that stands below
_OF_OTHERS = frozenset(
    {"OTHER", "ASKING", "STATEMENT", "SEEMS", "PAST", "LATER", "RETRACT"}
)  # governs what it introduces
_ENDS = frozenset({"DOT", "SEMI", "ASK", "BANG"})
_IDEAS = frozenset(
    {
        "draft",
        "drafts",
        "example",
        "examples",
        "idea",
        "ideas",
        "option",
        "options",
        "alternative",
        "alternatives",
        "plan",
        "plans",
        "old",
        "previous",
        "former",
        "earlier",
        "possible",
        "suggested",
        "proposed",
        "potential",
        "rejected",
        "discarded",
        "invalid",
        "sample",
        "test",
        "cancelled",
    }
)
_TOPICS = frozenset(
    {
        "ps",
        "p.s",
        "update",
        "updates",
        "answer",
        "reply",
        "decision",
        "decisions",
        "action",
        "actions",
        "military",
        "diplomacy",
        "economy",
        "economic",
        "money",
        "finance",
        "finances",
        "transfer",
        "transfers",
        "army",
        "armies",
        "units",
        "moves",
        "movement",
        "movements",
        "purchases",
        "purchase",
        "bids",
        "defence",
        "defense",
        "offence",
        "offense",
        "north",
        "south",
        "east",
        "west",
        "front",
        "war",
        "summary",
        "conclusion",
        "result",
        "re",
        "subject",
        "instructions",
        "commands",
        "commitment",
        "commitments",
        "dragon",
        "snitching",
    }
)
_PLAIN = frozenset({"following", "note", "nb", "reminder", "step", "more", "thing", "befehle"})
_OWN = frozenset({"my", "our", "here", "mine"})
_CHOOSING = frozenset(
    {"which", "which way", "what", "what if", "should i", "should we", "shall i", "shall we"}
)
STRONG = frozenset(
    {
        "only if",
        "unless",
        "provided",
        "provided that",
        "providing",
        "as long as",
        "assuming",
        "assuming that",
        "subject to",
    }
)


@dataclass(slots=True)
class _Line:
    start: int
    end: int
    lexemes: list[Lexeme]
    listed: bool


def governed_spans(
    plain: Plain, lexemes: Sequence[Lexeme], people: People, dialect: Dialect
) -> list[Span]:
    """The stretches of the folded text in which nothing is an order, because of the heading
    above.
    """
    spans: list[Span] = []
    reach = ""  # of the heading in force: "line", "below" or none
    started = False
    lines = list(_lines(plain, lexemes))
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        if not plain.text[line.start : line.end].strip():
            reach = "" if started else reach
            continue
        since = line.start
        for part in _parts(line.lexemes):
            colon = next((lexeme for lexeme in part if lexeme.kind == "COLON"), None)
            if colon is None or _corrects(part, colon, lexemes[0]):
                continue
            word = _weigh(
                [lexeme for lexeme in part if lexeme.start < colon.start], people, dialect
            )
            if word == "free":
                if reach:
                    spans.append((since, part[0].start))
                reach = ""
            elif word and not reach:
                introduces = any(
                    lexeme.start >= colon.end and lexeme.kind not in _ENDS
                    for lexeme in line.lexemes
                )
                reach, since, started = word if introduces else "below", colon.end, False
            elif word == "below":
                reach = word
        if reach:
            spans.append((since, line.end))
            goes_on = any(
                lexeme.start >= since and lexeme.kind not in _ENDS for lexeme in line.lexemes
            )
            if goes_on and reach == "line":
                reach = ""
            started = started or goes_on
        elif _is_other_turn(line.lexemes) or (
            not line.listed
            and following is not None
            and following.listed
            and _asks_or_refuses(line.lexemes)
        ):
            reach, started = "below", False
    return spans


def quoted_spans(text: str, lexemes: Sequence[Lexeme], people: People) -> list[Span]:
    """What somebody else is quoted with: `Will wrote "support me in P10"`."""
    spans: list[Span] = []
    tellers = [
        lexeme.start
        for lexeme in lexemes
        if lexeme.kind in {"OTHER", "STATEMENT"}
        or (lexeme.kind == "WHO" and lexeme.value != people.me)
    ]
    for quoted in _QUOTED.finditer(text):
        line = text.rfind("\n", 0, quoted.start()) + 1
        at = bisect_left(tellers, line)
        if at < len(tellers) and tellers[at] < quoted.start():
            spans.append(quoted.span())
    return spans


def _corrects(part: list[Lexeme], colon: Lexeme, first: Lexeme) -> bool:
    """`2 from P1, no: 3`, `No: 2 in P7`, behind something: a correction, and no heading."""
    before = [lexeme for lexeme in part if lexeme.start < colon.start]
    if colon is part[-1]:
        return False
    comma = max((i for i, lexeme in enumerate(before) if lexeme.kind == "COMMA"), default=-1)
    said = [
        lexeme for lexeme in before[comma + 1 :] if lexeme.kind not in {"FILLER", "PROSE", "NL"}
    ]
    return (
        bool(said)
        and said[0] is not first
        and all(lexeme.text in {"no", "nope"} or lexeme.kind == "SOFTLY" for lexeme in said)
    )


def _lines(plain: Plain, lexemes: Sequence[Lexeme]) -> Iterator[_Line]:
    at = i = 0
    for text in plain.text.split("\n"):
        end = at + len(text)
        inside: list[Lexeme] = []
        while i < len(lexemes) and lexemes[i].start <= end:
            if lexemes[i].text != "\n":
                inside.append(lexemes[i])
            i += 1
        yield _Line(at, end, inside, _is_listed(inside))
        at = end + 1


def _is_listed(lexemes: list[Lexeme]) -> bool:
    """Whether a line begins with a bullet or a number."""
    if not lexemes:
        return False
    first = lexemes[1] if lexemes[0].kind == "LPAR" and len(lexemes) > 1 else lexemes[0]
    bullet = first.kind in {"DASH", "NL"}
    return bullet or (
        (first.kind == "NUM" or len(first.text) == 1)
        and any(lexeme.kind in {"DOT", "RPAR"} for lexeme in lexemes[1:3])
    )


def _parts(lexemes: list[Lexeme]) -> Iterator[list[Lexeme]]:
    part: list[Lexeme] = []
    for lexeme in lexemes:
        part.append(lexeme)
        if lexeme.kind in _ENDS:
            yield part
            part = []
    if part:
        yield part


def _weigh(head: list[Lexeme], people: People, dialect: Dialect) -> str:
    """`below` or `line`: how far a heading keeps from being orders what follows; `free`: it
    introduces orders; nothing: neither.
    """
    commas = [i for i, lexeme in enumerate(head) if lexeme.kind == "COMMA"]
    last = head[commas[-1] + 1 :] if commas else head
    if commas and _names_orders(last) and not _faults(last, people, dialect):
        return "free"
    if commas and last and all(lexeme.kind == "FILLER" for lexeme in last):
        return ""  # `I am away tomorrow, so: ...`
    faults = _faults(head, people, dialect)
    if faults:
        return "below" if "grave" in faults else "line"
    return "free" if _names_orders(head) else ""


def _faults(head: list[Lexeme], people: People, dialect: Dialect) -> set[str]:
    said = [lexeme for lexeme in head if lexeme.kind not in {"FILLER", "PROSE", "NL", "DASH"}]
    faults = {"grave" for lexeme in said if lexeme.kind in _GRAVE or lexeme.text in _IDEAS}
    faults |= {"grave" for lexeme in said[:1] if lexeme.text in {"in case", "just in case"}}
    faults |= {"others" for lexeme in said if lexeme.kind in _OF_OTHERS}
    verb = any(lexeme.kind in dialect.verbs for lexeme in said)
    if any(lexeme.kind == "WHO" and lexeme.value != people.me for lexeme in said) and (
        not verb or said[0].kind == "WHO"
    ):
        faults.add("others")
    unknown = [
        lexeme
        for lexeme in said
        if lexeme.kind == "WORD"
        and lexeme.text not in _TOPICS | _PLAIN
        and people.by_sign(lexeme.text) != people.me
    ]
    own = bool(head) and head[0].text in _OWN and len(unknown) < 2
    if unknown and not own and not (_names_orders(head) and len(unknown) < 4):
        faults.add("unknown")
    return faults


def _names_orders(head: list[Lexeme]) -> bool:
    return any(
        lexeme.text in _TOPICS or "order" in lexeme.text or "turn" in lexeme.text.split()
        for lexeme in head
    )


def _is_other_turn(lexemes: list[Lexeme]) -> bool:
    """`Turn 2` on a line of its own, when another is open."""
    said = [lexeme for lexeme in lexemes if lexeme.kind not in {"FILLER", "DASH"}]
    return bool(said) and all(
        lexeme.kind == "HEDGE" and lexeme.value is not None for lexeme in said
    )


def _asks_or_refuses(lexemes: list[Lexeme]) -> bool:
    """A line above a list, without a colon: `Which is better?`, `I won't`."""
    if not lexemes or any(
        lexeme.kind in {"PLACE", "NUM", "COLON", "REQUEST"} for lexeme in lexemes
    ):
        return False
    if lexemes[-1].kind == "ASK":
        return any(lexeme.kind == "OR" or lexeme.text in _CHOOSING for lexeme in lexemes)
    if lexemes[-1].kind in {"DOT", "BANG"}:
        return False
    said = [lexeme for lexeme in lexemes if lexeme.kind not in {"FILLER", "PROSE"}]
    short = len(said) < 3  # not `I won't be around tomorrow`
    return any(
        lexeme.kind in {"COND", "OR"} or (short and lexeme.kind in _GRAVE) for lexeme in said
    )


def hangs_on_before(sentence: Sentence, dialect: Dialect) -> bool:
    """Whether a sentence is a condition with nothing of its own: `But only if Ben marches.`, `(if
    Ben helps me)`.
    """
    first = sentence.clauses[0]
    said = [lexeme for lexeme in first.lexemes if lexeme.kind not in {"FILLER", "PROSE", "NEG"}]
    if (
        not said
        or said[0].kind != "COND"
        or any(clause.verb(dialect) is not None for clause in sentence.clauses[1:])
    ):
        return False
    return (
        first.joined in {"but", "paren"}
        or said[0].text in STRONG
        or first.verb(dialect) is not None
    )

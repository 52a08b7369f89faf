"""The sentences of a message as they were meant: signs read as the words they stand for, and
nothing between two words lost.

What a sign says is put into the kinds of realm_master.words (`hearts >= 7` is `hearts at least 7`,
`5+` is `5 or more`); a character that is none of ours becomes an unknown word, so that no sentence
is ever read without it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.games.realm_master.reading.parts import FACES, VERBS
from pbem.games.realm_master.reading.words import vocabulary
from pbem.grammar.kit.binding import People
from pbem.grammar.kit.lexemes import Lexeme, lexemes_of
from pbem.grammar.kit.normalise import Plain

_ENDS = frozenset({"NL", "SEMI", "DOT", "BANG", "ASK"})
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_SECOND = re.compile(r"(?<!\w)reroll ?2(?=\s*[:=])")
"""The key of the second reroll (RM-9.5), which no word is."""
_RANGE = re.compile(r"([<>]=?|=)\s*(\d{1,9})")
_BOUNDS = {
    "<": "BELOW",
    ">": "ABOVE",
    "<=": "MOST",
    ">=": "LEAST",
    "≤": "MOST",
    "≥": "LEAST",
    "=": "EXACT",
}
_HEADS: Mapping[str, frozenset[str]] = {
    "REROLL": frozenset({"REROLL", "KEEP"}),
    "ENTER": frozenset({"ENTER", "STAYOUT"}),
    "LIFE": frozenset({"TRADE"}),
    **{
        head: frozenset({head})
        for head in ("ATTACK", "BUY", "PLAY", "REVEAL", "LOOT", "RFACE", "WANT")
    },
    **dict.fromkeys(("TRIBUTE", "CARD"), frozenset[str]()),
}
"""Headings of a plan, and the verbs that say the same again."""
_ASKING = frozenset(
    "should shall can may"
    " could would must do does am is will what which when who where why how".split()
)
_SUBJECTS = frozenset("i we he she it they you the my there".split())


TALKING = frozenset({"you", "your", "u", "you're", "you'd", "anyone", "questions"})
"""Words of talk: a sentence with one of them says nothing of the sentence before."""
_GOES_ON = frozenset(
    "COMMA AND OR BUT ELSE THEN NOT IF UNLESS WHILE ONLY ONLYIF WITH TO ARE EXCEPT HAVE EXIST BELOW"
    " LEAST MOST ABOVE EXACT COLON".split()
)
"""What no sentence ends with."""
_MORE = frozenset("IF UNLESS WHILE ONLYIF ELSE THEN BUT EXCEPT LAND CARD OR ALWAYS HITS".split())
"""What a mere reason does not say."""
_SAYS_MORE = frozenset("LAND HERO WHO CARD BEST CHEAPEST NUM DAMAGE".split()) | set(FACES)


_NUMBERED = re.compile(r"(?<![^\s(])\(?(\d{1,2}|[a-h])[.)](?=[ \t]+\S)")
_TICKED = re.compile(r"(?m)^[ \t]*(?:[-*•][ \t]*)?[\[(][ \t]*(x|v|•)[ \t]*[\])]")
_UNTICKED = re.compile(r"[ \t]*(?:[-*•][ \t]*)?\[ ?\][ \t]*\S")


def without_numbers(text: str) -> str:
    """A folded text without the numbers of its list (`1) ... 2) ...`, `a) ... b) ...`), each a sign
    that parts sentences; and without ticks.
    """
    runs: list[list[re.Match[str]]] = []
    for found in _NUMBERED.finditer(text):
        place = int(found[1]) if found[1].isdigit() else ord(found[1]) - ord("a") + 1
        last = runs[-1] if runs else None
        if (
            last is not None
            and place == len(last) + 1
            and found[1].isdigit() == last[0][1].isdigit()
        ):
            last.append(found)
        elif place == 1:
            runs.append([found])
    told = [*text]
    for run in runs:
        for found in run if len(run) > 1 else ():
            told[found.start() : found.end()] = ";".ljust(len(found[0]))
    for found in _TICKED.finditer(text):
        told[found.start() : found.end()] = " " * len(found[0])
    return "".join(told)


def is_unticked(line: str) -> bool:
    """Whether a line has an empty box before it."""
    return _UNTICKED.match(line) is not None


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence: its words in order, where it stands in the folded text, and whether it asks."""

    lexemes: tuple[Lexeme, ...]
    is_question: bool = False
    is_open: bool = False
    """It ends with its line, without a sign."""

    @property
    def start(self) -> int:
        return self.lexemes[0].start

    @property
    def end(self) -> int:
        return self.lexemes[-1].end


def sentences_of(plain: Plain, line: str, offset: int, people: People) -> Iterator[Spoken]:
    """The sentences of a line that begins at `offset` of the folded text."""
    line = _SECOND.sub(
        lambda found: "second".ljust(len(found[0])), _HYPHEN.sub(" ", line.rstrip("\n"))
    )
    piece: list[Lexeme] = []
    held: Spoken | None = None
    for lexeme in _with_gaps(lexemes_of(line, vocabulary(), people), line):
        lexeme = replace(lexeme, start=lexeme.start + offset, end=lexeme.end + offset)
        if lexeme.kind not in _ENDS:
            piece.append(lexeme)
            continue
        if not piece:  # `attack!?`
            held = held if held is None or lexeme.kind != "ASK" else replace(held, is_question=True)
            continue
        if held is not None:
            yield held
        held, piece = _spoken(plain, piece, asks=lexeme.kind == "ASK"), []
    if held is not None:
        yield held
    if piece:
        yield replace(_spoken(plain, piece, asks=False), is_open=True)


def join_sentences(
    sentences: Sequence[Spoken], is_correcting: Callable[[Spoken], bool]
) -> list[Spoken]:
    """Sentences with what is said of them in the next, or stands there because a line was full,
    made one.

    `Enter Jerum. Otherwise Arub.` and `Enter Jerum` with `only with 7 hearts` below it are one
    thing said in two pieces: half of it is another order.
    """
    joined: list[Spoken] = []
    for spoken in sentences:
        before = joined[-1] if joined else None
        if (
            before is None
            or not before.lexemes
            or before.is_question
            or spoken.is_question
            or not _belongs(before, spoken)
            or is_correcting(spoken)
        ):
            joined.append(spoken)
            continue
        comma = Lexeme("COMMA", ",", before.end, before.end)
        between = () if before.is_open and not _begins_apart(spoken) else (comma,)
        joined[-1] = replace(spoken, lexemes=(*before.lexemes, *between, *spoken.lexemes))
    return joined


def _belongs(before: Spoken, spoken: Spoken) -> bool:
    said = [lexeme for lexeme in spoken.lexemes if lexeme.kind not in ("FILLER", "COMMA")]
    told = [lexeme for lexeme in before.lexemes if lexeme.kind != "FILLER"]
    if not said or not told or not any(lexeme.kind in VERBS for lexeme in told):
        return bool(said and told) and before.is_open and told[-1].kind == "NOT"
    if before.is_open and told[-1].kind in _GOES_ON:
        return True
    has_verb = any(lexeme.kind in VERBS for lexeme in said)
    if {lexeme.kind for lexeme in said} == {"NOT"} or (
        before.is_open and said[0].kind in ("AND", "OR", "MORE", "LESS") and not has_verb
    ):
        return True
    if (
        before.is_open and told[-1].kind == "NUM" and said[0].kind in _SAYS_MORE and not has_verb
    ):  # `... if I have 7` and `hearts` below it
        return True
    first = said[1] if said[0].kind in ("BUT", "AND") and len(said) > 1 else said[0]
    if {lexeme.text for lexeme in said} & TALKING:
        return False
    if first.kind in ("ELSE", "ONLYIF", "UNLESS", "EXCEPT"):
        return True
    is_bare = not has_verb and any(lexeme.kind in _SAYS_MORE for lexeme in said)
    return is_bare and first.kind in ("IF", "WHILE", "WITH", "ONLY", "NOT")


def _begins_apart(spoken: Spoken) -> bool:
    return spoken.lexemes[0].kind in ("NOT", "ELSE", "ONLYIF", "UNLESS", "EXCEPT", "BUT")


def _with_gaps(lexemes: Sequence[Lexeme], line: str) -> Iterator[Lexeme]:
    """The lexemes, and an unknown word for whatever between them was none."""
    at = 0
    for lexeme in lexemes:
        gap = line[at : lexeme.start]
        if at and any(character in gap for character in "<>%@\\"):
            yield Lexeme("WORD", gap.strip(), at, lexeme.start)
        yield lexeme
        at = max(at, lexeme.end)


def _spoken(plain: Plain, lexemes: Sequence[Lexeme], *, asks: bool) -> Spoken:
    said = [lexeme for lexeme in lexemes if lexeme.kind not in ("COMMA", "DASH")]
    words = plain.text[said[0].start : said[-1].end].split() if said else []
    words = [word.strip(",.!\"'") for word in words]
    while words and words[0] in (
        "so",
        "and",
        "or",
        "ok",
        "hi",
        "hello",
        "well",
        "then",
        "but",
        "hm",
        "hmm",
        "please",
    ):
        words = words[1:]
    asks = asks or (
        len(words) > 1
        and words[0] in _ASKING - {"when", "will", "is", "do"}
        and words[1] in _SUBJECTS
    )
    told = _without_reason(_without_heading(list(_in_words(plain, lexemes))))
    return Spoken(tuple(told), asks)


def _without_reason(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`Attack, since he has too many banners`: why is no condition. Where it may be more, it
    stays.
    """
    at = next((i for i, lexeme in enumerate(lexemes) if lexeme.kind == "REASON"), 0)
    after = {lexeme.kind for lexeme in lexemes[at + 1 :]}
    if not any(lexeme.kind in VERBS for lexeme in lexemes[:at]) or after & (_MORE | VERBS):
        return lexemes
    while at and lexemes[at - 1].kind in ("COMMA", "DASH"):
        at -= 1
    return lexemes[:at]


def _without_heading(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`Buy: shield` is `buy shield`, `reroll: keep swords` is `keep swords`; `hit:` and `realm:`
    tell when.
    """
    while lexemes and lexemes[0].kind == "DASH":
        del lexemes[0]
    if len(lexemes) < 3 or not (lexemes[1].kind == "COLON" or lexemes[1].text in ("=", "|")):
        return lexemes
    head, after = lexemes[0], [lexeme.kind for lexeme in lexemes[2:4] if lexeme.kind != "NOT"]
    if head.text == "hit":
        return [replace(head, kind="WHENHIT"), *lexemes[1:]]
    if head.kind == "REALM":
        return [replace(head, kind="OWNTURN"), *lexemes[1:]]
    if head.kind not in _HEADS:
        return lexemes
    return lexemes[2:] if after[:1] and after[0] in _HEADS[head.kind] else [head, *lexemes[2:]]


def _in_words(plain: Plain, lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    verb_seen = False
    skip = 0
    for i, lexeme in enumerate(lexemes):
        if skip:
            skip -= 1
            continue
        after = lexemes[i + 1] if i + 1 < len(lexemes) else None
        before = lexemes[i - 1] if i else None
        match lexeme.kind:
            case "RANGE" if (found := _RANGE.fullmatch(lexeme.text)) is not None:
                sign = plain.original[plain.where[lexeme.start]]
                kind = _BOUNDS[sign if sign in "≤≥" else found[1]]
                split = lexeme.start + found.start(2)
                yield replace(lexeme, kind=kind, text=found[1], end=split)
                yield Lexeme("NUM", found[2], split, lexeme.end, int(found[2]))
            case "BAR" if lexeme.text == "=" and after is not None:
                if after.kind == "NUM":
                    yield replace(lexeme, kind="EXACT")
                else:
                    yield replace(lexeme, kind="ARE")
            case "AND" if (
                lexeme.text == "+"
                and before is not None
                and before.kind == "NUM"
                and before.end == lexeme.start
            ):
                is_tight = after is not None and after.start == lexeme.end
                yield replace(lexeme, kind="WORD" if is_tight else "MORE")
            case "WHENHIT" if after is not None and after.text == "by":  # `if hit by the elf`
                yield replace(lexeme, kind="IF")
                yield replace(after, kind="HITS", text="hit by")
                skip = 1
            case "ARROW":
                yield replace(lexeme, kind="ARE")
            case "SLASH":
                yield replace(lexeme, kind="OR")
            case "FILLER" if lexeme.value is not None:  # `in round 5`
                yield replace(lexeme, kind="WORD", value=None)
            case "FILLER" if lexeme.text == "just" and verb_seen:  # `keep just the swords`
                yield replace(lexeme, kind="ONLY")
            case "REALM" if lexeme.text == "$":
                yield replace(lexeme, kind="WORD")
            case "DASH" if (
                after is not None
                and after.kind == "NUM"
                and after.start == lexeme.end
                and before is not None
                and (before.kind == "NUM" and before.end == lexeme.start)
            ):  # `2-3`
                yield replace(lexeme, kind="WORD")
            case _:
                yield lexeme
        verb_seen = verb_seen or lexeme.kind in ("KEEP", "REROLL")

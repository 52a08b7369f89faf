"""Folded text into lexemes: words and phrases of a kind, numbers, places, players and signs."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from pbem.grammar.kit.people import People
from pbem.grammar.kit.vocabulary import Vocabulary, hurried, shortened


def set_of(words: str) -> frozenset[str]:
    """Words of a text as a set: kinds of lexemes, mostly."""
    return frozenset(words.split())


LARGEST = 10**9
"""Numbers above are read as this one: out of every range."""

SIGNS = {
    "\n": "NL",
    "•": "NL",
    ".": "DOT",
    ";": "SEMI",
    "?": "ASK",
    "!": "BANG",
    ",": "COMMA",
    "…": "COMMA",
    ":": "COLON",
    "/": "SLASH",
    "(": "LPAR",
    "[": "LPAR",
    "{": "LPAR",
    ")": "RPAR",
    "]": "RPAR",
    "}": "RPAR",
    "|": "BAR",
    "=": "BAR",
    "→": "ARROW",
    "-": "DASH",
    "~": "DASH",
    "+": "AND",
    "&": "AND",
    "$": "MONEY",
}

_TOKENS = re.compile(
    r"""
    (?![ ])(?:
    (?=[efioprtx])(?:  # a word that begins otherwise is none of these
      (?<!\w)(?:provinces?|provinz|prov\.?|territory)[ ]*+
        (?:(?:no\.?|nr\.?|number)[ ]*+)?(?:\#[ ]*+)?(?P<place>\d+)
          (?!\w|\.\d+[ ]*(?:$|[.,;!?\n]))
    | (?<!\w)p[ ]?[.#]?[ ]?(?P<p>\d+)(?=$|\W|[a-z]{4})(?!\.\d+[ ]*(?:$|[.,;!?\n]))
    | (?<!\w)players?[ ]*+(?:(?:no\.?|nr\.?|number)[ ]*+)?(?:\#[ ]*+)?(?P<player>\d+)(?!\w)
    | (?:(?<=\d[ ])|(?<=one[ ])|(?<=two[ ])|(?<=both[ ])|(?<=half[ ])|(?<=three[ ])|(?<=some[ ]))
        (?P<share>(?:out[ ])?of[ ](?:my[ ]|the[ ]|our[ ])?(?:\d|two|three|four|five)[ ]
        (?:units|armies|troops|men|guys|soldiers))(?!\w)
    | (?<!\w)(?P<turn>(?:for[ ]|in[ ])?(?:turn|round|phase)[ ]\#?\d+|t\d{1,3}(?=[ ]?:))(?!\w)
    | (?<!\w)x[ ]?(?P<times>\d+)(?!\w)
    | (?<!\w)(?P<abbreviation>e\.[ ]?g\.?|i\.[ ]?e\.?)(?!\w)
    )
  | (?P<word>[^\W\d_]+(?:'(?!s(?!\w))[^\W\d_]+)*)(?![\d_])
  | (?=\d)(?:
      (?<![\w.])(?P<times2>\d+)[ ]?x(?!\w)
    | (?P<percent>(?<![\w.])\d+[ ]?%)(?!\w)
    | (?<!\w)(?P<thousands>\d{1,3}(?:[.,]\d{3})+)(?![\w])
    | (?<!\w)(?P<decimal>\d+\.\d+)(?!\w)
    | (?<!\w)(?P<number>\d+)(?!\w)
    )
  | \#[ ]?(?P<hash>\d+)(?!\w)
  | (?P<guess>(?:(?<![\w)])[<>~]=?|[<>]=?)[ ]?\d+)(?!\w)
  | (?<=[ :])-(?P<minus>\d+)(?!\w)
  | '(?:s)?(?!\w)
  | (?P<junk>\w+)
  | (?P<sign>[\n.;?!,:()\[\]{}/|=→\-~…•+&$])
    )
    """,
    re.VERBOSE,
)
"""Apart by their first sign, so that most are not looked at."""
# Where a word that is also a name, colour or symbol must mean a player; a game has more such kinds.
_BEFORE_PLAYERS = set_of("TO FOR FROM IN PLAYER CORRECT SOFTLY")


class Lexeme(Struct, frozen=True):
    """One word, phrase, number or sign. `value` is a number, a numbered place or a player;
    `end` is exclusive.
    """

    kind: str
    text: str
    start: int
    end: int
    value: int | None = None
    slip: bool = False


def lexemes_of(text: str, vocabulary: Vocabulary, people: People) -> list[Lexeme]:
    """All lexemes of a folded text, in order."""
    return _join_places(_join_numbers(list(_classify(_scan(text, people), vocabulary, people))))


@lru_cache(maxsize=64)
def _pattern_of(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Names of more than one plain word are found before anything else is read."""
    odd = [re.escape(name) for name in sorted(names, key=len, reverse=True) if not name.isalpha()]
    return re.compile(rf"(?<!\w)(?:{'|'.join(odd)})(?!\w)") if odd else None


def _scan(text: str, people: People) -> Iterator[Lexeme]:
    names, at = _pattern_of(people.exact_names), 0
    for found in names.finditer(text) if names else ():
        yield from _scan_plain(text, at, found.start())
        yield Lexeme("WHO", found[0], found.start(), found.end(), people.by_name(found[0]))
        at = found.end()
    yield from _scan_plain(text, at, len(text))


def _scan_plain(text: str, start: int, end: int) -> Iterator[Lexeme]:
    for found in _TOKENS.finditer(text, start, end):
        group = found.lastgroup
        if group is None:
            continue
        raw, (first, last) = found[group], found.span()
        match group:
            case "word":
                yield Lexeme("RAW", raw, first, last)
            case "sign":
                yield Lexeme(SIGNS[raw], raw, first, last)
            case "place" | "p" | "hash":
                number = int(raw[:12]) or LARGEST  # place 0 has a name, and is not written so
                yield Lexeme("PLACE", found[0], first, last, min(number, LARGEST))
            case "player":
                yield Lexeme("WHO", found[0], first, last, min(int(raw[:12]), LARGEST))
            case "number" | "times" | "times2":
                yield Lexeme("NUM", found[0], first, last, min(int(raw[:12]), LARGEST))
            case "thousands":
                yield Lexeme(
                    "NUM", raw, first, last, min(int(re.sub(r"\D", "", raw)[:12]), LARGEST)
                )
            case "minus":
                yield Lexeme("MINUS", raw, first, last, -min(int(raw[:12]), LARGEST))
            case "turn":
                yield Lexeme("FILLER", raw, first, last, int(re.sub(r"\D", "", raw)[:12]))
            case "guess" | "percent":
                yield Lexeme("RANGE", raw, first, last)
            case "abbreviation":
                yield Lexeme("HEDGE" if raw[0] == "e" else "FILLER", raw, first, last)
            case "share":
                yield Lexeme("UNITS", raw, first, last)  # `2 of my 3 units`
            case "junk" if raw in hurried():  # `b4`
                yield Lexeme("RAW", raw, first, last)
            case _:  # a decimal, or junk
                yield Lexeme("WORD", raw, first, last)


def _classify(
    scanned: Iterator[Lexeme], vocabulary: Vocabulary, people: People
) -> Iterator[Lexeme]:
    spelt = hurried()
    tokens = [
        replace(token, text=vocabulary.written_out(token.text))
        if token.text in spelt and token.kind == "RAW" and people.by_name(token.text) is None
        else token
        for token in scanned
    ]
    led = _BEFORE_PLAYERS | vocabulary.people
    at, before = 0, ""
    while at < len(tokens):
        token = tokens[at]
        if token.kind != "RAW":
            if token.kind == "MINUS":
                token = _minus(token, before)
            elif token.kind == "WHO" and before == "WHO" and token.text.startswith("player"):
                token = replace(token, kind="NUM")  # `the yellow player 12`
            yield token
            at, before = at + 1, before if token.kind in {"BANG", "BAR"} else token.kind
            continue
        number, sign = people.by_name(token.text), people.by_sign(token.text)
        known = number is not None or sign is not None
        corrected = None if known else vocabulary.without_slip(token.text)
        text = corrected or token.text
        begins = text in vocabulary.phrases
        count, kind = _phrase_at(tokens, at, text, vocabulary) if begins else (0, "")
        if number is not None and count >= 2:
            number = None
        elif known:
            after = next((later for later in tokens[at + 1 : at + 4] if later.kind != "NL"), None)
            number = _player_here(token.text, before, after, led, known=kind != "", people=people)
        if number is not None:
            yield replace(token, kind="WHO", value=number)
            at, before = at + 1, "WHO"
            continue
        last, words = token, text
        if count > 1:
            last = tokens[at + count - 1]
            rest = [x.text for x in tokens[at + 1 : at + count] if x.kind == "RAW"]
            words = " ".join((words, *(vocabulary.without_slip(x) or x for x in rest)))
        kind, value = _numbered(kind or "WORD")
        if (
            kind == "FILLER"
            and len(words) == 1
            and before in {"TO", "FOR"} | vocabulary.names
            and (at + 1 == len(tokens) or tokens[at + 1].kind != "RAW")
        ):
            kind = "WORD"  # the beginning of a name, not an article
        if kind == "TURN" and before in led and people.candidates(words):
            kind = "WORD"  # `support Ma in P2`
        if kind == "ME":
            kind, value = "WHO", people.me
        if kind == "ALL" and count > 1:
            value = _counted(last, vocabulary)
        yield Lexeme(
            kind,
            words,
            token.start,
            last.end,
            value,
            slip=corrected is not None and not shortened(token.text),
        )
        if kind != "FILLER":
            before = kind
        at += max(count, 1)


def _numbered(kind: str) -> tuple[str, int | None]:
    """The kind and value of `N12`, the number 12, and of `P0`, the place 0."""
    if kind[0] in "NP" and kind[1:].isdigit():
        return "NUM" if kind[0] == "N" else "PLACE", int(kind[1:])
    return kind, None


def _counted(token: Lexeme, vocabulary: Vocabulary) -> int | None:
    """The number that a word says: of `all three` how many they are."""
    if token.kind == "NUM":
        return token.value
    _, kind = _phrase_at([token], 0, token.text, vocabulary)
    return int(kind[1:]) if kind[:1] == "N" and kind[1:].isdigit() else None


def _phrase_at(
    tokens: Sequence[Lexeme], at: int, first: str, vocabulary: Vocabulary
) -> tuple[int, str]:
    """How many tokens the longest phrase here takes, and its kind; a comma inside `work, work` does
    not part it.
    """
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    second = after.text if after is not None and after.kind == "RAW" else ""
    for words, kind in vocabulary.begun(first, second):
        if len(words) == 1 and tokens[at].kind == "RAW":
            return 1, kind
        taken, matched = at, 0
        while matched < len(words) and taken < len(tokens):
            token = tokens[taken]
            if matched and token.kind == "COMMA" and words[matched] == words[matched - 1]:
                taken += 1
                continue
            text = first if taken == at else token.text
            if taken != at and token.kind == "RAW" and text != words[matched]:
                text = vocabulary.without_slip(text) or text
            if token.kind != "RAW" or text != words[matched]:
                break
            taken, matched = taken + 1, matched + 1
        if matched == len(words):
            return taken - at, kind
    return 0, ""


def _player_here(
    word: str,
    before: str,
    after: Lexeme | None,
    led: frozenset[str],
    *,
    known: bool,
    people: People,
) -> int | None:
    """The player a word means: an exact name, unless it is a word of ours too; that, a colour or a
    symbol only where one stands.
    """
    by_name = people.by_name(word)
    if by_name is not None and not known:
        return by_name
    number = by_name if by_name is not None else people.by_sign(word)
    if number is None:
        return None
    alone = before in {"", "COMMA", "NL", "DOT", "CORRECT", "SOFTLY"} and (
        after is None or after.kind in {"COMMA", "DOT", "INSTEAD"}
    )
    followed = after is not None and after.text.startswith(("player", "spieler"))
    expected = (
        before in led
        or (before == "NUM" and by_name is None and not known)
        or (before == "COLON" and after is None)
    )
    return number if expected or followed or (alone and not known) else None


def _minus(token: Lexeme, before: str) -> Lexeme:
    """A sign directly before a number belongs to it, but not in `P2 -2` or behind a bullet."""
    if before in {"", "NL", "PLACE", "NUM"}:
        return replace(token, kind="NUM", value=-(token.value or 0))
    return replace(token, kind="NUM")


def _join_places(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`province two` is a province; the word alone says nothing."""
    joined: list[Lexeme] = []
    for lexeme in lexemes:
        last = joined[-1] if joined else None
        if (
            last is not None
            and last.kind == "FILLER"
            and last.text in {"province", "provinces", "territory"}
            and lexeme.kind == "NUM"
        ):
            joined[-1] = Lexeme("PLACE", lexeme.text, last.start, lexeme.end, lexeme.value)
        else:
            joined.append(replace(lexeme, kind="FILLER") if lexeme.kind == "PROVINCE" else lexeme)
    return joined


def _join_numbers(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`twenty-two`, `twenty two`, `one hundred and ten` are one number."""
    joined: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        if (
            lexeme.kind == "NUM"
            and lexeme.text[0].isalpha()  # digits there may number the next order
            and [other.kind for other in joined[-1:]] == ["NL"]
            and _goes_over_line(joined, lexemes[i + 1 : i + 2])
        ):
            joined.pop()
        last = joined[-1] if joined else None
        if lexeme.kind == "NUM" and not lexeme.text[0].isdigit() and lexeme.value is not None:
            dash = last is not None and last.kind in {"DASH", "AND"} and len(joined) > 1
            left = joined[-2] if dash else last
            if (
                left is not None
                and left.kind == "NUM"
                and left.text[0].isalpha()
                and left.value is not None
            ):
                tens = (
                    left.value % 100 in range(20, 100, 10)
                    and 0 < lexeme.value < 10
                    and (last is left or (last is not None and last.kind == "DASH"))
                )
                hundreds = (
                    left.value > 0
                    and left.value % 100 == 0
                    and 0 < lexeme.value < 100
                    and left.text.endswith(("hundred",))
                )
                times = last is left and left.value < 10 and lexeme.value == 100
                if tens or hundreds or times:
                    del joined[-2 if dash else -1 :]
                    value = left.value * 100 if times else left.value + lexeme.value
                    joined.append(Lexeme("NUM", lexeme.text, left.start, lexeme.end, value))
                    continue
        joined.append(lexeme)
    return joined


def _goes_over_line(before: Sequence[Lexeme], after: Sequence[Lexeme]) -> bool:
    """`twenty-` / `five`, `one hundred and` / `five`, `twenty` / `two`; not `bid twenty` / `two
    from P1`.
    """
    kinds = [lexeme.kind for lexeme in before[-3:-1]]
    if kinds in (["NUM", "DASH"], ["NUM", "AND"]):
        return before[-3].text[0].isalpha()
    ends = not after or after[0].kind in {"NL", "DOT", "COMMA", "AND", "BANG", "SEMI", "MONEY"}
    return ends and kinds[-1:] == ["NUM"] and before[-2].text[0].isalpha()

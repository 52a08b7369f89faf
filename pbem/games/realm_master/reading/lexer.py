"""The text of a message as lexemes of Realm-Master: signs read as the words they stand for,
headings as what they head, and nothing between two words lost.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from engine.realm_master.state import Stage
from pbem.games.realm_master.reading.beginnings import with_beginnings
from pbem.games.realm_master.reading.frames import in_frames
from pbem.games.realm_master.reading.gone import without_gone
from pbem.games.realm_master.reading.neighbours import BOUND_SIGNS, PAUSES, STARTS, in_words
from pbem.games.realm_master.reading.parts import FACES
from pbem.games.realm_master.reading.shorthand import THROWING, in_full
from pbem.games.realm_master.reading.wishes import GRADES, wished
from pbem.games.realm_master.reading.words import (
    LANGUAGE,
    cards_by_name,
    heroes_by_name,
    lands_by_name,
)
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.lexicon import load_lexicon, read_lexemes
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.people import People
from pbem.grammar.kit.senses import settle
from pbem.grammar.kit.vocabulary import Vocabulary

_WITHOUT = frozenset(
    "FILLER WHICH FROM PROVINCE IN FOR TIMES UNITS THEUNITS ALL ELSE BOTH HALF EACH THEM NOTHING ME"
    " PLAYER MONEY WITH SAME THERE".split()
)
"""Kinds of the kit's words that mean something else here, or nothing."""
_ENDING = frozenset({"NL", "SEMI", "DOT", "COMMA"})
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_SECOND = re.compile(r"(?<!\w)reroll ?2(?=\s*[:=])")
"""The key of the second reroll (RM-9.5), which no word is."""
_FIRST = re.compile(r"(?<!\w)reroll ?1(?=\s*[:=])")
_BOTH_THROWS = re.compile(r"(?<!\w)rr([12])(?!\w)")
_LEADER = re.compile(r"(?m)^([a-z][a-z ]{0,24}?) \.{2,} (?=\S)")
"""Dots that lead from a heading to what it says, in a table."""
_CLOCK = re.compile(r"(?<![\w:])\d{1,2}:\d{2}:?(?![\w:])")
_THROW, _IN = frozenset({"REROLL", "KEEP"}), frozenset({"ENTER", "STAYOUT"})
_HEADS: Mapping[str, frozenset[str]] = {
    "REROLL": _THROW,
    "ENTER": _IN,
    "SECOND": frozenset(),
    "LIFE": frozenset({"TRADE"}),
    **{
        head: frozenset({head})
        for head in ("ATTACK", "BUY", "PLAY", "REVEAL", "LOOT", "RFACE", "WANT", "TRIBUTE")
    },
    "CARD": frozenset(),
}
"""Headings of a plan, and the verbs that say the same again."""
_MOMENT_OF = {"hit": "WHENHIT", "REALM": "OWNTURN"}
"""Headings that tell when: a word, and a kind."""
_LISTED = _HEADS.keys() - {"CARD", "LIFE", "RFACE"} | {"WHENHIT", "OWNTURN", "REALM"}
"""Headings that may stand one behind another in a line."""
_EMPTY = frozenset({"ENTER", "BUY", "REROLL"})
"""Headings below which `no` is `nothing`."""
_NO = frozenset({"no", "nope", "nah"})
_STOPPING = frozenset({"NOT", "WAIT"})
_HANGING = frozenset({"the", "a", "an", "my", "i", "i'll", "i'd", "i'm", "to", "of"})
"""No line ends with one of these."""
_ARTICLES = frozenset({"the", "a", "an", "my", "i", "i'll", "i'd"})


@lru_cache(maxsize=1)
def lexicon() -> Vocabulary:
    """The words of the kit, of this game, and its names."""
    names = (("LAND", lands_by_name), ("HERO", heroes_by_name), ("CARD", cards_by_name))
    return load_lexicon(
        LANGUAGE,
        names=tuple((kind, tuple(of())) for kind, of in names),
        without=_WITHOUT,
    )


@lru_cache(maxsize=1)
def _broken_names() -> re.Pattern[str]:
    """Names of more words than one, with a line end among them."""
    names = {*lands_by_name(), *heroes_by_name(), *cards_by_name(), "half banner", "half banners"}
    told = [r"[ \t]*+\n?[ \t]*+".join(map(re.escape, x.split())) for x in names if " " in x]
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(told, key=len, reverse=True))})(?!\w)")


def lexemes_in(
    text: str,
    people: People,
    plain: Plain,
    stage: Stage | None = None,
    words: Vocabulary | None = None,
) -> list[Lexeme]:
    """All lexemes of a folded text, which is that of `plain` with something blanked, said to this
    question; `words` are those of the game, where others are not told.
    """
    if "\n" in text:
        text = _broken_names().sub(lambda found: found[0].replace("\n", " "), text)
    text = in_frames(_HYPHEN.sub(" ", text), lexicon)
    text = _FIRST.sub(lambda found: "reroll".ljust(len(found[0])), text)
    if stage not in THROWING:  # there `rr2` may be about a die
        text = _BOTH_THROWS.sub(lambda found: "rr " if found[1] == "1" else "2nd", text)
    if len(_LEADER.findall(text)) > 1:
        text = _LEADER.sub(lambda found: f"{found[1]}: ".ljust(len(found[0])), text)
    text = _CLOCK.sub(lambda found: " " * len(found[0]), text)
    text = _SECOND.sub(lambda found: "second".ljust(len(found[0])), text)
    raw = with_beginnings(list(_with_gaps(read_lexemes(text, words or lexicon(), people), text)))
    raw = in_full(raw, stage)
    raw = [_joined(x, raw[i + 1 : i + 2]) for i, x in enumerate(raw) if not _goes_on(raw, i)]
    settled = without_gone(settle(raw, text, frozenset({None})))
    if stage == "heroes":
        settled = wished(settled)
    else:
        wishes = GRADES | {"WISH"}
        settled = [replace(x, kind="COMMON") if x.kind in wishes else x for x in settled]
    return _with_ends(_without_headings(_corrections(list(in_words(settled, plain)))))


def _joined(lexeme: Lexeme, after: Sequence[Lexeme]) -> Lexeme:
    """An `n` joins two words, or is a no where nothing follows: `attack: n`."""
    if lexeme.kind == "AND" and lexeme.text == "n" and not (after and after[0].kind not in _ENDING):
        return replace(lexeme, kind="NOT")
    return lexeme


def _goes_on(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether a line ends in the middle of what is said: behind an article, before its verb."""
    if lexemes[i].kind != "NL" or not 0 < i < len(lexemes) - 1:
        return False
    before, after = lexemes[i - 1], lexemes[i + 1]
    hangs = before.kind == "FILLER" and before.text.split()[-1] in _HANGING
    return hangs or (before.kind == "ULTIMATUM" and after.text.startswith("is"))


def _with_ends(lexemes: list[Lexeme]) -> list[Lexeme]:
    """A `no` that answers its heading ends its line: `Smoke Pot: never`, `attack | no`."""
    told: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        told.append(lexeme)
        follows = lexemes[i + 1].kind if i + 1 < len(lexemes) else ""
        if lexeme.kind != "NOT" or follows != "NL":
            continue
        line = [x.kind for x in told[-4:] if x.kind not in {"DASH", "BAR", "COLON"}]
        if line[-2:-1] in (["CARD"], ["ATTACK"]):
            if line[:-2] in ([], ["NL"]) or line[-3] == "NL":
                told.append(Lexeme("SEMI", "", lexeme.end, lexeme.end))
    return told


def _with_gaps(lexemes: Sequence[Lexeme], text: str) -> Iterator[Lexeme]:
    """The lexemes, with an unknown word for each gap between them."""
    at = 0
    for lexeme in lexemes:
        gap = text[at : lexeme.start].strip()
        if not gap:
            yield lexeme
            at = max(at, lexeme.end)
            continue
        gap = gap.removeprefix("'s").strip()
        if gap in BOUND_SIGNS and lexeme.text[0].isdigit():
            yield Lexeme(BOUND_SIGNS[gap], gap, at, lexeme.start)  # `<4h`
        elif gap == ">":
            yield Lexeme("COMMA", gap, at, lexeme.start)  # `elf > dwarf`
        elif any(sign in gap for sign in "<>%@\\"):
            yield Lexeme("WORD", gap, at, lexeme.start)
        yield lexeme
        at = max(at, lexeme.end)


def _corrections(lexemes: list[Lexeme]) -> list[Lexeme]:
    """A `no` that stands for itself, and a `wait` that no round is held with."""
    settled: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        if lexeme.kind not in _STOPPING and lexeme.text != "stop":
            settled.append(lexeme)
            continue
        before = settled[-1].kind if settled else ""
        after = lexemes[i + 1] if i + 1 < len(lexemes) else None
        follows = next((x.kind for x in lexemes[i + 1 : i + 3] if x.kind != "FILLER"), "NL")
        headed = settled[-2].kind if before == "COLON" and len(settled) > 1 else ""
        if (
            lexeme.kind == "NOT"
            and lexeme.text in {*_NO, "n"}
            and headed in _HEADS.keys() - {"CARD"}
        ):
            if headed in _EMPTY:
                lexeme = replace(lexeme, kind="NOTHING")  # `enter: no`
        elif (
            lexeme.kind == "NOT"
            and lexeme.text in _NO
            and before in PAUSES | {"CORRECT", "BUT", ""}
        ):
            things = {x.kind for x in lexemes[i + 2 : i + 4]}
            led = follows in {"TO", "NUM"} and bool(things & {"WHO", "HERO", "LAND", "NL"})
            article = after is not None and after.text in _ARTICLES
            if (follows in PAUSES and (before or follows == "COMMA")) or (
                before and (led or article)
            ):
                lexeme = replace(lexeme, kind="CORRECT")
        elif lexeme.text == "stop" and after is not None and _is_doing(lexeme, after):
            lexeme = replace(lexeme, kind="UNSETTLED")  # `stop going for Jerum`
        elif lexeme.kind == "WAIT" and lexeme.text == "wait":
            held = before in {"", "NL", "AND", "THEN", "SEMI", "DOT"}
            goes_on = [x.kind for x in lexemes[i + 2 : i + 3]] not in ([], ["NL"])
            stops = before in {"DOT", "SEMI"} and follows in {"DOT", "BANG"} and goes_on
            bare = before not in {"AND", "THEN"} and follows == "COMMA"
            if (before and not held) or bare or stops:  # `I leave. Wait. I bleed.`
                lexeme = replace(lexeme, kind="CORRECT")
        settled.append(lexeme)
    return settled


def _is_doing(stop: Lexeme, after: Lexeme) -> bool:
    return after.start - stop.end <= 1 and after.text.split()[0].endswith("ing")


def _turns_r(lexeme: Lexeme, sign: Lexeme, following: Sequence[str]) -> bool:
    """`reroll blanks, R: sword`: what R becomes, and no die of the list before it."""
    behind = sign.kind == "COLON"
    return behind and lexeme.kind == "RFACE" and {*following[:1]} <= FACES.keys() | {"FIVE", "ALL"}


def _without_headings(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`Buy: shield` is `buy shield`, `reroll: keep swords` is `keep swords`; `hit:` and `realm:`
    tell when.
    """
    told: list[Lexeme] = []
    dropped, before = -1, "NL"
    for i, lexeme in enumerate(lexemes):
        if i <= dropped:
            continue
        if told and told[-1].kind not in {"DASH", "FILLER"}:
            before = told[-1].kind
        sign = lexemes[i + 1] if i + 1 < len(lexemes) else None
        if sign is None or not (sign.kind == "COLON" or sign.text in ("=", "|")):
            told.append(lexeme)
            continue
        starts = before in STARTS or (before == "COMMA" and lexeme.kind in _LISTED)
        following = [x.kind for x in lexemes[i + 2 : i + 4] if x.kind != "NOT"]
        if not starts and _turns_r(lexeme, sign, following):
            told += [lexeme, replace(sign, kind="ARE")]
            dropped = i + 1
            continue
        if not starts:
            told.append(lexeme)
            continue
        kind = _MOMENT_OF.get(lexeme.text, _MOMENT_OF.get(lexeme.kind, lexeme.kind))
        answer = [x.kind for x in lexemes[i + 2 : i + 3]]
        told_of = lexeme.kind == "CARD" and answer in (["NOT"], ["YES"])  # `Smoke Pot: never`
        heads = kind in _HEADS or kind in {"WHENHIT", "OWNTURN"}
        if not told_of and (not heads or following[:1] in ([], ["NL"])):
            told.append(lexeme)
            continue
        dropped = i + 1
        if told_of or kind not in _HEADS or following[0] not in _HEADS[kind]:
            told.append(replace(lexeme, kind=kind))
    return told

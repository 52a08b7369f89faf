"""The text of a message as lexemes of Realm-Master: signs read as the words they stand for,
headings as what they head, and nothing between two words lost.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from engine.realm_master.state import Stage
from pbem.games.realm_master.reading.gone import without_gone
from pbem.games.realm_master.reading.parts import BOUNDS, LOSS, TOKENS, VERBS
from pbem.games.realm_master.reading.wishes import wished
from pbem.games.realm_master.reading.words import (
    LANGUAGE,
    cards_by_name,
    heroes_by_name,
    lands_by_name,
)
from pbem.grammar.kit.binding import People
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.normalise import Plain
from pbem.grammar.kit.vocabulary import Vocabulary
from pbem.grammar.reading.lexicon import load_lexicon, read_lexemes
from pbem.grammar.reading.settling import settle

_WITHOUT = frozenset(
    "FILLER WHICH FROM PROVINCE IN FOR TIMES UNITS THEUNITS ALL ELSE BOTH HALF EACH THEM NOTHING ME"
    " PLAYER REALM WITH SAME THERE NOGOLD NODELAY".split()
)
"""Kinds of the kit's words that mean something else here, or nothing."""
_HYPHEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_SECOND = re.compile(r"(?<!\w)reroll ?2(?=\s*[:=])")
"""The key of the second reroll (RM-9.5), which no word is."""
_PHONE = re.compile(
    r"(?<![^\s(])(?:(?:tel|phone|mobile|mob|fax|cell)\b[. :]*)?\+\d[\d ()/.-]{7,}(?!\w)"
)
"""A telephone number, below a letter."""
_LEADER = re.compile(r"(?m)^([a-z][a-z ]{0,24}?) \.{2,} (?=\S)")
"""Dots that lead from a heading to what it says, in a table."""
_CLOCK = re.compile(r"(?<![\w:])\d{1,2}:\d{2}:?(?![\w:])")
_RANGE = re.compile(r"([<>]=?|=)\s*(\d{1,9})")
_BOUNDS = {
    "<": "BELOW",
    ">": "ABOVE",
    "<=": "MOST",
    ">=": "LEAST",
    "=": "EXACT",
    "≤": "MOST",
    "≥": "LEAST",
}
_THROW, _IN = frozenset({"REROLL", "KEEP"}), frozenset({"ENTER", "STAYOUT"})
_HEADS: Mapping[str, frozenset[str]] = {
    "REROLL": _THROW,
    "ENTER": _IN,
    "LIFE": frozenset({"TRADE"}),
    **{
        head: frozenset({head})
        for head in ("ATTACK", "BUY", "PLAY", "REVEAL", "LOOT", "RFACE", "WANT", "TRIBUTE")
    },
    "CARD": frozenset(),
}
"""Headings of a plan, and the verbs that say the same again."""
_PERMITTED = frozenset({"may i", "can i", "could i", "might i"})
_PLEASE = frozenset({"please", "pls", "plz"})
_NEAR = 40
"""Words that are looked at behind one."""
_STARTS = frozenset({"NL", "SEMI", "DOT", "BANG", "ASK"})
_PAUSES = _STARTS | {"COMMA", "COLON", "DASH", "LPAR", "RPAR"}
_MAKING = frozenset({"turn", "make", "change", "convert", "set", "count", "treat"})
_DICE = frozenset({"RFACE", "BLANK", "HALF", "SWORD", "COIN", "HEART"})
_TOKEN_SIGNS = {"h": "HEART", "g": "GOLD", "b": "BANNER"}
_DICE_BY_PLACE = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_NO = frozenset({"no", "nope", "nah"})
_EVERY = ("any", "every", "wherever", "whatever", "whichever", "land", "one of")
"""Words behind which `but` leaves something out."""
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


def lexemes_in(text: str, people: People, plain: Plain, stage: Stage | None = None) -> list[Lexeme]:
    """All lexemes of a folded text, which is that of `plain` with something blanked, said to this
    question.
    """
    text = _broken_names().sub(lambda found: found[0].replace("\n", " "), text)
    text = _PHONE.sub(lambda found: " " * len(found[0]), _HYPHEN.sub(" ", text))
    if len(_LEADER.findall(text)) > 1:
        text = _LEADER.sub(lambda found: f"{found[1]}: ".ljust(len(found[0])), text)
    text = _CLOCK.sub(lambda found: " " * len(found[0]), text)
    text = _SECOND.sub(lambda found: "second".ljust(len(found[0])), text)
    raw = list(_with_gaps(read_lexemes(text, lexicon(), people), text))
    raw = [x for i, x in enumerate(raw) if not _goes_on(raw, i)]
    settled = without_gone(settle(raw, text, frozenset({None})))
    if stage == "heroes":
        settled = wished(settled)
    else:
        settled = [replace(x, kind="COMMON") if x.kind == "WISH" else x for x in settled]
    return _with_ends(_without_headings(_corrections(list(_in_words(settled, plain)))))


def _goes_on(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether a line ends here in the middle of what is said: behind an article, before its verb."""
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
        line = [x.kind for x in told[-4:] if x.kind not in {"DASH", "BAR", "COLON"}]
        if lexeme.kind == "NOT" and follows == "NL" and line[-2:-1] in (["CARD"], ["ATTACK"]):
            if line[:-2] in ([], ["NL"]) or line[-3] == "NL":
                told.append(Lexeme("SEMI", "", lexeme.end, lexeme.end))
    return told


def _with_gaps(lexemes: Sequence[Lexeme], text: str) -> Iterator[Lexeme]:
    """The lexemes, and an unknown word for whatever between them was none."""
    at = 0
    for lexeme in lexemes:
        gap = text[at : lexeme.start].strip()
        if gap == ">":
            yield Lexeme("COMMA", gap, at, lexeme.start)  # `elf > dwarf`
        elif any(sign in gap for sign in "<>%@\\"):
            yield Lexeme("WORD", gap, at, lexeme.start)
        yield lexeme
        at = max(at, lexeme.end)


def _in_words(lexemes: Sequence[Lexeme], plain: Plain) -> Iterator[Lexeme]:  # noqa: C901 - one case a sign
    throws = False
    skip = 0
    for i, lexeme in enumerate(lexemes):
        if skip:
            skip -= 1
            continue
        after = lexemes[i + 1] if i + 1 < len(lexemes) else None
        before = lexemes[i - 1] if i else None
        throws = (throws or lexeme.kind in _THROW) and lexeme.kind not in _STARTS
        follows = "NL" if after is None else after.kind
        tight = after is not None and after.start == lexeme.end
        number = before is not None and before.kind == "NUM" and before.end == lexeme.start
        match lexeme.kind:
            case "RANGE" if (found := _RANGE.fullmatch(lexeme.text)) is not None:
                split = lexeme.start + found.start(2)
                sign = plain.original[plain.where[lexeme.start]]
                kind = _BOUNDS[sign if sign in _BOUNDS else found[1]]
                kind = kind if len(found[1]) < 2 else _BOUNDS[found[1]]
                if before is not None and before.kind in {"LEAVE", "STAY"}:  # `leave <4`
                    yield replace(lexeme, kind="IF", text="if", end=lexeme.start)
                yield replace(lexeme, kind=kind, text=found[1], end=split)
                yield Lexeme("NUM", found[2], split, lexeme.end, int(found[2]))
            case "IF" if (
                lexeme.text == "if"
                and after is not None
                and after.text == "not"
                and lexemes[i + 2 : i + 3]
                and lexemes[i + 2].kind == "COMMA"
            ):  # `Jerum. If not, Arub`
                yield replace(lexeme, kind="ELSE", text="if not", end=after.end)
                skip = 1
            case "HERO" if (
                before is not None and before.kind == "HERO" and _is_named(before, lexeme)
            ):
                continue  # `Princess Isaura`
            case "BAR" if lexeme.text == "=" and after is not None:
                yield replace(lexeme, kind="EXACT" if after.kind == "NUM" else "ARE")
            case "AND" if lexeme.text == "+" and number:
                ends = after is not None and after.kind in _PAUSES
                yield replace(lexeme, kind="WORD" if tight and not ends else "MORE")
            case "WHENHIT" if after is not None and after.text == "by":  # `if hit by the elf`
                yield replace(lexeme, kind="IF")
                yield replace(after, kind="HITS", text="hit by")
                skip = 1
            case "ARROW":
                yield replace(lexeme, kind="ARE")
            case "SLASH":
                yield replace(lexeme, kind="OR")
            case "HEDGE" if lexeme.value is not None:  # `in round 5`
                yield replace(lexeme, kind="WORD", value=None)
            case "HEDGE" if lexeme.text == "only the" and _leads(lexemes[i + 1 : i + 2], _DICE):
                yield replace(lexeme, kind="ONLY")
            case "FILLER" if lexeme.text.startswith("just") and (
                throws or _stays(lexemes[i + 1 : i + 4])
            ):  # `keep just the swords`
                yield replace(lexeme, kind="ONLY")
            case "FILLER" if lexeme.text.endswith("going to") and _leads(
                lexemes[i + 1 : i + 3], {"LAND", "BEST", "CHEAPEST"}
            ):
                yield replace(lexeme, kind="ENTER")
            case "STAY" if before is not None and before.kind in _DICE:  # `the swords stay`
                yield replace(lexeme, kind="KEEP")
            case "STAY" if lexeme.text.endswith(" in") and _is_turn(lexemes[i + 1 : i + 4]):
                at = lexeme.end - 2
                yield replace(lexeme, text=lexeme.text.removesuffix(" in"), end=at)
                yield Lexeme("OWNTURN", "in my turn", at, lexemes[i + 2].end)
                skip = 2
            case "REALM" if lexeme.text == "$":
                yield replace(lexeme, kind="WORD")
            case "COMMON" | "WORD" if lexeme.text in _MAKING and _leads(
                lexemes[i + 1 : i + 4], _DICE
            ):
                yield replace(lexeme, kind="FILLER")
            case "COMMON" | "WORD" if lexeme.text in _MAKING and _is_gold(lexemes[i + 1 : i + 4]):
                yield replace(lexeme, kind="TRADE")  # `convert 3 gold to hearts`
            case "BUT" if before is not None and before.text.startswith(_EVERY):
                yield replace(lexeme, kind="EXCEPT")  # `anywhere but Mertle`
            case "FORGETALL" if follows in {"BUT", "EXCEPT"}:
                yield replace(lexeme, kind="UNSETTLED")
            case "HAVE" if lexeme.text == "get" and _leads(lexemes[i + 1 : i + 4], {"CARD"}):
                conditional = before is not None and before.kind in {"IF", "UNLESS", "WHILE"}
                yield lexeme if conditional else replace(lexeme, kind="BUY")
            case "COMMON" | "WORD" if lexeme.text in _TOKEN_SIGNS and follows == "RANGE":
                yield replace(lexeme, kind=_TOKEN_SIGNS[lexeme.text])
            case "FILLER" if lexeme.text == "pay" and (end := _loss(lexemes[i + 1 : i + 4])):
                yield replace(lexeme, kind="BLEED", end=lexemes[i + end].end)
                skip = end  # `pay the 4 hearts`
            case "COMMON" | "WORD" if lexeme.text in {"attacker", "attackers"}:
                yield replace(lexeme, kind="HITS", text="hit by")
            case "FIRST" | "SECOND" if (
                follows in ({"COMMA", "COLON"} if lexeme.text == "first" else {"COMMA"})
                and lexeme.text in _DICE_BY_PLACE
                and (before is None or before.kind in _STARTS)
            ):
                yield replace(lexeme, kind="FILLER")
            case "FIRST" | "SECOND" if lexeme.text in _DICE_BY_PLACE and _is_die(lexemes[i + 1 :]):
                yield replace(lexeme, kind="NUM", value=_DICE_BY_PLACE[lexeme.text])
            case "SPARE":
                yield replace(lexeme, kind="NOT", text="not", end=lexeme.start)
                yield replace(lexeme, kind="ATTACK", text="attack")
            case "COLLECT":  # `stay in Jerum and collect a heart`
                stays = any(x.kind in {"STAY", "ENTER", "MOVE"} for x in lexemes[max(i - 6, 0) : i])
                goods = _leads(lexemes[i + 1 : i + 4], TOKENS.keys() | {"NUM"})
                yield replace(lexeme, kind=("ARE" if goods else "FILLER") if stays else "COMMON")
            case "HAVE" | "COMMON" if lexeme.text in {"roll", "throw", "toss"} and _is_again(lexemes[i + 1 : i + 8]):
                yield replace(lexeme, kind="PLAY", text="throw")  # `roll all five again`
            case "WHENHIT" if (
                after is not None and after.text == "for" and _is_number(lexemes[i + 2 : i + 4])
            ):  # `if I'm hit for 3 or more`
                yield replace(lexeme, kind="IF")
                yield replace(after, kind="DAMAGE", text="damage")
                skip = 1
            case "ASKING" if lexeme.text in _PERMITTED and _is_requested(lexemes, i):
                yield replace(lexeme, kind="REQUEST")  # `could I attack, please?`
            case "NEG" if lexeme.text == "neither" and _leads(lexemes[i + 1 : i + 3], VERBS):
                yield replace(lexeme, kind="NOT")
            case "NEG" if lexeme.text == "nor" and _leads(lexemes[i + 1 : i + 3], VERBS):
                yield replace(lexeme, kind="AND", end=lexeme.start)
                yield replace(lexeme, kind="NOT")
            case "OR" | "HEDGE" if lexeme.text == "either" and follows in _STARTS and before:
                yield replace(lexeme, kind="FILLER")  # `I won't enter either`
            case "DASH" if number and tight and after is not None and after.kind == "NUM":  # `2-3`
                yield replace(lexeme, kind="WORD")
            case _:
                yield lexeme


def _is_requested(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether leave is asked for what follows, and not whether that is allowed: somebody says
    please.
    """
    after = list(takewhile(lambda x: x.kind not in _STARTS, lexemes[i + 1 : i + _NEAR]))
    before = takewhile(lambda x: x.kind not in _STARTS, reversed(lexemes[max(i - 3, 0) : i]))
    polite = any(_PLEASE & {*x.text.split()} for x in (*before, *after))
    return polite and _leads(after, VERBS)


def _is_again(following: Sequence[Lexeme]) -> bool:
    """Whether it ends with `again` before anything else is said."""
    said = takewhile(lambda x: x.kind not in _PAUSES | VERBS, following)
    return any(x.kind == "AGAIN" for x in said)


def _is_number(following: Sequence[Lexeme]) -> bool:
    """Whether so many, or so many at least, are told."""
    kinds = [x.kind for x in following]
    return kinds[:1] == ["NUM"] or (kinds[:1] != [] and kinds[0] in BOUNDS and kinds[1:] == ["NUM"])


def _is_gold(following: Sequence[Lexeme]) -> bool:
    """Whether `3 gold` follows, or `3 of my gold`."""
    kinds = [x.kind for x in following if x.kind != "FILLER"]
    return kinds[:2] == ["NUM", "GOLD"]


def _stays(following: Sequence[Lexeme]) -> bool:
    """Whether dice stay: `just the swords stay`."""
    kinds = [x.kind for x in following if x.kind != "FILLER"]
    return len(kinds) > 1 and kinds[0] in _DICE and kinds[1] == "STAY"


def _is_turn(following: Sequence[Lexeme]) -> bool:
    """Whether `my turn` follows."""
    return [x.text for x in following[:2]] in (["my", "turn"], ["my", "round"])


def _is_named(one: Lexeme, other: Lexeme) -> bool:
    names = heroes_by_name()
    return names[one.text] == names[other.text]


def _leads(following: Sequence[Lexeme], kinds: Collection[str]) -> bool:
    """Whether one of these follows: `turn the Rs into coins`."""
    found = [x.kind for x in following if x.kind != "FILLER"]
    return bool(found) and found[0] in kinds


def _loss(following: Sequence[Lexeme]) -> int:
    """How many lexemes name what an ultimatum takes: `the 4 hearts`."""
    told = [(i, x) for i, x in enumerate(following, start=1) if x.kind != "FILLER"][:2]
    loses = [x.kind for _, x in told] == ["NUM", "HEART"] and told[0][1].value == LOSS
    return told[1][0] if loses else 0


def _is_die(following: Sequence[Lexeme]) -> bool:
    """Whether `die` follows, or the next of a list that ends so: `the second and fourth die`."""
    for lexeme in following[:8]:
        if lexeme.text in {"die", "dice"}:
            return True
        article = lexeme.text == "the" and lexeme is not following[0]
        if lexeme.kind not in {"AND", "COMMA", "FIRST", "SECOND"} and not article:
            return False
    return False


def _corrections(lexemes: list[Lexeme]) -> list[Lexeme]:
    """A `no` that stands for itself, and a `wait` that no round is held with."""
    settled: list[Lexeme] = []
    for i, lexeme in enumerate(lexemes):
        before = settled[-1].kind if settled else ""
        after = lexemes[i + 1] if i + 1 < len(lexemes) else None
        follows = next((x.kind for x in lexemes[i + 1 : i + 3] if x.kind != "FILLER"), "NL")
        if (
            lexeme.kind == "NOT"
            and lexeme.text in _NO
            and before in _PAUSES | {"CORRECT", "BUT", ""}
        ):
            things = {x.kind for x in lexemes[i + 2 : i + 4]}
            led = follows in {"TO", "NUM"} and bool(things & {"WHO", "HERO", "LAND", "NL"})
            article = after is not None and after.text in _ARTICLES
            if (follows in _PAUSES and (before or follows == "COMMA")) or (
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


def _without_headings(lexemes: list[Lexeme]) -> list[Lexeme]:
    """`Buy: shield` is `buy shield`, `reroll: keep swords` is `keep swords`; `hit:` and `realm:`
    tell when.
    """
    told: list[Lexeme] = []
    dropped = -1
    for i, lexeme in enumerate(lexemes):
        if i <= dropped:
            continue
        starts = (
            not told
            or told[-1].kind in _STARTS
            or (told[-1].kind == "DASH" and [x.kind for x in told[-2:-1]] in ([], ["NL"]))
        )
        sign = lexemes[i + 1] if i + 1 < len(lexemes) else None
        following = [x.kind for x in lexemes[i + 2 : i + 4] if x.kind != "NOT"]
        if not starts or sign is None or not (sign.kind == "COLON" or sign.text in ("=", "|")):
            told.append(lexeme)
            continue
        if lexeme.kind == "CARD" and [x.kind for x in lexemes[i + 2 : i + 3]] in (["NOT"], ["YES"]):
            told.append(lexeme)  # `Smoke Pot: never`
            dropped = i + 1
        elif following[:1] in ([], ["NL"]):
            told.append(lexeme)
        elif lexeme.text == "hit":
            told.append(replace(lexeme, kind="WHENHIT"))
            dropped = i + 1
        elif lexeme.kind == "REALM":
            told.append(replace(lexeme, kind="OWNTURN"))
            dropped = i + 1
        elif lexeme.kind in _HEADS:
            dropped = i + 1
            if following[0] not in _HEADS[lexeme.kind]:
                told.append(lexeme)
        elif lexeme.kind == "WHENHIT" or lexeme.kind == "OWNTURN":
            told.append(lexeme)
            dropped = i + 1
        else:
            told.append(lexeme)
    return told

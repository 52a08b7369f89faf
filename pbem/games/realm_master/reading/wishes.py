"""Which hero somebody wants: one list, however it is numbered or told, read whole or not at all: a
name of it by a form that is not known would let the next one pass for the first.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engine.realm_master import orders as o
from pbem.games.realm_master.reading.parts import NotRead, hero_of
from pbem.games.realm_master.reading.position import Draft, Position
from pbem.games.realm_master.reading.words import heroes_by_name
from pbem.grammar.kit.common import is_everyday
from pbem.grammar.kit.lexemes import Lexeme
from pbem.grammar.kit.rings import Judged, Ring

_RANKS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}
_ORDINAL = re.compile(r"([1-9])(?:st|nd|rd|th)")
_SIGNS = frozenset({"DOT", "RPAR", "COLON", "BAR", "DASH"})
_BEHIND = frozenset({"WISH", "COLON", "DASH", "BAR", "COMMA"})
"""What may stand between a rank and whose it is."""
_NUMBERING = frozenset({"number", "no", "nr", "#"})
_PERMITTED = frozenset({"may i", "can i", "could i", "might i"})
_OTHERS = frozenset({"he", "she", "they", "you", "u"})
_ME = frozenset({"i", "i'll", "i'd", "i'm", "me"})
_HANGING = frozenset({"IF", "UNLESS", "WHILE", "ONLYIF", "COND", "HEDGE"})
_SHORTEST = 3
"""Letters of a hero's name that stand for it: `barb`, `wiz`."""
GRADES = frozenset({"LESSER", "FAVOURED"})
_ITEMS = frozenset({"HERO", "WORD", "COMMON"})
_JOINED = frozenset({"COMMA", "NL", "SEMI", "DOT", "BANG", "AND", "OR", "THEN", "ELSE", "LPAR"})


def wished(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """The lexemes of a message that answers which hero: ranks as ranks, short names as names."""
    told: list[Lexeme] = []
    led: bool | None = None
    for lexeme in _ranks(_graded(lexemes)):
        rank = lexeme.kind == "FIRST" and lexeme.value is not None
        said = [x for x in told[-3:] if x.kind != "FILLER"]
        if rank and led is None:
            led = not (said and said[-1].kind in _ITEMS)
        after_item = bool(said) and said[-1].kind in _ITEMS and told[-1].kind not in _JOINED
        if rank and led and after_item:
            told.append(Lexeme("COMMA", ",", lexeme.start, lexeme.start))
        told.append(lexeme)
    return told


def _graded(lexemes: Sequence[Lexeme]) -> list[Lexeme]:
    """Grades as wishes where they stand in their place; where not, the list has no order: `my
    backup is the elf, my favourite the wizard`.
    """
    clauses: list[list[Lexeme]] = [[]]
    for lexeme in lexemes:
        clauses[-1].append(lexeme)
        clauses += [[]] if lexeme.kind in _JOINED | {"BUT"} else []
    named = [sum(map(_is_hero, clause)) for clause in clauses]
    told: list[Lexeme] = []
    before, total = 0, sum(named)
    for clause, heroes in zip(clauses, named, strict=True):
        kinds = {x.kind for x in clause}
        odd = before > 0 if "LESSER" not in kinds else not before and total > heroes
        kind = "TURN" if odd and total > 1 else "WISH"
        told += [replace(x, kind=kind) if x.kind in GRADES else x for x in clause]
        before += heroes
    return told


def _is_hero(lexeme: Lexeme) -> bool:
    short = lexeme.kind in {"COMMON", "WORD"} and bool(_name_of(lexeme.text))
    return lexeme.kind == "HERO" or short


def _ranks(lexemes: Sequence[Lexeme]) -> Iterator[Lexeme]:
    at, hero = 0, False
    while at < len(lexemes):
        lexeme = lexemes[at]
        rank, count = _rank(lexemes, at)
        if rank:
            end = at + count
            while end < len(lexemes) and lexemes[end].kind in _BEHIND - (
                {"COMMA"} if hero else {""}
            ):
                end += 1
            yield Lexeme("FIRST", "rank", lexeme.start, lexemes[end - 1].end, rank)
            at = end
            continue
        at += 1
        before, hero = hero, lexeme.kind == "HERO" or (hero and lexeme.kind == "FILLER")
        wish = lexeme.kind == "WISH" or lexeme.text == "would be"
        if wish or (lexeme.kind == "WANT" and (before or _heads(lexemes, at))):
            lexeme = replace(lexeme, kind="FILLER")  # `Oswin as my preferred hero`
        elif lexeme.kind == "PLAY" or (lexeme.kind == "HAVE" and _names_next(lexemes, at)):
            lexeme = replace(lexeme, kind="WANT")  # `I wish to have the elf`
        elif lexeme.text in _PERMITTED and _wants(lexemes[at : at + 4]):
            lexeme = replace(lexeme, kind="REQUEST")  # `can I be the princess?`
        elif lexeme.kind in {"COMMON", "WORD"} and (name := _name_of(lexeme.text)):
            lexeme = replace(lexeme, kind="HERO", text=name)
        yield lexeme


def _wants(following: Sequence[Lexeme]) -> bool:
    """Whether a hero follows, to be taken or played."""
    kinds = [x.kind for x in following if x.kind != "FILLER"]
    return kinds[:1] == ["HERO"] or (
        kinds[:1] in (["TAKEIT"], ["PLAY"], ["WANT"], ["HAVE"]) and "HERO" in kinds[1:2]
    )


def _names_next(lexemes: Sequence[Lexeme], i: int) -> bool:
    return [x.kind for x in lexemes[i : i + 3] if x.kind != "FILLER"][:1] == ["HERO"]


def _heads(lexemes: Sequence[Lexeme], i: int) -> bool:
    """Whether it ends there: `Hero wishes:`, `choice | hero`."""
    while i < len(lexemes) and lexemes[i].kind in {"FILLER", "WISH"}:
        i += 1
    return i == len(lexemes) or lexemes[i].kind in {"COLON", "BAR", "NL"}


def _rank(lexemes: Sequence[Lexeme], i: int) -> tuple[int, int]:
    """Which rank is said here, and in how many lexemes: `1st`, `2.`, `(3)`, `number two`."""
    one, *rest = lexemes[i : i + 3]
    kinds = [x.kind for x in rest]
    if one.kind in {"FIRST", "SECOND"} and one.text.split()[0] in _RANKS:
        return _RANKS[one.text.split()[0]], 1
    if found := _ORDINAL.fullmatch(one.text):
        return int(found[1]), 1
    if one.text in _NUMBERING and kinds[:1] == ["NUM"]:
        return rest[0].value or 0, 2
    if one.kind == "NUM" and one.text.isdigit() and kinds[:1] and kinds[0] in _SIGNS:
        return one.value or 0, 2
    if one.kind == "NUM" and [_is_hero(x) for x in rest if x.kind != "FILLER"][:1] == [True]:
        return one.value or 0, 1
    return 0, 0


def _name_of(word: str) -> str:
    """The hero whose name begins so, if it is one hero's alone and no word of every day."""
    if len(word) < _SHORTEST or is_everyday(word):
        return ""
    names = heroes_by_name()
    begun = [name for name in names if name.startswith(word)]
    return begun[0] if len({names[name] for name in begun}) == 1 else ""


def judge_wishes(judged: Sequence[Judged], me: int) -> list[Judged]:
    """Clauses about others' wishes are talk; one without a hero, among those that have one, may be
    one more name.
    """
    if all(one.ring is not Ring.ORDER or _only_denies(one.clause.lexemes) for one in judged):
        return [
            replace(one, ring=Ring.BESIDE) if _only_denies(one.clause.lexemes) else one
            for one in judged
        ]
    told: list[Judged] = []
    listing = False
    for one in judged:
        said = [x for x in one.clause.lexemes if x.kind not in {"FILLER", "HESITATION", "PROSE"}]
        kinds = {x.kind for x in said}
        if "HERO" in kinds and _is_of_others(one.clause.lexemes, me):
            one = replace(one, ring=Ring.TOLD)
        ranked = any(x.kind == "FIRST" and x.value is not None for x in said)
        alone = listing and len(said) == 1 and kinds <= {"COMMON", "WORD"}
        if one.ring is Ring.BESIDE and "HERO" not in kinds and (ranked or alone):
            one = replace(one, ring=Ring.BINDS)
        listing = listing or (one.ring is Ring.ORDER and "HERO" in kinds)
        told.append(one)
    return told


def _is_of_others(lexemes: Sequence[Lexeme], me: int) -> bool:
    """`Bram wants the elf`, `I hear you want her`, `the elf for Bram`."""
    if any(x.kind in _HANGING for x in lexemes):
        return False
    at = next(i for i, x in enumerate(lexemes) if x.kind == "HERO")
    others = [(x.kind == "WHO" and x.value != me) or x.text in _OTHERS for x in lexemes]
    for i in reversed(range(at)):
        if others[i]:
            return any(x.kind not in {"FILLER", "WISH"} for x in lexemes[i + 1 : at])
        if lexemes[i].text.split()[0] in _ME:
            return False
    return any(others[at:])


def _only_denies(lexemes: Sequence[Lexeme]) -> bool:
    """`not the squire`, of which the list says nothing."""
    kinds = {x.kind for x in lexemes}
    return {"NOT", "HERO"} <= kinds <= {"NOT", "NEG", "HERO", "WANT", "OR", "AND", "FILLER"}


def hero(draft: Draft, position: Position) -> list[o.Order]:
    """The wishes in the order of their ranks, which must be without a gap."""
    named: list[tuple[int, str]] = []
    first, _ = draft.parts[0]
    if {"THEN", "ELSE"} & {*first.flags}:
        raise NotRead("not-understood", first.first)  # what was before it?
    for part, when in draft.parts:
        heroes = [hero_of(lexeme, {}) for lexeme in part.of("HERO")]
        rank = part.flags["FIRST"].value if "FIRST" in part.flags else None
        if when or not heroes or not part.says_only("HERO") or "NOT" in part.flags:
            raise NotRead("not-understood", part.first)
        if rank is not None and len(heroes) > 1:
            raise NotRead("not-understood", part.flags["FIRST"])
        named += [(rank or len(named) + i, name) for i, name in enumerate(heroes, start=1)]
    if sorted(rank for rank, _ in named) != [*range(1, len(named) + 1)]:
        raise NotRead("not-understood", first.first)
    return [o.PickHero(tuple(dict.fromkeys(name for _, name in sorted(named))))]

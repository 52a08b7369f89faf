"""A message of this game in plainer words: turns of speech by rule, conditions as bound, number
and thing, and the order word that a land or a card stands for at the head of a line.
"""

import re
from collections.abc import Iterator, Sequence

from pbem.games.realm_master.reading.lexing import lexemes_in
from pbem.games.realm_master.reading.parts import TOKENS, VERBS, solid
from pbem.games.realm_master.reading.scene import Scene
from pbem.games.realm_master.reading.words import (
    LANGUAGE,
    cards_by_name,
    heroes_by_name,
    lands_by_name,
)
from pbem.grammar.kit.binding import People
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.normalise import normalise
from pbem.reading.plainer import load_rules, names_of, said_plainly

_OPENS = {"IF": "if", "UNLESS": "unless", "WHILE": "as long as", "ONLYIF": "only if", "WITH": "if"}
_ENDS = VERBS | set_of("COMMA SEMI DOT BANG ASK NL ELSE THEN BUT IF UNLESS WHILE ONLYIF WITH")
_BOUND = {"BELOW": "less than", "LEAST": "at least", "MOST": "at most", "ABOVE": "more than"}
_BOUND |= {"EXACT": "exactly", "MORE": "at least", "LESS": "at most"}
_THING = {"HEART": "hearts", "GOLD": "gold", "BANNER": "banners", "DAMAGE": "damage"}
_THING |= {
    "LIFE": "hearts",
    "BLANK": "blanks",
    "HALF": "half banners",
    "SWORD": "swords",
    "COIN": "coins",
}
_ENTERS = re.compile(r"\benter\b")
_THERE = set_of("EXIST THERE")
_SILENT = set_of("HAVE ARE TO FILLER ALSO IT SEEMS HESITATION")
_MANNER = frozenset(
    "still already then just left some really being kind points see show shows up come comes turn"
    " turns appear appears showing count life".split()
)
FEW = 2
"""A land alone may be meant for anything."""
_STARTS = set_of("NL DOT BANG SEMI")
_BESIDE = set_of("DASH FILLER THEN SOFTLY HESITATION")


def ways_to_say(text: str, scene: Scene, people: People) -> Iterator[str]:
    """What the message may be in plainer words; nothing, if it says all in those already."""
    known = {text}
    stays = scene.at is not None and not _ENTERS.search(text)
    for way in (_in_words(text), text):
        way = _ENTERS.sub("move to", way) if stays else way
        found = _with_verbs(_with_conditions(way, scene, people), scene, people)
        if found not in known:
            known.add(found)
            yield found


def _in_words(text: str) -> str:
    named = (("land", lands_by_name()), ("card", cards_by_name()), ("hero", heroes_by_name()))
    names = [names_of(kind, tuple(of)) for kind, of in named]
    return said_plainly(text, load_rules(LANGUAGE), names)


def _lexemes(text: str, scene: Scene, people: People) -> tuple[str, list[Lexeme]]:
    plain = normalise(text)
    return plain.text, lexemes_in(plain.text, people, plain, scene.stage)


def _with_conditions(text: str, scene: Scene, people: People) -> str:
    """Conditions of a bound, a number and a thing, in whatever order, in that order."""
    folded, lexemes = _lexemes(text, scene, people)
    told, last, i = list[str](), 0, 0
    while i < len(lexemes):
        opens, start = lexemes[i], i
        i += 1
        if opens.kind not in _OPENS:
            continue
        while i < len(lexemes) and lexemes[i].kind not in _ENDS:
            i += 1
        condition = _condition(lexemes[start + 1 : i])
        if condition:
            end = lexemes[i - 1].end
            told += [folded[last : opens.start], f"{_OPENS[opens.kind]} {condition}"]
            last = end
    return "".join((*told, folded[last:])) if told else text


def _condition(lexemes: Sequence[Lexeme]) -> str:
    """`there are at least 2 banners in Jerum`; nothing, if it is no such condition."""
    kinds = [x.kind for x in lexemes if x.kind not in _SILENT and x.text not in _MANNER]
    bound = [_BOUND[kind] for kind in kinds if kind in _BOUND]
    numbers = [str(x.value) for x in lexemes if x.kind == "NUM"]
    things = [kind for kind in kinds if kind in _THING]
    lands = [x.text for x in lexemes if x.kind == "LAND"]
    known = _BOUND.keys() | _THING.keys() | _THERE | {"NUM", "LAND"}
    if not {*kinds} <= known or any(len(x) != 1 for x in (bound, numbers, things)):
        return ""
    if len(lands) > 1 or (lands and things[0] not in TOKENS):
        return ""
    if things == ["DAMAGE"]:
        return f"the damage is {bound[0]} {numbers[0]}"
    is_there = bool(lands or {*kinds} & _THERE) and things[0] in TOKENS
    said = f"{bound[0]} {numbers[0]} {_THING[things[0]]}"
    if not is_there:
        return f"I have {said}"
    return f"there are {said} {f'in {lands[0]}' if lands else 'there'}"


def _with_verbs(text: str, scene: Scene, people: People) -> str:
    """With an order word before a land, or a card, that heads a line or sentence without one."""
    if scene.stage not in (None, "enter", "realm"):
        return text  # a land alone answers what is asked
    folded, lexemes = _lexemes(text, scene, people)
    if len(solid(lexemes)) < FEW:
        return text
    told, last, i = list[str](), 0, 0
    while i < len(lexemes):
        while i < len(lexemes) and lexemes[i].kind in _STARTS | _BESIDE:
            i += 1
        line = i
        while i < len(lexemes) and lexemes[i].kind not in _STARTS:
            i += 1
        said = lexemes[line:i]
        if said and not {x.kind for x in said} & (VERBS | {"AGAIN", "NOT", "NEG", "COLON", "ARE"}):
            verb = _verb(said[0], scene)
            if verb:
                told += [folded[last : said[0].start], f"{verb} "]
                last = said[0].start
    return "".join((*told, folded[last:])) if told else text


def _verb(lexeme: Lexeme, scene: Scene) -> str:
    if lexeme.kind == "LAND":
        return "enter" if scene.at is None else "move to"
    if lexeme.kind == "CARD":
        return "play" if cards_by_name()[lexeme.text] in scene.hand else "buy"
    return ""

"""In which order the words of a part make sense, for each kind of line: whatever is said in another
order is not read.

A shape is the kinds of a part's phrases (realm_master.lark) without its condition, and without the
words at its beginning and end that tell when it holds. No word of substance can be in a part
without a place here.
"""

import re
from collections.abc import Mapping, Sequence

from pbem.games.realm_master.reading.parts import NotRead, PlanPart

_TIMES = ("FIRST", "ALWAYS", "ONCE", "NOW", "CAN", "THEN")
_TIMES_ALSO: Mapping[str, Sequence[str]] = {
    "stance": ("WHENHIT", "OWNTURN"),
    "buy": ("HOPE", "EARLY", "OWNTURN"),
    "reveal": ("HOPE", "OWNTURN"),
    "play": ("EARLY", "OWNTURN", "WHENHIT"),
    "reroll": ("TWICE", "SECOND", "OWNTURN"),
    **dict.fromkeys(("attack", "enter", "life", "faces"), ("OWNTURN",)),
}
"""What besides tells when, for each kind of line."""

_FACE = r"(?:ALL |BOTH )?(?:LONE )?(?:BLANK|HALF|SWORD|COIN|HEART|RFACE|GOLD|BANNER)"
_DIE = rf"(?:{_FACE}|NUM(?: NUM)*)"
_DICE = rf"{_DIE}(?: AND {_DIE})*"
_NONE_OF = rf"{_DIE}(?: (?:AND|OR) {_DIE})*"
_THROW = r"(?:REROLL|KEEP)"
_LAND = r"(?:LAND|BEST|CHEAPEST)"
_LANDS = rf"{_LAND}(?: (?:AND|OR) {_LAND})*"
_CARDS = r"CARD(?: AND CARD)*"
_WHO = r"(?:HERO|WHO)"
_HEROES = r"(?:TO |ARE )?(?:FIRST )?HERO(?: (?:AND|OR) HERO)*"
_GOOD = r"(?:NUM )?(?:HEART|GOLD|BANNER|COIN)"
_GOODS = rf"(?:ALL|BOTH|{_GOOD}(?: AND {_GOOD})*)"
_ONE = r"(?:BLANK|HALF|SWORD|COIN|HEART|GOLD|BANNER|FIVE)"
_TO = r"(?:TO |ARE )?"
_PRICE = r"(?:TO |ARE )?(?:(?:MOST|BELOW)(?: GOLD)?|NUM (?:GOLD )?LESS(?: GOLD)?)"

_SHAPES: Mapping[str, Sequence[str]] = {
    "reroll": (
        rf"(?:ELSE )?(?:NOT )?{_THROW}",
        "NOT REROLL ANY",
        "NOT SECOND REROLL",
        rf"(?:ELSE )?{_THROW} (?:ALL|NOTHING|REST)",
        rf"(?:ELSE )?(?:NOT |ONLY )?{_THROW} {_DICE}",
        rf"{_THROW} HALF LONE",
        rf"NOT {_THROW} {_NONE_OF}",
        rf"(?:ELSE )?{_THROW} ONLY {_DICE}",
        rf"(?:ELSE )?{_THROW} (?:NOT|(?:ALL )?EXCEPT) {_NONE_OF}",
        rf"{_THROW} {_DICE} ONLY",
        rf"(?:ONLY )?{_DICE} (?:FIRST )?{_THROW}",
        rf"(?:(?:{_THROW}|PLAY) )?(?:REST|ALL|{_DICE}) AGAIN(?: AND {_DICE})?",
        rf"(?:ONLY |NOT )?{_DICE}",
        "REST",
        rf"REST {_THROW}",
        rf"(?:{_THROW}|PLAY) (?:ALL )?EXCEPT {_DICE} AGAIN",
        rf"ELSE ONLY {_DICE}",
        "ELSE NOT",
        "NOT PLAY (?:ANY|NOTHING) AGAIN",
    ),
    "faces": (
        (
            r"(?:ELSE )?(?:(?:PLAY|TAKEIT) )?(?:(?:NUM|ALL|BOTH|FIRST|SECOND) )?"
            rf"(?:RFACE |REST )?(?:TAKEIT )?{_TO}{_ONE}"
        ),
        rf"{_ONE} ARE (?:ALL |BOTH )?RFACE",
        rf"(?:ELSE )?RFACE NUM {_TO}{_ONE}",
    ),
    "attack": (
        r"(?:ELSE )?(?:NOT |ONLY |YES )?ATTACK(?: ALL| BOTH)?",
        "NOT ATTACK ANY",
        rf"(?:NOT )?ATTACK (?:ONLY )?{_WHO}(?: ONLY)?",
        r"ATTACK (?:NOTHING|YES|NOT)",
        "ELSE NOT",
    ),
    "enter": (
        rf"(?:ELSE )?(?:(?:ENTER|TAKEIT) )?(?:ONLY )?{_TO}{_LANDS}",
        r"(?:ELSE )?(?:ENTER )?NOTHING",
        rf"(?:ELSE )?NOT ENTER(?: {_TO}(?:REALM|ANY))?",
        rf"(?:ELSE )?STAYOUT(?: {_TO}(?:REALM|ANY))?",
        "ELSE NOT",
    ),
    "stance": (
        rf"(?:ELSE )?(?:NOT )?(?:STAY|LEAVE)(?: {_TO}(?:LAND|REALM))?",
        rf"(?:ELSE )?STAY (?:{_TO}LAND )?{_TO}{_GOOD}(?: AND {_GOOD})*",
        rf"(?:ELSE )?(?:MOVE |ENTER )?{_TO}{_LAND}",
        r"(?:ELSE )?BLEED(?: NUM(?: HEART)?)?",
        "ULTIMATUM",
        "(?:ELSE )?TAKEIT",
    ),
    "buy": (
        rf"(?:ONLY )?BUY (?:ONLY )?{_CARDS}",
        "BUY CARD ONLY",
        "CARD (?:ONLY )?BUY",
        r"NOT BUY(?: ANY)?",
        r"(?:ELSE )?(?:BUY )?NOTHING",
        "KEEP NUM GOLD",
        rf"(?:BUY )?(?:HOPE )?{_CARDS}",
        r"(?:ELSE )?SAVE",
    ),
    "play": (
        r"(?:NOT )?(?:PLAY )?CARD(?: TO)?",
        rf"(?:PLAY )?CARD {_TO}(?:{_WHO}|LAND)",
        rf"(?:PLAY )?CARD {_TO}(?:NUM|{_ONE}) {_TO}{_ONE}",
        r"(?:PLAY )?CARD (?:YES|NOT)",
        rf"CARD (?:ONLY )?PLAY(?: {_TO}(?:{_WHO}|LAND))?",
        rf"PLAY {_WHO} CARD",
        "ELSE (?:SAVE|TAKEIT|KEEP)(?: IT| CARD)?",
        "ELSE NOT",
    ),
    "reveal": (
        r"(?:NUM (?:GOLD )?(?:TO )?)?REVEAL(?: MOST| NUM)?",
        rf"(?:TAKEIT|BUY)(?: IT)?(?: {_PRICE})?",
        r"(?:TAKEIT|BUY) CARD",
        r"(?:ELSE )?COVER (?:TO )?CARD",
        r"(?:ELSE )?COVER IT(?: TO CARD)?",
    ),
    "tribute": (
        rf"(?:TRIBUTE )?{_GOODS} (?:TO )?LAND(?: (?:AND )?{_GOODS} (?:TO )?LAND)*(?: ONLY)?",
        "TRIBUTE",
    ),
    "life": (
        r"NUM GOLD (?:FORLIFE|(?:ARE|TO) (?:NUM )?(?:LIFE|HEART))",
        r"NUM (?:LIFE|HEART) ARE (?:NUM )?GOLD",
        r"TRADE NUM (?:GOLD )?(?:FORLIFE|LIFE|(?:ARE|TO) (?:NUM )?(?:LIFE|HEART))",
        r"BUY NUM (?:HEART|LIFE)",
        "LIFE NUM(?: GOLD)?",
    ),
    "loot": (r"(?:LOOT |TAKEIT |WANT |ELSE )?CARD(?: (?:AND|OR) CARD)*",),
    "hero": (rf"(?:ELSE )?(?:WANT |TAKEIT )?{_HEROES}(?: WANT)?(?: ARE(?: WANT)?)?",),
    "save": (r"(?:ELSE )?(?:SAVE|NOTHING)",),
}
_COMPILED = {group: re.compile("|".join(shapes)) for group, shapes in _SHAPES.items()}
_EDGES = {
    group: (
        re.compile(rf"^(?:(?:{words})(?: |$))+"),
        re.compile(rf"(?:(?:^| )(?:{words})){{1,8}}$"),
    )
    for group in _SHAPES
    for words in ["|".join((*_TIMES, *_TIMES_ALSO.get(group, ())))]
}


def need_shape(group: str, part: PlanPart) -> None:
    """NotRead unless the words of the part stand in an order that makes sense in a line of this
    kind.
    """
    if group not in _SHAPES:
        raise NotRead("not-understood", part.first)
    first, last = _EDGES[group]
    shape = last.sub("", first.sub("", part.shape))
    if shape.startswith("ELSE "):
        shape = "ELSE " + first.sub("", shape.removeprefix("ELSE "))
    if shape == "NOT" and group == "reroll" and "SECOND" in part.flags:
        return  # `no second reroll`
    if not _COMPILED[group].fullmatch(shape):
        raise NotRead("not-understood", part.verb or part.first)

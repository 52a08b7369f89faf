"""The words of Protectors to the descent, and the signature of each order: which slots it has.

An order that fills a slot which its signature lacks is not understood; a clause is what it says in
all of its words.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.grammar.kit.lexemes import set_of
from pbem.grammar.kit.lexicon import load_lexicon
from pbem.grammar.kit.sentences import ENDS
from pbem.grammar.kit.slots import Dialect
from pbem.grammar.kit.vocabulary import Vocabulary

IN_PLACE = frozenset({"FORTIFY", "WORK", "HOLD"})
"""Orders of units that stay where they are."""
PARTS = ENDS | {"COMMA", "AND", "BUT"}
"""What ends a part of a sentence."""
MARCHING = frozenset({"MARCH", "ATTACK"})
SINGLE = frozenset({"BID", "NOBID", "SNITCH", "PALANTIR", "FACTION", "FIRE"})
"""Orders of which there is one, so that a second corrects the first."""
PAYING = frozenset({"SEND", "GIVE"})


@dataclass(frozen=True, slots=True)
class Signature:
    """The slots that an order may fill, and its flags and marks."""

    slots: frozenset[str]
    flags: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()


def _signature(slots: str, flags: str = "", marks: str = "") -> Signature:
    return Signature(
        frozenset({"verb", *slots.split()}), frozenset(flags.split()), frozenset(marks.split())
    )


_ALONE = _signature("")
_STAYING = _signature(
    "place dash quantity excepted who", "GOLD", "WHICH EACH FOR NOGOLD NODELAY TOTAL"
)
_MARCH = _signature(
    "place origin target dash number quantity who",
    "GOLD DELAY",
    "ALLBUT TIMES FOR WITH NOGOLD NODELAY",
)
_AMOUNT = _signature("number who quantity", "", "MONEY FOR ALLBUT")
SIGNATURES: Mapping[str, Signature] = {
    "FORTIFY": _STAYING,
    "WORK": _STAYING,
    "HOLD": _signature("place dash quantity excepted", "", "WHICH TOTAL"),
    "MARCH": _MARCH,
    "ATTACK": _MARCH,
    "SUPPORT": _signature("place origin target who quantity number", "GOLD", "FOR NOGOLD"),
    "SEND": _AMOUNT,
    "GIVE": _AMOUNT,
    "GET": _signature("number who place", "", "MONEY FOR"),
    "UNSEND": _signature("who number quantity", "", "MONEY FOR"),
    "SNITCH": _signature("who", "", "FOR"),
    "CANCEL": _signature("place origin target dash who number", "", "FOR"),
    "CANCELALL": _signature("quantity"),
    "FINAL": _ALONE,
    "FORECAST": _ALONE,
    "READDRAGONS": _ALONE,
    "BOTTOM": _ALONE,
    "PLACEDRAGON": _ALONE,
    "PALANTIR": _signature("", "", "SEADECK ENDDECK FOR"),
    "SAME": _signature("place quantity excepted"),
    "BUY": _signature("number place who quantity target", "", "MONEY FOR UNITS"),
    "UPGRADE": _signature("place"),
    "CAPITOL": _signature("place"),
    "BID": _signature("number quantity target origin", "", "MONEY LEFT FOR ALLBUT"),
    "NOBID": _ALONE,
    "USE": _signature("number who", "", "MONEY BY"),
    "LEND": _signature("number who", "", "MONEY BY FOR"),
    "PASS": _ALONE,
    "COMMIT": _signature("number place origin quantity", "", "SAC DRAGON FOR EACH ALLBUT"),
    "BURN": _signature("place dash"),
    "HIDDEN": _signature("quantity"),
    "FIRE": _signature("number"),
    "NOTHINGTOSEE": _ALONE,
    "BANK": _ALONE,
    "FAITH": _ALONE,
    "KING": _signature("place"),
    "FACTION": _signature("", "", "FACTIONNAME"),
    "REFRESH": _signature("", "", "ABILITY"),
    "TAKE": _signature("", "", "ABILITY FACTIONNAME"),
}
DIALECT = Dialect(
    verbs=frozenset(SIGNATURES),
    flags=frozenset({"GOLD", "DELAY"}),
    marks=set_of(
        "SEADECK ENDDECK LEFT SAC DRAGON FACTIONNAME ABILITY EACH NOGOLD NODELAY KEEP FINE TOTAL"
    ),
    in_place=IN_PLACE | {"BURN", "UPGRADE", "CAPITOL", "CANCEL"},
    closing=frozenset({"FINAL"}),
    takers={"REFRESH": "ABILITY", "TAKE": "ABILITY"},
    weak=set_of(
        "MARCH SEND GET GIVE USE TAKE BANK FACTION CAPITOL BUY UPGRADE SUPPORT ATTACK BID COMMIT"
        " BURN LEND"
    ),
)

UNFLAGGED = frozenset({"NOGOLD", "NODELAY"})
"""Kinds that deny a flag."""


def lexicon() -> Vocabulary:
    """The words of this game and of all games."""
    return load_lexicon("pbem.games.protectors.reading")

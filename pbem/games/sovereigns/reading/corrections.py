"""A game master's corrections at a table of States & Sovereigns: `approve steel`, `rule Aldermark:
difficulty 9`, `Aldermark has 3 Military`.

A correction names one thing and its new value. One without an effect of its own is a ruling in free
words.
"""

import re

from engine.sovereigns.state import State
from engine.usual import MOST_TEXT
from pbem.games.sovereigns.reading.gm_parts import TableNames
from pbem.games.sovereigns.reading.rulings import (
    ANSWERS,
    NAMED,
    RulingWords,
    Shapes,
    Told,
    open_at,
    read_told,
    shape_of,
    shapes,
)
from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.reading import Correction
from pbem.reading.corrections import without_quotes

FORMS = (
    "approve steel",
    "amend steel to STAT-DEF M",
    "objection 1 upheld",
    "roll back action 2",
    "Aldermark has 3 Military (1 expended)",
    "Aldermark: -1 on all rolls until the year ends",
    "give Aldermark steel",
    "remove Aldermark",
    "Aldermark wins",
    "draw",
    "ruling: a bridge is no building",
)
"""How each kind is written."""

_WORDS = re.compile(
    r"(?:gm )?rul(?:e|ing)(?: that\b ?| ?: ?| ?(?=[\"“„«]))(?P<words>.*)", re.DOTALL | re.IGNORECASE
)
_ATTRIBUTES = {"R": "Resources", "M": "Military", "H": "Harmony"}


def read_correction(state: State, text: str) -> Correction:
    """The act of the rules that a correction is, and its one spelling, which is read back to the
    same.

    Unread if it is not one, with the forms there are; or if it names what there is not. Whether it
    can be is for the rules to say.
    """
    written = " ".join(text.split())
    found = _WORDS.fullmatch(written)
    words = without_quotes(found["words"]) if found is not None else written
    unread = Unread("invalid", "correction", written, FORMS)
    if found is None or _is_command(state, words):
        return Correction(*read_told(state, words, open_at(state, {}), unread, COMMANDS))
    if not words or len(words) > MOST_TEXT:
        raise Unread("invalid" if words else "missing", "text")
    return Correction({"act": "rule", "text": words}, f"ruling: {words}", is_said=True)


def _is_command(state: State, words: str) -> bool:
    """Whether what is called a ruling has an effect of its own."""
    try:
        parts = TableNames(state).parts_of(words, Unread("invalid", "correction", words))
    except Unread:
        return False
    return shape_of(parts, COMMANDS) is not None


def _roll_back(reading: RulingWords) -> Told:
    action = reading.of("NUMBER")[0].number
    return {"act": "rollback", "action": action}, f"roll back action {action}"


def _set_points(reading: RulingWords) -> Told:
    """Set the points of a kind: in all, and those expended or free."""
    total, *others = reading.of("NUMBER", "SIGNED")
    if total.kind == "SIGNED" and (total.number > 0 or not reading.has("HAS")):
        raise reading.unclear
    player, attribute = reading.whose(), reading.of("ATTRIBUTE")[0].key
    act = {"act": "set", "player": player, "attribute": attribute, "total": total.number}
    text = f"{reading.names.label(player)} has {total.number} {_ATTRIBUTES[attribute]}"
    if not others:
        return act, text
    ex = total.number - others[0].number if reading.has("UNUSED") else others[0].number
    if ex < 0:
        raise Unread("invalid", "number", str(others[0].number))
    return {**act, "ex": ex}, f"{text} ({ex} expended)"


def _modify(reading: RulingWords) -> Told:
    if not reading.has("MOD", "FLAT", "DIE", "ROLLS"):
        raise reading.unread
    if not reading.has("YEAR", "SEASON"):
        ends = ("until the season ends", "until the year ends")
        raise Unread("missing", "time", reading.unread.written, ends)
    player, amount = reading.whose(), reading.of("SIGNED")[0].number
    until = "year" if reading.has("YEAR") else "season"
    sort, word = ("die", " die") if reading.has("DIE") else ("flat", "")
    text = f"{reading.names.label(player)}: {amount:+d}{word} on all rolls until the {until} ends"
    return {"act": "mod", "player": player, sort: amount, "until": until}, text


def _give(reading: RulingWords) -> Told:
    player, name = reading.whose(), reading.technology()
    text = f"give {reading.names.label(player)} {reading.names.title(name)}"
    return {"act": "give", "player": player, "technology": name}, text


def _end(reading: RulingWords) -> Told:
    numbers = [part.number for part in reading.of("KINGDOM")]
    labels = [reading.names.label(number) for number in numbers]
    if not numbers:
        return {"act": "end", "winner": None}, "draw"
    if len(numbers) == 1:
        return {"act": "end", "winner": numbers[0]}, f"{labels[0]} wins"
    return {"act": "agree", "winners": numbers}, f"{' and '.join(labels)} win"


_MOD = "SIGNED (?:FLAT |DIE )?(?:ALL )?(?:ROLLS )?"
_TOTAL = "(?:(?:NUMBER |SIGNED )ATTRIBUTE |ATTRIBUTE (?:HAS )?(?:NUMBER |SIGNED ))"
_USED = "(?:EXPENDED |UNUSED )"
COMMANDS: Shapes = (
    *ANSWERS,
    *shapes(
        ("ROLLBACK (?:ACT )?NUMBER ", _roll_back),
        (rf"(?:HAS )?KINGDOM (?:HAS )?{_TOTAL}(?:NUMBER {_USED}|{_USED}NUMBER )?", _set_points),
        (rf"(?:MOD )?(?:KINGDOM {_MOD}|{_MOD}KINGDOM )(?:YEAR |SEASON )?", _modify),
        (rf"GIVE KINGDOM {NAMED}|GIVE {NAMED}KINGDOM |KINGDOM (?:GIVE |HAS ){NAMED}", _give),
        ("(?:END )?(?:KINGDOM )+WIN |WIN KINGDOM |END KINGDOM |(?:END )?DRAW ", _end),
    ),
)

"""Words for others at the table that are no press: `Bartek: shall we?`, `tell Bartek that I agree`,
a pasted `To: Bartek`. They are for nobody else's eyes, and so for nobody's until they are sent.
"""

import re
from collections.abc import Mapping, Sequence

import msgspec

from pbem.grammar.addressees import ALL, TEAM, Doubt, Roll, find_readers, plain_words
from pbem.grammar.kit.normalise import normalise
from pbem.grammar.press import closed_press

SHORTEST_NAME = 3
"""The fewest letters of a first name that stand for the whole one."""
_GREETING = (
    r"(?:(?:hi|hello|hey|hiya|yo|dear|hallo|liebe|lieber|salut|bonjour|cher|chere|ciao|hola|ola|hoi"
    r"|hej|czesc)[ ,]+)?"
)
_TELL = (
    r"(?>(?:(?:please|pls|can you|could you|kindly)[ ,]+)*)"
    r"(?:tell|write(?: (?:this|a (?:letter|message|mail|note)))?(?: to)?|message(?: to)?|msg"
    r"(?: to)?|dm|pm|e-?mail(?: to)?|say to|ask|inform|answer to|reply to|whisper(?: to)?|let"
    r"|note to|letter to"
    r"|send(?: (?:this|an?))?(?: (?:message|e-?mail|mail|note|letter|word))?(?: to)?)"
)
_NOT_NAMES = frozenset({"broadcast", "the table"})


class ForOthers(msgspec.Struct, frozen=True):
    """What somebody wrote to others, and whom they named, as press names them."""

    whom: str
    text: str

    @property
    def as_press(self) -> str:
        """The press that it would be; of several lines it says where it ends."""
        opening = f"press to {self.whom}:"
        return closed_press(opening, self.text) if "\n" in self.text else f"{opening} {self.text}"


def find_for_others(text: str, roll: Roll) -> ForOthers | None:
    """Whom a message speaks to or of telling, where it opens with that."""
    names = _names(roll)
    if not names:
        return None
    either = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    name = rf"(?:{either})\.?(?![\w'-])"
    whom = rf"(?P<whom>{name}(?>(?:[ ]?(?:,|&|\+|[ ]and|[ ]und|[ ]et)[ ]{name})*))"
    plain = normalise(text)
    for opening in (
        rf"{_GREETING}{whom}(?:[ ]?[:,!]|[ ]-)",
        rf"{_GREETING}@[ ]?{whom}[ ]?[:,!-]?",
        rf"{_TELL}[ ]{whom}(?:[ ]know)?(?:[ ]?[:,-]|[ ]that\b)?",
        rf"to[ ]?:[ ]?{whom}[ ]*(?=\n)",
    ):
        found = re.compile(rf"\s*+{opening}\s*+(?=\S)").match(plain.text)
        if found is not None:
            said = plain.original[plain.where[found.end()] :].strip()
            meant = [names[plain_words(one)] for one in re.findall(name, found["whom"])]
            return ForOthers(_spelled(tuple(dict.fromkeys(meant)), roll), said)
    return None


def _names(roll: Roll) -> Mapping[str, str]:
    """What people are called, folded, and how press names them."""
    others = [member for member in roll.members if member.number != roll.writer]
    found: dict[str, str] = {}
    for member in others:
        first = plain_words(member.name).partition(" ")[0]
        if len(first) >= SHORTEST_NAME:
            found[first] = "" if first in found else member.name
    found |= {plain_words(member.name): member.name for member in others}
    named = {folded: name for folded, name in found.items() if folded and name}
    words = dict.fromkeys(ALL - _NOT_NAMES, "all") | dict.fromkeys(TEAM, "team")
    return words | named if others else {}


def _spelled(meant: Sequence[str], roll: Roll) -> str:
    """As press reads it: by their names, or by their numbers where a name is not beyond doubt."""
    spelled = ", ".join(meant)
    numbers = [member.number for member in roll.members if member.name in meant]
    try:
        is_clear = list(find_readers(spelled, roll, grey=False).players) == sorted(numbers)
    except Doubt:
        is_clear = False
    return spelled if is_clear or not numbers else ", ".join(f"#{one}" for one in numbers)

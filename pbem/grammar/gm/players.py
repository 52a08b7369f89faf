"""Fields that name people: players, sides, newcomers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pbem.grammar.gm.naming import ADDRESS
from pbem.grammar.gm.parts import Part
from pbem.grammar.gm.quoting import say
from pbem.grammar.gm.values import Invited, Lexicon, Unread

MOST_READERS = 120
_PERSON = (
    rf"(?P<name>[^@<>]{{0,80}}?)[ ,:]{{0,9}}<?(?:mailto:)?(?P<address>{ADDRESS})>?"
    r"(?:[ ]{0,9}<mailto:[^>]{0,320}>)?"
)
_PEOPLE = re.compile(
    _PERSON.replace("@<>", "@<>,;:\n") + r"[ ]*+(?:[,;&\n]|and\b|$)[ \n]*+", re.IGNORECASE
)
_WHO = re.compile(_PERSON + r"(?P<rest>.*)", re.IGNORECASE)
_OWNER = re.compile(
    r"(?P<player>.+?)(?:(?:'s|’s|'|’)(?: (?:orders|cards|hand|answer))?| orders)", re.IGNORECASE
)
_PLACE = re.compile(r"(?:(?:at|on) )?place[ :#]*(?P<place>\d{1,2})", re.IGNORECASE)
_NO_SIDE = frozenset({"none", "no", "any", "open"})
BEFORE_A_SIDE = r" ?[:=] ?| (?:to|is|into|in) "
BEFORE_A_NEWCOMER = rf" (?:with|by) |[ :,]+(?=<?(?:mailto:)?{ADDRESS}>?[ .!]*$)"


class Player(Part[str]):
    """A player at the table, by name."""

    has_form = False
    is_name = True
    before = re.compile(r"(?:the )?(?:orders )?(?:(?:of|for) )?", re.IGNORECASE)

    def parse(self, said: str, lexicon: Lexicon) -> str:
        bare = self.before.sub("", said, count=1).strip(" .!:")
        bare = re.sub(" from the (?:game|table)$", "", bare, flags=re.IGNORECASE)
        owner = _OWNER.fullmatch(bare)
        return (owner["player"] if owner is not None else bare).strip(" .!:")


class Orders(Player):
    """A player whose orders are meant."""

    def format(self, value: str) -> str:
        return f"{say(value)}'s orders"


class Side(Part[str]):
    """A team or a faction; "" for none."""

    has_form = False
    may_be_empty = True
    is_bare = True

    def parse(self, said: str, lexicon: Lexicon) -> str:
        side = said.strip(" .!")
        return "" if side.casefold() in _NO_SIDE else side

    def format(self, value: str) -> str:
        return say(value) if value else "none"


class Place(Part[int | None]):
    """A place in a team, from 1; None for any."""

    def parse(self, said: str, lexicon: Lexicon) -> int | None:
        found = _PLACE.fullmatch(said.strip(" .!"))
        if found is None:
            raise Unread("invalid", "team", said)
        return int(found["place"]) or None

    def format(self, value: int | None) -> str:
        return "" if value is None else f"place {value}"

    def can_say(self, value: int | None) -> bool:
        return value is None or 1 <= value <= 99


@dataclass(frozen=True, slots=True)
class Who(Part[str]):
    """A person with a mail address, perhaps named; or, where `asked`, by a name alone, if they have
    asked for it.
    """

    asked: bool = False
    is_name: ClassVar[bool] = True
    goes_to_a_table: ClassVar[bool] = True
    may_be_empty: ClassVar[bool] = True
    joins: ClassVar[tuple[str, ...]] = ("name",)

    def read(self, field: str, said: str, lexicon: Lexicon) -> Mapping[str, Any]:
        said = said.strip(" .!,:")
        found = _WHO.fullmatch(said)
        if found is None:
            name = said.strip(" \"'")
            if not self.asked or not name or re.search(r"[@<>,;:]", said) or len(name) > 40:
                raise Unread("missing", "address", said)
            return {field: "", "name": name}
        if found["rest"].strip(" .!,"):
            raise Unread("invalid", "newcomer", found["rest"].strip(" .!,"))
        return {field: found["address"].lower(), "name": found["name"].strip(" \"',")}

    def write(self, field: str, command: Any) -> str:
        return f"{self.said}{format_newcomer(command.name, getattr(command, field))}"


class People(Part[tuple[Invited, ...]]):
    """People to be invited, each with name and address."""

    is_name = True
    goes_to_a_table = True

    def parse(self, said: str, lexicon: Lexicon) -> tuple[Invited, ...]:
        people: list[Invited] = []
        at = 0
        while at < len(said):
            found = _PEOPLE.match(said, at)
            if found is None or found.end() == at:
                kind = "missing" if "@" not in said[at:] else "invalid"
                raise Unread("missing" if kind == "missing" else "invalid", "address", said[at:])
            name = found["name"].strip(" \"'")
            if not name:
                raise Unread("missing", "name", found["address"])
            people.append(Invited(name, found["address"].lower()))
            at = found.end()
        return tuple(people)

    def format(self, value: tuple[Invited, ...]) -> str:
        return ", ".join(format_newcomer(who.name, who.address) for who in value)

    def can_say(self, value: tuple[Invited, ...]) -> bool:
        return value != ()


class Whom(Part[str]):
    """The players to whom something is written, named as players do."""

    is_name = True

    def parse(self, said: str, lexicon: Lexicon) -> str:
        return said

    def format(self, value: str) -> str:
        return value

    def can_say(self, value: str) -> bool:
        return value == " ".join(value.split()) and ":" not in value and len(value) <= MOST_READERS


def format_newcomer(name: str, address: str) -> str:
    return f"{say(name) if name else ''} {address}".strip()

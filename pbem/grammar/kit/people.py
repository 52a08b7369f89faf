"""Whom a word means: exact names first, then colours, symbols and numbers, then a prefix that only
one name has.
"""

from dataclasses import dataclass, field

from msgspec import Struct

from pbem.grammar.kit.normalise import fold


class Person(Struct, frozen=True):
    """A player as others call them; `colour` and `symbol` are words."""

    number: int
    name: str
    colour: str
    symbol: str


@dataclass(frozen=True, slots=True)
class People:
    """Everybody at the table, and which of them is writing (None: nobody, as when a canonical text
    is read).
    """

    persons: tuple[Person, ...]
    me: int | None
    _names: dict[str, int] = field(default_factory=dict, repr=False)
    _signs: dict[str, int] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for person in self.persons:
            self._names.setdefault(" ".join(fold(person.name).split()), person.number)
        for person in self.persons:
            for sign in (person.colour, person.symbol, person.symbol + "s"):
                self._signs.setdefault(fold(sign), person.number)

    @property
    def exact_names(self) -> tuple[str, ...]:
        return tuple(self._names)

    def by_name(self, folded: str) -> int | None:
        return self._names.get(folded)

    def by_sign(self, folded: str) -> int | None:
        """By colour or symbol."""
        return self._signs.get(folded)

    def knows(self, folded: str) -> bool:
        return folded in self._names or folded in self._signs

    def by_number(self, number: int) -> int | None:
        return number if any(person.number == number for person in self.persons) else None

    def candidates(self, folded: str) -> tuple[int, ...]:
        """The players whose names begin so (or whose name has a word that is this one)."""
        begun = tuple(number for name, number in self._names.items() if name.startswith(folded))
        return begun or tuple(
            number for name, number in self._names.items() if folded in name.split()
        )

    def name_of(self, number: int) -> str:
        return next(person.name for person in self.persons if person.number == number)

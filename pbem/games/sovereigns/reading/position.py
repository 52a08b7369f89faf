"""The council as a ruler's words are about it: who sits there, what is offered, what is free."""

from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import OSA

from engine.sovereigns import orders as o
from engine.sovereigns.codes import Attribute
from engine.sovereigns.state import Kingdom, OpenOffer, State
from pbem.games.sovereigns.reading.words import PREFIX, SLIP
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.people import People, Person

UNKNOWN, AMBIGUOUS = 0, -1
"""What a word says that names no kingdom, or may name several."""


@dataclass(frozen=True)
class Position:
    """The state as `me` reads orders in it."""

    state: State
    me: int
    standing: tuple[o.Order, ...] = ()

    @property
    def own(self) -> Kingdom:
        return self.state.kingdom(self.me)

    @cached_property
    def people(self) -> People:
        """Everybody by the ruler's and by the kingdom's name, with and without its article."""
        persons: list[Person] = []
        for kingdom in self.state.kingdoms:
            bare = kingdom.name.removeprefix("The ").removeprefix("the ")
            for name in dict.fromkeys((kingdom.ruler, kingdom.name, bare)):
                if name:
                    persons.append(Person(kingdom.number, name, kingdom.colour, kingdom.colour))
        return People(tuple(persons), self.me)

    @cached_property
    def names(self) -> dict[str, int]:
        """Kingdoms by every folded name."""
        found: dict[str, int] = {}
        for person in self.people.persons:
            found.setdefault(" ".join(fold(person.name).split()), person.number)
        return found

    def by_seat(self, seat: int) -> int:
        """The kingdom of a seat (from 1); 0: there is none."""
        seating = self.state.seating
        return seating[seat - 1] if 0 < seat <= len(seating) else UNKNOWN

    def begun_by(self, word: str) -> int | None:
        """The kingdom a name of which begins so; None: no name does."""
        if len(word) < PREFIX:
            return None
        found = {number for name, number in self.names.items() if name.startswith(word)}
        return None if not found else found.pop() if len(found) == 1 else AMBIGUOUS

    def near_to(self, word: str) -> int | None:
        """The kingdom with a name that is one slip away; None if there is none."""
        if len(word) < SLIP:
            return None
        near = {
            number
            for name, number in self.names.items()
            if len(name) >= SLIP and OSA.distance(word, name, score_cutoff=1) <= 1
        }
        return None if not near else near.pop() if len(near) == 1 else AMBIGUOUS

    def meant_by(self, word: str) -> tuple[str, ...]:
        """The kingdoms an ambiguous word may mean, by their rulers."""
        numbers = {number for name, number in self.names.items() if name.startswith(word)}
        return tuple(k.name or k.ruler for k in self.state.kingdoms if k.number in numbers)

    def free(self, attribute: Attribute) -> int:
        return max(0, self.own.free(attribute))

    @property
    def others(self) -> tuple[int, ...]:
        """The other living kingdoms."""
        return tuple(number for number in self.state.living if number != self.me)

    def offers_to_me(self, giver: int | None = None) -> tuple[OpenOffer, ...]:
        return tuple(
            offer.seen_by(self.me)
            for offer in self.state.offers
            if offer.taker == self.me and giver in (None, offer.giver)
        )

    def offers_of_mine(self, taker: int | None = None) -> tuple[OpenOffer, ...]:
        return tuple(
            offer.seen_by(self.me)
            for offer in self.state.offers
            if offer.giver == self.me and taker in (None, offer.taker)
        )

    @property
    def redoes(self) -> bool:
        """Whether another order is waited for, for an action of mine that was taken back
        (SS-12.6).
        """
        return self.state.undone is not None and self.state.undone.player == self.me

    @property
    def asks_for_year(self) -> bool:
        return self.state.stage == "year-start"

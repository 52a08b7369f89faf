"""What a case expects of a position: its keys, players, provinces and cards are checked, its words
made those of `format_position`.
"""

from collections.abc import Callable

from engine.positions import PositionPart
from engine.protectors import orders as o
from engine.protectors.orders import parse_order
from engine.protectors.positions.position_words import (
    ATTACK_KEYS,
    DRAGON_NAME,
    EFFECTS,
    ISLAND_KEYS,
    NOBODY,
    PLAYER_KEYS,
    POSITION_KEYS,
    PROVINCE_KEYS,
    names_of,
    parse_ability,
    parse_card,
    parse_player,
    parse_province,
)
from engine.protectors.state import DECKS, State

UNORDERED = frozenset({"discards", "removed", "final", "eliminated_this_turn", "used", "extra"})
"""Lists under these keys have no order of their own."""


def parse_expectation(
    part: PositionPart, state: State, more: tuple[str, ...] = ()
) -> dict[str, object]:
    """A part of a position, as it would be written out; `more` keys are the runner's and left
    alone.

    PositionError for an unknown key, player, province or card.
    """
    reader = _Reader(state)
    told = part.fields((*POSITION_KEYS, *more))
    wanted = {
        key: entry.value if key in more else reader.read(key, entry) for key, entry in told.items()
    }
    return wanted | part.nothings()


class _Reader:
    def __init__(self, state: State) -> None:
        self.state = state
        self.names = names_of(state)
        self.by_key: dict[str, Callable[[PositionPart], object]] = {
            "ranking": self._players,
            "eliminated": self._fallen,
            "eliminated_this_turn": self._players,
            "in_play": self._cards,
            "locked": self._cards,
            "decks": self._decks,
            "discards": self._decks,
            "removed": self._decks,
            "attack": self._attack,
            "owed": self._by_player,
            "bids": self._by_player,
            "score": self._by_player,
            "bracket": self._by_player,
            "ties": lambda part: [
                sorted(self._players(tie), key=lambda name: self.names[name])
                for tie in part.parts()
            ],
            "final": self._players,
            "last_orders": self._orders_by_player,
            "answers": self._orders_by_player,
            "players": self._seats,
            "board": self._board,
            "winner": self._winner,
        }

    def read(self, key: str, part: PositionPart) -> object:
        return self.by_key[key](part) if key in self.by_key else part.value

    def _name(self, part: PositionPart) -> str:
        parse_player(part, self.names)
        return part.text()

    def _players(self, part: PositionPart) -> list[str]:
        return [self._name(entry) for entry in part.parts()]

    def _cards(self, part: PositionPart) -> list[str]:
        return [parse_card(entry).card for entry in part.parts()]

    def _decks(self, part: PositionPart) -> object:
        return {key: self._cards(pile) for key, pile in part.fields(DECKS).items()}

    def _by_player(self, part: PositionPart) -> object:
        return {
            self._name(PositionPart(key, entry.path)): entry.value for key, entry in part.pairs()
        }

    def _fallen(self, part: PositionPart) -> object:
        told: dict[str, object] = {}
        for key, entry in part.pairs():
            several = isinstance(entry.value, list)
            by = [
                one.text() if one.value == DRAGON_NAME else self._name(one)
                for one in (entry.parts() if several else [entry])
            ]
            told[self._name(PositionPart(key, entry.path))] = (
                by if len(by) > 1 else by[0] if by else None
            )
        return told

    def _attack(self, part: PositionPart) -> object:
        lists = {"next": self._cards, "bank": self._players}
        return {
            key: lists[key](entry) if key in lists else entry.value
            for key, entry in part.fields(ATTACK_KEYS).items()
        }

    def _orders_by_player(self, part: PositionPart) -> object:
        told: dict[str, list[str]] = {}
        names = {number: name for name, number in self.names.items()}
        for key, entry in part.pairs():
            texts: list[str] = []
            for text in entry.parts():
                try:
                    texts.append(o.format_order(parse_order(text.text(), self.names), names))
                except ValueError as wrong:
                    raise text.error(str(wrong)) from None
            told[self._name(PositionPart(key, entry.path))] = texts
        return told

    def _seats(self, part: PositionPart) -> object:
        return {
            self._name(PositionPart(key, entry.path)): self._seat(entry)
            for key, entry in part.pairs()
        }

    def _seat(self, part: PositionPart) -> object:
        told: dict[str, object] = {}
        for key, entry in part.fields(PLAYER_KEYS).items():
            match key:
                case "extra":
                    told[key] = [parse_ability(ability) for ability in entry.parts()]
                case "effects":
                    told[key] = {name: last.value for name, last in entry.fields(EFFECTS).items()}
                case _:
                    told[key] = entry.value
        return told | part.nothings()

    def _board(self, part: PositionPart) -> object:
        told: dict[str, object] = {}
        for key, entry in part.pairs():
            number = parse_province(
                key, entry, self.state.land.provinces, island=self.state.options.island
            )
            fields = entry.fields(ISLAND_KEYS if number == o.ISLAND else PROVINCE_KEYS)
            held = {
                name: self._name(value) if name == "owner" else value.value
                for name, value in fields.items()
            }
            told[key] = held | entry.nothings()
        return told

    def _winner(self, part: PositionPart) -> str:
        teams = {seat.team for seat in self.state.players}
        return part.text() if part.value in (DRAGON_NAME, NOBODY, *teams) else self._name(part)

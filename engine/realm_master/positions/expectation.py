"""What a case expects of a position: its keys, players, lands and cards are checked, its words made
those of `format_position`.
"""

from collections.abc import Callable, Mapping

from engine.positions import PositionPart
from engine.realm_master.positions.position_words import (
    LOOT_KEYS,
    OUTSIDE,
    PLAYER_KEYS,
    POSITION_KEYS,
    TURN_KEYS,
    format_tokens,
    names_of,
    parse_buy_card,
    parse_land,
    parse_orders,
    parse_player,
    parse_tokens,
    parse_turn_card,
)
from engine.realm_master.state import State
from engine.realm_master.wording import format_order

UNORDERED = frozenset({"cards", "discard", "asked"})
"""Lists under these keys have no order of their own."""


def parse_expectation(
    part: PositionPart, state: State, more: tuple[str, ...] = ()
) -> dict[str, object]:
    """A part of a position, as it would be written out; `more` keys are the runner's and left
    alone.

    PositionError for an unknown key, player, land or card.
    """
    reader = _Reader(names_of(state))
    told = part.fields((*POSITION_KEYS, *more))
    wanted = {
        key: entry.value if key in more else reader.read(key, entry) for key, entry in told.items()
    }
    return wanted | part.nothings()


class _Reader:
    def __init__(self, names: Mapping[str, int]) -> None:
        self.names = names
        self.by_key: dict[str, Callable[[PositionPart], object]] = {
            "card": parse_turn_card,
            "turn_deck": lambda part: [parse_turn_card(card) for card in part.parts()],
            "lands": lambda part: {
                parse_land(PositionPart(key, entry.path)): format_tokens(parse_tokens(entry))
                for key, entry in part.pairs()
            },
            "players": lambda part: {
                self._name(PositionPart(key, entry.path)): self._player(entry)
                for key, entry in part.pairs()
            },
            "row": self._row,
            "deck": self._cards,
            "discard": self._cards,
            "revealed": parse_buy_card,
            "hit": lambda part: {
                self._name(PositionPart(key, entry.path)): entry.integer()
                for key, entry in part.pairs()
            },
            "loot": lambda part: {
                key: entry.value for key, entry in part.fields(LOOT_KEYS).items()
            },
            "turn": lambda part: {
                key: entry.value for key, entry in part.fields(TURN_KEYS).items()
            },
            "winner": lambda part: (
                self._people(part) if isinstance(part.value, list) else self._name(part)
            ),
        }
        self.by_key |= dict.fromkeys(("seating", "to_play", "asked", "owing"), self._people)

    def read(self, key: str, part: PositionPart) -> object:
        return self.by_key[key](part) if key in self.by_key else part.value

    def _name(self, part: PositionPart) -> str:
        parse_player(part, self.names)
        return part.text()

    def _people(self, part: PositionPart) -> list[str]:
        return [self._name(entry) for entry in part.parts()]

    def _cards(self, part: PositionPart) -> list[str]:
        return [parse_buy_card(card) for card in part.parts()]

    def _row(self, part: PositionPart) -> list[object]:
        return [
            self._cards(pile) if isinstance(pile.value, list) else parse_buy_card(pile)
            for pile in part.parts()
        ]

    def _player(self, part: PositionPart) -> dict[str, object]:
        told: dict[str, object] = {}
        for key, entry in part.fields(PLAYER_KEYS).items():
            match key:
                case "hgb":
                    told[key] = format_tokens(parse_tokens(entry))
                case "at":
                    told[key] = OUTSIDE if entry.value == OUTSIDE else parse_land(entry)
                case "cards":
                    told[key] = self._cards(entry)
                case "plan" | "last":
                    told[key] = [format_order(order) for order in parse_orders(entry)]
                case "fell_to":
                    told[key] = self._name(entry)
                case _:
                    told[key] = entry.value
        return told | part.nothings()

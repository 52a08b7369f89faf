"""The words of positions in cases: keys, and the spelling of players, tokens, places and cards."""

import re
from collections.abc import Mapping

import msgspec

from engine.positions import PositionPart
from engine.realm_master.cards import Tokens, all_buy_cards, all_heroes, all_lands, all_turn_cards
from engine.realm_master.conditions import FACES, Face
from engine.realm_master.orders import Line, Order, key_of
from engine.realm_master.state import Land, Options, Stage, State
from engine.realm_master.wording import parse_order

POSITION_KEYS = (
    "round",
    "phase",
    "card",
    "turn_deck",
    "lands",
    "players",
    "seating",
    "row",
    "deck",
    "discard",
    "to_play",
    "before",
    "turns",
    "turn",
    "asked",
    "hit",
    "loot",
    "revealed",
    "owing",
    "winner",
    "ended_by",
)
PLAYER_KEYS = (
    "hero",
    "hgb",
    "at",
    "cards",
    "alive",
    "fell_to",
    "plan",
    "auto",
    "last",
    "missed",
    "conceding",
)
TURN_KEYS = ("player", "inside", "rolled", "faces", "horn", "lives", "attacked", "step")
LOOT_KEYS = ("victim", "killer", "cause")
OUTSIDE = "out"
STAGES: tuple[Stage, ...] = (
    "heroes",
    "round",
    "tribute",
    "ultimatum",
    "reroll",
    "second",
    "knuckle",
    "faces",
    "attack",
    "smoke",
    "hit",
    "loot",
    "place",
    "enter",
    "realm",
    "last",
    "over",
)


def names_of(state: State) -> dict[str, int]:
    return {player.name: player.number for player in state.players}


def parse_options(data: object) -> Options:
    """The table options of a case."""
    part = PositionPart(data, ("options",))
    told = part.fields(Options.__struct_fields__)
    try:
        return msgspec.convert({key: value.value for key, value in told.items()}, Options)
    except msgspec.ValidationError as wrong:
        raise part.error(str(wrong)) from None


def parse_player(part: PositionPart, names: Mapping[str, int]) -> int:
    if part.text() not in names:
        raise part.error(f"no player {part.text()!r}; players are {', '.join(names)}")
    return names[part.text()]


def parse_tokens(part: PositionPart) -> Tokens:
    """`3/2/1`: hearts, gold, banners."""
    found = re.fullmatch(r"(\d{1,3})/(\d{1,3})/(\d{1,3})", part.text())
    if found is None:
        raise part.error(f"hearts/gold/banners are wanted here, like 3/2/1, not {part.value!r}")
    return Tokens(int(found[1]), int(found[2]), int(found[3]))


def format_tokens(held: Tokens | Land) -> str:
    return f"{held.hearts}/{held.gold}/{held.banners}"


def parse_land(part: PositionPart) -> str:
    return part.one_of(all_lands())


def parse_hero(part: PositionPart) -> str:
    return part.one_of(all_heroes())


def parse_buy_card(part: PositionPart) -> str:
    return part.one_of(all_buy_cards())


def parse_turn_card(part: PositionPart) -> str:
    return part.one_of(all_turn_cards())


def parse_dice(part: PositionPart) -> tuple[Face, ...]:
    """Five letters, `ssR-b`."""
    text = part.text()
    faces = tuple(face for letter in text for face in FACES if face == letter)
    if len(faces) != len(text) or len(faces) != 5:
        raise part.error(f"five of {' '.join(FACES)} are wanted here, not {text!r}")
    return faces


def parse_orders(part: PositionPart) -> tuple[Order, ...]:
    """Canonical texts."""
    orders: list[Order] = []
    for entry in part.parts():
        try:
            orders.append(parse_order(entry.text()))
        except ValueError as wrong:
            raise entry.error(str(wrong)) from None
    return tuple(orders)


def parse_lines(part: PositionPart) -> tuple[Line, ...]:
    """Canonical texts of lines of a plan."""
    lines: list[Line] = []
    for entry, order in zip(part.parts(), parse_orders(part), strict=True):
        if not isinstance(order, Line) or key_of(order) in (None, "hero"):
            raise entry.error(f"{entry.text()!r} is no line of a plan")
        lines.append(order)
    return tuple(lines)

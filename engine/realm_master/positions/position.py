"""Positions of Realm-Master as cases tell them: read into a state, every default as
`docs/games/realm-master/cases.md` says.

`position_out` writes them in the same shape; `expectation` reads what a case expects.
"""

import hashlib
from collections.abc import Mapping
from typing import Literal

from msgspec.structs import replace

from engine.chance import Chance
from engine.positions import PositionError, PositionPart
from engine.realm_master.cards import (
    LANDS_IN_PLAY,
    ROW_SIZE,
    SMOKE_POT,
    Tokens,
    all_buy_cards,
    all_lands,
    all_turn_cards,
)
from engine.realm_master.codec import faults_of
from engine.realm_master.orders import Order
from engine.realm_master.positions.position_agenda import Told, agenda_of
from engine.realm_master.positions.position_words import (
    LOOT_KEYS,
    OUTSIDE,
    PLAYER_KEYS,
    POSITION_KEYS,
    STAGES,
    TURN_KEYS,
    parse_buy_card,
    parse_dice,
    parse_hero,
    parse_land,
    parse_lines,
    parse_options,
    parse_player,
    parse_tokens,
    parse_turn_card,
)
from engine.realm_master.state import (
    STEPS,
    Land,
    Options,
    Plan,
    Player,
    Stage,
    State,
    StepName,
    Turn,
)
from engine.ruleset import Standing

COLOURS = ("red", "blue", "yellow", "green", "black", "sky")
CAUSES: tuple[Literal["attack", "bolt", "thorns"], ...] = ("attack", "bolt", "thorns")


def parse_position(data: object, options: object, case_id: str) -> State:
    """A position told in a case; PositionError names the key that does not fit.

    Decks that are not told are shuffled by a stream of their own, seeded by the case's id.
    """
    return _Loader(data, parse_options(options), case_id).state()


def parse_standings(data: object, state: State) -> dict[int, Standing[Order]]:
    """Nobody has answered before a case begins; earlier orders that stand are the `plan`."""
    return {}


class _Loader:
    """One position being read: the parts told, and what is known so far."""

    def __init__(self, data: object, options: Options, case_id: str) -> None:
        self.told = PositionPart(data, ("position",)).fields(POSITION_KEYS)
        self.options = options
        self.chance = Chance(hashlib.sha256(f"position/{case_id}".encode()).digest())
        stage = self._need("phase").one_of(STAGES)
        self.stage: Stage = next(known for known in STAGES if known == stage)
        seats = self._need("players").pairs()
        self.names = {name: number for number, (name, _) in enumerate(seats, start=1)}

    def _need(self, key: str) -> PositionPart:
        if key not in self.told:
            raise PositionError(("position", key), "is missing")
        return self.told[key]

    def _number(self, key: str, default: int) -> int:
        return self.told[key].integer() if key in self.told else default

    def _players_of(self, key: str) -> list[int] | None:
        return (
            [parse_player(part, self.names) for part in self.told[key].parts()]
            if key in self.told
            else None
        )

    def state(self) -> State:
        players = self._players()
        seating = tuple(self._players_of("seating") or self.names.values())
        living = tuple(
            number for number in seating if number <= len(players) and players[number - 1].alive
        )
        card = parse_turn_card(self.told["card"]) if "card" in self.told else None
        turn_deck = self._turn_deck(card)
        held = [owned for player in players for owned in player.cards]
        revealed = parse_buy_card(self.told["revealed"]) if "revealed" in self.told else None
        row, deck, discard = self._buy_cards([*held, *([revealed] if revealed is not None else [])])
        turn, step = self._turn()
        told = self._what_is_due(card, living, revealed, step)
        named = self._players_of("asked")
        asked = tuple(sorted(told.asked(self.stage, turn) if named is None else named))
        state = State(
            options=self.options,
            players=tuple(replace(player, asked=player.number in asked) for player in players),
            seating=seating,
            lands=self._lands(),
            stage=self.stage,
            asked=asked,
            mode=self.options.mode,
            round=self._number("round", 0 if self.stage == "heroes" else 1),
            card=card,
            turn_deck=turn_deck,
            turn_discard=tuple(
                other for other in all_turn_cards() if other not in (*turn_deck, card)
            ),
            buy_deck=deck,
            discard=discard,
            row=row,
            agenda=agenda_of(self.stage, told),
            turn=turn,
            turns=self._number("turns", 0),
            winners=self._winners(),
            ended_by=self.told["ended_by"].text() if "ended_by" in self.told else "",
        )
        fault = next(faults_of(state), None)
        if fault is not None:
            raise PositionError(("position",), fault)
        return state

    # -------------------------------------------------------------------------------- who and where
    def _players(self) -> tuple[Player, ...]:
        seats = self._need("players").pairs()
        if len(seats) > len(COLOURS):
            raise self._need("players").error(f"at most {len(COLOURS)} play")
        return tuple(
            self._player(number, name, part) for number, (name, part) in enumerate(seats, start=1)
        )

    def _player(self, number: int, name: str, part: PositionPart) -> Player:
        told = part.fields(PLAYER_KEYS)
        alive = told["alive"].flag() if "alive" in told else True
        held = (
            parse_tokens(told["hgb"])
            if "hgb" in told
            else Tokens(hearts=int(alive and self.stage != "heroes"))
        )
        at = None if "at" not in told or told["at"].value == OUTSIDE else parse_land(told["at"])
        return Player(
            number=number,
            name=name,
            colour=COLOURS[number - 1],
            hero=self._hero(number, told),
            hearts=held.hearts,
            gold=held.gold,
            banners=held.banners,
            cards=tuple(parse_buy_card(card) for card in told["cards"].parts())
            if "cards" in told
            else (),
            at=at,
            alive=alive,
            fell_to=parse_player(told["fell_to"], self.names) if "fell_to" in told else None,
            conceding=told["conceding"].flag() if "conceding" in told else False,
            missed=told["missed"].integer() if "missed" in told else 0,
            plan=Plan(
                lines=parse_lines(told["plan"]) if "plan" in told else (),
                auto=told["auto"].flag() if "auto" in told else False,
                last=parse_lines(told["last"]) if "last" in told else (),
            ),
        )

    def _hero(self, number: int, told: Mapping[str, PositionPart]) -> str | None:
        """Whose hero is not told has the first that nobody else has."""
        if "hero" in told or self.stage == "heroes":
            return parse_hero(told["hero"]) if "hero" in told else None
        seats = [part.fields(PLAYER_KEYS) for _, part in self._need("players").pairs()]
        chosen = [fields["hero"].text() for fields in seats if "hero" in fields]
        free = [
            hero
            for hero in ("princess", "squire", "wizard", "barbarian", "elf", "dwarf")
            if hero not in chosen
        ]
        untold = [i for i, fields in enumerate(seats, start=1) if "hero" not in fields]
        return free[untold.index(number)]

    def _lands(self) -> tuple[Land, ...]:
        """In row order as told; more are added from the table of lands, empty, until there are
        four.
        """
        lands: list[Land] = []
        for key, part in self._need("lands").pairs():
            held = parse_tokens(part)
            lands.append(
                Land(parse_land(PositionPart(key, part.path)), held.hearts, held.gold, held.banners)
            )
        more = [Land(key) for key in all_lands() if key not in {land.key for land in lands}]
        return (*lands, *more[: max(0, LANDS_IN_PLAY - len(lands))])

    # ---------------------------------------------------------------------------------------- cards
    def _turn_deck(self, card: str | None) -> tuple[str, ...]:
        if "turn_deck" in self.told:
            return tuple(parse_turn_card(part) for part in self.told["turn_deck"].parts())
        return self.chance.shuffle(
            "turn deck", tuple(other for other in all_turn_cards() if other != card)
        )

    def _buy_cards(
        self, held: list[str]
    ) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...], tuple[str, ...]]:
        row = self._row()
        deck, discard = (self._pile(key) for key in ("deck", "discard"))
        used = {
            *held,
            *(card for pile in row or () for card in pile),
            *(deck or ()),
            *(discard or ()),
        }
        rest = [card for card in all_buy_cards() if card not in used]
        if deck is None:
            rest = list(self.chance.shuffle("buy deck", tuple(rest)))
        if row is None:
            row, rest = tuple((card,) for card in rest[:ROW_SIZE]), rest[ROW_SIZE:]
        if deck is None:
            return row, tuple(rest), discard or ()
        return row, deck, tuple(rest) if discard is None else discard

    def _row(self) -> tuple[tuple[str, ...], ...] | None:
        """Cards from the left; where one covers others, a list with the visible one first."""
        if "row" not in self.told:
            return None
        piles = [
            part.parts() if isinstance(part.value, list) else [part]
            for part in self.told["row"].parts()
        ]
        return tuple(tuple(parse_buy_card(card) for card in pile) for pile in piles)

    def _pile(self, key: str) -> tuple[str, ...] | None:
        return (
            tuple(parse_buy_card(part) for part in self.told[key].parts())
            if key in self.told
            else None
        )

    # --------------------------------------------------------------------------------- what is open
    def _turn(self) -> tuple[Turn | None, StepName | None]:
        if "turn" not in self.told:
            return None, None
        part = self.told["turn"]
        told = part.fields(TURN_KEYS)
        if "player" not in told:
            raise part.error("whose turn? (player)")
        step = told["step"].one_of(STEPS) if "step" in told else None
        turn = Turn(
            number=self._number("turns", 0),
            player=parse_player(told["player"], self.names),
            inside=told["inside"].flag() if "inside" in told else False,
            rolled=parse_dice(told["rolled"]) if "rolled" in told else (),
            faces=parse_dice(told["faces"]) if "faces" in told else (),
            horn=told["horn"].integer() if "horn" in told else 0,
            lives=told["lives"].integer() if "lives" in told else 0,
            attacked=told["attacked"].flag() if "attacked" in told else False,
        )
        return turn, next((known for known in STEPS if known == step), None)

    def _what_is_due(
        self, card: str | None, living: tuple[int, ...], revealed: str | None, step: StepName | None
    ) -> Told:
        to_play, owing = self._players_of("to_play"), self._players_of("owing")
        effect = None if card is None else all_turn_cards()[card].effect
        before = (
            self.told["before"].flag()
            if "before" in self.told
            else self.stage in ("round", "tribute", "ultimatum")
        )
        inside = [player for player in self._players() if player.at is not None]
        hit = tuple(
            (parse_player(PositionPart(name, part.path), self.names), part.integer())
            for name, part in self._pairs("hit")
        )
        return Told(
            living=living,
            to_play=tuple(living if to_play is None and self.stage == "round" else to_play or ()),
            owing=tuple(
                owing if owing is not None else living if before and effect == "tribute" else ()
            ),
            ultimatum=before and effect == "ultimatum",
            hit=hit,
            revealed=revealed,
            loot=self._loot(),
            step=step,
            occupants=tuple(player.number for player in inside),
            smokers=tuple(player.number for player in inside if SMOKE_POT in player.cards),
        )

    def _pairs(self, key: str) -> list[tuple[str, PositionPart]]:
        return self.told[key].pairs() if key in self.told else []

    def _loot(self) -> tuple[int, int, Literal["attack", "bolt", "thorns"]] | None:
        if "loot" not in self.told:
            return None
        told = self.told["loot"].fields(LOOT_KEYS)
        if not {"victim", "killer"} <= set(told):
            raise self.told["loot"].error("victim and killer are wanted here")
        cause = told["cause"].one_of(CAUSES) if "cause" in told else "attack"
        named = next(known for known in CAUSES if known == cause)
        return (
            parse_player(told["victim"], self.names),
            parse_player(told["killer"], self.names),
            named,
        )

    def _winners(self) -> tuple[int, ...]:
        if "winner" not in self.told:
            return ()
        part = self.told["winner"]
        return tuple(
            parse_player(entry, self.names)
            for entry in (part.parts() if isinstance(part.value, list) else [part])
        )

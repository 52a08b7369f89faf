"""The table while it is being played: a private working copy of a state, frozen again at the next
question.

Players and lands are replaced, never changed; the state it came from is not touched. Nothing
outside the adjudication sees one.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from engine.chance import Chance, ScriptEntry
from engine.realm_master.cards import (
    BANNERS_TO_WIN,
    HERO_MAXIMUM,
    STOUT_HEART,
    STOUT_MAXIMUM,
    Token,
    TurnCard,
    all_lands,
    all_turn_cards,
)
from engine.realm_master.conditions import FACES, Face, Sight
from engine.realm_master.events import Gain
from engine.realm_master.orders import Order
from engine.realm_master.state import Drawn, Land, Player, Record, Stage, State, Task, Turn
from engine.ruleset import Event, Facts


class Closing:
    """The question being closed: who was asked, and what they answered (None: nothing)."""

    __slots__ = ("answers", "stage")

    def __init__(self, stage: Stage, answers: dict[int, Order | None]) -> None:
        self.stage = stage
        self.answers = answers


class Table:
    def __init__(self, state: State, chance: Chance) -> None:
        self.was = state
        self.chance = chance
        self.events: list[Event] = []
        self.players = {player.number: player for player in state.players}
        self.lands = {land.key: land for land in state.lands}
        self.stage: Stage = state.stage
        self.asked = state.asked
        self.question = state.question
        self.mode = state.mode
        self.options = state.options
        self.round = state.round
        self.card = state.card
        self.turn_deck = list(state.turn_deck)
        self.turn_discard = list(state.turn_discard)
        self.buy_deck = list(state.buy_deck)
        self.discard = list(state.discard)
        self.row = [list(pile) for pile in state.row]
        self.agenda: list[Task] = list(state.agenda)
        self.turn: Turn | None = state.turn
        self.turns = state.turns
        self.reached = list(state.reached)
        self.winners = state.winners
        self.ended_by = state.ended_by
        self.drawn = list(state.drawn)
        self.stock = list(state.stock)
        self.records: list[Record] = list(state.records)
        self.closing: Closing | None = None

    def freeze(self) -> State:
        """The state as the table lies now."""
        return State(
            options=self.options,
            players=tuple(self.players[number] for number in sorted(self.players)),
            seating=self.was.seating,
            lands=tuple(self.lands.values()),
            stage=self.stage,
            asked=self.asked,
            question=self.question,
            mode=self.mode,
            round=self.round,
            card=self.card,
            turn_deck=tuple(self.turn_deck),
            turn_discard=tuple(self.turn_discard),
            buy_deck=tuple(self.buy_deck),
            discard=tuple(self.discard),
            row=tuple(tuple(pile) for pile in self.row),
            agenda=tuple(self.agenda),
            turn=self.turn,
            turns=self.turns,
            reached=tuple(self.reached),
            winners=self.winners,
            ended_by=self.ended_by,
            drawn=tuple(self.drawn),
            stock=tuple(self.stock),
            records=tuple(self.records),
        )

    def tell(
        self, facts: Facts, rules: Iterable[str], audience: tuple[int, ...] | None = None
    ) -> None:
        self.events.append(Event(facts, tuple(dict.fromkeys(rules)), audience))

    # --------------------------------------------------------------------------------------- chance
    def die(self, label: str) -> Face:
        """A die; where turns are played again first those already drawn for the same throw, or the
        same land (RM-11.9).
        """
        told = self._from_stock(label)
        if not isinstance(told, int):
            told = self.chance.die(label, len(FACES))
        self.drawn.append(Drawn(self.turns, label, told))
        return FACES[told - 1]

    def shuffle(self, label: str, names: Sequence[str]) -> tuple[str, ...]:
        told = self._from_stock(label)
        if not isinstance(told, tuple) or sorted(told) != sorted(names):
            told = self.chance.shuffle(label, names)
        self.drawn.append(Drawn(self.turns, label, told))
        return told

    def _from_stock(self, label: str) -> ScriptEntry | None:
        for i, entry in enumerate(self.stock):
            if entry.turn == self.turns and entry.label == label:
                del self.stock[i]
                return entry.result
        return None

    # ------------------------------------------------------------------------------------------ who
    @property
    def is_over(self) -> bool:
        return self.stage == "over"

    @property
    def is_standing(self) -> bool:
        """Whether this round is played from plans (RM-11.1)."""
        return self.mode == "standing"

    @property
    def living(self) -> list[int]:
        """In seat order from the first player (RM-1.2, RM-3.2)."""
        return [number for number in self.was.seating if self.players[number].alive]

    def after(self, player: int) -> list[int]:
        """The other living, in seat order after this one (RM-4.6)."""
        place = self.was.seating.index(player)
        order = (*self.was.seating[place + 1 :], *self.was.seating[:place])
        return [number for number in order if self.players[number].alive]

    @property
    def occupants(self) -> list[int]:
        return [number for number in self.living if self.players[number].at is not None]

    def who_is(self, hero: str | None) -> int | None:
        """The player who has this hero."""
        return next(
            (number for number, player in self.players.items() if player.hero == hero), None
        )

    def change(self, player: int, **fields: Any) -> None:
        self.players[player] = replace(self.players[player], **fields)

    def now(self) -> Turn:
        """The turn being played. ValueError between turns."""
        if self.turn is None:
            raise ValueError("no turn is being played")
        return self.turn

    def owns(self, player: int, card: str) -> bool:
        return card in self.players[player].cards

    # --------------------------------------------------------------------------------------- tokens
    def maximum(self, player: int) -> int:
        return maximum_of(self.players[player])

    def heal(self, player: int, hearts: int) -> int:
        """Hearts up to the maximum; how many were taken."""
        taken = max(0, min(hearts, self.maximum(player) - self.players[player].hearts))
        self.change(player, hearts=self.players[player].hearts + taken)
        return taken

    def hurt(self, player: int, hearts: int) -> int:
        """Hearts lost, never below 0 (RM-7.1); how many."""
        lost = min(hearts, self.players[player].hearts)
        self.change(player, hearts=self.players[player].hearts - lost)
        return lost

    def earn(self, player: int, gold: int) -> None:
        self.change(player, gold=self.players[player].gold + gold)

    def honour(self, player: int, banners: int) -> None:
        """Banners gained (or paid); who comes to ten is noted, the first first (RM-7.6)."""
        after = self.players[player].banners + banners
        self.change(player, banners=after)
        if after >= BANNERS_TO_WIN and player not in self.reached:
            self.reached.append(player)

    def room_on(self, land: str) -> int:
        """How many tokens a land still takes."""
        held = self.lands[land]
        return all_lands()[land].capacity - held.hearts - held.gold - held.banners

    def put(self, land: str, token: Token, count: int) -> int:
        """Tokens on a land as far as there is room; how many."""
        added = max(0, min(count, self.room_on(land)))
        self.lands[land] = with_tokens(self.lands[land], token, added)
        return added

    def take(self, land: str, token: Token, count: int) -> int:
        """Tokens from a land, as many as lie there; how many."""
        taken: int = min(count, getattr(self.lands[land], token))
        self.lands[land] = with_tokens(self.lands[land], token, -taken)
        return taken

    # ---------------------------------------------------------------------------------------- cards
    def effect(self, name: str) -> TurnCard | None:
        """The turn card of this round, if it has this effect."""
        card = None if self.card is None else all_turn_cards()[self.card]
        return card if card is not None and card.effect == name else None

    def throw_away(self, player: int, card: str) -> None:
        """A used discard card goes to the discard pile (RM-6.6)."""
        self.change(
            player, cards=tuple(held for held in self.players[player].cards if held != card)
        )
        self.discard.insert(0, card)

    def sight(
        self,
        player: int,
        *,
        damage: int = 0,
        attacker: int | None = None,
        dice: tuple[Face, ...] | None = None,
    ) -> Sight:
        """What a decision of this player can be made on (RM-10.5)."""
        held = self.players[player]
        shown = (
            dice
            if dice is not None
            else ()
            if self.turn is None
            else self.turn.faces or self.turn.rolled
        )
        return Sight(
            hearts=held.hearts,
            gold=held.gold,
            banners=held.banners,
            heroes=len(self.living),
            card=self.card,
            lands={
                key: {"hearts": land.hearts, "gold": land.gold, "banners": land.banners}
                for key, land in self.lands.items()
            },
            dice=shown,
            damage=damage,
            attacker=None if attacker is None else self.players[attacker].hero,
        )

    # ------------------------------------------------------------------------------------ questions
    def ask(self, stage: Stage, players: Iterable[int]) -> bool:
        """Open a question; True, for what opened it to say that the table stands still."""
        self.stage = stage
        self.asked = tuple(sorted(players))
        for player in self.asked:
            self.change(player, asked=True)
        return True

    def push(self, *tasks: Task) -> None:
        """Do these next, the first first."""
        self.agenda[:0] = tasks


def maximum_of(player: Player) -> int:
    return STOUT_MAXIMUM if STOUT_HEART in player.cards else HERO_MAXIMUM


def with_tokens(land: Land, token: Token, more: int) -> Land:
    match token:
        case "hearts":
            return replace(land, hearts=land.hearts + more)
        case "gold":
            return replace(land, gold=land.gold + more)
    return replace(land, banners=land.banners + more)


def gain_of(token: Token, count: int) -> Gain:
    """A gain of `count` of one token."""
    match token:
        case "hearts":
            return Gain(hearts=count)
        case "gold":
            return Gain(gold=count)
    return Gain(banners=count)

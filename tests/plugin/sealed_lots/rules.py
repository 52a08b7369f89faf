"""The rules of Sealed Lots: pure functions over frozen values. IDs are those of `rules.yaml`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.codec import Codec
from engine.forms import Forms, digits
from engine.ruleset import Event, Facts, Outcome, Over, Phase, Placing, Problem, Seat, Standing
from engine.usual import OneOrderRules, RulingGiven

KINDS = ("amber", "silk", "spice", "timber", "wine")
LOTS = tuple(f"{kind} {worth}" for kind in KINDS for worth in (3, 5))
PURSE = 20
ROUNDS = 8


# ----------------------------------------------------------------------------------------- the state
class Player(msgspec.Struct, frozen=True):
    """`wants` is the kind that counts double for them; "" in the view of who may not know it."""

    number: int
    name: str
    colour: str = "red"
    coins: int = PURSE
    lots: tuple[str, ...] = ()
    wants: str = ""
    gone: bool = False

    @property
    def score(self) -> int:
        """SL-4.2."""
        worth = sum(int(lot[-1]) * (2 if lot[:-2] == self.wants else 1) for lot in self.lots)
        return worth + self.coins // 4

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Who has most of this wins (SL-4.3)."""
        return not self.gone, self.score, self.coins


class State(msgspec.Struct, frozen=True):
    """`deck` begins with the lot that lies open; `how` the game ended, "" before that."""

    players: tuple[Player, ...]
    deck: tuple[str, ...]
    round: int = 1
    winners: tuple[int, ...] = ()
    how: str = ""


class Bid(msgspec.Struct, frozen=True, tag="bid"):
    """The one order there is; `form` is the template of its text."""

    form: ClassVar[str] = "Bid {coins:count}"
    coins: int


# ------------------------------------------------------------------------------------ what can happen
class GameSetUp(Facts, frozen=True, tag="game-set-up"):
    lot: str


class Commissioned(Facts, frozen=True, tag="commission"):
    player: int
    kind_wanted: str


class LotSold(Facts, frozen=True, tag="sold"):
    """`bids` are those of all players, the highest first; `winner` None: nobody takes it."""

    lot: str
    winner: int | None
    bids: tuple[tuple[int, int], ...]
    level: tuple[int, ...]


class LotOffered(Facts, frozen=True, tag="offered"):
    round: int
    lot: str


class PlayerLeft(Facts, frozen=True, tag="left"):
    player: int


class Corrected(Facts, frozen=True, tag="corrected"):
    player: int
    coins: int


class GameOver(Facts, frozen=True, tag="game-over"):
    winners: tuple[int, ...]
    wants: tuple[tuple[int, str, int], ...]


AnyFacts = (
    GameSetUp
    | Commissioned
    | LotSold
    | LotOffered
    | PlayerLeft
    | Corrected
    | GameOver
    | RulingGiven
)


# ------------------------------------------------------------------------------------------- the view
class View(msgspec.Struct, frozen=True):
    """What one player may know, or everybody: no deck but the open lot, nobody else's commission."""

    stage: Literal["bid", "over"]
    turn: int
    asked: tuple[int, ...]
    winners: tuple[int, ...]
    how: str
    players: tuple[Player, ...]
    lot: str
    you: int | None

    @property
    def own(self) -> Player:
        return next(player for player in self.players if player.number == self.you)


def faults_of(state: State) -> Iterator[str]:
    """What no game can come to."""
    lots = [*state.deck, *(lot for player in state.players for lot in player.lots)]
    if len(set(lots)) < len(lots) or not set(lots) <= set(LOTS):
        yield f"the lots {lots}"
    if [player.number for player in state.players] != list(range(1, len(state.players) + 1)):
        yield "players out of order"
    if any(player.coins < 0 or player.wants not in ("", *KINDS) for player in state.players):
        yield "a purse below nothing, or a commission of no kind"
    if not state.how and not state.deck:
        yield "no lot is left, and the game is not over"


class SealedLots(OneOrderRules[State, Bid]):
    """Fulfils `Ruleset`; what is not here is as in most games."""

    id = "sealed-lots"
    version = "1"
    windows: Mapping[str, int] = {"bid": 24}
    players = (2, len(KINDS))
    codec: Codec[State, Bid] = Codec(State, Bid, AnyFacts, faults_of)
    forms: Forms[Bid] = Forms("a bid", (Bid,), {"count": digits()})

    def setup(
        self, options: Mapping[str, object], seats: Sequence[Seat], chance: Chance
    ) -> Outcome[State]:
        self.check_options(options)
        self.check_players(options, len(seats))
        deck = chance.shuffle("lots", LOTS)
        wants = chance.shuffle("commissions", KINDS)
        players = tuple(
            Player(seat.number, seat.name, seat.colour, wants=kind)
            for seat, kind in zip(seats, wants, strict=False)
        )
        dealt = (
            Event(Commissioned(player.number, player.wants), ("SL-1.4",), (player.number,))
            for player in players
        )
        return Outcome(
            State(players, deck), (Event(GameSetUp(deck[0]), ("SL-1.2", "SL-1.3")), *dealt)
        )

    def phase(self, state: State) -> Phase:
        if state.how:
            return Phase("over", state.round, (), 0, over=Over(state.winners, state.how))
        return Phase("bid", state.round, self.active(state), self.windows["bid"], ("SL-2.1",))

    def active(self, state: State) -> tuple[int, ...]:
        return tuple(player.number for player in state.players if not player.gone)

    def placings(self, state: State) -> tuple[Placing, ...]:
        if not state.how:
            raise ValueError("the game is not over")
        ranks = {
            player.number: (player.number in state.winners, *player.rank)
            for player in state.players
        }
        return tuple(
            Placing(
                player.number,
                1 + sum(rank > ranks[player.number] for rank in ranks.values()),
                player.number in state.winners,
                player.score,
                "resigned" if player.gone else state.how,
            )
            for player in state.players
        )

    def legal(self, state: State, player: int) -> Iterator[Bid]:
        if player in self.phase(state).asked:
            yield from map(Bid, range(state.players[player - 1].coins + 1))

    def judge(self, state: State, player: int, order: Bid) -> Problem | None:
        coins = state.players[player - 1].coins
        if 0 <= order.coins <= coins:
            return None
        return Problem("purse", ("SL-2.1",), {"coins": coins, "bid": order.coins})

    def defaults(self, state: State, player: int, standing: Standing[Bid]) -> tuple[Bid, ...]:
        return standing.orders or (Bid(0),)

    def adjudicate(
        self, state: State, orders: Mapping[int, Sequence[Bid]], chance: Chance
    ) -> Outcome[State]:
        """Sell the open lot, and open the next one or end the game."""
        bids = dict.fromkeys(self.active(state), 0)
        for number, given in orders.items():
            if given and number in bids:
                bids[number] = min(given[-1].coins, state.players[number - 1].coins)
        counts = list(bids.values())
        alone = [number for number, bid in bids.items() if bid and counts.count(bid) == 1]
        winner = max(alone, key=lambda number: bids[number], default=None)
        top = max(counts) if winner is None else bids[winner]
        level = tuple(n for n, bid in bids.items() if bid and bid >= top and n != winner)
        lot, *deck = state.deck
        sale = LotSold(lot, winner, tuple(sorted(bids.items(), key=lambda bid: -bid[1])), level)
        rules = ("SL-3.1", *(("SL-3.2",) if level else ()), *(() if winner else ("SL-3.3",)))
        players = tuple(
            replace(player, coins=player.coins - bids[winner], lots=(*player.lots, lot))
            if player.number == winner
            else player
            for player in state.players
        )
        sold = (Event(sale, rules),)
        if state.round == ROUNDS:
            ended = self._over(replace(state, players=players, deck=tuple(deck)), "rounds")
            return Outcome(ended.state, (*sold, *ended.events))
        after = State(players, tuple(deck), state.round + 1)
        return Outcome(after, (*sold, Event(LotOffered(after.round, after.deck[0]), ("SL-2.1",))))

    def view(self, state: State, player: int | None) -> View:
        if player is not None and not 1 <= player <= len(state.players):
            raise ValueError(f"no player number {player}")
        phase = self.phase(state)
        players = tuple(
            other if state.how or other.number == player else replace(other, wants="")
            for other in state.players
        )
        return View(
            stage="over" if state.how else "bid",
            turn=state.round,
            asked=phase.asked,
            winners=state.winners,
            how=state.how,
            players=players,
            lot="" if state.how else state.deck[0],
            you=player,
        )

    def assume(self, view: View) -> State:
        """Only the open lot is in the deck."""
        deck = (view.lot,) if view.lot else ()
        return State(view.players, deck, view.turn, view.winners, view.how)

    # -------------------------------------------------------------------------- what a game master does
    def end(self, state: State, winners: tuple[int, ...], chance: Chance) -> Outcome[State]:
        return self._over(state, "agreement", winners)

    def remove(self, state: State, player: int, chance: Chance) -> Outcome[State]:
        after = self._change(state, player, gone=True)
        left = Event(PlayerLeft(player), ("SL-4.4",))
        if len(self.active(after)) > 1:
            return Outcome(after, (left,))
        ended = self._over(after, "alone")
        return Outcome(ended.state, (left, *ended.events))

    def reshuffle(self, state: State, chance: Chance) -> Outcome[State]:
        deck = (state.deck[0], *chance.shuffle("lots to come", state.deck[1:]))
        return Outcome(replace(state, deck=deck), ())

    def correct(self, state: State, act: Mapping[str, object], chance: Chance) -> Outcome[State]:
        match act:
            case {"act": "coins", "player": int(player), "coins": int(coins)} if (
                player in self.active(state) and 0 <= coins <= 99
            ):
                event = Event(Corrected(player, coins), ("SL-1.2",))
                return Outcome(self._change(state, player, coins=coins), (event,))
        return super().correct(state, act, chance)

    def _change(self, state: State, player: int, **fields: object) -> State:
        players = list(state.players)
        players[player - 1] = replace(players[player - 1], **fields)
        return replace(state, players=tuple(players))

    def _over(self, state: State, how: str, winners: tuple[int, ...] = ()) -> Outcome[State]:
        best = max(player.rank for player in state.players)
        winners = winners or tuple(p.number for p in state.players if p.rank == best)
        wants = tuple((player.number, player.wants, player.score) for player in state.players)
        over = Event(GameOver(winners, wants), ("SL-4.1", "SL-4.2", "SL-4.3"))
        return Outcome(replace(state, winners=winners, how=how), (over,))


RULES = SealedLots()

"""The rules of Liar's Dice: pure functions over frozen values. IDs are those of `rules.yaml`."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from engine.chance import Chance
from engine.codec import Codec
from engine.forms import Forms, choice, digits
from engine.ruleset import (
    Event,
    Outcome,
    Over,
    Phase,
    Placing,
    Problem,
    Seat,
    Span,
    Standing,
)
from engine.usual import OneOrderRules
from liars_dice.state import (
    DICE,
    FACES,
    PLURALS,
    AnyFacts,
    Bid,
    BidMade,
    Challenge,
    Challenged,
    Corrected,
    GameOver,
    GameSetUp,
    Order,
    Player,
    PlayerOut,
    Rolled,
    State,
    View,
    Voted,
    faults_of,
    named,
)

A_ROUND = 24 * 6 * 30
"""Hours of a round: a day for each bid that 30 dice allow, so that no window of 24 hours is cut."""


class LiarsDice(OneOrderRules[State, Order]):
    """Fulfils `Ruleset`; what is not here is as in most games."""

    id = "liars-dice"
    version = "1"
    windows: Mapping[str, int] = {"turn": 24}
    players = (2, 6)
    questions: Mapping[str, tuple[str, ...]] = {"ones": ("plain", "wild")}
    codec: Codec[State, Order] = Codec(State, Order, AnyFacts, faults_of)
    forms: Forms[Order] = Forms(
        "an order",
        (Bid, Challenge),
        {
            "one": choice({"1": 1}),
            "count": digits(),
            "face": choice({word: at for at, word in enumerate(FACES, 1)}),
            "faces": choice({word: at for at, word in enumerate(PLURALS, 1)}),
        },
    )

    # ----------------------------------------------------------------------------- before the start
    def vote_told(
        self, question: str, answer: str, counts: Mapping[str, int], *, by_chance: bool
    ) -> Sequence[Event]:
        return [Event(Voted(answer, tuple(counts.items()), by_chance), ("LD-1.4",))]

    def setup(
        self, options: Mapping[str, object], seats: Sequence[Seat], chance: Chance
    ) -> Outcome[State]:
        self.check_options(options)
        self.check_players(options, len(seats))
        first = chance.choice("first", [str(seat.number) for seat in seats])
        players = tuple(Player(one.number, one.name, one.colour, (0,) * DICE) for one in seats)
        state = State(players, int(first), round=0, wild=options.get("ones") == "wild")
        set_up = Event(GameSetUp(DICE, state.wild, int(first)), ("LD-1.2", "LD-1.3"))
        return self._roll(state, int(first), chance, (set_up,))

    # -------------------------------------------------------------------------------- the open phase
    def phase(self, state: State) -> Phase:
        """Who is to act is asked alone; a round is one whole, told when it ends."""
        if state.how:
            return Phase("over", state.round, (), 0, over=Over(state.winners, state.how))
        return Phase(
            "turn",
            state.round,
            (state.to_act,),
            self.windows["turn"],
            ("LD-2.1",),
            question=state.bids,
            span=Span(f"round {state.round}", A_ROUND),
        )

    def active(self, state: State) -> tuple[int, ...]:
        return tuple(player.number for player in state.players if player.dice)

    def placings(self, state: State) -> tuple[Placing, ...]:
        if not state.how:
            raise ValueError("the game is not over")
        ranks = {
            one.number: (
                one.number in state.winners,
                state.fallen.index(one.number)
                if one.number in state.fallen
                else len(state.players),
            )
            for one in state.players
        }
        return tuple(
            Placing(
                number,
                1 + sum(other > rank for other in ranks.values()),
                number in state.winners,
                len(state.players[number - 1].dice),
                "eliminated" if number in state.fallen else state.how,
            )
            for number, rank in ranks.items()
        )

    def legal(self, state: State, player: int) -> Iterator[Order]:
        if player not in self.phase(state).asked:
            return
        if state.bids:
            yield Challenge()
        for count in range(max(1, state.bid[0]), self._total(state) + 1):
            for face in range(1, 7):
                if (count, face) > state.bid:
                    yield Bid(count, face)

    def judge(self, state: State, player: int, order: Order) -> Problem | None:
        if isinstance(order, Challenge):
            return None if state.bids else Problem("no-bid-yet", ("LD-2.3",))
        total = self._total(state)
        if order.count > total:
            return Problem("too-many", ("LD-2.1",), {"dice": total})
        if order.count < 1 or (order.count, order.face) <= state.bid:
            last = named(*state.bid) if state.bids else ""
            return Problem("too-low", ("LD-2.2",), {"last": last})
        return None

    def defaults(self, state: State, player: int, standing: Standing[Order]) -> tuple[Order, ...]:
        return standing.orders or ((Challenge(),) if state.bids else (Bid(1, 1),))

    def adjudicate(
        self, state: State, orders: Mapping[int, Sequence[Order]], chance: Chance
    ) -> Outcome[State]:
        """A bid passes the turn on; a challenge ends the round."""
        player = state.to_act
        given = tuple(orders.get(player, ()))
        order = self.defaults(state, player, Standing(given))[-1]
        if isinstance(order, Challenge):
            return self._challenge(state, chance)
        after = replace(
            state,
            to_act=self._after(state, player),
            bid=(order.count, order.face),
            bidder=player,
            bids=state.bids + 1,
        )
        rules = ("LD-2.2",) if given else ("LD-2.2", "LD-2.4")
        return Outcome(after, (Event(BidMade(player, order.count, order.face), rules),))

    def _challenge(self, state: State, chance: Chance) -> Outcome[State]:
        count, face = state.bid
        counted = {face, 1} if state.wild else {face}
        hands = tuple((one.number, one.dice) for one in state.players if one.dice)
        found = sum(die in counted for _, dice in hands for die in dice)
        loser = state.to_act if found >= count else state.bidder
        facts = Challenged(
            state.round, state.to_act, state.bidder, count, face, found, loser, hands
        )
        told = [Event(facts, ("LD-3.1", "LD-3.2", *(("LD-3.3",) if state.wild else ())))]
        after = self._with_dice(state, loser, len(state.players[loser - 1].dice) - 1)
        if not after.players[loser - 1].dice:
            after = replace(after, fallen=(*after.fallen, loser))
            told.append(Event(PlayerOut(loser), ("LD-4.1",)))
        return self._next_round(after, loser, chance, tuple(told), "last")

    def _next_round(
        self, state: State, first: int, chance: Chance, told: tuple[Event, ...], how: str
    ) -> Outcome[State]:
        """All roll again, if more than one has dice; `first` begins, or who comes next."""
        active = self.active(state)
        if len(active) > 1:
            begins = first if first in active else self._after(state, first)
            return self._roll(state, begins, chance, told)
        ended = self._over(state, how, active)
        return Outcome(ended.state, (*told, *ended.events))

    def _roll(
        self, state: State, first: int, chance: Chance, told: tuple[Event, ...]
    ) -> Outcome[State]:
        players = tuple(
            replace(one, dice=tuple(chance.die(f"die of {one.number}", 6) for _ in one.dice))
            for one in state.players
        )
        rolled = (
            Event(Rolled(one.number, one.dice), ("LD-1.3",), (one.number,))
            for one in players
            if one.dice
        )
        after = replace(
            state,
            players=players,
            to_act=first,
            round=state.round + 1,
            bid=(0, 0),
            bidder=0,
            bids=0,
        )
        return Outcome(after, (*told, *rolled))

    def _after(self, state: State, player: int) -> int:
        """The next one round the table who has dice."""
        active = self.active(state)
        return next((number for number in active if number > player), active[0])

    def _total(self, state: State) -> int:
        return sum(len(player.dice) for player in state.players)

    def _with_dice(self, state: State, player: int, dice: int) -> State:
        players = list(state.players)
        players[player - 1] = replace(players[player - 1], dice=(0,) * dice)
        return replace(state, players=tuple(players))

    # ------------------------------------------------------------------------------ what is known
    def view(self, state: State, player: int | None) -> View:
        if player is not None and not 1 <= player <= len(state.players):
            raise ValueError(f"no player number {player}")
        players = tuple(
            one if state.how or one.number == player else replace(one, dice=(0,) * len(one.dice))
            for one in state.players
        )
        return View(
            stage="over" if state.how else "turn",
            turn=state.round,
            asked=self.phase(state).asked,
            winners=state.winners,
            how=state.how,
            players=players,
            to_act=state.to_act,
            bid=state.bid,
            bidder=state.bidder,
            bids=state.bids,
            wild=state.wild,
            fallen=state.fallen,
            you=player,
        )

    def assume(self, view: View) -> State:
        """Dice that are hidden stay 0: nothing that a player may order depends on them."""
        return State(
            view.players,
            view.to_act,
            view.turn,
            view.bid,
            view.bidder,
            view.bids,
            view.wild,
            view.fallen,
            view.winners,
            view.how,
        )

    # -------------------------------------------------------------------------- what a game master does
    def end(self, state: State, winners: tuple[int, ...], chance: Chance) -> Outcome[State]:
        return self._over(state, "agreement", winners)

    def remove(self, state: State, player: int, chance: Chance) -> Outcome[State]:
        after = self._with_dice(state, player, 0)
        after = replace(after, fallen=(*after.fallen, player))
        left = Event(PlayerOut(player, resigned=True), ("LD-4.3",))
        return self._next_round(after, state.to_act, chance, (left,), "alone")

    def correct(self, state: State, act: Mapping[str, object], chance: Chance) -> Outcome[State]:
        """How many dice a player has; the round begins again."""
        match act:
            case {"act": "dice", "player": int(player), "dice": int(dice)} if (
                player in self.active(state) and 1 <= dice <= DICE
            ):
                event = Event(Corrected(player, dice), ("LD-1.2",))
                return self._roll(
                    self._with_dice(state, player, dice), state.to_act, chance, (event,)
                )
        return super().correct(state, act, chance)

    def _over(self, state: State, how: str, winners: tuple[int, ...]) -> Outcome[State]:
        over = Event(GameOver(winners), ("LD-4.2",))
        return Outcome(replace(state, winners=winners, how=how), (over,))


RULES = LiarsDice()

"""The table while a phase is being played: a private working copy of a state, frozen again at the
next question.

Lists by number (index 0 of the players is the Dragon, of the provinces the Island), so that a phase
changes a count instead of building a state; the state it came from is never touched. Nothing
outside the adjudication sees one.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from engine.chance import Chance
from engine.protectors.abilities import BY_KEY, AbilityKey, AbilityUse, Effect
from engine.protectors.ability_events import AbilityUsed
from engine.protectors.cards import BLOODLUST, CRABS, TIMES_UP
from engine.protectors.events import RankingChanged
from engine.protectors.numbers import (
    ISLAND_UNITS,
    MOST_UNITS,
    adjacency,
    bracket_sizes,
    is_worldeater,
    threshold_at,
    tier_of,
)
from engine.protectors.orders import ISLAND, Faction, Order
from engine.protectors.state import (
    Attack,
    Deck,
    DeckName,
    Peek,
    Played,
    Player,
    Province,
    Stage,
    State,
)
from engine.ruleset import Event, Facts


class Pile:
    """A deck being handled: top of the draw pile first."""

    __slots__ = ("discard", "draw", "removed", "renewed")

    def __init__(self, deck: Deck) -> None:
        self.draw = list(deck.draw)
        self.discard = list(deck.discard)
        self.removed = list(deck.removed)
        self.renewed = deck.renewed

    def freeze(self) -> Deck:
        return Deck(tuple(self.draw), tuple(self.discard), tuple(self.removed), self.renewed)


class Table:
    """`holder` names whose units stand in a province: the owner at every question, somebody else
    between march and capture. `piles` are the decks that a hand was laid on.
    """

    __slots__ = tuple(
        "was chance events provinces near turn stage dpl realm vp fell_to fell_in faction used"
        " effects extra owner holder units level burnt order ranking in_play locked piles attack"
        " owed bids peeks ties last_orders working_lost winners ended_by battled force".split()
    )

    def __init__(self, state: State, chance: Chance) -> None:
        self.was = state
        self.chance = chance
        self.events: list[Event] = []
        self.provinces = len(state.board) - 1
        self.near = adjacency(state.land)
        self.turn = state.turn
        self.stage: Stage = state.stage
        self.dpl = state.dpl
        self.realm = [0, *[p.realm for p in state.players]]
        self.vp = [0, *[p.vp for p in state.players]]
        self.fell_to: list[tuple[int, ...]] = [(), *[p.fell_to for p in state.players]]
        self.fell_in: list[int | None] = [None, *[p.fell_in for p in state.players]]
        self.faction: list[Faction | None] = [None, *[p.faction for p in state.players]]
        self.used = [[], *[list(p.used) for p in state.players]]
        self.effects: list[dict[str, int]] = [{}, *[dict(p.effects) for p in state.players]]
        self.extra = [(), *[p.extra for p in state.players]]
        self.owner = [p.owner for p in state.board]
        self.holder = [p.owner if p.units else None for p in state.board]
        self.units = [p.units for p in state.board]
        self.level = [p.level for p in state.board]
        self.burnt = [p.burnt for p in state.board]
        self.order = [p.order for p in state.board]
        self.ranking = list(state.ranking)
        self.in_play = list(state.in_play)
        self.locked = list(state.locked)
        self.piles: dict[DeckName, Pile] = {}
        self.attack: Attack | None = state.attack
        self.owed = dict(state.owed)
        self.bids = dict(state.bids)
        self.peeks: list[Peek] = list(state.peeks)
        self.ties: list[tuple[int, ...]] = list(state.ties)
        self.last_orders: tuple[tuple[int, tuple[Order, ...]], ...] = state.last_orders
        self.working_lost = set(state.working_lost)
        self.winners: tuple[int, ...] = state.winners
        self.ended_by = state.ended_by
        self.battled: set[int] = set()
        self.read_cards()

    def board(self) -> tuple[Province, ...]:
        """The provinces as they are now."""
        return tuple(map(Province, self.owner, self.units, self.level, self.burnt, self.order))

    def freeze(self) -> State:
        """The state as the table lies now."""
        was = self.was
        decks = {deck: pile.freeze() for deck, pile in self.piles.items()}
        players = tuple(
            Player(
                p.number,
                p.name,
                p.colour,
                realm,
                vp,
                p.start,
                faction,
                tuple(used),
                tuple(sorted(effects.items())) if effects else (),
                extra,
                p.team,
                fell_to,
                fell_in,
            )
            for p, realm, vp, faction, used, effects, extra, fell_to, fell_in in zip(
                was.players,
                self.realm[1:],
                self.vp[1:],
                self.faction[1:],
                self.used[1:],
                self.effects[1:],
                self.extra[1:],
                self.fell_to[1:],
                self.fell_in[1:],
                strict=True,
            )
        )
        return State(
            options=was.options,
            land=was.land,
            starting_players=was.starting_players,
            players=players,
            board=self.board(),
            ranking=tuple(self.ranking),
            turn=self.turn,
            stage=self.stage,
            dpl=self.dpl,
            in_play=tuple(self.in_play),
            locked=tuple(self.locked),
            event=decks.get("event", was.event),
            dragons=decks.get("dragons", was.dragons),
            sea=decks.get("sea", was.sea),
            end=decks.get("end", was.end),
            attack=self.attack,
            owed=tuple(sorted(self.owed.items())),
            bids=tuple(sorted(self.bids.items())),
            ties=tuple(self.ties),
            last_orders=self.last_orders,
            working_lost=tuple(sorted(self.working_lost)),
            peeks=tuple(self.peeks),
            winners=self.winners,
            ended_by=self.ended_by,
        )

    def tell(
        self, facts: Facts, rules: Iterable[str], audience: tuple[int, ...] | None = None
    ) -> None:
        """Write down what happened, each rule named once."""
        told = tuple(rules)
        self.events.append(
            Event(facts, tuple(dict.fromkeys(told)) if len(told) > 1 else told, audience)
        )

    # ------------------------------------------------------------------------------ what lies there
    @property
    def active(self) -> list[int]:
        """The active players by number."""
        return sorted(self.ranking)

    @property
    def is_over(self) -> bool:
        return self.stage == "over"

    @property
    def is_last_turn(self) -> bool:
        return TIMES_UP in self.force

    def name(self, player: int) -> str:
        return self.was.players[player - 1].name

    def read_cards(self) -> None:
        """Note which cards are in force, after one was played or put away."""
        self.force = frozenset([p.card for p in self.in_play] + [p.card for p in self.locked])

    def pile(self, deck: DeckName) -> Pile:
        """A deck to be handled."""
        if deck not in self.piles:
            self.piles[deck] = Pile(getattr(self.was, deck))
        return self.piles[deck]

    def put_in_play(self, deck: DeckName, card: str) -> None:
        self.in_play.append(Played(deck, card))
        self.read_cards()

    def has_played(self, deck: DeckName) -> bool:
        """Whether this turn's card of a deck lies there already."""
        return any(played.deck == deck for played in self.in_play)

    @property
    def tier(self) -> int:
        return tier_of(max((self.realm[player] for player in self.ranking), default=0))

    @property
    def fallen_under_bloodlust(self) -> int:
        """How many of the eliminated lower the threshold by S (PR-5.5)."""
        return sum(turn == self.turn for turn in self.fell_in) if BLOODLUST in self.force else 0

    @property
    def threshold(self) -> int:
        return threshold_at(
            provinces=self.provinces,
            starting=self.was.starting_players,
            eliminated=self.was.starting_players - len(self.ranking),
            now=self.fallen_under_bloodlust,
            floored=self.was.options.version == "normal",
        )

    def green(self, player: int) -> list[int]:
        """The provinces of a player that are not burnt, lowest first."""
        return [i for i in self.held(player) if not self.burnt[i]]

    def held(self, player: int) -> list[int]:
        """The provinces of a player, burnt ones too, lowest first, without the Island."""
        return [i for i, owner in enumerate(self.owner) if owner == player and i != ISLAND]

    def minimum(self, player: int, dpl: int) -> int:
        """min.US in an attack of this DPL (PR-9.4)."""
        return len(self.green(player)) * (2 if is_worldeater(self.was, dpl) else 1)

    def limit(self, province: int, player: int) -> int:
        """The supply limit of a player in a province (PR-8.2, PR-4.18); a Faith of the last
        Consolidation is over (PR-11.6).
        """
        return (
            ISLAND_UNITS
            if province == ISLAND
            else MOST_UNITS - (CRABS in self.force) + self.is_faithful(player)
        )

    def lose_units(self, province: int, count: int) -> None:
        self.units[province] -= count
        if not self.units[province]:
            self.holder[province] = None

    # ------------------------------------------------------------------------------------ abilities
    def has(self, player: int, key: AbilityKey) -> bool:
        """Whether a player has an ability, by faction or from the Sanctum."""
        ability = BY_KEY[key]
        return ability.faction == self.faction[player] or ability.name in self.extra[player]

    def can_use(self, player: int, key: AbilityKey, use: AbilityUse) -> bool:
        """Whether the one use in a player's ability is still there."""
        return self.has(player, key) and use not in self.used[player]

    def covers(self, player: int, effect: Effect) -> bool:
        """Whether an effect still covers this turn."""
        return self.effects[player].get(effect, 0) >= self.turn

    def is_faithful(self, player: int) -> bool:
        """Whether Faith feeds a unit more beyond this Consolidation."""
        return self.effects[player].get("faith", 0) > self.turn

    def reads_ashes(self, player: int) -> bool:
        """Ashes of Power: controlling a burnt province (PR-11.3)."""
        return any(self.burnt[i] for i in self.held(player))

    @property
    def bankers(self) -> list[int]:
        """Who answers after all others, by number (PR-11.7)."""
        return [player for player in self.active if self.covers(player, "bank")]

    def end_effects(self) -> None:
        """Forget effects whose last turn is over."""
        self.effects = [
            {name: last for name, last in theirs.items() if last >= self.turn}
            for theirs in self.effects
        ]

    def use(
        self,
        player: int,
        use: AbilityUse,
        cost: int,
        rules: Iterable[str],
        *,
        amount: int = 0,
        spends: bool = True,
    ) -> None:
        """Tell that an ability was used, and paid for; `spends`: its one use is gone. All uses are
        public (PR-11.8).
        """
        if spends:
            self.used[player].append(use)
        self.tell(AbilityUsed(player, use, cost, amount), [*rules, "PR-11.8"])

    # ---------------------------------------------------------------------------------- who is gone
    def remove(self, player: int, fell_to: tuple[int, ...]) -> tuple[int, ...]:
        """Take a player out of the game: rank, units, $Realm and debts; tells the provinces left
        without an owner.
        """
        self.ranking.remove(player)
        self.fell_to[player], self.fell_in[player] = fell_to, self.turn
        self.realm[player] = 0
        self.owed.pop(player, None)
        self.bids.pop(player, None)
        left = tuple(i for i, owner in enumerate(self.owner) if owner == player)
        for i in left:
            self.owner[i], self.units[i], self.holder[i], self.order[i] = None, 0, None, None
        return tuple(i for i in left if i != ISLAND)

    def tell_ranking(
        self,
        cause: Literal["eliminated", "champion", "dropped"],
        before: Sequence[int],
        *rules: str,
    ) -> None:
        """Tell the ranking after eliminations, a champion or a drop, if it is another one now."""
        now = self.ranking
        if list(before) == now or not now:
            return
        told = [*rules]
        if len(now) < len(before):
            told.append("PR-3.8")
            if before[0] not in now:
                told.append("PR-3.7")
        self.tell(RankingChanged(tuple(now), bracket_sizes(len(now)), cause), told)

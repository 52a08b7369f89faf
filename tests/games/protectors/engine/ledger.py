"""Books kept beside a game: from a state and the events after it, what everybody must own now.

Whatever changes in units or money without an event that tells it makes the books differ from the
board.
"""

from collections import Counter

from engine.protectors.ability_events import (
    AbilityUsed,
    Corrected,
    GuardHired,
    IslandChanged,
    KingFought,
    KingPaid,
    MoneyLent,
)
from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    CapitolNamed,
    CostPaid,
    DragonAttacked,
    LevelRaised,
    MarchMade,
    MoneySent,
    PiratesPaid,
    PlagueStruck,
    PlankWalked,
    PlayerEliminated,
    ProvinceTaken,
    RealmProduced,
    UnitsBought,
    UnitsOverLimit,
)
from engine.protectors.numbers import UNIT_COST
from engine.protectors.state import DECKS, State
from engine.ruleset import Event, Facts


class Ledger:
    """Units by (province, player), money and tokens by player, owners and levels by province."""

    def __init__(self, state: State) -> None:
        self.units = Counter(
            {
                (i, p.owner): p.units
                for i, p in enumerate(state.board)
                if p.owner is not None and p.units
            }
        )
        self.money = Counter({player.number: player.realm for player in state.players})
        self.tokens = Counter({player.number: player.vp for player in state.players})
        self.owners = {i: p.owner for i, p in enumerate(state.board)}
        self.levels = {i: p.level for i, p in enumerate(state.board)}

    def enter(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self._enter(event.facts)

    def agrees_with(self, state: State) -> None:
        """Compare with a state; the difference is named by the assertion."""
        theirs = Ledger(state)
        assert +self.units == +theirs.units
        assert +self.money == +theirs.money
        assert +self.tokens == +theirs.tokens
        assert self.owners == theirs.owners
        assert self.levels == theirs.levels

    def _enter(self, facts: Facts) -> None:
        match facts:
            case MarchMade(player=player, origin=origin, target=target, units=units):
                self.units[origin, player] -= units
                self.units[target, player] += units
            case BattleFought(province=province, winner=winner, loser=loser, left=left):
                assert self.units[province, winner.player] == winner.units
                assert self.units[province, loser.player] == loser.units == loser.lost
                for side in (winner, loser):
                    assert side.total == sum(term.amount for term in side.terms)
                    self.units[province, side.player] -= side.lost
                assert self.units[province, winner.player] == left
            case UnitsOverLimit(province=province, player=player, lost=lost):
                self.units[province, player] -= lost
            case PlankWalked(player=player, province=int(province)):
                self.units[province, player] -= 1
            case PlagueStruck(losses=losses):
                self.units.subtract(Counter(losses))
            case ProvinceTaken(province=province, by=by, before=before):
                assert self.owners[province] == before
                self.owners[province] = by
            case PlayerEliminated(player=player, spoils=spoils, lost=lost, ownerless=ownerless):
                assert self.money[player] in (0, lost + sum(amount for _, amount in spoils)), (
                    "the Dragon may have taken it already"
                )
                self.money[player] = 0
                for captor, amount in spoils:
                    self.money[captor] += amount
                for province in ownerless:
                    assert self.owners[province] == player
                    self.owners[province] = None
                if self.owners[0] == player:
                    self.owners[0] = None
                self._remove(player)
            case UnitsBought(player=player, bought=bought, cost=cost):
                assert cost == UNIT_COST * sum(count for _, count in bought)
                self.money[player] -= cost
                for province, count in bought:
                    self.units[province, player] += count
            case DragonAttacked():
                self._enter_attack(facts)
            case Corrected():
                self._enter_correction(facts)
            case _:
                self._enter_ability(facts)
                self._enter_payment(facts)

    def _enter_ability(self, facts: Facts) -> None:
        match facts:
            case IslandChanged(by=by, before=before):
                assert self.owners[0] == before
                self.owners[0] = by
            case KingFought(
                province=province,
                player=player,
                intruder=intruder,
                units=units,
                won=won,
                tie=tie,
                left=left,
            ):
                assert self.units[province, intruder] == units
                self.units[province, intruder] = 0 if won else units - tie
                self.units[province, player] = 1 if won and not tie else 0
                assert left == self.units[province, intruder] + self.units[province, player]

    def _enter_correction(self, facts: Corrected) -> None:
        match facts:
            case Corrected(what="units", province=int(province), before=before, after=int(after)):
                owner = self.owners[province]
                assert owner is not None
                assert self.units[province, owner] == before
                self.units[province, owner] = after
            case Corrected(what="owner", province=int(province), before=before, after=owner):
                assert self.owners[province] == before
                assert owner is None or isinstance(owner, int)
                units = sum(
                    self.units.pop(place)
                    for place in [place for place in self.units if place[0] == province]
                )
                self.owners[province] = owner
                if owner is not None:
                    self.units[province, owner] = units
            case Corrected(what="money", player=int(player), after=int(after)):
                self.money[player] = after

    def _enter_payment(self, facts: Facts) -> None:
        match facts:
            case BidsRevealed(bids=bids):
                for player, _, _, spent in bids:
                    self.money[player] -= spent
            case MoneySent(sender=sender, to=to, amount=amount):
                self.money[sender] -= amount
                self.money[to] += amount
            case CostPaid(player=player, amount=amount):
                self.money[player] -= amount
            case RealmProduced(player=player, income=income, total=total):
                assert total == sum(part.amount for part in income)
                self.money[player] += total
            case AbilityUsed(player=player, cost=cost) | GuardHired(player=player, cost=cost):
                self.money[player] -= cost
            case KingPaid(player=player, held=held, paid=paid):
                assert (self.money[player], paid) == (held, held // 2)
                self.money[player] -= paid
            case MoneyLent(player=player, mate=mate, asked=asked, granted=granted, used=used):
                assert 0 <= used <= granted <= asked
                self.money[mate] -= used
                self.money[player] += used
            case PiratesPaid(player=player, paid=paid):
                self.money[player] -= paid
            case LevelRaised(player=player, province=province, level=level, cost=cost):
                self.money[player] -= cost
                self.levels[province] += 1
                assert self.levels[province] == level
            case CapitolNamed(dropped=dropped):
                for province in dropped:
                    self.levels[province] -= 1

    def _enter_attack(self, attack: DragonAttacked) -> None:
        assert attack.total == sum(share.strength for share in attack.shares)
        assert attack.won == (attack.total > attack.dpl)
        for share in attack.shares:
            assert share.strength == sum(term.amount for term in share.terms)
            for pledge in share.pledges:
                self.units[pledge.province, share.player] -= pledge.lost
            self.money[share.player] += share.reward + share.bonus - share.realm_lost
            self.tokens[share.player] += share.vp
            for province in share.burnt:
                self.units[province, share.player] = 0
                self.owners[province], self.levels[province] = None, 0

    def _remove(self, player: int) -> None:
        for place in [place for place in self.units if place[1] == player]:
            del self.units[place]


def all_cards_of(state: State) -> dict[str, Counter[str]]:
    """Where every card is now, by deck."""
    found: dict[str, Counter[str]] = {}
    for deck in DECKS:
        pile = getattr(state, deck)
        played = [card.card for card in (*state.in_play, *state.locked) if card.deck == deck]
        found[deck] = Counter([*pile.draw, *pile.discard, *pile.removed, *played])
    return found

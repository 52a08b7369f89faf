"""What has happened at a table, turn by turn, as one reader may know it; and in which turn a
question has its answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.protectors.ability_events import Corrected, IslandChanged, KingFought, PlayerSaved
from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    CapitolNamed,
    CostPaid,
    DragonAttacked,
    GameSetUp,
    LevelRaised,
    MarchMade,
    OrderFailed,
    OrdersRevealed,
    PlagueStruck,
    PlankWalked,
    PlayerEliminated,
    ProvinceTaken,
    PurchaseCut,
    SupportCut,
    TieAsked,
    TieDrawn,
    TurnBegan,
    UnitsBought,
    UnitsOverLimit,
    WorkDone,
)
from engine.protectors.orders import Order, ProvinceOrder, Send, Snitch, Support, ordered_province
from engine.protectors.questions import Question, Topic
from engine.ruleset import Event, Facts
from pbem.pages.page import PhaseEvents

FactsT = TypeVar("FactsT", bound=Facts)


def set_of(kinds: str) -> frozenset[str]:
    return frozenset(kinds.split())


def those(
    events: Iterable[Event], kind: type[FactsT], **equal: object
) -> Iterator[tuple[FactsT, Sequence[str]]]:
    """The facts of a kind with these values, each with its event's rules."""
    for event in events:
        facts = event.facts
        if isinstance(facts, kind) and all(getattr(facts, k) == v for k, v in equal.items()):
            yield facts, event.rules


STRONG: Mapping[Topic, frozenset[str]] = {
    "province": set_of(
        "battle king taken plague supply plank eliminated saved dragon-attack corrected island"
    ),
    "battles": set_of("battle king supply plague plank"),
    "orders": set_of("orders order-failed support-cut purchase-cut"),
    "bid": set_of("bids"),
    "ranking": set_of("ranking ranking-changed"),
    "dragon": set_of("dragon-comes dragon-attack"),
    "cards": set_of("card card-stays"),
    "money": set_of(
        "production money-sent cost money-lent bids bought upgraded tribute pirates-paid corrected"
        " dragon-attack eliminated ability-used guard-hired"
    ),
    "pirates": set_of("pirates plank"),
    "elimination": set_of("eliminated"),
    "abilities": set_of(
        "factions ability-used guard-hired card-seen card-moved king saved island gift"
    ),
    "end": set_of("game-over"),
}
"""The kinds of events that answer a question best: it means the newest turn with one of these."""
WEAK: Mapping[Topic, frozenset[str]] = {
    "province": set_of(
        "game-set-up upgraded capitol march bought work-done orders order-failed support-cut"
    ),
    "battles": set_of("dragon-attack"),
    "orders": set_of("missed march capitol work-done bought upgraded cost money-sent"),
    "bid": set_of("tie tie-drawn"),
    "ranking": set_of("bids"),
    "dragon": set_of("card card-stays answers-shown corrected"),
    "cards": set_of("deck-renewed cards-locked plague card-seen card-moved corrected"),
    "money": set_of("game-set-up"),
    "pirates": set_of("pirates-paid"),
    "elimination": set_of("saved king corrected"),
    "abilities": set_of("tribute order-failed"),
    "end": frozenset(),
}
"""Kinds that belong to the answer too, and are one where no better event has happened."""
_SET_RIGHT = {"dragon": "dpl", "cards": "card", "elimination": "restored"}
"""What a game master's correction must be about to belong to a topic."""


@dataclass(frozen=True, slots=True)
class Happening:
    """An event in its turn; `fallen` players were out of the game before it, `fallen_now` of them
    since the turn began.
    """

    turn: int
    event: Event
    fallen: int
    fallen_now: int

    @property
    def facts(self) -> Facts:
        return self.event.facts


@dataclass(frozen=True, slots=True)
class Story:
    """All of it, in order; `undone` are turns of which a game master has rolled something back."""

    happenings: tuple[Happening, ...]
    undone: frozenset[int]

    def of_turn(self, turn: int) -> tuple[Happening, ...]:
        return tuple(happening for happening in self.happenings if happening.turn == turn)


def tell_story(past: Sequence[PhaseEvents], reader: int | None) -> Story:
    """Sort what was stored by phases into turns: what follows the beginning of a turn is of that
    turn, and so are its bids.
    """
    happenings: list[Happening] = []
    fell_in: dict[int, int] = {}
    for phase in past:
        turn = max(1, phase.turn)
        begun = turn
        for event in phase.events:
            facts = event.facts
            if not event.is_for(reader):
                continue
            if isinstance(facts, TurnBegan):
                turn = facts.turn
            early = (
                turn == begun
                and phase.kind == "consolidation"
                and isinstance(facts, BidsRevealed | TieAsked | TieDrawn)
            )
            now = sum(since == turn for since in fell_in.values())
            happenings.append(Happening(turn + early, event, len(fell_in), now))
            match facts:
                case PlayerEliminated(player=player):
                    fell_in[player] = turn
                case Corrected(what="restored", player=int(player)):
                    fell_in.pop(player, None)
    return Story(tuple(happenings), frozenset(phase.turn for phase in past if phase.is_undone))


# ------------------------------------------------------------------------------ which turn is meant
def turns_about(story: Story, question: Question) -> tuple[int, ...]:
    """The turns that answer a question, the newest first: those in which something weighty
    happened, else any.
    """
    for kinds, player in (
        (STRONG, question.player),
        (STRONG, None),
        (WEAK, question.player),
        (WEAK, None),
    ):
        found = {
            h.turn
            for h in story.happenings
            if h.event.kind in kinds[question.topic] and _touches(h, question, player)
        }
        if found:
            return tuple(sorted(found, reverse=True))
    return ()


def is_about(happening: Happening, question: Question) -> bool:
    """Whether an event is a part of the answer in its turn, for any player."""
    kind = happening.event.kind
    return kind in STRONG[question.topic] | WEAK[question.topic] and _touches(
        happening, question, None
    )


def _touches(happening: Happening, question: Question, player: int | None) -> bool:
    facts = happening.facts
    if (
        question.province is not None
        and question.topic in ("province", "battles")
        and question.province not in places_of(facts)
    ):
        return False
    if isinstance(facts, Corrected) and question.topic in _SET_RIGHT:
        return facts.what == _SET_RIGHT[question.topic]
    if (
        question.topic == "abilities"
        and isinstance(facts, OrderFailed)
        and isinstance(facts.order, ProvinceOrder | Send | Snitch)
    ):
        return False
    return player is None or player in players_of(facts)


def places_of(facts: Facts) -> frozenset[int]:
    """The provinces that an event is about (0 is the Island)."""
    match facts:
        case (
            BattleFought(province=p)
            | KingFought(province=p)
            | UnitsOverLimit(province=p)
            | ProvinceTaken(province=p)
            | WorkDone(province=p)
            | LevelRaised(province=p)
            | PurchaseCut(province=p)
            | SupportCut(province=p)
        ):
            return frozenset([p])
        case (
            PlankWalked(province=int(p))
            | Corrected(province=int(p))
            | CostPaid(what="ferry", province=p)
        ):
            return frozenset([p])
        case CapitolNamed(province=p, dropped=dropped):
            return frozenset([p, *dropped])
        case MarchMade(origin=p, target=q):
            return frozenset([p, q])
        case OrderFailed(order=order):
            return places_of_order(order)
        case PlagueStruck(losses=losses):
            return frozenset(p for p, _ in losses)
        case PlayerEliminated(ownerless=places) | PlayerSaved(provinces=places):
            return frozenset(places)
        case UnitsBought(bought=bought):
            return frozenset(p for p, _ in bought)
        case DragonAttacked(shares=shares):
            return frozenset(
                p
                for share in shares
                for p in (
                    *share.burnt,
                    *(pledge.province for pledge in share.pledges if pledge.lost),
                )
            )
        case IslandChanged():
            return frozenset([0])
        case GameSetUp(starts=starts):
            return frozenset(p for _, p in starts)
        case OrdersRevealed(orders=orders):
            return frozenset(
                p for _, theirs in orders for order in theirs for p in places_of_order(order)
            )
    return frozenset()


def places_of_order(order: Order) -> frozenset[int]:
    """The provinces that an order names."""
    named = (
        ordered_province(order),
        getattr(order, "target", None),
        getattr(order, "province", None),
    )
    return frozenset(place for place in named if place is not None)


_ONE = ("player", "by", "before", "intruder", "mate", "sender", "to")
_ROWS = ("bids", "minimum", "named", "factions", "starts", "scores", "orders", "answers", "debts")


def players_of(facts: Facts) -> frozenset[int]:
    """The players whom an event is about."""
    match facts:
        case BattleFought(winner=winner, loser=loser):
            lent = (
                term.player
                for side in (winner, loser)
                for term in side.terms
                if term.player is not None
            )
            return frozenset([winner.player, loser.player, *lent])
        case PlayerEliminated(player=player, by=by) | SupportCut(player=player, by=by):
            return frozenset([player, *by])
        case DragonAttacked(shares=shares):
            return frozenset(share.player for share in shares)
        case PlagueStruck(losses=losses):
            return frozenset(player for _, player in losses)
        case Corrected(what=what, player=player, before=before, after=after):
            owners = (before, after) if what == "owner" else ()
            return frozenset(one for one in (player, *owners) if isinstance(one, int))
    named = [getattr(facts, name, None) for name in _ONE]
    rows = [row[0] for name in _ROWS for row in getattr(facts, name, ())]
    groups = [*getattr(facts, "ranking", ()), *getattr(facts, "players", ())]
    return frozenset(number for number in (*named, *rows, *groups) if isinstance(number, int))


def support_from(orders: Iterable[Order], province: int) -> Support | None:
    """The Support ordered in a province, if there is one."""
    return next(
        (order for order in orders if isinstance(order, Support) and order.origin == province), None
    )

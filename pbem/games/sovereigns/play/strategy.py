"""How scripted rulers decide, from their own view alone: they gather and invent in the first years,
then attack the weak, and sooner or later one claims victory.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, sqrt

from engine.ruleset import Standing
from engine.sovereigns import orders as o
from engine.sovereigns.checking.messages import check
from engine.sovereigns.codes import COSTS, ActionKind, Attribute
from engine.sovereigns.events import ActionResolved
from engine.sovereigns.known import known_state
from engine.sovereigns.seasons.seasons import plan_for
from engine.sovereigns.state import OpenOffer
from engine.sovereigns.view import KingdomView, OwnView, TableView
from pbem.games.sovereigns.play.inventions import inventions
from pbem.play import Seen, Temper

CALM_YEARS = 2
"""So long few think of conquest."""
CLAIMED_FROM = 3
"""In this year the strongest begin to claim victory."""
TIRED = 4
"""From this year on everybody agrees to the leader's claim."""
WELL_AHEAD = 1.25
"""So much stronger than oneself is beyond reach."""
OBJECTS, ENVIES, KEEPS, FEARS, AHEAD, UNNAMED = 0.35, 0.1, 0.15, 0.3, 0.3, 0.25
"""How often somebody does that, where there is an occasion."""
NEIGHBOURLY = 0.3
"""So much less than it takes an offer may bring."""
DIE, SPREAD = 3.5, 1.7
"""The mean of a die, and how far dice stray from it."""


def plan(seen: Seen, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    """What is ordered in the open phase; never nothing, for a phase waits for a word."""
    view: TableView = seen.view
    if view.you is None:
        return ()
    sight = Sight(view, view.you, seen, temper, rng)
    if any(isinstance(order, o.Redo) for order in seen.legal):
        return (o.Redo(_redo(sight)),)
    match view.stage:
        case "setup":
            return (_split(sight),)
        case "year-start":
            return (_year(sight),)
        case "season":
            return tuple(_season(sight))
    return ()


def early(seen: Seen, temper: Temper, rng: random.Random) -> tuple[o.Order, ...]:
    """What takes effect at once and is better said soon: an objection, a claim, an offer."""
    view: TableView = seen.view
    if view.you is None or view.stage != "season":
        return answers(seen, rng)
    sight = Sight(view, view.you, seen, temper, rng)
    found: list[o.Order] = [*_claim(sight), *_offer(sight)]
    if view.season == "Spring" and rng.random() < KEEPS and view.you.every_year is None:
        found.append(o.Every(o.Year((o.Way(but=1),))))
    found += answers(seen, rng)
    # with a vote the game may end, and a reason continues to the end of its line
    votes = any(isinstance(order, o.Vote) for order in found)
    return tuple(found) if votes else (*found, *_objection(sight))


def answers(seen: Seen, rng: random.Random) -> tuple[o.Order, ...]:
    """What is open by now and waits for a word: offers and ballots."""
    view: TableView = seen.view
    return () if view.you is None else tuple(_waiting(Sight(view, view.you, seen, Temper(), rng)))


@dataclass(frozen=True, slots=True)
class Sight:
    """The council as one ruler sees it."""

    view: TableView
    own: OwnView
    seen: Seen
    temper: Temper
    rng: random.Random

    @property
    def me(self) -> KingdomView:
        return self.view.kingdom(self.own.number)

    @property
    def others(self) -> list[KingdomView]:
        """The other living kingdoms, the next in seat order first."""
        living = self.view.living
        at = living.index(self.own.number) if self.own.number in living else 0
        return [self.view.kingdom(number) for number in (*living[at + 1 :], *living[:at])]

    def allows(self, order: o.Order) -> bool:
        return order in self.seen.legal

    def can_pay(self, order: o.Order) -> bool:
        """As far as this ruler knows."""
        return not check(known_state(self.view), self.own.number, Standing(), (order,)).problems


def strength(kingdom: KingdomView) -> float:
    """What all can see of it."""
    total = kingdom.total
    return total.R + total.M + total.H + len(kingdom.tech) / 2 + len(kingdom.buildings)


def leader(view: TableView) -> KingdomView:
    """The strongest of the living, the first in seat order where some are equal."""
    return max(map(view.kingdom, view.living), key=strength)


# ----------------------------------------------------------------------- what waits for an answer
def _waiting(sight: Sight) -> Iterator[o.Order]:
    view, own = sight.view, sight.own
    for offer in own.offers:
        accepts = o.Answer("Accept", offer.id)
        if sight.allows(accepts):
            is_good = _is_good(sight, offer) and sight.can_pay(accepts)
            yield accepts if is_good else o.Answer("Decline", offer.id)
    for claimant, _ in view.claims:
        if claimant not in own.voted and sight.allows(o.Vote(True, claimant)):
            yield o.Vote(_agrees(sight, view.kingdom(claimant)), claimant)


def _is_good(sight: Sight, offer: OpenOffer) -> bool:
    """Whether it brings as much as it takes, by and large."""
    wanted = sum(item.points for item in offer.wants if item.attribute == "M")
    if wanted and sight.me.total.M - wanted < 1:
        return False
    brings, takes = _worth(offer.gives), _worth(offer.wants)
    return brings >= takes - NEIGHBOURLY


def _worth(items: Sequence[o.OfferItem]) -> float:
    return sum(
        2.0 if item.technology else item.points * (1.0 if item.stretch == "permanent" else 0.6)
        for item in items
    )


def _agrees(sight: Sight, claimant: KingdomView) -> bool:
    """Whether nobody can beat this ruler any more."""
    if leader(sight.view).number != claimant.number:
        return False
    is_beyond = strength(claimant) >= strength(sight.me) * WELL_AHEAD
    return sight.view.year >= TIRED or (sight.view.year >= CLAIMED_FROM and is_beyond)


def _proposal(sight: Sight) -> o.Proposal:
    """Something that nobody has, for whatever this ruler is after."""
    known = {name for name, _ in sight.view.technologies}
    known |= {found.name for kingdom in sight.view.kingdoms for found in kingdom.discoveries}
    told = inventions().technologies
    return sight.rng.choice([one for one in told if one.name not in known] or told).proposal


# ------------------------------------------------------------------------- what is better said soon
def _objection(sight: Sight) -> Iterator[o.Order]:
    """To what has hurt oneself last season, now and then to what went too well for another."""
    done = [
        event.facts
        for event in sight.seen.events
        if isinstance(event.facts, ActionResolved) and event.facts.kingdom != sight.own.number
    ]
    hurt = [fact.n for fact in done if fact.target == sight.own.number and fact.margin >= 0]
    envied = [fact.n for fact in done if fact.result == "great"]
    for numbers, often in ((hurt, OBJECTS), (envied, ENVIES)):
        if numbers and sight.rng.random() < often and sight.allows(o.Object(numbers[-1], "")):
            yield o.Object(numbers[-1], sight.rng.choice(inventions().reasons))
            return


def _claim(sight: Sight) -> Iterator[o.Order]:
    is_first = leader(sight.view).number == sight.own.number
    if is_first and sight.view.year >= CLAIMED_FROM and sight.allows(o.Claim()):
        yield o.Claim()


def _offer(sight: Sight) -> Iterator[o.Order]:
    """To the next kingdom, once a year, in the season in which all do."""
    if sight.view.season != "Summer" or not sight.others:
        return
    if any(offer.giver == sight.own.number for offer in sight.own.offers):
        return
    other, me = sight.others[0], sight.me
    if (gift := next((name for name, _ in me.tech if name not in dict(other.tech)), "")) and (
        sight.rng.random() < sight.temper.loyalty
    ):
        yield o.Offer(
            other.number, (o.OfferItem(technology=gift),), (o.OfferItem(1, "R", "permanent"),)
        )
    elif sight.own.free.M > 1 and other.total.R > 1:
        yield o.Offer(other.number, (o.OfferItem(1, "M"),), (o.OfferItem(1, "R"),))
    elif sight.own.free.R > 1 and other.total.M > 1:
        yield o.Offer(other.number, (o.OfferItem(1, "R", "permanent"),), (o.OfferItem(1, "M"),))


# ---------------------------------------------------------------------- set-up and the year's start
def _split(sight: Sight) -> o.Order:
    """The bold arm themselves, and the careful ones rely on their people."""
    temper, name = sight.temper, inventions().kingdoms[sight.own.number - 1]
    if temper.boldness <= 0.4:
        return o.Split(4, 1, 4, name)
    if temper.boldness >= 0.7:
        return o.Split(2, 4, 3, name) if temper.ambition < 0.7 else o.Split(3, 4, 2, name)
    return o.Split(3, 3, 3, name) if temper.ambition < 0.6 else o.Split(4, 3, 2, name)


def _year(sight: Sight) -> o.Year:
    """All Harmony or all but one; the bold would rather be feared."""
    harmony = sight.me.total.H
    if 0 < harmony < 3 and sight.rng.random() < FEARS + sight.temper.boldness / 2:
        return o.Year((o.Way(fear=True),))
    if harmony > 4:
        return o.Year((o.Way(but=1),))
    return o.Year((o.Way(points=harmony),)) if harmony else o.Year((o.Way(),))


# ----------------------------------------------------------------------------------------- a season
def _season(sight: Sight) -> list[o.Order]:
    built = list(_buildings(sight))
    spent = sum(COSTS[order.building] for order in built)
    chosen = _best(sight, sight.own.free.R - spent)
    named = [o.Propose(_proposal(sight)) for found in sight.me.discoveries[:1] if not found.name]
    orders: list[o.Order] = [*named, *built, o.Pass() if chosen is None else o.Do(chosen)]
    if sight.allows(o.Camp()) and sight.own.free.R - spent > 3:
        orders.insert(0, o.Camp())
    if sight.view.season == "Winter" and sight.rng.random() < AHEAD:
        orders.insert(0, _year(sight))
    return orders


def _buildings(sight: Sight) -> Iterator[o.Build]:
    """One, if there is the technology for it and the Resources."""
    known = known_state(sight.view)
    for code in COSTS:
        if sight.allows(o.Build(code)) and plan_for(known, sight.own.number, code) is not None:
            yield o.Build(code)
            return


def _redo(sight: Sight) -> o.Do | o.Pass:
    told = [order.order for order in sight.seen.legal if isinstance(order, o.Redo)]
    return sight.rng.choice(told)


def _best(sight: Sight, resources: int) -> tuple[o.Action, ...] | None:
    """The action that promises most, with another behind it where its target might fall."""
    found = [way for way in _ways(sight, resources) if way[1].points]
    if not found:
        return None
    _, way = max(found, key=lambda pair: pair[0] + sight.rng.gauss(0, 0.25))
    second = o.Action("Expedition", "M", min(2, sight.own.free.M))
    if way.kind == "Attack" and sight.view.kingdom(way.target or 1).total.M < 1:
        return (way, second)
    return (way,)


def _ways(sight: Sight, resources: int) -> Iterator[tuple[float, o.Action]]:
    """Actions with what they are worth to this ruler."""
    view, temper, free = sight.view, sight.temper, sight.own.free
    war = view.year - CALM_YEARS
    for other in sight.others:
        points = _enough(free.M, other.total.M)
        chance = _beats(points, other.total.M)
        prey = 1.5 if other.total.M < 2 else 0.5 if other is leader(view) else 0
        yield (
            chance * (1 + prey + temper.boldness) - (1 - chance) + 0.4 * war,
            o.Action("Attack", "M", points, target=other.number),
        )
        stirred = _enough(free.H, other.total.H)
        if other.total.H < 3:
            yield (
                _beats(stirred, other.total.H) * (1 + 0.2 * war) - 0.5,
                o.Action("Foment", "H", stirred, target=other.number),
            )
        yield (
            0.1 + _beats(min(2, free.M), other.total.M) * 0.8,
            o.Action("Theft", "M", min(2, free.M), target=other.number),
        )
        if other.tech:
            sought = other.tech[-1][0]
            yield 0.5, o.Action("Espionage", "M", min(2, free.M), target=other.number, seek=sought)
        if sight.me.faith and sight.own.number not in other.converted_by:
            yield 0.6, o.Action("Spread", "H", min(2, free.H), target=other.number)
    yield from _alone(sight, resources, war)


def _alone(sight: Sight, resources: int, war: int) -> Iterator[tuple[float, o.Action]]:
    free, total = sight.own.free, sight.me.total
    if not sight.me.discoveries:
        inventive = 0.9 + 0.6 * sight.temper.ambition - 0.2 * len(sight.me.tech) - 0.2 * war
        points = min(3, resources)
        yield (
            inventive * _reaches(points, 7),
            o.Action(
                "Research",
                "R",
                points,
                proposal=None if sight.rng.random() < UNNAMED else _proposal(sight),
            ),
        )
    worn = sight.own.ex.R - sight.own.depleted
    if 0 < resources < 3 and worn and sight.rng.random() < 0.2:
        yield 0.9, o.Action("Research", "R", resources, depleted=1, proposal=_proposal(sight))
    yield (
        1.2 * _reaches(min(3, free.M), 7 + sight.view.expeditions),
        o.Action("Expedition", "M", min(3, free.M)),
    )
    raised: tuple[Attribute, ...] = ("M", "H")
    for attribute in raised:
        yield (
            (1.3 if total.of(attribute) < 3 else 0.9)
            * _reaches(resources, 7 + total.of(attribute)),
            o.Action("Increase", "R", resources, raises=attribute),
        )
    quiet: tuple[tuple[ActionKind, Attribute, float], ...] = (
        ("Security", "M", 0.5),
        ("Found", "H", 0 if sight.me.faith else 0.6),
        ("Contact", "H", 0.2),
    )
    for kind, attribute, worth in quiet:
        if worth:
            yield worth, o.Action(kind, attribute, min(2, free.of(attribute)))
    if resources > 1 and sight.view.season == "Autumn":
        is_turn = (sight.view.year + sight.own.number) % 3 == 0
        yield 3 if is_turn else 0.2, _attempt(sight, resources)


def _attempt(sight: Sight, resources: int) -> o.Action:
    """Something that is on no list; where it is aimed at others, at the strongest of them."""
    told = sight.rng.choice(inventions().attempts)
    rival = max(sight.others, key=strength) if told.against and sight.others else None
    target = None if rival is None else rival.number
    return o.Action(
        "Try", "R", min(2, resources), target=target, effect=told.effect, words=told.words
    )


def _enough(free: int, against: int) -> int:
    """So many that it will probably do; all, where there are not more."""
    return next((n for n in range(1, free + 1) if _beats(n, against) > 0.7), free)


def _beats(points: int, against: int) -> float:
    """How likely this many dice come to as much as this many others."""
    if points < 1:
        return 0.0
    return _share((points - against) * DIE + 0.5, points + against)


def _reaches(points: int, difficulty: int) -> float:
    """How likely this many dice come to this number."""
    return _share(points * DIE - difficulty + 0.5, points) if points > 0 else 0.0


def _share(ahead: float, dice: int) -> float:
    return 1 / (1 + exp(-SPREAD * ahead / (SPREAD * sqrt(max(1, dice)))))

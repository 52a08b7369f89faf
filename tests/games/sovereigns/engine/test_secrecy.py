"""What a ruler may not know (SS-1.9): expended points, boons and charges of others, loans and trades
among others, their votes in an open ballot, their orders before they are done.

Non-interference: two positions that differ in nothing else give a ruler the same view, the same legal
orders, the same answers and the same news, wherever no roll is published. Canaries: numbers and
words that stand nowhere but in a secret never reach anybody else.
"""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Event, Standing
from engine.sovereigns import events as e
from engine.sovereigns import orders as o
from engine.sovereigns.codes import COSTS, ActionKind
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.seasons.trades import find_offer
from engine.sovereigns.state import (
    Kingdom,
    Loan,
    Next,
    OpenBallot,
    OpenOffer,
    Options,
    Played,
    Points,
    State,
)
from engine.sovereigns.view import view_of
from tests.games.sovereigns.engine.playing import play, seats
from tests.rings import at_length

Orders = dict[int, tuple[o.Order, ...]]
CANARY = "a canary in the cellar"
SECRET_ORDER = o.Do((o.Action("Try", "R", 1, words=CANARY),))
PRIVATE = {
    *("offer", "offer-expired", "offer-closed", "trade", "trade-failed", "loan-returned", "report"),
    "camp",
}


# ------------------------------------------------------------------------------- games and their twins
def wander(
    seed: int, players: int
) -> Iterator[tuple[State, o.Order | None, int, State, tuple[Event, ...]]]:
    """A game of random legal play: before each step the position, what is done and by whom (None: a
    close), then the position and what happened.
    """
    rng, chance = Random(seed), Chance(str(seed).encode())
    state = SOVEREIGNS.setup({"max_years": 6}, seats(players), chance).state
    while SOVEREIGNS.phase(state).over is None:
        for _ in range(rng.randint(0, 4)):
            if SOVEREIGNS.phase(state).over is not None:
                return
            player = rng.choice(SOVEREIGNS.active(state))
            deed = _deed(rng, state, player)
            if deed is None:
                continue
            told = SOVEREIGNS.act_of(deed)
            assert told is not None
            try:
                outcome = SOVEREIGNS.act(state, player, told, chance)
            except Refused:
                continue
            yield state, deed, player, outcome.state, outcome.events
            state = outcome.state
        if SOVEREIGNS.phase(state).over is not None:
            return
        if state.objections and rng.random() < 0.6:
            act = {"act": "verdict", "objection": state.objections[0].number, "upheld": True}
            state = SOVEREIGNS.act(state, "gm", act, chance).state
        orders = {player: _orders(rng, state, player) for player in SOVEREIGNS.active(state)}
        outcome = SOVEREIGNS.adjudicate(state, orders, chance)
        yield state, None, 0, outcome.state, outcome.events
        state = outcome.state


def _deed(rng: Random, state: State, player: int) -> o.Order | None:
    deeds: list[o.Order] = [
        order for order in SOVEREIGNS.legal(state, player) if SOVEREIGNS.act_of(order) is not None
    ]
    if rng.random() < 0.95:
        deeds = [order for order in deeds if not isinstance(order, o.Abdicate)]
    if state.stage == "season" and len(state.living) > 1 and rng.random() < 0.4:
        other = rng.choice([number for number in state.living if number != player])
        item = o.OfferItem(1, rng.choice(("R", "M")), rng.choice(("permanent", "year")))
        return o.Offer(other, (item,), ())
    if rng.random() < 0.2:
        return o.Every(SECRET_ORDER)
    return rng.choice(deeds) if deeds else None


def _orders(rng: Random, state: State, player: int) -> tuple[o.Order, ...]:
    """Now and then only the standing order is there, in the season too."""
    found: list[o.Order] = [
        order for order in SOVEREIGNS.legal(state, player) if SOVEREIGNS.act_of(order) is None
    ]
    told = rng.sample(found, min(len(found), rng.randint(0, 2)))
    return SOVEREIGNS.check(state, player, Standing(), told).standing.orders


def twin(state: State, player: int | None, rng: Random, *, keeps_orders: bool = False) -> State:
    """A position that differs in nothing that this player (None: the public) may know.

    `keeps_orders`: what the others have ordered for later is the same.
    """
    others = [number for number in state.living if number != player]

    loans = tuple(loan for loan in state.loans if player in (loan.lender, loan.borrower))
    offers = tuple(offer for offer in state.offers if player in (offer.giver, offer.taker))
    if len(others) > 1 and rng.random() < 0.7:
        lender, borrower = rng.sample(others, 2)
        loans = (*loans, Loan(lender, borrower, rng.choice(("R", "M")), rng.randint(1, 3)))
    if len(others) > 1 and state.stage == "season" and rng.random() < 0.7:
        giver, taker = rng.sample(others, 2)
        offers = (
            *offers,
            OpenOffer(
                state.offered + 1, giver, taker, (o.OfferItem(1, "R"),), (), rng.randint(1, 48)
            ),
        )
    return replace(
        state,
        kingdoms=tuple(
            kingdom
            if kingdom.number == player or not kingdom.alive
            else _scrambled(kingdom, rng, keeps_orders=keeps_orders)
            for kingdom in state.kingdoms
        ),
        loans=loans,
        offers=offers,
        offered=state.offered + len(offers),
        numbered=state.numbered + len(offers),
        ballots=tuple(_recounted(state, ballot, player, rng) for ballot in state.ballots),
        rulings=tuple(ruling for ruling in state.rulings if ruling.player == player),
        winter={},
        log=(),
        played=tuple(
            played
            if played.player == player
            else _redone(played, kind, target, twin(played.before, player, rng))
            for played, (_, _, kind, target) in zip(
                state.played, view_of(state, None).actions, strict=True
            )
        ),
    )


def _redone(played: Played, kind: ActionKind | None, target: int | None, before: State) -> Played:
    """The same kind of action on the same target, which is told to all; with whatever else."""
    if kind is None:
        return replace(played, order=o.Pass(), before=before)
    kingdoms = (
        replace(one, total=Points(9, 9, 9), ex=Points(), depleted=0)
        if one.number == played.player
        else one
        for one in before.kingdoms
    )
    order = o.Do((o.Action(kind, "R", 1, target=target),))
    return replace(played, order=order, before=replace(before, kingdoms=tuple(kingdoms)))


def _scrambled(kingdom: Kingdom, rng: Random, *, keeps_orders: bool) -> Kingdom:
    total = kingdom.total
    ex = Points(rng.randint(0, total.R), rng.randint(0, total.M), rng.randint(0, total.H))
    changed = replace(
        kingdom,
        ex=ex,
        depleted=rng.randint(0, ex.R),
        used=tuple(code for code in COSTS if rng.random() < 0.5),
        boons=rng.choice(((), ("dice",), ("bonus", "bonus"))),
        next=Next(research=rng.randint(-1, 1), H=rng.randint(-2, 2)),
        missed=rng.randint(0, 3),
        dealt=kingdom.dealt + rng.randint(0, 3),
        objected=rng.random() < 0.5,
    )
    if keeps_orders:
        return changed
    year = o.Year((o.Way(points=1),))
    return replace(
        changed,
        every_season=rng.choice((None, SECRET_ORDER)),
        every_year=rng.choice((None, year)),
        year_order=rng.choice((None, year)),
        abdicating=rng.random() < 0.3,
    )


def _recounted(state: State, ballot: OpenBallot, player: int | None, rng: Random) -> OpenBallot:
    """Other votes, and at least one still lacking."""
    voters = [n for n in state.living if n not in (ballot.claimant, player)]
    ayes = [n for n in voters if rng.random() < 0.5][: max(0, len(voters) - 1)]
    return replace(
        ballot, ayes=tuple(ayes + [n for n in ballot.ayes if n == player]), left=ballot.left
    )


def readers(state: State) -> tuple[int | None, ...]:
    return (None, *SOVEREIGNS.active(state))


_seeds = st.integers(0, 2**32)
_games = settings(max_examples=at_length(6, 100), deadline=None)


# -------------------------------------------------------------------------------------- views and orders
@_games
@given(seed=_seeds, players=st.integers(2, 5))
def test_of_what_may_be_objected_to_the_public_sees_what_it_was_told(
    seed: int, players: int
) -> None:
    """THIRD-12: the kind and the target of an action that was done; of a void one nothing."""
    for _, deed, _, state, events in wander(seed, players):
        if deed is not None or state.undone is not None:
            continue
        told = {
            event.facts.n: (event.facts.action, event.facts.target)
            for event in events
            if isinstance(event.facts, e.ActionResolved) and event.audience is None
        }
        void = {event.facts.n for event in events if isinstance(event.facts, e.ActionVoid)}
        for number, _, kind, target in view_of(state, None).actions:
            if number in told or number in void:
                assert (kind, target) == told.get(number, (None, None))


@_games
@given(seed=_seeds, players=st.integers(2, 5))
def test_what_a_ruler_sees_and_may_order_hangs_on_nothing_hidden(seed: int, players: int) -> None:
    rng = Random(seed)
    for state, *_ in wander(seed, players):
        for player in readers(state):
            other = twin(state, player, rng)
            assert SOVEREIGNS.decode_state(SOVEREIGNS.encode_state(other)) == other
            assert SOVEREIGNS.view(other, player) == SOVEREIGNS.view(state, player)
            if player is None:
                continue
            legal = list(SOVEREIGNS.legal(state, player))
            assert list(SOVEREIGNS.legal(other, player)) == legal
            waiting = [order for order in legal if SOVEREIGNS.act_of(order) is None]
            asked = [*rng.sample(waiting, min(3, len(waiting))), o.Camp()]
            assert SOVEREIGNS.check(other, player, Standing(), asked) == SOVEREIGNS.check(
                state, player, Standing(), asked
            )
            assert SOVEREIGNS.defaults(other, player, Standing()) == SOVEREIGNS.defaults(
                state, player, Standing()
            )


# ------------------------------------------------------------------------------------------ what is done
SILENT = (o.Offer, o.Every, o.Forget, o.Abdicate)


def parties_of(state: State, order: o.Order, player: int) -> set[int]:
    if isinstance(order, o.Offer):
        return {player, order.to}
    if isinstance(order, o.Answer):
        offer = find_offer(state, player, order)
        assert offer is not None
        return {offer.giver, offer.taker}
    return {player}


@_games
@given(seed=_seeds, players=st.integers(3, 5))
def test_deeds_are_known_to_their_parties_only(seed: int, players: int) -> None:
    """SS-5.4: an offer, an answer, a standing order, an abdication still to come; of an accepted
    trade others see what is public anyway: totals and technologies.
    """
    for before, order, player, after, events in wander(seed, players):
        if order is None:
            continue
        told = {event.kind for event in events}
        if told & {"game-over", "fallen"}:
            continue
        parties = parties_of(before, order, player)
        for reader in readers(before):
            if reader in parties:
                continue
            heard = [event for event in events if event.is_for(reader)]
            views = [SOVEREIGNS.view(state, reader) for state in (before, after)]
            if isinstance(order, SILENT) or (
                isinstance(order, o.Answer) and order.verb != "Accept"
            ):
                assert heard == []
                assert views[0] == views[1]
            elif isinstance(order, o.Answer):
                assert {event.kind for event in heard} <= {"technology"}
                assert _without_goods(views[0]) == _without_goods(views[1])
            elif isinstance(order, o.Vote) and "ballot-closed" not in told:
                assert heard == []
                assert views[0] == views[1]


def _without_goods(view: Any) -> Any:
    return replace(
        view, kingdoms=tuple(replace(one, total=Points(), tech=()) for one in view.kingdoms)
    )


@_games
@given(seed=_seeds, players=st.integers(2, 5))
def test_private_news_have_the_audience_that_the_rules_name(seed: int, players: int) -> None:
    for before, *_, after, events in wander(seed, players):
        for event in events:
            assert (event.audience is not None) == (event.kind in PRIVATE), event
            if event.audience is None:
                continue
            facts = msgspec.to_builtins(event.facts)
            offers = {offer.id: offer for offer in (*before.offers, *after.offers)}
            match event.kind:
                case "report" | "camp":
                    parties = {facts["kingdom"]}
                case "loan-returned":
                    parties = {facts["lender"], facts["borrower"]}
                case "offer" | "trade":
                    parties = {facts["kingdom"], facts["target"]}
                case _:
                    offer = offers.get(facts["id"])
                    parties = {offer.giver, offer.taker} if offer else set(event.audience)
            assert set(event.audience) == parties, event
            assert len(parties) <= 2


# ------------------------------------------------------------------------------------------------ closes
_ALONE = ("Research", "Expedition", "Security", "Found", "Contact")


@_games
@given(seed=_seeds, players=st.integers(2, 5))
def test_the_news_of_a_close_hang_on_nothing_hidden(seed: int, players: int) -> None:
    """While the others pass: an action of one's own, the end of a season and of a year."""
    rng = Random(seed)
    for state, order, *_ in wander(seed, players):
        if order is not None or state.stage != "season" or state.undone is not None:
            continue
        state = _without_orders(state)
        for player in state.living:
            mine = [
                order
                for order in SOVEREIGNS.legal(state, player)
                if isinstance(order, o.Do) and order.ways[0].kind in _ALONE
            ]
            orders: Orders = {number: (o.Pass(),) for number in state.living}
            orders[player] = (rng.choice(mine),) if mine else (o.Pass(),)
            other = _without_orders(twin(state, player, rng, keeps_orders=True))
            assert _news(other, orders, player) == _news(state, orders, player)


@_games
@given(seed=_seeds, players=st.integers(2, 5))
def test_a_contest_tells_of_the_attribute_it_is_fought_with_and_of_nothing_else(
    seed: int, players: int
) -> None:
    """SS-3.13: the defender's dice are its free points of that attribute; the others stay secret."""
    rng = Random(seed)
    for state, order, *_ in wander(seed, players):
        if order is not None or state.stage != "season" or state.undone is not None:
            continue
        state = _without_orders(state)
        player = rng.choice(state.living)
        fights = [
            order
            for order in SOVEREIGNS.legal(state, player)
            if isinstance(order, o.Do) and order.ways[0].kind in ("Theft", "Spread", "Foment")
        ]
        if not fights:
            continue
        fight = rng.choice(fights)
        way = fight.ways[0]
        assert way.target is not None
        orders: Orders = {number: (o.Pass(),) for number in state.living}
        orders[player] = (fight,)
        other = _without_orders(twin(state, player, rng, keeps_orders=True))
        was, now = state.kingdom(way.target), other.kingdom(way.target)
        kept = replace(
            now,
            ex=replace(now.ex, **{way.attribute: was.ex.of(way.attribute), "R": was.ex.R}),
            depleted=min(now.depleted, was.ex.R),
            used=was.used,
            next=was.next,
        )
        other = replace(
            other,
            kingdoms=tuple(kept if k.number == way.target else k for k in other.kingdoms),
        )
        assert _news(other, orders, player) == _news(state, orders, player)


def _without_orders(state: State) -> State:
    """Nothing that was ordered before takes effect, no ballot closes (its votes are public then)
    and no end comes, which is by what everybody has when all loans are home.
    """
    return replace(
        state,
        options=Options(),
        objections=(),
        ballots=(),
        kingdoms=tuple(
            replace(
                k, every_season=None, every_year=None, year_order=None, abdicating=False, missed=0
            )
            for k in state.kingdoms
        ),
    )


def _news(state: State, orders: Orders, player: int) -> list[Event]:
    outcome = SOVEREIGNS.adjudicate(state, orders, Chance(b"the same dice"))
    return [event for event in outcome.events if event.is_for(player)]


# ---------------------------------------------------------------------------------------------- canaries
FREE, USED, LENT = 163, 337, 211
_SOUGHT = re.compile(rf"(?<!\d)(?:{FREE}|{USED}|{LENT})(?!\d)|canary")


def leaks(state: State, events: list[Event], reader: int | None) -> str:
    """What of the secrets stands in all that somebody is shown."""
    shown = [SOVEREIGNS.view(state, reader), [event for event in events if event.is_for(reader)]]
    found = _SOUGHT.search(msgspec.json.encode(shown).decode())
    return found[0] if found else ""


@pytest.mark.parametrize("season", ["Spring", "Winter"])
def test_numbers_and_words_of_a_secret_reach_nobody_else(season: str) -> None:
    """A has 337 of 500 Resources expended and lends 211 to B; nobody reads so but who is a party."""
    game = play(
        {
            "A": {"R": FREE + USED, "ex": {"R": USED}, "boons": ["dice"]},
            "B": {},
            "C": {},
            "D": {"standing": {"season": f'Try: 1H "{CANARY}"'}},
        },
        season=season,
    )

    def check(*parties: int) -> None:
        for reader in readers(game.state):
            assert bool(leaks(game.state, game.events, reader)) == (reader in parties), reader

    check(1, 4)
    game.say("A", f"Offer B: {LENT}R for 2 seasons expended too against nothing")
    check(1, 2, 4)
    game.say("B", "Accept offer 1")
    assert game.state.kingdom(2).total.R == 3 + LENT
    check(1, 2, 4)
    game.say("D", "Forget every season")
    game.events.clear()
    game.say("C", "Research: 1R")
    game.close()
    check(1, 2)
    game.close()
    check(1, 2)


def test_a_spy_learns_what_is_free_and_nobody_else_does() -> None:
    """SS-6.9."""
    game = play(
        {
            "A": {"R": FREE + USED, "ex": {"R": USED}, "M": 1},
            "B": {"M": 9},
            "C": {},
        }
    )
    game.say("B", "Espionage A: 9M")
    game.close()
    assert "report" in {event.kind for event in game.events}
    for reader, knows in ((None, False), (3, False), (2, True), (1, True)):
        assert bool(leaks(game.state, game.events, reader)) == knows

"""What is legal is what checking takes without a word; and nobody's secrets show in what another
may see or do.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.protectors import orders as o
from engine.protectors.checking.legal import legal
from engine.protectors.checking.messages import check
from engine.protectors.defaults import default_purchase, defaults
from engine.protectors.orders import format_order, parse_order
from engine.protectors.positions.position import parse_position
from engine.protectors.state import State
from engine.protectors.view_of import view_of
from engine.ruleset import Standing
from tests.games.protectors.engine.tabletop import position
from tests.rings import at_length

NAMES = ("Anna", "Ben", "Cleo", "Dirk")
SEA = (None, "Seafarers!", "Ferry!", "Pirates!", "Crab Infestation!")
EVENTS = ("Calms of Summer", "Flood!", "Restlessness of Spring", "Winter Storms", "Deep Snow")
ABILITIES = (
    *("Crusade", "Weather forecast", "Fight fire with fire", "The Bank of Lannuvár"),
    "Nothing to see here",
)


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Small tables in every phase, with factions, Island, teams and whatever cards are in force."""
    grand, island = draw(st.booleans()), draw(st.booleans())
    provinces = 8 if grand else 4
    phase = draw(st.sampled_from(("bidding", "rebid", "orders", "dragon", "consolidation", "bank")))
    teams = draw(st.booleans())
    players: dict[str, dict[str, object]] = {}
    for i, name in enumerate(NAMES):
        players[name] = {
            "realm": draw(st.integers(0, 120)),
            "faction": draw(st.sampled_from((None, *o.FACTIONS))),
            "used": draw(
                st.lists(
                    st.sampled_from(("fire", "king", "nothing", "bank", "ash-reading")),
                    unique=True,
                    max_size=2,
                )
            ),
            "extra": draw(st.lists(st.sampled_from(ABILITIES), unique=True, max_size=1))
            if island
            else [],
            "effects": draw(st.sampled_from(({}, {"bank": 5}, {"faith": 5}))),
            "team": ("A", "B")[i % 2] if teams else None,
        }
    board: dict[str, dict[str, object]] = {}
    for number in range(1, provinces + 1):
        burnt = draw(st.booleans())
        owner = NAMES[number - 1] if number <= 4 else draw(st.sampled_from((None, *NAMES)))
        board[f"P{number}"] = {
            "owner": owner,
            "units": draw(st.integers(0, 3)) if owner else 0,
            "level": 0 if burnt else draw(st.integers(0, 3)),
            "burnt": burnt,
            "order": draw(st.sampled_from((None, "golden work")))
            if owner and phase == "consolidation"
            else None,
        }
    if island and draw(st.booleans()):
        board["Island"] = {"owner": draw(st.sampled_from(NAMES)), "units": 1}
    sea = draw(st.sampled_from(SEA))
    data: dict[str, object] = {
        "turn": 5,
        "phase": phase,
        "provinces": provinces,
        "ranking": draw(st.permutations(NAMES)),
        "in_play": [draw(st.sampled_from(EVENTS)), "There be Dragons!", *([sea] if sea else [])],
        "players": players,
        "board": board,
    }
    if phase == "rebid":
        data["ties"] = [["Anna", "Ben"]]
    if phase == "dragon" or (phase == "bank" and draw(st.booleans())):
        data["attack"] = {"during": "reveal", "dpl": draw(st.integers(1, 30))}
    options = {"version": "grand" if grand else "normal", "factions": "choice", "island": island}
    return parse_position(data, options, "random")


def any_order() -> st.SearchStrategy[o.Order]:
    """Orders as a player might think of them, most of them impossible. (Any sum may be asked of a
    mate: `Use` stays out.)
    """
    place, player, few, money = (
        st.integers(0, 9),
        st.integers(0, 5),
        st.integers(0, 4),
        st.integers(-1, 130),
    )
    ability = st.sampled_from((*ABILITIES, "Faith alone sustains us", "The Mountain King", "Wings"))
    build: list[Callable[..., st.SearchStrategy[Any]]] = [st.builds]
    (b,) = build
    return st.one_of(
        b(o.Fortify, place, st.booleans()),
        b(o.March, few, place, place, st.booleans(), st.booleans()),
        b(o.Support, player, place, place, st.booleans()),
        b(o.Work, place, st.booleans()),
        b(o.Hold, place),
        b(o.Send, money, player),
        b(o.Snitch, player),
        b(o.Buy, few, place),
        b(o.Upgrade, place),
        b(o.Capitol, place),
        b(o.Bid, money),
        b(o.Commit, few, place, st.none() | few),
        b(o.CommitNothing),
        b(o.Burn, place),
        b(o.Fire, st.integers(0, 10)),
        b(o.Hide),
        b(o.UseBank),
        b(o.UseFaith),
        b(o.HireKing),
        b(o.Forecast),
        b(o.ReadDragonDeck),
        b(o.PutAtBottom),
        b(o.PlaceDragon),
        b(o.ChooseFaction, st.sampled_from(o.FACTIONS)),
        b(o.Palantir, st.sampled_from(("sea", "end"))),
        b(o.Refresh, ability),
        b(o.Take, ability),
        b(o.Cancel, st.none() | place),
        b(o.Final),
    )


@settings(max_examples=at_length(20, 60))
@given(positions())
def test_every_legal_order_is_taken_without_a_word_and_reads_back(state: State) -> None:
    names = {seat.number: seat.name for seat in state.players}
    for player in names:
        listed = list(legal(state, player))
        assert len(set(listed)) == len(listed)
        for order in listed:
            assert check(state, player, Standing(), (order,)).problems == ()
            assert (
                parse_order(
                    format_order(order, names), {name: number for number, name in names.items()}
                )
                == order
            )


@settings(max_examples=at_length(26, 80))
@given(positions(), st.lists(any_order(), min_size=20, max_size=60))
def test_what_checking_takes_without_a_word_is_listed(state: State, orders: list[o.Order]) -> None:
    for player in (1, 2):
        listed = set(legal(state, player))
        for order in orders:
            said = check(state, player, Standing(), (order,)).problems
            if not said:
                assert order in listed


@settings(max_examples=at_length(26, 80))
@given(positions(), st.lists(any_order(), max_size=12), st.lists(any_order(), max_size=12))
def test_messages_of_any_sort_keep_the_sheet_sound(
    state: State, first: list[o.Order], second: list[o.Order]
) -> None:
    """One order a province, one golden order a type (two with a Crusade), and every refusal told
    with its place.
    """
    standing: Standing[o.Order] = Standing()
    for message in (first, second):
        checked = check(state, 1, standing, message)
        refused = {problem.order for problem in checked.problems if not problem.warning}
        assert None not in refused
        if not standing.final:
            taken = [order for i, order in enumerate(message) if i not in refused]
            assert [order for order in checked.accepted if order not in taken] == []
        places = [
            place
            for order in checked.standing.orders
            if (place := o.ordered_province(order)) is not None
        ]
        assert len(places) == len(set(places))
        assert not any(isinstance(order, o.Cancel | o.Final) for order in checked.standing.orders)
        gold = [type(order) for order in checked.standing.orders if getattr(order, "golden", False)]
        assert all(gold.count(kind) <= (2 if kind is o.March else 1) for kind in gold)
        again = check(state, 1, Standing(), checked.standing.orders)
        assert not any(not problem.warning for problem in again.problems)
        standing = checked.standing


@settings(max_examples=at_length(20, 60))
@given(positions(), st.integers(0, 400), st.integers(0, 400))
def test_a_view_never_changes_with_another_purse_within_its_tier(
    state: State, mine: int, theirs: int
) -> None:
    """PR-1.9: the tier is public, the purses are not; nor are bids and the order of the decks."""

    def with_purses(ben: int, cleo: int) -> State:
        purses = {1: 400, 2: ben, 3: cleo}
        seats = tuple(
            msgspec.structs.replace(seat, realm=purses.get(seat.number, 0))
            for seat in state.players
        )
        return msgspec.structs.replace(
            state, players=seats, bids=() if state.stage == "bank" else ((2, ben),)
        )

    one, other = with_purses(mine, theirs), with_purses(theirs, mine)
    shuffled = msgspec.structs.replace(
        other, event=msgspec.structs.replace(other.event, draw=other.event.draw[::-1])
    )
    for who in (None, 1, 4):
        assert view_of(one, who) == view_of(shuffled, who)
    assert list(legal(one, 1)) == list(legal(shuffled, 1))


@settings(max_examples=at_length(20, 60))
@given(positions())
def test_a_default_is_never_refused(state: State) -> None:
    for seat in state.players:
        instead = defaults(state, seat.number, Standing())
        assert check(state, seat.number, Standing(), instead).problems == ()


def test_nobody_else_is_asked() -> None:
    again = position("1 Ann 1, 2 Ben 1, 3 Cid 1", turn=1, phase="rebid", ties=[["Ann", "Ben"]])
    assert list(legal(again, 3)) == []
    assert defaults(again, 3, Standing()) == ()
    assert list(legal(position("1 Ann 1, 2 Ben 1", phase="over"), 1)) == []


def test_defaults_leave_what_stands() -> None:
    orders = position("1 Ann 1, 2 Ann 1, 3 Ben 1")
    assert defaults(orders, 1, Standing((o.Send(5, 2),))) == (
        o.Send(5, 2),
        o.Fortify(1, golden=True),
        o.Fortify(2),
    )
    assert defaults(orders, 1, Standing((o.Hold(2),))) == (o.Hold(2),)
    shop = position("1 Ann 1, 2 Ann 0, 3 Ben 1", phase="consolidation", purses={"Ann": 160})
    assert defaults(shop, 1, Standing()) == (o.Buy(1, 1), o.Buy(1, 2), o.Bid(0))
    assert defaults(shop, 1, Standing((o.Bid(3),))) == (o.Bid(3),)
    assert (
        default_purchase(
            position("1 Ann 3, 2 Ben 1", phase="consolidation", purses={"Ann": 160}), 1
        )
        == ()
    )
    fight = position(
        "1 Ann 1, 2 Ben 1", phase="dragon", in_play=["Calms of Summer"], attack={"during": "reveal"}
    )
    assert defaults(fight, 1, Standing((o.Burn(1),))) == (o.Burn(1), o.CommitNothing())
    assert defaults(fight, 1, Standing((o.Commit(1, 1),))) == (o.Commit(1, 1),)
    first = position("1 Ann 1, 2 Ben 1", turn=1, phase="bidding")
    assert defaults(first, 1, Standing()) == (o.Bid(0),)
    assert defaults(first, 1, Standing((o.Bid(9),))) == (o.Bid(9),)

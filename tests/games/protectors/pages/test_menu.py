"""The menu of orders: every step holds, every button ends in an order that may be given, and nobody
reads another's secrets in it.
"""

from collections import Counter

import msgspec
import pytest

from engine.chance import Chance
from engine.protectors import orders as o
from engine.protectors.colours import COLOURS
from engine.protectors.numbers import UNIT_COST
from engine.protectors.orders import Order, parse_order
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
from engine.protectors.view_of import view_of
from engine.ruleset import Seat, Standing
from pbem.games.protectors.pages.menu import MENU
from pbem.pages.menu import MenuStep, Path
from pbem.play import Seen
from tests.games.protectors.pages.played import play
from tests.games.protectors.pages.sample import table
from tests.pages.sample import reader
from tests.pages.tapping import steps_of, taken_in, texts_of
from tests.rows import each_row

MOST_STEPS = 4000


def step(
    state: State, player: int, path: Path = (), standing: Standing[Order] | None = None
) -> MenuStep:
    legal = tuple(PROTECTORS.legal(state, player))
    return MENU.step(
        table(), reader(player), view_of(state, player), legal, standing or Standing(), path
    )


def walk(state: State, player: int, standing: Standing[Order]) -> tuple[set[str], set[Path]]:
    """Every text that taps can end in, and every step on the way; amounts are only gone through by
    their first few steps.
    """
    seen = Seen(player, view_of(state, player), tuple(PROTECTORS.legal(state, player)))
    steps = steps_of(MENU, seen, standing, MOST_STEPS)
    return {*taken_in(*steps.values())}, {*steps}


def a_game(players: int, **options: object) -> State:
    seats = [
        Seat(number, f"Player <{number}>", COLOURS[number - 1]) for number in range(1, players + 1)
    ]
    return PROTECTORS.setup(options, seats, Chance(bytes(32))).state


def to_orders(state: State) -> State:
    """Bids are closed with nothing but the default, until orders are asked for."""
    chance = Chance(bytes(32))
    while PROTECTORS.phase(state).kind != "orders":
        state = PROTECTORS.adjudicate(state, {}, chance).state
    return state


@pytest.mark.parametrize(
    "options",
    [{}, {"version": "grand", "factions": "choice", "island": True}],
    ids=["normal", "everything"],
)
def test_every_button_ends_in_an_order_that_may_be_given(options: dict[str, object]) -> None:
    walked: Counter[str] = Counter()
    for game in play(5, 4, **options):
        phase = PROTECTORS.phase(game.state)
        if phase.over is not None or walked[phase.kind] >= 2 or not phase.asked:
            continue
        walked[phase.kind] += 1
        numbers = {seat.name: seat.number for seat in view_of(game.state, None).players}
        player = phase.asked[-1]
        texts, _seen = walk(game.state, player, Standing())
        assert texts
        for text in texts:
            checked = PROTECTORS.check(
                game.state, player, Standing(), (parse_order(text, numbers),)
            )
            assert not [problem for problem in checked.problems if not problem.warning], text
    assert {"bidding", "orders", "consolidation"} <= set(walked)


def test_every_kind_of_order_of_a_province_can_be_tapped() -> None:
    state = to_orders(a_game(4))
    texts, _seen = walk(state, 1, Standing())
    legal = {PROTECTORS.format_order(state, order) for order in PROTECTORS.legal(state, 1)}
    on_provinces = {
        text
        for text in legal
        if text.startswith(("Fortify", "Golden", "March", "Delayed", "Support", "Work", "Hold"))
    }
    assert on_provinces <= texts
    assert texts <= legal


def test_what_stands_is_shown_and_can_be_taken_back_or_made_final() -> None:
    state = to_orders(a_game(3))
    view = view_of(state, 1)
    province = view.player(1).provinces[0]
    standing = Standing[Order]((o.Fortify(province),))
    root = step(state, 1, (), standing)
    assert f"Fortify! P{province}" in root.chat
    assert f"✓ Orders for P{province}" in texts_of(root)
    assert texts_of(root)[-1] == "All this is final"
    texts, _seen = walk(state, 1, standing)
    assert {f"Cancel P{province}", "Final"} <= texts
    assert "All this is final" not in texts_of(step(state, 1))


def test_a_bid_is_counted_by_steps_within_the_purse() -> None:
    state = a_game(3)
    you = view_of(state, 1).you
    assert you is not None
    purse = you.realm
    bid = step(state, 1, ("bid", "5"))
    assert {"−1", "+1", "−10", "+10"} <= set(texts_of(bid))
    assert "<code>Bid 5</code>" in bid.chat
    assert f"<code>Bid {purse}</code>" in step(state, 1, ("bid", "999999")).chat
    assert "<code>Bid 0</code>" in step(state, 1, ("bid", "0")).chat


def test_f36_amounts_end_where_the_other_orders_leave_no_money() -> None:
    """A bid of all the money beside purchases, and purchases beside a bid, would both be
    refused.
    """
    chance = Chance(bytes(32))
    state = a_game(3)
    while not {o.Bid, o.Buy} <= {type(order) for order in PROTECTORS.legal(state, 1)}:
        state = PROTECTORS.adjudicate(state, {}, chance).state
    you = view_of(state, 1).you
    assert you is not None
    province = view_of(state, 1).player(1).provinces[0]
    left = you.realm - UNIT_COST
    beside = Standing[Order]((o.Buy(1, province),))
    assert f"From 0 to {left}." in step(state, 1, ("bid", "0"), beside).chat
    assert f"<code>Bid {left}</code>" in step(state, 1, ("bid", "999999"), beside).chat
    assert not [
        problem
        for problem in PROTECTORS.check(state, 1, beside, (o.Bid(left),)).problems
        if not problem.warning
    ]
    assert PROTECTORS.check(state, 1, beside, (o.Bid(left + 1),)).problems
    bid = Standing[Order]((o.Bid(you.realm - UNIT_COST),))
    assert "From 1 to 1." in step(state, 1, ("buy", str(province)), bid).chat
    assert f"From 0 to {you.realm}." in step(state, 1, ("bid", "0"), bid).chat


@each_row(
    "path",
    [
        ("p", "99"),
        ("p",),
        ("p", "1", "fly"),
        ("nowhere",),
        ("sure", "Bid 1 000"),
        ("commit", "x"),
        ("p", "1", "march", "99"),
    ],
)
def test_a_path_that_leads_nowhere_leads_to_the_beginning(path: Path) -> None:
    state = to_orders(a_game(3))
    assert step(state, 1, path) == step(state, 1)


def test_names_of_people_cannot_break_a_step() -> None:
    state = to_orders(a_game(3))
    held = view_of(state, 2).player(2).provinces[0]
    texts, seen = walk(state, 1, Standing())
    (march, *_) = [path for path in seen if path[2:4] == ("march", str(held))] or [()]
    assert "&lt;2&gt;" in step(state, 1, march).chat or not march
    assert all("&lt;" not in text for text in texts)


def test_many_provinces_stand_in_a_list_of_their_own() -> None:
    state = to_orders(a_game(8))
    assert {
        button.path[0]
        for button in MENU.entries(view_of(state, 1), tuple(PROTECTORS.legal(state, 1)), Standing())
    } >= {"p"}
    board = tuple(
        msgspec.structs.replace(held, owner=1, units=2) if place else held
        for place, held in enumerate(state.board)
    )
    many = msgspec.structs.replace(state, board=board)
    entries = MENU.entries(view_of(many, 1), tuple(PROTECTORS.legal(many, 1)), Standing())
    assert (entries[0].text, entries[0].path) == ("My provinces", ("mine",))
    assert not [button for button in entries if button.path[0] == "p"]
    found = step(many, 1, ("mine",))
    assert found.chat.startswith("<b>Your provinces</b>")
    assert (
        len([label for label in texts_of(found) if label.startswith("Orders for")])
        == len(view_of(many, 1).player(1).provinces)
        >= 6
    )

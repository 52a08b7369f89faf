"""What no page of Realm-Master tells: the order of the decks, and what others have planned
(RM-0.5).
"""

from random import Random

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.realm_master.orders import Order
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.realm_master.view_of import view_of
from engine.ruleset import Event, Standing
from pbem.games.realm_master.pages.letters import PAGES
from pbem.games.realm_master.pages.menu import MENU
from pbem.pages.page import Page, Reader
from tests.games.realm_master.engine.playing import seats
from tests.games.realm_master.engine.test_machine import random_orders, scrambled
from tests.games.realm_master.pages.sample import table
from tests.pages.chat import check_form


def played(
    seed: int, players: int, mode: str, windows: int
) -> tuple[State, tuple[Event, ...], Random]:
    """A game of random legal play after so many windows, with the events of the last one."""
    rng, stream = Random(seed), Chance(seed.to_bytes(8, "big"))
    outcome = REALM_MASTER.setup({"mode": mode}, seats(players), stream)
    for _ in range(windows):
        if outcome.state.stage == "over":
            break
        outcome = REALM_MASTER.adjudicate(outcome.state, random_orders(outcome.state, rng), stream)
    return outcome.state, outcome.events, rng


def pages_for(state: State, events: tuple[Event, ...], player: int | None) -> list[Page]:
    """Every page with something of the game in it that this reader can get."""
    view = view_of(state, player)
    known = tuple(event for event in events if event.is_for(player))
    reader, nothing = Reader(player, "Anna", "Europe/Berlin"), Standing[Order]()
    found = [
        PAGES.map_page(table(), reader, view),
        PAGES.bulletin(table(), view_of(state, None), known),
    ]
    found.append(PAGES.happened(table(), reader, view, known))
    found.append(PAGES.status(table(), reader, view, nothing))
    if player is not None and state.stage != "over":
        found += [
            PAGES.turn(table(), reader, view, known, nothing),
            PAGES.reminder(table(), reader, view, nothing),
        ]
        found += [
            PAGES.orders(table(), reader, view, nothing, ()),
            PAGES.takeover(table(), reader, view, (), "00"),
            PAGES.help(table(), reader, view),
        ]
    return found


@given(
    st.integers(0, 2**32),
    st.integers(2, 6),
    st.sampled_from(("standing", "interactive")),
    st.integers(1, 6),
)
@hypothesis_settings(max_examples=4, deadline=None)
def test_two_tables_that_look_alike_to_somebody_give_the_same_pages(
    seed: int, players: int, mode: str, windows: int
) -> None:
    state, events, rng = played(seed, players, mode, windows)
    for player in (None, players):
        if player is not None and not state.players[player - 1].alive:
            continue
        other = scrambled(state, player, rng)
        assert view_of(other, player) == view_of(state, player)
        pages = pages_for(state, events, player)
        assert pages == pages_for(other, events, player)
        check_form(str(player), pages[-1])
        check_form(str(player), pages[0])
    if state.stage != "over":
        number = state.asked[0]
        for shown in (state, scrambled(state, number, rng)):
            view, legal = view_of(shown, number), tuple(REALM_MASTER.legal(shown, number))
            look = MENU.step(table(), Reader(number, "Anna", "UTC"), view, legal, Standing(), ())
            assert look == MENU.step(
                table(),
                Reader(number, "Anna", "UTC"),
                view_of(state, number),
                legal,
                Standing(),
                (),
            )


@given(st.integers(0, 2**32))
@hypothesis_settings(max_examples=3, deadline=None)
def test_what_decided_of_a_plan_is_on_its_owner_s_pages_alone(seed: int) -> None:
    state, events, _ = played(seed, 4, "standing", 3)
    for player in (1, 2, 3, 4):
        others = [
            event
            for event in events
            if event.kind in ("line-used", "line-skipped") and not event.is_for(player)
        ]
        told = [event for event in events if event.is_for(player)]
        assert not set(others) & set(told)
    public = PAGES.bulletin(
        table(), view_of(state, None), tuple(event for event in events if event.is_for(None))
    )
    assert "lines have decided" not in public.text + public.html + public.chat
    assert "Skipped" not in public.text + public.html + public.chat

"""Whole games with everything switched on, played to the end through the pages: every page of every
phase, and no secret in public.
"""

import re
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from engine.chance import Chance
from engine.protectors.acts import act_of
from engine.protectors.colours import COLOURS
from engine.protectors.orders import Order, parse_order
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
from engine.protectors.view_of import view_of
from engine.ruleset import Event, Seat, Standing
from pbem.games.protectors.pages.cast import cast_of
from pbem.games.protectors.pages.facts import own
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages.kit.columns import WIDTH, columns
from pbem.pages.page import Page, PastPhase, ReceiptItem, RollBack, StoredVersion
from tests.games.protectors.engine.test_machine import random_orders
from tests.games.protectors.pages.sample import receipt_facts, table
from tests.games.protectors.pages.test_pages import LEAKS, shown, skeleton
from tests.pages.sample import NOW, reader
from tests.rings import sampled

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Goran", "Mei")
RAW = re.compile(
    r"\b(ash-reading|not-in-force|cannot-pay|no-such-ability|[a-z]+_[a-z]+|forecast deck)\b|PlayerView|\bThe The\b|\bthe the\b"
)


def pages_of(
    state: State, player: int, events: Sequence[Event], orders: tuple[Order, ...]
) -> Iterator[tuple[str, Page]]:
    """Everything that may be sent to this player now."""
    seen, who, at = view_of(state, player), reader(player, NAMES[player - 1]), table()
    mine, nothing = tuple(event for event in events if event.is_for(player)), Standing[Order]()
    lines = tuple(PAGES.describe_event(event, seen) for event in mine)
    yield "status", PAGES.status(at, who, seen, nothing)
    yield "help", PAGES.help(at, who, seen)
    yield "history", PAGES.history(at, who, [PastPhase(state.turn, state.stage, lines)])
    yield (
        "takeover",
        PAGES.takeover(at, who, seen, [PastPhase(state.turn, state.stage, lines)], "ab" * 32),
    )
    yield "map", PAGES.map_page(at, who, seen)
    if player in seen.asked:
        standing = PROTECTORS.check(state, player, nothing, orders).standing
        texts = cast_of(seen, player).orders(standing.orders)
        yield "turn", PAGES.turn(at, who, seen, mine, nothing)
        yield "turn, answered", PAGES.turn(at, who, seen, mine, standing)
        yield "reminder", PAGES.reminder(at, who, seen, standing)
        yield "orders", PAGES.orders(at, who, seen, standing, [StoredVersion(1, NOW, texts)])
        items = tuple(
            ReceiptItem(i, text.lower(), None, (text,)) for i, text in enumerate(texts, start=1)
        ) or (ReceiptItem(1, "bid", None, ("Bid 0",)),)
        told = tuple(event for event in mine if event.kind in ("card-seen", "cost"))
        yield (
            "receipt",
            PAGES.receipt(
                at,
                who,
                seen,
                receipt_facts(
                    *items, standing=texts, standing_orders=standing.orders, offered=(), told=told
                ),
            ),
        )


def public_pages(state: State, events: Sequence[Event]) -> Iterator[tuple[str, Page]]:
    seen, at = view_of(state, None), table()
    told = [event for event in events if event.is_for(None)]
    yield "bulletin", PAGES.bulletin(at, seen, told)
    yield "status of a game master", PAGES.status(at, reader(None, at.gm_name), seen, Standing())
    yield (
        "rolled back",
        PAGES.rolled_back(
            at,
            seen,
            RollBack(
                ((state.turn, state.stage),),
                tuple(told),
                reshuffled=False,
                was_paused=False,
                by="Gerda",
            ),
        ),
    )
    if state.stage == "over":
        yield "ending", PAGES.ending(at, seen, told, "12" * 32, "ab" * 32)


def check_page(name: str, page: Page) -> None:
    assert not LEAKS.search(page.text), (name, LEAKS.search(page.text), page.text)
    assert not RAW.search(page.text), (name, RAW.search(page.text), page.text)
    assert not LEAKS.search(re.sub(r"None of yours", "", shown(page.html))), name
    assert all(columns(line) <= WIDTH for line in page.text.splitlines()), (name, page.text)
    assert skeleton(page.html).tags.count("h1") == 1, name


def looked(state: State, rng: Random, chance: Chance) -> tuple[State, tuple[Event, ...]]:
    """Everybody who can look at a card does so now and then."""
    events: list[Event] = []
    for player in PROTECTORS.phase(state).asked:
        for use in own(view_of(state, player)).usable:
            if use.key not in ("forecast", "palantir") or not use.now or rng.random() < 0.5:
                continue
            act = act_of(parse_order(use.words, {}))
            if act is not None and own(view_of(state, player)).realm >= use.cost:
                outcome = PROTECTORS.act(state, player, act, chance)
                state, events = outcome.state, [*events, *outcome.events]
    return state, tuple(events)


@pytest.mark.parametrize(
    ("seed", "players", "teams", "factions"),
    sampled([(14, 6, 2, "choice"), (167, 6, 2, "choice"), (9, 4, 2, "chance")], 1),
)
def test_a_game_with_everything_is_told_to_the_end(
    seed: int, players: int, teams: int, factions: str
) -> None:
    rng, chance = Random(seed), Chance(bytes([seed]) * 32)
    seats = [Seat(i, NAMES[i - 1], COLOURS[i - 1]) for i in range(1, players + 1)]
    outcome = PROTECTORS.setup(
        {"factions": factions, "island": True, "teams": teams}, seats, chance
    )
    state, events = outcome.state, outcome.events
    for player in range(1, players + 1):
        check_page(
            "welcome",
            PAGES.welcome(
                table(),
                reader(player, NAMES[player - 1]),
                view_of(state, player),
                "ab" * 32,
                events,
            ),
        )
    for phase in range(60):
        state, more = looked(state, rng, chance)
        events = (*events, *more)
        orders = random_orders(state, rng)
        for name, page in public_pages(state, events):
            check_page(name, page)
        for player in (
            {1 + phase % players, *state.ties[0][:1]} if state.ties else {1 + phase % players}
        ):
            for name, page in pages_of(state, player, events, orders.get(player, ())):
                check_page(f"{name} to {player} in {state.stage} of turn {state.turn}", page)
        if state.stage == "over":
            break
        outcome = PROTECTORS.adjudicate(state, orders, chance)
        state, events = outcome.state, outcome.events
    assert state.stage == "over"

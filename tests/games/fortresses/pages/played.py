"""Whole games by chance and what is told of them, for the tests of pages and for eyes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from engine.chance import Chance
from engine.fortresses import orders as o
from engine.fortresses.refusals import refuse
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import State
from engine.fortresses.view import TableView, view_of
from engine.ruleset import Event, Seat, Standing
from pbem.games.fortresses.pages import facts
from pbem.games.fortresses.pages.letters import PAGES
from pbem.games.fortresses.reading.reader import READER
from pbem.grammar.house.statements import Said
from pbem.pages.page import (
    Page,
    PastPhase,
    Reader,
    ReceiptFacts,
    ReceiptItem,
    RollBack,
    StoredVersion,
    Table,
)
from tests.pages import sample

NAMES = ("Ann", "Ben", "Cara", "Dan")
COLOURS = ("green", "orange", "pink", "teal")
COMMITMENT, SEED = "9f" * 32, "5a" * 32


def table(**changes: object) -> Table:
    told = {"game_title": "Fortresses", "deadline": sample.NOW + timedelta(hours=48), "hours": 48}
    return sample.table(**(told | changes))


def reader(number: int | None) -> Reader:
    name = "" if number is None else NAMES[number - 1]
    return Reader(number, name, "Europe/Berlin")


@dataclass(frozen=True, slots=True)
class Step:
    """A close: what it told, and the position after it."""

    state: State
    events: tuple[Event, ...]

    def view(self, player: int | None) -> TableView:
        return view_of(self.state, player)


def begin(players: int = 2, options: Mapping[str, object] | None = None) -> Step:
    seats = [
        Seat(number, NAMES[number - 1], COLOURS[number - 1]) for number in range(1, players + 1)
    ]
    outcome = FORTRESSES.setup(options or {}, seats, Chance(b"a game to be told"))
    return Step(outcome.state, outcome.events)


def play(
    players: int = 2,
    seed: int = 1,
    closes: int = 60,
    options: Mapping[str, object] | None = None,
) -> Iterator[Step]:
    """A game in which everybody attacks where it is likely to succeed."""
    rng, chance = Random(seed), Chance(str(seed).encode())
    step = begin(players, options)
    yield step
    for _ in range(closes):
        view = step.view(None)
        if view.stage == "over":
            return
        player = view.asked[0]
        outcome = FORTRESSES.adjudicate(step.state, {player: _orders(view, rng)}, chance)
        step = Step(outcome.state, outcome.events)
        yield step


def said(step: Step, number: int) -> list[o.Order]:
    """The orders of all that a letter suggests."""
    texts = [text for text, _ in PAGES.answers(step.view(number))]
    found = (READER.read(step.state, number, Standing(), Said(text)).checked for text in texts)
    return [order for checked in found if checked is not None for order in checked.accepted]


def _orders(view: TableView, rng: Random) -> tuple[o.Order, ...]:
    if view.stage == "battle":
        return rng.choice(facts.battle_answers(view))
    if view.stage == "reinforce":
        buy = facts.purchase(view)
        return () if buy is None or rng.random() < 0.2 else (buy, o.Done())
    wanted = [target.order for target in facts.targets(view) if target.chance > rng.randint(20, 90)]
    chosen: list[o.Order] = []
    used: set[str] = set()
    for order in wanted:
        origins = {group.origin for group in order.groups}
        if not origins & used:
            used |= origins
            chosen.append(order)
    if chosen and rng.random() < 0.3:
        chosen.append(o.Interactive(True))
    return (*chosen, o.Done())


def letters(step: Step, standing: Standing[o.Order] | None = None) -> Iterator[tuple[str, Page]]:
    """The pages that a close brings: the bulletin or the end, and the letter of who is asked."""
    view = step.view(None)
    if view.stage == "over":
        yield "ending", PAGES.ending(table(deadline=None), view, step.events, SEED, COMMITMENT)
        return
    yield "bulletin", PAGES.bulletin(table(), view, step.events)
    for number in view.asked:
        own = step.view(number)
        stands = standing or Standing[o.Order]()
        yield view.stage, PAGES.turn(table(), reader(number), own, step.events, stands)


def other_pages(step: Step, number: int) -> Iterator[tuple[str, Page]]:
    """All other pages of this player, whether asked or not."""
    view, at, who = step.view(number), table(), reader(number)
    lines = tuple(filter(None, (PAGES.describe_event(event, view) for event in step.events)))
    past = [PastPhase(view.year, "attack", lines)]
    orders = said(step, number)
    texts, good = tuple(map(o.format_order, orders)), Standing(tuple(orders[:1]))
    versions = [StoredVersion(1, sample.NOW, texts)]
    yield "welcome", PAGES.welcome(at, who, view, COMMITMENT, step.events)
    yield "status", PAGES.status(at, who, view, good)
    yield "map", PAGES.map_page(at, who, view)
    yield "board", PAGES.board_text(at, who, view)
    yield "help", PAGES.help(at, who, view)
    yield "history", PAGES.history(at, who, past)
    yield "takeover", PAGES.takeover(at, who, view, past, COMMITMENT)
    yield "happened", PAGES.happened(at, who, view, step.events)
    yield "orders", PAGES.orders(at, who, view, good, versions)
    back = RollBack(((view.year, "attack"),), step.events, False, False, "Gerda")
    yield "rolled back", PAGES.rolled_back(at, view, back)
    yield "rule", PAGES.rule(at, who, "FW-7.9")
    if number in view.asked:
        yield "reminder", PAGES.reminder(at, who, view, good)
        items = tuple(
            ReceiptItem(i, text.lower(), None, (text,)) for i, text in enumerate(texts[:2], start=1)
        )
        refused = (
            ReceiptItem(
                3, "attack Avalon", (7, 13), problems=(refuse("unknown-zone", zone="Avalon"),)
            ),
            ReceiptItem(4, "flarb", (0, 5), problems=(refuse("not-understood"),)),
        )
        facts = ReceiptFacts(
            (*items, *refused), texts[:2], good.orders, False, 1, sample.NOW, ((1, "Done"),)
        )
        yield "receipt", PAGES.receipt(at, who, view, facts)

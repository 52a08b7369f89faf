"""Whole games by chance and what is told of them, for the tests of pages and for eyes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from random import Random

from engine.chance import Chance
from engine.ruleset import Event, Problem, Seat, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.refusals import Refused
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from engine.sovereigns.view import TableView, view_of
from pbem.games.sovereigns.pages.letters import PAGES
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

NAMES = ("Ann", "Ben", "Cara", "Dan", "Eve", "Finn")
KINGDOMS = ("Aldermark", "Borland", "Cyrene", "Dunmoor", "Eastvale", "Fairhaven")
COLOURS = ("green", "orange", "pink", "teal", "blue", "red")
COMMITMENT, SEED = "9f" * 32, "5a" * 32
WORDS = ("dig a canal", "hold a feast for all", "bribe the guards")
CODES = ("STAT-ROLL M", "STAT-DEF M", "STAT-ACT Attack", "BLD-HOSPITAL", "BLD-WONDER", "BLD-CAMP")


def table(**changes: object) -> Table:
    told = {
        "game_title": "States & Sovereigns",
        "deadline": sample.NOW + timedelta(hours=48),
        "hours": 72,
    }
    return sample.table(**(told | changes))


def reader(number: int | None) -> Reader:
    name = "" if number is None else NAMES[number - 1]
    return Reader(number, name, "Europe/Berlin")


@dataclass(frozen=True, slots=True)
class Step:
    """A moment of a game: what has happened since the last close, and the position now; `closed`:
    a phase has just been closed.
    """

    state: State
    events: tuple[Event, ...]
    closed: bool = True

    def view(self, player: int | None) -> TableView:
        return view_of(self.state, player)

    def told(self, player: int | None) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.is_for(player))


def begin(players: int = 3, options: Mapping[str, object] | None = None) -> Step:
    seats = [
        Seat(number, NAMES[number - 1], COLOURS[number - 1]) for number in range(1, players + 1)
    ]
    outcome = SOVEREIGNS.setup(options or {}, seats, Chance(b"a game to be told"))
    return Step(outcome.state, outcome.events)


class _Game:
    def __init__(self, players: int, seed: int, options: Mapping[str, object] | None) -> None:
        self.rng, self.chance = Random(seed), Chance(str(seed).encode())
        first = begin(players, options)
        self.state, self.events = first.state, list(first.events)

    def act(self, actor: int | str, told: Mapping[str, object]) -> bool:
        before = self.state.question
        try:
            outcome = SOVEREIGNS.act(
                self.state, actor if isinstance(actor, int) else "gm", told, self.chance
            )
        except Refused:
            return False
        self.state = outcome.state
        self.events += outcome.events
        return self.state.question == before

    def deeds(self) -> Iterator[Step]:
        """What is done in the open phase: a few deeds of rulers and of the game master."""
        for hour in (6, 20, 47):
            if not self.act("gm", {"act": "clock", "hour": max(hour, self.state.hour)}):
                return
            if SOVEREIGNS.phase(self.state).over is not None:
                return
            for player in SOVEREIGNS.active(self.state):
                found = [one for one in SOVEREIGNS.legal(self.state, player) if _is_mild(one)]
                told = self.rng.choice(found) if found and self.rng.random() < 0.4 else None
                act = SOVEREIGNS.act_of(self._richer(player, told)) if told is not None else None
                if act is not None:
                    goes_on = self.act(player, act)
                    yield Step(self.state, tuple(self.events), closed=False)
                    if not goes_on:
                        return
            if self.state.objections and self.rng.random() < 0.7:
                number = self.state.objections[0].number
                upheld = self.rng.random() < 0.6
                self.act("gm", {"act": "verdict", "objection": number, "upheld": upheld})
                yield Step(self.state, tuple(self.events), closed=False)

    def _richer(self, player: int, order: o.Order) -> o.Order:
        """A sample of the engine's made more of: an offer with both sides, an objection with a
        reason, a proposal of some code.
        """
        if isinstance(order, o.Offer) and self.rng.random() < 0.7:
            wanted = o.OfferItem(self.rng.randint(1, 2), "M", "seasons", self.rng.randint(1, 3))
            return o.Offer(order.to, order.gives, (wanted,), self.rng.randint(12, 48))
        if isinstance(order, o.Object):
            return o.Object(order.action, "you cannot smuggle an army in a cake")
        if isinstance(order, o.Propose):
            name = f"craft {self.state.hour} of {player}"
            return o.Propose(o.Proposal(name, self.rng.choice(CODES)))
        return order

    def orders(self, player: int) -> tuple[o.Order, ...]:
        rng, stage = self.rng, self.state.stage
        if stage == "setup":
            parts = (rng.randint(1, 4), rng.randint(1, 4))
            split = o.Split(*parts, 9 - sum(parts), KINGDOMS[player - 1])
            return (split,) if rng.random() < 0.9 else ()
        found = [one for one in SOVEREIGNS.legal(self.state, player) if not isinstance(one, o.Deed)]
        wanted = (o.Year,) if stage == "year-start" else (o.Do, o.Build, o.Camp)
        fitting = [one for one in found if isinstance(one, wanted)]
        told = rng.sample(fitting, min(len(fitting), rng.randint(0, 3)))
        if stage == "season" and rng.random() < 0.2:
            others = [other for other in self.state.living if other != player]
            action = o.Action(
                "Try",
                rng.choice(("R", "M", "H")),
                2,
                words=rng.choice(WORDS),
                target=rng.choice((None, *others)),
                effect="",
            )
            told.insert(0, o.Do((action,)))
        return tuple(told)

    def close(self) -> Step:
        given = {}
        for player in SOVEREIGNS.active(self.state):
            checked = SOVEREIGNS.check(self.state, player, Standing(), self.orders(player))
            given[player] = checked.standing.orders
        outcome = SOVEREIGNS.adjudicate(self.state, given, self.chance)
        told = Step(outcome.state, (*self.events, *outcome.events))
        self.state, self.events = outcome.state, []
        return told


def _is_mild(order: o.Order) -> bool:
    return isinstance(order, o.Deed) and not isinstance(order, o.Abdicate)


def play(
    players: int = 3, seed: int = 1, closes: int = 40, options: Mapping[str, object] | None = None
) -> Iterator[Step]:
    """A game in which everybody does something or other."""
    game = _Game(players, seed, options)
    yield Step(game.state, tuple(game.events))
    game.events = []
    for _ in range(closes):
        yield from game.deeds()
        if SOVEREIGNS.phase(game.state).over is not None:
            yield Step(game.state, tuple(game.events))
            return
        yield game.close()
        if SOVEREIGNS.phase(game.state).over is not None:
            return


def letters(step: Step) -> Iterator[tuple[str, Page]]:
    """The pages that a close brings: the bulletin or the end, and the letters of all asked."""
    view = step.view(None)
    if view.stage == "over" and not view.undone:
        yield "ending", PAGES.ending(table(deadline=None), view, step.told(None), SEED, COMMITMENT)
        return
    yield "bulletin", PAGES.bulletin(table(), view, step.told(None))
    for number in view.asked:
        own = step.view(number)
        page = PAGES.turn(table(), reader(number), own, step.told(number), Standing())
        yield f"{view.stage} {number}", page


def ruling_requests(step: Step) -> Iterator[tuple[str, Page]]:
    """What the game master is asked, with a free-form action of each ruler standing."""
    action = o.Action("Try", "R", 2, words="dig a canal")
    trying: Standing[o.Order] = Standing((o.Do((action,)),))
    standing = dict.fromkeys(step.state.living, trying)
    for request in SOVEREIGNS.ruling_requests(step.state, standing):
        until = sample.NOW + timedelta(hours=request.hours or 30)
        yield (
            f"request {request.kind}",
            PAGES.ruling_request(table(), step.view(None), request, until),
        )


def other_pages(step: Step, number: int) -> Iterator[tuple[str, Page]]:
    """All other pages of this player, whether asked or not."""
    view, at, who = step.view(number), table(), reader(number)
    told = step.told(number)
    lines = tuple(filter(None, (PAGES.describe_event(event, view) for event in step.told(None))))
    past = [PastPhase(view.turn, view.stage, lines), PastPhase(0, "start", lines)]
    legal = [one for one in SOVEREIGNS.legal(step.state, number) if not isinstance(one, o.Deed)]
    good: Standing[o.Order] = Standing(tuple(legal[:1]))
    texts = tuple(PAGES.format_order(view, order) for order in good.orders)
    versions = [StoredVersion(1, sample.NOW, texts)]
    yield "welcome", PAGES.welcome(at, who, view, COMMITMENT, told)
    yield "status", PAGES.status(at, who, view, good)
    yield "map", PAGES.map_page(at, who, view)
    yield "board", PAGES.board_text(at, who, view)
    yield "help", PAGES.help(at, who, view)
    yield "history", PAGES.history(at, who, past)
    yield "takeover", PAGES.takeover(at, who, view, past, COMMITMENT)
    yield "happened", PAGES.happened(at, who, view, told)
    yield "orders", PAGES.orders(at, who, view, good, versions)
    yield (
        "rolled back",
        PAGES.rolled_back(
            at, view, RollBack(((view.turn, view.stage),), step.told(None), False, False, "Gerda")
        ),
    )
    if number == 1:
        yield from ruling_requests(step)
    yield "rule", PAGES.rule(at, who, "SS-6.4")
    if number in view.asked:
        yield "reminder", PAGES.reminder(at, who, view, good)
        items = tuple(
            ReceiptItem(i, text.lower(), None, (text,)) for i, text in enumerate(texts, start=1)
        )
        refused = (
            ReceiptItem(
                3, "attack Avalon", (7, 13), problems=(Problem("unknown-kingdom", ("SS-13.0",)),)
            ),
            ReceiptItem(4, "flarb", (0, 5), problems=(Problem("not-understood"),)),
        )
        acts = tuple(event for event in told if event.audience is not None)
        found = ReceiptFacts(
            (*items, *refused), texts, good.orders, False, 1, sample.NOW, ((1, "Done"),), told=acts
        )
        yield "receipt", PAGES.receipt(at, who, view, found)

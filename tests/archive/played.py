"""A game as its archive shows it, played by scripted players without a store: what every test of
pages and pictures is made from.
"""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from engine.chance import Chance, commitment
from engine.ruleset import Event, Seat, Standing
from pbem.archive.model import Archive, Person, Proof, Step
from pbem.board.board import Drawing, TableFacts
from pbem.demo.stage import play_of
from pbem.game import Game
from pbem.pages.archive import Close
from pbem.pages.kit.arms import arms_of
from pbem.pages.press import Piece
from pbem.play import Person as Correspondent
from pbem.play import Question, Seen
from pbem.record.record import Record, format_record, parse_record
from pbem.record.replay import GivenPhase, Rules, Story, replay
from pbem.record.writing import Title, write_record
from tests.played import GAMES, PLAYED

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")
BEGUN = datetime(2026, 11, 16, 17, tzinfo=UTC)
BETWEEN = timedelta(hours=40)
_MIND = Correspondent("Anna", "anna@players.example", "UTC", (), "lines", 0.0, 0.6, 0.6, 0.6)
_MOST = 60


@cache
def played(seed: int = 1, players: int = 5, closes: int = _MOST, game_id: str = PLAYED) -> Archive:
    """The archive of a game that was played to its end, or that still runs after so many closes."""
    game, key = GAMES[game_id], bytes([seed]) * 32
    rules, pages, luck = game.ruleset, game.pages, random.Random(seed)
    seats = [
        Seat(number, name, game.colours[number - 1])
        for number, name in enumerate(NAMES[:players], start=1)
    ]
    chance = Chance(key)
    outcome = rules.setup({}, seats, chance)
    state, told = outcome.state, [outcome.events]
    found = [Close(0, 0, "start", rules.view(state, None), _public(outcome.events))]
    given: list[dict[int, tuple[Any, ...]]] = []
    texts: list[dict[int, tuple[str, ...]]] = [{}]
    while rules.phase(state).over is None and len(given) < closes:
        phase = rules.phase(state)
        orders = {number: _plan(game, state, number, luck) for number in phase.asked}
        texts.append(
            {
                number: tuple(rules.format_order(state, order) for order in mine)
                for number, mine in orders.items()
            }
        )
        outcome = rules.adjudicate(state, orders, chance)
        state = outcome.state
        given.append(orders)
        told.append(outcome.events)
        view = rules.view(state, None)
        found.append(Close(len(given), phase.turn, phase.kind, view, _public(outcome.events)))
    is_over = rules.phase(state).over is not None
    if not is_over:
        texts = [{} for _ in texts]
    land = game.board.land(found[0].view, seed, "") if game.board.land is not None else b""
    steps = tuple(_step(game, number, found, texts[number], land) for number in range(len(found)))
    last = found[-1]
    proof = Proof(commitment(key))
    if is_over:
        story = Story(key, {}, seats, None, [*(GivenPhase((), one) for one in given), GivenPhase()])
        proof = _proof(game, story)
    lead = steps[-1].lead
    return Archive(
        slug="heron",
        title="Heron",
        game=pages.title,
        turn_word=pages.turn_word,
        status="over" if is_over else "running",
        zone="Europe/Berlin",
        lead=lead if is_over else replace(lead, sentence=pages.outcome(last.view)),
        outcome=pages.outcome(last.view),
        people=_people(game, seats, last.view, is_over=is_over),
        steps=steps,
        plots=tuple(pages.plots(found)),
        press=_press(),
        proof=proof,
        book=game.book,
        due=None if is_over else steps[-1].at + BETWEEN,
        due_name="" if is_over else pages.phase_name(rules.phase(state).kind),
    )


def record_of(archive: Archive) -> Record:
    return parse_record(archive.proof.record)


def _public(events: tuple[Event, ...]) -> tuple[Event, ...]:
    return tuple(event for event in events if event.is_for(None))


def _plan(game: Game, state: Any, number: int, luck: random.Random) -> tuple[Any, ...]:
    rules, play = game.ruleset, play_of(game)
    view: Any = rules.view(state, number)
    seen = Seen(number, view, tuple(rules.legal(state, number)), names=dict(enumerate(NAMES, 1)))
    question = Question(_MIND, seen, play.stage_of(view), 1, 1, BEGUN, BEGUN + BETWEEN)
    wanted = play.plan(question, luck)
    orders: tuple[Any, ...] = rules.check(state, number, Standing(), wanted).standing.orders
    return orders


def _step(
    game: Game, number: int, closes: list[Close], texts: dict[int, tuple[str, ...]], land: bytes
) -> Step:
    close, pages = closes[number], game.pages
    before = [
        event
        for one in closes[max(0, number + 1 - game.pictured) : number + 1]
        for event in one.events
    ]
    facts = TableFacts("Heron", str(close.view.stage), None, "UTC")
    lines = (pages.describe_event(event, close.view) for event in close.events)
    alike = sum((one.turn, one.kind) == (close.turn, close.kind) for one in closes[:number])
    key = "start" if number == 0 else f"t{close.turn}-{close.kind}"
    return Step(
        key=f"{key}-{alike + 1}" if alike else key,
        name=pages.phase_name(close.kind),
        at=BEGUN + number * BETWEEN,
        lead=pages.lead(close.view, close.events),
        news=tuple(pages.news(close.view, close.events)),
        lines=tuple(filter(None, lines)),
        orders=dict(pages.ordered(close.view, close.events)),
        all_orders=texts,
        areas=tuple(pages.areas(close.view)),
        chips=tuple(pages.chips(close.view)),
        drawing=_drawn(game, close.view, before, facts, land),
        close=close,
    )


def _drawn(game: Game, view: Any, events: list[Event], facts: TableFacts, land: bytes) -> Drawing:
    return game.board.draw(game.board.stage(view, events, facts), land)


def _people(game: Game, seats: list[Seat], view: Any, *, is_over: bool) -> tuple[Person, ...]:
    cards = {card.name: (place, card) for place, card in enumerate(game.pages.players(view), 1)}
    return tuple(
        Person(
            number=seat.number,
            name=seat.name,
            arms=arms_of(seat.colour),
            fate=cards[seat.name][1].fate,
            slug=seat.name.casefold().replace("é", "e"),
            place=cards[seat.name][0] if is_over else None,
        )
        for seat in seats
    )


def _press() -> tuple[Piece, ...]:
    day = timedelta(days=1)
    return (
        Piece("Anna", "public", (), "Good luck everybody.", BEGUN + day),
        Piece(
            "",
            "public",
            (),
            "Somebody will betray <b>us</b>.\n\nI know who.",
            BEGUN + 9 * day,
            grey=True,
        ),
    )


def _proof(game: Game, story: Story) -> Proof:
    told = replay(story, Rules(game.ruleset, lambda _state, order: order))
    record = write_record(Title(game.ruleset.id, game.ruleset.version, "Heron"), story, tuple(told))
    return Proof(
        record.commitment,
        record.seed,
        "heron-record.json",
        format_record(record),
        record.fingerprint,
    )

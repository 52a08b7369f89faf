"""A game as its archive shows it, played by scripted players without a store: what every test of
pages and pictures is made from.
"""

from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

from engine.chance import commitment
from engine.ruleset import Event, Seat
from pbem.archive.model import Archive, Person, Proof, Step
from pbem.archive.pictures import chronicle_of
from pbem.board.board import Drawing, TableFacts
from pbem.game import Game
from pbem.pages.archive import Close
from pbem.pages.page import PhaseEvents, TellsStory
from pbem.pages.press import Piece
from pbem.record.record import Record, format_record, parse_record
from pbem.record.replay import GivenAct, GivenPhase, Rules, Story, replay
from pbem.record.writer import Title, write_record
from tests.moments import BEGUN, BETWEEN, Whole, key_of, whole
from tests.played import PLAYED

_MOST = 60
_BLANK = Drawing('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>', "no board")


@cache
def played(seed: int = 1, players: int = 5, closes: int = _MOST, game_id: str = PLAYED) -> Archive:
    """The archive of a game that was played to its end, or that still runs after so many closes."""
    return archive_of(whole(game_id, seed, players, closes), seed, closes + 1)


def archive_of(table: Whole, seed: int, drawn: int = _MOST) -> Archive:
    """The archive of a game that was played with this seed, with so many of its last boards; before
    these there are empty ones.
    """
    game, key = table.game, key_of(seed)
    rules, pages, is_over = game.ruleset, game.pages, table.is_over
    seats, found = list(table.seats), list(table.closes)
    given = [dict(one.orders) for one in table.moments[1:]]
    texts: list[dict[int, tuple[str, ...]]] = [{}] * len(found)
    if is_over:
        before = [table.moments[0], *table.moments]
        texts = [
            {
                number: tuple(rules.format_order(state.state, order) for order in mine)
                for number, mine in one.orders.items()
            }
            for state, one in zip(before, table.moments, strict=False)
        ]
    land = game.board.land(found[0].view, seed, "") if game.board.land is not None else b""
    steps = tuple(
        _step(game, number, found, texts[number], land if len(found) - number <= drawn else None)
        for number in range(len(found))
    )
    last = found[-1]
    proof = Proof(commitment(key))
    if is_over:
        acts = [
            [GivenAct("gm", dict(act)) for number, act in table.acts if number == place]
            for place in range(len(given))
        ]
        phases = [*map(GivenPhase, acts, given), GivenPhase()]
        story = Story(key, table.options, seats, None, phases)
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
        due_name="" if is_over else pages.phase_name(rules.phase(table.moments[-1].state).kind),
        chronicle=_chronicle(game, found),
        channels=("mail", "telegram"),
        sides=tuple(pages.sides(last.view)),
        signs=tuple(pages.signs()),
        points=tuple(pages.turning_points(found, commitment(key))),
        turns=pages.recounted(found, commitment(key)),
    )


def _chronicle(game: Game, closes: list[Close]) -> str:
    if not isinstance(game.pages, TellsStory):
        return ""
    past = [PhaseEvents(one.number, one.turn, one.kind, one.events) for one in closes]
    return game.pages.chronicle(closes[-1].view, past)


def record_of(archive: Archive) -> Record:
    return parse_record(archive.proof.record)


def _step(
    game: Game,
    number: int,
    closes: list[Close],
    texts: dict[int, tuple[str, ...]],
    land: bytes | None,
) -> Step:
    close, pages = closes[number], game.pages
    before = [
        event
        for one in closes[max(0, number + 1 - game.pictured) : number + 1]
        for event in one.events
    ]
    chronicle = chronicle_of(pages, close)
    facts = TableFacts("Heron", str(close.view.stage), None, "UTC", chronicle=chronicle)
    alike = sum((one.turn, one.kind) == (close.turn, close.kind) for one in closes[:number])
    key = "start" if number == 0 else f"t{close.turn}-{close.kind}"
    return Step(
        key=f"{key}-{alike + 1}" if alike else key,
        name=pages.step_name(close),
        at=BEGUN + number * BETWEEN,
        lead=pages.lead(close.view, close.events),
        news=tuple(pages.news(close.view, close.events)),
        lines=tuple(pages.describe_events(close.events, close.view)),
        orders=dict(pages.ordered(close.view, close.events)),
        all_orders=texts,
        areas=tuple(pages.areas(close.view)),
        chips=tuple(pages.chips(close.view)),
        drawing=_BLANK if land is None else _drawn(game, close.view, before, facts, land),
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
            coats=tuple(game.pages.coats_of(view, seat.number)),
            fate=cards[seat.name][1].fate,
            slug=seat.name.casefold().replace("é", "e"),
            place=cards[seat.name][0] if is_over else None,
            won=seat.number in view.winners,
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

"""The boards of a game: drawn and painted as mails and archives show them."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from xml.etree import ElementTree as ET

from engine.ruleset import Event
from pbem.board.board import Chronicle, Drawing, TableFacts
from pbem.board.painting import MOST_BYTES, render
from pbem.conformance.findings import found
from pbem.conformance.sources import Sources
from pbem.conformance.walk import NOW, Step, Walk
from pbem.findings import Finding
from pbem.game import Game
from pbem.registry import format_error

PHONE = 360
"""Pixels across a phone."""
LEAST_TEXT = 5.0
"""Pixels of a letter on a phone, at the very least; a tap on the board enlarges it."""
MAP_SEED = 0


def check_boards(sources: Sources, walks: Sequence[Walk], every: int) -> Iterator[Finding]:
    """The boards of every step whose place `every` divides, and of the last one."""
    for walk in walks:
        land = _land(sources.game, walk)
        for place, step in enumerate(walk.steps):
            if place % every and place != len(walk.steps) - 1:
                continue
            for facts in _scenes(sources, walk, step):
                try:
                    yield from _board(sources, step, facts, land)
                # whatever is wrong with one board, the others are drawn
                except Exception as error:  # noqa: BLE001
                    told = format_error(error, sources.packages)
                    yield found("no-board", phase=facts.phase, error=told)


def _land(game: Game, walk: Walk) -> bytes:
    if game.board.land is None:
        return b""
    view = game.ruleset.view(walk.steps[0].outcome.state, None)
    return game.board.land(view, MAP_SEED, "")


def first_drawing(game: Game, walk: Walk) -> Drawing:
    """The board of the beginning."""
    state = walk.steps[0].outcome.state
    facts = TableFacts("The Heron", game.ruleset.phase(state).kind)
    scene = game.board.stage(game.ruleset.view(state, None), (), facts)
    return game.board.draw(scene, _land(game, walk))


def _scenes(sources: Sources, walk: Walk, step: Step) -> Iterator[TableFacts]:
    """What is asked, and what has happened."""
    game, state = sources.game, step.outcome.state
    phase, view = game.ruleset.phase(state), game.ruleset.view(state, None)
    due = None if phase.over is not None else NOW + timedelta(hours=phase.hours)
    title = "The Heron on the Long Lake"
    yield TableFacts(title, phase.kind, due)
    headline = game.pages.lead(view, _public(step)).headline
    turn, name = game.pages.turn_number(view), game.pages.phase_name(phase.kind)
    told = Chronicle(turn, f"{game.pages.turn_word.capitalize()} {turn}", name, headline)
    yield TableFacts(title, phase.kind, chronicle=told)


def _public(step: Step) -> tuple[Event, ...]:
    return tuple(event for event in step.outcome.events if event.is_for(None))


def _board(sources: Sources, step: Step, facts: TableFacts, land: bytes) -> Iterator[Finding]:
    game = sources.game
    view = game.ruleset.view(step.outcome.state, None)
    scene = pickle.loads(pickle.dumps(game.board.stage(view, _public(step), facts)))  # noqa: S301
    drawing = game.board.draw(scene, land)
    if game.board.draw(scene, land) != drawing:
        yield found("board-by-chance", phase=facts.phase)
    if not drawing.alt.strip():
        yield found("board-unsaid", phase=facts.phase)
    svg = _Svg.of(drawing)
    if svg.least_text < LEAST_TEXT:
        yield found("small-text", size=round(svg.least_text, 1), wide=PHONE, least=LEAST_TEXT)
    missing = {area.key for area in game.pages.areas(view)} - svg.areas
    if missing:
        yield found("no-area", areas=", ".join(sorted(missing)))
    size = len(render(drawing.svg))
    if size >= MOST_BYTES:
        yield found("heavy-board", phase=facts.phase, size=size, most=MOST_BYTES)


@dataclass(frozen=True, slots=True)
class _Svg:
    """What is in a picture: the keys of its areas, and its smallest letters on a phone."""

    areas: frozenset[str]
    least_text: float

    @classmethod
    def of(cls, drawing: Drawing) -> "_Svg":
        root = ET.fromstring(drawing.svg)  # noqa: S314 - the game's own template wrote it
        scale = PHONE / float(root.attrib["width"])
        areas = frozenset(
            one.attrib["data-area"] for one in root.iter() if "data-area" in one.attrib
        )
        return cls(areas, min(_sizes(root, scale), default=float("inf")))


def _sizes(element: ET.Element, scale: float) -> Iterator[float]:
    """Of all letters, in pixels of a phone."""
    moved = element.get("transform", "")
    if "scale(" in moved:
        scale *= float(moved.partition("scale(")[2].partition(")")[0].replace(",", " ").split()[0])
    if element.tag.endswith("}text") and (element.text or "").strip():
        yield float(element.get("font-size", "16")) * scale
    for one in element:
        yield from _sizes(one, scale)

"""A game told: a paragraph a turn, and the few moments that decided it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from pbem.archive.model import Archive, Step
from pbem.archive.pictures import Image, image_of
from pbem.archive.templates import render, turn_path

MOST_LEADS = 2
"""How many steps tell a turn in which nothing was news."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A turn: `key` is that of its last close."""

    turn: int
    text: str
    key: str
    path: str


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """What decided a game: the step it came with, its clause and its sentence."""

    step: Step
    short: str
    told: str
    image: Image


def render_story(archive: Archive, root: str = "") -> Markup:
    """The turning points and the turns in paragraphs; `root` leads to the folder of the game."""
    return render(
        "story.html.j2",
        archive=archive,
        root=root,
        points=points_of(archive, root),
        paragraphs=paragraphs_of(archive),
    )


def paragraphs_of(archive: Archive) -> tuple[Paragraph, ...]:
    """The turns of a game in order; one of which nothing is told has the sentences of its steps. A
    turn that was played again is told once.
    """
    found: dict[int, Paragraph] = {}
    for turn, group in groupby(archive.steps, key=lambda step: step.turn):
        steps = tuple(group)
        ends = archive.is_over and steps[-1] is archive.steps[-1]
        told = archive.turns.get(turn, "")
        if not told and not ends:
            told = " ".join(dict.fromkeys(step.lead.sentence for step in steps[:MOST_LEADS]))
        text = f"{told} {archive.lead.sentence}".strip() if ends else told
        if text:
            found[turn] = Paragraph(turn, text, steps[-1].key, turn_path(archive, turn))
    return tuple(found.values())


def points_of(archive: Archive, root: str = "") -> tuple[TurningPoint, ...]:
    """Each with the step it came with, and its board."""
    return tuple(_points(archive, root))


def _points(archive: Archive, root: str) -> Iterator[TurningPoint]:
    for one in archive.points:
        step = archive.steps[one.place]
        yield TurningPoint(
            step,
            f"{one.news.short[:1].upper()}{one.news.short[1:]}",
            one.told,
            image_of(step, root, small=True),
        )

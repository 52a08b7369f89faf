"""A game told: a paragraph a turn, and the few moments that decided it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from markupsafe import Markup

from pbem.archive.model import Archive, Step
from pbem.archive.pictures import Image, image_of, small_path
from pbem.archive.templates import render, turn_path
from pbem.pages.news import SMALL, News, ordered

MOST_WORDS = 60
"""Of a paragraph: what one reads without putting a game away."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A turn: `text` is at most `MOST_WORDS` long, `key` that of its last close."""

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
    """The turns of a game in order, without empty ones."""
    found = []
    opened: list[News] = []
    for turn, group in groupby(archive.steps, key=lambda step: step.turn):
        steps = tuple(group)
        ends = archive.is_over and steps[-1] is archive.steps[-1]
        news = [*opened, *(one for step in steps for one in step.news)]
        opened = [] if ends else [one for one in news if 0 < turn < one.turn]
        news = [one for one in news if one not in opened]
        leads = [step.lead.sentence for step in steps]
        text = tell_turn(news, leads, (archive.lead.sentence,) if ends else ())
        if text:
            found.append(Paragraph(turn, text, steps[-1].key, turn_path(archive, turn)))
    return tuple(found)


def tell_turn(news: Sequence[News], leads: Sequence[str], last: Sequence[str] = ()) -> str:
    """The sentences that have room, in the order of events: first those that a timeline marks, the
    greatest first. `last`, how it ended, always stands at the end.
    """
    room = MOST_WORDS - sum(map(count_words, last))
    news = [one for one in news if not last or one.mark != "end"]
    news = [one for one in news if one.weight > SMALL] or news
    told = list(dict.fromkeys(one.told for one in news)) or [one for one in leads if one]
    marked = sorted(ordered(news), key=lambda one: not one.mark)
    weighed = [one.told for one in marked] or told
    chosen: set[str] = set()
    for sentence in dict.fromkeys(weighed):
        length = count_words(sentence)
        if length <= room and sentence not in last:
            chosen.add(sentence)
            room -= length
    if not chosen and not last and weighed:
        return _cut(weighed[0])
    return " ".join([*(sentence for sentence in told if sentence in chosen), *last])


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
            replace(image_of(step), path=f"{root}{small_path(step)}"),
        )


def count_words(text: str) -> int:
    return len(text.split())


def _cut(sentence: str) -> str:
    words = sentence.split()
    return sentence if len(words) <= MOST_WORDS else f"{' '.join(words[:MOST_WORDS])}…"

"""The data of an archive for its script: `game.js`, a plain script, since a page that is opened as
a file may load nothing else. It sets `window.PACKED`, from which the page makes `window.GAME`.
"""

from collections.abc import Mapping, Sequence

import msgspec

from pbem.archive.layers import Layers
from pbem.archive.model import Archive, Step
from pbem.archive.packing import pack
from pbem.archive.pages import given_in
from pbem.archive.templates import turn_path, with_minus
from pbem.pages.dates import moment
from pbem.pages.news import News
from pbem.pages.page import DEFAULT_LOCALE


class _Person(msgspec.Struct, omit_defaults=True):
    """`keys` are what the page calls the coats of this player, `colours` what the board does."""

    number: int
    name: str
    keys: tuple[str, ...]
    colours: tuple[str, ...]
    slug: str


class _News(msgspec.Struct, omit_defaults=True):
    """As `pages.news.News`."""

    told: str
    players: tuple[int, ...] = ()
    area: str = ""
    mark: str = ""
    why: tuple[str, ...] = ()


class _Chip(msgspec.Struct, omit_defaults=True):
    player: int
    figures: tuple[tuple[str, str], ...] = ()
    out: bool = False


class _Step(msgspec.Struct, omit_defaults=True):
    """A step: `holds` are the holders of areas, `words` how each lies; `orders` those that were
    public then, `all` those that counted. `layers` are places in the list of all layers,
    `high` how high its board is, of the box that all are shown in; `also` are keys that lead here.
    """

    key: str
    turn: int
    name: str
    when: str
    headline: str
    sentence: str
    board: str
    page: str
    holds: Mapping[str, int]
    words: Mapping[str, str]
    chips: tuple[_Chip, ...]
    layers: tuple[int, ...]
    high: float = 1.0
    marks: tuple[str, ...] = ()
    news: tuple[_News, ...] = ()
    lines: tuple[str, ...] = ()
    orders: Mapping[int, tuple[str, ...]] = {}
    all: Mapping[int, tuple[str, ...]] = {}
    also: tuple[str, ...] = ()


class _Game(msgspec.Struct):
    title: str
    game: str
    turn_word: str
    over: bool
    people: tuple[_Person, ...]
    areas: Mapping[str, str]
    box: str
    shapes: str
    parts: tuple[str, ...]
    layers: tuple[tuple[str, tuple[int, ...]], ...]
    steps: tuple[_Step, ...]


def game_script(archive: Archive, layers: Layers) -> bytes:
    """The whole file; `layers` are those of the drawings of all steps."""
    game = _Game(
        title=archive.title,
        game=archive.game,
        turn_word=archive.turn_word,
        over=archive.is_over,
        people=tuple(
            _Person(
                one.number,
                one.name,
                one.keys,
                tuple(arms.colour for arms in one.coats),
                one.slug,
            )
            for one in archive.people
        ),
        areas={area.key: area.name for step in archive.steps for area in step.areas},
        box=f"0 0 {layers.width:g} {layers.height:g}",
        shapes=layers.shapes,
        parts=layers.parts,
        layers=tuple((layer.name, layer.parts) for layer in layers.layers),
        steps=tuple(
            _step(archive, step, places, round(high / layers.height, 4))
            for step, places, high in zip(archive.steps, layers.steps, layers.heights, strict=True)
        ),
    )
    return pack("PACKED", msgspec.json.encode(game))


def _step(archive: Archive, step: Step, layers: tuple[int, ...], high: float) -> _Step:
    return _Step(
        key=step.key,
        also=step.also,
        turn=step.turn,
        name=step.name,
        when=moment(step.at, step.at, archive.zone, DEFAULT_LOCALE).short,
        headline=with_minus(step.lead.headline),
        sentence=with_minus(step.lead.sentence),
        board=step.drawing.alt,
        page=f"{turn_path(archive, step.turn)}#{step.key}",
        holds={area.key: area.holder for area in step.areas if area.holder is not None},
        words={area.key: area.words for area in step.areas},
        chips=tuple(_Chip(chip.player, chip.figures, chip.is_out) for chip in step.chips),
        layers=layers,
        high=high,
        marks=_marks(step.news),
        news=tuple(
            _News(
                with_minus(one.told),
                one.players,
                one.area,
                one.mark,
                tuple(map(with_minus, one.why)),
            )
            for one in step.news
        ),
        lines=tuple(map(with_minus, step.lines)),
        orders=step.orders,
        all=given_in(step) if step.all_orders else {},
    )


def _marks(news: Sequence[News]) -> tuple[str, ...]:
    """What stands at a step on the slider, each once."""
    return tuple(dict.fromkeys(one.mark for one in news if one.mark))

"""The archive of a game as files in a folder: everything relative, nothing from outside, so that it
works wherever the folder lies.
"""

import asyncio
import hashlib
import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import structlog
from PIL import Image

from pbem.archive.data import game_script
from pbem.archive.film import film
from pbem.archive.folder import Change, read_files, write_files
from pbem.archive.fonts import font_files
from pbem.archive.layers import layers_of
from pbem.archive.letters import Bound, bind_letters, read_private_mails
from pbem.archive.model import Archive, Person
from pbem.archive.pages import page_of, pages_of
from pbem.archive.pictures import image_of, picture_path, small_path, svg_of, thumbnail
from pbem.archive.plots import render_plots
from pbem.archive.poster import PAPERS, poster_svg
from pbem.archive.reader import ENDED, read_archive
from pbem.archive.share import share_svg
from pbem.archive.story import points_of, render_story
from pbem.archive.templates import days_of, say, source, turn_path
from pbem.board.raster import missing_libraries
from pbem.desk.gm import By, Refused
from pbem.desk.letters.post import at_table, read_post
from pbem.desk.letters.queue import ask_for_delivery
from pbem.desk.mandate import find_game, log_command
from pbem.desk.ports import Services
from pbem.desk.table import load_table
from pbem.desk.upkeep.health import program_version
from pbem.pages.announcements import Exported
from pbem.store.repositories.games import GameRow

TOO_EARLY, UNPAINTED = "too-early", "unpainted"
INDEX, FILM, SHARE = "index.html", "film.webp", "share.png"
MADE = (SHARE, FILM, *(path for paper in PAPERS for path in paper.paths))
SOURCES = ".sources.json"
"""What the film, the posters and the picture to share were made from, so that they are made again
only when that has changed. It is written last: what it says is there.
"""
SCRIPTS = ("replay.js", "points.js")
NO_LETTERS = Bound({}, {}, 0)

_log = structlog.get_logger("archive")

More = Callable[[Archive, Mapping[str, bytes]], Mapping[str, bytes]]
"""Makes further files of an archive, by their paths, of its pictures."""


def no_more(archive: Archive, pictures: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """There are none."""
    return {}


@dataclass(frozen=True, slots=True)
class Archived:
    """What was done: where the archive begins, how many steps and letters are in it; `unpainted`
    says what this machine lacks to paint the missing pictures ("": none are missing).
    """

    index: Path
    steps: int
    letters: int
    change: Change
    unpainted: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """What an archive has around it: `base_url` is where the house's archives are on the web ("":
    nowhere); `more` are files of the house in it; `apart` is a page in the folder that shows how
    the game went by mail ("": there is none).
    """

    base_url: str = ""
    more: More = no_more
    apart: str = ""


ALONE = Around()


async def archive_game(
    services: Services,
    slug: str,
    folder: Path,
    by: By,
    *,
    private: bool = False,
    around: Around = ALONE,
) -> Archived:
    """Write the archive of a game into a folder, in place of an earlier one.

    Of a game that runs only what is public. `private` adds everybody's letters and is refused
    before the end; it is logged and told to the table as a look at secrets.
    """
    async with services.database.read() as work:
        game = await find_game(work, slug)
    if private and game.phase_number and game.status not in ENDED:
        raise Refused(TOO_EARLY, f"{game.title} is not over; its mails are secret until then")
    archive = await read_archive(services, game)
    letters = NO_LETTERS
    if private:
        letters = bind_letters(archive, await read_private_mails(services, game))
        await _tell(services, game, by)
    pictures, unpainted = await _paint(services, archive, folder)
    steps = [replace(step, is_painted=picture_path(step) in pictures) for step in archive.steps]
    archive = replace(archive, steps=tuple(steps))
    files = await asyncio.to_thread(
        lambda: {
            **around.more(archive, pictures),
            **files_of(archive, pictures, letters, base_url=around.base_url, apart=around.apart),
            SOURCES: msgspec.json.encode(_sources(archive)),
        }
    )
    change = await asyncio.to_thread(write_files, folder, files)
    return Archived(folder / INDEX, len(archive.steps), letters.count, change, unpainted)


async def _tell(services: Services, game: GameRow, by: By) -> None:
    """Log a look at secrets, and tell everybody."""
    now = services.clock.now()
    async with services.write() as tx:
        table = await load_table(tx, game)
        entry = await log_command(tx, by, "game export", {"private": True}, game_id=game.id)
        post = await read_post(tx, table)
        await post.tell(
            tx.work,
            at_table(),
            Exported(now, by.name),
            "exported",
            f"exported:{entry}",
        )
    await ask_for_delivery(services, now)


# -------------------------------------------------------------------------------------- pictures
async def _paint(
    services: Services, archive: Archive, folder: Path
) -> tuple[Mapping[str, bytes], str]:
    """The boards of all steps, the picture to share, the posters, and the film if an earlier
    archive has it. What is there is not painted again: boards are named by what they show. With
    them, what this machine lacks to paint the rest.
    """
    image = services.painting.painter.image
    wanted = {picture_path(step): svg_of(step.drawing) for step in archive.steps}
    found = await asyncio.to_thread(_found, archive, folder, wanted)
    missing = [path for path in wanted if path not in found]
    try:
        painted = await asyncio.gather(*(image(wanted[path]) for path in missing))
        found |= dict(zip(missing, painted, strict=True))
        if SHARE not in found:
            found[SHARE] = _png(await image(share_svg(archive)))
        return {**found, **await posters_of(services, archive, found)}, ""
    except ImportError as error:  # as in the close: the machine lacks what paints
        _log.warning("no-picture", game=archive.slug, reason=str(error))
        return found, _lacking(error)


async def write_posters(services: Services, slug: str, folder: Path) -> list[Path]:
    """Write the posters of a game into a folder, without its archive. Refused (`too-early`) for a
    game that is not over, and (`unpainted`) where nothing is painted.
    """
    async with services.database.read() as work:
        game = await find_game(work, slug)
    if game.status != "over":
        raise Refused(TOO_EARLY, f"{game.title} is not over; there is no poster yet")
    try:
        made = await posters_of(services, await read_archive(services, game), {})
    except ImportError as error:
        why = f"posters cannot be painted here: {_lacking(error)}"
        raise Refused(UNPAINTED, why) from error
    written = {folder / f"{game.slug}-{path}": data for path, data in made.items()}

    def write() -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in written.items():
            path.write_bytes(data)

    await asyncio.to_thread(write)
    return list(written)


def _lacking(error: ImportError) -> str:
    return missing_libraries() or str(error)


async def posters_of(
    services: Services, archive: Archive, found: Mapping[str, bytes]
) -> Mapping[str, bytes]:
    """The posters of a game that is over, on each paper as PDF and PNG; those `found` are not made
    again.
    """
    made: dict[str, bytes] = {}
    for paper in PAPERS if archive.status == "over" else ():
        if not all(path in found for path in paper.paths):
            sheet = services.painting.painter.sheet
            both = await sheet(poster_svg(archive, paper), paper.wide)
            made |= dict(zip(paper.paths, both, strict=True))
    return made


def _found(archive: Archive, folder: Path, boards: Iterable[str]) -> dict[str, bytes]:
    """The pictures of an earlier archive that show the same."""
    found = dict(read_files(folder, (*boards, *MADE, SOURCES)))
    known = _read_sources(found.pop(SOURCES, b""))
    sources = _sources(archive)
    return {
        path: made
        for path, made in found.items()
        if path not in MADE or known.get(path) == sources.get(path, "")
    }


def _read_sources(told: bytes) -> dict[str, str]:
    """What an earlier archive says of its pictures; nothing where that cannot be read."""
    try:
        return msgspec.json.decode(told, type=dict[str, str])
    except msgspec.DecodeError:
        return {}


def _sources(archive: Archive) -> dict[str, str]:
    """What the picture to share is made from, and the film and the posters of a game that is over;
    and the version that makes them.
    """
    made = {SHARE: share_svg(archive)}
    if archive.status == "over":
        made |= {path: poster_svg(archive, paper) for paper in PAPERS for path in paper.paths}
    if archive.is_over:
        made[FILM] = " ".join(map(picture_path, archive.steps))
    return {
        path: hashlib.sha256(f"{program_version()} {source}".encode()).hexdigest()
        for path, source in made.items()
    }


def _png(picture: bytes) -> bytes:
    """For the services that show a link with a picture: few of them take WebP."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as opened:
        opened.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
            out, "PNG", optimize=True
        )
    return out.getvalue()


# ----------------------------------------------------------------------------------------- files
def files_of(
    archive: Archive,
    pictures: Mapping[str, bytes],
    letters: Bound = NO_LETTERS,
    *,
    base_url: str = "",
    apart: str = "",
) -> Mapping[str, bytes]:
    """Every file of an archive by its path in the folder, the index last. `pictures` are the boards
    by the same paths, and what is made with them; `base_url` and `apart` as in `archive_game`.
    """
    layers = layers_of([step.drawing for step in archive.steps])
    files = {
        **pictures,
        **letters.files,
        **font_files(layers),
        **pages_of(archive, letters.parts),
        "game.js": game_script(archive, layers),
        **{name: source(name).encode() for name in SCRIPTS},
    }
    if archive.proof.record:
        files[archive.proof.record_name] = archive.proof.record
    for step in {point.step.key: point.step for point in points_of(archive)}.values():
        if picture_path(step) in pictures:
            files[small_path(step)] = thumbnail(pictures[picture_path(step)], dense=1)[0]
    if archive.is_over and archive.is_painted and FILM not in files:
        files[FILM] = film([pictures[picture_path(step)] for step in archive.steps])
    files[INDEX] = _index(archive, files, base_url, apart).encode()
    return files


def _index(archive: Archive, files: Mapping[str, bytes], base_url: str, apart: str) -> str:
    turns = list(dict.fromkeys(step.turn for step in archive.steps))
    posters = {
        path: say(f"file_{path.rpartition('.')[2]}", paper.name)
        for paper in PAPERS
        for path in paper.paths
        if path in files
    }
    extra = {FILM: "file_film", SHARE: "file_share", archive.proof.record_name: "file_record"}
    return page_of(
        archive,
        "index.html.j2",
        "index",
        "",
        base_url=base_url.rstrip("/"),
        image=image_of(archive.steps[-1]),
        is_shared=SHARE in files,
        turns=turns[-1],
        intro=_intro(archive),
        by_place=_by_place(archive),
        sides=_sides(archive),
        turn_pages=[(turn, turn_path(archive, turn)) for turn in turns],
        days=days_of(archive),
        areas={area.key: area.name for step in archive.steps for area in step.areas},
        has_all=any(step.all_orders != step.orders for step in archive.steps) and archive.is_over,
        story=render_story(archive),
        plots=render_plots(archive),
        is_placed=any(person.place for person in archive.people),
        files=[
            *([(apart, say("file_apart"))] if apart else []),
            *posters.items(),
            *((path, say(name)) for path, name in extra.items() if path in files),
        ],
    )


def _by_place(archive: Archive) -> list[Person]:
    """Everybody as they came out, the winners first; in the order of their numbers as long as that
    is open.
    """
    return sorted(archive.people, key=lambda one: (not one.won, one.place is None, one.place or 0))


def _sides(archive: Archive) -> list[tuple[str, tuple[int, ...]]]:
    """Who is shown with whom, the winners' side first; all together where everybody plays alone."""
    order = [person.number for person in _by_place(archive)]
    sides = archive.sides or (("", tuple(order)),)
    return sorted(sides, key=lambda side: min(map(order.index, side[1]), default=len(order)))


def _intro(archive: Archive) -> str:
    """What this is, for somebody who has never heard of it."""
    passed = archive.steps[-1].at - archive.steps[0].at
    channels = archive.channels or ("mail",)
    return say("intro", len(archive.people), channels, passed.days + 1, archive.is_over)

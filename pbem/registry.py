"""The registry: the games this service runs, each joined from its parts. Adding a game adds an entry here."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from engine.protectors.colours import COLOURS, SYMBOLS
from engine.protectors.expectation import UNORDERED, parse_expectation
from engine.protectors.position import parse_position, parse_standings
from engine.protectors.position_out import format_position
from engine.protectors.position_words import names_of
from engine.protectors.ruleset import PROTECTORS
from engine.realm_master.expectation import UNORDERED as REALM_MASTER_UNORDERED
from engine.realm_master.expectation import parse_expectation as parse_realm_master_expectation
from engine.realm_master.position import parse_position as parse_realm_master_position
from engine.realm_master.position import parse_standings as parse_realm_master_standings
from engine.realm_master.position_out import format_position as format_realm_master_position
from engine.realm_master.position_words import names_of as names_of_realm_master
from engine.realm_master.ruleset import REALM_MASTER
from engine.ruleset import Event
from pbem.board.about import TableFacts
from pbem.games.protectors.board.mapfile import parse_map
from pbem.games.protectors.board.scene_of import build_scene
from pbem.board.raster import Rasteriser
from pbem.games.realm_master.board.scene_of import build_scene as build_realm_master_scene
from pbem.games.realm_master.board.drawing import paint as paint_realm_master
from pbem.cases.game import CaseGame
from pbem.desk.ports import Game, Games, Painter, Picture, PictureFacts
from pbem.games.protectors.reading.reader import READER
from pbem.games.protectors.reading.correcting import read_correction
from pbem.games.protectors.reading.supposing import read_supposition
from pbem.games.protectors.reading.why import parse_question
from pbem.games.realm_master.reading.reader import READER as REALM_MASTER_READER
from pbem.games.realm_master.reading.reader import RealmMasterReader
from pbem.games.realm_master.reading.correcting import read_correction as read_realm_master_correction
from pbem.games.realm_master.reading.why import parse_question as parse_realm_master_question
from pbem.games.realm_master.reading.words import reserved_words as realm_master_words
from pbem.games.protectors.pages.letters import PAGES
from pbem.games.protectors.pages.menu import MENU
from pbem.games.realm_master.pages.letters import PAGES as REALM_MASTER_PAGES
from pbem.games.realm_master.pages.cast import BOOK as REALM_MASTER_BOOK
from pbem.games.realm_master.pages.menu import MENU as REALM_MASTER_MENU
from pbem.pages.rules import PROTECTORS as PROTECTORS_BOOK
from pbem.pages.rules import Book
from pbem.record.replay import Rules

DEFAULT_RULESET = PROTECTORS.id


class ProtectorsPainter:
    """Paints the boards of Protectors of the Realm, in the rasteriser's own process."""

    def __init__(self, rasteriser: Rasteriser) -> None:
        self._rasteriser = rasteriser

    async def land(self, view: Any, seed: int, map_text: str) -> bytes:
        if map_text:
            return await self._rasteriser.map_land(parse_map(map_text), seed, island=view.island is not None)
        return await self._rasteriser.land(view.land, seed, island=view.island is not None)

    async def board(self, view: Any, events: Sequence[Event], land: bytes, facts: PictureFacts) -> Picture:
        about = TableFacts(facts.title, facts.kind, facts.deadline, facts.zone, facts.hypothesis)
        scene = build_scene(view, events, about)
        picture = await self._rasteriser.picture(scene, land, strip=False)
        return Picture(picture.png, picture.alt)


class RealmMasterPainter:
    """Paints the tables of Realm-Master, in the rasteriser's own process. They all lie on the same isle."""

    def __init__(self, rasteriser: Rasteriser) -> None:
        self._rasteriser = rasteriser

    async def land(self, view: Any, seed: int, map_text: str) -> bytes:
        """Nothing is made beforehand."""
        return b""

    async def board(self, view: Any, events: Sequence[Event], land: bytes, facts: PictureFacts) -> Picture:
        about = TableFacts(facts.title, facts.kind, facts.deadline, facts.zone, facts.hypothesis)
        picture = await paint_realm_master(build_realm_master_scene(view, events, about), self._rasteriser)
        return Picture(picture.png, picture.alt)


def refuse_map(text: str) -> Mapping[str, object]:
    """For a game without maps. ValueError."""
    raise ValueError("this game is not played on a map of one's own")


def read_map(text: str) -> Mapping[str, object]:
    """A GM's own map as the table option `land`. MapError (a ValueError) names every fault with its line."""
    plan = parse_map(text).plan
    return {"provinces": plan.provinces, "borders": plan.borders, "starts": plan.starts}


def games_with(painter: Painter, realm_master_painter: Painter | None = None) -> Games:
    """The registry, with every board painted by one painter, as tests have it, or the games' own."""
    protectors = Game(
        ruleset=PROTECTORS,
        read=READER.read,
        pages=PAGES,
        painter=painter,
        colours=COLOURS,
        reserved_words=(*COLOURS, *SYMBOLS.values()),
        read_map=read_map,
        read_correction=read_correction,
        check_options=PROTECTORS.check_options,
        read_question=parse_question,
        menu=MENU,
        read_supposition=read_supposition,
        team_mates=lambda view, player: tuple(
            number for _, members in view.teams if player in members for number in members if number != player
        ),
    )
    realm_master = Game(
        ruleset=REALM_MASTER,
        read=REALM_MASTER_READER.read,
        pages=REALM_MASTER_PAGES,
        painter=realm_master_painter or painter,
        colours=COLOURS,
        reserved_words=(*COLOURS, *SYMBOLS.values(), *realm_master_words()),
        read_map=refuse_map,
        read_correction=read_realm_master_correction,
        check_options=REALM_MASTER.check_options,
        read_question=parse_realm_master_question,
        menu=REALM_MASTER_MENU,
        tells_in_questions=True,
        pictured=8,
    )
    return {game.ruleset.id: game for game in (protectors, realm_master)}


@asynccontextmanager
async def open_games() -> AsyncIterator[Games]:
    """The registry for a running service; the rasteriser's process is started when first needed and ends with the block."""
    async with Rasteriser() as rasteriser:
        yield games_with(ProtectorsPainter(rasteriser), RealmMasterPainter(rasteriser))


def rule_books() -> tuple[tuple[str, Book], ...]:
    """The rules guides of all games, each with its game's title."""
    return ((PAGES.title, PROTECTORS_BOOK), (REALM_MASTER_PAGES.title, REALM_MASTER_BOOK))


def record_rules() -> dict[str, Rules]:
    """The games whose records can be checked: their rules, with the reader of canonical texts."""
    return {
        PROTECTORS.id: Rules(PROTECTORS, READER.read_canonical),
        REALM_MASTER.id: Rules(REALM_MASTER, REALM_MASTER_READER.read_canonical),
    }


def case_games() -> dict[str, CaseGame]:
    """The games that cases can be run for."""
    return {
        PROTECTORS.id: CaseGame(
            PROTECTORS, READER.read, parse_position, parse_standings, format_position, parse_expectation, names_of, UNORDERED
        ),
        REALM_MASTER.id: CaseGame(
            REALM_MASTER,
            RealmMasterReader(asks_back=False).read,
            parse_realm_master_position,
            parse_realm_master_standings,
            format_realm_master_position,
            parse_realm_master_expectation,
            names_of_realm_master,
            REALM_MASTER_UNORDERED,
        ),
    }

"""The guide's pages are their games: the code blocks of a page are all files of its game."""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import pytest

from pbem.grammar.kit.vocabulary import parse_words

TESTS = Path(__file__).parents[1]
BLOCK = re.compile(r"^`([^`\n]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| [^|]+\| ([^|]*)\| (\d+) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Guide:
    """A page of the guide with the game that it builds; `cases` are not counted, `most` are the
    lines that the game has at most.
    """

    name: str
    folder: Path
    package: str
    cases: str
    most: int

    @cached_property
    def page(self) -> str:
        return (TESTS.parent / "docs" / self.name).read_text("utf-8")

    @cached_property
    def blocks(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for file, text in BLOCK.findall(self.page):
            found[file].append(text)
        return found

    def files(self) -> set[str]:
        """Every file of the game but its tests."""
        return {
            str(path.relative_to(self.folder))
            for path in self.folder.rglob("*")
            if path.is_file()
            and "__pycache__" not in path.parts
            and not path.name.startswith("test_")
        }

    def text_of(self, file: str) -> str:
        return (self.folder / file).read_text("utf-8")


LOTS = Guide("adding-a-game.md", TESTS / "plugin", "sealed_lots", "cases/lots.yaml", 900)
DICE = Guide("a-game-in-turns.md", TESTS / "plugin_dice", "liars_dice", "cases/dice.yaml", 1100)
MAP = Guide("a-game-on-a-map.md", TESTS / "plugin_map", "straits", "cases/straits.yaml", 1350)
each_guide = pytest.mark.parametrize("guide", [LOTS, DICE, MAP], ids=lambda guide: guide.package)


def written(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


@each_guide
def test_every_block_names_its_file(guide: Guide) -> None:
    assert guide.page.count("```") == 2 * sum(map(len, guide.blocks.values()))


@each_guide
def test_every_block_stands_in_its_file(guide: Guide) -> None:
    for file, pieces in guide.blocks.items():
        assert all(piece in guide.text_of(file) for piece in pieces), file


@each_guide
def test_the_blocks_are_the_whole_game(guide: Guide) -> None:
    assert set(guide.blocks) == guide.files()
    for file, pieces in guide.blocks.items():
        assert written("".join(pieces)) == written(guide.text_of(file)), file


@each_guide
def test_the_lines_are_counted(guide: Guide) -> None:
    counted = {names.strip(): int(lines) for names, lines in ROW.findall(guide.page)}
    total = 0
    for names, lines in counted.items():
        told = [name.strip("` ") for name in names.split(",") if name]
        files = [
            name if (guide.folder / name).is_file() else f"{guide.package}/{name}" for name in told
        ]
        if told:
            assert sum(len(guide.text_of(file).splitlines()) for file in files) == lines, names
            total += lines if told != [guide.cases] else 0
    assert counted[""] == total < guide.most


def test_a_game_on_a_map_is_small_beside_its_rules() -> None:
    """A map of twenty places, its words, pages, board and players in fewer than 600 lines."""
    counted = {names.strip(): int(lines) for names, lines in ROW.findall(MAP.page)}
    (rules,) = (lines for names, lines in counted.items() if "rules.py" in names)
    assert counted[""] - rules < 600
    text = MAP.text_of("straits/data/map.yaml")
    assert len(re.findall(r"kind: (?:land|sea)", text)) == 20


MACROS = ("question", "silence", "you", "table", "brief")
PAGE_ROW = re.compile(r"^\| [^|]+ \| ((?:`\w+\.j2`(?:, )?)+) \| ?([^|]*)\|$", re.MULTILINE)
USUAL = TESTS.parent / "templates" / "game"


def test_the_guide_says_which_page_takes_which_macro() -> None:
    rows = PAGE_ROW.findall(LOTS.page)
    told = {name: row for row in rows for name in re.findall(r"`(\w+\.j2)`", row[0])}
    assert {"turn.j2", "chat_turn.j2", "bulletin.j2", "receipt.j2", "ending.j2"} <= set(told)
    for name, (_, words) in told.items():
        text = (USUAL / name).read_text("utf-8")
        used = {macro for macro in MACROS if f"w.{macro}(" in text}
        used |= {"silence"} if "silence" in text else set()
        assert set(re.findall(r"`(\w+)`", words)) == used, name


def test_the_verbs_that_the_guide_calls_fillers_are_some() -> None:
    said = LOTS.page.partition("no grammar sees them: ")[2].partition(". ")[0]
    fillers = {
        word
        for kind, words in parse_words(files("pbem.grammar.kit") / "kit.words")
        if kind == "FILLER"
        for word in words
    }
    assert said
    assert set(re.findall(r"`([\w ]+)`", said)) <= fillers

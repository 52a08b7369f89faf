"""`docs/adding-a-game.md` is this game: its code blocks are all files of it."""

import re
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "adding-a-game.md").read_text("utf-8")
BLOCK = re.compile(r"^`([^`\n]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| [^|]+\| ([^|]*)\| (\d+) \|$", re.MULTILINE)


def blocks() -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for file, text in BLOCK.findall(PAGE):
        found[file].append(text)
    return found


def files() -> set[str]:
    """Every file of the game but its tests."""
    return {
        str(path.relative_to(HERE))
        for path in HERE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith("test_")
    }


def written(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def test_every_block_names_its_file() -> None:
    assert PAGE.count("```") == 2 * sum(map(len, blocks().values()))


def test_every_block_stands_in_its_file() -> None:
    for file, pieces in blocks().items():
        text = (HERE / file).read_text("utf-8")
        assert all(piece in text for piece in pieces), file


def test_the_blocks_are_the_whole_game() -> None:
    found = blocks()
    assert set(found) == files()
    for file, pieces in found.items():
        assert written("".join(pieces)) == written((HERE / file).read_text("utf-8")), file


def test_the_lines_are_counted() -> None:
    counted = {names.strip(): int(lines) for names, lines in ROW.findall(PAGE)}
    total = 0
    for names, lines in counted.items():
        told = [name.strip("` ") for name in names.split(",") if name]
        paths = [
            HERE / name if (HERE / name).is_file() else HERE / "sealed_lots" / name for name in told
        ]
        if told:
            assert sum(len(path.read_text("utf-8").splitlines()) for path in paths) == lines, names
            total += lines if told != ["cases/lots.yaml"] else 0
    assert counted[""] == total < 900

"""A new game of somebody's own: a distribution that plays, from the files of `pbem.skeleton`."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

SKELETON = "skeleton"
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_OUTSIDE = {"pyproject.txt": "pyproject.toml", "tests.txt": "tests/test_game.py"}
"""Files of the skeleton that do not belong into the package, each with its place."""


def write_game(name: str, folder: Path) -> Path:
    """Write the distribution of a game of this id into a new folder of its name in `folder`, which
    comes back. ValueError for what is no id; FileExistsError where there is such a folder.
    """
    if _NAME.fullmatch(name) is None:
        raise ValueError(f"{name!r} is not an id: small letters, digits and single hyphens")
    root, package = folder / name, name.replace("-", "_")
    root.mkdir(parents=True)
    source = files(f"pbem.{SKELETON}")
    _copy(source, root / package, name)
    for file, place in _OUTSIDE.items():
        (root / place).parent.mkdir(exist_ok=True)
        (root / place).write_text(_named(source / file, name), "utf-8")
    return root


def _copy(source: Traversable, target: Path, name: str) -> None:
    target.mkdir()
    for one in source.iterdir():
        if one.name in ("__pycache__", *_OUTSIDE):
            continue
        if one.is_dir():
            _copy(one, target / one.name, name)
        else:
            (target / one.name).write_text(_named(one, name), "utf-8")


def _named(source: Traversable, name: str) -> str:
    """A file in which the skeleton has the name of the game: as title, module and id."""
    text = source.read_text("utf-8")
    text = text.replace("Skeleton", name.replace("-", " ").title())
    package = name.replace("-", "_")
    named = rf'(?<=packages = \["){SKELETON}|(?<== "){SKELETON}(?=\.)|(?<=^from ){SKELETON}(?=\.)'
    text = re.sub(named, package, text, flags=re.MULTILINE)
    return text.replace(SKELETON, name)

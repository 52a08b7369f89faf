"""A new game of somebody's own: a distribution that plays, from the files of `pbem.skeleton`."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

SKELETON = "skeleton"
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_PROJECT = "pyproject.txt"


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
    (root / "pyproject.toml").write_text(_named(source / _PROJECT, name), "utf-8")
    return root


def _copy(source: Traversable, target: Path, name: str) -> None:
    target.mkdir()
    for one in source.iterdir():
        if one.name in ("__pycache__", _PROJECT):
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
    text = re.sub(rf'(?<=packages = \["){SKELETON}|(?<== "){SKELETON}(?=\.)', package, text)
    return text.replace(SKELETON, name)

"""An archive as its tests see it: a folder of pages, and a browser to open them in."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.browser.chromium import Chromium, Page
from tests.rings import IS_ALL, RING

APART = "stage"
"""The folder of a demonstration beside its archive: mails, phones, the log of the post."""

SCRIPTS = Path(__file__).with_name("scripts")


@dataclass(frozen=True)
class Site:
    """A check takes one and returns its complaints, each with the page it is about."""

    browser: Chromium
    folder: Path

    @property
    def index(self) -> Path:
        return self.folder / "index.html"

    @property
    def files(self) -> list[Path]:
        """All of the archive, whatever it is."""
        return [
            file
            for file in sorted(self.folder.rglob("*"))
            if file.is_file() and file.relative_to(self.folder).parts[0] != APART
        ]

    @property
    def pages(self) -> list[Path]:
        return [file for file in self.files if file.suffix == ".html"]

    @property
    def turns(self) -> list[Path]:
        return [page for page in self.pages if page.parent.name == "turns"]

    @property
    def kinds(self) -> list[Path]:
        """Pages for checks that take long: all of the folder itself, and of each folder in it the
        last; with RING=all the first too, and every page with RING=full.
        """
        if RING == "full":
            return self.pages
        kept = [page for page in self.pages if page.parent == self.folder]
        inner = [page for page in self.pages if page.parent != self.folder]
        for _, alike in groupby(inner, key=lambda page: page.parent):
            rows = list(alike)
            kept += dict.fromkeys((rows[0], rows[-1]) if IS_ALL else rows[-1:])
        return kept

    def name(self, page: Path) -> str:
        return page.relative_to(self.folder).as_posix()

    def shown(self, pages: Iterable[Path], **emulated: Any) -> Iterator[tuple[Path, Page]]:
        """Each page in turn, in one tab for all: a new one takes longer than what it shows."""
        with self.browser.page(self.folder, **emulated) as tab:
            for page in pages:
                tab.troubles.clear()
                yield page, tab.visit(page)

    @contextmanager
    def opened(self, page: Path | None = None, hash_: str = "", **emulated: Any) -> Iterator[Page]:
        """A page, the index if none is named, in a tab of its own."""
        with self.browser.page(self.folder, **emulated) as tab:
            yield tab.visit((page or self.index).resolve().as_uri() + hash_)


def script(name: str) -> str:
    """One of the functions that run in a page."""
    return (SCRIPTS / name).read_text("utf-8").rstrip().removesuffix(";")


__all__ = ["Site", "script"]

"""What a browser would stumble over in a page, without a browser."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

_EMPTY = {"meta", "link", "img", "br", "hr", "input"}


@dataclass
class Found:
    """`faults` are tags that do not close and ids that are there twice."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    @property
    def ids(self) -> set[str]:
        return {given["id"] for _, given in self.tags if "id" in given}

    def all(self, tag: str) -> list[dict[str, str]]:
        return [given for name, given in self.tags if name == tag]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found = Found()
        self._open: list[str] = []
        self._ids: set[str] = set()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)
        if tag not in _EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1] != tag:
            self.found.faults.append(f"</{tag}> in {self._open[-3:]} at {self.getpos()}")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if not self._open or self._open[-1] not in ("style", "script"):
            self.found.text.append(data)

    def close(self) -> None:
        super().close()
        self.found.faults += [f"<{tag}> is not closed" for tag in self._open]

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if given.get("id") in self._ids:
            self.found.faults.append(f"the id {given['id']} twice")
        self._ids.add(given.get("id", " "))
        self.found.tags.append((tag, given))


def read_markup(text: str) -> Found:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.found

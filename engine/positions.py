"""Reading positions told from outside (adjudication cases): a value with its path, and the error
that names the place.
"""

from collections.abc import Iterable, Mapping

Path = tuple[str | int, ...]
"""Keys and list places from the case down to a value."""


def format_path(path: Path) -> str:
    """`board.P6.units`, `ties[0][1]`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


class PositionError(ValueError):
    """Something told does not fit; `path` leads to it, `why` says what is wrong."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{format_path(path)}: {why}")
        self.path = path
        self.why = why


class PositionPart:
    """A value of a position and the path to it. Every method that reads it refuses what does not
    fit.
    """

    __slots__ = ("path", "value")

    def __init__(self, value: object, path: Path = ()) -> None:
        self.value = value
        self.path = path

    def error(self, why: str) -> PositionError:
        return PositionError(self.path, why)

    def pairs(self) -> list[tuple[str, "PositionPart"]]:
        """The entries of a mapping, as listed; those told as nothing at all are left out."""
        if self.value is None:
            return []
        if not isinstance(self.value, Mapping):
            raise self.error("a mapping is wanted here")
        return [
            (str(key), PositionPart(value, (*self.path, str(key))))
            for key, value in self.value.items()
            if value is not None
        ]

    def nothings(self) -> dict[str, None]:
        """The entries told as nothing at all: `owner: null` is expected like any other value."""
        told = self.value.items() if isinstance(self.value, Mapping) else ()
        return {str(key): None for key, value in told if value is None}

    def fields(self, known: Iterable[str]) -> dict[str, "PositionPart"]:
        """The entries of a mapping whose keys are given; another key is an error."""
        names = tuple(known)
        if isinstance(self.value, Mapping):
            for key in self.value:
                if str(key) not in names:
                    raise PositionError(
                        (*self.path, str(key)), f"unknown key; known are {', '.join(names)}"
                    )
        return dict(self.pairs())

    def parts(self) -> list["PositionPart"]:
        """The entries of a list."""
        if self.value is None:
            return []
        if not isinstance(self.value, list | tuple):
            raise self.error("a list is wanted here")
        return [PositionPart(value, (*self.path, i)) for i, value in enumerate(self.value)]

    def integer(self, least: int = 0, most: int | None = None) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.error(f"a whole number is wanted here, not {self.value!r}")
        if self.value < least or (most is not None and self.value > most):
            raise self.error(
                f"{self.value} is out of range ({least} to {most})"
                if most is not None
                else f"{self.value} is below {least}"
            )
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.error(f"true or false is wanted here, not {self.value!r}")
        return self.value

    def text(self) -> str:
        if isinstance(self.value, bool) or not isinstance(self.value, str | int):
            raise self.error(f"a word is wanted here, not {self.value!r}")
        return str(self.value)

    def one_of(self, words: Iterable[str]) -> str:
        known = tuple(words)
        if self.text() not in known:
            raise self.error(f"{self.value!r} is none of {', '.join(known)}")
        return self.text()

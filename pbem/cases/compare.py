"""Compare what was expected with what came out: a subset of keys, path by path."""

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two values differ, and how: `board.P6.units`, `expected 1, got 0`."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


def compare(
    expected: object, got: object, path: str, unordered: AbstractSet[str] = frozenset()
) -> list[Difference]:
    """Every difference: of a mapping only the keys named must match; lists match as a whole, some
    in any order.
    """
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return [
            found
            for key, value in expected.items()
            for found in compare(value, got.get(key), f"{path}.{key}", unordered)
        ]
    if (
        isinstance(expected, list)
        and isinstance(got, list)
        and any(step in unordered for step in path.split("."))
    ):
        same = sorted(map(show, expected)) == sorted(map(show, got))
    else:
        same = type(expected) is type(got) and expected == got
        same = same or (
            isinstance(got, str) and not isinstance(expected, bool | str) and str(expected) == got
        )
    return [] if same else [_differ(path, expected, got)]


def compare_texts(path: str, expected: Sequence[str], got: Sequence[str]) -> list[Difference]:
    """The same texts in any order, except for words in quotes, which are a player's own."""
    same = sorted(map(_bare, expected)) == sorted(map(_bare, got))
    return [] if same else [_differ(path, sorted(expected), sorted(got))]


def compare_codes(
    path: str, expected: Sequence[str], refused: Sequence[str], warned: Sequence[str]
) -> list[Difference]:
    """The codes of the refused orders, each once; a case may list codes of mere warnings
    with them.
    """
    told = set(expected)
    return (
        []
        if set(refused) <= told <= {*refused, *warned}
        else [_differ(path, sorted(told), sorted(refused))]
    )


def compare_events(
    expected: Sequence[Mapping[str, object]], got: Sequence[Mapping[str, object]]
) -> list[Difference]:
    """Events that must occur in this order, whatever lies between: of each the parts told."""
    ahead = iter(got)
    for part in expected:
        if not any(not compare(part, event, "") for event in ahead):
            kinds = [event["kind"] for event in got]
            return [
                Difference("events", f"expected {show(dict(part))} in its place in {show(kinds)}")
            ]
    return []


def compare_quoted(path: str, canonical: Sequence[str], quoted: Sequence[str]) -> list[Difference]:
    """What stands is quoted in the canonical texts told, in their order; some may be refused. Words
    in quotes are a player's own, and free.
    """
    ahead = map(_bare, canonical)
    if all(_bare(text) in ahead for text in quoted):
        return []
    return [_differ(path, canonical, quoted)]


def _bare(text: str) -> str:
    return re.sub(r'"[^"]*"', '""', text)


def show(value: object) -> str:
    """A value as a report shows it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _differ(path: str, expected: object, got: object) -> Difference:
    return Difference(path, f"expected {show(expected)}, got {show(got)}")

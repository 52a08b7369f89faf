"""Case files as text: YAML with the line of every key, and the typed case made of it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from engine.chance import ScriptEntry
from engine.positions import Path as KeyPath
from engine.positions import PositionError, PositionPart, format_path

CASE_KEYS = (
    "id",
    "title",
    "why",
    "rules",
    "ruleset",
    "options",
    "position",
    "orders",
    "canonical",
    "acts",
    "until",
    "chance",
    "expect",
    "then",
    "read",
)
STEP_KEYS = ("orders", "canonical", "acts", "until", "chance", "expect")
ACT_KEYS = ("at", "from", "text", "canonical")
MASTER = "GM"
"""Who else may write at an hour, besides the players."""
READ_KEYS = ("as", "text", "means", "problems")
DEEPEST = 40

_TAG = "tag:yaml.org,2002:"


class CaseError(ValueError):
    """A file or a case that cannot be read: says the file, the line and the key."""

    def __init__(self, file: str, line: int | None, key: str, why: str) -> None:
        place = file if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {key}: {why}" if key else f"{place}: {why}")


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML document: its value, and the line of each key and list entry by its path."""

    file: str
    line: int
    value: object
    lines: Mapping[KeyPath, int]

    def error(self, wrong: PositionError) -> CaseError:
        """The same error, with its place in the file."""
        path = wrong.path
        while path and path not in self.lines:
            path = path[:-1]
        return CaseError(
            self.file, self.lines.get(path, self.line), format_path(wrong.path), wrong.why
        )


@dataclass(frozen=True, slots=True)
class Act:
    """A message at an hour of the open phase (None: that of the one before), with its canonical
    texts if the case has them.
    """

    at: int | None
    sender: str
    text: str
    canonical: tuple[str, ...]
    path: KeyPath


@dataclass(frozen=True, slots=True)
class Step:
    """One close: a text per player, messages at hours, what chance brings, what must come out.
    `path` leads to it in the document. What stands of a text is among its `canonical` texts, where
    those are told; they are read themselves where a player has no other. With `until` it ends at
    that hour, and the phase stays open.
    """

    orders: Mapping[str, str]
    canonical: Mapping[str, tuple[str, ...]]
    acts: tuple[Act, ...]
    until: int | None
    chance: tuple[ScriptEntry, ...]
    expect: PositionPart
    path: KeyPath

    @property
    def texts(self) -> Mapping[str, str]:
        """What each player sends."""
        lines = {player: "\n".join(texts) for player, texts in self.canonical.items()}
        return {
            **self.orders,
            **{who: text for who, text in lines.items() if who not in self.orders},
        }


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text to be read, with its expected canonical texts and problem codes (None: not
    compared).
    """

    reader: str
    text: str
    means: tuple[str, ...] | None
    problems: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Case:
    """A case as written; `reads` or `steps` is empty. `position` and `options` are the game's to
    read; `title` and `why` are for the reader.
    """

    id: str
    title: str
    why: str
    rules: tuple[str, ...]
    ruleset: str
    options: object
    position: object
    steps: tuple[Step, ...]
    reads: tuple[ReadText, ...]
    document: Document


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML 1.2 in the plain: a word like `No` or `on`, or a date, stays a word. libyaml's recurses
    without end: `_find_deep` first.
    """

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML reads it from the class


_Loader.add_implicit_resolver(
    f"{_TAG}null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]
)
_Loader.add_implicit_resolver(
    f"{_TAG}bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
_Loader.add_implicit_resolver(f"{_TAG}int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))
_Loader.add_implicit_resolver(f"{_TAG}merge", re.compile(r"^<<$"), ["<"])


def _find_deep(text: str) -> int | None:
    """The line where a text is nested too deeply to be a case."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_Loader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                return event.start_mark.line + 1 if event.start_mark is not None else 1
    except yaml.YAMLError:
        return None  # told where the documents are built; behind it nothing is read
    return None


def load_documents(file: Path) -> Iterator[Document | CaseError]:
    """The documents of a file; an error ends it. Empty documents are left out; a file without any
    is an error.
    """
    name = str(file)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as unreadable:
        yield CaseError(name, None, "", str(unreadable))
        return
    deep = _find_deep(text)
    if deep is not None:
        yield CaseError(name, deep, "", "nested too deeply")
        return
    loader = _Loader(text)
    found = False
    try:
        while loader.check_node() and (node := loader.get_node()) is not None:
            lines: dict[KeyPath, int] = {}
            value = _build(loader, node, (), lines, name)
            if value is not None:
                found = True
                yield Document(name, node.start_mark.line + 1, value, lines)
        if not found:
            yield CaseError(name, None, "", "holds no case")
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        yield CaseError(name, mark.line + 1 if mark else None, "", wrong.problem or "no YAML")
    except (yaml.YAMLError, RecursionError) as wrong:
        yield CaseError(name, None, "", str(wrong))
    except CaseError as wrong:
        yield wrong
    finally:
        loader.dispose()


def _build(
    loader: _Loader, node: yaml.Node, path: KeyPath, lines: dict[KeyPath, int], file: str
) -> object:
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        own = {key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)}
        if len(own) < len(node.value):
            _refuse_doubled(node, path, file)
        loader.flatten_mapping(node)
        entries: dict[str, object] = {}
        for key, value in node.value:  # merged entries come first, so that the mapping's own win
            lines[*path, key.value] = key.start_mark.line + 1
            entries[key.value] = _build(loader, value, (*path, key.value), lines, file)
        return entries
    if isinstance(node, yaml.SequenceNode):
        return [
            _build(loader, entry, (*path, i), lines, file) for i, entry in enumerate(node.value)
        ]
    match node.tag.removeprefix(_TAG):
        case "null":
            return None
        case "bool":
            return str(node.value).lower() == "true"
        case "int":
            return int(node.value)
    return str(node.value)


def _refuse_doubled(node: yaml.MappingNode, path: KeyPath, file: str) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise CaseError(file, line, format_path(path), "a key is a word")
        if key.value in seen:
            raise CaseError(file, line, format_path((*path, key.value)), "told twice")
        seen.add(key.value)


def parse_case(document: Document) -> Case:
    """The case of a document, its own keys checked. CaseError if it is not one."""
    try:
        return _parse_case(document)
    except PositionError as wrong:
        raise document.error(wrong) from None


def _parse_case(document: Document) -> Case:
    told = PositionPart(document.value).fields(CASE_KEYS)
    for key in ("id", "ruleset", "position"):
        if key not in told:
            raise PositionError((key,), "is missing")
    reads = tuple(_parse_read(part) for part in told["read"].parts()) if "read" in told else ()
    steps: list[Step] = []
    if "read" in told:
        for key in (*STEP_KEYS, "then"):
            if key in told:
                raise told[key].error("a reading case adjudicates nothing")
    else:
        steps = [_parse_step(told, ())]
        steps += [
            _parse_step(part.fields(STEP_KEYS), part.path)
            for part in (told["then"].parts() if "then" in told else [])
        ]
    return Case(
        id=told["id"].text(),
        title=told["title"].text() if "title" in told else "",
        why=told["why"].text() if "why" in told else "",
        rules=tuple(part.text() for part in told["rules"].parts()) if "rules" in told else (),
        ruleset=told["ruleset"].text(),
        options=told["options"].value if "options" in told else {},
        position=told["position"].value,
        steps=tuple(steps),
        reads=reads,
        document=document,
    )


def _parse_step(told: Mapping[str, PositionPart], path: KeyPath) -> Step:
    return Step(
        orders=(
            {player: _parse_text(part) for player, part in told["orders"].pairs()}
            if "orders" in told
            else {}
        ),
        canonical=(
            {
                player: tuple(text.text() for text in part.parts())
                for player, part in told["canonical"].pairs()
            }
            if "canonical" in told
            else {}
        ),
        acts=tuple(_parse_act(part) for part in told["acts"].parts()) if "acts" in told else (),
        until=told["until"].integer() if "until" in told else None,
        chance=(
            tuple(_parse_chance(part) for part in told["chance"].parts())
            if "chance" in told
            else ()
        ),
        expect=told.get("expect", PositionPart({}, (*path, "expect"))),
        path=path,
    )


def _parse_text(part: PositionPart) -> str:
    """A text, or its lines as a list."""
    if isinstance(part.value, list):
        return "\n".join(line.text() for line in part.parts())
    return part.text()


def _parse_act(part: PositionPart) -> Act:
    told = part.fields(ACT_KEYS)
    for key in ("from", "text"):
        if key not in told:
            raise PositionError((*part.path, key), "is missing")
    return Act(
        told["at"].integer() if "at" in told else None,
        told["from"].text(),
        _parse_text(told["text"]),
        tuple(text.text() for text in told["canonical"].parts()) if "canonical" in told else (),
        part.path,
    )


def _parse_chance(part: PositionPart) -> ScriptEntry:
    if isinstance(part.value, list):
        return tuple(entry.text() for entry in part.parts())
    if isinstance(part.value, int) and not isinstance(part.value, bool):
        return part.value
    return part.text()


def _parse_read(part: PositionPart) -> ReadText:
    told = part.fields(READ_KEYS)
    for key in ("as", "text"):
        if key not in told:
            raise PositionError((*part.path, key), "is missing")
    return ReadText(
        reader=told["as"].text(),
        text=told["text"].text(),
        means=tuple(entry.text() for entry in told["means"].parts()) if "means" in told else None,
        problems=(
            tuple(entry.text() for entry in told["problems"].parts())
            if "problems" in told
            else None
        ),
    )

"""A map that somebody wrote as YAML: read within limits, and every fault told with its line."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec
import yaml
from yaml.nodes import MappingNode, Node, SequenceNode

LONGEST_FILE = 1_000_000
DEEPEST = 8
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The quick one, where PyYAML was built with it."""
PartT = TypeVar("PartT")
Fact = str | int | float | tuple[int | str, ...]


class MapProblem(msgspec.Struct, frozen=True):
    """What is wrong with a map, and where: the line of the file (from 1) and the place by its name
    or number, as far as there are such.

    Codes: `too-long`, `not-yaml`, `too-deep`, `alias`, `key-twice`, `wrong-form`, and those of the
    module that reads the file further.
    """

    code: str
    line: int
    place: str | int | None = None
    facts: dict[str, Fact] = {}


class MapError(ValueError):
    """A map file that cannot be played on, with every fault found."""

    def __init__(self, problems: Sequence[MapProblem], source: str = ""):
        told = (f"{problem.code} ({source or 'line '}{problem.line})" for problem in problems)
        super().__init__(", ".join(told))
        self.problems = tuple(problems)


class MapFile:
    """The text of a map. MapError for one that is no YAML, or whose size could stop the reader."""

    def __init__(self, text: str, source: str = "") -> None:
        self._source = source
        if len(text) > LONGEST_FILE:
            facts: dict[str, Fact] = {"characters": len(text), "most": LONGEST_FILE}
            raise MapError([MapProblem("too-long", 1, facts=facts)], source)
        try:
            _check_depth(text, source)
            loader = _LOADER(text)
            try:
                root = loader.get_single_node()
                self._data = loader.construct_document(root) if root is not None else None
            finally:
                loader.dispose()
        except yaml.MarkedYAMLError as fault:
            line = fault.problem_mark.line + 1 if fault.problem_mark else 1
            told = MapProblem("not-yaml", line, facts={"problem": fault.problem or ""})
            raise MapError([told], source) from fault
        except (yaml.YAMLError, ValueError) as fault:
            if isinstance(fault, MapError):
                raise
            raise MapError(
                [MapProblem("not-yaml", 1, facts={"problem": str(fault)})], source
            ) from fault
        if not isinstance(root, MappingNode):
            facts = {"at": "", "problem": "no mapping"}
            raise MapError([MapProblem("wrong-form", 1, facts=facts)], source)
        self._root = root
        doubled = list(_double_keys(root))
        if doubled:
            raise MapError(doubled, source)

    def read_as(self, kind: type[PartT]) -> PartT:
        """All of it as a value of this type. MapError for one of another form."""
        try:
            return msgspec.convert(self._data, kind)
        except msgspec.ValidationError as fault:
            raise MapError([self.misshapen(fault)], self._source) from fault

    def misshapen(self, fault: msgspec.ValidationError, *around: str) -> MapProblem:
        """What is of another form in the part with these keys, by what the decoder says of it."""
        problem, _, path = str(fault).partition(" - at `$")
        return self.wrong_form(path.rstrip("`").lstrip("."), problem, *around)

    def wrong_form(self, path: str, problem: str, *around: str) -> MapProblem:
        """A part of the file that is not as it must be."""
        facts: dict[str, Fact] = {"at": path, "problem": problem}
        return MapProblem(
            "wrong-form", self.line(path, *around), around[-1] if around else None, facts
        )

    def line(self, path: str, *around: str) -> int:
        """The line of a part such as `provinces[2].outline[0]`, or of the nearest part around it;
        `around` are the keys of what the path begins in.
        """
        node: Node = self._root
        for step in (*around, *re.findall(r"[^.\[\]]+", path)):
            if isinstance(node, MappingNode):
                found = [value for key, value in node.value if key.value == step]
            elif isinstance(node, SequenceNode) and step.isdigit():
                found = node.value[int(step) : int(step) + 1]
            else:
                found = []
            if not found:
                break
            node = found[0]
        return int(node.start_mark.line) + 1


def _check_depth(text: str, source: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent):
            raise MapError([MapProblem("alias", line)], source)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise MapError([MapProblem("too-deep", line)], source)


def _double_keys(root: Node) -> Iterator[MapProblem]:
    ahead: list[Node] = [root]
    while ahead:
        here = ahead.pop()
        if isinstance(here, MappingNode):
            seen: set[str] = set()
            for key, value in here.value:
                name = str(key.value)
                if name in seen:
                    yield MapProblem("key-twice", key.start_mark.line + 1, facts={"key": name})
                seen.add(name)
                ahead.append(value)
        elif isinstance(here, SequenceNode):
            ahead += here.value

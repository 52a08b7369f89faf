"""Finds what the house does not say: the patterns of `patterns.txt` in templates, pages, help texts
and rules, with file and line.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
_HERE = Path(__file__).parent

Extent = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pattern:
    """What is not said, and the better way."""

    expression: re.Pattern[str]
    better: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a pattern was found; `file` is relative to the project."""

    file: Path
    line: int
    text: str
    better: str

    @property
    def folder(self) -> str:
        """What it is counted under: the folder, or the file where that lies at the top."""
        parent = self.file.parent.as_posix()
        return self.file.name if parent == "." else parent

    def __str__(self) -> str:
        return f"{self.file.as_posix()}:{self.line}: {self.text!r} => {self.better}"


@cache
def load_patterns(name: str = "patterns.txt") -> tuple[Pattern, ...]:
    """The patterns of a file of this folder."""
    found = []
    for line in (_HERE / name).read_text("utf-8").splitlines():
        expression, arrow, better = line.partition("=>")
        if arrow and not line.startswith("#"):
            spaced = expression.strip().replace(" ", r"\s+")
            compiled = re.compile(spaced, re.IGNORECASE | re.MULTILINE)
            found.append(Pattern(compiled, better.strip()))
    return tuple(found)


def findings_in(
    prose: str, file: Path, patterns: tuple[Pattern, ...] | None = None
) -> list[Finding]:
    """Every pattern (of `patterns.txt`, or of these) in a text without its code, by line."""
    told = " ".join(prose.split())  # most of a module is blank
    found = [
        Finding(
            file, prose.count("\n", 0, hit.start()) + 1, " ".join(hit[0].split()), pattern.better
        )
        for pattern in (load_patterns() if patterns is None else patterns)
        if pattern.expression.search(told)
        for hit in pattern.expression.finditer(prose)
    ]
    return sorted(found, key=lambda finding: finding.line)


def _blanked(text: str, kept: Iterator[Extent]) -> str:
    """The text with all but some parts made spaces; lines stay lines."""
    cells = [character if character == "\n" else " " for character in text]
    for start, end in kept:
        cells[start:end] = text[start:end]
    return "".join(cells)


_CODE_OF_TEMPLATES = re.compile(
    r"\{#.*?#\}|\{[{%].*?[%}]\}"
    r"|<style\b.*?</style>|<script\b.*?</script>|<!--.*?-->|</?[A-Za-z][^<>]*>",
    re.DOTALL,
)
_WORDS_IN_CODE = re.compile(r'"([^"\n]*)"|\'([^\'\n]*)\'')
_ALT = re.compile(r'\b(?:alt|title|placeholder|aria-label)="([^"]*)"')


def prose_of_template(text: str) -> str:
    """What a template says: its text, what stands in quotation marks within its code, and the
    descriptions of pictures.
    """

    def kept() -> Iterator[Extent]:
        at = 0
        for code in _CODE_OF_TEMPLATES.finditer(text):
            yield at, code.start()
            at = code.end()
            if code[0].startswith(("{{", "{%")):
                words = _WORDS_IN_CODE
            elif code[0].startswith("<") and code[0][1:2].isalpha():
                words = _ALT
            else:
                continue
            for said in words.finditer(text, code.start(), code.end()):
                yield said.start() + 1, said.end() - 1
        yield at, len(text)

    return _blanked(text, kept())


_CODE_OF_PAGES = re.compile(
    r"^```[\s\S]*?^```|(?<=\n\n)(?:    [^\n]*\n|\n(?=    ))+|`[^`]+`|<!--[\s\S]*?-->|</?[a-z][^>]*>"
    r"|(?<=\])\([^)\s]*\)",
    re.MULTILINE,
)


def prose_of_page(text: str) -> str:
    """What a page in Markdown says, without code, marks and the targets of links. In the place of
    code within a sentence stands one word, `XXX`, as long as it.
    """
    return _CODE_OF_PAGES.sub(_covered, text)


def _covered(code: re.Match[str]) -> str:
    cover = "X" if code[0].startswith("`") and not code[0].startswith("```") else " "
    return re.sub(r"[^\n]", cover, code[0])


def prose_of_module(text: str, *, docstrings: bool) -> str:
    """The strings of a Python module that can be sentences: those with a space. Documentation belongs
    to them only where it is printed, as a command's help.
    """
    tree = ast.parse(text)
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    raw = text.encode()

    def extents() -> Iterator[Extent]:
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and " " in node.value
                and (docstrings or id(node) not in documented)
                and node.end_lineno is not None
                and node.end_col_offset is not None
            ):
                start = starts[node.lineno - 1] + node.col_offset
                end = starts[node.end_lineno - 1] + node.end_col_offset
                yield len(raw[:start].decode()), len(raw[:end].decode())

    return _blanked(text, extents())


_CODE_OF_COMMENTS = re.compile(r"`[^`]+`")


def prose_of_comments(text: str) -> str:
    """The docstrings and comments of a Python module, without the code in backticks."""
    nodes = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr))
    documented = [node for node in nodes if isinstance(node, ast.Constant)]
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def place(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    def extents() -> Iterator[Extent]:
        for node in documented:
            if isinstance(node.value, str) and node.end_lineno and node.end_col_offset:
                yield (
                    place(node.lineno, node.col_offset),
                    place(node.end_lineno, node.end_col_offset),
                )
        for token in tokenize.generate_tokens(io.StringIO(text).readline) if "#" in text else ():
            if token.type == tokenize.COMMENT:
                start = starts[token.start[0] - 1] + token.start[1]
                yield start, start + len(token.string)

    return _CODE_OF_COMMENTS.sub(_covered, _blanked(text, extents()))


def room_of(file: Path) -> str:
    """The room that a module's docstrings count for: `pbem/mail`, `engine/GAME`."""
    return "/".join(file.parent.parts[:2])


def modules_of_house() -> Mapping[Path, str]:
    """Every module that we ship, with its text."""
    rooms = ("bench", "engine", "pbem", "workers")
    files = (file for room in rooms for file in sorted((ROOT / room).rglob("*.py")))
    return {file.relative_to(ROOT): file.read_text("utf-8") for file in files}


def prose_of_rules(text: str) -> str:
    """Rules in short, without their comments."""
    return re.sub(r"(?m)^\s*#.*$", lambda hit: " " * len(hit[0]), text)


_SEEN_TEMPLATES = {".j2", ".html", ".txt", ".chat"}


def prose_of_house() -> Mapping[Path, str]:
    """Every file that people read, with what it says."""
    found: dict[Path, str] = {}

    def add(file: Path, prose: str) -> None:
        found[file.relative_to(ROOT)] = prose

    for file in sorted((ROOT / "templates").rglob("*")):
        if file.suffix in _SEEN_TEMPLATES and not file.name.endswith(".svg.j2"):
            add(file, prose_of_template(file.read_text("utf-8")))
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    for file in sorted(pages):
        add(file, prose_of_page(file.read_text("utf-8")))
    for file in sorted((ROOT / "pbem" / "cli").glob("*.py")):
        add(file, prose_of_module(file.read_text("utf-8"), docstrings=True))
    told = [
        ROOT / "pbem" / "config.py",
        ROOT / "pbem" / "registry.py",
        ROOT / "pbem" / "sample.py",
        *(ROOT / "pbem" / "doctor").glob("*.py"),
        *(ROOT / "pbem" / "demo").glob("*.py"),
    ]
    for file in sorted(told):
        add(file, prose_of_module(file.read_text("utf-8"), docstrings=False))
    for file in sorted((ROOT / "pbem" / "games").glob("*/rules.yaml")):
        add(file, prose_of_rules(file.read_text("utf-8")))
    return found

"""Limits on a raw mail, checked on its bytes before any parser sees it.

The parser of the standard library recurses with the nesting and is slow on monstrous headers.
`survey` walks the lines of the mail once, without recursion: it follows header blocks and MIME
boundaries (RFC 2046, 5.1.1) only as far as counting needs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a mail is looked at. Sizes are in bytes."""

    mail_bytes: int = 10 * MIB
    mail_lines: int = 250_000
    text_bytes: int = 1 * MIB
    text_lines: int = 20_000
    depth: int = 20
    parts: int = 200
    header_lines: int = 1000
    header_bytes: int = 64 * 1024
    structured_header_bytes: int = 4 * 1024


_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FIELD = re.compile(
    rb"(?:From |[\x21-\x39\x3b-\x7e]*:|[ \t])"
)  # the standard parser's idea of a header line
_MULTIPART = re.compile(rb"content-type[ \t]*:\s*\"?multipart/", re.IGNORECASE)
_MESSAGE = re.compile(
    rb"content-type[ \t]*:\s*\"?message/(?!delivery-status|disposition-notification)", re.IGNORECASE
)
_BOUNDARY = re.compile(
    rb"boundary(?:\*0?\*?)?\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;]+))", re.IGNORECASE
)
_STRUCTURED = (b"content-", b"authentication-results", b"from:")


@dataclass(frozen=True, slots=True)
class Survey:
    """What a walk over the lines counted; `refused` is the first limit that was broken, as a
    code.
    """

    depth: int
    parts: int
    lines_read: int
    refused: str | None


def survey(raw: bytes, limits: Limits) -> Survey:
    """Count nesting, parts and headers in one pass over the lines, stopping at the first broken
    limit.
    """
    if len(raw) > limits.mail_bytes:
        return Survey(0, 0, 0, "too-large")
    return _Walk(limits).over(raw)


def head_of(raw: bytes, limits: Limits) -> bytes:
    """The first header block alone, without the fields that are too long: enough to answer with a
    refusal.
    """
    fields: list[list[bytes]] = []
    for number, line in enumerate(_lines(raw)):
        if number >= limits.header_lines or not line.strip(b"\r\n") or not _FIELD.match(line):
            break
        if line[:1] in b" \t" and fields:
            fields[-1].append(line)
        else:
            fields.append([line])
    kept = [
        line for field in fields if sum(map(len, field)) <= limits.header_bytes for line in field
    ]
    return b"".join(kept) + b"\r\n"


def _lines(raw: bytes) -> Iterator[bytes]:
    for match in _LINE.finditer(raw):
        line = match.group()
        if line:
            yield line


class _Walk:
    """The state of one survey. A boundary is known by its delimiter line; each open one remembers
    its depth.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._bounds: dict[bytes, int] = {}
        self._stack: list[bytes] = []
        self._depth = 1
        self._nested = 0
        self._parts = 1
        self._in_header = True
        self._header_lines = 0
        self._field: list[bytes] = []
        self._field_size = 0
        self._lines = 0

    def over(self, raw: bytes) -> Survey:
        refused: str | None = None
        for line in _lines(raw):
            self._lines += 1
            if self._lines > self._limits.mail_lines:
                return Survey(self._depth, self._parts, self._lines, "too-large")
            refused = self._header(line) if self._in_header else self._body(line)
            if refused:
                break
        return Survey(self._depth, self._parts, self._lines, refused)

    def _header(self, line: bytes) -> str | None:
        bare = line.rstrip(b"\r\n")
        if not bare or not _FIELD.match(line):
            refused = self._close_field()
            self._end_header()
            return refused or (self._body(line) if bare else None)
        self._header_lines += 1
        if self._header_lines > self._limits.header_lines:
            return "too-many-header-lines"
        if bare[:1] not in b" \t":
            refused = self._close_field()
            if refused:
                return refused
        self._field.append(bare)
        self._field_size += len(bare)
        return "header-too-long" if self._field_size > self._limits.header_bytes else None

    def _close_field(self) -> str | None:
        field, size = b" ".join(self._field), self._field_size
        self._field, self._field_size = [], 0
        if not field:
            return None
        if size > self._limits.structured_header_bytes and field[:24].lower().startswith(
            _STRUCTURED
        ):
            return "header-too-long"
        if _MULTIPART.match(field):
            self._nested = 1
            found = _BOUNDARY.search(field)
            if found:
                text = found.group(1) if found.group(1) is not None else found.group(2)
                self._open(b"--" + re.sub(rb"\\(.)", rb"\1", text).rstrip())
        elif _MESSAGE.match(field):
            self._nested = 2
        return "too-deep" if self._depth + bool(self._nested) > self._limits.depth else None

    def _open(self, delimiter: bytes) -> None:
        if delimiter not in self._bounds:
            self._bounds[delimiter] = self._depth
            self._stack.append(delimiter)

    def _end_header(self) -> None:
        # A message inside a message starts with a header block of its own; everything else starts a
        # body.
        self._in_header = self._nested == 2
        self._header_lines = 0
        if self._nested:
            self._depth += 1
        self._nested = 0

    def _body(self, line: bytes) -> str | None:
        if not line.startswith(b"--") or not self._bounds:
            return None
        bare = line.rstrip()
        if bare in self._bounds:
            self._back_to(bare)
            self._in_header = True
            self._parts += 1
            return "too-many-parts" if self._parts > self._limits.parts else None
        if bare.endswith(b"--") and bare[:-2] in self._bounds:
            self._back_to(bare[:-2])
            self._depth = self._bounds.pop(self._stack.pop())
        return None

    def _back_to(self, delimiter: bytes) -> None:
        """Whatever was opened inside the part before is over."""
        while self._stack[-1] != delimiter:
            self._bounds.pop(self._stack.pop())
        self._depth = self._bounds[delimiter] + 1

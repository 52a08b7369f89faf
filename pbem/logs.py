"""How logs are set up: readable lines on a terminal, JSON otherwise, always on stderr, and never a
word of anybody's in them.

What may be logged is a closed list of keys whose values are numbers or codes. Whatever else a line
brings is left out and its key is told under `withheld`, so that nothing leaks by a careless line;
what a server or an exception says passes through `scrub` first.
"""

import logging
import os
import re
import sys
import traceback
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

CODES = frozenset(
    "event level timestamp logger correlation inbox outbox game seat phase uid size kind outcome"
    " ignored delivery attempts attempt failures lateness_seconds limit_seconds sweep_seconds"
    " before now last database version jobs threads worker port count command code".split()
)
"""Keys whose values are ours: ids, numbers, codes."""
TEXTS = frozenset({"reason", "error"})
"""Keys whose values may hold what a server or an exception said."""
MOST_CHARACTERS = 300

_SCRUBBED = (
    (
        re.compile(r"(?<![^\s<>\"'(),:;\[\]@])[^\s<>\"'(),:;\[\]@]++@[^\s<>\"'(),:;\[\]]+"),
        "<address>",
    ),
    (re.compile(r"\b[ocbgw]\d{1,9}-\d{1,9}-[a-z2-7]{26}\b", re.IGNORECASE), "<token>"),
    (re.compile(r"=\([^)]*\)"), "=(...)"),  # how a database tells which row it was
    (re.compile(r"'[^']*'|\"[^\"]*\"|\u201c[^\u201d]*\u201d"), "<...>"),
)
_CODE = re.compile(r"[\w.:+,/ -]{0,120}")

EventDict = MutableMapping[str, Any]


def scrub(text: str) -> str:
    """A server's or an exception's words without addresses, tokens, and whatever stands in
    quotation marks; one line, not too long.
    """
    flat = " ".join(text.split())
    for pattern, instead in _SCRUBBED:
        flat = pattern.sub(instead, flat)
    return flat if len(flat) <= MOST_CHARACTERS else f"{flat[:MOST_CHARACTERS]}..."


def places_of(error: BaseException) -> str:
    """Where an exception came from and of which kind it is: no source lines, no values, none of its
    words.
    """
    chain = [error]
    while (
        cause := chain[-1].__cause__ or chain[-1].__context__
    ) is not None and cause not in chain:
        chain.append(cause)
    return " < ".join(
        " > ".join(
            [
                *(
                    f"{_module(frame.filename)}:{frame.lineno}"
                    for frame in traceback.extract_tb(one.__traceback__)
                ),
                type(one).__qualname__,
            ]
        )
        for one in chain
    )


def _module(file: str) -> str:
    """The last parts of a path: where in the program, not where on somebody's machine."""
    return "/".join(file.replace("\\", "/").split("/")[-2:])


def withhold(_logger: object, _method: str, line: EventDict) -> EventDict:
    """The processor that lets ids and codes pass, scrubs what others said, and leaves out
    everything else.
    """
    kept: dict[str, Any] = {}
    withheld = []
    for key, value in line.items():
        if key == "exc_info":
            error = _error_of(value)
            if error is not None:
                kept["trace"] = places_of(error)
        elif key in TEXTS:
            kept[key] = scrub(str(value))
        elif key in CODES and _is_code(value):
            kept[key] = value
        else:
            withheld.append(key)
    if withheld:
        kept["withheld"] = sorted(withheld)
    return kept


def _is_code(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(_is_code(item) for item in value)
    if isinstance(value, str):
        return _CODE.fullmatch(value) is not None and scrub(value) == value
    return value is None or isinstance(value, bool | int | float)


def _error_of(value: object) -> BaseException | None:
    """What `exc_info` means, in each of the ways it is given."""
    if value is True:
        return sys.exc_info()[1]
    if isinstance(value, tuple) and len(value) == 3:
        value = value[1]
    return value if isinstance(value, BaseException) else None


class _Foreign(logging.Handler):
    """Lines of the libraries we stand on: which library, how bad, and the kind of exception; their
    words are not ours to vouch for.
    """

    def emit(self, record: logging.LogRecord) -> None:
        facts = {"exc_info": record.exc_info} if record.exc_info else {}
        log = structlog.get_logger()
        tell = log.error if record.levelno >= logging.ERROR else log.warning
        try:
            tell("library-says", logger=record.name, **facts)
        except ValueError:  # the stream was closed before us
            self.handleError(record)


def processors(*, json_lines: bool, colours: bool = False) -> list[structlog.typing.Processor]:
    """The way of a line, from the event to its text."""
    render: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if json_lines
        else structlog.dev.ConsoleRenderer(colors=colours)
    )
    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        withhold,
        render,
    ]


def set_up_logs(
    *, json_lines: bool, verbose: bool = False, quiet: bool = False, to: TextIO | None = None
) -> None:
    """Logs go to stderr (or `to`), ours and those of the libraries below."""
    stream = to or sys.stderr
    level = logging.DEBUG if verbose else logging.ERROR if quiet else logging.INFO
    structlog.configure(
        processors=processors(
            json_lines=json_lines, colours=stream.isatty() and "NO_COLOR" not in os.environ
        ),
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    root = logging.getLogger()
    root.handlers = [_Foreign(level=logging.ERROR if quiet else logging.WARNING)]

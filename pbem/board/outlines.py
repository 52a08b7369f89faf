"""Path data of an SVG as outlines of the painter's library."""

import re
from collections.abc import Iterator
from functools import lru_cache

import skia

_PART = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|[\s,]+")
_STEPS = re.compile(r"M(-?\d+) (-?\d+)l([-\d ]*)(z?)")
_WHOLE = re.compile(rf"(?:{_STEPS.pattern})+")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}
SHORT = 2_000
"""Characters of path data whose outline is kept for the next picture."""
LONGER = 4
"""How many longer outlines are kept: a shore is filled and then drawn, by the same data."""


def outline_of(data: str) -> skia.Path:
    """What this path data describes. ValueError when it is not one."""
    return _kept(data) if len(data) <= SHORT else _kept_longer(data)


def _read(data: str) -> skia.Path:
    return _stepped(data) if _WHOLE.fullmatch(data) else _parsed(data)


def _stepped(data: str) -> skia.Path:
    """The form in which `lines.format_path` writes: whole numbers, in relative steps."""
    path = skia.Path()
    step = path.rLineTo
    for x, y, steps, close in _STEPS.findall(data):
        path.moveTo(int(x), int(y))
        numbers = map(float, steps.replace("-", " -").split())
        for right, down in zip(numbers, numbers, strict=True):
            step(right, down)
        if close:
            path.close()
    return path


def _parsed(data: str) -> skia.Path:
    path = skia.Path()
    x = y = 0.0
    start = control = (0.0, 0.0)
    before = ""
    for command, numbers in _commands(data):
        kind, dx, dy = command.upper(), *((x, y) if command.islower() else (0.0, 0.0))
        if kind == "Z":
            path.close()
            x, y = start
        elif kind == "A":
            rx, ry, turn, large, sweep, right, down = numbers
            x, y = right + dx, down + dy
            path.arcTo(
                rx,
                ry,
                turn,
                skia.Path.ArcSize.kLarge_ArcSize if large else skia.Path.ArcSize.kSmall_ArcSize,
                skia.PathDirection.kCW if sweep else skia.PathDirection.kCCW,
                x,
                y,
            )
        elif kind in "HV":
            x, y = (numbers[0] + dx, y) if kind == "H" else (x, numbers[0] + dy)
            path.lineTo(x, y)
        else:
            points = [n + (dy if i % 2 else dx) for i, n in enumerate(numbers)]
            if kind in "ST":
                mirrored = before in ("CS" if kind == "S" else "QT")
                points[:0] = (2 * x - control[0], 2 * y - control[1]) if mirrored else (x, y)
            x, y = points[-2:]
            if kind == "M":
                path.moveTo(x, y)
                start = (x, y)
            elif kind == "L":
                path.lineTo(x, y)
            else:
                control = (points[-4], points[-3])
                (path.cubicTo if len(points) == 6 else path.quadTo)(*points)
        before = kind
    return path


def _commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Every command with the numbers it takes; what repeats without a letter has one."""
    command, numbers, is_due, at = "", list[float](), False, 0
    while at < len(data):
        part = _PART.match(data, at)
        if part is None:
            raise _amiss(data, at)
        if part[1]:
            if is_due or numbers or (not command and part[1] not in "Mm"):
                raise _amiss(data, at)
            command = part[1]
            is_due = command not in "Zz"
            if not is_due:
                yield command, []
        elif part[2]:
            number = part[2]
            if command in "Aa" and len(numbers) in (3, 4):
                number = number[0]  # flags may be written without a space
                if number not in "01":
                    raise _amiss(data, at)
            if command in "Zz":
                raise _amiss(data, at)
            numbers.append(float(number))
            if len(numbers) == _TAKES[command.upper()]:
                yield command, numbers
                numbers, is_due = [], False
                command = {"M": "L", "m": "l"}.get(command, command)
            at += len(number)
            continue
        at = part.end()
    if is_due or numbers:
        raise _amiss(data, at)


def _amiss(data: str, at: int) -> ValueError:
    return ValueError(f"no path data at {at}: {data[at : at + 20]!r}")


_kept = lru_cache(maxsize=2048)(_read)
_kept_longer = lru_cache(maxsize=LONGER)(_read)

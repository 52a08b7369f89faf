"""What stands around a person's words without being theirs: signature marks, device lines, legal
notices, warnings, list footers.
"""

import re

from pbem.mail.inbound.phrases import flatten, pattern_of, words_of
from pbem.mail.inbound.quotes import Line, parse_lines

_SIGNATURE = re.compile(r"\s{0,3}--\s*")
_LONG_DASH = re.compile(r"\s{0,3}(?:—|–-)\s*")
_COLON_AND_TEXT = re.compile(r":(?!//)\s*\S")
_ORDERLY = re.compile(r"(?:^\s*(?:[-*•]|\d+[.)])\s)|!|->|→|\b[a-z]\d{1,2}\b", re.IGNORECASE)
_STROKES = re.compile(r"\s*(?:[-_=*~–—]{3,}|[-_.,]{6,}|\u1427)\s*")
_OWN_DEVICE = re.compile(
    r"(?:sent|typed|written) (?:from|on|with|via) my (\S+(?: \S+){0,4})|von meinem (\S+(?:"
    r" \S+){0,2}) gesendet"
)
_HEADING = frozenset(
    {
        "disclaimer",
        "confidentiality notice",
        "legal notice",
        "haftungsausschluss",
        "rechtlicher hinweis",
        "avertissement",
    }
)
_MIN_PROSE_WORDS = 8
_NOT_PROSE = re.compile(r"[:?\d]|->|→")
_PLACE = re.compile(r"(?<!\w)[a-z]\d{1,2}(?!\w)")
_BRAND_BEFORE = re.compile(
    r"(?:galaxy|huawei|samsung|xiaomi|redmi|xperia|nokia|motorola|moto|pixel|honor|oppo|lg) $"
)
_TAG_WORDS = (
    r"(?:external|extern|externe|externo|externa|esterno|ext|"
    r"eksterne?|ekstern|zewnętrzny|externí|külső|внешнее|внешний|外部|외부)"
)
_TAG = re.compile(
    rf"(?:(?<!\s)\s++)?(?<![\[(<{{*【])[\[(<{{*【]++\s*+(?:(?:caution|warning|achtung|attention|extern)\W{{1,3}})?{_TAG_WORDS}"
    rf"(?:[\s-]*+(?:e-?mail|mail|sender|message|nachricht|absender|courriel|邮件|メール|메일))?\s*+(?::\s*+)?[\])>}}*】]++\s*+",
    re.IGNORECASE,
)
_MAX_DEVICE_WORDS = 14
_MAX_DEVICE_CHARS = 200
_MAX_BANNER_LINES = 8


def is_signature_mark(line: Line) -> bool:
    """`-- ` alone on a line (RFC 3676, 4.3), with or without the blank that many servers strip."""
    return not line.quoted and bool(_SIGNATURE.fullmatch(line.raw))


def is_long_dash_signature(lines: list[Line], number: int) -> bool:
    """Phones make one long dash of `--`. People also part their orders with it: it counts above a
    few lines that hold none.
    """
    if lines[number].quoted or not _LONG_DASH.fullmatch(lines[number].raw):
        return False
    rest = [line for line in lines[number + 1 : number + 12] if not line.blank]
    return (
        len(rest) <= 6
        and not any(_ORDERLY.search(line.raw) or len(line.flat.split()) < 2 for line in rest[1:])
        and not any(_ORDERLY.search(line.raw) for line in rest[:1])
    )


def is_device_line(line: Line) -> bool:
    """`Sent from my phone`, in any of the languages: a phrase of sending at the beginning or the
    end, and a device or program.
    """
    flat = line.flat.strip(" .-–—*_<>[]()\"'")
    if (
        not flat
        or line.quoted
        or len(line.flat) > _MAX_DEVICE_CHARS
        or _COLON_AND_TEXT.search(flat)
        or "!" in flat
    ):
        return False
    if len(flat.split()) > _MAX_DEVICE_WORDS or _names_a_place(flat):
        return False
    device = pattern_of("device").search(flat)
    if device is None:
        own = _OWN_DEVICE.fullmatch(flat)
        return own is not None and not pattern_of("ordering").search(own.group(1) or own.group(2))
    if 0 <= flat.find(",") < device.start():  # `Sent from my desk, which is easier than a phone`
        return False
    return any(
        match.start() <= 1 or match.end() >= len(flat) - 1
        for match in pattern_of("sent_from").finditer(flat)
    )


def _names_a_place(flat: str) -> bool:
    """Whether something like `P4` stands in it that is not the model of a device (`Galaxy S24`,
    `K9`).
    """
    for match in _PLACE.finditer(flat):
        if match.group() not in words_of("device") and not _BRAND_BEFORE.search(
            flat[: match.start()]
        ):
            return True
    return False


def drop_device_lines(lines: list[Line]) -> list[Line]:
    """What a phone puts below its own line is the older mail, without any mark. Only plain prose is
    cut: no order and no short answer.
    """
    devices = {number for number, line in enumerate(lines) if is_device_line(line)}
    if not devices:
        return lines
    first = min(devices)
    apart = (
        first + 1 < len(lines)
        and lines[first + 1].blank
        and not all(line.blank for line in lines[:first])
    )
    if apart and all(line.blank or _is_prose(line) for line in lines[first + 1 :]):
        return lines[:first]
    return [line for number, line in enumerate(lines) if number not in devices]


def _is_prose(line: Line) -> bool:
    if line.quoted or len(line.flat.split()) < _MIN_PROSE_WORDS or _NOT_PROSE.search(line.flat):
        return False
    return pattern_of("ordering").search(line.flat[:1000]) is None


def is_list_footer(lines: list[Line], after: int) -> bool:
    """Whether the line of underscores before `after` opens what a mailing list adds at the very
    end.
    """
    rest = [line for line in lines[after : after + 12] if not line.blank]
    return 0 < len(rest) <= 8 and any(
        pattern_of("list_footer").search(line.flat) for line in rest[:4]
    )


def drop_banner(lines: list[Line]) -> list[Line]:
    """Take a warning about an outside sender off the top, sentence by sentence, and `[EXTERNAL]`
    tags off the first words.
    """
    start = _first(lines)
    if start == len(lines):
        return lines
    tag = _TAG.match(lines[start].raw)
    if tag and not lines[start].quoted:
        rest = lines[start].raw[tag.end() :]
        return (
            lines[start + 1 :]
            if not rest.strip() or _is_warning(rest)
            else [*parse_lines(rest), *lines[start + 1 :]]
        )
    end = _banner_end(lines, start)
    if end > start and end < len(lines) and _STROKES.fullmatch(lines[end].raw):
        end += 1
    return lines[end:]


def _is_warning(text: str) -> bool:
    flat = flatten(text)
    return (
        not _PLACE.search(flat)
        and len({match.group() for match in pattern_of("banner_reason").finditer(flat)}) >= 2
    )


def drop_last_strokes(lines: list[Line]) -> list[Line]:
    """A line of strokes with nothing below it belonged to what was cut."""
    end = len(lines)
    while end and (lines[end - 1].blank or _STROKES.fullmatch(lines[end - 1].raw)):
        end -= 1
    return lines[:end]


def _banner_end(lines: list[Line], start: int) -> int:
    """The line after a banner that begins here; `start` when there is none."""
    opening = lines[start].flat.lstrip(' *_[(<⚠️!#-|"')
    call = pattern_of("banner_call").match(opening)
    if call is None or lines[start].quoted or _PLACE.search(opening):
        return start
    seen: set[str] = set()
    end = start
    for number in range(start, min(len(lines), start + _MAX_BANNER_LINES)):
        line = lines[number]
        if line.blank or line.quoted:
            break
        reasons = {match.group() for match in pattern_of("banner_reason").finditer(line.flat)}
        unfinished = (
            number > start
            and end == number
            and not lines[number - 1].flat.endswith((".", "!", "?", "]", "*"))
        )
        if number > start and (
            _ORDERLY.search(line.raw.rstrip("!. ")) or not (reasons or unfinished)
        ):
            break
        seen |= reasons
        end = number + 1
    return end if len(seen - {call.group()}) >= 2 or ("://" in opening and seen) else start


def drop_notices(lines: list[Line]) -> list[Line]:
    """Cut legal notices and virus-scanner lines: the stretch of a paragraph from its first notice
    word on, if it is plainly one.
    """
    kept: list[Line] = []
    number = 0
    while number < len(lines):
        end = number
        while end < len(lines) and not lines[end].blank:
            end += 1
        left = _without_notice(lines[number:end])
        if not left and end > number:
            _drop_heading(kept)
        kept.extend(left)
        if end < len(lines):
            kept.append(lines[end])
        number = end + 1
    return kept


def _drop_heading(kept: list[Line]) -> None:
    """`Disclaimer`, alone above a notice that is cut."""
    last = next(
        (
            number
            for number in range(len(kept) - 1, max(-1, len(kept) - 3), -1)
            if not kept[number].blank
        ),
        None,
    )
    if last is not None and kept[last].flat.strip(" *_:-") in _HEADING:
        del kept[last:]


def _without_notice(paragraph: list[Line]) -> list[Line]:
    seen: set[str] = set()
    first: int | None = None
    sure = False
    chars = 0
    for number, line in enumerate(paragraph):
        found = {match.group() for match in pattern_of("notice").finditer(line.flat)}
        sure_here = bool(pattern_of("notice_sure").search(line.flat))
        if first is None and (found or sure_here):
            first = number
        if first is not None:
            chars += len(line.flat)
        seen |= found
        sure = sure or sure_here
    if first is None or not (sure or len(seen) >= 3 or (len(seen) == 2 and chars >= 100)):
        return paragraph
    for line in paragraph[first:]:
        if _PLACE.search(line.flat) or (
            _ORDERLY.search(line.raw) and not pattern_of("notice").search(line.flat)
        ):
            return paragraph
    return paragraph[:first]


def _first(lines: list[Line]) -> int:
    return next((number for number, line in enumerate(lines) if not line.blank), len(lines))

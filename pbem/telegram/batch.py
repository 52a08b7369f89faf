"""Cutting what Telegram hands over into single updates, each in its own bytes, without reading what
they say.

An update may hold what no parser takes: half a surrogate pair, brackets a hundred thousand deep,
bytes that are no UTF-8. It costs at most itself. So only brackets and strings are looked at, from
left to right, and of an update only its number.
"""

import json
import re

_TOKEN = re.compile(rb'"(?>(?:[^"\\]++|\\.)*)"?|[\[\]{},]', re.DOTALL)
_FIRST_FIELD = re.compile(rb'\s*\{\s*"update_id"\s*:\s*(\d{1,18})\s*[,}]')
_LARGEST_NUMBER = 2**62
_RESULT = b'"result"'
_IN_ANSWER, _IN_RESULT = 1, 2  # how many brackets are open


def cut_updates(answer: bytes) -> list[bytes] | None:
    """The elements of `result` in an answer to `getUpdates`, as they stand there; None where there
    is no such list, or no end of it.
    """
    depth, begin, last_text = 0, None, b""
    updates: list[bytes] = []
    for token in _TOKEN.finditer(answer):
        sign = token[0]
        if sign in (b"[", b"{"):
            depth += 1
            if begin is None and depth == _IN_RESULT and sign == b"[" and last_text == _RESULT:
                begin = token.end()
        elif sign in (b"]", b"}"):
            if begin is not None and depth == _IN_RESULT:
                last = answer[begin : token.start()].strip()
                return [*updates, last] if last or updates else []
            depth -= 1
        elif sign == b",":
            if begin is not None and depth == _IN_RESULT:
                updates.append(answer[begin : token.start()].strip())
                begin = token.end()
        elif depth == _IN_ANSWER:
            last_text = sign
    return None


def number_of(raw: bytes) -> int | None:
    """The `update_id` of an update, whatever else is wrong with it; None if it has none."""
    first = _FIRST_FIELD.match(raw)
    if first is not None:  # where Telegram puts it
        return int(first[1])
    try:
        tree = json.loads(raw.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    number = whole_number(tree.get("update_id")) if isinstance(tree, dict) else None
    return number if number is not None and number >= 0 else None


def whole_number(value: object) -> int | None:
    """A number as the Bot API has them; None where something else stands in its place."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if -_LARGEST_NUMBER < value < _LARGEST_NUMBER else None

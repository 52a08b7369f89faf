"""The new text of a mail: what its sender wrote this time, and nothing else.

A `>` line never counts. Answers between quoted lines do. Where quoted text is not marked line by
line, everything from the attribution or the header block on is cut. Our own mails, pasted without
any mark, go from their first line (`MARKER`) to the code in their footer. All of it takes time
linear in the length of the text.
"""

import re
from collections.abc import Collection

from pbem.mail.inbound.above import end_of_answer, open_quote, written_above
from pbem.mail.inbound.announced import after_announcement, announces_us, next_is_quoted
from pbem.mail.inbound.endings import (
    drop_banner,
    drop_device_lines,
    drop_last_strokes,
    drop_notices,
    is_long_dash_signature,
    is_signature_mark,
)
from pbem.mail.inbound.phrases import flatten
from pbem.mail.inbound.quotes import (
    MARKER,
    Line,
    attributions,
    header_block,
    inline_head,
    is_marker,
    parse_lines,
    separator,
)
from pbem.mail.inbound.signoffs import drop_sign_offs
from pbem.mail.tokens import CODE_LINE

__all__ = ["MARKER", "new_text"]

MAX_PASSES = 12
_LINES_LOOKED_AT = 50_000
_PLACEHOLDER = Line(f"> {MARKER}", flatten(f"> {MARKER}"), quoted=True)
_WRAP_AT = 66
_LONGEST_REST = 76
_LOWER_OR_DIGIT = re.compile(r"[a-z0-9ß-öø-ÿ]")
_ANY_NEWLINE = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_ARMOUR = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:Hash: [^\n]{0,80}\n|\n)*")
# `On <date> Name`, then `<`, `mailto:...` and `> wrote:` on lines of their own.
_BROKEN_LINK = re.compile(
    r"\s{1,20}\n[ \t]*<[ \t]*\n[ \t]*mailto:([^\n]{1,300})\n[ \t]*>[ \t]*(?=[^\W\d_])"
)
_LINK = re.compile(r"\s*+\(?https?://[^\s()]{1,900}\)?\s*+(?:>\s*+)?")
_NO_WORD = re.compile(r"[\s!-/:-@\[-`{-~]*")
_FULL_AT = 72
_SENTENCE_END = (".", "!", "?", ":", ";")


def new_text(text: str, own_addresses: Collection[str] = ()) -> str:
    """Cut everything that is not new; cutting the result again changes nothing.

    `own_addresses` and their names: text below the bare announcement of anybody else's mail is that
    mail, and not an answer to us; so is all below the header of one, quoted or not.

    What one cut uncovers (a device line above a quote, a notice above a signature) the next pass
    sees; there are at most `MAX_PASSES`, and fewer for a text of more lines than people write.
    """
    text = _ANY_NEWLINE.sub("\n", text)
    text = _BROKEN_LINK.sub(r" <\1> ", text)
    text = _ARMOUR.sub("", text).partition("-----BEGIN PGP SIGNATURE-----")[0]
    known: dict[str, str] = {}
    for _ in range(max(2, min(MAX_PASSES, _LINES_LOOKED_AT // (text.count("\n") + 1)))):
        cut = _pass(text, known, own_addresses)
        if cut == text:
            break
        text = cut
    return text


def _pass(text: str, known: dict[str, str], own_addresses: Collection[str]) -> str:
    lines = _without_pasted(parse_lines(text, known))
    lines = open_quote(_without_wrapped_rests(lines), own_addresses)
    lines = _without_quotes(lines, own_addresses)
    lines = drop_banner(lines)
    lines = drop_notices(drop_device_lines(lines))
    lines = drop_last_strokes(drop_sign_offs(drop_last_strokes(lines)))
    return _joined(lines)


def _without_pasted(lines: list[Line]) -> list[Line]:
    """Our own mail between its first line and its code is as good as quoted."""
    kept: list[Line] = []
    inside = False
    for line in lines:
        if not inside and is_marker(line):
            inside = True
            kept.append(_PLACEHOLDER)
        if not inside:
            kept.append(line)
        elif not line.quoted and CODE_LINE.search(line.raw):
            inside = False
    return kept


def _without_wrapped_rests(lines: list[Line]) -> list[Line]:
    """A client that breaks long quoted lines leaves the rest of the line without its `>`: `> ...
    all of` / `P2` / `> next`.
    """
    kept: list[Line] = []
    for number, line in enumerate(lines):
        if 0 < number < len(lines) - 1 and _is_wrapped_rest(
            lines[number - 1], line, lines[number + 1]
        ):
            line = Line(line.raw, line.flat, quoted=True)
        kept.append(line)
    return kept


def _is_wrapped_rest(above: Line, line: Line, below: Line) -> bool:
    if (
        line.blank
        or line.quoted
        or not (above.quoted and below.quoted)
        or len(line.raw) > _LONGEST_REST
    ):
        return False
    if (
        _LINK.fullmatch(line.raw)
        or _NO_WORD.fullmatch(line.raw)
        or _closes_link(above.raw, line.raw)
    ):
        return True
    if (
        not above.raw.endswith(_SENTENCE_END)
        and len(above.raw) + 1 + len(line.raw.split()[0]) > _FULL_AT
    ):
        return True
    if len(line.raw) > 40:
        return False
    full = (
        len(above.raw) >= _WRAP_AT and len(above.raw) + 1 + len(line.raw.split()[0]) > _WRAP_AT + 6
    )
    return full and not above.raw.endswith(_SENTENCE_END) and bool(_LOWER_OR_DIGIT.match(line.raw))


def _closes_link(above: str, rest: str) -> bool:
    return above.rfind("(http") > above.rfind(")") and rest.endswith(")") and " " not in rest


def _without_quotes(lines: list[Line], own_addresses: Collection[str]) -> list[Line]:
    found = attributions(lines)
    kept: list[Line] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        if line.quoted:
            _settle(kept)
            number += 1
            continue
        if is_signature_mark(line) or is_long_dash_signature(lines, number):
            break
        after = after_announcement(lines, number, found)
        if after is None:
            kept.append(line)
            number += 1
            continue
        head = inline_head(lines, number, after) if number in found else ""
        if head:
            kept.append(Line(head, flatten(head), quoted=False))
        elif number in found and _is_answer_below(lines, number, after, found, own_addresses):
            return lines[after:]
        forwarded = number not in found and not announces_us(lines[number:after], own_addresses)
        if forwarded or not next_is_quoted(lines, after):
            end = end_of_answer(lines, number, after, found, own_addresses)
            if end is None:
                break
            _settle(kept)
            kept.extend(written_above(lines[after:end]))
            after = end
        number = after
    return kept


def _is_answer_below(
    lines: list[Line], start: int, after: int, found: dict[int, int], own_addresses: Collection[str]
) -> bool:
    """An attribution that nothing stands above, and below it no quote, no other mail and no code of
    ours: the quote was deleted.
    """
    if any(not line.blank for line in lines[:start]) or not any(
        not line.blank for line in lines[after:]
    ):
        return False
    if not announces_us(lines[start:after], own_addresses):
        return False
    return not any(
        line.quoted
        or CODE_LINE.search(line.raw)
        or separator(line)
        or header_block(lines, number)
        or number in found
        for number, line in enumerate(lines[after:], after)
    )


def _settle(kept: list[Line]) -> None:
    """A quote taken out between two answers leaves one blank line, so that the answers do not run
    together.
    """
    if kept and not kept[-1].blank:
        kept.append(Line("", "", quoted=False))


def _joined(lines: list[Line]) -> str:
    """The lines again, without blank ones at either end; runs of blank lines shrink to one."""
    out: list[str] = []
    for line in lines:
        raw = line.raw if not line.blank else ""
        if raw or (out and out[-1]):
            out.append(raw)
    while out and not out[-1]:
        out.pop()
    return "\n".join(out)

"""Where a mail program says "what follows is somebody else's": quoted lines, attributions, header
blocks, separators.

Patterns go by structure first (a date, an address, a closing colon, labelled lines) and by words
only where structure does not suffice, because every program words it differently and none may make
an order disappear: `P1: fortify` has a colon too.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pbem.mail.inbound.people import is_name
from pbem.mail.inbound.phrases import endings_of, flatten, pattern_of, words_of

MAX_LINE_CHARS = 1000
"""Longer lines are a person's paragraph; only their beginning is looked at."""

_LIST_MARK = r"(?:(?:[*•·◦▪+-]|\d{1,3}[.)]) ?)"
_MARKED = re.compile(rf"(?!->){_LIST_MARK}?(?:[>│┃▌▏]|\| ?>)")
_BAR = re.compile(rf"{_LIST_MARK}?\|(?: [^|]*)?")
_MARK = re.compile(
    r"\A\s*+(?:[^\w>＞│┃▌▏|]{0,4}(?:\d{1,3}[.)] ?)?(?:[>＞│┃▌▏]|\|(?: ?>)?)[ \t\u00a0]?"
    r"|[A-Za-z]{1,4}>[ \t]?)"
)
_INITIALS = re.compile(r"\s?([A-Za-z]{1,4})>(?:\s|$)")
_ISO = re.compile(r"\d{4}-\d\d-\d\d,? \d{1,2}:\d\d(?::\d\d)? (?:gmt|utc) ?[+-]\d\d:?\d\d\b.{0,150}")
_INLINE = re.compile(
    r"(?<!\S)(?:-{2,}+\s{0,9})?(?:on|am|le|el|il|em|op|den|dnia|w"
    r" dniu|på)\s{1,9}(?:[^\W\d]{2,12}[.,]{0,2}\s{1,9}){0,3}\d"
    r"|(?<!-)-{2,}+\s{0,9}on\s{1,9}[^\W\d]{2,12}[.,]",
    re.IGNORECASE,
)
_ON = re.compile(r"(?:on|am|le|el|il|em|op|den|dnia|w dniu|på) (?:\w{2,12}[.,]{0,2} ){1,3}\d")
_ON_DAY = re.compile(r"(?:on|am|le|el|il|em|op|den|dnia|på) \d{1,2}\.? [^\W\d]{3,12}\.? ")
_ADDRESS = re.compile(r"[^\s<>@\[\]()\",;:]{1,64}@[^\s<>@\[\]()\",;:]{1,255}|\[?mailto:")
_BARE_ADDRESS = re.compile(r"([^\s<>@\[\]()\",;:]{1,64})@([^\s<>@\[\]()\",;:]{1,255})")
_NAMED_ADDRESS = re.compile(
    r"[<(\[][^\s<>]{1,64}@[^\s<>]{1,255}[>)\]]|@[^\s<>]{1,255}[ *_]{0,3}:[ *_]{0,3}$"
)
_CLOCK = re.compile(
    r"(?<![\d:.])\d{1,2}\s?(?:[:.h]|時|点|點|시)\s?\d{2}(?!\d)|(?<!\d)\d{1,2}\s?(?:am|pm|a\.m|p\.m|uhr|kl|klo)(?!\w)"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20|24|25)\d\d(?!\d)")
_DAY = re.compile(r"(?<!\d)\d{1,4}\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{2,4}(?!\d)")
_LABELLED = re.compile(r"[\s*_|#]{0,8}([^\s:*_|\d][^:*_|\d]{0,28}?)[\s*_]{0,3}:[\s*_]*(?!//)(.*)")
_RULED = re.compile(
    r"[\s>]*+([-_=*~─—–#•.]{2,80})\s{0,9}(\S.{0,78}?\S)\s{0,9}(?::\s{0,9})?[-_=*~─—–#•.]{2,160}+\s*+"
)
_RULE = re.compile(r"\s*(?:_{8,}|─{8,}|-{20,}|={20,}|\*{20,}|–{8,}|—{8,}|(?:-=){6,}-?)\s*")
_DASHES = re.compile(r"\s*-{8,}\s*")
_SHORT_RULE = re.compile(r"_{2,7}")
_MARKER = re.compile(
    r"\s*(?:~{3,40}|#{2,40}|-{2,40}|={2,40}|\*{2,40}|_{2,40}|\+{2,40})[^~]{0,100}(?:~{3,40}|#{2,40}|-{2,40}|={2,40}|\*{2,40}|_{2,40}|\+{2,40})\s*"
)
_MAX_BLOCK_LINES = 14
_MAX_ATTRIBUTION_LINES = 4
_MAX_ATTRIBUTION_CHARS = 500
_SEAM_CHARS = 40

MARKER = "~~~~ Write your answer above this line ~~~~"
"""The first line of our own mails. In a mail of another language any line like it does that says
"above this line".
"""


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it came and as it is compared; `quoted` lines are nobody's new text."""

    raw: str
    flat: str
    quoted: bool

    @property
    def blank(self) -> bool:
        return not self.flat


def parse_lines(text: str, known: dict[str, str] | None = None) -> list[Line]:
    """Split a text and mark the quoted lines (`>`, behind a list mark too; bars and initials as in
    `AB> ` where they come in numbers).

    `known` keeps the compared form of every line for the next time.
    """
    raws = [raw.rstrip() for raw in text.split("\n")]
    known = {} if known is None else known
    for raw in raws:
        if raw not in known:
            known[raw] = flatten(raw[:MAX_LINE_CHARS])
    flats = [known[raw] for raw in raws]
    initials: dict[str, int] = {}
    for raw in raws:
        found = _INITIALS.match(raw)
        if found:
            initials[found.group(1)] = initials.get(found.group(1), 0) + 1
    barred = [bool(_BAR.fullmatch(flat)) for flat in flats]
    return [
        Line(
            raw,
            flat,
            _is_quoted(raw, flat, initials)
            or (
                barred[number]
                and (
                    barred[number - 1 : number] == [True]
                    or barred[number + 1 : number + 2] == [True]
                )
            ),
        )
        for number, (raw, flat) in enumerate(zip(raws, flats, strict=True))
    ]


def unquoted(line: Line) -> str:
    """A quoted line as it came, without its outermost mark."""
    return _MARK.sub("", line.raw, count=1)


def addresses_named(lines: list[Line]) -> set[str]:
    """The addresses in an announcement of a mail, without what stands behind a `+`; where it says
    who sent the mail or who got it, only the sender's.
    """
    labelled = [
        (line, found[0] if (found := _labels(line.flat)) else {"unknown"}) for line in lines
    ]
    senders = [line for line, kinds in labelled if "from" in kinds]
    unnamed = [line for line, kinds in labelled if "unknown" in kinds]
    return {
        f"{local.partition('+')[0]}@{host}"
        for line in senders[:1] or unnamed
        for local, host in _BARE_ADDRESS.findall(line.flat)
    }


def sender_named(lines: list[Line]) -> str:
    """Where an announcement of a mail says who sent it: the value behind that label, or all of an
    attribution; "" if it does not say.
    """
    for line in lines:
        found = _labels(line.flat)
        if found is not None and "from" in found[0]:
            return found[1]
    flat = " ".join(line.flat for line in lines)
    return flat if _evidence(flat[:MAX_LINE_CHARS]).verb else ""


def first_address(text: str) -> str | None:
    """The first address in a text, without what stands behind a `+`: in what a program says above a
    quote that is the sender's.
    """
    found = _BARE_ADDRESS.search(flatten(text[:MAX_LINE_CHARS]))
    return f"{found[1].partition('+')[0]}@{found[2]}" if found else None


def _is_quoted(raw: str, flat: str, initials: dict[str, int]) -> bool:
    if _MARKED.match(flat):
        return True
    found = _INITIALS.match(raw)
    return found is not None and initials[found.group(1)] > (1 if len(found.group(1)) > 1 else 2)


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What a stretch of text has of an attribution."""

    day: bool
    clock: bool
    address: bool
    verb: bool

    def joined(self, other: "_Evidence") -> "_Evidence":
        return _Evidence(
            self.day or other.day,
            self.clock or other.clock,
            self.address or other.address,
            self.verb or other.verb,
        )

    @property
    def dated(self) -> bool:
        return self.day or self.clock


@lru_cache(maxsize=1024)
def _evidence(flat: str) -> _Evidence:
    return _Evidence(
        day=bool(_YEAR.search(flat) or _DAY.search(flat)),
        clock=bool(_CLOCK.search(flat)),
        address=bool(_ADDRESS.search(flat)),
        verb=bool(pattern_of("wrote").search(flat)),
    )


def attributions(lines: list[Line]) -> dict[int, int]:
    """Every "On <date>, <somebody> wrote:", as first line -> line after the last; one look at each
    line and its few neighbours.
    """
    found: dict[int, int] = {}
    taken = 0
    below = _quoted_below(lines)
    for end, line in enumerate(lines):
        if line.blank or line.quoted or not _may_end(line.flat, followed=below[end]):
            continue
        start = (
            end
            if _ISO.fullmatch(line.flat)
            else _attribution_start(lines, end, taken, followed=below[end])
        )
        if start is not None:
            found[_with_labels_above(lines, start, taken)] = taken = end + 1
    return found


def _with_labels_above(lines: list[Line], start: int, floor: int) -> int:
    """A line of dashes, then labelled lines (`To: ...;`, `Subject: ...;`), then the attribution."""
    above = start
    while above > max(floor, start - _MAX_ATTRIBUTION_LINES) and are_header_labels(
        lines[above - 1]
    ):
        above -= 1
    is_headed = floor < above < start and _DASHES.fullmatch(lines[above - 1].raw) is not None
    return above - 1 if is_headed else start


def _quoted_below(lines: list[Line]) -> list[bool]:
    """For each line whether the next line that is not blank is quoted."""
    below = [False] * len(lines)
    quoted = False
    for number in range(len(lines) - 1, -1, -1):
        below[number] = quoted
        if not lines[number].blank:
            quoted = lines[number].quoted
    return below


def _may_end(flat: str, *, followed: bool) -> bool:
    return (
        followed
        or _colon(flat)
        or "@" in flat
        or flat.endswith(endings_of("wrote"))
        or _ISO.fullmatch(flat) is not None
    )


def _colon(flat: str) -> bool:
    return flat.rstrip(" *_\"'").endswith(":")


def _attribution_start(lines: list[Line], end: int, floor: int, *, followed: bool) -> int | None:
    """The nearest line above (or this one) from which the text up to `end` is a whole
    attribution.
    """
    joined = ""
    start = end
    seen = _Evidence(day=False, clock=False, address=False, verb=False)
    while (
        start >= floor
        and end - start < _MAX_ATTRIBUTION_LINES
        and not lines[start].blank
        and not lines[start].quoted
    ):
        joined = f"{lines[start].flat} {joined}".strip()
        if len(joined) > _MAX_ATTRIBUTION_CHARS:
            return None
        seen = evidence = seen.joined(_evidence(lines[start].flat))
        if start < end and not evidence.verb and (evidence.dated or evidence.address):
            seam = f"{lines[start].flat[-_SEAM_CHARS:]} {lines[start + 1].flat[:_SEAM_CHARS]}"
            if _evidence(seam).verb:  # "a / écrit :" is a verb only when joined
                seen = evidence = _Evidence(
                    evidence.day, evidence.clock, evidence.address, verb=True
                )
        if _is_attribution(joined, evidence, last=lines[end].flat, followed=followed):
            return _with_name_above(
                lines, start if evidence.day else _with_date_above(lines, start, floor), floor
            )
        start -= 1
    return None


def _with_date_above(lines: list[Line], start: int, floor: int) -> int:
    """A wrapped attribution is whole by its address and verb already; its date stands one or two
    lines higher.
    """
    for above in range(start - 1, max(floor, start - 2) - 1, -1):
        line = lines[above]
        if line.blank or line.quoted or line.flat.endswith((".", "!", "?", ":", ";")):
            break
        if (
            _ON.match(line.flat)
            and len(line.flat) <= 80
            and not re.search(r"(?<!\w)[a-z]\d", line.flat)
        ):
            return above
        evidence = _evidence(line.flat)
        if evidence.day and (evidence.clock or not re.search(r"(?<!\w)[a-z]\d", line.flat)):
            return above
    return start


def _with_name_above(lines: list[Line], start: int, floor: int) -> int:
    """`Name <address> schrieb am Fr., 28.` / `Nov. 2026 um 21:12 Uhr:`, broken within its date."""
    if (
        start - 1 >= floor
        and not lines[start - 1].blank
        and not lines[start - 1].quoted
        and len(lines[start - 1].flat) <= 120
    ):
        evidence = _evidence(lines[start - 1].flat)
        if evidence.address and evidence.verb and not _colon(lines[start - 1].flat):
            return start - 1
    return start


def _is_attribution(flat: str, evidence: _Evidence, *, last: str, followed: bool) -> bool:
    """Whether `flat`, which ends with the line `last`, is one; `followed` by marked lines, less
    will do, for nothing but itself is lost.
    """
    pairs = (
        (evidence.dated and evidence.address)
        or (evidence.dated and evidence.verb)
        or (evidence.address and evidence.verb)
    )
    if not _colon(flat):
        if followed and pairs and (_verb_ends(flat) or (evidence.day and evidence.address)):
            return _verb_ends(last) or _evidence(last).dated or _evidence(last).address
        return (
            evidence.dated
            and evidence.address
            and evidence.verb
            and (_verb_ends(flat) or _runs_on(flat))
        )
    if followed:
        return pairs or (flat == last and (evidence.verb or evidence.day or evidence.address))
    if not evidence.address and words_of("first_person").intersection(flat.rstrip(": *_").split()):
        return False
    if evidence.verb:
        return pairs or _is_name_and_verb(flat) or bool(_ON_DAY.match(flat))
    return (
        pairs
        and bool(_NAMED_ADDRESS.search(flat))
        and (evidence.day or not _LABELLED.fullmatch(flat))
    )


def _is_name_and_verb(flat: str) -> bool:
    """`The Realm schrieb:`, short, without figures, in the third person."""
    words = flat.rstrip(": *_").split()
    if not 2 <= len(words) <= 7 and not (len(words) == 1 and not flat.isascii() and len(flat) > 3):
        return False
    return (
        not re.search(r"\d", flat)
        and not words_of("first_person").intersection(words)
        and _verb_ends(flat.rstrip(": *_"))
    )


def _verb_ends(flat: str) -> bool:
    return flat.rstrip(" -*_").endswith(endings_of("wrote"))


def _runs_on(flat: str) -> bool:
    """The quoted text stands in the same line: date, address, verb, colon, and then words."""
    for match in pattern_of("wrote").finditer(flat):
        if flat[match.end() : match.end() + 3].lstrip().startswith(":"):
            head = _evidence(flat[: match.end()])
            return head.dated and head.address
    return False


Label = Literal["from", "sent", "to", "subject", "other", "unknown"]
_KINDS: tuple[Label, ...] = ("from", "sent", "subject", "to", "other")


@lru_cache(maxsize=1024)
def _labels(flat: str) -> tuple[frozenset[Label], str] | None:
    """What a labelled line may be (some words mean different things in different languages), and
    its value.
    """
    match = _LABELLED.fullmatch(flat)
    if match is None:
        return None
    label = match.group(1).strip().rstrip(".")
    kinds = frozenset(kind for kind in _KINDS if label in words_of(kind))
    return (kinds or frozenset({"unknown"}), match.group(2).strip())


def header_block(lines: list[Line], start: int) -> int | None:
    """The line after a From/Sent/To/Subject block that begins here, in any of the languages; None
    if none begins.

    A block needs who and when, or who and about what with an address, or when, whom and about what.
    Labels in a language we do not know pass by structure: three labelled lines, an address in one,
    a full date in another.
    """
    first = _labels(lines[start].flat) if not lines[start].quoted else None
    if (
        first is None
        or first[0] == {"other"}
        or (first[0] == {"unknown"} and not tells_who_or_when(first[1]))
    ):
        return None
    block = _Block()
    for number in range(start, min(len(lines), start + _MAX_BLOCK_LINES)):
        if lines[number].quoted or not block.takes(number, lines[number]):
            break
    return block.after if block.is_whole() else block.alone


def opens_header(line: Line) -> bool:
    """Whether a line names a sender and nothing else (`From: Post`), as the one line that some
    programs leave of a header block.

    Enough only below a rule; a name is one that no order could be: capitalised or an address,
    without a number or a word of an order.
    """
    found = _labels(line.flat) if not line.quoted else None
    if found is None or "from" not in found[0]:
        return False
    return bool(_ADDRESS.search(found[1])) or is_name(line.raw.partition(":")[2].strip(' *_\t"'))


def are_header_labels(line: Line) -> bool:
    """Whether a line begins with a label of a header block (`To:`, `Betreff:`)."""
    found = _labels(line.flat)
    return found is not None and "unknown" not in found[0]


def tells_when(flat: str) -> bool:
    """Whether a flattened text has a day and an hour."""
    evidence = _evidence(flat[:MAX_LINE_CHARS])
    return evidence.day and evidence.clock


def tells_who_or_when(value: str) -> bool:
    """Whether a flattened text has an address, or a day and an hour."""
    evidence = _evidence(value)
    return evidence.address or (evidence.day and evidence.clock)


class _Block:
    """The labelled lines of one header block so far."""

    def __init__(self) -> None:
        self._kinds: set[Label] = set()
        self._labelled = 0
        self._gap = 0
        self._close = self._apart = self._blank = False
        self._dated = self._sent = self._addressed = False
        self.after = 0
        self.alone: int | None = None
        """The line after a whole header in one line."""

    def takes(self, number: int, line: Line) -> bool:
        """Whether the block may continue after this line: labelled, the rest of a long value, or
        blank where all of it is set loosely.
        """
        found = _labels(line.flat)
        known = self._kinds - {"unknown"}
        if found is None or (found[0] == {"unknown"} and known and self._labelled >= 2):
            self._gap += 1
            self._blank = self._blank or line.blank
            return (
                self._gap <= 2
                and not _RULE.fullmatch(line.raw)
                and not (line.blank and self._close)
            )
        kinds, value = found
        if kinds == {"from"} and "from" in self._kinds:
            return False
        if self._labelled:
            self._apart = self._apart or (self._labelled == 1 and self._blank)
            self._close = self._close or self._gap == 0
        self._gap = 0
        evidence = _evidence(value)
        self._sent = self._sent or ("sent" in kinds and evidence.dated)
        self._dated = self._dated or (evidence.day and evidence.clock)
        self._addressed = self._addressed or evidence.address
        # A whole header in one line: `From: a@b Date: Thu, 24 Mar 2016 08:07:12 -0700`.
        if (
            "from" in kinds
            and evidence.address
            and evidence.day
            and evidence.clock
            and ":" in value
        ):
            self.alone = number + 1
        self._kinds |= kinds
        self._labelled += 1
        self.after = number + 1
        return True

    def is_whole(self) -> bool:
        # A label with a blank line below it, over lines set closely, is a person's own word above
        # the block.
        if self._apart and self._close:
            return False
        if self._labelled < 2:
            return False
        has = self._kinds.__contains__
        if has("from") and (self._sent or (has("subject") and self._addressed)):
            return True
        if (
            self._sent
            and has("to")
            and (has("subject") or (self._dated and self._addressed and self._close))
        ):
            return True
        return self._labelled >= 3 and self._dated and self._addressed


def separator(line: Line) -> Literal["known", "ruled", "rule", "short"] | None:
    """A line that may part the new text from an older mail.

    `known`: it says so ("Original Message", "Forwarded message" ...). `ruled`: words between
    dashes. `rule`: a line of underscores or the like; `short`: a few of them. The latter three mean
    something only by what follows.
    """
    if line.quoted or line.blank or len(line.raw) > 160:
        return None
    if _RULE.fullmatch(line.raw):
        return "rule"
    if _SHORT_RULE.fullmatch(line.raw):
        return "short"
    match = _RULED.fullmatch(line.flat)
    inner = (match.group(2) if match else line.flat).strip(" :*_-")
    if inner in words_of("original") or inner in words_of("forwarded"):
        return "known"
    if match:
        phrase = pattern_of("original").match(inner) or pattern_of("forwarded").match(inner)
        if phrase or _announces(inner):
            return "known"
        return "ruled" if len(match.group(1)) >= 5 else None
    return None


def _announces(flat: str) -> bool:
    """`On 20/11/2026 21:12, The Realm wrote` or `The Realm wrote`, as it stands between dashes."""
    if not _verb_ends(flat) or words_of("first_person").intersection(flat.split()):
        return False
    evidence = _evidence(flat)
    return evidence.day or evidence.address or _is_name_and_verb(flat)


def inline_head(lines: list[Line], start: int, after: int) -> str:
    """A person's own words in the line in which the attribution begins; "" when it begins the line
    (or what stands before is its name).
    """
    raw = lines[start].raw
    for match in _INLINE.finditer(raw[:MAX_LINE_CHARS]):
        head = raw[: match.start()].rstrip()
        head = (
            head.rstrip("-").rstrip()
            if match.group().startswith("-") or head.endswith("--")
            else head
        )
        tail = flatten(
            " ".join(
                [
                    raw[match.start() :].lstrip("- "),
                    *(line.raw for line in lines[start + 1 : after]),
                ]
            )
        )
        evidence = _evidence(tail[:MAX_LINE_CHARS])
        if head.strip() and evidence.day and (evidence.address or evidence.verb):
            return (
                ""
                if _ADDRESS.search(head) or is_name(head) or _evidence(flatten(head)).dated
                else head
            )
    return ""


def is_marker(line: Line) -> bool:
    """The line in our own mails (and in other programs') above which the answer is asked for."""
    if line.quoted or len(line.flat) > 160 or not _MARKER.fullmatch(line.flat):
        return False
    return line.flat == flatten(MARKER) or bool(pattern_of("above").search(line.flat))

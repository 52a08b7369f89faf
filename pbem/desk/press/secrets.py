"""Nobody shows evidence of secret orders (PR-1.11): press that quotes the writer's own letters of
the running phase is not sent.

The game masters are not told: nothing has been shown. Codes are taken out of whatever is sent on.
"""

import re
from collections.abc import Collection, Iterable, Iterator

from pbem.desk.chat.drafts import secret_words_of
from pbem.desk.chat.messages import MENU, MENU_EDIT
from pbem.desk.envelope.answers import OWN_ORDERS
from pbem.desk.messages.conversation import Conversation, Player
from pbem.desk.press.alone import CODE
from pbem.mail.tokens import parse_token
from pbem.store.repositories.post.outbox import OutboxRow

SECRET_KINDS = ("receipt", "turn", "news", "reminder", "resend", "what-if", OWN_ORDERS)
MENU_KINDS = (MENU, MENU_EDIT)
PUBLIC_KINDS = ("bulletin", "ending", "welcome")
LETTERS_LOOKED_AT = 60
RUN = 8
"""This many words in a row are a quotation; numbers between them belong to it, and are not counted.
"""
SHORTEST_ORDER = 8

_WORD = re.compile(r"\w+")
_HOW_FAR_OFF = re.compile(r"\(\s*in\s[^();]{1,60};[^()]{0,40}?\bUTC\b\)?")
"""What follows a deadline in every letter. When the table's deadline is, everybody has been told.
"""
_LISTED = re.compile(r"^(?:[>\s*\u2022\u2713-]|\d{1,2}[.)](?=\s))+")
_CLOSED = " \t.,;!\"'\u201c\u201d\u2018\u2019"
_MARKS = ("\u2713", "\u2714", "\u2022")
_OPENING = (
    '"',
    "'",
    "\u201c",
    "\u201e",
    "\u201d",
    "\u2018",
    "\u2019",
    "\u00ab",
    "\u00bb",
    "`",
    "*",
)
_CLOSING = ('"', "'", "\u201c", "\u201d", "\u2018", "\u2019", "\u00ab", "\u00bb", "`", "*")
_ENDS = re.compile(r"\s*+(?:$|[.,;!)])")


async def find_evidence(talk: Conversation[Player], text: str) -> str | None:
    """What of the text is evidence of the writer's own secret orders, in the words it was written
    in; None: nothing is.
    """
    for found in CODE.finditer(text):
        claim = parse_token(found[0])
        if claim is not None and claim.seat == talk.seat.id:
            return found[0]
    phase = talk.table.phase
    if phase is None or talk.table.state is None:
        return None
    newest = await talk.work.orders.newest(talk.seat.id, phase.number)
    if newest is not None and newest.tenure == talk.seat.tenure:
        for order in newest.canonical:
            if _shows(text, order):
                return order
        if (together := _stand_together(text, newest.canonical)) is not None:
            return together
    letters = [
        *await talk.work.outbox.list_last_of_seat(talk.seat.id, SECRET_KINDS, LETTERS_LOOKED_AT),
        *await talk.work.outbox.list_last_of_seat(talk.seat.id, MENU_KINDS, LETTERS_LOOKED_AT),
    ]
    secret = [
        _body(row)
        for row in letters
        if row.created_at >= phase.opened_at and row.person_id == talk.seat.person_id
    ]
    public = [
        _body(row)
        for row in await talk.work.outbox.list_last_of_seat(
            talk.seat.id, PUBLIC_KINDS, LETTERS_LOOKED_AT
        )
    ]
    return quotation(text, secret, public)


def quotation(text: str, secret: Iterable[str], public: Iterable[str]) -> str | None:
    """The first words of the text that stand in a row in a secret letter, and in no public one."""
    told = {run for letter in public for run, _, _ in _runs(letter)}
    runs = {run for letter in secret for run, _, _ in _runs(letter)} - told
    first = last = None
    for run, start, end in _runs(text):
        if run in runs:
            first, last = (start if first is None else first), end
        elif last is not None:
            break
    return " ".join(text[first:last].split()) if last is not None else None


def _shows(text: str, order: str) -> bool:
    """Whether the text has the order as our letters spell it: anywhere where nobody else spells so,
    else where it stands by itself: on a line of its own, marked or quoted, or told of behind a
    colon.
    """
    if len(order) >= SHORTEST_ORDER and "!" in order and order in text:
        return True
    if len(_WORD.findall(order)) < 2:  # a single word is anybody's
        return False
    return any(
        _LISTED.sub("", line).strip(_CLOSED) == order.strip(_CLOSED)
        or any(_stands_out(*around) for around in _around(line, order))
        for line in text.splitlines()
    )


def _around(line: str, order: str) -> Iterator[tuple[str, str]]:
    """What stands before and behind the order, wherever the line has it."""
    for found in re.finditer(rf"(?<!\w){re.escape(order)}(?!\w)", line):
        yield line[: found.start()].rstrip(), line[found.end() :]


def _stands_out(before: str, behind: str) -> bool:
    is_quoted = before.endswith(_OPENING) and behind.lstrip(" .,;!").startswith(_CLOSING)
    is_told = before.endswith(":") and _ENDS.match(behind) is not None
    return is_quoted or is_told or before.endswith(_MARKS)


def _stand_together(text: str, orders: Collection[str]) -> str | None:
    """Two orders side by side as our letters spell them: by chance nobody writes both so. The first
    of them.
    """
    either = "|".join(
        sorted(
            (re.escape(order) for order in orders if len(_WORD.findall(order)) > 1),
            key=len,
            reverse=True,
        )
    )
    found = (
        re.search(rf"(?<!\w)({either})[\s.,;\u2022\u2713-]*(?!\1)(?:{either})(?!\w)", text)
        if either
        else None
    )
    return found[1] if found is not None else None


def _runs(text: str) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Every run of that many words, the numbers between them included, and from where to where it
    goes.
    """
    text = _HOW_FAR_OFF.sub(lambda found: " " * len(found[0]), text)
    found = list(_WORD.finditer(text))
    words = [word[0].casefold() for word in found]
    counted = [at for at, word in enumerate(words) if not word.isdecimal()]
    for first, last in zip(counted, counted[RUN - 1 :], strict=False):
        yield tuple(words[first : last + 1]), found[first].start(), found[last].end()


def _body(row: OutboxRow) -> str:
    """What a letter says, without what stands in all of them, and of several answers only what is
    secret.
    """
    if row.letter == "{}":
        return ""
    return secret_words_of(row)

"""Nobody shows evidence of secret orders (PR-1.11): press that quotes the writer's own letters of the running phase is not sent.

The game masters are not told: nothing has been shown. Codes are taken out of whatever is sent on.
"""

import re
from collections.abc import Iterable, Sequence

import msgspec

from pbem.desk.chat.drafts import ChatDraft
from pbem.desk.conversation import Conversation
from pbem.desk.letters import Draft
from pbem.desk.message import TELEGRAM
from pbem.mail.tokens import parse_token
from pbem.pages.page import MARKER
from pbem.store.outbox import OutboxRow

SECRET_KINDS = ("receipt", "turn", "reminder", "resend", "what-if")
PUBLIC_KINDS = ("bulletin", "ending", "welcome")
LETTERS_LOOKED_AT = 60
RUN = 8
"""So many words in a row are a quotation."""
SHORTEST_ORDER = 8

_CODE = re.compile(r"(?<![a-z0-9-])[a-z]\d{1,9}-\d{1,9}-[a-z2-7]{26}(?![a-z0-9-])", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_TAG = re.compile(r"<[^<>]*>")
_FOOT = "\n-- \n"
_BLOTTED = "[...]"


def without_codes(text: str) -> str:
    """The text without anything that looks like a code of ours."""
    return _CODE.sub(_BLOTTED, text)


async def find_evidence(talk: Conversation, text: str) -> str | None:
    """What of the text is evidence of the writer's own secret orders, in the words it was written in; None: nothing is."""
    for found in _CODE.finditer(text):
        claim = parse_token(found[0])
        if claim is not None and claim.seat == talk.seat.id:
            return found[0]
    phase = talk.table.phase
    if phase is None or talk.table.state is None:
        return None
    newest = await talk.work.orders.newest(talk.seat.id, phase.number)
    if newest is not None and newest.tenure == talk.seat.tenure:
        for order in newest.canonical:
            if len(order) >= SHORTEST_ORDER and "!" in order and order in text:
                return order
    letters = await talk.work.outbox.list_last_of_seat(talk.seat.id, SECRET_KINDS, LETTERS_LOOKED_AT)
    secret = [_body(row) for row in letters if row.created_at >= phase.opened_at and row.person_id == talk.seat.person_id]
    public = [_body(row) for row in await talk.work.outbox.list_last_of_seat(talk.seat.id, PUBLIC_KINDS, LETTERS_LOOKED_AT)]
    return quotation(text, secret, public)


def quotation(text: str, secret: Iterable[str], public: Iterable[str]) -> str | None:
    """The first words of the text that stand in a row in a secret letter, and in no public one."""
    runs = {run for letter in secret for run in _runs(_words(letter))} - {run for letter in public for run in _runs(_words(letter))}
    places = [(found.start(), found.end()) for found in _WORD.finditer(text)]
    words = [text[start:end].casefold() for start, end in places]
    for at, run in enumerate(_runs(words)):
        if run in runs:
            last = at + RUN
            while last < len(words) and tuple(words[last - RUN + 1 : last + 1]) in runs:
                last += 1
            return " ".join(text[places[at][0] : places[last - 1][1]].split())
    return None


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]


def _body(row: OutboxRow) -> str:
    """What a letter says, without what stands in all of them."""
    if row.letter == "{}":
        return ""
    if row.channel == TELEGRAM:
        draft = msgspec.json.decode(row.letter, type=ChatDraft)
        return _TAG.sub(" ", draft.html)
    text = msgspec.json.decode(row.letter, type=Draft).text
    return (text.partition(MARKER)[2] or text).partition(_FOOT)[0]

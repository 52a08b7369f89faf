"""What Telegram refuses, and what we do about it: one table.

Of the rows with the status of an answer, the first counts whose words stand in it. A row without
words is about all others of its status.
"""

from dataclasses import dataclass
from typing import Literal

Deed = Literal["plain", "words", "general", "shown", "caption", "late", "wait", "later", "drop"]
"""`plain`: send the words without markup. `words`: send the words without the picture. `general`:
send it to the group itself, outside of the topic. `shown`: it already shows that. `caption`: the
words to change stand below a picture. `late`: a tap whose answer nobody waits for. `wait`: nothing
goes to this chat now; a person gets mail instead, and a group is tried again. `later`: try again.
`drop`: this message alone cannot be sent.
"""
Kind = Literal[
    "",
    "markup",
    "picture",
    "no-pictures",
    "no-words",
    "topic-closed",
    "topic-gone",
    "general-closed",
    "removed",
    "shut",
    "unknown",
]
"""What is refused; from `no-pictures` on by the chat, whatever the message."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A row: the status of the answer, words in it, what is refused and what we do."""

    status: int
    words: str
    kind: Kind
    deed: Deed


REFUSALS = (
    Refusal(400, "can't parse entities", "markup", "plain"),
    Refusal(400, "can't parse message text", "markup", "plain"),
    Refusal(400, "can't parse caption", "markup", "plain"),
    Refusal(400, "image_process_failed", "picture", "words"),
    Refusal(400, "photo_invalid_dimensions", "picture", "words"),
    Refusal(400, "photo_ext_invalid", "picture", "words"),
    Refusal(400, "photo_save_file_invalid", "picture", "words"),
    Refusal(400, "wrong file", "picture", "words"),
    Refusal(400, "photo_content", "picture", "words"),
    Refusal(400, "not enough rights to send photos", "no-pictures", "words"),
    Refusal(400, "not enough rights to send media", "no-pictures", "words"),
    Refusal(400, "chat_send_photos_forbidden", "no-pictures", "words"),
    Refusal(400, "chat_send_media_forbidden", "no-pictures", "words"),
    Refusal(403, "chat_send_photos_forbidden", "no-pictures", "words"),
    Refusal(403, "chat_send_media_forbidden", "no-pictures", "words"),
    Refusal(400, "topic_closed", "topic-closed", "general"),
    Refusal(400, "topic_deleted", "topic-gone", "general"),
    Refusal(400, "topic_id_invalid", "topic-gone", "general"),
    Refusal(400, "message thread not found", "topic-gone", "general"),
    Refusal(400, "message is not modified", "", "shown"),
    Refusal(400, "there is no text in the message to edit", "", "caption"),
    Refusal(400, "query is too old", "", "late"),
    Refusal(400, "query id is invalid", "", "late"),
    Refusal(400, "query_id_invalid", "", "late"),
    Refusal(400, "slowmode_wait", "", "later"),
    Refusal(400, "not enough rights", "no-words", "wait"),
    Refusal(400, "have no rights", "no-words", "wait"),
    Refusal(400, "need administrator rights", "no-words", "wait"),
    Refusal(400, "chat_admin_required", "no-words", "wait"),
    Refusal(400, "chat_write_forbidden", "no-words", "wait"),
    Refusal(400, "chat_restricted", "no-words", "wait"),
    Refusal(400, "chat_send_plain_forbidden", "no-words", "wait"),
    Refusal(400, "user_banned_in_channel", "no-words", "wait"),
    Refusal(400, "group chat was deactivated", "removed", "wait"),
    Refusal(400, "chat not found", "removed", "wait"),
    Refusal(400, "chat_id_invalid", "removed", "wait"),
    Refusal(400, "channel_private", "removed", "wait"),
    Refusal(400, "not a member", "removed", "wait"),
    Refusal(400, "user not found", "shut", "wait"),
    Refusal(400, "peer_id_invalid", "shut", "wait"),
    Refusal(400, "user is deactivated", "shut", "wait"),
    Refusal(400, "", "unknown", "drop"),
    Refusal(403, "bot was kicked", "removed", "wait"),
    Refusal(403, "not a member", "removed", "wait"),
    Refusal(403, "group chat was deleted", "removed", "wait"),
    Refusal(403, "bot was blocked by the user", "shut", "wait"),
    Refusal(403, "user is deactivated", "shut", "wait"),
    Refusal(403, "can't initiate conversation", "shut", "wait"),
    Refusal(403, "chat_write_forbidden", "no-words", "wait"),
    Refusal(403, "not enough rights", "no-words", "wait"),
    Refusal(403, "", "shut", "wait"),
    Refusal(413, "", "unknown", "drop"),
    Refusal(429, "", "", "later"),
    Refusal(500, "", "", "later"),
    Refusal(502, "", "", "later"),
    Refusal(503, "", "", "later"),
)
"""A group that has become a supergroup says so in its refusal (`migrate_to_chat_id`): its messages
go to the new number. 401 and 404 mean that Telegram does not know our token: every message waits.
"""
LATER = Refusal(0, "", "", "later")


def refusal_of(status: int, text: str) -> Refusal:
    """The row of an answer; one of a status that is not there is tried again."""
    words = text.lower()
    return next((row for row in REFUSALS if row.status == status and row.words in words), LATER)

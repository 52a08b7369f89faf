"""How a message of a chat is called in the outbox and the inbox."""

from dataclasses import dataclass

from pbem.desk.envelope.message import TELEGRAM

PREFIX = f"{TELEGRAM}:"


@dataclass(frozen=True, slots=True)
class ChatName:
    """Where a message of a chat is found again."""

    chat_id: int
    message_id: int


def format_chat_name(name: ChatName) -> str:
    """The id under which the outbox knows the message."""
    return f"{PREFIX}{name.chat_id}:{name.message_id}"


def parse_chat_name(text: str | None) -> ChatName | None:
    """The inverse of `format_chat_name`; None for anything else."""
    pieces = (text or "").removeprefix(PREFIX).split(":")
    if (
        not (text or "").startswith(PREFIX)
        or len(pieces) != 2
        or not all(piece.lstrip("-").isdigit() for piece in pieces)
    ):
        return None
    return ChatName(int(pieces[0]), int(pieces[1]))

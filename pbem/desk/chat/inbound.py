"""What somebody said in a chat, as the desk's message."""

import hashlib

from pbem.desk.chat.commands import unknown_command, words_of
from pbem.desk.chat.messages import ChatName, format_chat_name
from pbem.desk.envelope.message import TELEGRAM, Message, readable
from pbem.telegram.updates import Said, Tapped, Update


def message_of_update(update: Update) -> Message:
    """An update as a message; one that is not a message has no words."""
    if isinstance(update, Said):
        return message_of_said(update, words_of(update) if update.chat_kind == "private" else None)
    return Message(
        channel=TELEGRAM,
        message_id=None,
        digest="",
        sender=str(update.user_id) if isinstance(update, Tapped) else None,
        sender_name="",
        subject="",
        tokens=(),
        trust="unknown",
        automatic=None,
        refused=None,
        text="",
        dated=None,
        in_reply_to=None,
        references=(),
    )


def message_of_said(said: Said, text: str | None = None) -> Message:
    """A message of a private chat (or, with `text`, what a tap or a command in it means).

    Telegram vouches for the numeric id of the writer, as a DMARC pass does for a mail's sender;
    for no other person's words.
    """
    words, refused = readable(said.text if text is None else text)
    return Message(
        channel=TELEGRAM,
        message_id=format_chat_name(ChatName(said.chat_id, said.message_id)),
        digest=hashlib.sha256(words.encode("utf-8", "replace")).hexdigest(),
        sender=str(said.user_id) if said.user_id is not None else None,
        sender_name=said.user_name,
        subject="",
        tokens=(),
        trust="fail" if said.sent_for_others is not None else "pass",
        automatic=None,
        refused=refused,
        text=words,
        dated=said.dated,
        in_reply_to=format_chat_name(ChatName(said.chat_id, said.reply_to))
        if said.reply_to is not None
        else None,
        references=(),
        chat_message_id=said.message_id,
        has_attachment=said.has_attachment,
        written_at=said.written_at,
        unknown_command=unknown_command(said),
        is_command=said.command is not None,
    )

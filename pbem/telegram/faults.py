"""What is wrong with a message before Telegram hears of it: the same for the real sender and for
the one in memory.
"""

import re

from pbem.telegram.ports import Button, ChatMessage, ChatRefused
from pbem.telegram.text import CAPTION_LIMIT, TEXT_LIMIT, length_of, plain_of

_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair
MAX_PICTURE_OCTETS = 10 * 1024 * 1024
MAX_DATA_OCTETS = 64
MAX_BUTTONS = 100
MAX_TAP_CHARACTERS = 200


def fault_of(message: ChatMessage) -> ChatRefused | None:
    """A refusal about the message, if no chat could take it: the caller has to split, shorten or
    mend it.
    """
    text = _fault(message)
    return None if text is None else ChatRefused(400, text, "message")


def _fault(message: ChatMessage) -> str | None:
    length = length_of(message.html)
    if message.picture is None:
        if length > TEXT_LIMIT:
            return f"the text is {length} long, at most {TEXT_LIMIT} is allowed"
        if not plain_of(message.html).strip() and (message.edits is None or message.html):
            return "there is no text"
    elif length > CAPTION_LIMIT:
        return f"the caption is {length} long, at most {CAPTION_LIMIT} is allowed"
    elif not 0 < len(message.picture) <= MAX_PICTURE_OCTETS:
        return (
            f"the picture has {len(message.picture)} octets, at most {MAX_PICTURE_OCTETS} are"
            " allowed"
        )
    if _HALF.search(message.html):
        return "the text has half characters, which nobody can send"
    buttons = [button for row in message.buttons for button in row]
    if len(buttons) > MAX_BUTTONS:
        return f"there are {len(buttons)} buttons, at most {MAX_BUTTONS} are allowed"
    return next((fault for button in buttons if (fault := _fault_of_button(button))), None)


def _fault_of_button(button: Button) -> str | None:
    if not button.text.strip():
        return "a button has no text"
    if (button.data is None) == (button.url is None):
        return f"the button {button.text!r} needs data or a URL, and not both"
    if _HALF.search(f"{button.text}{button.url}"):
        return "a button has half characters, which nobody can send"
    if (
        button.data is not None
        and not 0 < len(button.data.encode("utf-8", "surrogatepass")) <= MAX_DATA_OCTETS
    ):
        return f"the data of the button {button.text!r} have to be 1 to {MAX_DATA_OCTETS} octets"
    return None

"""One call of the Bot API, and its parameters as the methods want them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.demo.telegram.chats import Keyboard
from pbem.demo.telegram.faults import ApiError
from pbem.demo.telegram.markup import Marked, parse_html
from pbem.telegram.ports import Button

_MAX_DATA_OCTETS = 64


@dataclass(frozen=True, slots=True)
class Call:
    """A method with its fields, each as the text it came in, and its files."""

    method: str
    fields: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)

    def number(self, name: str, default: int | None = None) -> int:
        try:
            return int(self.fields[name])
        except (KeyError, ValueError):
            if default is None:
                raise ApiError(400, f"Bad Request: {name} is empty or no number") from None
            return default

    def flag(self, name: str) -> bool:
        return self.fields.get(name, "").lower() in {"true", "1"}

    def json(self, name: str) -> Any:
        """A parameter that is JSON, or None."""
        if not self.fields.get(name):
            return None
        try:
            return json.loads(self.fields[name])
        except ValueError:
            raise ApiError(400, f"Bad Request: can't parse {name} JSON object") from None

    def marked(self, name: str) -> Marked:
        """Words with their markup, by the parse mode given."""
        return marked(self.fields.get(name, ""), self.fields.get("parse_mode"))

    def file(self, name: str) -> bytes:
        """A file that was uploaded, by its field or by reference to another part."""
        named = self.fields.get(name, "").removeprefix("attach://")
        found = self.files.get(name) or self.files.get(named)
        if not found:
            raise ApiError(400, "Bad Request: there is no photo in the request")
        return found

    def keyboard(self) -> Keyboard:
        """The inline keyboard, checked as Telegram does."""
        markup = self.json("reply_markup")
        if markup is None:
            return ()
        try:
            rows = [[_button(button) for button in row] for row in markup["inline_keyboard"]]
        except (KeyError, TypeError, AttributeError):
            raise ApiError(400, "Bad Request: object expected as reply markup") from None
        return tuple(tuple(row) for row in rows if row)


def marked(text: str, parse_mode: str | None) -> Marked:
    """Plain text, or HTML."""
    if not parse_mode:
        return Marked(text.strip())
    if parse_mode.lower() != "html":
        raise ApiError(400, "Bad Request: unsupported parse_mode")
    return parse_html(text)


def _button(button: Mapping[str, str]) -> Button:
    text, data, url = button["text"], button.get("callback_data"), button.get("url")
    if not text.strip():
        raise ApiError(400, "Bad Request: inline keyboard button text must be non-empty")
    if data is not None:
        if not 0 < len(data.encode()) <= _MAX_DATA_OCTETS:
            raise ApiError(400, "Bad Request: BUTTON_DATA_INVALID")
        return Button(text, data=data)
    if url is None:
        raise ApiError(400, "Bad Request: Text buttons are unallowed in the inline keyboard")
    if not url.startswith(("https://", "http://", "tg://")):
        raise ApiError(
            400, f"Bad Request: inline keyboard button URL '{url}' is invalid: Wrong HTTP URL"
        )
    return Button(text, url=url)

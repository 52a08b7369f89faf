"""The chats of a demonstration as pages of its gallery: each player's phone, the group, and the
game master's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from pbem.demo.gallery.binding import keep_picture, link_rules
from pbem.demo.gallery.bubbles import bubbles_of
from pbem.demo.gm_script import NAME as HOSTESS
from pbem.demo.stage import RULES_URL, TITLE, ZONE, Stage
from pbem.demo.switchboard import ChatLog
from pbem.pages.gallery import render_gallery

CHATS = "chats"


@dataclass(frozen=True, slots=True)
class ChatCard:
    """A chat as the index shows it: its page, whose it is, what can be seen in it."""

    link: str
    title: str
    about: str
    messages: int
    changed: int
    taps: int


def write_chats(stage: Stage, habits: Mapping[str, str], folder: Path) -> list[ChatCard]:
    """Write a page for each chat; none where nobody plays by Telegram. `habits` are told of the
    players by name.
    """
    board = stage.board
    if board is None:
        return []
    for name in (CHATS, "pictures"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    zones = {mind.person.name: mind.person.zone for mind in stage.minds}
    players = [mind.person.name for mind in stage.minds if mind.person.name in board.users]
    owned = [
        (board.user(name).chat_id, name, habits.get(name, ""), zones[name]) for name in players
    ]
    group = (
        board.group.chat_id,
        "",
        "what everybody may know: bulletins and public press; orders are never taken here",
        ZONE,
    )
    gm_script = (board.user(HOSTESS).chat_id, HOSTESS, "the game master, on her phone", ZONE)
    return [_write(board.log, folder, *chat) for chat in (*owned, group, gm_script)]


def _write(log: ChatLog, folder: Path, chat_id: int, owner: str, about: str, zone: str) -> ChatCard:
    def keep(png: bytes) -> str:
        return f"../pictures/{keep_picture(folder, png).name}"

    bubbles = bubbles_of(log, chat_id, owner or HOSTESS, ZoneInfo(zone), keep)
    title = owner or f"{TITLE}, the group"
    path = folder / CHATS / f"{(owner or 'group').lower()}.html"
    values = {
        "title": title,
        "about": about,
        "bubbles": bubbles,
        "is_group": not owner,
        "partner": "The Realm" if owner else TITLE,
    }
    path.write_text(link_rules(render_gallery("chat.html.j2", values), RULES_URL), encoding="utf-8")
    taps = sum(len(tapped) for (chat, _), tapped in log.taps.items() if chat == chat_id)
    messages = sum(bubble.now is not None for bubble in bubbles)
    changed = sum(bool(bubble.earlier) for bubble in bubbles)
    return ChatCard(f"{CHATS}/{path.name}", title, about, messages, changed, taps)

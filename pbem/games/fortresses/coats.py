"""The arms of the kingdoms as mails, chats and archives show them: those of the board."""

from collections.abc import Mapping

from engine.fortresses.atlas import Kingdom
from pbem.games.fortresses.board.banners import BANNERS
from pbem.pages.kit.arms import Arms

_SIGNS: Mapping[Kingdom, tuple[str, str, str]] = {
    "silver": ("lily", "\N{FLEUR-DE-LIS}", "\N{FLEUR-DE-LIS}\ufe0f"),
    "red": ("rose", "\N{BLACK FLORETTE}", "\N{ROSE}"),
    "blue": ("wolf", "\N{BLACK CHESS KNIGHT}", "\N{WOLF FACE}"),
    "gold": ("sun", "\N{BLACK SUN WITH RAYS}", "\N{BLACK SUN WITH RAYS}\ufe0f"),
}
"""Their charges: in words, as a character, as phones show them."""
COATS: Mapping[Kingdom, Arms] = {
    kingdom: Arms(kingdom, symbol, banner.full, banner.on, sign, emoji, banner.charge, "fortresses")
    for kingdom, banner in BANNERS.items()
    for symbol, sign, emoji in (_SIGNS[kingdom],)
}

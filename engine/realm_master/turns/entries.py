"""Who may come into the Realm from outside, and where (RM-5.3 to RM-5.6)."""

from engine.realm_master.cards import GATE_RUNE
from engine.realm_master.decisions import possible_lands
from engine.realm_master.table import Table
from engine.realm_master.turns.dice import swords_of


def has_key(table: Table, player: int) -> bool:
    """Whether the active hero has a sword, or needs none (RM-5.3, RM-B18)."""
    return bool(swords_of(table)) or table.owns(player, GATE_RUNE)


def lands_to_enter(table: Table, player: int) -> list[str]:
    """The lands that the active hero can enter as the table lies; where there is no room for him he
    is not asked.
    """
    return possible_lands(table, player) if has_key(table, player) else []

"""Protectors of the Realm in a demonstration."""

from pbem.play.port import Play
from pbem.games.protectors.play.script import ProtectorsPlay

PLAY: Play = ProtectorsPlay()
"""What `pbem.demo.plays` finds."""

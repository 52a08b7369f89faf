"""Protectors of the Realm in a demonstration."""

from pbem.demo.play import Play
from pbem.demo.plays.protectors.script import ProtectorsPlay

PLAY: Play = ProtectorsPlay()
"""What `pbem.demo.plays` finds."""

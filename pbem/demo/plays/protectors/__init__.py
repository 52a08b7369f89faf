"""Protectors of the Realm in a demonstration."""

from pbem.demo.plays.protectors.script import ProtectorsPlay

PLAY = ProtectorsPlay()
"""What `pbem.demo.plays` finds."""

"""Realm-Master in a demonstration."""

from pbem.demo.plays.realm_master.script import RealmMasterPlay

PLAY = RealmMasterPlay()
"""What `pbem.demo.plays` finds."""

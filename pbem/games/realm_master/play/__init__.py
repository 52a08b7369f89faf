"""Realm-Master in a demonstration."""

from pbem.games.realm_master.play.script import RealmMasterPlay

PLAY = RealmMasterPlay()
"""What `pbem.demo.plays` finds."""

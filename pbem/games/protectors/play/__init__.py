"""Protectors of the Realm in a demonstration."""

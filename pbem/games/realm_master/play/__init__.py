"""Realm-Master in a demonstration."""

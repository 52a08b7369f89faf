"""Protectors of the Realm: all of it but its rules, which lie in the engine."""

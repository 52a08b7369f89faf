"""The board of Protectors of the Realm: topology is the engine's, this room draws it."""

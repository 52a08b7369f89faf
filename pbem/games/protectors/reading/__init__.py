"""The order language of Protectors of the Realm."""

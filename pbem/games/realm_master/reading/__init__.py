"""The order language of Realm-Master."""

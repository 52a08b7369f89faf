"""The table of Realm-Master as a picture."""

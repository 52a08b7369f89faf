"""The pages for players of Realm-Master."""

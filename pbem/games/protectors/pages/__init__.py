"""The pages for players of Protectors of the Realm."""

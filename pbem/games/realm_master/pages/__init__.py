"""What players of Realm-Master are told."""

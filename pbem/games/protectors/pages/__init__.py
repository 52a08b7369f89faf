"""What players of Protectors of the Realm are told."""

"""What a player may send, and what of it stands."""

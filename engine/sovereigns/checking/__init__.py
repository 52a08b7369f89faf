"""What a ruler may send, and what of it stands."""

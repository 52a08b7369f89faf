"""The war map of Fortresses."""

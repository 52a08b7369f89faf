"""How orders of Fortresses are read."""

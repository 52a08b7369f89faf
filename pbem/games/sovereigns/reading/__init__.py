"""How orders of States & Sovereigns are read."""

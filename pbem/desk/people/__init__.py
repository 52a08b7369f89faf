"""People: who sits, looks on, stands in, takes over, leaves, and what is kept of them."""

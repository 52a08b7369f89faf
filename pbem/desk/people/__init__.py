"""People: who sits, watches, stands in, takes over, leaves, and what is kept of them."""

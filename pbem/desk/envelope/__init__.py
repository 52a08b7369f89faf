"""Messages and letters as values: what came, what becomes of it, and what is to go out to whom."""

"""A message on its way: stored, opened, understood, answered, its orders submitted."""

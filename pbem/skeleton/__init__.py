"""A number to guess: the smallest game that plays, to begin a game of your own from."""

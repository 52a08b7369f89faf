"""The check of a game: everything that the guide asks of its author, tried on the game itself."""

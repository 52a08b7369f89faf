"""The archive of a game: a static site that anybody can open, read and check."""

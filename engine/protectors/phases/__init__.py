"""The steps of a turn, each in its own file."""

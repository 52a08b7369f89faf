"""The record of a game: a file from which anybody can play the whole game again and compare."""

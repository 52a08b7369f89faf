"""The words of game masters."""

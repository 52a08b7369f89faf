"""The language of the house: what means the same at every table, whatever is played there."""

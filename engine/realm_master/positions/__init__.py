"""Positions as cases tell them: read into a state, and written out."""

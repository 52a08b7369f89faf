"""The gallery of a demonstration."""

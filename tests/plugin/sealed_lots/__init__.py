"""Sealed Lots: a game of secret bids for 2 to 5, as a package of its own."""

"""Offers: what a message may mean where it was not taken, found among all that may be ordered.

A game tells its forms and what its words name; nothing here knows a game. See `offers`.
"""

"""Protectors of the Realm: simultaneous secret orders, bids, cards and a Dragon, for 2 to 16
players.
"""

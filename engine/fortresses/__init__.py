"""Fortresses: two alliances of two kingdoms, 36 Lands and 12 Seas; who holds all four Fortresses
wins.
"""

"""Rounds and turns: dice, attacks, lands, cards, deaths."""

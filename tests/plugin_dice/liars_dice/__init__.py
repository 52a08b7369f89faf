"""Liar's Dice: a game of bluff for 2 to 6 who act in turn, as a package of its own."""

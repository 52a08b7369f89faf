"""The words of the orders, apart from those of other readers of this game."""

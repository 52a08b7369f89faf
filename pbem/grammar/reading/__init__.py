"""Words to slots, for the readers of any game: lexemes, sentences and clauses, slots of orders,
discourse as a table, and the closed world in three rings. Nothing here knows a game.
"""

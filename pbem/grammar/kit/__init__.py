"""What games read their orders with: folded text, lexemes, sentences and clauses, slots of orders,
discourse as a table, the closed world in three rings, and the values a reading comes to. Nothing
here knows a game.
"""

"""What games read their orders with: folded text, lexemes, phrases, and the values a reading comes
to.
"""

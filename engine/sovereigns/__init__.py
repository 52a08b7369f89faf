"""States & Sovereigns: kingdoms of three attributes, their seasons, actions, trades, technologies
and ends.
"""

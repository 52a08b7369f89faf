"""Press: what players write to one another through the house, which relays it and shows nobody's
address.
"""

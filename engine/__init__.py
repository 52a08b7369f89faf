"""The rules of the games: pure functions over frozen values. No I/O, no clock, no global chance, no
asyncio.
"""

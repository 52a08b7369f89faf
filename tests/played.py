"""The game that tests of the house play where any would do: the one this house runs first.

What they say in it (`bid 13`) is its own language, and no other test's business.
"""

from pbem.registry import default_game, load_games

GAME = default_game(load_games())
PLAYED = GAME.ruleset.id

"""The sixteen colours of a table and the symbol that goes with each (PR-1.1), in the order they are
dealt.

Both are names too: `blue`, `waves` and `the blue player` mean the same player in the order
language.
"""

from collections.abc import Mapping, Sequence

SYMBOLS: Mapping[str, str] = {
    "red": "heart",
    "blue": "waves",
    "yellow": "key",
    "green": "tree",
    "black": "tower",
    "sky": "drop",
    "orange": "bolt",
    "pink": "ring",
    "white": "moon",
    "brown": "hammer",
    "purple": "star",
    "teal": "anchor",
    "lime": "clover",
    "violet": "diamond",
    "grey": "bell",
    "coral": "cross",
}
"""The symbol of each colour."""

COLOURS: tuple[str, ...] = tuple(SYMBOLS)


def deal_colours(names: Sequence[str], chosen: Sequence[str | None]) -> tuple[str, ...]:
    """A colour for each player: the chosen one, else the one in the player's name, else the next
    free one.

    ValueError if a colour is not among the sixteen or is chosen twice.
    """
    told = [colour for colour in chosen if colour is not None]
    for colour in told:
        if colour not in SYMBOLS:
            raise ValueError(f"{colour!r} is none of the colours {', '.join(COLOURS)}")
        if told.count(colour) > 1:
            raise ValueError(f"two players have the colour {colour}")
    dealt = list(chosen)
    for i, name in enumerate(names):
        own = name.casefold()
        if dealt[i] is None and own in SYMBOLS and own not in dealt:
            dealt[i] = own
    free = [colour for colour in COLOURS if colour not in dealt]
    return tuple(colour if colour is not None else free.pop(0) for colour in dealt)

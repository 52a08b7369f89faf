"""How far a message was understood."""

from pbem.grammar.kit.reading import Reading

_UNREAD = frozenset({"no-order", "not-understood"})


def has_orders(reading: Reading) -> bool:
    """Whether anything in it was meant as an order; a message with nothing of the kind is a
    note.
    """
    if reading.answers is not None:
        return True
    return any(
        item.orders or any(problem.code != "no-order" for problem in item.problems)
        for item in reading.items
    )


def is_addressed(reading: Reading) -> bool:
    """Whether the note is what stands behind `GM:`, and not all that nobody understood."""
    return reading.note is not None and not reading.items


def is_wholly_understood(reading: Reading) -> bool:
    """Whether nothing in it was left unread or refused."""
    return not any(not problem.warning for item in reading.items for problem in item.problems)


def has_nothing_read(reading: Reading) -> bool:
    """Whether no word of it was read as one of the game's: no order, and nothing that is refused
    for what it says.
    """
    return reading.answers is None and not any(
        item.orders or any(problem.code not in _UNREAD for problem in item.problems)
        for item in reading.items
    )

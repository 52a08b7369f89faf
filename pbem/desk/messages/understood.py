"""How far a message was understood."""

from pbem.grammar.kit.reading import Reading


def has_orders(reading: Reading) -> bool:
    """Whether anything in it was meant as an order; a message with nothing of the kind is a
    note.
    """
    if reading.answers is not None:
        return True
    return any(
        item.orders or item.dropped or any(problem.code != "no-order" for problem in item.problems)
        for item in reading.items
    )


def is_addressed(reading: Reading) -> bool:
    """Whether the note is what stands behind `GM:`, and not all that nobody understood."""
    return reading.note is not None and not reading.items


def is_wholly_understood(reading: Reading) -> bool:
    """Whether nothing in it was left unread or refused."""
    return not any(not problem.warning for item in reading.items for problem in item.problems)

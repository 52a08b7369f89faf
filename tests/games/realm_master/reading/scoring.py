"""Readings of phrases against what their writers would have understood."""

from collections.abc import Sequence

from tests.games.reading.phrases import Phrase


def score(phrase: Phrase) -> str:
    """What the reading of a phrase comes to."""
    return verdict(phrase, *phrase.outcome(phrase.text))


def verdict(phrase: Phrase, means: Sequence[str], codes: Sequence[str]) -> str:
    """How a reading compares with the answers: right, asked, codes, lost, misread."""
    refused = set(phrase.refused)
    stands = {order for order in means if order not in refused}
    wanted = [set(orders) for orders, _ in phrase.answers]
    if any(
        sorted(order for order in means if order in orders or order not in refused)
        == sorted(orders)
        and set(codes) == set(problems)
        for orders, problems in phrase.answers
    ):
        return "right"
    if len(set(means)) < len(means) or not stands <= set().union(*wanted):
        return "misread"
    if any(stands == answer - refused or stands == answer for answer in wanted):
        return "codes"
    if not any(stands <= answer for answer in wanted):
        return "misread"
    return "asked" if set(codes) - {"no-order"} else "lost"

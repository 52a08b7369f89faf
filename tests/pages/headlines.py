"""How long headlines and sentences of news may be: a phone shows no more of a subject (READING
section 4).
"""

from collections.abc import Iterable, Sequence

from pbem.pages.news import MOST_HEADLINE, MOST_SENTENCE, Lead, News

Told = tuple[Lead, Sequence[News], bool]
"""Of a close its lead and its news, and whether the game is over with it."""


def check_lengths(told: Iterable[Told]) -> None:
    """Every close of whole games; at least one of them ends."""
    ends = 0
    for lead, news, is_over in told:
        assert 0 < len(lead.headline) <= MOST_HEADLINE, lead
        assert 0 < len(lead.sentence) <= MOST_SENTENCE, lead
        for one in news:
            assert len(one.told) <= MOST_SENTENCE, one
        ends += is_over
    assert ends

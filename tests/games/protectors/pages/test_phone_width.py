"""A name in a mail stays next to its symbol on a phone."""

import re

from engine.ruleset import Standing
from pbem.games.protectors.pages.letters import PAGES
from tests.games.protectors.pages.sample import table, view
from tests.pages.sample import reader


def test_a_name_in_the_ranking_stays_beside_its_symbol_unless_it_is_long() -> None:
    status = PAGES.status(table(), reader(), view(), Standing())
    assert re.search(
        r'<span style="white-space:nowrap;"><img [^>]*>&nbsp; <b>Bartek</b></span>',
        status.html,
    )

"""Tables of a mail are no wider than a phone: few columns, and a name beside its symbol."""

import re
from pathlib import Path

import pytest

from engine.ruleset import Standing
from pbem.games.protectors.pages.letters import PAGES
from tests.games.protectors.pages.sample import table, view
from tests.pages.sample import reader

TESTS = Path(__file__).parents[3]
MOST_COLUMNS = 6


@pytest.mark.parametrize("path", sorted(TESTS.rglob("golden/*.html")), ids=lambda path: path.stem)
def test_no_table_has_more_columns_than_a_phone_shows(path: Path) -> None:
    heads = re.findall(r"<tr[^>]*>((?:<th\b.*?</th>)+)", path.read_text("utf-8"))
    assert [head for head in heads if head.count("<th ") > MOST_COLUMNS] == []


def test_a_name_in_the_ranking_stays_beside_its_symbol_unless_it_is_long() -> None:
    status = PAGES.status(table(), reader(), view(), Standing())
    assert re.search(
        r'<span style="white-space:nowrap;"><img [^>]*>&nbsp; <b>Bartek</b></span>',
        status.html,
    )

"""What people read is plain modern English: the patterns of `patterns.txt` are not in it, sentences
are short, and the pages for players read easily.
"""

from pathlib import Path

import pytest

from tests.prose.budgets import (
    COMMENTS,
    FINDINGS,
    SENTENCES,
    all_findings,
    faults,
    findings_in_comments,
    long_sentences,
    read_budget,
)
from tests.prose.finding import (
    ROOT,
    findings_in,
    load_patterns,
    prose_of_comments,
    prose_of_house,
    prose_of_module,
    prose_of_page,
    prose_of_template,
)
from tests.prose.measure import reading_ease
from tests.rows import each_row

FOR_PLAYERS = sorted(
    [
        ROOT / "docs" / "players.md",
        *(ROOT / "docs" / "games").glob("*/orders.md"),
        *(ROOT / "docs" / "games").glob("*/rules.md"),
    ]
)
HERE = Path("x.j2")


def test_nothing_says_what_the_house_does_not_say() -> None:
    wrong = list(faults(all_findings(), read_budget(FINDINGS)))
    assert not wrong, "\n".join(wrong)


def test_docstrings_and_comments_are_plain_english() -> None:
    wrong = list(faults(findings_in_comments(), read_budget(COMMENTS)))
    assert not wrong, "\n".join(wrong)


def test_sentences_of_the_pages_have_at_most_25_words() -> None:
    wrong = list(faults(long_sentences(), read_budget(SENTENCES)))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("page", FOR_PLAYERS, ids=lambda page: page.parent.name)
def test_pages_for_players_read_easily(page: Path) -> None:
    assert reading_ease(prose_of_page(page.read_text("utf-8"))) >= 65


def test_the_list_is_long_and_everything_is_looked_through() -> None:
    assert len(load_patterns()) >= 60
    folders = {file.parts[0] for file in prose_of_house()}
    assert {"templates", "docs", "README.md", "pbem"} <= folders


@pytest.mark.parametrize(
    "said",
    [
        "Whoever is late waits.",
        '{{ "Shall this be done?" if x }}',
        '{% set said = ["nothing of it is ordered"] %}',
        "What was\nnot understood is told.",
        '<img src="b.png" alt="The board beside the map">',
    ],
)
def test_what_is_not_said_is_found(said: str) -> None:
    assert findings_in(prose_of_template(said), HERE)


@each_row(
    "said",
    [
        "{# whoever writes this comment shall #}",
        "{% if whoever.shall and beside %}We wait for you.{% endif %}",
        "{{ seat.laid_aside }} {{ nothing_of(it) }}",
        '<td class="beside shall">We wait.</td>',
        "<style>.beside { color: red }</style>",
        "You get no more than two, and no more time.",
        "The pause goes on sale. It is supposed to be short.",
    ],
)
def test_code_and_plain_words_are_no_finding(said: str) -> None:
    assert not findings_in(prose_of_template(said), HERE)


def test_a_finding_names_its_line_and_the_better_way() -> None:
    (found,) = findings_in(prose_of_template("One.\n{# x #}\nWe lay\n aside.\n"), HERE)
    assert (found.line, found.text) == (3, "lay aside")
    assert str(found) == "x.j2:3: 'lay aside' => put in quarantine, put away"


def test_code_on_a_page_is_one_word_and_is_not_looked_through() -> None:
    prose = prose_of_page("Write `press to Ben: Shall we?` now.\n\n    whoever shall\n\nDone.\n")
    assert not findings_in(prose, HERE)
    assert prose.splitlines()[0] == f"Write {'X' * 25} now."
    assert prose.splitlines()[2].strip() == ""


def test_strings_of_a_module_are_looked_through_and_their_lines_kept() -> None:
    text = '"""Whoever reads."""\n\nX = 1\nY = "so many apples"\nZ = f"ä {X} shall go on"\n'
    assert [found.line for found in findings_in(prose_of_module(text, docstrings=True), HERE)] == [
        *(1, 4, 5, 5),
    ]
    assert [found.line for found in findings_in(prose_of_module(text, docstrings=False), HERE)] == [
        4,
        5,
        5,
    ]


def test_docstrings_and_comments_are_looked_through_without_their_code() -> None:
    text = '"""Whoever\nreads `shall`."""\n\nX = "it shall"  # it shall\n# beside `anew`\n'
    found = findings_in(prose_of_comments(text), HERE, load_patterns("docstrings.txt"))
    assert [(one.line, one.text) for one in found] == [(1, "Whoever"), (4, "shall"), (5, "beside")]
    none = prose_of_comments('"""`kind` is None. None is told."""\n')
    assert not findings_in(none, HERE, load_patterns("docstrings.txt"))


def test_a_budget_is_held_both_ways() -> None:
    assert list(faults({"a": ["one"]}, {"a": 1})) == []
    assert list(faults({"a": ["one"]}, {})) == ["a: 1, and 0 are allowed", "  one"]
    assert list(faults({}, {"a": 2})) == [
        "a: lower the budget to 0 (python -m tests.prose.budgets)"
    ]

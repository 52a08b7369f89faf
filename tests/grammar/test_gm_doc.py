"""The game masters' handbook tells every word there is, and nothing that is not read."""

import re
from pathlib import Path

from pbem.grammar.gm.commands import Lexicon, Questions, word_of
from pbem.grammar.gm.lines import parse_gm
from pbem.grammar.gm.words import PHRASES, WORDS
from pbem.registry import load_games
from tests.rows import each_row

LEXICON = Lexicon(
    {
        id_: Questions(game.ruleset.questions, tuple(game.ruleset.windows))
        for id_, game in load_games().items()
    },
    frozenset({"heron", "swan"}),
)
HANDBOOK = (Path(__file__).parents[2] / "docs" / "game-masters.md").read_text("utf-8")
ROWS = {
    row[1]: row
    for row in re.finditer(r"^\| `([a-z ]+)`( \*)? \| (.+?) \| .+ \|$", HANDBOOK, re.MULTILINE)
}


def test_the_table_has_every_word_once_and_no_other() -> None:
    assert list(ROWS) == list(WORDS)


@each_row("word", WORDS)
def test_the_table_says_which_word_is_asked_back(word: str) -> None:
    assert (ROWS[word][2] is not None) == WORDS[word].dangerous


@each_row("word", WORDS)
def test_every_spelling_in_the_table_is_read_as_that_word(word: str) -> None:
    spellings = re.findall(r"`([^`]+)`", ROWS[word][3])
    assert spellings
    for spelling in spellings:
        (line,) = parse_gm(spelling, LEXICON)
        assert line.command is not None, (spelling, line.trouble)
        assert word_of(line.command) == word


def test_every_old_word_it_tells_is_read() -> None:
    (told,) = re.findall(
        r"We also understand the old judges' words: (.+)\.$", HANDBOOK, re.MULTILINE
    )
    assert set(re.findall(r"`([^`]+)`", told)) <= set(PHRASES)


def test_the_commands_it_shows_in_blocks_are_read() -> None:
    shown = [line.strip() for line in re.findall(r"^    (?!pbem)(.+)$", HANDBOOK, re.MULTILINE)]
    assert len(shown) >= 2
    for line in parse_gm("\n".join(shown), LEXICON):
        assert line.command is not None, line

"""Languages as people write them."""

import pytest

from pbem.grammar.gm.commands import Unread
from pbem.grammar.gm.opening import format_choices, parse_choices
from pbem.grammar.house.commands import Language
from pbem.grammar.house.parsing import parse_commands
from pbem.grammar.languages import LanguageRefused, language_name, parse_language
from tests.grammar.test_gm_spelling import LEXICON
from tests.rows import each_row


@each_row(
    ("text", "code"),
    [
        ("German", "de"),
        ("deutsch", "de"),
        ("de", "de"),
        ("de-AT", "de_AT"),
        ("de_CH.UTF-8", "de_CH"),
        ("español", "es"),
        ("Espanol", "es"),
        ("polski", "pl"),
        ("日本語", "ja"),
        ("українська", "uk"),
        ("Czech.", "cs"),
        ("English", "en_001"),
        ("en", "en_001"),
        ("en-GB", "en_GB"),
    ],
)
def test_a_language_is_read_by_its_names_and_codes(text: str, code: str) -> None:
    assert parse_language(text) == code


def test_what_is_no_language_is_asked_about_with_the_nearest() -> None:
    assert parse_language("Germn") == LanguageRefused("Germn", ("German",))
    assert parse_language("quux blorb") == LanguageRefused("quux blorb")
    assert isinstance(parse_language("dzongkha"), LanguageRefused)
    assert isinstance(parse_language("x" * 400), LanguageRefused)


def test_a_language_is_called_by_its_english_name() -> None:
    assert [language_name(code) for code in ("de", "de_AT", "en", "en_001", "en_GB")] == [
        *("German", "German (Austria)", "English", "English", "English (United Kingdom)"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "my language is German",
        "language: german",
        "Set my language to German please",
        "language german",
    ],
)
def test_a_player_names_a_language(line: str) -> None:
    assert parse_commands(line) == (Language("de"),)


@pytest.mark.parametrize(
    "text", ["language German", "Language: deutsch", "dates in German", "language = de"]
)
def test_a_game_master_names_the_language_of_a_table(text: str) -> None:
    choices = parse_choices(f"5 players, {text}", LEXICON)
    assert choices.language == "de"
    assert parse_choices(format_choices(choices), LEXICON) == choices


def test_a_table_in_no_known_language_is_asked_about() -> None:
    with pytest.raises(Unread) as refused:
        parse_choices("language Germn", LEXICON)
    assert refused.value.nearest == ("German",)

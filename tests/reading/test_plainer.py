"""What is said in turns of speech is said again in words that are known; names stay as they are."""

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import pbem
from pbem.reading.plainer import FILE, LONGEST, Rule, load_rules, names_of, said_plainly

ROOT = Path(pbem.__file__).parent.parent
PACKAGES = [".".join(x.parent.relative_to(ROOT).parts) for x in ROOT.glob(f"pbem/games/**/{FILE}")]
RULES = [rule for package in PACKAGES for rule in load_rules(package)]
BOATS = names_of("boat", ("Rose of Ault", "Rose"))
ROW = Rule(re.compile(r"row (qboat\d+q) ashore"), r"land \1")


def test_games_have_such_words() -> None:
    assert len(PACKAGES) > 1
    assert len(RULES) > 100


def test_a_name_is_kept_as_it_is_written() -> None:
    assert said_plainly("row ROSE of Ault ashore", [ROW], [BOATS]) == "land ROSE of Ault"


def test_what_no_rule_knows_is_said_as_it_is() -> None:
    assert said_plainly("sail Rose home", [ROW], [BOATS]) == "sail Rose home"


def test_what_looks_like_a_hidden_name_is_none() -> None:
    assert said_plainly("row qboat7q ashore", [ROW], [BOATS]) == "row qboat7q ashore"


def test_a_long_message_is_not_said_again() -> None:
    text = f"row Rose ashore{' ' * LONGEST}"
    assert said_plainly(text, [ROW], [BOATS]) == text


@given(st.text(st.sampled_from("aeiq wrlt,.;!?'n\n319"), max_size=120))
def test_any_text_can_be_said_again(text: str) -> None:
    plain = said_plainly(text, RULES, [BOATS])
    assert said_plainly(plain, [], [BOATS]) == plain

"""What is said in turns of speech is said again in words that are known; names stay as they are."""

import re

from hypothesis import given
from hypothesis import strategies as st

from pbem.reading.plainer import LONGEST, MOST_WAYS, Rule, load_rules, names_of, said_plainly

PACKAGES = ("pbem.games.realm_master.reading", "pbem.games.sovereigns.reading.language")
RULES = [rule for package in PACKAGES for rule in load_rules(package)]
BOATS = names_of("boat", ("Rose of Ault", "Rose"))
ROW = Rule(re.compile(r"row (qboat\d+q) ashore"), r"land \1", is_open=False)
PULL = Rule(re.compile("pull"), "row", is_open=True)


def test_a_name_is_kept_as_it_is_written() -> None:
    assert [*said_plainly("row ROSE of Ault ashore", [ROW], [BOATS])] == ["land ROSE of Ault"]


def test_what_no_rule_knows_is_not_said_again() -> None:
    assert not [*said_plainly("sail Rose home", [ROW], [BOATS])]


def test_what_may_mean_two_things_is_said_both_ways() -> None:
    assert [*said_plainly("pull, then row Rose ashore", [ROW, PULL], [BOATS])] == [
        "row, then land Rose",
        "pull, then land Rose",
    ]
    many = [PULL] * (MOST_WAYS + 1)
    assert not [*said_plainly("pull", [PULL._replace(plain="pull pull")] * len(many))]


def test_a_long_message_is_not_said_again() -> None:
    assert not [*said_plainly("pull " * LONGEST, [PULL])]


@given(st.text(st.sampled_from("aei wrlt,.;!?'n\n319"), max_size=120))
def test_any_text_can_be_said_again(text: str) -> None:
    for way in said_plainly(text, RULES, [BOATS]):
        assert way != text

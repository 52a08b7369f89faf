"""The tables of section 13 of the rules, row by row."""

import pytest

from tests.games.sovereigns.reading.tables import read
from tests.rows import each_row

READINGS = (
    ("setup", "4 resources, 3 military, 2 harmony. Call us Aldermark.", ["Split 4/3/2, Aldermark"]),
    ("year", "Harmony: 3 dice", ["Harmony: 3H"]),
    ("year", "roll three harmony this year", ["Harmony: 3H"]),
    ("year", "Let them tremble — I rule by fear.", ["Rule by Fear"]),
    (
        "year",
        "Every year put all harmony but one into the popularity roll",
        ["Every year: Harmony: all but 1"],
    ),
    (
        "year",
        "every year 3 harmony, fear if harmony is 5 or more",
        ["Every year: Rule by Fear if Ann has at least 5H else Harmony: 3H"],
    ),
    (
        "season",
        "Research with 3 resources: steel weapons, better swords and mail, +1 to military rolls",
        ["Research: 3R, steel weapons = STAT-ROLL M"],
    ),
    (
        "season",
        "My scholars study surgery (2 res + deplete 1) so that we may build a hospital",
        ["Research: 2R + 1 depleted, surgery = BLD-HOSPITAL"],
    ),
    ("season", "Raise our army by one, spending 4", ["Increase M: 4R"]),
    (
        "season",
        "Attack Borland with everything, burn the vault if we crush them",
        ["Attack Ben: all M, burn BLD-VAULT"],
    ),
    (
        "season",
        "March on Borland with 3; if they are gone, expedition with 2",
        ["Attack Ben: 3M else Expedition: 2M"],
    ),
    ("season", "Expedition west, 2 military", ["Expedition: 2M"]),
    (
        "season",
        "Send spies (1) into Borland and look for their sails plans",
        ["Espionage Ben: 1M, seek sails"],
    ),
    ("season", "Have two of my men rob Cyrene's treasury", ["Theft Chloé: 2M"]),
    ("season", "Preach the Way of the Lamp in Borland, 2 harmony", ["Spread Ben: 2H"]),
    (
        "season",
        "Offer Cyrene 2 military until year end for 1 resource for keeps",
        ["Offer Chloé: 2M until year end against 1R permanent"],
    ),
    ("season", "I accept Borland's offer", ["Accept offer 1"]),
    ("season", "deal", ["Accept offer 1"]),
    ("season", "Give Cyrene our steel", ["Offer Chloé: tech steel against nothing"]),
    (
        "season",
        "Use the boon on this one: foment revolt in Borland, 2 H",
        ["Foment Ben: 2H, boon"],
    ),
    ("season", "Nothing this season", ["Pass"]),
    ("season", "pass", ["Pass"]),
    ("season", "done", ["Done"]),
    (
        "season",
        "Dig a canal to divert their river, 3 resources, to starve Borland",
        ['Try: 3R against Ben for -1 "Dig a canal to divert their river"'],
    ),
    ("season", "I claim victory, who could stop me?", ["Claim victory"]),
    ("season", "Yes, Borland has won", ["Vote yes on Ben"]),
)
WRONG = (
    ("setup", "5 resources 5 military 1 harmony", "split-sum"),
    ("setup", "7/2/0", "split-min"),
    ("season", "Attack Atlantis with 2", "unknown-kingdom"),
    ("season", "Trade 1 harmony to Cyrene", "harmony-trade"),
    ("season", "Sell my camp to Cyrene", "building-trade"),
    ("year", "Research with 2", "not-now"),
    ("season", "Deplete 5 for research", "nothing-to-deplete"),
    ("season", "Increase resources with 3", "no-increase"),
    ("season", "Build a temple", "no-tech"),
    ("season", "Attack myself with 2", "bad-target"),
    ("season", "Attack Dunmore with 2", "bad-target"),
    ("season", "Research 0 points", "min-one"),
    ("season", "I object to action 14, you cannot smuggle an army in a cake", "no-action"),
)


@each_row(("name", "text", "texts"), READINGS)
def test_what_a_ruler_writes(name: str, text: str, texts: list[str]) -> None:
    stands, codes = read(text, name)
    assert stands == texts
    assert not codes


@each_row(("name", "text", "code"), WRONG)
def test_wrong_input_reaches_the_rules(name: str, text: str, code: str) -> None:
    assert read(text, name) == ([], (code,))


def test_points_that_are_not_there_are_warned_of_and_missing_ones_are_two() -> None:
    """E4, SS-12.10."""
    assert read("Attack Borland with 9") == (["Attack Ben: 9M"], ("not-enough",))
    assert read("Attack Borland") == (["Attack Ben: 2M"], ("points-missing",))


def test_one_action_a_season() -> None:
    """E8: the first stands."""
    stands, codes = read("Research with 2 and attack Borland with 2")
    assert (stands, codes) == (["Research: 2R"], ("one-action",))


def test_the_fallen_may_talk_and_not_act() -> None:
    """E13."""
    assert read("Attack Borland with 2", who="Dmitri") == ([], ("fallen",))


def test_an_offer_of_more_points_than_anybody_can_have_is_refused() -> None:
    """F-111."""
    assert read("Offer Ben 99999999999999999999 resources") == ([], ("out-of-range",))
    assert read("Offer Ben 999 resources")[1] == ()


def test_a_kingdom_is_not_called_after_another_ruler() -> None:
    """F-111 (SS-1.3)."""
    assert read("4/3/2. Call us Ben.", "setup") == (["Split 4/3/2"], ("bad-name",))
    assert read("4/3/2. Call us Ann.", "setup") == (["Split 4/3/2, Ann"], ())


@pytest.mark.parametrize(
    "name", ["GM", "pass", "Pass", "yes", "Attack", "x" * 200, "The " + "Y" * 50]
)
@pytest.mark.parametrize("form", ["4/3/2. Call us {}", "4/3/2\nName: {}", "4/3/2, our name is {}."])
def test_a_name_that_no_kingdom_can_have_is_refused_and_not_dropped(form: str, name: str) -> None:
    """F-111 (SS-1.3): `GM`, `pass` and 200 letters were dropped, or taken, without a word."""
    stands, codes = read(form.format(name), "setup")
    assert stands == ["Split 4/3/2"]
    assert "bad-name" in codes


def test_call_us_that_tells_no_name_is_no_name() -> None:
    """F-111: `Call us if you need me` was one."""
    assert read("4/3/2. Call us if you need me.", "setup") == (["Split 4/3/2"], ())
    assert read("4/3/2. Our name is to follow.", "setup") == (["Split 4/3/2"], ())

"""The rules guide of States & Sovereigns: an entry for every rule that the engine names, and its
numbers are those of the engine.
"""

import re
from pathlib import Path

import engine.sovereigns
from engine.sovereigns.codes import ACTIONS, COSTS
from engine.sovereigns.deeds import BALLOT_HOURS
from engine.sovereigns.orders import OFFER_HOURS
from engine.sovereigns.rulings import EASIEST, HARDEST
from engine.sovereigns.seasons.actions import MARGIN, USUAL
from engine.sovereigns.seasons.rolls import BOON_BONUS, BOON_DICE, DICE_CAP, FLAT_CAP
from engine.sovereigns.seasons.running_phase import OBJECTION_HOURS, REDO_HOURS, WINDOWS
from engine.sovereigns.seasons.seasons import CAMP_COST
from engine.sovereigns.seasons.technologies import PROPOSAL_HOURS
from engine.sovereigns.seasons.trades import MOST_SEASONS
from engine.sovereigns.seasons.year import (
    CHART,
    COUP_DIFFICULTY,
    REBELLION_DIFFICULTY,
    REBELLION_POINTS,
)
from engine.sovereigns.setup import START_SUM
from engine.sovereigns.table import REST_LIMIT
from pbem.pages.kit.rules import Book, find_rule, sections

BOOK = Book("pbem.games.sovereigns", "SS")
RULES = {rule.id: rule for section in sections(BOOK) for rule in section.rules}
COUNTS = (4, 9, 7, 21, 10, 13, 20, 14, 6, 5, 8, 9, 12, 11)
"""Rules in each section of the specification, 0 to 12, and ours on how to write."""


def text(rule: str) -> str:
    return " ".join(RULES[rule].text)


def test_every_rule_that_the_engine_names_has_an_entry() -> None:
    (folder,) = engine.sovereigns.__path__
    named = {
        rule
        for path in Path(folder).rglob("*.py")
        for rule in re.findall(r"SS-\d+\.\d+", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 100
    assert sorted(named - set(RULES)) == []


def test_entries_stand_in_their_order_without_a_gap() -> None:
    assert [section.number for section in sections(BOOK)] == list(range(len(COUNTS)))
    for section, count in zip(sections(BOOK), COUNTS, strict=True):
        numbered = [f"SS-{section.number}.{i}" for i in range(1, count + 1)]
        if section.number == 13:
            numbered = ["SS-13.0", *numbered[:-1]]
        assert [rule.id for rule in section.rules] == numbered


def test_entries_are_whole_sentences() -> None:
    for rule in RULES.values():
        assert rule.text
        assert not rule.title.endswith(".")
        for paragraph in (*rule.text, *rule.example):
            assert paragraph.endswith((".", "`")), rule.id
            assert "[" not in paragraph
            assert ";" not in paragraph[:1]


def test_the_chart_and_the_difficulties_are_those_of_the_engine() -> None:
    """SS-3.3, SS-3.4, SS-4.4 to SS-4.6, SS-6.2, SS-6.8, SS-6.14, SS-8.3, SS-12.9."""
    for (least, support), (most, _) in zip(CHART[1:5], CHART, strict=False):
        words = {"support": "is Support", "strike": "a Strike"}.get(support, support.title())
        span = f"{least} (to|or) {most - 1} is (a )?{words.removeprefix('is ').removeprefix('a ')}"
        assert re.search(span, text("SS-4.4")), support
    assert f"{CHART[0][0]} or more is Full Support" in text("SS-4.4")
    assert "1 or 2 is a Rebellion, 0 a Coup" in text("SS-4.4")
    assert f"against {REBELLION_DIFFICULTY}," in text("SS-4.5")
    assert f"against {COUP_DIFFICULTY}," in text("SS-4.6")
    assert f"{REBELLION_POINTS} Military" in text("SS-12.9")
    assert f"It is {USUAL}," in text("SS-3.3")
    assert text("SS-3.4").count(f"by {MARGIN} or more") == 2
    for rule in ("SS-6.1", "SS-6.2", "SS-6.8", "SS-6.11", "SS-6.12"):
        assert f"against {USUAL}" in text(rule), rule
    assert f"from {EASIEST} to {HARDEST}" in text("SS-8.3")
    assert f"adds {BOON_BONUS} to one later roll" in text("SS-6.14")
    assert f"or {BOON_DICE} dice" in text("SS-6.14")
    assert f"than {FLAT_CAP} to the sum" in text("SS-3.10")
    assert f"than {DICE_CAP} dice" in text("SS-3.10")
    assert f"than {REST_LIMIT} either way" in text("SS-6.20")
    assert RULES["SS-1.2"].title.startswith(f"{START_SUM} points")


def test_every_action_and_every_code_has_its_words() -> None:
    """SS-6.1 to SS-6.15, SS-7.6 to SS-7.8."""
    titles = " ".join(rule.title for rule in RULES.values() if rule.section == 6)
    for action in ACTIONS:
        assert action in titles, action
    for code, cost in COSTS.items():
        code = "BLD-WORKS M" if code.startswith("BLD-WORKS") else code
        assert re.search(rf"`{code}` costs {cost}\b", text("SS-7.7")), code
    assert f"{CAMP_COST} free Resources" in text("SS-7.7")
    for code in ("STAT-ROLL", "STAT-ACT", "STAT-DEF", "STAT-YEAR", "STAT-CALM", "STAT-DEPL"):
        assert f"`{code}" in text("SS-7.6")
    for code in ("ANA-DIE", "ANA-DOUBLE", "ANA-CHEAP"):
        assert f"`{code}" in text("SS-7.8")


def test_the_hours_are_those_of_the_engine() -> None:
    """SS-5.5, SS-5.6, SS-7.3, SS-10.3, SS-11.5, SS-12."""
    told = {
        "SS-12.1": WINDOWS["setup"],
        "SS-12.2": WINDOWS["year-start"],
        "SS-12.3": WINDOWS["season"],
        "SS-12.4": PROPOSAL_HOURS,
        "SS-12.5": OBJECTION_HOURS,
        "SS-12.6": REDO_HOURS,
        "SS-12.7": BALLOT_HOURS,
        "SS-11.5": BALLOT_HOURS,
        "SS-5.5": OFFER_HOURS,
        "SS-7.3": PROPOSAL_HOURS,
        "SS-10.3": OBJECTION_HOURS,
    }
    for rule, hours in told.items():
        assert f"{hours} hours" in text(rule), rule
    assert f"1 to {MOST_SEASONS} seasons" in text("SS-5.6")


def test_rules_are_found_as_people_ask_for_them() -> None:
    assert find_rule("6.4", BOOK).id == "SS-6.4"
    assert find_rule("ss 13.0", BOOK).id == "SS-13.0"
    assert find_rule("0.1", BOOK).id == "SS-0.1"
    assert find_rule("rule by fear", BOOK).id == "SS-4.8"

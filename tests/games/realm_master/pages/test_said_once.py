"""What is equal is said once, in whole sentences (READING section 4)."""

import pytest

from engine.realm_master import events as e
from engine.realm_master.event_kinds import AnyFacts
from pbem.games.realm_master.pages.letters import PAGES
from tests.games.realm_master.pages.sample import happened, state, view

GOLD = e.Gain(gold=2)
ROOM = e.Gain()


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            e.HeroesGiven("T15", ((2, GOLD), (3, GOLD), (4, GOLD))),
            "Bartek, Chloé and Dmytro get 2 gold each.",
        ),
        (
            e.HeroesGiven("T15", ((2, GOLD), (3, e.Gain(gold=1)))),
            "Bartek gets 2 gold, Chloé gets 1 gold.",
        ),
        (
            e.LandsFilled("T11", (("KUR", GOLD), ("JER", GOLD), ("MER", ROOM))),
            "Kurull and Jerum get 2 gold each. No room in Mertle.",
        ),
        (
            e.TributePaid(2, (("gold", "KUR"), ("gold", "KUR")), (), ()),
            "Bartek pays 2 gold to Kurull.",
        ),
    ],
)
def test_equal_values_are_said_once(facts: AnyFacts, words: str) -> None:
    (event,) = happened(facts)
    told = PAGES.describe_event(event, view(state(), None)).replace("\xa0", " ")
    assert told.partition(": ")[2] == words

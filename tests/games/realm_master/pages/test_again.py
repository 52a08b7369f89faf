"""Turns played again (RM-11.9): asked is only what is still to be decided, and nobody is asked for
what is past.
"""

from engine.realm_master.state import State
from engine.ruleset import Standing
from pbem.games.realm_master.pages.letters import PAGES
from pbem.pages.page import Page, Reader
from tests.games.realm_master.engine.playing import act, close
from tests.games.realm_master.pages.sample import state, table, view

PLAYERS: dict[str, dict[str, object]] = {
    "Anna": {"hero": "elf", "hgb": "8/4/1"},
    "Bartek": {"hero": "barbarian", "hgb": "9/4/0"},
    "Chloé": {"hero": "wizard", "hgb": "7/6/0"},
}


def after_undo(turn: int, **anna: object) -> State:
    """A round with a tribute of two gold, of which the game master takes back all from that turn
    on.
    """
    players = PLAYERS | {"Anna": PLAYERS["Anna"] | anna}
    first = state(players=players, card="T05", round=1, turns=0, turn_deck=["T01", "T02"])
    keep = dict.fromkeys(players, "Reroll: keep the rest; Attack: no; When hit: stay")
    return act(close(first, keep).state, "gm", {"act": "undo", "turn": turn}).state


def question(shown: State, number: int, name: str) -> Page:
    return PAGES.turn(table(), Reader(number, name, "UTC"), view(shown, number), (), Standing())


def flat(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def test_asked_are_those_whose_turns_are_played_again_and_occupants() -> None:
    assert after_undo(2).asked == (2, 3)
    assert after_undo(3).asked == (3,)
    assert after_undo(2, at="JER").asked == (1, 2, 3)
    assert after_undo(1).asked == (1, 2, 3)


def test_the_order_names_the_turns_to_come_and_the_tribute_is_paid() -> None:
    page = question(after_undo(2), 2, "Bartek")
    for words in (flat(page.text), flat(page.chat)):
        assert "Played again: you, Chloé." in words.replace("<b>", "").replace("</b>", "")
        assert "Everybody has paid." in words
        assert "Tribute:" not in words.replace("Tribute: 2 gold", "")
    assert "Played again: you, Chloé." in flat(page.text)
    assert "BARTEK, YOUR PLAN FOR ROUND 1, PLEASE" in page.text
    whole = question(after_undo(1), 1, "Anna")
    assert "Played again: you, Bartek, Chloé." not in flat(whole.text)
    assert "Turns: you, Bartek, Chloé." in flat(whole.text)
    assert "Everybody has paid." in flat(whole.text)


def test_an_occupant_whose_turn_stands_is_asked_only_what_a_blow_would_ask() -> None:
    page = question(after_undo(2, at="JER"), 1, "Anna")
    assert "ANNA, STAY OR LEAVE IF A HERO HITS YOU?" in page.text
    assert "Your own turn is over." in flat(page.text)
    assert "Your own turn is over." in flat(page.chat)
    assert "When hit: " in page.text
    assert not [
        line
        for line in page.text.splitlines()
        if line.strip().startswith(("Reroll: reroll", "Enter:", "Buy:", "Tribute: gold"))
    ]


def test_a_round_as_it_opens_asks_everybody_for_the_tribute_too() -> None:
    shown = state(players=PLAYERS, card="T05", round=1, turns=0)
    assert shown.asked == (1, 2, 3)
    page = question(shown, 1, "Anna")
    assert "Tribute: gold to" in page.text
    assert "Everybody has paid" not in page.text
    assert "Turns: you, Bartek, Chloé." in flat(page.text)

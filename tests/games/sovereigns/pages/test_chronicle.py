"""The history of the world as a page of a gallery: what counts, when, and of whom; only what
everybody knows.
"""

import re
from collections.abc import Iterable
from html import unescape
from typing import Any

import pytest

from engine.ruleset import Event, Facts
from engine.sovereigns import events as e
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import State
from engine.sovereigns.view import view_of
from pbem.games.sovereigns.pages.chronicle import Invention, history, inventions
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.pages.page import PhaseEvents, TellsStory
from tests.games.sovereigns.engine import playing
from tests.games.sovereigns.pages.played import Step, play


def past_of(
    steps: Iterable[Step], *, with_secrets: bool = False
) -> tuple[list[PhaseEvents], State]:
    """The closes of a game as the house tells them, and the position in the end."""
    past: list[PhaseEvents] = []
    turn, kind = 0, "start"
    for step in steps:
        if not step.closed:
            continue
        told = step.events if with_secrets else step.told(None)
        past.append(PhaseEvents(len(past), turn, kind, told))
        phase, state = SOVEREIGNS.phase(step.state), step.state
        turn, kind = phase.turn, phase.kind
    return past, state


def page_of(state: State, past: list[PhaseEvents]) -> str:
    return PAGES.chronicle(view_of(state, None), past)


def words_of(page: str) -> str:
    body = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def kind_of(number: int) -> str:
    """Of a phase of the first two years, from year start 1 on."""
    return "year-start" if number in (1, 6) else "season"


def told_by(game: playing.Play, number: int) -> PhaseEvents:
    """What has happened since the last such call."""
    events = tuple(event for event in game.events if event.is_for(None))
    game.events.clear()
    return PhaseEvents(number, 1 if number < 6 else 2, kind_of(number), events)


def test_the_pages_of_this_game_tell_a_story() -> None:
    assert isinstance(PAGES, TellsStory)


@pytest.mark.parametrize("seed", range(5))
def test_whole_games_are_told_and_every_link_leads_somewhere(seed: int) -> None:
    past, state = past_of(play(2 + seed, seed))
    page = page_of(state, past)
    for target in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{target}"' in page
    assert "Year 1" in page
    text = words_of(page)
    for year, theme in ((one.year, one.theme) for one in history(past)):
        assert year <= state.year
        assert theme
    for kingdom in state.kingdoms:
        assert not kingdom.fell or f"{kingdom.name} falls" in text
    fallen = [one.facts.kingdom for one in history(past) if isinstance(one.facts, e.Fallen)]
    assert sorted(fallen) == sorted(k.number for k in state.kingdoms if not k.alive)


def test_nothing_private_is_told_even_if_it_is_handed_over() -> None:
    """SS-1.9, SS-5.4."""
    for seed in (1, 2):
        public, state = past_of(play(4, seed))
        all_of_it, _ = past_of(play(4, seed), with_secrets=True)
        assert public != all_of_it
        assert page_of(state, public) == page_of(state, all_of_it)


def test_before_anything_has_happened_the_page_says_so() -> None:
    state = playing.new_game(3)
    page = page_of(state, [PhaseEvents(0, 0, "start", ())])
    assert "Nothing public has happened yet" in page


def test_names_are_never_part_of_the_page_itself() -> None:
    state = playing.table({"A": {"name": "<b>Land"}, "B": {}, "C": {}})
    facts: tuple[Facts, ...] = (
        e.TechnologyGot(1, "<i>steel", "STAT-ROLL M"),
        e.Ruled("<script>"),
    )
    past = [PhaseEvents(0, 2, "season", tuple(Event(one, ("SS-1.1",)) for one in facts))]
    page = page_of(state, past)
    assert not re.search("<b>Land|<i>steel|<script>", page)
    assert "<b>Land discovers <i>steel" in words_of(page).replace("  ", " ")


# ------------------------------------------------------------------------------ taken back, done again
def attacking(season: str = "Spring") -> playing.Play:
    game = playing.Play(
        playing.table(
            {"A": {"M": 9}, "B": {"M": 1, "bld": ["BLD-WALL"]}, "C": {"M": 3}}, season=season
        )
    )
    game.say("A", "Attack B: 9M")
    game.say("C", "Expedition: 3M")
    return game


def opened(number: int) -> list[PhaseEvents]:
    """What came in the first year before the phase of this number; nothing is told of it."""
    return [at(1, kind="year-start"), *(at(earlier) for earlier in range(2, number))]


def acted(past: list[PhaseEvents]) -> list[tuple[Any, ...]]:
    return [
        (one.year, one.season, one.facts.action, one.facts.kingdom)
        for one in history(past)
        if isinstance(one.facts, e.ActionResolved)
    ]


@pytest.mark.parametrize(("season", "number"), [("Spring", 2), ("Winter", 5)])
def test_what_was_taken_back_is_not_told_and_what_took_its_place_is_of_its_season(
    season: str, number: int
) -> None:
    """SS-10.5: after the redo the world has another history."""
    game = attacking(season)
    game.close()
    past = [*opened(number), told_by(game, number)]
    assert (1, season, "Attack", 1) in acted(past)
    action = next(
        event.facts.n
        for event in past[-1].events
        if isinstance(event.facts, e.ActionResolved) and event.facts.action == "Attack"
    )
    game.say("C", f"Object to action {action}: no")
    game.act("gm", {"act": "verdict", "objection": 1, "upheld": True})
    before = page_of(game.state, [*past, told_by(game, number + 1)])
    assert "A defeats B" in words_of(before), "until it is done again all lies as it does"
    game.say("A", "Redo: Security: 2M")
    game.close()
    past.append(told_by(game, number + 1))
    assert [one for one in acted(past) if one[2] == "Attack"] == []
    assert ("Expedition" in {one[2] for one in acted(past)}) == (game.state.expeditions > 0), (
        "of other things only what succeeded"
    )
    assert {one[:2] for one in acted(past)} <= {(1, season)}
    assert "Action" not in words_of(page_of(game.state, past))


def test_what_came_of_an_action_stands_with_it() -> None:
    game = attacking()
    game.close()
    past = [*opened(2), told_by(game, 2)]
    (attack,) = [
        one
        for one in history(past)
        if isinstance(one.facts, e.ActionResolved) and one.facts.action == "Attack"
    ]
    assert [type(one) for one in attack.spoils] == [e.PointLost, e.Captured, e.Destroyed]
    text = words_of(page_of(game.state, past))
    assert "B loses 1\N{NO-BREAK SPACE}Military." in unescape(page_of(game.state, past))
    assert "B loses its wall." in text


# -------------------------------------------------------------------------------- who discovered what
def at(number: int, *facts: Facts, year: int = 1, kind: str = "season") -> PhaseEvents:
    return PhaseEvents(number, year, kind, tuple(Event(one, ("SS-7.3",)) for one in facts))


def test_who_discovered_what_and_who_has_it_from_them() -> None:
    past = [
        *opened(3),
        at(3, e.TechnologyGot(1, "steel", "STAT-ROLL M"), e.TechnologyGot(2, "tea", "STAT-CALM")),
        at(4, e.TechnologyGot(3, "steel", "STAT-ROLL M"), e.TechnologyChanged("unknown", "")),
        at(5),
        at(6, kind="year-start", year=2),
        at(7, year=2),
        at(
            8,
            e.TechnologyChanged("steel", "STAT-DEF M"),
            e.TechnologyChanged("tea", ""),
            year=2,
        ),
    ]
    assert inventions(history(past)) == (Invention("steel", "STAT-DEF M", 1, 1, "Summer", (3,)),)
    text = words_of(page_of(playing.table({"A": {}, "B": {}, "C": {}}), past))
    assert "A discovers steel" in text
    assert "C gets steel" in text
    assert "steel +2 when Military defends A Year 1, Summer C" in text

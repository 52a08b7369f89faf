"""Scripted players of Fortresses: what they write is read as what they meant, and their games come
to an end.
"""

import random

import pytest

from engine.chance import Chance
from engine.fortresses import orders as o
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.state import State
from engine.ruleset import Standing
from pbem.games.fortresses.play.phrases import BOOK, heading_of, phrase, phrase_all, whole_groups
from pbem.games.fortresses.play.strategy import plan
from pbem.games.fortresses.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.play import Seen, Temper
from tests.games.fortresses.engine.playing import seats

MOST_WINDOWS = 240
TEMPERS = (Temper(0.6, 0.6, 0.7), Temper(0.4, 0.4, 0.8), Temper(0.7), Temper(0.8))


def new_game(players: int, seed: int) -> State:
    return FORTRESSES.setup({}, seats(players), Chance(bytes([seed]))).state


def seen_by(state: State, number: int) -> Seen:
    return Seen(number, FORTRESSES.view(state, number), tuple(FORTRESSES.legal(state, number)))


def play_on(state: State, seed: int, place: int, used: set[str]) -> tuple[State, int]:
    """One window: whoever is asked writes what is wanted; nothing of it is refused or read
    otherwise.
    """
    rng = random.Random(f"{seed}/{state.question}")
    (number,) = FORTRESSES.phase(state).asked
    seen = seen_by(state, number)
    wanted = plan(seen, TEMPERS[number % len(TEMPERS)], rng)
    assert wanted, state.stage
    checked = FORTRESSES.check(state, number, Standing(), wanted)
    assert checked.problems == ()
    text = "\n".join(phrase_all(wanted, seen.view, rng))
    whole = whole_groups(wanted, seen.view)
    used |= {heading_of(order, whole) or BOOK.heading(order) for order in wanted}
    if state.stage != "battle":
        text = f"{text}\n{phrase(o.Done(), rng)}"
        is_kept = any(isinstance(order, o.Then) for order in wanted)
        wanted = (*wanted, o.Then(o.Done()) if is_kept else o.Done())
    reading = read_alone(READER.read, state, number, Standing(), text)
    refused = [
        problem for item in reading.items for problem in item.problems if not problem.warning
    ]
    assert refused == [], text
    assert reading.checked is not None
    told = FORTRESSES.check(state, number, Standing(), wanted)
    assert reading.checked.standing.orders == told.standing.orders, text
    assert reading.checked.complete
    stream = Chance(bytes([seed]), place)
    after = FORTRESSES.adjudicate(state, {number: told.standing.orders}, stream).state
    return after, stream.place


@pytest.mark.sample(2)
@pytest.mark.parametrize(("seed", "players"), [(1, 2), (2, 3), (4, 4), (6, 4)])
def test_whole_games_are_played_in_plain_words(seed: int, players: int) -> None:
    used: set[str] = set()
    state, place = new_game(players, seed), 0
    for _ in range(MOST_WINDOWS):
        if state.stage == "over":
            break
        state, place = play_on(state, seed, place, used)
    assert state.stage == "over"
    assert state.how == "fortresses"
    assert len(used & BOOK.phrases.keys()) > 8

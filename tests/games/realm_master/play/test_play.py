"""Scripted players of Realm-Master: what they write is read as what they meant, and their games
come to an end.
"""

import random

import pytest

from engine.chance import Chance
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.ruleset import Standing
from pbem.games.realm_master.play.phrases import kind_of
from pbem.games.realm_master.play.script import RealmMasterPlay
from pbem.games.realm_master.play.strategy import plan
from pbem.games.realm_master.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.phrases import read_phrases
from pbem.play import Seen, Temper
from tests.games.realm_master.engine.playing import new_game

MOST_WINDOWS = 1500
TEMPERS = (
    Temper(0.9, 0.5, 0.2),
    Temper(0.2, 0.9, 0.9),
    Temper(0.5, 0.5, 0.8),
    Temper(0.7, 0.1, 0.5),
)


def play_on(state: State, seed: int, place: int, used: set[str]) -> tuple[State, int]:
    """One window: everybody who is asked writes what they want; nothing of it is refused or read
    otherwise.
    """
    rng = random.Random(f"{seed}/{place}/{state.question}")
    orders = {}
    for number in state.asked:
        seen = Seen(
            number, REALM_MASTER.view(state, number), tuple(REALM_MASTER.legal(state, number))
        )
        wanted = plan(seen, TEMPERS[number % len(TEMPERS)], rng)
        assert wanted, state.stage
        text = "\n".join(RealmMasterPlay().word(seen, wanted, rng))
        used |= {kind_of(order)[0] for order in wanted}
        reading = read_alone(READER.read, state, number, Standing(), text)
        refused = [
            problem.code
            for item in reading.items
            for problem in item.problems
            if not problem.warning
        ]
        assert refused == [], (text, refused)
        assert reading.checked is not None
        assert (
            reading.checked.standing.orders
            == REALM_MASTER.check(state, number, Standing(), wanted).standing.orders
        ), text
        orders[number] = reading.checked.standing.orders
    stream = Chance(seed.to_bytes(4, "big"), place)
    return REALM_MASTER.adjudicate(state, orders, stream).state, stream.place


@pytest.mark.parametrize(
    ("seed", "players", "mode"),
    [(1, 4, "standing"), (2, 6, "standing"), (3, 2, "standing"), (4, 3, "interactive")],
)
def test_whole_games_are_played_in_plain_words(seed: int, players: int, mode: str) -> None:
    used: set[str] = set()
    state, place = new_game(players, mode=mode), 0
    for _ in range(MOST_WINDOWS):
        if state.stage == "over":
            break
        state, place = play_on(state, seed, place, used)
    assert state.stage == "over"
    assert state.winners
    assert len(used & read_phrases("pbem.games.realm_master.play").keys()) > 6

"""What a player can still use stands in the turn mail in exact words, and each of those words is
read back as the order it names.
"""

import random

from engine.chance import Chance
from engine.protectors.checking.usable import usable
from engine.protectors.colours import COLOURS
from engine.protectors.orders import FACTIONS
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.state import State
from engine.ruleset import Seat, Standing
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.engine.tabletop import position
from tests.rows import each_row

SEED = bytes(range(32))
PHASES = ("bidding", "orders", "consolidation", "dragon")


def table(faction: str, phase: str, *, island: bool) -> State:
    told: dict[str, object] = (
        {"attack": {"during": "reveal"}, "in_play": ["Calms of Summer", "There be Dragons!"]}
        if phase == "dragon"
        else {}
    )
    lands = "1 Ann 1 III, 2 Ann 1 burnt, 3 Ben 1, 4 Cid 1" + (", 0 Ann 1" if island else "")
    players = {"Ann": {"faction": faction, "realm": 400}, "Ben": {"realm": 400}, "Cid": {}}
    return position(
        lands,
        phase=phase,
        options={"factions": "choice", "island": island},
        players=players,
        **told,
    )


@each_row("island", [False, True])
@each_row("phase", PHASES)
@each_row("faction", FACTIONS)
def test_every_word_of_what_can_be_used_is_read_back(
    faction: str, phase: str, island: bool
) -> None:
    state = table(faction, phase, island=island)
    listed = usable(state, 1)
    taken = 0
    for entry in listed:
        order = READER.read_canonical(state, entry.words)
        reading = read_alone(READER.read, state, 1, Standing(), entry.words)
        if entry.now:
            taken += 1
            assert reading.checked is not None, entry.words
            assert order in reading.checked.accepted, entry.words
        else:
            assert reading.checked is None or order not in reading.checked.accepted, entry.words
            problems = [problem for item in reading.items for problem in item.problems]
            assert problems, f"{entry.words} is no order of this window, and that is said"
            assert all(problem.code != "not-understood" for problem in problems), entry.words
    if phase == "orders" and faction == "Kalu'Ak":
        assert taken
    if phase == "consolidation" and island:
        assert {"Take Crusade"} <= {entry.words for entry in listed} or faction == "Iron Light"


def test_the_words_of_a_whole_game_are_read_back() -> None:
    """At every question of a game with everything on, whatever a player may still use is
    understood.
    """
    chance = Chance(SEED)
    seats = [Seat(number, f"Player {chr(64 + number)}", COLOURS[number]) for number in range(1, 5)]
    state: State = PROTECTORS.setup(
        {"factions": "chance", "island": True, "teams": 2, "version": "grand"}, seats, chance
    ).state
    drawn, words = random.Random(7), set()
    for _ in range(14):
        if state.stage == "over":
            break
        for player in state.ranking:
            for entry in usable(state, player):
                reading = read_alone(READER.read, state, player, Standing(), entry.words)
                order = READER.read_canonical(state, entry.words)
                assert (
                    reading.checked is not None and order in reading.checked.accepted
                ) == entry.now, entry.words
                words.add(entry.words)
        orders = {
            player: tuple(drawn.sample(legal, min(2, len(legal))))
            for player in state.ranking
            if (legal := list(PROTECTORS.legal(state, player)))
        }
        state = PROTECTORS.adjudicate(state, orders, chance).state
    assert len(words) > 4

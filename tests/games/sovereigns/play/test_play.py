"""Scripted rulers of States & Sovereigns: what they write is read as what they meant, and their games
come to an end.
"""

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Seat, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.seasons.running_phase import deadline
from engine.sovereigns.view import view_of
from pbem.demo.cast import whole_cast
from pbem.demo.writing import write_letter
from pbem.games.sovereigns.play.phrases import kind_of, phrase
from pbem.games.sovereigns.play.strategy import answers, early, plan
from pbem.games.sovereigns.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from pbem.phrases import read_phrases
from pbem.play import Seen
from tests.games.sovereigns.engine.playing import Play

MOST_PHASES = 60
ALL_ANSWER_BY = 40
"""At this hour the last order of a phase has come."""


class Council:
    """A game whose rulers write in their own words: some letters, some just lines."""

    def __init__(self, players: int, seed: int) -> None:
        self.people = whole_cast()[:players]
        seats = [Seat(n, person.name, f"colour {n}") for n, person in enumerate(self.people, 1)]
        state = SOVEREIGNS.setup({}, seats, Chance(bytes([seed]))).state
        self.game = Play(state, Chance(bytes([seed, seed])))
        self.seed = seed
        self.used: set[str] = set()

    def luck(self, number: int, about: str) -> random.Random:
        return random.Random(f"{self.seed}/{number}/{self.game.state.question}/{about}")

    def seen(self, number: int) -> Seen:
        state = self.game.state
        public = tuple(event for event in self.game.events[-40:] if event.audience is None)
        return Seen(number, view_of(state, number), tuple(SOVEREIGNS.legal(state, number)), public)

    def write(self, number: int, orders: Sequence[o.Order]) -> None:
        """Nothing of it is refused or read otherwise."""
        if not orders:
            return
        state, view = self.game.state, view_of(self.game.state, number)
        standing = self.game.standing.get(number, Standing())
        rng = self.luck(number, "words")
        lines = [phrase(order, view, rng) for order in orders]
        self.used |= {kind_of(order) for order in orders}
        person = self.people[number - 1]
        text = write_letter(person, lines, rng) if number % 2 else "\n".join(lines)
        reading = read_alone(READER.read, state, number, standing, text)
        told = SOVEREIGNS.check(state, number, standing, orders)
        assert told.problems == (), orders
        assert [p.code for item in reading.items for p in item.problems] == [], text
        assert reading.checked is not None
        assert list(map(plain, reading.checked.accepted)) == list(map(plain, told.accepted)), text
        self.game.say(person.name, *(SOVEREIGNS.format_order(state, order) for order in orders))

    def said(self, about: str, number: int) -> tuple[o.Order, ...]:
        seen, rng = self.seen(number), self.luck(number, about)
        if about == "answers":
            return answers(seen, rng)
        return (early if about == "early" else plan)(seen, self.people[number - 1].temper, rng)

    def phase(self) -> None:
        """One phase: what is said early, the answers to it, and the orders."""
        game, question = self.game, self.game.state.question
        for about in ("early", "answers", "plan"):
            for number in game.state.living:
                if game.state.question != question or number not in game.state.living:
                    continue
                said = self.said(about, number)
                assert said or about != "plan", game.state.stage
                self.write(number, said)
        if game.state.question == question and game.state.stage != "over":
            game.clock(min(ALL_ANSWER_BY, deadline(game.state) - 1))
            game.close()


def plain(order: o.Order) -> o.Order:
    """Without the words of a free-form action and the reason of an objection, where the rest of a
    letter may go on.
    """
    if isinstance(order, o.Object):
        return replace(order, why="")
    if isinstance(order, o.Do):
        return o.Do(tuple(replace(way, words="") for way in order.ways), order.condition)
    return order


@pytest.mark.sample(2)
@pytest.mark.parametrize(("seed", "players"), [(1, 5), (2, 4), (3, 5), (4, 7), (6, 3)])
def test_whole_games_are_played_in_plain_words(seed: int, players: int) -> None:
    council = Council(players, seed)
    for _ in range(MOST_PHASES):
        if council.game.state.stage == "over":
            break
        council.phase()
    state = council.game.state
    assert state.stage == "over"
    assert state.winners
    assert council.game.problems == {}
    assert len(council.used & read_phrases("pbem.games.sovereigns.play").keys()) > 12

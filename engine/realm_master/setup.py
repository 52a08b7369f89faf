"""Laying out a new game, and what a table may vote on before (RM-1)."""

from collections.abc import Mapping, Sequence

import msgspec

from engine.chance import Chance
from engine.realm_master.cards import (
    LANDS_IN_PLAY,
    ROW_SIZE,
    all_buy_cards,
    all_lands,
    all_turn_cards,
)
from engine.realm_master.events import GameSetUp, OptionVoted, WindowOpened
from engine.realm_master.flow import WINDOWS, window_rules
from engine.realm_master.state import Heroes, Land, Options, Player, State
from engine.ruleset import Ballot, Event, Fact, Outcome, Seat

FEWEST_PLAYERS, MOST_PLAYERS = 2, 6
SET_UP_RULES = (
    "RM-0.1",
    "RM-0.4",
    "RM-0.5",
    "RM-1.1",
    "RM-1.2",
    "RM-1.3",
    "RM-1.4",
    "RM-1.7",
    "RM-1.8",
    "RM-1.9",
)
QUESTIONS: Mapping[str, tuple[str, ...]] = {"mode": ("standing", "interactive")}


def check_options(options: Mapping[str, object]) -> Options:
    """The options of a table; ValueError, saying what, if there is no such option or value."""
    for name in options:
        if name not in Options.__struct_fields__:
            raise ValueError(
                f"there is no option {name!r}; there are {', '.join(Options.__struct_fields__)}"
            )
    try:
        return msgspec.convert(dict(options), Options)
    except msgspec.ValidationError as wrong:
        raise ValueError("mode is standing or interactive, early_close yes or no") from wrong


def settle_votes(
    questions: Sequence[str], votes: Sequence[Mapping[str, str]], chance: Chance
) -> Ballot:
    """Count the votes on the way of playing; a tie falls to a coin (RM-11.1, RM-11.2)."""
    for question in questions:
        if question not in QUESTIONS:
            raise ValueError(f"{question!r} is not voted on")
    for question, answer in (entry for vote in votes for entry in vote.items()):
        if question not in questions or answer not in QUESTIONS[question]:
            raise ValueError(f"{answer!r} is no answer to {question!r}")
    settled: dict[str, str] = {}
    events: list[Event] = []
    for question in (known for known in QUESTIONS if known in questions):
        first, second = QUESTIONS[question]
        counts = tuple(
            (answer, sum(vote.get(question) == answer for vote in votes))
            for answer in (first, second)
        )
        by_coin = counts[0][1] == counts[1][1]
        wins_first = chance.coin(f"vote: {question}") if by_coin else counts[0][1] > counts[1][1]
        settled[question] = first if wins_first else second
        events.append(
            Event(OptionVoted(question, settled[question], counts, by_coin), ("RM-11.1", "RM-11.2"))
        )
    return Ballot(options_voted(settled), tuple(events))


def options_voted(answers: Mapping[str, str]) -> dict[str, Fact]:
    """The table options that these answers mean."""
    return {question: answer for question, answer in answers.items() if question in QUESTIONS}


def check_players(options: Mapping[str, object], players: int) -> None:
    """ValueError if this many cannot play (RM-1.1)."""
    check_options(options)
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise ValueError(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {players}")


def set_up(options: Mapping[str, object], seats: Sequence[Seat], chance: Chance) -> Outcome[State]:
    """Seats, lands, buy deck and turn deck are shuffled, in this order (RM-0.4); the heroes are
    asked for first.
    """
    chosen = check_options(options)
    check_players(options, len(seats))
    _check_seats(seats)
    numbers = {seat.name: seat.number for seat in seats}
    seating = tuple(numbers[name] for name in chance.shuffle("seating", tuple(numbers)))
    lands = choose_lands(chance.shuffle("lands", tuple(all_lands())))
    deck = chance.shuffle("buy deck", tuple(all_buy_cards()))
    turn_deck = chance.shuffle("turn deck", tuple(all_turn_cards()))
    state = State(
        options=chosen,
        players=tuple(Player(seat.number, seat.name, seat.colour) for seat in seats),
        seating=seating,
        lands=tuple(full_land(key) for key in lands),
        asked=tuple(sorted(seating)),
        mode=chosen.mode,
        turn_deck=turn_deck,
        buy_deck=deck[ROW_SIZE:],
        row=tuple((card,) for card in deck[:ROW_SIZE]),
        agenda=(Heroes(),),
    )
    facts = GameSetUp(seating, lands, deck[:ROW_SIZE], chosen.mode)
    rules = (*SET_UP_RULES, *(all_lands()[key].rule for key in lands))
    window = WindowOpened("heroes", state.asked, WINDOWS["heroes"])
    return Outcome(state, (Event(facts, rules), Event(window, window_rules("heroes"))))


def choose_lands(shuffled: Sequence[str]) -> tuple[str, ...]:
    """The first four; if none costs no gold, the first of the others that does takes the fourth
    place (RM-1.3, RM-1.4).
    """
    lands, rest = list(shuffled[:LANDS_IN_PLAY]), shuffled[LANDS_IN_PLAY:]
    if all(all_lands()[key].gold for key in lands):
        lands[-1] = next(key for key in rest if not all_lands()[key].gold)
    return tuple(lands)


def full_land(key: str) -> Land:
    """A land with its starting resources (RM-1.7)."""
    start = all_lands()[key].start
    return Land(key, start.hearts, start.gold, start.banners)


def _check_seats(seats: Sequence[Seat]) -> None:
    if [seat.number for seat in seats] != list(range(1, len(seats) + 1)):
        raise ValueError("players are numbered from 1 in the order of joining")
    for what, told in (
        ("name", [seat.name for seat in seats]),
        ("colour", [seat.colour for seat in seats]),
    ):
        if len(set(told)) < len(told):
            raise ValueError(f"two players have the same {what}")
    for seat in seats:
        if not seat.name.strip():
            raise ValueError(f"player {seat.number} has no name")
        if seat.team is not None or seat.place is not None or seat.faction is not None:
            raise ValueError(f"{seat.name} has a team or a faction in a game without them")

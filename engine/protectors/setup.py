"""Set-up: the votes before the start, the land, the start places and the decks (section 1 of the
rules).
"""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from engine.chance import Chance
from engine.protectors.ability_events import FactionsSettled
from engine.protectors.asked import asked_players
from engine.protectors.cards import standard_deck
from engine.protectors.colours import SYMBOLS
from engine.protectors.events import GameSetUp, OptionVoted, TurnBegan, WindowOpened
from engine.protectors.factions.choice import draw_faction
from engine.protectors.flow import window_rules
from engine.protectors.lands import (
    MOST_PLAYERS,
    MOST_PROVINCES,
    LandPlan,
    both_ways,
    check_borders,
    generate_land,
)
from engine.protectors.numbers import hours_of
from engine.protectors.orders import FACTIONS, Faction
from engine.protectors.state import DECKS, Deck, Options, Player, Province, State
from engine.protectors.teams import Teams, arcs_of, form_teams, team_size
from engine.ruleset import Ballot, Choices, Event, Fact, Outcome, Seat

QUESTIONS: Mapping[str, tuple[str, str]] = {
    "version": ("normal", "grand"),
    "team game": ("no", "yes"),
    "factions": ("no", "yes"),
    "factions by": ("choice", "chance"),
}
"""What the players vote on before the start, and the two answers to each, the first being heads
(PR-1.4).
"""


VOTED_TEAMS = 2
"""How many teams a vote for a team game means."""


class _OwnLand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game master's own land among the options: borders named once or both ways, a start place
    for each player.
    """

    provinces: int
    borders: tuple[tuple[int, int], ...]
    starts: tuple[int, ...]


def set_up(options: Mapping[str, object], seats: Sequence[Seat], chance: Chance) -> Outcome[State]:
    """Deal a new game and open the first bids; ValueError if options or seats do not fit the rules.

    Besides the table options, `land` may hold a game master's own land: provinces, borders, starts
    (PR-1.6).
    """
    chosen, own = _read_options(options)
    _check_seats(seats, chosen)
    land = _land_of(chosen, own, len(seats))
    teams: Teams = {}
    if chosen.teams:
        land, teams, starts = _place_teams(land, chosen.teams, seats, chance)
    else:
        names = {seat.name: seat for seat in seats}
        dealt = chance.shuffle(
            "start places", tuple(names)
        )  # before the decks, in this order (PR-1.12)
        starts = {names[name].number: place for name, place in zip(dealt, land.starts, strict=True)}
    decks = {deck: Deck(chance.shuffle(f"{deck} deck", standard_deck(deck))) for deck in DECKS}
    owners = {place: number for number, place in starts.items()}
    team_of = {number: team for team, members in teams.items() for number in members}
    factions = {seat.number: _faction_of(seat, chosen, chance) for seat in seats}
    state = State(
        options=chosen,
        land=land,
        starting_players=len(seats),
        players=tuple(
            _player(seat, starts[seat.number], factions[seat.number], team_of.get(seat.number))
            for seat in seats
        ),
        board=tuple(
            Province(owners.get(i), 1 if i in owners else 0) for i in range(land.provinces + 1)
        ),
        ranking=tuple(seat.number for seat in seats),
        event=decks["event"],
        dragons=decks["dragons"],
        sea=decks["sea"],
        end=decks["end"],
    )
    rules = ["PR-1.1", "PR-1.2", "PR-1.3", "PR-1.5", "PR-1.6", "PR-1.7", "PR-1.12", "PR-4.1"]
    rules += [
        rule for applies, rule in ((bool(teams), "PR-13.1"), (chosen.island, "PR-12.1")) if applies
    ]
    set_up = GameSetUp(
        tuple(sorted(starts.items())), land.provinces, tuple(teams.items()), chosen.island
    )
    events = [Event(set_up, tuple(rules))]
    if chosen.factions == "chance":
        dealt_factions = tuple(
            (number, faction) for number, faction in factions.items() if faction is not None
        )
        events.append(
            Event(FactionsSettled(dealt_factions, tuple(factions)), ("PR-1.4", "PR-11.8"))
        )
    hours = hours_of("bidding", teams=bool(teams))
    events.append(Event(TurnBegan(1), ("PR-2.1",)))
    events.append(Event(WindowOpened("bidding", asked_players(state), hours), window_rules(state)))
    return Outcome(state, tuple(events))


def _player(seat: Seat, start: int, faction: Faction | None, team: str | None) -> Player:
    return Player(
        number=seat.number,
        name=seat.name,
        colour=seat.colour,
        start=start,
        faction=faction,
        team=team,
    )


def _place_teams(
    land: LandPlan, count: int, seats: Sequence[Seat], chance: Chance
) -> tuple[LandPlan, Teams, dict[int, int]]:
    """Form the teams and deal them the land, in this order and before the decks (PR-1.12,
    PR-13.1).
    """
    teams = form_teams(count, seats, chance)
    order = chance.shuffle("start places", tuple(teams))
    arcs = arcs_of(land, count)
    starts = {
        number: place
        for team, arc in zip(order, arcs, strict=True)
        for number, place in zip(teams[team], arc, strict=True)
    }
    return (
        replace(land, starts=tuple(sorted(starts.values()))),
        {team: teams[team] for team in order},
        starts,
    )


def _faction_of(seat: Seat, options: Options, chance: Chance) -> Faction | None:
    """The faction chosen beforehand, or dealt after the decks; None where it is chosen with the
    first bid (PR-1.4, PR-3.2).
    """
    if options.factions == "chance":
        return draw_faction(chance, seat.name)
    return next((faction for faction in FACTIONS if faction == seat.faction), None)


def check_options(options: Mapping[str, object]) -> None:
    """ValueError if these options suit no table at all."""
    chosen, own = _read_options(options)
    players = [n for n in range(2, MOST_PLAYERS + 1) if own is None or len(own.starts) == n]
    players = [
        n for n in players if not chosen.teams or (n % chosen.teams == 0 and n > chosen.teams)
    ]
    if not players and chosen.teams:
        raise ValueError(f"{chosen.teams} equal teams of two or more cannot be made")
    faults: list[str] = []
    for count in players:
        try:
            land = _land_of(chosen, own, count)
            if chosen.teams:
                arcs_of(land, chosen.teams)
        except ValueError as wrong:
            faults.append(str(wrong))
    if len(faults) == len(players):
        raise ValueError(faults[0] if faults else "the map needs a start province for each player")


def check_players(options: Mapping[str, object], players: int) -> None:
    """ValueError if this many cannot play with these options."""
    chosen, own = _read_options(options)
    if not 2 <= players <= MOST_PLAYERS:
        raise ValueError(f"2 to {MOST_PLAYERS} players, not {players}")
    if chosen.teams:
        team_size(chosen.teams, players)
    land = _land_of(chosen, own, players)
    if chosen.teams:
        arcs_of(land, chosen.teams)


def choices(options: Mapping[str, object], questions: Sequence[str] = ()) -> Choices:
    """What players choose before the start at a table of these options, with these questions put to
    the vote (PR-13.1, PR-1.4).
    """
    chosen, _ = _read_options(options)
    teams = VOTED_TEAMS if "team game" in questions else chosen.teams
    by_choice = chosen.factions == "choice" or "factions by" in questions
    if "factions" in questions:
        by_choice = "factions by" in questions or chosen.factions != "chance"
    return Choices(
        teams=teams,
        factions=FACTIONS if by_choice else (),
        factions_shared=by_choice,
        factions_later=by_choice,
        teams_voted="team game" in questions,
        factions_voted="factions" in questions or "factions by" in questions,
    )


def settle_votes(
    questions: Sequence[str], votes: Sequence[Mapping[str, str]], chance: Chance
) -> Ballot:
    """Count the votes before the start. A coin decides a tie; a player who does not answer abstains
    (PR-1.4).

    Each vote names its answers by question (see `QUESTIONS`); there is one of each player. How
    factions are dealt is only settled when they are played. If this number of players makes no such
    teams, the page says so, and the game has none (PR-13.1). ValueError for an unknown question or
    answer.
    """
    given = [dict(vote) for vote in votes]
    for question in questions:
        if question not in QUESTIONS:
            raise ValueError(f"{question!r} is not voted on")
    for vote in given:
        for question, answer in vote.items():
            if question not in questions or answer not in QUESTIONS[question]:
                raise ValueError(f"{answer!r} is no answer to {question!r}")
    settled: dict[str, str] = {}
    events: list[Event] = []
    for question in (known for known in QUESTIONS if known in questions):
        if question == "factions by" and settled.get("factions") == "no":
            continue
        first, second = QUESTIONS[question]
        counts = tuple(
            (answer, sum(vote.get(question) == answer for vote in given))
            for answer in (first, second)
        )
        by_coin = counts[0][1] == counts[1][1]
        wins_first = chance.coin(f"vote: {question}") if by_coin else counts[0][1] > counts[1][1]
        settled[question] = first if wins_first else second
        told = OptionVoted(question, settled[question], counts, by_coin)
        if (
            question == "team game"
            and settled[question] == "yes"
            and not _make_teams(VOTED_TEAMS, len(given))
        ):
            events.append(Event(replace(told, unfit=len(given)), ("PR-1.4", "PR-13.1")))
            settled[question] = "no"
        else:
            events.append(Event(told, ("PR-1.4",)))
    return Ballot(options_voted(settled), tuple(events))


def _make_teams(count: int, players: int) -> bool:
    try:
        return bool(team_size(count, players))
    except ValueError:
        return False


def options_voted(settled: Mapping[str, str]) -> dict[str, Fact]:
    """The answers as table options; two teams is what a team game means."""
    options: dict[str, Fact] = {}
    if "version" in settled:
        options["version"] = settled["version"]
    if "team game" in settled:
        options["teams"] = VOTED_TEAMS if settled["team game"] == "yes" else 0
    if settled.get("factions") == "no":
        options["factions"] = "none"
    elif (
        "factions" in settled or "factions by" in settled
    ):  # how they are dealt is only asked where they are played
        options["factions"] = settled.get("factions by", "choice")
    return options


def _read_options(options: Mapping[str, object]) -> tuple[Options, _OwnLand | None]:
    told = dict(options)
    own = told.pop("land", None)
    for name, value in told.items():
        _check_option(name, value)
    chosen = msgspec.convert(told, Options)
    try:
        land = None if own is None else msgspec.convert(own, _OwnLand)
    except msgspec.ValidationError as wrong:
        raise ValueError(
            "the map needs a number of provinces, borders as pairs of provinces, and start"
            " provinces"
        ) from wrong
    if chosen.teams < 0 or chosen.teams == 1:
        raise ValueError(f"two teams or more play against each other, not {chosen.teams}")
    return chosen, land


def _check_option(name: str, value: object) -> None:
    """ValueError, with what there is instead, if there is no such option or it cannot have this
    value.
    """
    if name not in Options.__struct_fields__:
        raise ValueError(
            f"there is no option {name!r}; there are {', '.join(Options.__struct_fields__)}"
        )
    try:
        msgspec.convert({name: value}, Options)
    except msgspec.ValidationError as wrong:
        written = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
        raise ValueError(f"{name} is {_values_of(name)}, not {written}") from wrong


def _values_of(name: str) -> str:
    kind = get_type_hints(Options)[name]
    if get_origin(kind) is Literal:
        return " or ".join(get_args(kind))
    return "yes or no" if kind is bool else "a whole number"


def _check_seats(seats: Sequence[Seat], options: Options) -> None:
    if not 2 <= len(seats) <= MOST_PLAYERS:
        raise ValueError(f"2 to {MOST_PLAYERS} players, not {len(seats)}")
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
        if seat.colour not in SYMBOLS:
            raise ValueError(f"{seat.colour!r} is none of the colours {', '.join(SYMBOLS)}")
        if not options.teams and (seat.team is not None or seat.place is not None):
            raise ValueError(f"{seat.name} has a team in a game without them")
        if seat.faction is not None and (
            options.factions != "choice" or seat.faction not in FACTIONS
        ):
            raise ValueError(f"{seat.name} cannot choose the faction {seat.faction}")


def _land_of(options: Options, own: _OwnLand | None, players: int) -> LandPlan:
    """The land of this table, with as many provinces as the version has (PR-1.3, PR-1.6)."""
    normal = options.version == "normal"
    provinces = options.provinces
    if own is not None:
        provinces = own.provinces if provinces is None else provinces
        if provinces != own.provinces:
            raise ValueError(f"the map has {own.provinces} provinces, the options say {provinces}")
    elif provinces is None:
        provinces = players if normal else 2 * players
    if normal and provinces != players:
        raise ValueError(
            f"a normal game of {players} players has {players} provinces, not {provinces}"
        )
    if not normal and not 2 * players <= provinces <= MOST_PROVINCES:
        raise ValueError(
            f"a grand game of {players} players has {2 * players} to {MOST_PROVINCES} provinces,"
            f" not {provinces}"
        )
    return generate_land(players, provinces) if own is None else _check_own(own, players)


def _check_own(own: _OwnLand, players: int) -> LandPlan:
    faults = check_borders(range(1, own.provinces + 1), both_ways(own.borders))
    if faults:
        told = "; ".join(
            f"{fault.code} {', '.join(map(str, fault.places))}".strip() for fault in faults
        )
        raise ValueError(f"the map cannot be played: {told}")
    if (
        len(own.starts) != players
        or len(set(own.starts)) < players
        or not set(own.starts) <= set(range(1, own.provinces + 1))
    ):
        raise ValueError(f"the map needs {players} different start provinces")
    borders = tuple(sorted({(min(pair), max(pair)) for pair in own.borders}))
    return LandPlan(own.provinces, (), borders, own.starts)

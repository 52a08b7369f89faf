"""Whether a table can be played as its game master wants it: numbers of players, votes, windows,
press. All refuse, saying what.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.ruleset import format_numbers
from pbem.desk.mandate import Refused
from pbem.desk.table import Settings
from pbem.game import Game
from pbem.grammar.press_rules import PressRules

MAX_OPEN_DAYS = 365
MAX_SUPPOSITIONS = 100
MIN_HOURS, MAX_HOURS = 0.05, 60 * 24.0


def check_press(rules: PressRules, windows: Collection[str]) -> None:
    """Refused for a kind of phase that the game does not have."""
    for kind in rules.closed_in:
        if kind not in windows:
            raise Refused(
                "bad-options",
                f"there is no phase of the kind {kind!r}; there are {', '.join(sorted(windows))}",
            )


def check_suppositions(count: int) -> int:
    if not 0 <= count <= MAX_SUPPOSITIONS:
        raise Refused(
            "bad-options", f"from 0 to {MAX_SUPPOSITIONS} questions what would happen, not {count}"
        )
    return count


def check_votes(kind: Game, options: Mapping[str, Any], votes: Sequence[str]) -> None:
    """Refused if there is no such question, or if the table could not be played as one of its
    answers says.
    """
    rules = kind.ruleset
    for question in votes:
        answers = rules.questions.get(question)
        if answers is None:
            known = ", ".join(rules.questions) or "none"
            raise Refused(
                "bad-options", f"{question!r} is not a question for the vote; there is {known}"
            )
        for answer in answers:
            try:
                kind.ruleset.check_options({**options, **rules.options_voted({question: answer})})
            except ValueError as error:
                raise Refused(
                    "bad-options",
                    f"{question!r} cannot be put to the vote, for {answer!r} could not be played:"
                    f" {error}",
                ) from error
    if len(set(votes)) < len(votes):
        raise Refused("bad-options", "you can put a question to the vote only once")


def check_numbers(kind: Game, options: Mapping[str, Any], settings: Settings) -> None:
    """Refused for numbers of players with which the table could never start, or not by itself where
    it should.
    """
    votes, least, most = settings.votes, settings.least_players, settings.most_players
    _check_range(kind, least, most)
    _check_sizes(kind, options, votes, least, most)
    if settings.starts == "full":
        _check_full(kind, options, most)


def _check_range(kind: Game, least: int, most: int) -> None:
    """Refused for a number of players that the game is not for, whatever its options (PR-1.1,
    RM-1.1).
    """
    if most and most < least:
        raise Refused(
            "bad-options",
            f"at least {least} and at most {most} players cannot be: the smaller number stands"
            " first",
        )
    fewest, greatest = kind.ruleset.players
    if not fewest <= least <= greatest or most > greatest:
        said = format_numbers(least, most) if most else f"at least {least}"
        raise Refused(
            "bad-options",
            f"a table of {kind.pages.title} is for {format_numbers(fewest, greatest)} players, not"
            f" {said}",
        )


def _check_sizes(
    kind: Game, options: Mapping[str, Any], votes: Sequence[str], least: int, most: int
) -> None:
    """Refused if none of the numbers of players that the table is for can play with these options,
    however the vote goes.
    """
    rules, faults = kind.ruleset, []
    voted = [
        rules.options_voted({question: answer})
        for question in votes
        for answer in rules.questions[question]
    ]
    most = most or rules.players[1]
    for players in range(least, most + 1):
        for chosen in (options, *({**options, **changed} for changed in voted)):
            try:
                rules.check_players(chosen, players)
            except ValueError as error:
                faults.append(str(error))
            else:
                return
    raise Refused(
        "bad-options",
        (
            faults[0]
            if most == least
            else f"no number from {least} to {most} could start: {faults[0]}"
        ),
    )


def _check_full(kind: Game, options: Mapping[str, Any], most: int) -> None:
    """A table that starts by itself when it is full must then be one that can be played: teams of
    equal size, say.
    """
    try:
        kind.ruleset.check_players(options, most or kind.ruleset.players[1])
    except ValueError as error:
        raise Refused(
            "bad-options", f"it could not start by itself when it is full: {error}"
        ) from error


def check_days(days: int | None, policy_days: int) -> int:
    if days is None:
        return policy_days
    if not 1 <= days <= MAX_OPEN_DAYS:
        raise Refused(
            "bad-options", f"a table waits 1 to {MAX_OPEN_DAYS} days for its start, not {days}"
        )
    return days


def check_hours(hours: dict[str, float], windows: Mapping[str, int]) -> None:
    for kind, length in hours.items():
        if kind not in windows:
            raise Refused(
                "bad-options", f"there is no window {kind!r}; there are {', '.join(windows)}"
            )
        if not MIN_HOURS <= length <= MAX_HOURS:
            raise Refused(
                "bad-options",
                f"{kind}: a window lasts {MIN_HOURS} to {MAX_HOURS} hours, not {length}",
            )

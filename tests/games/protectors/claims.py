"""What texts about a game of Protectors claim."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    DragonAttacked,
    MarchMade,
    PlayerEliminated,
    ProvinceTaken,
    RankingSet,
    TurnBegan,
)
from tests.claims import NAME, NUMBER, Claims, Happened, value
from tests.moments import NAMES, Whole

PLACE = r"(?P<place>P\d+|the Island)"
SUM = rf"(?P<a>{NUMBER}) to (?P<b>{NUMBER})"


def province(text: str) -> int:
    return 0 if text == "the Island" else int(text[1:])


def captures(
    at: Happened, found: "re.Match[str]"
) -> list[tuple[ProvinceTaken, list[BattleFought]]]:
    """What was taken here by who is said to have taken it, with the battles in it."""
    here, by = province(found["place"]), at.number(found["by"])
    return [
        (one, [fight for fight in at.facts(BattleFought) if fight.province == here])
        for one in at.facts(ProvinceTaken)
        if (one.province, one.by) == (here, by)
    ]


def stood(fights: list[BattleFought], player: int | None) -> bool:
    return any(player in (fight.winner.player, fight.loser.player) for fight in fights)


def is_last(fights: list[BattleFought], winner: int, loser: int, found: "re.Match[str]") -> bool:
    """Whether the battle that decided was that of these two, with this sum."""
    if not fights:
        return False
    last = fights[-1]
    sums = (last.winner.total, last.loser.total)
    return (last.winner.player, last.loser.player, *sums) == (
        winner,
        loser,
        value(found["a"]),
        value(found["b"]),
    )


def takes_from(at: Happened, found: "re.Match[str]") -> bool:
    """Whose land it was stood in it."""
    whose = at.number(found["whose"])
    return any(one.before == whose and stood(fights, whose) for one, fights in captures(at, found))


def beats_holder(at: Happened, found: "re.Match[str]") -> bool:
    """The sum in brackets is that of the battle with whose land it was."""
    whose, by = at.number(found["whose"]), at.number(found["by"])
    return any(
        one.before == whose and is_last(fights, by, whose, found)
        for one, fights in captures(at, found)
    )


def was_left(at: Happened, found: "re.Match[str]") -> bool:
    """Whose land it was had marched out and fought nobody there."""
    whose, here = at.number(found["whose"]), province(found["place"])
    out = any((one.player, one.origin) == (whose, here) for one in at.facts(MarchMade))
    return out and any(
        one.before == whose and not stood(fights, whose) for one, fights in captures(at, found)
    )


def was_empty(at: Happened, found: "re.Match[str]") -> bool:
    whose = at.number(found["whose"])
    return any(
        one.before == whose and not stood(fights, whose) for one, fights in captures(at, found)
    )


def beats_rival(at: Happened, found: "re.Match[str]") -> bool:
    by, rival = at.number(found["by"]), at.number(found["rival"])
    return any(is_last(fights, by, rival, found) for _, fights in captures(at, found))


def was_free(at: Happened, found: "re.Match[str]") -> bool:
    return any(one.before is None for one, _ in captures(at, found))


def was_taken(at: Happened, found: "re.Match[str]") -> bool:
    return bool(captures(at, found))


def fought(at: Happened, found: "re.Match[str]") -> bool:
    wanted = (
        at.number(found["by"]),
        at.number(found["rival"]),
        province(found["place"]),
        value(found["a"]),
        value(found["b"]),
    )
    return any(
        (one.winner.player, one.loser.player, one.province, one.winner.total, one.loser.total)
        == wanted
        for one in at.facts(BattleFought)
    )


def bids(at: Happened, found: "re.Match[str]") -> bool:
    """A bid belongs to the turn that it ranks (THIRD A16): the one that is told, or else the one that
    the events of the close begin in; and the story tells it there.
    """
    began = [one.turn for one in at.facts(TurnBegan)]
    ranks = began[-1] if began else at.moment.turn
    first = at.moment.public[0].facts
    page = first.turn if isinstance(first, TurnBegan) else at.moment.turn
    told = int(found["turn"]) if found["turn"] else at.story or page
    given = [bid for one in at.facts(BidsRevealed) for bid in one.bids]
    leader = [one.ranking[0] for one in at.facts(RankingSet)]
    who = at.number(found["by"])
    return (
        told == ranks
        and at.story in (0, ranks)
        and who in leader
        and any((player, counted) == (who, int(found["n"])) for player, counted, _, _ in given)
    )


def dragon(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        one.won == (found["how"] == "loses")
        and {one.total, one.dpl} == {int(found["a"]), int(found["b"])}
        for one in at.facts(DragonAttacked)
    )


def is_out(at: Happened, found: "re.Match[str]") -> bool:
    who = at.number(found["by"])
    names = set(re.findall(NAME, found["who"] or ""))
    return any(
        one.player == who and (not names or names <= {at_name(player) for player in one.by})
        for one in at.facts(PlayerEliminated)
    )


def at_name(player: int) -> str:
    return NAMES[player - 1] if player else "the Dragon"


def wins(at: Happened, found: "re.Match[str]") -> bool:
    first, *others = at.view.scores
    ahead = first[4] - others[0][4] if others else 0
    return (first[0], first[4]) == (at.number(found["by"]), int(found["n"])) and (
        found["ahead"] is None
        or (ahead, others[0][0]) == (int(found["ahead"]), at.number(found["whose"]))
    )


def ranked(at: Happened, found: "re.Match[str]") -> bool:
    """A line of the board in words: tokens while it runs, at the end places and points."""
    who = at.number(found["by"])
    points = {score[0]: (place, score[4]) for place, score in enumerate(at.view.scores, 1)}
    if points:
        return found["what"].startswith("point") and points[who] == (
            int(found["at"]),
            int(found["n"]),
        )
    return found["what"].startswith("token") and at.view.player(who).vp == int(found["n"])


def battles(table: Whole) -> Mapping[int, tuple[int, int]]:
    won: Counter[int] = Counter()
    lost: Counter[int] = Counter()
    for moment in table.moments:
        for event in moment.public:
            if isinstance(event.facts, BattleFought):
                won[event.facts.winner.player] += 1
                lost[event.facts.loser.player] += 1
    return {seat.number: (won[seat.number], lost[seat.number]) for seat in table.seats}


def shown(cells: Sequence[str]) -> tuple[int, int]:
    won, lost = cells[0].split(" : ")
    return int(won), int(lost)


def missing(at: Happened, said: str) -> Iterator[str]:
    """Every land that changed hands."""
    for one in at.facts(ProvinceTaken):
        place = f"P{one.province}" if one.province else "the Island"
        if f"{at_name(one.by)} takes {place}" not in said:
            yield f"{at_name(one.by)} takes {place}"


def figures(view: Any) -> Mapping[int, int]:
    return {score[0]: score[4] for score in view.scores}


BY = rf"\b(?P<by>{NAME})"
WHOSE = rf"(?P<whose>{NAME})"
RIVAL = rf"(?P<rival>{NAME})"
CLAIMS = Claims(
    players=7,
    seed=5,
    claims={
        rf"{BY} takes {PLACE} from {WHOSE} \({SUM}\)": beats_holder,
        rf"{BY} takes {PLACE} from {WHOSE}": takes_from,
        rf"{BY} takes {PLACE}, which {WHOSE} had left": was_left,
        rf"{BY} takes {PLACE}, where {WHOSE} had no units": was_empty,
        rf"{BY} takes {PLACE}[^.]*? beats {RIVAL} to it {SUM}": beats_rival,
        rf"{BY} takes {PLACE}, which nobody held": was_free,
        rf"{BY} takes {PLACE}": was_taken,
        rf"{BY} beats {RIVAL} in {PLACE}, {SUM}": fought,
        rf"{BY} holds {PLACE} against {RIVAL}, {SUM}": fought,
        rf"{BY} bids (?P<n>\d+) and (?:leads|is Grand Protector)(?:(?: of)? turn (?P<turn>\d+))?": bids,
        r"the Dragon (?P<how>loses|wins) (?P<a>\d+) to (?P<b>\d+)": dragon,
        rf"{BY} is out(?P<who>, beaten by [^.]*)?": is_out,
        rf"{BY} wins with (?P<n>\d+) points?(?:, (?P<ahead>\d+) ahead of {WHOSE})?": wins,
        rf"\b(?P<at>\d+)\. {BY} \([^)]*\), (?P<n>\d+) (?P<what>\w+), \d+ province": ranked,
    },
    winners=lambda view: view.winners,
    battles=battles,
    shown=shown,
    missing=missing,
    figures=figures,
)

"""What texts about a game of Protectors claim."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.protectors.events import (
    BattleFought,
    BidsRevealed,
    DragonAttacked,
    DragonCame,
    LevelRaised,
    MarchMade,
    PlayerEliminated,
    ProvinceTaken,
    RankingSet,
    TieAsked,
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


# ----------------------------------------------------------------------------------- the narrator
LAND_POINTS = (2, 3, 4, 6)
ROMAN = ("", "I", "II", "III")


def standing(view: Any) -> Mapping[int, int]:
    """Tokens, and land as it would count now."""
    lands = {
        one.number: 2 if one.burnt else LAND_POINTS[one.level]
        for one in (*view.provinces, *([view.island] if view.island is not None else []))
    }
    if view.island is not None:
        lands[0] = 3
    return {
        one.number: one.vp + sum(lands[number] for number in one.provinces)
        for one in view.players
        if one.rank is not None
    }


def named(found: "re.Match[str]", group: str) -> set[int]:
    return {NAMES.index(one) + 1 for one in re.findall(NAME, found.groupdict().get(group) or "")}


def fights(at: Happened, found: "re.Match[str]") -> bool:
    """A battle with this sum, and with whom it tells as winner and loser."""
    sums = (value(found["a"]), value(found["b"]))
    return any(
        (one.winner.total, one.loser.total) == sums
        and named(found, "by") <= {one.winner.player}
        and named(found, "rival") <= {one.loser.player}
        and (not found[0].endswith("rank") or one.tie)
        for one in at.facts(BattleFought)
    )


def sides(at: Happened) -> list[Any]:
    return [side for one in at.facts(BattleFought) for side in (one.winner, one.loser)]


def forced(at: Happened, found: "re.Match[str]") -> bool:
    """Somebody fought with so many units, of a golden March where that is told."""
    is_golden = "golden" in found[0]
    return any(
        side.units == int(found["n"])
        and (not is_golden or any(term.source == "golden-march" for term in side.terms))
        and named(found, "by") <= {side.player}
        for side in sides(at)
    )


def helped(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        named(found, "by")
        == {term.player for term in side.terms if term.player and term.amount > 0} - {side.player}
        for side in sides(at)
    )


def marched_in(at: Happened, found: "re.Match[str]") -> bool:
    """Nobody fought the one who took it there in the end."""
    by = named(found, "by")
    return any(
        by <= {one.by}
        and not any(
            fight.province == one.province and fight.winner.player == one.by
            for fight in at.facts(BattleFought)[-1:]
        )
        for one in at.facts(ProvinceTaken)
    )


def taken_at(
    at: Happened, found: "re.Match[str]"
) -> tuple[list[ProvinceTaken], list[BattleFought]]:
    here = province(found["place"])
    return (
        [one for one in at.facts(ProvinceTaken) if one.province == here],
        [one for one in at.facts(BattleFought) if one.province == here],
    )


def guarded(at: Happened, found: "re.Match[str]") -> bool:
    """How whose land it was stood there, or did not."""
    whose = at.number(found["whose"]) if "whose" in found.groupdict() else None
    taken, there = taken_at(at, found)
    if not any(one.before == whose for one in taken):
        return False
    if "marched out" in found[0]:
        out = {(one.player, one.origin) for one in at.facts(MarchMade)}
        return (whose, province(found["place"])) in out
    if "no units" in found[0]:
        return not stood(there, whose)
    if "in vain" in found[0]:
        return stood(there, whose)
    if "with" in found[0]:
        return there[-1].loser.units == int(found["n"]) and there[-1].loser.player == whose
    return True


def crowned(at: Happened, found: "re.Match[str]") -> bool:
    given = [
        event.facts
        for moment in at.earlier
        for event in moment.public
        if isinstance(event.facts, BidsRevealed)
    ]
    spent = {player: paid for player, _, _, paid in given[-1].bids}
    return max(spent.values()) == spent[at.number(found["by"])] == int(found["n"])


def attacked(at: Happened, found: "re.Match[str]") -> bool:
    is_won = not any(word in found[0] for word in ("no more", "too little", "needed"))
    return any(
        (one.dpl, one.total, one.won) == (int(found["d"]), int(found["t"]), is_won)
        for one in at.facts(DragonAttacked)
    )


def champion(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        share.player == one.champion == at.number(found["by"])
        and found["n"] in (None, str(share.vp))
        for one in at.facts(DragonAttacked)
        for share in one.shares
    )


def burnt(at: Happened, found: "re.Match[str]") -> bool:
    lost = {int(one) for one in re.findall(r"P(\d+)", found["places"])}
    return any(
        share.player == at.number(found["by"]) and set(share.burnt) - {0} == lost
        for one in at.facts(DragonAttacked)
        for share in one.shares
    )


def put_out(at: Happened, found: "re.Match[str]") -> bool:
    """Who was put out, by whom, and how much they had held before the close."""
    whose = at.number(found["whose"])
    by = set(re.findall(rf"{NAME}|[Tt]he Dragon", found.groupdict().get("by") or ""))
    had = found.groupdict().get("n")
    return any(
        one.player == whose
        and (not by or {name.replace("The", "the") for name in by} == set(map(at_name, one.by)))
        and had in (None, str(len(at.before.player(whose).provinces)))
        for one in at.facts(PlayerEliminated)
    )


def spoils(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        {player for player, amount in one.spoils if amount == int(found["n"])} == named(found, "by")
        for one in at.facts(PlayerEliminated)
    )


def raised(at: Happened, found: "re.Match[str]") -> bool:
    return any(
        (one.player, one.cost, one.province, one.level)
        == (
            at.number(found["by"]),
            int(found["n"]),
            province(found["place"]),
            ROMAN.index(found["level"]),
        )
        for one in at.facts(LevelRaised)
    )


def bid_for(at: Happened, found: "re.Match[str]") -> bool:
    """Whoever led the ranking of this turn, and what counted as their bid."""
    given = [bid for one in at.facts(BidsRevealed) for bid in one.bids]
    leader = [one.ranking[0] for one in at.facts(RankingSet)]
    who, told = at.number(found["by"]), found.groupdict().get("n")
    return who in leader and (
        told is None or any((bid[0], bid[1]) == (who, int(told)) for bid in given)
    )


def tied(at: Happened, found: "re.Match[str]") -> bool:
    return any(set(one.players) == named(found, "by") for one in at.facts(TieAsked))


def comes(at: Happened, found: "re.Match[str]") -> bool:
    wanted = (found["scale"], int(found["d"]))
    return any((one.scale, one.dpl) == wanted for one in at.facts(DragonCame))


BY = rf"\b(?P<by>{NAME})"
WHOSE = rf"(?P<whose>{NAME})"
RIVAL = rf"(?P<rival>{NAME})"
PEOPLE = rf"(?P<by>{NAME}(?:(?:, | and ){NAME})*)"
RANK = "(?: by the higher rank)?"
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
        rf"{BY} beats {RIVAL} (?:in|on) {PLACE}, {SUM}": fought,
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
    standing=standing,
    narrated={
        rf"{BY} had spent (?P<n>\d+) \$Realm on the crown, more than anybody": crowned,
        rf"[Nn]obody held {PLACE}": guarded,
        rf"{WHOSE} had marched out of {PLACE}": guarded,
        rf"{WHOSE} had no units (?:in|on) {PLACE}": guarded,
        rf"{WHOSE} fought for {PLACE} in vain": guarded,
        rf"{WHOSE} held {PLACE} with (?P<n>\d+) units?": guarded,
        rf"{BY} (?:marched in|took (?:P\d+|the Island)) without a fight": marched_in,
        r"There was no fight for": marched_in,
        rf"{BY} sent [^.]* and beat {RIVAL} there, {SUM}{RANK}": fights,
        rf"{BY} beat {RIVAL}, {SUM}{RANK}": fights,
        rf"It ended {SUM}{RANK} against {RIVAL}": fights,
        rf"{BY} held(?: it)?, {SUM}{RANK}": fights,
        rf"{BY} won(?: the battle)?, {SUM}{RANK}": fights,
        rf"{BY} came with [^.]* and beat {RIVAL} (?:in|on) [^,]*, {SUM}{RANK}": fights,
        rf"{BY} came with [^.]* and won, {SUM}{RANK}": fights,
        rf"(?:{BY} )?(?:sent|came with|with|had) a golden March of (?P<n>\d+)": forced,
        rf"{BY} (?:sent|came with|had|attacked \S+ with) (?P<n>\d+) units?": forced,
        rf"and the support of {PEOPLE}": helped,
        r"came with (?P<d>\d+), and the Protectors (?:stood together:|sent no more than) (?P<t>\d+)": attacked,
        r"The Protectors had (?P<t>\d+) against the (?P<d>\d+) of the [^,]*, and that was"
        r" (?:enough|too little)": attacked,
        r"The Protectors sent (?P<t>\d+) against an? [\w ]+ of (?P<d>\d+)": attacked,
        r"More than (?P<d>\d+) was needed against the [\w ]+, and the Protectors sent (?P<t>\d+)": attacked,
        rf"{BY} was the champion and gained (?P<n>\d+) tokens?": champion,
        rf"As champion {BY} took (?P<n>\d+) tokens?": champion,
        rf"The champion was {BY}, for (?P<n>\d+) tokens?": champion,
        rf"{BY} lost (?P<places>P[^;]*?) to the fire": burnt,
        rf"[Tt]he fire took (?P<places>P[^;]*?) from {BY}": burnt,
        rf"[Ff]or {BY} it burnt (?P<places>P[^;.]*)": burnt,
        rf"{WHOSE} still had (?P<n>\d+) provinces?": put_out,
        rf"^(?P<by>[\w ,é]+) put {WHOSE} out of the game": put_out,
        rf"the end for {WHOSE}, who still had (?P<n>\d+) provinces? before (?P<by>[\w ,]+) struck": put_out,
        rf"With (?P<n>\d+) provinces? left, {WHOSE} fell to (?P<by>[\w ,]+)": put_out,
        rf"{WHOSE} (?:gave up|, who gave up|left the game), with (?P<n>\d+) provinces? left": put_out,
        rf"{PEOPLE} got (?P<n>\d+) \$Realm (?:each )?for it": spoils,
        rf"That brought {PEOPLE} (?P<n>\d+) \$Realm": spoils,
        rf"The prize for {PEOPLE} was (?P<n>\d+) \$Realm": spoils,
        rf"^{BY} bid (?P<n>\d+) and became Grand Protector": bid_for,
        rf"^For a bid of (?P<n>\d+) {BY} led the ranking": bid_for,
        rf"^A bid of (?P<n>\d+) made {BY} Grand Protector": bid_for,
        rf"^{BY} led the ranking": bid_for,
        rf"^(?:The ranking was led by|First in the ranking was) {BY}": bid_for,
        rf"^{PEOPLE} had bid the same and bid once more": tied,
        rf"^The bids of {PEOPLE} were level, so they bid again": tied,
        rf"^Between {PEOPLE} the bids were level": tied,
        r"^An? (?P<scale>[\w ]+) of (?P<d>\d+) was on its way": comes,
        r"^(?:The next to come|On its way) was an? (?P<scale>[\w ]+) of (?P<d>\d+)": comes,
        rf"{BY} paid (?P<n>\d+) \$Realm and raised {PLACE} to level (?P<level>I+)": raised,
        rf"{PLACE} rose to level (?P<level>I+): {BY} had (?P<n>\d+) \$Realm": raised,
        rf"For (?P<n>\d+) \$Realm {BY} brought {PLACE} to level (?P<level>I+)": raised,
    },
)
TABLES = ("TEAMS",)
TEAMS = replace(
    CLAIMS,
    players=6,
    options=(("teams", 2),),
    sides=lambda view: [members for _, members in view.teams],
)

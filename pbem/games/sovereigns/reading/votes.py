"""Votes, objections and standing orders that are forgotten: what is said to what others did, or was
said before.
"""

from collections.abc import Sequence
from itertools import pairwise

from engine.ruleset import Problem
from engine.sovereigns import orders as o
from pbem.games.sovereigns.reading.entries import NOT_UNDERSTOOD, ambiguous
from pbem.games.sovereigns.reading.pieces import DO, JOINTS
from pbem.games.sovereigns.reading.position import AMBIGUOUS, Position
from pbem.grammar.kit.lexemes import Lexeme, set_of
from pbem.grammar.kit.slots import SILENT

_BESIDE = set_of(
    "VOTE WON NOTWON YES VNO ACCEPT DECLINE WHO CLAIMNOUN OF IN TO FOR FROM AT OTHER SEASONNOW "
    "ACTION CUE"
)
_TAKING_BACK = frozenset({"WITHDRAW", "DECLINE", "RETRACT", "NEG", "HEDGE", "COND"})
_YEARLY = frozenset({"EVERYYEAR", "FORYEAR", "YEARSTART", "NEXTYEAR"})
_SEASONAL = frozenset({"EVERYSEASON", "FORSEASONS"})


def vote_of(lexemes: Sequence[Lexeme], position: Position) -> o.Vote | Problem | Lexeme:
    """The vote of these words; the word that is too much."""
    solid = [x for x in lexemes if x.kind not in SILENT | JOINTS]
    own = (
        own.text in {"my", "our"} and noun.kind == "CLAIMNOUN" for own, noun in pairwise(lexemes)
    )
    if any(own):
        return NOT_UNDERSTOOD  # `vote yes on my claim`: for somebody else to do
    wrong = next((x for x in solid if x.kind not in _BESIDE), None)
    if wrong is not None:
        return wrong
    kinds = {x.kind for x in solid}
    if sum(x.kind == "VNO" for x in solid) > 1:
        return NOT_UNDERSTOOD  # `no need to vote no`
    no = bool(kinds & {"VNO", "NOTWON", "DECLINE"})
    yes = bool(kinds & {"YES", "ACCEPT"}) or ("WON" in kinds and not no)
    if yes == no or not kinds & {"VOTE", "YES", "VNO", "ACCEPT", "DECLINE"}:
        return NOT_UNDERSTOOD
    named = [x for x in solid if x.kind == "WHO" and x.value != position.me]
    numbers = {x.value for x in named}
    if AMBIGUOUS in numbers or len(numbers) > 1:
        return NOT_UNDERSTOOD
    if not numbers:
        if any(x.kind == "WHO" for x in solid):
            return o.Vote(yes, position.me)
        numbers = {one.claimant for one in position.state.ballots if one.claimant != position.me}
        if len(numbers) != 1:
            return NOT_UNDERSTOOD
    return o.Vote(yes, numbers.pop() or 0)


def objection_of(lexemes: Sequence[Lexeme]) -> o.Object | Problem:
    """`I object to action 14: ...`."""
    number = next((x for x in lexemes if x.kind == "NUM"), None)
    if number is None or number.value is None:
        return NOT_UNDERSTOOD
    ahead = [x.kind for x in lexemes if x.kind != "NEG" or x.start < number.start]
    if _TAKING_BACK & {*ahead}:
        return NOT_UNDERSTOOD  # `I withdraw my objection to action 14`
    why = next((x.text for x in lexemes if x.kind == "WHY"), "")
    return o.Object(number.value, why)


def forgotten(lexemes: Sequence[Lexeme], position: Position) -> list[o.Forget] | Problem:
    """Which standing orders are dropped: those that are named, also by what they do, or the only
    one.
    """
    kinds = {x.kind for x in lexemes}
    found: list[o.Forget] = []
    own = position.own
    if kinds & _SEASONAL or (kinds & DO and own.every_season):
        found.append(o.Forget("season"))
    if kinds & _YEARLY:
        found.append(o.Forget("year"))
    if not found and bool(own.every_season) != bool(own.every_year):
        found.append(o.Forget("season" if own.every_season else "year"))
    return found or ambiguous("standing", ["Forget every season", "Forget every year"])

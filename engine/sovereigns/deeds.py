"""What rulers do at once, at any hour: offers and their answers, proposals, claims and votes,
standing orders, abdication.
"""

from msgspec.structs import replace

from engine.sovereigns import events as e
from engine.sovereigns.orders import (
    Abdicate,
    Answer,
    Claim,
    Deed,
    Every,
    Forget,
    Offer,
    Propose,
    Vote,
    Year,
)
from engine.sovereigns.seasons.technologies import propose
from engine.sovereigns.seasons.trades import answer, make_offer
from engine.sovereigns.state import OpenBallot
from engine.sovereigns.table import Table, ballot_on

BALLOT_HOURS = 48


def do(table: Table, player: int, order: Deed, *, numbered: bool = True) -> None:
    """Do a deed that was found good; objections and redos are in `running_phase`. `numbered`: an
    offer gets a number for each of its two rulers.
    """
    match order:
        case Offer():
            make_offer(table, player, order, numbered=numbered)
        case Answer():
            answer(table, player, order)
        case Propose(proposal):
            propose(table, player, proposal)
        case Claim():
            table.change(player, claimed=True)
            table.put(ballots=(*table.state.ballots, OpenBallot(player, (), BALLOT_HOURS)))
            table.tell(e.BallotOpened(player), ["SS-11.5", "SS-12.7"])
        case Vote(yes, claimant):
            _vote(table, player, claimant, yes=yes)
        case Abdicate():
            table.change(player, abdicating=True)
        case Every(order=Year() as year):
            table.change(player, every_year=year)
        case Every(order=standing):
            table.change(player, every_season=standing)
        case Forget("year"):
            table.change(player, every_year=None)
        case Forget():
            table.change(player, every_season=None)


def _vote(table: Table, player: int, claimant: int, *, yes: bool) -> None:
    """The first no closes a ballot, and so does the last yes (SS-11.6)."""
    if not yes:
        table.close_ballot(claimant, passed=False)
        return
    meant = ballot_on(table.state, claimant)
    counted = replace(meant, ayes=(*(aye for aye in meant.ayes if aye != player), player))
    table.put(
        ballots=tuple(counted if ballot is meant else ballot for ballot in table.state.ballots)
    )
    table.count_ballots()


def run_ballots_down(table: Table) -> None:
    """An hour passes over the ballots; silence fails them (SS-11.5)."""
    table.put(
        ballots=tuple(replace(ballot, left=ballot.left - 1) for ballot in table.state.ballots)
    )
    for ballot in table.state.ballots:
        if ballot.left <= 0:
            table.close_ballot(ballot.claimant, passed=False)

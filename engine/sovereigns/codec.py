"""States, orders and events as bytes, and what makes a state one that no game can come to."""

from collections.abc import Iterator

from engine.codec import Codec
from engine.sovereigns.codes import ATTRIBUTES, COSTS, is_code
from engine.sovereigns.events import AnyFacts
from engine.sovereigns.orders import Order
from engine.sovereigns.setup import FEWEST_PLAYERS, MOST_PLAYERS
from engine.sovereigns.state import Kingdom, State
from engine.sovereigns.table import REST_LIMIT


def faults_of(state: State) -> Iterator[str]:
    """Whatever makes a state one that no game can come to."""
    count = len(state.kingdoms)
    numbers = list(range(1, count + 1))
    if not FEWEST_PLAYERS <= count <= MOST_PLAYERS:
        yield f"{count} kingdoms"
    if [kingdom.number for kingdom in state.kingdoms] != numbers or sorted(
        state.seating
    ) != numbers:
        yield f"kingdoms or seats out of order: {state.seating}"
        return
    for kingdom in state.kingdoms:
        yield from _faults_of_kingdom(state, kingdom)
    yield from _faults_of_dealings(state)
    if not state.living:
        yield "nobody lives"
    if len(state.living) == 1 and state.stage != "over":
        yield "one ruler is left and the game goes on"
    if not set(state.winners) <= set(numbers):
        yield f"winners {state.winners}"
    if any(not is_code(code) for code in state.technologies.values()):
        yield f"technologies {dict(state.technologies)}"
    if min(state.year, 1 + state.hour, 1 + state.paused, 1 + state.expeditions) < 1:
        yield f"year {state.year}, hour {state.hour}, {state.expeditions} expeditions"


def _faults_of_kingdom(state: State, kingdom: Kingdom) -> Iterator[str]:
    if not kingdom.alive:
        if (
            kingdom.tech
            or kingdom.buildings
            or any(kingdom.total.of(attribute) for attribute in ATTRIBUTES)
        ):
            yield f"{kingdom.ruler} has fallen and owns something"
        return
    for attribute in ATTRIBUTES:
        if not 0 <= kingdom.ex.of(attribute) <= kingdom.total.of(attribute):
            yield (
                f"{kingdom.ruler} has {kingdom.ex.of(attribute)} of {kingdom.total.of(attribute)}"
                f" {attribute} expended"
            )
    if not 0 <= kingdom.depleted <= kingdom.ex.R:
        yield f"{kingdom.ruler} has {kingdom.depleted} depleted"
    if (
        abs(kingdom.rest) > REST_LIMIT
        or kingdom.faith not in (0, 1, 2)
        or kingdom.security not in (0, 1, 2)
    ):
        yield (
            f"{kingdom.ruler}: rest {kingdom.rest}, faith {kingdom.faith}, security"
            f" {kingdom.security}"
        )
    codes = [building.code for building in kingdom.buildings]
    if not set(codes) <= set(COSTS) or len(set(codes)) < len(codes):
        yield f"{kingdom.ruler} has the buildings {codes}"
    if not set(kingdom.tech) <= set(state.technologies) or len(set(kingdom.tech)) < len(
        kingdom.tech
    ):
        yield f"{kingdom.ruler} has the technologies {kingdom.tech}"


def _faults_of_dealings(state: State) -> Iterator[str]:
    living = set(state.living)
    for loan in state.loans:
        if (
            loan.attribute == "H"
            or loan.points < 1
            or not {loan.lender, loan.borrower} <= living
            or (loan.due is not None and loan.due < 1)
        ):
            yield f"the loan {loan}"
    if any(not {offer.giver, offer.taker} <= living for offer in state.offers):
        yield "an offer of a fallen kingdom"
    if any(not {ballot.claimant, *ballot.ayes} <= living for ballot in state.ballots):
        yield "a ballot of a fallen kingdom"
    if state.undone is not None and all(
        played.number != state.undone.action for played in state.played
    ):
        yield f"action {state.undone.action} is not known"


def _faults_of_all(state: State) -> Iterator[str]:
    """Those of the state, and of each that an action may be taken back to."""
    for each in (state, *(played.before for played in state.played)):
        yield from faults_of(each)


CODEC = Codec[State, Order](State, Order, AnyFacts, _faults_of_all)

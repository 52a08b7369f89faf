"""Messages in canonical texts, checked, and what came of them."""

from collections.abc import Mapping

from engine.protectors import orders as o
from engine.protectors.checking.messages import check
from engine.protectors.orders import parse_order
from engine.protectors.state import State
from engine.ruleset import Checked, Problem, Standing
from tests.games.protectors.engine.tabletop import position

Standings = Standing[o.Order]


def send(
    state: State, player: str, texts: str, standing: Standings | None = None
) -> Checked[o.Order]:
    """One message in canonical texts, divided by semicolons."""
    numbers = {seat.name: seat.number for seat in state.players}
    orders = [parse_order(text.strip(), numbers) for text in texts.split(";") if text.strip()]
    return check(state, numbers[player], standing or Standing(), orders)


def texts(state: State, orders: tuple[o.Order, ...]) -> list[str]:
    return [
        o.format_order(order, {seat.number: seat.name for seat in state.players})
        for order in orders
    ]


def codes(checked: Checked[o.Order]) -> list[str]:
    return [problem.code for problem in checked.problems]


def only(checked: Checked[o.Order]) -> Problem:
    (problem,) = checked.problems
    return problem


def with_factions(lands: str, seats: Mapping[str, Mapping[str, object]], **told: object) -> State:
    players = {name: {"realm": 100, **seat} for name, seat in seats.items()}
    island = any(entry.split()[0] == "0" for entry in lands.split(","))
    return position(
        lands, options={"factions": "choice", "island": island}, players=players, **told
    )

"""Battles and standing instructions that no worked case has: FW-7.6, FW-7.11 to FW-7.13, FW-10.4 to
FW-10.8, FW-4.2.
"""

from collections.abc import Sequence

import pytest

from engine.chance import Chance, ScriptMismatchError
from engine.fortresses.orders import Always, BattleOrder, Instruction, Keep, Lose, parse_order
from engine.fortresses.phases.instructions import Advice
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.units import Units
from engine.ruleset import Standing
from tests.games.fortresses.engine.playing import Reached, orders_of, step, table, units_in
from tests.rows import each_row

HUNGARY = "Attack Bulgaria with {} from Hungary"


def fight(attackers: str, defenders: str, dice: Sequence[int], *more: str) -> Reached:
    """Blue attacks Bulgaria, a castle of Gold, from Hungary."""
    state = table("attack", "blue", units={"Hungary": f"blue {attackers}", "Bulgaria": defenders})
    return step(state, HUNGARY.format(attackers), *more, dice=list(dice))


def test_the_dice_go_type_by_type_and_kingdom_by_kingdom() -> None:
    """FW-7.6, FW-7.18, FW-7.2: sides as told; a die that does not fit is an error."""
    state = table(
        "attack", "blue", units={"Hungary": "blue 1L 1K 1D", "Bulgaria": "silver 1K, gold 1L 1K"}
    )
    chance = Chance(bytes(32), 0, (1, 12, 1, 6, 12, 1))
    orders = {3: orders_of([HUNGARY.format("1L 1K 1D"), "Retreat dragons after 1 round"])}
    outcome = FORTRESSES.adjudicate(state, orders, chance)
    sides = [draw.of for draw in chance.draws[:6]]
    assert sides == [6, 12, 20, 6, 12, 12]
    assert outcome.events
    with pytest.raises(ScriptMismatchError):
        FORTRESSES.adjudicate(state, orders, Chance(bytes(32), 0, (7,)))


def test_of_allies_the_one_with_more_loses_then_the_one_whose_turn_is_next() -> None:
    """FW-7.11: after Blue comes Gold, then Silver."""
    found = fight("2W", "silver 1L, gold 1L", [6, 6, 1, 6, 1, 1, 6, 6], "Retreat dragons never")
    told = [
        event["lost"] for event in found.events if event["kind"] == "losses" and event["round"] == 1
    ]
    assert told[0] == [{"kingdom": "gold", "units": "1L"}]


# ---------------------------------------------------------------------------- standing instructions
def advice(said: Sequence[str] = (), presets: Sequence[str] = (), zone: str = "Syria") -> Advice:
    def read(texts: Sequence[str]) -> list[Instruction]:
        return [order for order in orders_of(texts) if isinstance(order, Instruction)]

    return Advice(zone, read(said), read(presets))


def test_what_goes_before_what() -> None:
    """FW-10.8, FF-8.7: this turn's before presets, a zone's before general; each kind by itself."""
    assert advice().loss_order == ("L", "K", "W", "G", "D")
    assert advice(["Lose D", "Lose K then L in Syria"]).loss_order == ("K", "L", "W", "G", "D")
    assert advice(["Lose D"], ["Lose K in Syria"]).loss_order[0] == "D"
    assert advice(["Lose D in Kiev"], ["Lose K in Syria"]).loss_order[0] == "K"
    assert advice(["Keep no conqueror"], ["Keep a conqueror in Syria"]).keeps_conqueror is False
    assert advice(["Lose D"], ["Keep a conqueror"]).keeps_conqueror
    assert advice(["Not interactive in Syria", "Interactive"]).asks is False
    assert advice(["Not interactive in Syria", "Interactive"], zone="Kiev").asks


def test_the_last_land_unit_is_kept() -> None:
    """FW-10.4: while a flier or Galleon can die instead."""
    assert advice(["Keep a conqueror"]).losses(Units(2, D=2), 2) == Units(1, D=1)
    assert advice(["Keep a conqueror", "Lose D"]).losses(Units(1, D=2), 1) == Units(D=1)
    assert advice(["Keep a conqueror"]).losses(Units(2), 2) == Units(2)
    assert advice().losses(Units(1, D=2), 5) == Units(1, D=2)
    with pytest.raises(ValueError, match="nobody"):
        advice().next_loss(Units())


@each_row(
    ("text", "board", "started", "against", "rounds", "leaves"),
    [
        ("", Units(D=1), Units(1, D=1), 2, 1, True),
        ("", Units(D=1), Units(1, D=1), 1, 1, False),
        ("", Units(1, D=1), Units(1, D=1), 5, 1, False),
        ("", Units(D=1), Units(D=1), 5, 0, False),
        ("", Units(D=1), Units(D=1), 5, 1, True),
        ("", Units(D=1), Units(G=1, D=1), 2, 0, True),
        ("Retreat dragons never", Units(D=1), Units(1, D=1), 9, 9, False),
        ("Retreat dragons after 2 rounds", Units(D=1), Units(D=1), 1, 1, False),
        ("Retreat dragons after 2 rounds", Units(D=1), Units(D=1), 1, 2, True),
        ("Retreat dragons when outnumbered", Units(D=1), Units(D=1), 2, 0, True),
        ("Retreat dragons when alone", Units(D=1), Units(D=1), 1, 3, False),
        ("Retreat dragons when alone", Units(D=1), Units(1, D=1), 1, 0, True),
        ("Retreat dragons at first loss", Units(D=1), Units(D=2), 1, 0, True),
        ("Retreat dragons at first loss", Units(D=2), Units(D=2), 9, 0, False),
        ("Retreat dragons when alone and after 2 rounds", Units(D=1), Units(1, D=1), 1, 1, False),
        ("Retreat dragons when alone or after 2 rounds", Units(D=1), Units(1, D=1), 1, 1, True),
    ],
)
def test_retreats(
    text: str, board: Units, started: Units, against: int, rounds: int, leaves: bool
) -> None:
    """FW-10.5, FW-10.6, FW-7.12."""
    assert advice([text] if text else []).retreats(board, started, against, rounds) is leaves


def test_retreated_fliers_stay_in_the_zone_and_move_in_reinforce() -> None:
    """FW-7.12, FW-7.13: before the first roll too."""
    found = fight(
        "1L 1D",
        "gold 2L",
        [1, 6, 1],
        "Retreat dragons when outnumbered or after 1 round in Bulgaria",
    )
    assert {"kind": "retreated", "zone": "Bulgaria", "units": "1D"} in found.events
    assert units_in(found.state, "Bulgaria") == "blue 1D, gold 2L"
    after = step(found.state, "Move 1D from Bulgaria to Hungary", "Buy nothing", "Done")
    assert units_in(after.state, "Hungary") == "blue 1D"


# ------------------------------------------------------------------------------ interactive battles
def asked() -> Reached:
    """An interactive battle before its first roll."""
    units = {"Hungary": "blue 2L 1K 1D", "Bulgaria": "gold 3L"}
    state = table("attack", "blue", units=units)
    return step(
        state,
        HUNGARY.format("2L 1K 1D"),
        "Interactive in Bulgaria",
        "Then: Buy 1L in Kiev",
        "Then: Buy nothing",
    )


def test_it_is_asked_before_the_first_roll_if_fliers_attack() -> None:
    """FW-4.2, FW-10.7; the told position is one from which the game goes on."""
    found = asked()
    assert FORTRESSES.phase(found.state).kind == "battle"
    assert found.position["battles"] == [
        {
            "zone": "Bulgaria",
            "attackers": "2L 1K 1D",
            "started": "2L 1K 1D",
            "points": 1,
            "round": 0,
            "hits": 0,
        }
    ]
    assert found.position["held"] == ["Buy 1L in Kiev", "Buy nothing"]
    assert found.position["instructions"] == ["Interactive in Bulgaria"]
    state = found.state
    assert FORTRESSES.lacking(state, 3, Standing()) == ("Stay",)
    assert FORTRESSES.defaults(state, 3, Standing()) == orders_of(["Stay"])
    assert {FORTRESSES.format_order(state, order) for order in FORTRESSES.legal(state, 3)} >= {
        "Stay",
        "Retreat dragons",
    }
    for text, code in (
        ("Lose 1L", "out-of-range"),
        ("Done", "not-now"),
        ("Cancel 1", "out-of-range"),
        ("Lose L", "not-now"),
    ):
        problems = FORTRESSES.check(state, 3, Standing(), orders_of([text])).problems
        assert [problem.code for problem in problems] == ["not-now" if text == "Cancel 1" else code]


def test_losses_and_the_next_retreat_are_one_answer() -> None:
    """FW-4.2, FW-7.7, FW-10.7: exactly the hits; what is not answered follows the standing
    instructions.
    """
    found = step(asked().state, "Stay", dice=[1, 1, 6, 6, 6, 6, 1])
    assert found.position["battles"] == [
        {
            "zone": "Bulgaria",
            "attackers": "2L 1K 1D",
            "started": "2L 1K 1D",
            "points": 0,
            "round": 1,
            "hits": 2,
        }
    ]
    state = found.state
    assert FORTRESSES.lacking(state, 3, Standing()) == ("Lose", "Stay")
    assert FORTRESSES.defaults(state, 3, Standing()) == orders_of(["Lose 2L", "Stay"])
    half = FORTRESSES.check(state, 3, Standing(), orders_of(["Lose 1K", "Lose 1L 1K"]))
    assert [problem.code for problem in half.problems] == ["out-of-range"]
    assert not half.complete
    whole = FORTRESSES.check(
        state, 3, half.standing, orders_of(["Retreat dragons", "Lose 2L", "Stay"])
    )
    assert whole.complete
    assert set(whole.standing.orders) == set(orders_of(["Lose 2L", "Stay"]))
    assert FORTRESSES.is_ready(state, 3, whole.standing)
    done = step(state, "Lose 1L 1K", "Retreat dragons", dice=[1, 6, 6])
    assert units_in(done.state, "Bulgaria") == "blue 1D, gold 2L"
    assert done.state.stage == "reinforce"
    assert done.position["held"] == ["Buy 1L in Kiev", "Buy nothing"]


def test_instructions_replace_one_another() -> None:
    """FF-8.7: in standing orders as well."""
    state = table("attack", "blue", units={"Hungary": "blue 2L"})
    first = FORTRESSES.check(
        state,
        3,
        Standing(),
        orders_of(["Lose K", "Keep a conqueror", "Battle order: Bulgaria", "Always: Lose K"]),
    )
    more = [
        *("Lose L", "Lose W in Kiev", "Battle order: Kiev", "Always: Lose W"),
        "Always: Keep a conqueror",
    ]
    second = FORTRESSES.check(state, 3, first.standing, orders_of(more))
    assert second.replaced == (Lose(("K",)), BattleOrder(("Bulgaria",)), Always(Lose(("K",))))
    assert second.standing.orders == (Keep(True), *orders_of(more))
    assert parse_order("Lose L") in second.accepted

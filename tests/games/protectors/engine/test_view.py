"""What a view tells, and that it tells everybody the same but for their own."""

import msgspec
import pytest

from engine.protectors.view_of import view_of
from tests.games.protectors.engine.tabletop import position


def test_the_public_and_a_player_see_the_same_table() -> None:
    state = position(
        "1 Ann 2 III, 2 Ann 0 III, 3 Ben 1 burnt, 4 - 0, 5 Cid 1",
        in_play=["Deep Snow", "Bloodlust!"],
        purses={"Ben": 260},
    )
    public, own = view_of(state, None), view_of(state, 1)
    assert public.you is None
    assert msgspec.structs.replace(own, you=None) == public
    assert (public.tier, public.step, public.threshold, public.brackets) == (250, 2, 6, (1, 1, 1))
    assert public.is_in_force("Deep Snow")
    assert not public.is_in_force("Flood!")
    assert [
        (seat.name, seat.rank, seat.bracket, seat.minimum, seat.units) for seat in public.players
    ] == [("Ann", 1, 1, 2, 2), ("Ben", 2, 2, 0, 1), ("Cid", 3, 3, 1, 1)]
    assert public.player(2).provinces == (3,)
    assert public.province(3).neighbours == (2, 4)
    assert public.province(4).owner is None


def test_ones_own_view_tells_the_purse_and_what_may_be_done() -> None:
    shop = position(
        "1 Ann 2 III, 2 Ann 0 III, 3 Ann 3, 4 Ann 1 golden-work, 5 Ben 1", phase="consolidation"
    )
    you = view_of(shop, 1).you
    assert you is not None
    assert (you.number, you.realm, you.income, you.prize) == (1, 100, 150 + 100 + 50 + 50, 250)
    assert you.room == ((1, 1), (2, 3), (3, 0), (4, 2))
    assert (you.capitols, you.upgradable) == ((1, 2), (4,))
    assert you.golden == ("march", "support", "fortify", "work")


def test_an_attack_is_seen_with_its_scale() -> None:
    cards = ["Calms of Summer", "There be Dragons!"]
    fight = position(
        "1 Ann 2, 2 Ben 1, 3 Cid 1",
        phase="dragon",
        in_play=cards,
        attack={"during": "reveal", "dpl": 9},
    )
    seen = view_of(fight, None)
    assert seen.attack is not None
    assert (seen.attack.scale, seen.attack.worldeater, seen.attack.cause) == (
        "Worldeater",
        True,
        "card",
    )
    assert seen.player(1).minimum == 2
    assert view_of(position("1 Ann 2, 2 Ben 1"), None).attack is None


def test_the_island_is_seen_where_it_is_played_with() -> None:
    state = position("0 Ann 1, 1 Ann 1, 2 Ben 1", options={"island": True}, provinces=2)
    isle = view_of(state, None).province(0)
    assert (isle.number, isle.owner, isle.neighbours) == (0, 1, ())
    plain = view_of(position("1 Ann 1, 2 Ben 1"), None)
    assert plain.island is None
    for number in (0, 3, -1):
        with pytest.raises(KeyError):
            plain.province(number)


def test_there_is_no_view_of_nobody() -> None:
    for number in (0, 3):
        with pytest.raises(ValueError, match="no player number"):
            view_of(position("1 Ann 1, 2 Ben 1"), number)

"""Every phrasing of the correspondents is read back to the order it words."""

import random

import msgspec
import pytest

from engine.protectors import orders as o
from engine.protectors.cards import SEAFARERS
from engine.protectors.state import Played, Stage, State
from engine.ruleset import Standing
from pbem.games.protectors.play.phrases import (
    BOOK,
    POOLED_BID,
    Named,
    Names,
    heading_of,
    phrase_all,
    pooled,
)
from pbem.games.protectors.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.protectors.play.positions import gifted, seated

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei")

SAMPLES: tuple[tuple[Stage, o.Order], ...] = (
    ("orders", o.Fortify(1)),
    ("orders", o.Fortify(1, golden=True)),
    ("orders", o.March(2, 1, 2)),
    ("orders", o.March(2, 1, 2, golden=True)),
    ("orders", o.March(1, 1, 2, delayed=True)),
    ("orders", o.March(2, 1, 2, golden=True, delayed=True)),
    ("orders", o.Support(2, 2, 1)),
    ("orders", o.Support(2, 2, 1, golden=True)),
    ("orders", o.Work(1)),
    ("orders", o.Work(1, golden=True)),
    ("orders", o.Hold(1)),
    ("orders", o.Send(15, 3)),
    ("orders", o.Snitch(4)),
    ("orders", o.Cancel(1)),
    ("orders", o.Cancel()),
    ("orders", o.Final()),
    ("consolidation", o.Buy(1, 1)),
    ("consolidation", o.Upgrade(1)),
    ("consolidation", o.Capitol(7)),
    ("consolidation", o.Bid(17)),
    ("bidding", o.Bid(0)),
    ("dragon", o.Commit(2, 1)),
    ("dragon", o.Commit(2, 1, 1)),
    ("dragon", o.CommitNothing()),
    ("dragon", o.Burn(1)),
)

OF_FACTIONS: tuple[tuple[Stage, o.Faction | None, o.Order], ...] = (
    *(("bidding", None, o.ChooseFaction(faction)) for faction in o.FACTIONS),
    ("dragon", "Cenarion", o.Fire(3)),
    ("dragon", "Kalu'Ak", o.Hide()),
    ("dragon", "Lannuvár", o.UseBank()),
    ("consolidation", "Lannuvár", o.Refresh("The Bank of Lannuvár")),
    ("consolidation", "Lannuvár", o.Take("Weather forecast")),
    ("consolidation", "Lannuvár", o.Use(25, 3)),
    ("bidding", None, o.Use(25, 3)),
    ("orders", "Kalu'Ak", o.Forecast()),
    ("orders", "Kalu'Ak", o.ReadDragonDeck()),
    ("orders", "Kalu'Ak", o.PutAtBottom()),
    ("orders", "Kalu'Ak", o.PlaceDragon()),
    ("orders", "Hodir", o.Palantir("sea")),
    ("orders", "Hodir", o.Palantir("end")),
)
UNUSED: tuple[tuple[o.Faction, o.Order], ...] = (
    ("Iron Light", o.UseFaith()),
    ("Hodir", o.HireKing()),
    ("Lannuvár", o.UseBank()),
)


NAMED = {number: Named(number, name, "red") for number, name in enumerate(NAMES, start=1)}


def kind_of(order: o.Order) -> str:
    return heading_of(order) or BOOK.heading(order)


def every_wording(order: o.Order, names: Names, rng: random.Random) -> list[str]:
    """The order in all phrasings of its kind."""
    templates = BOOK.templates(order, names, heading_of(order))
    return [BOOK.fill(template, order, rng, names) for template in templates]


def test_every_kind_has_six_phrasings_and_a_sample() -> None:
    samples = [
        *(order for _, order in SAMPLES),
        *(order for _, _, order in OF_FACTIONS),
        *(order for _, order in UNUSED),
    ]
    kinds = BOOK.phrases.keys() - {"a province", "the Island", "a player", "notes"}
    assert {kind_of(order) for order in samples} | {POOLED_BID} == kinds
    for order in samples:
        assert len(set(BOOK.templates(order, NAMED, heading_of(order)))) >= 6
    assert len(set(BOOK.phrases[POOLED_BID])) >= 6


@pytest.mark.sample(30)
@pytest.mark.parametrize(
    ("stage", "order"), SAMPLES, ids=[f"{stage}-{kind_of(order)}" for stage, order in SAMPLES]
)
@pytest.mark.parametrize("seed", range(4))
def test_every_phrasing_is_read_back_to_its_order(stage: Stage, order: o.Order, seed: int) -> None:
    state = seated(NAMES, stage)
    names = {
        player.number: Named(player.number, player.name, player.colour) for player in state.players
    }
    for words in every_wording(order, names, random.Random(seed)):
        reading = read_alone(READER.read, state, 1, Standing(), words)
        read = tuple(found for item in reading.items for found in item.orders)
        assert read == (order,), (
            f"{words!r} is read as {read}: {[item.problems for item in reading.items]}"
        )


def read(state: State, words: str) -> tuple[o.Order, ...]:
    return tuple(
        order
        for item in read_alone(READER.read, state, 1, Standing(), words).items
        for order in item.orders
    )


@pytest.mark.parametrize(
    ("stage", "faction", "order"),
    OF_FACTIONS,
    ids=[f"{stage}-{kind_of(order)}" for stage, _, order in OF_FACTIONS],
)
def test_every_phrasing_of_an_ability_is_read_back_to_its_order(
    stage: Stage, faction: o.Faction | None, order: o.Order
) -> None:
    state = gifted(NAMES, stage, faction, looked=isinstance(order, o.PutAtBottom | o.PlaceDragon))
    names = {
        player.number: Named(player.number, player.name, player.colour) for player in state.players
    }
    for seed in range(2):
        for words in every_wording(order, names, random.Random(seed)):
            assert read(state, words) == (order,), words


@pytest.mark.parametrize(("faction", "order"), UNUSED, ids=[kind_of(order) for _, order in UNUSED])
def test_every_phrasing_of_what_can_be_used_once_is_read_back_to_its_order(
    faction: o.Faction, order: o.Order
) -> None:
    state = gifted(NAMES, "consolidation", faction)
    fresh = tuple(msgspec.structs.replace(player, used=()) for player in state.players)
    state = msgspec.structs.replace(state, players=fresh)
    for words in every_wording(order, {}, random.Random(1)):
        assert read(state, words) == (order,), words


@pytest.mark.parametrize("stage", ["bidding", "consolidation"])
def test_a_bid_and_what_a_team_mate_pays_of_it_are_said_in_one_breath(stage: Stage) -> None:
    state = gifted(NAMES, stage, None)
    names = {
        player.number: Named(player.number, player.name, player.colour) for player in state.players
    }
    bid, lent = o.Bid(60), o.Use(20, 3)
    for template in BOOK.phrases[POOLED_BID]:
        for seed in range(4):
            words = pooled(template, bid, lent, names, random.Random(seed))
            assert set(read(state, words)) == {bid, lent}, words
    (said,) = phrase_all((bid, lent), names, random.Random(1))
    assert set(read(state, said)) == {bid, lent}


@pytest.mark.parametrize("written", ["the Island", "the island", "Island"])
def test_the_island_is_read_where_a_province_stands(written: str) -> None:
    state = msgspec.structs.replace(
        gifted(NAMES, "orders", "Hodir"), in_play=(Played("sea", SEAFARERS),)
    )
    assert written in BOOK.phrases["the Island"]
    assert read(state, f"march 1 from P1 to {written}") == (o.March(1, 1, o.ISLAND),)

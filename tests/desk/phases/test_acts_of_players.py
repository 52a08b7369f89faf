"""Looks at cards by mail: answered at once and privately, kept with the acts of the game, and no
part of what stands.
"""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from engine.chance import SEED_BYTES, Chance
from engine.ruleset import Outcome
from pbem.desk import gm
from pbem.desk.messages.receive import receive
from pbem.desk.phases.close import close_phase
from pbem.desk.upkeep.records import verify_game
from pbem.registry import load_games
from tests.desk.commanding import GRETA, MeanwhilePainter, acts_of, state_of
from tests.desk.harness import Desk, open_desk, text_of
from tests.desk.looks import kinds_to, phase_of, status_of
from tests.played import GAME, PLAYED

LOOK = {"act": "peek", "order": "Weather forecast"}


async def to_orders(desk: Desk, **options: Any) -> None:
    """The orders of turn 1: Anna is of Kalu'Ak, Bartek of Hodir, Chloé of Cenarion."""
    await desk.open_game(3, factions="choice", **options)
    for name, faction in (("Anna", "Kalu'Ak"), ("Bartek", "Hodir"), ("Chloé", "Cenarion")):
        await desk.write(name, f"Faction {faction}. Bid {len(name)}. Final")
    assert (await phase_of(desk)).kind == "orders"


async def place_of(desk: Desk) -> int:
    async with desk.services.database.read() as work:
        game = await work.games.find(1)
    assert game is not None
    return game.chance_place


async def stands(desk: Desk, seat: int = 1) -> tuple[tuple[str, ...], bool]:
    phase = await phase_of(desk)
    async with desk.services.database.read() as work:
        newest = await work.orders.newest(seat, phase.number)
    assert newest is not None
    return newest.canonical, newest.final


async def test_a_forecast_is_answered_at_once_kept_as_an_act_and_does_not_stand(desk: Desk) -> None:
    await to_orders(desk)
    number, before = (await phase_of(desk)).number, len(desk.postbox.mails)
    card = (await state_of(desk, number)).event.draw[0]
    answer = await desk.write("Anna", "Weather forecast")
    assert card in text_of(answer)
    assert len(desk.postbox.mails) == before + 1, "one letter, to her alone"
    (act,) = await acts_of(desk)
    assert (act.actor, act.phase_number, act.ordinal) == ("1", number, 0)
    assert await stands(desk) == ((), False)
    async with desk.services.database.read() as work:
        states = await work.states.list_of_phase(1, number)
        events = await work.events.list_of_phase(1, number)
    assert [row.ordinal for row in states] == [0, 1]
    assert [(row.kind, row.audience) for row in events] == [("card-seen", (1,))]
    assert card in text_of(await desk.write("Anna", "status"))
    again = text_of(await desk.write("Anna", "Weather forecast"))
    assert "You have used that look" in again
    assert len(await acts_of(desk)) == 1
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


async def test_an_act_beside_orders_leaves_them_standing_and_several_are_done_in_their_order(
    desk: Desk,
) -> None:
    await to_orders(desk)
    number = (await phase_of(desk)).number
    seen = [
        (await state_of(desk, number)).event.draw[0],
        (await state_of(desk, number)).dragons.draw[0],
    ]
    own = next(
        i for i, province in enumerate((await state_of(desk, number)).board) if province.owner == 1
    )
    bulletins = len(await kinds_to(desk, "bulletin"))
    answer = text_of(
        await desk.write(
            "Anna",
            f"Work P{own}\nWeather forecast\nread the ashes of the dragon deck\nfrobnicate",
        )
    )
    assert all(card in answer for card in seen)
    assert "Everybody learns that you did it, but not what you see." in " ".join(answer.split())
    assert await stands(desk) == ((f"Work, work! P{own}",), False)
    assert [row.ordinal for row in await acts_of(desk)] == [0, 1]
    state = await state_of(desk, number)
    assert state.players[0].used == ("ash-reading",)
    assert [peek.card for peek in state.peeks] == seen
    assert len(await kinds_to(desk, "bulletin")) == bulletins + 4, (
        "a use that is gone is public, and told at once"
    )
    told = desk.last("Bartek")
    assert not any(card in text_of(told) for card in seen)
    assert not any(part.get_filename() == "board.png" for part in told.walk())
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


async def test_the_second_try_of_a_message_looks_no_second_time(desk: Desk) -> None:
    await to_orders(desk)
    await desk.write("Anna", "Weather forecast", message_id="<twice@players.example>")
    await desk.write("Anna", "Weather forecast", message_id="<twice@players.example>")
    assert len(await acts_of(desk)) == 1
    number = (await phase_of(desk)).number
    async with desk.services.database.write() as work:
        kept = await work.orders.newest(1, number)
        assert kept is not None
        assert kept.inbox_id is not None
        newest = kept.inbox_id
        assert await work.inbox.requeue(newest)
    letters = len(desk.letters("Anna"))
    await receive(desk.services, newest)
    await desk.work()
    assert len(await acts_of(desk)) == 1
    assert len(desk.letters("Anna")) == letters


async def test_after_final_a_look_is_answered_and_the_orders_stay_final(desk: Desk) -> None:
    await to_orders(desk)
    await desk.write("Anna", "work everywhere. final")
    standing = await stands(desk)
    assert standing[1]
    card = (await state_of(desk, (await phase_of(desk)).number)).event.draw[0]
    assert card in text_of(await desk.write("Anna", "Weather forecast"))
    assert await stands(desk) == standing
    assert len(await acts_of(desk)) == 1
    assert (await phase_of(desk)).kind == "orders"


async def test_under_strict_finality_a_look_alone_is_not_final_and_one_beside_a_whole_set_is(
    desk: Desk,
) -> None:
    await desk.open_game(3, factions="choice", finality="strict")
    for name, faction in (("Anna", "Kalu'Ak"), ("Bartek", "Kalu'Ak"), ("Chloé", "Cenarion")):
        await desk.write(name, f"Faction {faction}. Bid {len(name)}.")
    assert (await phase_of(desk)).kind == "orders"
    await desk.write("Anna", "Weather forecast")
    assert await stands(desk) == ((), False)
    await desk.write("Bartek", "work everywhere\nWeather forecast")
    assert (await stands(desk, 2))[1]
    assert [row.actor for row in await acts_of(desk)] == ["1", "2"]


@pytest.mark.parametrize("how", ["old code", "eliminated", "without the ability"])
async def test_who_may_not_look_does_not(desk: Desk, how: str) -> None:
    await to_orders(desk)
    if how == "eliminated":
        await gm.strike(desk.services, "heron", "Anna", "told", GRETA)
        await desk.work()
    before = len(await acts_of(desk))
    old = desk.last("Anna", "bids due") if how == "old code" else None
    name = "Bartek" if how == "without the ability" else "Anna"
    answer = text_of(await desk.write(name, "Weather forecast", answering=old))
    assert len(await acts_of(desk)) == before
    assert "you look at" not in answer.lower()


async def test_at_a_table_whose_clock_stands_a_look_is_answered(desk: Desk) -> None:
    await to_orders(desk)
    await gm.pause(desk.services, "heron", GRETA)
    await desk.work()
    await desk.write("Anna", "Weather forecast")
    assert len(await acts_of(desk)) == 1
    assert (await status_of(desk))[0] == "paused"


async def test_a_close_that_is_computed_while_somebody_looks_is_computed_again(
    tmp_path: Path,
) -> None:
    painter = MeanwhilePainter()
    async with open_desk(tmp_path, painter=painter) as desk:
        await to_orders(desk)
        number = (await phase_of(desk)).number
        await desk.write("Anna", "Weather forecast", received_at=desk.clock.now(), work=False)
        async with desk.services.database.read() as work:
            newest = (await work.inbox.next_new(1))[0].id
        for name in ("Anna", "Bartek", "Chloé"):
            await desk.write(name, "work everywhere. final", work=False)
        async with desk.services.database.read() as work:
            waiting = [row.id for row in await work.inbox.next_new(9) if row.id != newest]
        async with desk.services.database.write() as work:
            await work.inbox.park(newest, 1)
        for inbox_id in waiting:
            await receive(desk.services, inbox_id)

        async def a_look() -> None:
            async with desk.services.database.write() as work:
                await work.inbox.release(1)
            await receive(desk.services, newest)

        painter.meanwhile = a_look
        await close_phase(desk.services, 1, number)
        assert len(await acts_of(desk)) == 1
        assert await status_of(desk) == ("running", number, 0), (
            "overtaken, and not counted as a failure"
        )
        await desk.work()
        assert (await status_of(desk))[1] > number
        assert await verify_game(desk.services, "heron") == []


async def test_a_look_is_undone_by_a_roll_back_and_the_deck_lies_as_it_lay(desk: Desk) -> None:
    await to_orders(desk)
    number = (await phase_of(desk)).number
    opened = await state_of(desk, number, 0)
    await desk.write("Anna", "Weather forecast. read the dragon deck")
    await gm.roll_back(desk.services, "heron", number, GRETA)
    await desk.work()
    assert await state_of(desk, number + 1) == opened
    answer = text_of(await desk.write("Anna", "Weather forecast"))
    assert opened.event.draw[0] in answer
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


async def test_whoever_takes_the_seat_over_is_shown_the_card_and_does_not_look_again(
    desk: Desk,
) -> None:
    await to_orders(desk)
    card = (await state_of(desk, (await phase_of(desk)).number)).event.draw[0]
    await desk.write("Anna", "Weather forecast. work everywhere")
    await gm.replace(desk.services, "heron", "Anna", "Otto", "otto@players.example", GRETA)
    await desk.work()
    answer = text_of(
        await desk.write("Otto", "Weather forecast", answering=desk.letters("Otto")[-1])
    )
    assert "You have used that look" in answer
    assert card in text_of(await desk.write("Otto", "status", answering=desk.letters("Otto")[-1]))
    await desk.everybody_passes()
    assert await verify_game(desk.services, "heron") == []


PROBE = tuple(map(str, range(30)))


def unseeded() -> tuple[str, ...]:
    return Chance(bytes(SEED_BYTES)).shuffle("probe", PROBE)


class Contrary:
    """The rules, with looks that are refused when they are done, or that end the phase."""

    def __init__(self, fault: str) -> None:
        self.fault = fault

    def __getattr__(self, name: str) -> Any:
        return getattr(GAME.ruleset, name)

    def act(self, state: Any, actor: Any, act: Any, chance: Any) -> Outcome[Any]:
        if self.fault == "refuses":
            raise ValueError("not now")
        drawn = chance.shuffle("probe", PROBE)
        if self.fault == "ends by what is drawn" and drawn == unseeded():
            raise ValueError("another seed than the game's")
        ended = GAME.ruleset.act(state, "gm", {"act": "strike", "player": 2}, chance)
        return Outcome(
            GAME.ruleset.act(ended.state, "gm", {"act": "strike", "player": 3}, chance).state,
            ended.events,
        )


def contrary(fault: str) -> dict[str, Any]:
    games = load_games()
    return {PLAYED: dataclasses.replace(games[PLAYED], ruleset=Contrary(fault))}


async def test_what_the_rules_will_not_do_after_all_is_said_and_changes_nothing(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path, games=contrary("refuses")) as desk:
        await to_orders(desk)
        number, place = (await phase_of(desk)).number, await place_of(desk)
        await desk.write("Anna", "work everywhere\nWeather forecast")
        assert await acts_of(desk) == []
        assert (await status_of(desk))[1] == number
        assert await place_of(desk) == place
        assert "is not any more" in text_of(desk.letters("Anna")[-1])
        assert len((await stands(desk))[0]) == 1


@pytest.mark.parametrize("fault", ["ends", "ends by what is drawn"])
async def test_an_act_that_ends_the_phase_is_its_close(tmp_path: Path, fault: str) -> None:
    async with open_desk(tmp_path, games=contrary(fault)) as desk:
        await to_orders(desk)
        number = (await phase_of(desk)).number
        await desk.write("Anna", "work everywhere\nWeather forecast")
        assert [(act.phase_number, act.actor) for act in await acts_of(desk)] == [(number, "1")]
        assert (await status_of(desk))[:2] == ("over", number + 1)
        assert "ORDERS IN, ALL FINE" in text_of(desk.letters("Anna")[-2])
        assert len(await kinds_to(desk, "ending")) == 4
        assert await verify_game(desk.services, "heron") == []

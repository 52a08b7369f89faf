"""`why P6` by mail: the answer from what is stored, to whoever asks alone, at any time of a
game.
"""

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.desk import gm
from pbem.desk.gm.insights import explain
from pbem.registry import load_games
from tests.desk.commanding import (
    EVERYBODY,
    GRETA,
    count_of,
    logged,
    refused,
    seats_of,
    state_of,
    to_orders,
)
from tests.desk.harness import Desk, open_desk, text_of
from tests.desk.looks import kinds_to
from tests.played import PLAYED


async def ask(desk: Desk, name: str, text: str) -> str:
    """What a player is answered, on one line."""
    answer = await desk.write(name, text)
    return " ".join(text_of(answer).split())


async def places_of(desk: Desk) -> dict[str, int]:
    """Where everybody starts."""
    state = await state_of(desk, 2)
    return {player.name: player.start for player in state.players}


async def fight(desk: Desk) -> tuple[int, int]:
    """A golden March of Anna's, who has bid most, into Bartek's province, which he leaves to Work;
    from where to where.
    """
    await desk.open_game()
    await desk.write("Anna", "bid 30")
    await desk.everybody_passes()
    places = await places_of(desk)
    home, target = places["Anna"], places["Bartek"]
    await desk.write("Anna", f"golden march 1 from P{home} to P{target}")
    await desk.write("Bartek", f"work P{target}")
    await desk.everybody_passes()
    return home, target


async def test_a_battle_is_answered_with_its_arithmetic_line_by_line_and_rule_by_rule(
    desk: Desk,
) -> None:
    home, target = await fight(desk)
    before = len(desk.letters("Chloé"))
    said = await ask(desk, "Bartek", f"Why did I lose P{target} in turn 1?")
    assert f"P{target} IN TURN 1 Anna takes P{target}, which was Bartek's." in said
    for line in (
        f"Anna: Golden March! 1 from P{home} to P{target}. [PR-6.1]",
        f"Bartek: Work, work! P{target}. [PR-6.1]",
        "Anna attacks, ranked 1st [PR-7.4] 1 unit [PR-7.6] + 1 golden March [PR-6.6] = 2 in all",
        "Bartek defends,",
        "1 unit [PR-7.6] − 1 for Work [PR-6.14] = 0 in all",
        "2 against 0: Anna wins and loses nobody. Bartek loses the one unit there. Anna's 1 unit stays. [PR-7.3 7.7]",
        f"P{target} is Anna's, with 1 unit, level 0.",
    ):
        assert line in said, line
    assert len(desk.letters("Chloé")) == before


async def test_an_eliminated_player_is_told_how_it_came_to_that(desk: Desk) -> None:
    await fight(desk)
    assert (await seats_of(desk))["Bartek"].status == "eliminated"
    said = await ask(desk, "Bartek", "why was I eliminated")
    assert "YOU IN TURN 1: OUT OF THE GAME" in said
    assert (
        "You held 50 $Realm. Half of it, rounded down, goes to the players who took your last provinces, in equal parts: Anna 25."
        in said
    )
    assert "your part of half of Bartek's purse [PR-8.4]" in await ask(
        desk, "Anna", "why is my realm 120?"
    )
    assert "You held" not in await ask(desk, "Chloé", "why is Bartek out")


async def test_a_question_is_no_order_and_stands_beside_orders(desk: Desk) -> None:
    await to_orders(desk)
    places = await places_of(desk)
    home, away = places["Anna"], places["Bartek"]
    await desk.write("Anna", f"why did I march 1 from P{home} to P{away}")
    assert await count_of(desk, "orders") == [0]
    await desk.write("Anna", f"why bid? work P{home}\nhow come I am second")
    assert await count_of(desk, "orders") == [1]
    assert "1 order in, all fine" in str(desk.last("Anna")["Subject"])
    assert f"Work, work! P{home}" in text_of(desk.last("Anna"))
    await desk.write("Anna", f"why ranking, fortify P{home}")
    said = " ".join(text_of(desk.letters("Anna")[-1]).split())
    assert "We took no order from that line." in said


async def test_several_questions_in_a_mail_are_answered_in_one_letter(desk: Desk) -> None:
    await to_orders(desk)
    before = len(desk.letters("Anna"))
    await desk.write("Anna", "why bid\nwhy ranking\nwhy cards")
    (mail,) = desk.letters("Anna")[before:]
    assert mail["Subject"] == "[Heron] The bids for turn 1"
    told = text_of(mail)
    titles = ("THE BIDS FOR TURN 1", "THE RANKING OF TURN 1", "THE CARDS OF TURN 1")
    assert [told.count(title) for title in titles] == [1, 1, 1]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("why P1", "Nothing has been decided yet: the first window is still open."),
        ("why dragon", "Nothing has been decided yet: the first window is still open."),
        ("why bid turn 7", "Turn 7 has not come yet: nothing has happened in it."),
        ("why money", "50 at the start [PR-1.2] = 50 held now [PR-1.9]"),
        (
            "why money of Bartek",
            "What Bartek holds is secret, and is told to nobody else. [PR-1.9]",
        ),
        ("why P99", 'There is no province "p99" here; they are P1 to P3.'),
        ("why", "WHAT YOU CAN ASK"),
        ("why is the banana bent", "It does not say what it is about."),
    ],
)
async def test_before_the_first_close_there_is_a_clear_answer(
    desk: Desk, question: str, answer: str
) -> None:
    await desk.open_game()
    assert answer in await ask(desk, "Anna", question)


async def test_it_works_while_the_table_is_paused_and_when_the_game_is_over(desk: Desk) -> None:
    await fight(desk)
    await gm.pause(desk.services, "heron", GRETA)
    await desk.work()
    assert "BATTLES IN TURN 1" in await ask(desk, "Chloé", "why battles")
    await gm.resume(desk.services, "heron", GRETA)
    for _ in range(60):
        if (await kinds_to(desk, "ending")) != []:
            break
        await desk.everybody_passes()
    assert "HOW THE GAME ENDED" in await ask(desk, "Chloé", "why score")
    assert "THE BIDS FOR TURN 1" in await ask(desk, "Bartek", "why bid turn 1")


async def test_what_was_rolled_back_tells_nothing_and_says_so(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "bid 31")
    await desk.everybody_passes()
    assert "31 Anna" in await ask(desk, "Chloé", "why bid turn 1")
    await gm.roll_back(desk.services, "heron", 1, GRETA)
    await desk.work()
    said = await ask(desk, "Chloé", "why bid turn 1")
    assert "The game master has rolled back some of turn 1; only what counts is told." in said
    assert "31 Anna" not in said
    await desk.write("Anna", "bid 3")
    await desk.everybody_passes()
    said = await ask(desk, "Chloé", "why bid")
    assert "3 Anna." in said
    assert "31" not in said.partition("Code")[0]


async def answers_to_anna(folder: Path, secrets: Sequence[tuple[str, str]]) -> list[str]:
    """What Anna learns by asking everything, while others have secrets."""
    async with open_desk(folder) as desk:
        await desk.open_game()
        await desk.write("Anna", "bid 20")
        await desk.everybody_passes()
        for name, text in secrets:
            await desk.write(name, text)
        questions = (
            *("why P1", "why P2 turn 1", "why bid", "why ranking", "why dragon", "why money"),
            *("why did Bartek's order fail", "why cards"),
        )
        return [
            re.sub(r"<[^>]*@[^>]*>", "", await ask(desk, "Anna", question))
            for question in questions
        ]


async def test_what_others_have_ordered_shows_in_no_answer_before_the_close(tmp_path: Path) -> None:
    told = []
    for number, secrets in enumerate(
        (
            [("Bartek", "work all"), ("Chloé", "send 20 to Bartek")],
            [("Chloé", "fortify all. final")],
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        told.append(await answers_to_anna(folder, secrets))
    assert told[0] == told[1]


async def test_a_game_of_which_nothing_can_be_asked_answers_with_help(tmp_path: Path) -> None:
    games = {
        slug: dataclasses.replace(game, read_question=None) for slug, game in load_games().items()
    }
    async with open_desk(tmp_path, games=games) as desk:
        await desk.open_game()
        assert "WHAT YOU CAN SAY" in await ask(desk, "Anna", "why P1")


# ------------------------------------------------------------------------------- beside the service
async def test_an_operator_is_told_what_everybody_may_know_and_nobody_hears_of_it(
    desk: Desk,
) -> None:
    _, target = await fight(desk)
    page = await explain(desk.services, "heron", f"P{target}", GRETA)
    assert "+ 1  golden March [PR-6.6]" in page.text
    assert "secret" in (await explain(desk.services, "heron", "money", GRETA)).text
    await desk.work()
    assert await kinds_to(desk, "looked") == []


async def test_to_know_what_a_player_knows_is_a_look_at_secrets_until_the_game_is_over(
    desk: Desk,
) -> None:
    await fight(desk)
    page = await explain(desk.services, "heron", "money turn 1", GRETA, seat_name="anna")
    assert "your part of half of Bartek's purse" in page.text
    await desk.work()
    assert await kinds_to(desk, "looked") == EVERYBODY
    assert "Greta has looked at what Anna knows of the past" in " ".join(
        text_of(desk.last("Chloé", "looked")).split()
    )
    assert [entry for entry in await logged(desk) if entry[0] == "why"] == [
        ("why", {"seat": "Anna", "phase": 3}, True)
    ]
    await gm.end(desk.services, "heron", GRETA)
    await desk.work()
    await explain(desk.services, "heron", "money", GRETA, seat_name="Anna")
    await desk.work()
    assert await kinds_to(desk, "looked") == EVERYBODY


async def test_a_game_master_who_plays_here_does_not_look(desk: Desk) -> None:
    await desk.open_game()
    bartek = gm.By("Bartek", (await seats_of(desk))["Bartek"].person_id)
    assert (
        await refused(explain(desk.services, "heron", "money", bartek, seat_name="Anna"))
        == "plays-here"
    )
    assert (
        await refused(explain(desk.services, "heron", "money", bartek, seat_name="Nobody"))
        == "unknown-seat"
    )
    assert await refused(explain(desk.services, "egret", "money", bartek)) == "unknown-game"
    new = gm.NewTable("egret", "Egret", PLAYED, {}, "Europe/Berlin", "Greta", seed=bytes(32))
    await gm.open_table(desk.services, new, GRETA)
    assert await refused(explain(desk.services, "egret", "money", GRETA)) == "not-begun"

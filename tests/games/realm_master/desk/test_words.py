"""Table words at a table of Realm-Master, by mail: every page is this game's own, and questions are
answered from what is stored.
"""

from pathlib import Path

from tests.desk.harness import Desk, open_desk, text_of
from tests.desk.mastery import command, flat, gm_last, gm_letters


async def ask(desk: Desk, name: str, text: str) -> str:
    """What a player is answered, on one line."""
    return " ".join(text_of(await desk.write(name, text)).split())


async def a_round(desk: Desk) -> None:
    """Three heroes, and a round in which Anna attacks with whatever she throws."""
    await desk.open_game(ruleset="realm-master")
    await desk.write("Anna", "I'd like the barbarian, else the elf")
    await desk.everybody_passes()
    await desk.write("Anna", "Reroll blanks. R's are swords. Enter the richest land.")
    await desk.everybody_passes()


async def test_a_plan_is_answered_with_the_plan_as_it_is_understood(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(ruleset="realm-master")
        await desk.everybody_passes()
        answer = await ask(
            desk, "Anna", "Reroll blanks and any lone half banner. Leave if dragons come."
        )
        assert "Reroll: reroll blanks, reroll a lone half banner" in answer
        assert "We do not understand the condition" in answer
        assert "1 LINE IN, 1 NEEDS YOU" in answer


async def test_a_round_comes_as_one_mail_with_its_story_and_the_next_question(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await a_round(desk)
        mail = " ".join(text_of(desk.turn_mail("Anna")).split())
        assert "ANNA, YOUR PLAN FOR ROUND 2, PLEASE" in mail
        assert "WHAT HAPPENED" not in mail
        assert 'More: "happened"' in mail
        assert "R: sword" in mail.partition("YOUR PLAN SO FAR")[2]
        other = text_of(desk.turn_mail("Bartek"))
        assert "R: sword" not in other


async def test_questions_rules_and_odds_are_answered_at_once(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await a_round(desk)
        assert "WHY: TURN 1" in await ask(desk, "Anna", "why turn 1")
        assert "the gold of Anna".upper() in await ask(desk, "Anna", "why do I have so much gold?")
        assert "5 swords:" in await ask(desk, "Anna", "odds of 5 swords if I keep these")
        assert "WHAT YOU CAN ASK" in await ask(desk, "Anna", "why is the sky blue?")
        assert "we cannot test orders" in flat(
            await ask(desk, "Anna", "what if I attack and Bartek leaves?")
        )
        assert "odds of 5 swords if I keep these" in await ask(desk, "Anna", "preview")
        assert "RM-B07: STANDARD POLE" in await ask(desk, "Anna", "rule RM-B07")
        assert "RM-5.9" in await ask(desk, "Anna", "rule RM-5.9")


async def test_every_table_word_has_a_page_of_this_game(tmp_path: Path) -> None:
    async with open_desk(tmp_path) as desk:
        await a_round(desk)
        for word, told in (
            ("status", "THE HEROES"),
            ("map", "ON OFFER"),
            ("orders", "YOUR PLAN"),
            ("help", "A PLAN"),
            ("history", "HAPPENED SO FAR"),
        ):
            answer = await ask(desk, "Anna", word)
            assert told in answer, word
            assert "Dragon" not in answer
            assert "province" not in answer


async def test_phases_and_rounds_go_by_their_own_names_at_the_post_office_too(
    tmp_path: Path,
) -> None:
    async with open_desk(tmp_path) as desk:
        await desk.open_game(ruleset="realm-master")
        heroes = desk.turn_mail("Anna")
        await desk.everybody_passes()
        late = text_of(await desk.write("Anna", "attack", answering=heroes))
        assert "Open now: plans, until" in flat(late)
        assert "Round 1, phase 2 (plans)" in flat(await command(desk, "status"))
        assert "2 (plans)" in flat(await command(desk, "games"))
        await command(desk, "close now")
        assert "Phase 2 of Heron (plans, round 1) closes now" in flat(
            text_of(gm_last(desk, "Please confirm"))
        )
        await command(desk, "set press of heron: none during reroll", answering=gm_letters(desk)[0])
        assert "These phases have none: reroll." in flat(text_of(desk.last("Anna", "press")))

"""What a game master writes by hand: several answers in one mail, a yes to the wrong letter, names,
and what cannot be.
"""

from datetime import timedelta

from pbem.desk.upkeep.status import read_status
from tests.desk.gm_commands.test_commands import deadline
from tests.desk.harness import GM, Desk, text_of
from tests.desk.mastery import command, flat, gm_last, gm_letters, log_of


async def test_two_private_answers_in_one_mail_reach_their_own_player_alone(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "GM: may I sell my wall?")
    await desk.write("Bartek", "GM: is the Dragon coming for me?")
    before = await deadline(desk)
    told = flat(
        await command(desk, "answer 1: no\nnever at all\nanswer 2: yes, Bartek\nextend by 24h")
    )
    assert "never at all" in told, "the whole text that was sent is shown"
    anna, bartek = (" ".join(map(text_of, desk.letters(name))) for name in ("Anna", "Bartek"))
    assert "never at all" in anna
    assert "yes, Bartek" not in anna
    assert "yes, Bartek" in bartek
    assert "never at all" not in bartek
    assert await deadline(desk) == before + timedelta(hours=24)


async def test_nothing_is_sent_when_a_line_may_be_of_the_text_or_not(desk: Desk) -> None:
    await desk.open_game()
    await desk.write("Anna", "GM: may I sell my wall?")
    told = flat(await command(desk, "answer 1: no\n2: yes, Bartek"))
    assert "may belong to the text or be a command of its own. So we sent nothing" in told
    assert await log_of(desk) == []


async def test_a_yes_to_the_wrong_letter_is_told_which_one_asks(desk: Desk) -> None:
    await desk.open_game()
    assert "We have no question that waits" in flat(await command(desk, "yes"))
    told = gm_last(desk)
    await command(desk, "close now")
    again = flat(await command(desk, "Yes please!", answering=told))
    assert 'Answer the other mail, with the subject "[Heron] Please confirm"' in again
    assert await log_of(desk) == ["gm asked"]


async def test_the_note_of_somebody_who_left_is_laid_aside_and_the_newcomer_known_by_name(
    desk: Desk,
) -> None:
    await desk.open_game()
    await desk.write("Bartek", "GM: I must go.")
    desk.clock.forward(minutes=1)
    await command(desk, "replace Bartek with Frank frank@players.example")
    await command(desk, "yes", answering=gm_last(desk, "Please confirm"))
    await desk.write("Frank", "yes", answering=desk.letters("Frank")[-1], dmarc=None)
    assert "Bartek (Frank)" in flat(await command(desk, "status"))
    assert '"dismiss 1" closes the note' in flat(await command(desk, "answer 1: Go well."))
    assert "Note 1 of Bartek is closed without an answer" in flat(await command(desk, "dismiss 1"))
    assert "has been answered or closed" in flat(await command(desk, "dismiss 1"))
    assert (await read_status(desk.services, "heron")).notes == ()
    await command(desk, "strike frank: told")
    assert "Bartek gets a strike" in flat(text_of(gm_last(desk, "Please confirm")))


async def test_what_cannot_be_is_refused_at_once_and_not_asked_back(desk: Desk) -> None:
    await desk.open_game()
    told = flat(
        await command(
            desk,
            "unlock Anna\nreplace Anna with B bartek@players.example\nroll back to phase 7\nshorten to 2001-01-01 12:00\nclose phase 9",
        )
    )
    assert "The orders of Anna are not final" in told, "a refusal begins with a capital"
    assert "has a seat at Heron already" in told
    assert "has no phase 7" in told
    assert "Phase 9 of Heron is not open" in told
    assert "pbem" not in told.lower().replace("pbem@", "")
    assert not [mail for mail in gm_letters(desk, GM) if "Please confirm" in str(mail["Subject"])]
    assert await log_of(desk) == []


async def test_a_pause_has_no_end_of_its_own_and_shows_what_is_left(desk: Desk) -> None:
    await desk.open_game()
    assert "A pause does not end by itself" in flat(
        await command(desk, "pause the game for a week")
    )
    assert await log_of(desk) == []
    told = flat(await command(desk, "pause: holidays"))
    assert 'The clock stands still until "resume". Then the deadline comes in ' in told


async def test_the_name_below_a_mail_and_a_reason_behind_a_command_are_no_commands(
    desk: Desk,
) -> None:
    await desk.open_game()
    told = flat(
        await command(
            desk,
            "Could you please extend the deadline by 2 days because Anna is ill?\n\nBest wishes\nGreta Larsen",
        )
    )
    assert "The deadline of Heron, phase 1, is now" in told
    assert "no command" not in told

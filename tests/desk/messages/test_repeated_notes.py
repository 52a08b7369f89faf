"""F-111: a program that answers our mails by itself, and does not say so, is heard once."""

from collections.abc import Sequence

from tests.desk.harness import Desk, text_of
from tests.desk.lobbies import join, open_lobby
from tests.desk.mastery import flat, gm_letters
from tests.desk.rawmail import outcome

AWAY = "Your request was received, and somebody of our team answers it soon."


async def play_against(desk: Desk, texts: Sequence[str]) -> int:
    """The program answers each newest letter of ours; how many notes the game master got."""
    for text in texts:
        before = len(desk.letters("Anna"))
        await desk.write("Anna", text, answering=desk.letters("Anna")[-1])
        desk.clock.forward(minutes=1)
        if len(desk.letters("Anna")) == before:
            break
    return len([mail for mail in gm_letters(desk) if "note" in str(mail["Subject"]).lower()])


async def test_a_program_that_says_the_same_again_sends_the_game_master_one_note(
    desk: Desk,
) -> None:
    """F-111: it was twenty; two answers of ours later nobody answers it."""
    await desk.open_game()
    assert await play_against(desk, [AWAY] * 25) == 1
    assert await outcome(desk) == "handled:note-repeated"
    told = [mail for mail in desk.letters("Anna") if "has this note" in str(mail["Subject"])]
    assert len(told) == 1
    assert "switch that off" in flat(text_of(told[0]))


async def test_a_program_that_numbers_what_it_says_sends_two(desk: Desk) -> None:
    """F-111: a ticket has a number, and each mail another one."""
    await desk.open_game()
    tickets = [f"Your request was received. Ticket {number} was opened." for number in range(9)]
    assert await play_against(desk, tickets) == 2


async def test_a_player_s_other_notes_go_on(desk: Desk) -> None:
    """F-111: different words go to the game master, and the same words the next day."""
    await desk.open_game()
    await desk.write("Anna", "GM: may we have the rules of the bridge once more?")
    await desk.write("Anna", "GM: may we have the rules of the river once more?")
    assert await play_against(desk, ["GM: may we have the rules of the river once more?"]) == 2
    desk.clock.forward(hours=25)
    await desk.write("Anna", "GM: may we have the rules of the river once more?")
    assert await play_against(desk, []) == 3


async def test_before_the_start_as_well(desk: Desk) -> None:
    """F-111: the same in a game that has not begun."""
    await open_lobby(desk)
    await join(desk, "Anna")
    assert await play_against(desk, [AWAY] * 9) == 1

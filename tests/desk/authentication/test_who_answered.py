"""Who has answered: what a player may know of it, and that it is an answer and no note (F-34)."""

from pbem.grammar.house.commands import Status
from pbem.grammar.house.parsing import parse_commands
from tests.desk.harness import Desk, text_of
from tests.rows import each_row

ASKED = (
    *("Who has not sent orders yet?", "who hasn't answered", "Who is missing?"),
    *("who is still missing?", "Who are we waiting for?"),
    "which players have not sent anything so far?",
    *("How many players have sent in their orders?", "Has everybody sent their orders?"),
    *("who else has answered already?", "please, who is late?"),
)
OTHERS = (
    *("who", "has", "is it late?", "are you waiting for me?", "who attacked me?"),
    *("I have not sent orders yet", "who is waiting in P4", "all answered"),
)


@each_row("line", ASKED)
def test_f34_a_question_who_has_answered_is_the_status(line: str) -> None:
    assert parse_commands(line) == (Status(),)


@each_row("line", OTHERS)
def test_f34_other_lines_are_not_taken_for_that_question(line: str) -> None:
    assert Status() not in parse_commands(line)


async def test_f34_the_answer_says_that_it_is_hidden_and_the_game_master_gets_no_note(
    desk: Desk,
) -> None:
    await desk.open_game()
    answer = text_of(await desk.write("Anna", "Who has not sent orders yet?"))
    assert "Nobody learns before the deadline who has answered." in " ".join(answer.split())
    async with desk.services.database.read() as work:
        assert await work.notes.list_by_state("waiting", 1) == []

"""F-99: the answer to a question of ours from an address that was not asked is not ignored in
silence.
"""

from tests.desk.harness import Desk, text_of
from tests.desk.looks import kinds_to


async def test_f99_an_answer_from_another_address_is_told_to_the_one_that_was_asked(
    desk: Desk,
) -> None:
    await desk.open_game()
    asked = await desk.write("Anna", "resign")
    assert asked is not None
    for _ in range(2):
        await desk.write("Anna", "yes", answering=asked, sender="Anna <ann@other.example>")
    assert desk.postbox.to("ann@other.example") == []
    assert await kinds_to(desk, "question-elsewhere") == ["anna@players.example"], "once"
    letter = desk.last("Anna", "from another address")
    assert "An answer came from ann@other.example" in " ".join(text_of(letter).split())
    assert await kinds_to(desk, "resigned") == []
    await desk.write("Anna", "yes", answering=letter)
    assert await kinds_to(desk, "resigned") == ["anna@players.example"]

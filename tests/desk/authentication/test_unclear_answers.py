"""An answer to a question of ours that is neither yes nor no: whoever gave it is told so, and the
question still waits.
"""

import pytest

from pbem.desk.authentication.confirmations import read_answer
from tests.desk.harness import Desk, parse, text_of
from tests.desk.lobbies import flat, outcomes

UNCLEAR = "hmm, let me sleep on it"


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        ("resign", "whether you give up your seat"),
        ("forget me", "whether you want us to forget you"),
        ("my data", "whether you want your data"),
    ],
)
async def test_an_unclear_answer_is_told_and_a_yes_to_that_letter_counts(
    desk: Desk, asked: str, about: str
) -> None:
    await desk.open_game(2)
    question = await desk.write("Anna", asked)
    told = await desk.write("Anna", UNCLEAR, answering=question)
    assert told is not None
    assert str(told["Subject"]).endswith("Yes or no?")
    assert about in flat(told)
    assert f"    {UNCLEAR}" in text_of(told)
    await desk.write("Anna", "yes", answering=told)
    assert (await outcomes(desk))[-1] in (
        *("handled:resigned", "ignored:forgotten"),
        "handled:data-sent",
    )


async def test_another_address_is_told_where_it_answers_unclearly(desk: Desk) -> None:
    await desk.open_game(2)
    await desk.write("Anna", "my address is also work@anna.example")
    question = parse(desk.postbox.to("work@anna.example")[-1])
    await desk.write("Anna", UNCLEAR, answering=question, sender="work@anna.example")
    assert (await outcomes(desk))[-1] == "ignored:confirmation-unclear"
    raws = desk.postbox.to("work@anna.example")
    assert b"Yes or no?" in raws[-1]


async def test_a_machine_that_answers_is_told_a_few_times_a_day(desk: Desk) -> None:
    await desk.open_game(2)
    question = await desk.write("Anna", "resign")
    before = len(desk.letters("Anna"))
    for number in range(6):
        await desk.write("Anna", f"Ticket {number} was opened", answering=question)
    assert len(desk.letters("Anna")) == before + 3


async def test_whoever_has_no_code_is_told_nothing(desk: Desk) -> None:
    await desk.open_game(2)
    question = await desk.write("Anna", "resign")
    await desk.write("Eve", UNCLEAR, answering=question, sender="eve@elsewhere.example")
    await desk.write("Anna", UNCLEAR, answering=question, dmarc="fail")
    assert desk.postbox.to("eve@elsewhere.example") == []
    assert "Yes or no?" not in str(desk.letters("Anna")[-1]["Subject"])


@pytest.mark.parametrize("text", ["Yes, if Bartek agrees", "yes, not really", "yes, ticket 4711"])
def test_a_yes_that_is_taken_back_or_bears_a_number_of_something_else_confirms_no_message(
    text: str,
) -> None:
    assert read_answer("Yes, that was me.", 1, None) == ((1,), None)
    assert read_answer(text, 1, None) is None

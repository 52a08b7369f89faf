"""A short answer to a letter that asks or offers is an answer to it, in whatever words, and never a
note to the game master.
"""

import pytest

from tests.desk.harness import Desk, text_of
from tests.desk.mastery import gm_letters
from tests.desk.rawmail import orders_of


@pytest.mark.parametrize(
    "answer", ["ok", "Ja bitte", "yes, that's what I meant", "sure", "Yes please, take it"]
)
async def test_whatever_says_yes_takes_what_a_receipt_offers(desk: Desk, answer: str) -> None:
    await desk.open_game(3)
    receipt = await desk.write("Anna", "bidd 5")
    noted = len(gm_letters(desk))
    await desk.write("Anna", answer, answering=receipt)
    assert await orders_of(desk, "Anna") == ("Bid 5",)
    assert len(gm_letters(desk)) == noted


@pytest.mark.parametrize(
    ("answer", "told"),
    [("no, thanks", "You said no"), ("hm, what is this?", "did not understand")],
)
async def test_what_says_no_or_nothing_clear_is_kept(desk: Desk, answer: str, told: str) -> None:
    await desk.open_game(3)
    receipt = await desk.write("Anna", "bidd 5")
    noted = len(gm_letters(desk))
    assert told in text_of(await desk.write("Anna", answer, answering=receipt))
    assert await orders_of(desk, "Anna") == ()
    assert len(gm_letters(desk)) == noted


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Yes please, count me in!", "Your vote counts"),
        ("gladly", "Your vote counts"),
        ("hm, what is this?", "Was this a yes or a no?"),
    ],
)
async def test_a_secret_vote_is_no_note(desk: Desk, answer: str, told: str) -> None:
    await desk.open_game(3)
    await desk.write("Bartek", "vote draw")
    question, noted = desk.last("Anna"), len(gm_letters(desk))
    await desk.write("Anna", answer, answering=question)
    assert told in str(desk.letters("Anna")[-1]["Subject"])
    assert len(gm_letters(desk)) == noted

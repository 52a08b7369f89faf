"""F-110: an order that also stands in our own letter, and was copied from it, is taken."""

from pathlib import Path

import pytest

from tests.desk.harness import open_desk, text_of

SUGGESTED = ("March! 1 from P1 to P2.", "Golden Work, work! P1.")


async def orders_now(
    folder: Path, answer: str, mark: str, *, takes_off_the_mark: bool
) -> list[str]:
    """What stands after Anna has answered her second turn with lines out of it."""
    async with open_desk(folder) as desk:
        await desk.open_game()
        await desk.everybody_passes()
        turn = desk.turn_mail("Anna")
        lines = text_of(turn).split("\n")
        assert {answer} <= {line.strip() for line in lines}
        if takes_off_the_mark:
            text = "\n".join(line if line.strip() == answer else f"{mark}{line}" for line in lines)
        else:
            text = "\n".join([answer, "", *(f"{mark}{line}" for line in lines)])
        await desk.write("Anna", text, answering=turn)
        async with desk.services.database.read() as work:
            rows = await work.orders.history(1, 2)
        return [line for row in rows for line in row.canonical]


@pytest.mark.parametrize("mark", ["> ", ""])
@pytest.mark.parametrize("answer", SUGGESTED)
async def test_a_suggested_line_that_stands_above_the_quote_is_taken(
    tmp_path: Path, answer: str, mark: str
) -> None:
    """F-110: with the whole letter below it, marked as quoted or not."""
    assert await orders_now(tmp_path, answer, mark, takes_off_the_mark=False) == [answer[:-1]]


@pytest.mark.parametrize("answer", SUGGESTED)
async def test_a_suggested_line_whose_mark_somebody_took_off_is_taken(
    tmp_path: Path, answer: str
) -> None:
    """F-110: a reader takes the mark from the line that they want, and sends the rest as it is."""
    assert await orders_now(tmp_path, answer, "> ", takes_off_the_mark=True) == [answer[:-1]]

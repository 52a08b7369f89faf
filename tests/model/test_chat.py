"""The client of a language model against a server of the protocol: what it sends, and what it makes
of answers, of which many are none.
"""

import json
from contextlib import aclosing, closing
from socket import create_server

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.model.chat import INSTRUCTIONS, MOST_OCTETS, ChatModel, lines_in
from pbem.model.question import NoAnswer, Question
from pbem.model.stand_in import SILENCE, Body, ModelStandIn
from tests.rows import each_row

QUESTION = Question(("Hold P1", "March <1-3> from P1 to P2"), "Anna", '{"turn":2}', (), "P1 rests")
KEY = "sk-of-the-house"


async def test_a_question_is_asked_as_the_protocol_has_it() -> None:
    async with (
        ModelStandIn("Hold P1") as server,
        aclosing(server.model(key=KEY)) as model,
    ):
        assert await model.propose(QUESTION) == ("Hold P1",)
        assert await model.propose(QUESTION) == ("Hold P1",)
    assert server.keys == [f"Bearer {KEY}"] * 2
    assert server.asked[0] == {
        "model": "small",
        "messages": [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": QUESTION.text},
        ],
        "stream": False,
    }
    for part in (*QUESTION.orders, QUESTION.view, QUESTION.message):
        assert part in QUESTION.text


@pytest.mark.parametrize(
    "answer",
    [
        Body(b"Unauthorized " + KEY.encode(), 401),
        Body(b"", 500),
        Body(b"", 302),
        Body(b"no JSON"),
        Body(b"\xff\xfe"),
        Body(b"[]"),
        Body(b'{"choices": []}'),
        Body(b'{"choices": [{"message": {"content": null}}]}'),
        Body(b'{"choices": [{"message": {"content": 7}}]}'),
        Body(json.dumps({"choices": [{"message": {"content": "P" * MOST_OCTETS}}]}).encode()),
        Body(b"[" * 100_000),
        Body(b'{"more": ' + b"[" * 100_000),
    ],
    ids=lambda body: f"{body.status}-{body.octets[:24]!r}",
)
async def test_what_is_no_answer_is_told_in_our_own_words(answer: Body) -> None:
    async with (
        ModelStandIn(answer) as server,
        aclosing(server.model(key=KEY)) as model,
    ):
        with pytest.raises(NoAnswer) as none:
            await model.propose(QUESTION)
    assert KEY not in f"{none.value}{none.value.__cause__!r}{model!r}"


async def test_a_server_that_says_nothing_is_not_waited_for() -> None:
    async with (
        ModelStandIn(SILENCE) as server,
        aclosing(server.model(seconds=0.05)) as model,
    ):
        with pytest.raises(NoAnswer, match=r"within 0\.05 seconds"):
            await model.propose(QUESTION)


async def test_a_server_that_is_not_there_is_no_answer() -> None:
    with closing(create_server(("127.0.0.1", 0))) as held:
        port = held.getsockname()[1]
    async with aclosing(ChatModel(f"http://127.0.0.1:{port}/v1", "small")) as model:
        with pytest.raises(NoAnswer, match="cannot be reached"):
            await model.propose(QUESTION)


@each_row(
    ("answer", "lines"),
    [
        ("Hold P1", ("Hold P1",)),
        ("- Hold P1\n* Hold P2\n\n`Hold P3`\n", ("Hold P1", "Hold P2", "Hold P3")),
        ("Hold P1\nHold P1", ("Hold P1",)),
        ("<think>\nHold P9?\n</think>\n\nHold P1", ("Hold P1",)),
        ("NONE", ()),
        ("Hold P1\nNONE", ()),
        ("", ()),
    ],
)
def test_lines_of_an_answer(answer: str, lines: tuple[str, ...]) -> None:
    assert lines_in(answer) == lines


@given(st.text())
def test_no_answer_is_too_odd_to_be_read(answer: str) -> None:
    assert all(line.strip() == line != "" for line in lines_in(answer))

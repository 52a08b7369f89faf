"""A scripted server of the chat-completions protocol on loopback, for tests."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Self

from tornado.httpserver import HTTPServer
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from pbem.model.chat import ChatModel


@dataclass(frozen=True, slots=True)
class Body:
    """An answer as it goes over the line, whatever it is."""

    octets: bytes
    status: int = 200


SILENCE = Body(b"", 0)
"""The question is taken, and no answer comes."""


class ModelStandIn:
    """`async with ModelStandIn("Hold P1") as server:`; it answers so, one after the other, and the
    last answer for ever; `asked` are the bodies of all questions, `keys` what they showed.
    """

    def __init__(self, *answers: str | Body) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.url = ""
        self._ended = asyncio.Event()
        self._server: HTTPServer | None = None

    async def __aenter__(self) -> Self:
        application = Application(
            [(r"/v1/chat/completions", _Endpoint, {"stand_in": self})], log_function=lambda _: None
        )
        self._server = HTTPServer(application)
        sockets = bind_sockets(0, "127.0.0.1")
        self.url = f"http://127.0.0.1:{sockets[0].getsockname()[1]}/v1"
        self._server.add_sockets(sockets)
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._ended.set()
        if self._server is not None:
            self._server.stop()
            await self._server.close_all_connections()

    def model(self, *, key: str = "", seconds: float = 30.0) -> ChatModel:
        """Who asks it."""
        return ChatModel(self.url, "small", key, seconds)

    @property
    def texts(self) -> list[str]:
        """All that was sent, question by question."""
        return ["\n".join(one["content"] for one in body["messages"]) for body in self.asked]

    async def take(self, body: dict[str, Any], key: str) -> Body:
        """What is answered to a question."""
        self.asked.append(body)
        self.keys.append(key)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer is SILENCE:
            await self._ended.wait()
        if isinstance(answer, Body):
            return answer
        said = {"index": 0, "message": {"role": "assistant", "content": answer}}
        return Body(json.dumps({"id": "1", "choices": [said]}).encode())


class _Endpoint(RequestHandler):
    def initialize(self, stand_in: ModelStandIn) -> None:
        self._stand_in = stand_in

    async def post(self) -> None:
        key = self.request.headers.get("Authorization", "")
        answer = await self._stand_in.take(json.loads(self.request.body), key)
        if not answer.status:
            raise StreamClosedError
        self.set_status(answer.status)
        self.set_header("Content-Type", "application/json")
        self.finish(answer.octets)

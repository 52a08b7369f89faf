"""The common chat-completions protocol over HTTP, as many servers speak it: on one's own machine or
elsewhere.
"""

import asyncio
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import httpx
import msgspec

from pbem.model.question import INSTRUCTIONS, NoAnswer, Question, lines_in

MOST_OCTETS = 256 * 1024
_BENT = (UnicodeError, RecursionError)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Where the server is (`url` ends before `/chat/completions`), which model it asks, the key
    that it wants ("": none), and how long an answer may take.
    """

    url: str
    model: str
    key: str = field(default="", repr=False)
    seconds: float = 10.0


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message


class _Completion(msgspec.Struct):
    choices: list[_Choice]


class ChatModel:
    """`async with ChatModel(settings) as model:`; one connection for all questions."""

    def __init__(self, settings: ModelSettings) -> None:
        self.settings = settings
        key = settings.key
        self._client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {key}"} if key else {}, timeout=settings.seconds
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._client.aclose()

    async def propose(self, question: Question) -> tuple[str, ...]:
        """See `Model`."""
        return lines_in(await self.answer(INSTRUCTIONS, question.text))

    async def answer(self, instructions: str, text: str) -> str:
        """What it says to this. NoAnswer where it says nothing in time that can be read."""
        wanted = {
            "model": self.settings.model,
            "messages": [
                {"role": "system", "content": instructions},
                {"role": "user", "content": text},
            ],
            "stream": False,
        }
        try:
            async with asyncio.timeout(self.settings.seconds):
                body = await self._post(wanted)
            said = msgspec.json.decode(body, type=_Completion).choices
        except TimeoutError as error:
            raise NoAnswer(f"no answer within {self.settings.seconds:g} seconds") from error
        except httpx.TransportError as error:
            raise NoAnswer(f"the server cannot be reached ({type(error).__name__})") from error
        except (httpx.HTTPError, httpx.InvalidURL, msgspec.MsgspecError, *_BENT) as error:
            raise NoAnswer(f"the answer cannot be read ({type(error).__name__})") from error
        if not said or said[0].message.content is None:
            raise NoAnswer("the answer is empty")
        return said[0].message.content

    async def _post(self, wanted: dict[str, object]) -> bytes:
        url, body = f"{self.settings.url.rstrip('/')}/chat/completions", bytearray()
        async with self._client.stream("POST", url, json=wanted) as response:
            if response.status_code != httpx.codes.OK:
                raise NoAnswer(f"the server answers {response.status_code}")
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > MOST_OCTETS:
                    raise NoAnswer("the answer is too long")
        return bytes(body)

"""Work in a process of its own: what holds the interpreter there does not hold the service, and
work that takes too much is ended there.

The process is started when it is first needed and kept; it does one thing after another. Each piece
of work has a limit of CPU seconds, and the process one of memory: over that it ends, and the next
work starts another. It ends with its parent, whose end closes its input.
"""

import asyncio
import os
import pickle
import resource
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, ParamSpec, Self, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_LENGTH = struct.Struct("!Q")
_OF_THE_CLOCK = 30
"""How many times its seconds of CPU a piece of work may take by the clock, and how many seconds
more to begin, on a host that does other things too.
"""


class OverLimit(Exception):
    """Work was ended because it took more time, or more memory, than it may."""


class ProcessEnded(Exception):
    """The process ended in the middle of the work, twice, and not because of its limits."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much one work may take: seconds of CPU, and octets of memory of the whole process (None:
    as much as there is).
    """

    seconds: float
    octets: int | None = None


class OwnProcess:
    """Close it when done; it starts again when asked again. What is run must be found by its name
    in a module, and be picklable.
    """

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the work comes to, or its exception; OverLimit over the allowance. A process that
        ends otherwise is tried again.
        """
        task = pickle.dumps((self._allowance, work, args, kwargs))
        async with self._turn:
            answer = await self._ask(task)
            if answer is None:
                answer = await self._ask(task)
        if answer is None:
            raise ProcessEnded(f"{work!r}")
        is_done, result = pickle.loads(answer)  # noqa: S301 - our own process wrote it
        if is_done:
            return result  # type: ignore[no-any-return]
        raise result

    async def close(self) -> None:
        """End the process; what is under way is finished first."""
        async with self._turn:
            process, self._process = self._process, None
            if process is not None:
                _pipe(process.stdin).close()
                await process.wait()

    async def _ask(self, task: bytes) -> bytes | None:
        """None: the process ended without an answer. A caller that is cancelled in the middle ends
        the process too.
        """
        process = await self._started()
        try:
            async with asyncio.timeout((self._allowance.seconds + 1) * _OF_THE_CLOCK):
                _pipe(process.stdin).write(_LENGTH.pack(len(task)) + task)
                await _pipe(process.stdin).drain()
                (length,) = _LENGTH.unpack(await _pipe(process.stdout).readexactly(_LENGTH.size))
                return await _pipe(process.stdout).readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            self._process = None
            if await process.wait() == -signal.SIGPROF:
                raise OverLimit(f"more than {self._allowance.seconds:g} seconds of CPU") from None
            return None
        except TimeoutError:
            await self._kill(process)
            raise OverLimit("no answer") from None
        except asyncio.CancelledError:
            await self._kill(process)
            raise

    async def _kill(self, process: asyncio.subprocess.Process) -> None:
        self._process = None
        process.kill()
        await process.wait()

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                __name__,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
                },
            )
        return self._process


def _pipe(end: T | None) -> T:
    assert end is not None  # noqa: S101 - both ends are pipes
    return end


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """In the new process: one work after another, until the parent has gone."""
    while len(head := source.read(_LENGTH.size)) == _LENGTH.size:
        answer, is_sound = _do(source.read(_LENGTH.unpack(head)[0]))
        sink.write(_LENGTH.pack(len(answer)) + answer)
        sink.flush()
        if not is_sound:
            return


def _do(task: bytes) -> tuple[bytes, bool]:
    """The answer, and whether the process may continue. A signal that nobody hears ends the process
    when its seconds are over, in the middle of its work.
    """
    try:
        allowance, work, args, kwargs = pickle.loads(task)  # noqa: S301 - our own parent wrote it
        _limit_memory(allowance)
        signal.setitimer(signal.ITIMER_PROF, allowance.seconds)
        answer = pickle.dumps((True, work(*args, **kwargs)))
    except MemoryError:
        return pickle.dumps((False, OverLimit("more memory than there is for it"))), False
    except Exception as error:  # noqa: BLE001 - it is raised where the work was asked for
        return _refusal(error), True
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return answer, True


def _refusal(error: Exception) -> bytes:
    error.add_note(traceback.format_exc())
    try:
        answer = pickle.dumps((False, error))
        pickle.loads(answer)  # noqa: S301 - what we wrote just now
    except Exception:  # noqa: BLE001 - an exception that cannot be taken along is told in words
        return pickle.dumps((False, RuntimeError(traceback.format_exc())))
    return answer


def _limit_memory(allowance: Allowance) -> None:
    if allowance.octets is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (allowance.octets, hard))


def main() -> None:
    """The process."""
    for number in (
        signal.SIGINT,
        signal.SIGTERM,
    ):  # it ends when its parent has, and not in the middle of its parent's last work
        signal.signal(number, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed does not go among the answers
    serve(sys.stdin.buffer, sink)


if __name__ == "__main__":
    from pbem.apart import main  # by the name under which the parent knows its classes

    main()

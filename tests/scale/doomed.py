"""A worker that kills itself, without a word, at the first labelled step of a name: `python -m
tests.scale.doomed CONFIG STEP`.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from pbem.config import load_config
from pbem.logs import set_up_logs
from pbem.worker import work


class FatalStep:
    """Ends the process as the kernel does when memory is short."""

    def __init__(self, label: str) -> None:
        self._label = label

    def reached(self, step: str) -> None:
        if step == self._label:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    set_up_logs(json_lines=True)
    asyncio.run(work(load_config(Path(sys.argv[1])), steps=FatalStep(sys.argv[2])))

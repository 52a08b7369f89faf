"""Start and stop: `pbem serve` as a process of its own over a store of a thousand tables.

The start is told in CPU seconds of that process, from its first instruction to its word that it is
ready, and as a ratio to a Python that only imports the libraries we stand on. The stop begins with
letters in hand, of which none gets lost, and is told in seconds by the clock.
"""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

from bench.copies import copy_table, one_table, put_off
from bench.delivery import running_sink
from bench.parts import Figures

TABLES_EACH = 2
"""Tables in the store for each game of the bench."""
LETTERS = 2_000
FLOOR = "import asyncio, aiosqlite, telegram, jinja2, dramatiq"
READY_SECONDS = 120
WITH_BYTECODE = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
"""An installed service has its modules compiled; here the first round does that."""
TICK = os.sysconf("SC_CLK_TCK")


async def measure(rounds: int, games: int) -> Figures:
    """The least of the rounds each."""
    with tempfile.TemporaryDirectory() as name, running_sink() as port:
        folder = Path(name)
        one = await one_table(folder)
        copy_table(one.file, TABLES_EACH * games - 1)
        put_off(one.file, 0)
        found = [_once(folder, one.file, port) for _ in range(rounds)]
    ready, floor, stop = (min(figures) for figures in zip(*found, strict=True))
    return {
        "start_cpu_seconds": ready,
        "start_vs_floor": ready / floor,
        "stop_seconds": stop,
    }


def _once(folder: Path, file: Path, port: int) -> tuple[float, float, float]:
    """CPU seconds until it is ready, those of the floor, and the seconds of a stop."""
    floor = _cpu_of_children()
    subprocess.run([sys.executable, "-c", FLOOR], check=True, env=WITH_BYTECODE)  # noqa: S603 - our own words
    floor = _cpu_of_children() - floor
    data = folder / "data"
    data.mkdir(exist_ok=True)
    for old in data.iterdir():
        old.unlink()
    store = data / "pbem.sqlite"
    store.write_bytes(file.read_bytes())
    queued = _queue(store)
    config = folder / "pbem.toml"
    config.write_text(
        f'[service]\naddress = "orders@house.example"\ndata_dir = "{data}"\n'
        '[imap]\nhost = "127.0.0.1"\nport = 1\ntls = "none"\nuser = "x"\npassword = "x"\n'
        f'[smtp]\nhost = "127.0.0.1"\nport = {port}\ntls = "none"\n',
        "utf-8",
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(folder / "notify"))
        manager.settimeout(READY_SECONDS)
        process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-m", "pbem", "serve", "--config", str(config)],
            env=WITH_BYTECODE | {"NOTIFY_SOCKET": str(folder / "notify")},
            stderr=subprocess.DEVNULL,
        )
        try:
            assert manager.recv(4096).startswith(b"READY=1")
            ready = _cpu_of(process.pid)
            while not _count(store, "sent") > queued:  # it has begun to send
                if process.poll() is not None:
                    raise RuntimeError("it ended by itself")
                os.sched_yield()
            begun = time.perf_counter()
            process.send_signal(signal.SIGTERM)
            process.wait(READY_SECONDS)
            stop = time.perf_counter() - begun
        finally:
            process.kill()
            process.wait()
    (folder / "notify").unlink()
    if _count(store, "sending"):
        raise RuntimeError("it left letters in hand")
    return ready, floor, stop


def _queue(store: Path) -> int:
    """Many of the letters that were sent go out again; how many are left that were."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute(
            "UPDATE outbox SET state = 'queued', attempts = 0, next_try_at = due_at,"
            " message_id = '<' || id || '@bench.example>' WHERE id IN"
            " (SELECT id FROM outbox WHERE channel = 'mail' AND state = 'sent' LIMIT ?)",
            (LETTERS,),
        )
    return _count(store, "sent")


def _count(store: Path, state: str) -> int:
    with closing(sqlite3.connect(store)) as connection:
        counting = "SELECT count(*) FROM outbox WHERE state = ?"
        found: tuple[int] = connection.execute(counting, (state,)).fetchone()
    return found[0]


def _cpu_of(process: int) -> float:
    """What a process that runs has taken so far, all its threads together."""
    fields = re.sub(r"^.*\) ", "", Path(f"/proc/{process}/stat").read_text("ascii")).split()
    return (int(fields[11]) + int(fields[12])) / TICK


def _cpu_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system

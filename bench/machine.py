"""What the processes of this machine have used, as Linux tells it."""

import gc
import os
import resource
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
LARGE = 256
"""A cache of this many entries may take months to fill with few tables."""


@dataclass(frozen=True, slots=True)
class Process:
    """One or several of a kind: CPU seconds, most resident memory in MB."""

    cpu: float = 0.0
    peak_mb: float = 0.0


def descendants(top: int) -> dict[str, Process]:
    """The process `top`, its "service", and those it has started, by what they are for."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int(_stat(folder)[1])
            except OSError:  # it has ended
                continue
    family = {top}
    while more := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= more
    found: dict[str, Process] = {}
    for pid in family:
        folder = Path("/proc", str(pid))
        try:
            name, process = ("service" if pid == top else _purpose(folder)), _read(folder)
        except OSError:
            continue
        so_far = found.get(name, Process())
        found[name] = Process(so_far.cpu + process.cpu, so_far.peak_mb + process.peak_mb)
    return found


def _purpose(folder: Path) -> str:
    words = (folder / "cmdline").read_bytes().decode(errors="replace")
    for name, word in (
        ("painter", "spawn_main"),
        ("tracker", "resource_tracker"),
        ("reader", "pbem.apart"),
    ):
        if word in words:
            return name
    return words.replace("\0", " ")[:40]


def _stat(folder: Path) -> list[str]:
    return (folder / "stat").read_text().rpartition(")")[2].split()


def _read(folder: Path) -> Process:
    fields = _stat(folder)
    peak = next(
        line for line in (folder / "status").read_text().splitlines() if line.startswith("VmHWM")
    )
    return Process((int(fields[11]) + int(fields[12])) / _TICK, int(peak.split()[1]) / 1024)


def empty_caches() -> None:
    """What large caches keep is no growth. What is frozen is looked through as well."""
    is_frozen = gc.get_freeze_count() > 0
    gc.unfreeze()
    for kept in gc.get_objects():
        if isinstance(kept, _lru_cache_wrapper):
            if (kept.cache_parameters()["maxsize"] or 0) >= LARGE:
                kept.cache_clear()
    del kept
    gc.collect()
    if is_frozen:
        gc.freeze()


def resident_mb() -> float:
    """The memory of this process just now."""
    pages = Path("/proc/self/statm").read_text("ascii").split()
    return int(pages[1]) * resource.getpagesize() / 1e6

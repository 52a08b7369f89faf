"""The gate: all open phrases by the present reader (a), by slots (b) and by both side by side (c).

python -m tests.games.protectors.slots.gate
"""

import sys
from collections import Counter
from collections.abc import Mapping

from pbem.games.protectors.reading.reader import READER as PRESENT
from pbem.games.protectors.slots.agreeing import READER as BOTH
from pbem.games.protectors.slots.reader import READER as BY_SLOTS
from tests.games.protectors.reading.scoring import AnyReader, all_phrases, score

CLASSES = ("right", "accepted", "asked", "codes", "lost", "misread")
READERS: Mapping[str, AnyReader] = {"a present": PRESENT, "b slots": BY_SLOTS, "c both": BOTH}


def table() -> dict[tuple[str, str], Counter[str]]:
    """How many phrases came to what, by window and reader."""
    counted: dict[tuple[str, str], Counter[str]] = {}
    for _, case, told in all_phrases():
        for name, reader in READERS.items():
            come = score(case, told, reader)
            for window in (case["position"]["phase"], "all"):
                counted.setdefault((window, name), Counter())[come] += 1
    return counted


def report() -> str:
    """The table as text."""
    lines = [f"{'window':14} {'reader':10}" + "".join(f"{come:>9}" for come in CLASSES)]
    counted = table()
    windows = sorted({window for window, _ in counted}, key=lambda window: window == "all")
    for window in windows:
        for name in READERS:
            row = counted[window, name]
            lines.append(f"{window:14} {name:10}" + "".join(f"{row[c]:>9}" for c in CLASSES))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(report() + "\n")

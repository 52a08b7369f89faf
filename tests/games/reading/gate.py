"""How the kept phrases of a game are read, window by window.

python -m tests.games.reading.gate GAME [CLASS ...]: with the phrases of these classes
"""

import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module

from tests.games.reading.phrases import FOLDERS, kept_phrases

CLASSES = ("right", "accepted", "asked", "codes", "lost", "misread")


def report(game: str, *classes: str) -> Iterator[str]:
    """Lines of a table, and the phrases that came to one of these classes."""
    score = import_module(f"tests.games.{game}.reading.scoring").score
    counted: dict[str, Counter[str]] = {}
    told = []
    for phrase in kept_phrases(FOLDERS[game]):
        come = score(phrase)
        for window in (phrase.at.rules.phase(phrase.at.state).kind, "all"):
            counted.setdefault(window, Counter())[come] += 1
        if come in classes:
            told.append(f"{come} {phrase.name} {phrase.text!r}\n    want {phrase.answers}")
            told.append(f"    got {phrase.outcome(phrase.text)}")
    yield f"{'window':14}" + "".join(f"{come:>9}" for come in CLASSES)
    for window in sorted(counted, key=lambda window: window == "all"):
        yield f"{window:14}" + "".join(f"{counted[window][come]:>9}" for come in CLASSES)
    yield from told


if __name__ == "__main__":
    sys.stdout.write("\n".join(report(*sys.argv[1:])) + "\n")

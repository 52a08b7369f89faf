"""The gate: how many of the open phrases are read as their writers meant, by window.

python -m tests.games.protectors.reading.gate [CLASS ...]: with the phrases of these classes
"""

import sys
from collections import Counter
from collections.abc import Iterator

from tests.games.protectors.reading.positions import codes, texts
from tests.games.protectors.reading.scoring import reading_of, score
from tests.games.reading.phrases import FOLDERS, kept_phrases

CLASSES = ("right", "accepted", "asked", "codes", "lost", "misread")


def report() -> str:
    """The table as text."""
    counted: dict[str, Counter[str]] = {}
    for phrase in kept_phrases(FOLDERS["protectors"]):
        come = score(phrase)
        for window in (phrase.at.rules.phase(phrase.at.state).kind, "all"):
            counted.setdefault(window, Counter())[come] += 1
    lines = [f"{'window':14}" + "".join(f"{come:>9}" for come in CLASSES)]
    for window in sorted(counted, key=lambda window: window == "all"):
        lines.append(f"{window:14}" + "".join(f"{counted[window][c]:>9}" for c in CLASSES))
    return "\n".join(lines)


def phrases_of(*classes: str) -> Iterator[str]:
    """The phrases that came to one of these, with what was meant and what was read."""
    for phrase in kept_phrases(FOLDERS["protectors"]):
        come = score(phrase)
        if come in classes:
            reading, state = reading_of(phrase)
            yield f"{come} {phrase.name} {phrase.text!r}\n    {phrase.answers}\n    {texts(reading, state)} {codes(reading)}"


if __name__ == "__main__":
    sys.stdout.write("\n".join((report(), *phrases_of(*sys.argv[1:]))) + "\n")

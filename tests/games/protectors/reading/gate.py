"""The gate: how many of the open phrases are read as their writers meant, by window.

python -m tests.games.protectors.reading.gate [CLASS ...]: with the phrases of these classes
"""

import sys
from collections import Counter
from collections.abc import Iterator

from tests.games.protectors.reading.positions import codes, texts
from tests.games.protectors.reading.scoring import all_phrases, reading_of, score

CLASSES = ("right", "accepted", "asked", "codes", "lost", "misread")


def report() -> str:
    """The table as text."""
    counted: dict[str, Counter[str]] = {}
    for _, case, told in all_phrases():
        come = score(case, told)
        for window in (case["position"]["phase"], "all"):
            counted.setdefault(window, Counter())[come] += 1
    lines = [f"{'window':14}" + "".join(f"{come:>9}" for come in CLASSES)]
    for window in sorted(counted, key=lambda window: window == "all"):
        lines.append(f"{window:14}" + "".join(f"{counted[window][c]:>9}" for c in CLASSES))
    return "\n".join(lines)


def phrases_of(*classes: str) -> Iterator[str]:
    """The phrases that came to one of these, with what was meant and what was read."""
    for name, case, told in all_phrases():
        come = score(case, told)
        if come in classes:
            reading, state = reading_of(case, told)
            answers = [
                (answer["means"], answer["problems"]) for answer in (told, *told.get("or", ()))
            ]
            yield f"{come} {name} {told['text']!r}\n    {answers}\n    {texts(reading, state)} {codes(reading)}"


if __name__ == "__main__":
    sys.stdout.write("\n".join((report(), *phrases_of(*sys.argv[1:]))) + "\n")

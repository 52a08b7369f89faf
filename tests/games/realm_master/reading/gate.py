"""How the open phrases are read, window by window.

python -m tests.games.realm_master.reading.gate [FILE for what is not right]
"""

import sys
from collections import Counter
from pathlib import Path

from tests.games.reading.phrases import FOLDERS, kept_phrases
from tests.games.realm_master.reading.test_open_phrases import verdict

CLASSES = ("right", "asked", "codes", "lost", "misread")


def table(told_of: list[str]) -> dict[str, Counter[str]]:
    """How many phrases came to what, by window."""
    counted: dict[str, Counter[str]] = {}
    for phrase in kept_phrases(FOLDERS["realm_master"]):
        means, codes = phrase.outcome(phrase.text)
        window = phrase.at.rules.phase(phrase.at.state).kind
        found = verdict(phrase, means, codes)
        for key in (window, "all"):
            counted.setdefault(key, Counter())[found] += 1
        if found != "right":
            told_of.append(
                f"{found} {phrase.name} [{window}] {phrase.text!r}\n"
                f"   want {phrase.answers}\n"
                f"   got {list(means)} {list(codes)}"
            )
    return counted


def report(told_of: list[str]) -> str:
    """The table as text."""
    counted = table(told_of)
    lines = [f"{'window':14}" + "".join(f"{come:>9}" for come in CLASSES)]
    for window in sorted(counted, key=lambda name: (name == "all", name)):
        lines.append(f"{window:14}" + "".join(f"{counted[window][c]:>9}" for c in CLASSES))
    return "\n".join(lines)


if __name__ == "__main__":
    wrong: list[str] = []
    sys.stdout.write(report(wrong) + "\n")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text("\n".join(sorted(wrong)) + "\n", "utf-8")

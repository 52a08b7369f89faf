"""How the kept phrases of a game are read, window by window.

python -m tests.games.reading.gate GAME [CLASS ...]: with the phrases of these classes
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from tests.games.fortresses.reading.scoring import SCALE as OF_FORTRESSES
from tests.games.protectors.reading.scoring import score
from tests.games.reading.phrases import FOLDERS, Phrase, kept_phrases
from tests.games.realm_master.reading.test_open_phrases import verdict
from tests.games.sovereigns.reading.scoring import SCALE as OF_SOVEREIGNS

JUDGES: Mapping[str, Callable[[Phrase], str]] = {
    "fortresses": OF_FORTRESSES.score,
    "protectors": score,
    "realm_master": lambda phrase: verdict(phrase, *phrase.outcome(phrase.text)),
    "sovereigns": OF_SOVEREIGNS.score,
}
CLASSES = ("right", "accepted", "asked", "codes", "lost", "misread")


def report(game: str, *classes: str) -> Iterator[str]:
    """Lines of a table, and the phrases that came to one of these classes."""
    counted: dict[str, Counter[str]] = {}
    told = []
    for phrase in kept_phrases(FOLDERS[game]):
        come = JUDGES[game](phrase)
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

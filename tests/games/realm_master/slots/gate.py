"""The gate: all open phrases by the present reader (a) and by slots (b), window by window.

python -m tests.games.realm_master.slots.gate [FILE for what is not right by slots]
"""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from pbem.cases.document import Document, parse_case
from pbem.cases.runner import prepare, run_case
from pbem.games.realm_master.reading.reader import UNASKING as PRESENT
from pbem.games.realm_master.slots.reader import UNASKING as BY_SLOTS
from tests.games.realm_master.reading.test_open_phrases import OURS, PHRASES, verdict
from tests.played import GAMES

CLASSES = ("right", "asked", "codes", "lost", "misread")
READERS: Mapping[str, Any] = {"a present": PRESENT, "b slots": BY_SLOTS}


def table(told_of: list[str]) -> dict[tuple[str, str], Counter[str]]:
    """How many phrases came to what, by window and reader."""
    counted: dict[tuple[str, str], Counter[str]] = {}
    for file in sorted(PHRASES.glob("*.yaml")):
        for told in yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader):
            told["position"].pop("eliminated", None)
            window = told["position"].get("phase", "round")
            read = [{k: v for k, v in phrase.items() if k not in OURS} for phrase in told["read"]]
            case = prepare(parse_case(Document(file.name, 1, told | {"read": read}, {})), GAMES)
            come: dict[str, list[str]] = {}
            for name, reader in READERS.items():
                ran = run_case(replace(case, cases=replace(case.cases, read=reader.read)))
                pairs = list(zip(told["read"], ran.read, strict=True))
                come[name] = [verdict(p, got.means, got.problems) for p, got in pairs]
                for verdict_ in come[name]:
                    for key in (window, "all"):
                        counted.setdefault((key, name), Counter())[verdict_] += 1
            for i, ((phrase, got), old, new) in enumerate(
                zip(pairs, come["a present"], come["b slots"], strict=True), start=1
            ):
                if new != "right":
                    told_of.append(
                        f"{new} (was {old}) {told['id']}.{i} [{window}] {phrase['text']!r}\n"
                        f"   want {phrase['means']} {phrase['problems']} {phrase.get('or', '')}\n"
                        f"   got {list(got.means)} {list(got.problems)}"
                    )
    return counted


def report(told_of: list[str]) -> str:
    """The table as text."""
    lines = [f"{'window':14} {'reader':10}" + "".join(f"{come:>9}" for come in CLASSES)]
    counted = table(told_of)
    for window in sorted({window for window, _ in counted}, key=lambda w: (w == "all", w)):
        for name in READERS:
            row = counted[window, name]
            lines.append(f"{window:14} {name:10}" + "".join(f"{row[c]:>9}" for c in CLASSES))
    return "\n".join(lines)


if __name__ == "__main__":
    wrong: list[str] = []
    sys.stdout.write(report(wrong) + "\n")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text("\n".join(sorted(wrong)) + "\n", "utf-8")

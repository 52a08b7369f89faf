"""What the runner prints: a line per case and the sum, or one JSON object per case."""

import json
from typing import TextIO

from pbem.cases.results import Ran


def write_line(out: TextIO, ran: Ran) -> None:
    """`pass ID`, or `FAIL ID` with each differing path."""
    if ran.is_passed:
        out.write(f"pass {ran.case.id}\n")
        return
    causes = [*map(str, ran.differences), *([ran.broken] if ran.broken is not None else [])]
    out.write(f"FAIL {ran.case.id} {'; '.join(causes)}\n")


def write_sum(out: TextIO, passed: int, failed: int) -> None:
    out.write(f"{passed} passed, {failed} failed\n")


def write_json(out: TextIO, ran: Ran) -> None:
    """The outcome, compared with nothing; `error` is set only if the case could not be played to
    its end.
    """
    told: dict[str, object] = {"id": ran.case.id}
    if not ran.case.steps:
        told["read"] = [
            {"means": list(read.means), "problems": list(read.problems)}
            | ({"offer": list(read.offer)} if read.offer else {})
            | ({"unused": list(read.unused)} if read.unused else {})
            for read in ran.read
        ]
    else:
        told["reached"] = [reached.position for reached in ran.reached]
        told["problems"] = [
            {player: list(codes) for player, codes in reached.refused.items()}
            for reached in ran.reached
        ]
        told["means"] = [
            {player: list(texts) for player, texts in reached.means.items()}
            for reached in ran.reached
        ]
        told["events"] = [[dict(event) for event in reached.events] for reached in ran.reached]
    if ran.broken is not None:
        told["error"] = ran.broken
    out.write(json.dumps(told, ensure_ascii=False) + "\n")

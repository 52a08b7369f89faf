"""Cases driven by the second adjudicator alone (SF-1, SF-2)."""

import re
from collections.abc import Mapping
from typing import Any

from tests.games.sovereigns.second.table import Second

ROLLED = ("action", "void", "support", "rebellion", "coup", "fear")
"""The events both adjudicators tell whole; of the others only what they did to the position is
compared.
"""


def plain(value: Any) -> Any:
    """0, false and empty count as left out; numbers in texts are texts."""
    if isinstance(value, Mapping):
        told = {str(key): plain(one) for key, one in value.items() if plain(one) is not None}
        return told | {"ayes": sorted(told["ayes"])} if "ayes" in told else told  # in any order
    if isinstance(value, list | tuple):
        return [plain(one) for one in value] or None
    return value or None


def lines(told: str | list[str]) -> list[str]:
    return re.split(r"; |\n", told) if isinstance(told, str) else told


def run_second(s: Second, step: Mapping[str, Any]) -> list[str]:
    """One step of a case; what differs from what it expects."""
    problems: dict[str, set[str]] = {}
    s.ground.events.clear()
    s.ground.luck.told = list(step.get("chance", ()))
    canonical = step.get("canonical", {})
    for who, text in step.get("orders", {}).items():
        problems.setdefault(who, set()).update(s.say(who, lines(canonical.get(who, text))))
    for act in step.get("acts", ()):
        s.clock(act.get("at", s.g["hour"]))
        problems.setdefault(act["from"], set()).update(
            s.say(act["from"], lines(act.get("canonical", act["text"])))
        )
    if "until" in step:
        s.clock(step["until"])
    else:
        s.close()
    found = [f"chance left over: {s.ground.luck.told}"] if s.ground.luck.told else []
    told = s.told()
    for key, wanted in step.get("expect", {}).items():
        if key == "problems":
            got = {who: codes for who, codes in problems.items() if codes}
            if got != {who: set(codes) for who, codes in wanted.items()}:
                found.append(f"problems: expected {wanted}, got {got}")
        elif key == "events":
            found += _events(s, wanted)
        else:
            found += compare(key, wanted, told.get(key))
    return found


def _events(s: Second, wanted: list[Any]) -> list[str]:
    rest = iter(s.ground.events)
    for one in wanted:
        facts = {"kind": one} if isinstance(one, str) else one
        if facts["kind"] in ROLLED and not any(
            all(event.get(name) == value for name, value in facts.items()) for event in rest
        ):
            return [f"events: no {facts} in its place among {s.ground.events}"]
    return []


def compare(path: str, wanted: Any, got: Any) -> list[str]:
    key = path.rsplit(".", 1)[-1]
    if isinstance(wanted, Mapping) and key not in ("next", "standing"):
        return [
            line
            for name, value in wanted.items()
            for line in compare(f"{path}.{name}", value, (got or {}).get(name))
        ]
    if (
        key in ("used", "converted_by", "ayes", "winner")
        and isinstance(wanted, list)
        and isinstance(got, list)
    ):
        wanted, got = sorted(wanted), sorted(got)
    return (
        []
        if plain(wanted) == plain(got)
        else [f"{path}: expected {plain(wanted)}, got {plain(got)}"]
    )

"""What a table says about its people: who may look on, who may take a seat over, and what becomes
of one whose player is gone.

A game master writes it in clauses: `observers by name, takeovers first come, nmr 2 then substitute,
reliability 80, resignation gm`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from pbem.grammar.gm.values import Unread
from pbem.grammar.kit.suggesting import nearest_word

Changes = Mapping[str, str | int | bool]
"""Fields of `PeopleRules` with their new values."""

MOST_MISSED = 20


class PeopleRules(msgspec.Struct, frozen=True, omit_defaults=True):
    """`observers`: whether people may look on, and `observers_shown` how the table learns of them.
    `takeovers`: who decides on a wish to have a seat that stands empty: the game master, nobody
    (first come, first served), or it is `off`. `least_reliability`: the percentage of windows that
    whoever wants a seat must have answered in earlier games. After `nmr_count` windows missed in a
    row (0: never) comes what `nmr_then` says: the game master is asked, a substitute invited, or
    the seat goes on by defaults. `resigned`: what becomes of the seat of a player who resigns; it
    stands empty, also while the game master decides, or it leaves the game. `draws`: a vote on
    ending the game by agreement is void when its phase closes, stays open over closes, or there is
    none.
    """

    observers: bool = True
    observers_shown: Literal["number", "names"] = "number"
    takeovers: Literal["gm", "first", "off"] = "gm"
    least_reliability: int = 0
    nmr_count: int = 0
    nmr_then: Literal["gm", "substitute", "defaults"] = "gm"
    resigned: Literal["vacant", "gm", "eliminate"] = "vacant"
    draws: Literal["phase", "stay", "off"] = "phase"


USUAL = PeopleRules()
"""Of a table that says nothing."""

_CLAUSE = re.compile(r"[,;\n]+|(?<![ ])[ ]++and[ ]++")
_THEN = {
    **dict.fromkeys(
        ("gm", "game master", "the gm", "the game master", "ask", "ask the gm", "ask me"), "gm"
    ),
    **dict.fromkeys(
        ("substitute", "a substitute", "invite a substitute", "substitutes"), "substitute"
    ),
    **dict.fromkeys(("default", "defaults", "default orders", "by defaults"), "defaults"),
}
_TAKEOVERS = {
    **dict.fromkeys(
        ("gm", "by the gm", "by gm", "by the game master", "ask the gm", "ask me"), "gm"
    ),
    **dict.fromkeys(("first", "first come", "first come first served", "open", "on"), "first"),
    **dict.fromkeys(("off", "no", "never"), "off"),
}
_RESIGNED = {
    **dict.fromkeys(("vacant", "empty", "stays", "defaults", "default"), "vacant"),
    **dict.fromkeys(("gm", "by the gm", "ask the gm", "game master", "ask me"), "gm"),
    **dict.fromkeys(("eliminate", "eliminates", "eliminated", "out"), "eliminate"),
}
_DRAWS = {
    **dict.fromkeys(("phase", "on", "yes", "until the close", "for a phase"), "phase"),
    **dict.fromkeys(("stay", "stay open", "standing"), "stay"),
    **dict.fromkeys(("off", "no", "never"), "off"),
}
PEOPLE_CLAUSES = (
    "observers on",
    "observers by name",
    "takeovers by gm",
    "takeovers first come",
    "nmr 2 then gm",
    "nmr 2 then substitute",
    "nmr 2 then defaults",
    "reliability 80",
    "resignation vacant",
    "resignation gm",
    "resignation eliminate",
    "draws stay",
    "draws off",
)
"""What can be said, each as it may be written; most of it also with off."""
_WORDS = ("observers", "takeovers", "nmr", "reliability", "resignation", "draws")


def _observers(said: str) -> Changes | None:
    match said:
        case "on" | "yes" | "allowed" | "open":
            return {"observers": True}
        case "off" | "no" | "never":
            return {"observers": False}
        case "by name" | "by names" | "names" | "name" | "named" | "shown by name":
            return {"observers": True, "observers_shown": "names"}
        case "by number" | "number" | "numbers" | "counted" | "shown by number":
            return {"observers": True, "observers_shown": "number"}
    return None


def _takeovers(said: str) -> Changes | None:
    return {"takeovers": _TAKEOVERS[said]} if said in _TAKEOVERS else None


def _nmr(said: str) -> Changes | None:
    if said in ("off", "no", "never", "0"):
        return {"nmr_count": 0}
    found = re.fullmatch(
        r"(?:after )?(?P<count>\d{1,2})(?: (?:in a row|missed|times))*(?:[ :]++(?:then"
        r" )?(?P<then>.+))?",
        said,
    )
    then = _THEN.get(found["then"] or "gm") if found is not None else None
    if found is None or then is None or not 1 <= int(found["count"]) <= MOST_MISSED:
        return None
    return {"nmr_count": int(found["count"]), "nmr_then": then}


def _reliability(said: str) -> Changes | None:
    if said in ("off", "no", "any"):
        return {"least_reliability": 0}
    found = re.fullmatch(r"(?:at least |of )?(?P<percent>\d{1,3}) ?(?:%|percent)?", said)
    return (
        {"least_reliability": int(found["percent"])}
        if found is not None and int(found["percent"]) <= 100
        else None
    )


def _resignation(said: str) -> Changes | None:
    return {"resigned": _RESIGNED[said]} if said in _RESIGNED else None


def _draws(said: str) -> Changes | None:
    return {"draws": _DRAWS[said]} if said in _DRAWS else None


_READERS: tuple[tuple[re.Pattern[str], Callable[[str], Changes | None]], ...] = (
    (re.compile(r"observers?[ :=]++(?P<said>.+)"), _observers),
    (re.compile(r"take ?-?overs?[ :=]++(?P<said>.+)"), _takeovers),
    (re.compile(r"nmrs?[ :=]++(?P<said>.+)"), _nmr),
    (re.compile(r"(?:least |minimum )?reliability[ :=]++(?P<said>.+)"), _reliability),
    (re.compile(r"(?:resignations?|resigned|a resignation)[ :=]++(?P<said>.+)"), _resignation),
    (re.compile(r"(?:draws|draw votes)[ :=]++(?P<said>.+)"), _draws),
)
_NONE: Mapping[str, Changes] = {
    "no observers": {"observers": False},
    "no takeovers": {"takeovers": "off"},
    "no draws": {"draws": "off"},
    "no nmr": {"nmr_count": 0},
    "nonmr": {"nmr_count": 0},
}


def read_people_clause(clause: str) -> Changes | None:
    """What one clause changes; None when it is about something else. Unread when it is about people
    and cannot be read.
    """
    folded = " ".join(clause.casefold().split()).strip(" .!")
    if folded in _NONE:
        return _NONE[folded]
    for pattern, read in _READERS:
        found = pattern.fullmatch(folded)
        if found is not None:
            changes = read(found["said"])
            if changes is None:
                raise Unread("invalid", "clause", clause.strip())
            return changes
    return None


def parse_people_rules(text: str) -> dict[str, str | int | bool]:
    """Every clause of a text. Unread for one that is none."""
    changes: dict[str, str | int | bool] = {}
    for clause in _CLAUSE.split(text):
        if not clause.strip():
            continue
        read = read_people_clause(clause)
        if read is None:
            near = nearest_word(clause.strip().casefold(), _WORDS)
            raise Unread("invalid", "clause", clause.strip(), (near,) if near is not None else ())
        changes |= read
    if not changes:
        raise Unread("missing", "clause", text.strip())
    return changes


def format_people_rules(changes: Changes) -> str:
    """The clauses again; `parse_people_rules` reads them back to the same."""
    said: list[str] = []
    if "observers_shown" in changes:
        said.append(f"observers by {'name' if changes['observers_shown'] == 'names' else 'number'}")
    if "observers" in changes and not (changes["observers"] and "observers_shown" in changes):
        said.append(f"observers {'on' if changes['observers'] else 'off'}")
    if "takeovers" in changes:
        said.append(f"takeovers {changes['takeovers']}")
    if "nmr_count" in changes:
        count = changes["nmr_count"]
        said.append(f"nmr {count} then {changes.get('nmr_then', 'gm')}" if count else "nmr off")
    if "least_reliability" in changes:
        said.append(f"reliability {changes['least_reliability']}")
    if "resigned" in changes:
        said.append(f"resignation {changes['resigned']}")
    if "draws" in changes:
        said.append(f"draws {changes['draws']}")
    return ", ".join(said)


def changed_rules(rules: PeopleRules, changes: Changes) -> PeopleRules:
    """The rules of a table with these changes."""
    return msgspec.convert(msgspec.structs.asdict(rules) | dict(changes), PeopleRules)

"""Phrases of people who never saw the reader, with the answers that a careful game master would
give: nothing is recorded that was not meant, and nothing is left out in silence.

A phrase may have further answers (`or`), and orders that are understood but refused (`refused`),
which may stand among the orders or not.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from pbem.cases.document import Document, parse_case
from pbem.cases.runner import prepare, run_case
from tests.played import GAMES

PHRASES = Path(__file__).parent / "phrases"
OURS = {"kind", "or", "refused"}
"""Keys that a case has not."""
DISPUTED = {
    # what follows `GM:` up to a blank line is a note to the game master
    "GM: my phone is dying, can the deadline move?\nbuy the Bolt",
    "Ulrich: I'm coming for you!\nGM: keep only swords, R sword, attack, enter Jerum.",
    # a line of its own is the house's word for waiting, and answered by it
    "wait",
    # the house answers what leaving a table means, beside what is open
    "Well played Cyril, that hurt. I'll leave and lick my wounds. Next time...",
    # who rerolls blanks only keeps the rest, and it does no harm to say so
    "reroll blanks only",
    "Can you please trade 2 of my gold for 2 hearts and reroll only blanks?",
    "Leave Arub this turn. Reroll the blanks only",
    # whatever tokens the card asks for go there; of the third kind it asks for none
    "tribute both to kurull",
    # where no moment is said, stay and leave count for both (section 12)
    "always stay",
}
MOST = {"asked": 110, "codes": 73}
"""Clear orders asked back, and orders with another reason than wished for: never more than now."""


Told = tuple[str, str, Mapping[str, Any], tuple[str, ...], tuple[str, ...]]


def phrases() -> Iterator[Told]:
    """Each phrase with its place and its window, what stands of it and the codes of what does not."""
    for file in sorted((*PHRASES.glob("*.yaml"), *PHRASES.glob("later/*.yaml"))):
        for told in yaml.load_all(file.read_text("utf-8"), yaml.CSafeLoader):
            told["position"].pop("eliminated", None)
            read = [
                {key: value for key, value in phrase.items() if key not in OURS}
                for phrase in told["read"]
            ]
            ran = run_case(
                prepare(parse_case(Document(file.name, 1, told | {"read": read}, {})), GAMES)
            )
            for i, (phrase, got) in enumerate(zip(told["read"], ran.read, strict=True), start=1):
                window = told["position"].get("phase", "round")
                yield f"{told['id']}.{i}", window, phrase, got.means, got.problems


def verdict(phrase: Mapping[str, Any], means: Sequence[str], codes: Sequence[str]) -> str:
    """How a reading compares with the answers: right, asked, codes, lost, misread."""
    answers = [phrase, *phrase.get("or", ())]
    refused = set(phrase.get("refused", ()))
    stands = {order for order in means if order not in refused}
    wanted = [set(answer["means"]) for answer in answers]
    if any(
        sorted(order for order in means if order in answer["means"] or order not in refused)
        == sorted(answer["means"])
        and set(codes) == set(answer["problems"])
        for answer in answers
    ):
        return "right"
    if len(set(means)) < len(means) or not stands <= set().union(*wanted):
        return "misread"
    if any(stands == answer - refused or stands == answer for answer in wanted):
        return "codes"
    if not any(stands <= answer for answer in wanted):
        return "misread"
    return "asked" if set(codes) - {"no-order"} else "lost"


def test_nothing_is_recorded_that_was_not_meant_and_nothing_lost_in_silence() -> None:
    counts = Counter[str]()
    wrong = []
    for place, _, phrase, means, codes in phrases():
        found = verdict(phrase, means, codes)
        counts[found] += 1
        if found in ("lost", "misread") and phrase["text"] not in DISPUTED:
            wrong.append(f"{found} {place} {phrase['text']!r}: {means} {codes}")
    assert wrong == []
    assert {found: counts[found] for found, most in MOST.items() if counts[found] > most} == {}

"""Phrases of people who never saw the reader, with the answers that a careful game master would
give: nothing is recorded that was not meant, and nothing is left out in silence.

A phrase may have further answers (`or`), and orders that are understood but refused (`refused`),
which may stand among the orders or not.
"""

from collections import Counter

from tests.games.reading.phrases import FOLDERS, kept_phrases
from tests.games.realm_master.reading.scoring import verdict

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
MOST = {"asked": 121, "codes": 75}
"""Clear orders asked back, and orders with another reason than wished for: never more than now."""


def test_nothing_is_recorded_that_was_not_meant_and_nothing_lost_in_silence() -> None:
    counts = Counter[str]()
    wrong = []
    for phrase in kept_phrases(FOLDERS["realm_master"]):
        means, codes = phrase.outcome(phrase.text)
        found = verdict(phrase, means, codes)
        counts[found] += 1
        if found in ("lost", "misread") and phrase.text not in DISPUTED:
            wrong.append(f"{found} {phrase.name} {phrase.text!r}: {means} {codes}")
    assert wrong == []
    assert {found: counts[found] for found, most in MOST.items() if counts[found] > most} == {}

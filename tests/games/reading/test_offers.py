"""What is offered to words that were not taken never contradicts them (F-72), and a line to copy is
made of what was written (F-73). The words are looked through by plain patterns, which share nothing
with the readers; phrases of strangers tell what was meant.
"""

import re
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from pbem.cases.runner import after_one_yes
from pbem.desk.messages.receipts import has_orders
from pbem.grammar.kit.normalise import fold
from pbem.grammar.kit.reading import Item, Reading
from tests.games.reading.phrases import Phrase, kept_phrases, strangers

HERE = Path(__file__).parent
FOLDERS = sorted(path.parent for path in HERE.parent.glob("*/reading/naming.py"))
_COUNTS = {word: n for n, word in enumerate("two three four five six seven eight nine".split(), 2)}
_NUMBER = re.compile(rf"(?<![\w.,+])(?:x ?)?(\d{{1,4}})(?=x?(?![\w]))|\b({'|'.join(_COUNTS)})\b")
_FOUND = re.compile(r"\d+")
_LISTED = re.compile(r"^\s*\d{1,2}[.)]\s")
_CORRECTS = re.compile(r"\w+(?: \w+)?[ .,–-]+(?=(?:hm+,? )?(?:or rather|sorry|no|make that)\b)")
_LEFT_OUT = re.compile(
    r"\b(?:except|bar|all but) \w+|(?<=\w )of (?:the|my) \w+(?= (?:in|at|from)\b)"
    rf"|(?m:^)[^.;!?\n]*, so\b|{_CORRECTS.pattern}"
    r"|\bmy \w+(?= (?:to|will|shall)\b)"
)
"""What is left out or corrected, how many there are, why something is done, and by whom of one's own:
an order need not name it.
"""
_OWN = re.compile(
    r"\bif (?:they rebel|we win big|we crush them|it.s a big one|(?:is )?not possible)\b|[^.;!?\n]*, so\b"
)
"""What tells a roll of the game, and hangs on nothing; and why something is done."""
_HANGS = re.compile(r"\b(?:unless|if)\b")
_DENIES = re.compile(r": (?:no|nothing|stay)\b|, stay\b|keep the rest|stay$|Decline|Vote no|Forget")
"""Orders that do what `don't` says."""
_ANSWERS = re.compile(r"(?:Accept|Decline|Withdraw) offer \d+$|In the Realm: (?:stay|leave)$")
"""What is offered by somebody is told by its number, and everybody knows where a hero stands."""
_BACK = re.compile(r"^Cancel (\d+)$", re.MULTILINE)
_BLANK = re.compile(r"<[^>]*>")
_TURNED = re.compile(r"\b(?:not|never|don't|won't|unless|if|maybe|perhaps|instead)\b|\?")
_FOR_GOOD = re.compile(
    r"(?i)concede|resign|abdicate|draw$|claim|final$|done$|rule by fear|take command"
)


_MENDED = frozenset({"not-on-offer", "not-now", "unknown-land", "no-code"})
"""Of these the answer offers another order than was written: a card that may still come is hoped
for, a land with a letter wrong is the one that is most like it, and a proposal without a code has
the one that its words come to.
"""


def numbers_in(words: str) -> set[int]:
    """The numbers of a text but for those of places, and those that number its lines."""
    found = _NUMBER.findall(_LISTED.sub("", words))
    return {int(digits) if digits else _COUNTS[word] for digits, word in found}


def differences(phrase: Phrase, folder: Path, words: str, order: str) -> list[str]:
    """What the words name and the order does not."""
    naming = import_module(f"tests.games.{folder.parent.name}.reading.naming")
    written, told = _LEFT_OUT.sub("", fold(words)), fold(order)
    found = [f"{n}" for n in numbers_in(written) if n not in map(int, _FOUND.findall(told))]
    for name, spellings in naming.names_of(phrase.at.state).items():
        named = re.search(rf"\b{re.escape(fold(name))}(?:'s)?\b", written)
        named = None if all(map(_ANSWERS.match, order.splitlines())) else named
        if named and not any(re.search(rf"\b{re.escape(fold(x))}\b", told) for x in spellings):
            found.append(name)
    for unit, code in naming.UNITS.items():
        counted = re.search(rf"\d{code}\b|{unit}", order, re.IGNORECASE)
        if re.search(rf"\b{unit}\b", written) and not counted:
            found.append(unit)
    return found


def told_by(phrase: Phrase, offer: str) -> str:
    """What an offer tells, with the lines that it takes back by their numbers."""
    lines = [*getattr(phrase.at.state, "held", ()), *phrase.standing.orders]
    told = (phrase.at.rules.format_order(phrase.at.state, line) for line in lines)
    gone = {int(number) for number in _BACK.findall(offer)}
    return "\n".join([offer, *(text for n, text in enumerate(told, 1) if n in gone)])


def is_confirmed(item: Item) -> bool:
    """Whether a whole order is asked about before it is done."""
    return any(problem.code.startswith("confirm") for problem in item.problems)


def is_turned(quote: str, offer: str) -> bool:
    """Whether the words hang on something, deny or ask what the offer just does."""
    words = _OWN.sub("", fold(quote))
    words = (
        _HANGS.sub("", words)
        if re.search(r" if | else |^(?:Hero|Enter|Buy): .*, ", offer)
        else words
    )
    words = re.sub(r"\b(?:not|never|don't|won't)\b", "", words) if _DENIES.search(offer) else words
    return bool(_TURNED.search(words) or _FOR_GOOD.search(offer))


@cache
def answered(folder: Path) -> list[tuple[Phrase, Reading]]:
    """Kept phrases, a sample or all (`make phrases`), and those of strangers, each with its reading."""
    phrases = chain(kept_phrases(folder / "phrases", 2), strangers(folder))
    return [(phrase, phrase.read()) for phrase in phrases]


def after_a_yes(phrase: Phrase) -> tuple[str, ...]:
    return after_one_yes(
        phrase.at.game, phrase.at.state, phrase.player, phrase.standing, phrase.text
    )


def faults(phrase: Phrase, reading: Reading, folder: Path) -> list[str]:
    """What is wrong with what is offered or shown of a phrase."""
    found: list[str] = []
    offered: list[Any] = []
    for item in reading.items:
        if item.example:
            bare = _BLANK.sub("", item.example)
            own = bare.strip().endswith(":")  # `When hit: <stay or leave>`
            if not own and (_FOUND.search(bare) or bare.count(" ") > 1):
                # else it is the question's own words
                found += differences(phrase, folder, item.quote, item.example)
            found += [item.example] if _FOR_GOOD.search(bare) else []
        if item.suggestion is None or is_confirmed(item):
            continue
        offered += item.suggestion.orders
        corrects = _CORRECTS.search(fold(phrase.text))
        words = phrase.text if corrects else item.quote
        found += differences(phrase, folder, words, told_by(phrase, item.suggestion.text))
        found += [item.suggestion.text] if is_turned(item.quote, item.suggestion.text) else []
    after = reading.checked.standing if reading.checked is not None else phrase.standing
    rules = phrase.at.game.ruleset
    accepted = rules.check(phrase.at.state, phrase.player, after, tuple(offered)).accepted
    return found if len(accepted) == len(offered) else [*found, "one yes cannot take all"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_f72_f73_what_is_offered_or_shown_names_what_was_written(folder: Path) -> None:
    wrong = {phrase.text: faults(phrase, reading, folder) for phrase, reading in answered(folder)}
    assert {text: found for text, found in wrong.items() if found} == {}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_f79_who_is_offered_something_gets_a_receipt_and_nothing_goes_to_the_master(
    folder: Path,
) -> None:
    """F-79: a message with an offer is no note, or its writer would never see what is offered."""
    offering = [
        (phrase.text, reading)
        for phrase, reading in answered(folder)
        if any(item.suggestion is not None for item in reading.items)
    ]
    assert offering
    notes = [text for text, reading in offering if reading.note is not None]
    assert [text for text, reading in offering if not has_orders(reading)] == notes == []


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_f72_one_yes_to_a_stranger_takes_no_order_that_nobody_gave(folder: Path) -> None:
    """F-72: an order after a yes is one that was meant, where it is clear what was."""
    wrong = {}
    for phrase in strangers(folder):
        told = phrase.told
        is_clear = ("orders" in told and not {"ask", "refuse"} & {*told}) or "none" in told
        if not is_clear:
            continue
        meant = set(chain(told.get("orders", ()), *told.get("or", ())))
        strange = [order for order in after_a_yes(phrase) if order not in meant]
        if strange and strange != ["Concede"]:
            wrong[phrase.text] = strange
    assert not wrong


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_f72_one_yes_to_a_kept_phrase_takes_no_order_that_nobody_gave(folder: Path) -> None:
    """F-72: nor one of a phrase of which it is not clear what is meant."""
    wrong = {}
    for phrase, reading in answered(folder):
        offered = [x for x in reading.items if x.suggestion is not None]
        if phrase.told or not offered or any(map(is_confirmed, offered)):
            continue
        meant = {order for means, _ in phrase.answers for order in means}
        strange = [order for order in after_a_yes(phrase) if order not in meant]
        if strange and not _MENDED & {*phrase.answers[0][1]}:
            wrong[phrase.text] = strange
    assert not wrong

"""Votes before the start, as people write them: which answer to which question is meant."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Ballot = Mapping[str, Sequence[str]]
"""The questions put to the vote, with the answers to each."""


@dataclass(frozen=True, slots=True)
class UnclearVote:
    """A vote that cannot be read, or (`ambiguous`) one on more than one question; `options` are the
    questions with an answer that may have been meant.
    """

    options: tuple[tuple[str, str], ...]
    ambiguous: bool = False


def read_vote(body: str, ballot: Ballot) -> tuple[str, str] | UnclearVote:
    """What stands behind the word vote, folded: question and answer."""
    plain = re.sub(r"\s*[:=]\s*|\s+", " ", body).strip(" .!?'\"")
    told = _told(plain, ballot)
    if told is not None:
        return told
    words = re.sub(r"^(?:the|a|for) | (?:please|version|game|one|board)$", "", plain)
    meant = [question for question, answers in ballot.items() if words in answers]
    if len(meant) == 1:
        return meant[0], words
    if meant:
        return UnclearVote(tuple((question, words) for question in meant), ambiguous=True)
    return UnclearVote(
        tuple((question, answer) for question, answers in ballot.items() for answer in answers)
    )


def read_bare_vote(plain: str, ballot: Ballot) -> tuple[str, str] | None:
    """A vote without the word: only where it can mean nothing else."""
    words = re.sub(r"(?:(?<!\s)\s++)?[:=]\s*+", " ", plain)
    told = _told(words, ballot)
    if told is not None:
        return told
    meant = [question for question, answers in ballot.items() if words in answers]
    return (meant[0], words) if len(meant) == 1 else None


def _told(plain: str, ballot: Ballot) -> tuple[str, str] | None:
    """A vote that names its question: `version grand`, `factions by chance`, `no team game`."""
    for question in sorted(ballot, key=len, reverse=True):
        for answer in ballot[question]:
            forms = {
                f"{question} {answer}",
                f"{question} is {answer}",
                f"{answer} {question}",
                f"{answer} for {question}",
            }
            forms |= (
                {f"without {question}", f"no {question}"}
                if answer == "no"
                else {f"with {question}"}
                if answer == "yes"
                else set()
            )
            if plain in forms:
                return question, answer
    return None

"""The rules guide of a game as data: every rule in our own short words, by its ID, for `rule
PR-7.8` and for the docs.

One data file a game is the source of both; a test compares the page of the docs with it.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec
import yaml
from rapidfuzz import process

from pbem.pages.rendering import environments

_ID = re.compile(
    r"^\s*(?:(\d{1,2})(?:\s*[.,-]\s*(\d{1,2}))?|([a-z])\s*(\d{1,2}))\s*$", re.IGNORECASE
)
"""What follows the prefix: a number in a section, or that of a card (`B07`)."""


@dataclass(frozen=True, slots=True)
class Book:
    """The guide of one game: the package with its `rules.yaml`, what its IDs begin with, and the
    template of its page in the docs.
    """

    package: str
    prefix: str
    page: str = "game/guide.md.j2"


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    text: str
    example: str = ""


class _Section(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    intro: str
    rules: dict[str, _Entry]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: `text` and `example` are paragraphs."""

    id: str
    title: str
    text: tuple[str, ...]
    example: tuple[str, ...]
    section: int


@dataclass(frozen=True, slots=True)
class Section:
    number: int
    title: str
    intro: str
    rules: tuple[Rule, ...]


@cache
def sections(book: Book) -> tuple[Section, ...]:
    """The whole guide in order; ValueError if the data file does not fit."""
    raw = resources.files(book.package).joinpath("rules.yaml").read_text(encoding="utf-8")
    found = msgspec.convert(yaml.safe_load(raw), dict[int, _Section])
    return tuple(_section(number, entry) for number, entry in found.items())


def _section(number: int, entry: _Section) -> Section:
    rules = tuple(
        Rule(rule_id, rule.title, _paragraphs(rule.text), _paragraphs(rule.example), number)
        for rule_id, rule in entry.rules.items()
    )
    return Section(number, entry.title, entry.intro.strip(), rules)


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


@cache
def _by_id(book: Book) -> dict[str, Rule]:
    return {rule.id: rule for section in sections(book) for rule in section.rules}


def _match(text: str, book: Book) -> re.Match[str] | None:
    bare = re.sub(rf"^\s*{book.prefix}\s*[-_ ]?", "", text[:40], flags=re.IGNORECASE)
    return _ID.match(re.sub(r"^\s*[-_]", "", bare))


def normal_id(text: str, book: Book) -> str:
    """`7.8`, `pr 7.8` and `PR-7.8` are `PR-7.8`, `b7` is `RM-B07`; anything else comes back in
    capitals.
    """
    match = _match(text, book)
    if match is None:
        return text.strip().upper()
    section, number, letter, card = match.groups()
    if letter:
        return f"{book.prefix}-{letter.upper()}{int(card):02}"
    return f"{book.prefix}-{section}.{number}" if number else f"{book.prefix}-{section}"


def find_rule(text: str, book: Book) -> Rule:
    """The rule of this ID, or the nearest one by number, else by the words of its title."""
    rules, wanted = _by_id(book), normal_id(text, book)
    if wanted in rules:
        return rules[wanted]
    match = _match(text, book)
    alike = [
        rule
        for rule in rules.values()
        if match is not None and match.group(3) and rule.id.startswith(wanted[:-2])
    ]
    if match is not None and alike:
        return min(alike, key=lambda rule: abs(int(rule.id[-2:]) - int(match.group(4))))
    if match is not None and match.group(1):
        section, number = int(match.group(1)), int(match.group(2) or 1)
        numbered = (rule for rule in rules.values() if "." in rule.id)
        return min(
            numbered,
            key=lambda rule: (
                abs(rule.section - section),
                abs(int(rule.id.partition(".")[2]) - number),
            ),
        )
    titles = {rule.id: rule.title.casefold() for rule in rules.values()}
    best = process.extractOne(text.strip()[:80].casefold(), titles)
    return rules[best[2]]


def section_of(rule: Rule, book: Book) -> tuple[Rule, ...]:
    """All rules of the same section."""
    return next(section.rules for section in sections(book) if section.number == rule.section)


def guide(book: Book) -> str:
    """The rules guide for players as Markdown, with the IDs as anchors: the page in the docs."""
    return environments()[1].get_template(book.page).render(sections=sections(book)).strip() + "\n"

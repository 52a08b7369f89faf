"""The rules guide as data: every rule in our own short words, by its ID, for `rule PR-7.8` and for the docs.

One file, `data/protectors_rules.yaml`, is the source of both; a test compares `docs/rules.md` with it.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec
import yaml
from rapidfuzz import process

from pbem.pages.rendering import environments

_ID = re.compile(r"^\s*(?:PR)?\s*[-_ ]?\s*(\d{1,2})(?:\s*[.,-]\s*(\d{1,2}))?\s*$", re.IGNORECASE)


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
def sections() -> tuple[Section, ...]:
    """The whole guide in order; ValueError if the data file does not fit."""
    raw = resources.files("pbem.pages").joinpath("data/protectors_rules.yaml").read_text(encoding="utf-8")
    found = msgspec.convert(yaml.safe_load(raw), dict[int, _Section])
    return tuple(_section(number, entry) for number, entry in found.items())


def _section(number: int, entry: _Section) -> Section:
    rules = tuple(
        Rule(rule_id, rule.title, _paragraphs(rule.text), _paragraphs(rule.example), number) for rule_id, rule in entry.rules.items()
    )
    return Section(number, entry.title, entry.intro.strip(), rules)


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())


@cache
def _by_id() -> dict[str, Rule]:
    return {rule.id: rule for section in sections() for rule in section.rules}


def normal_id(text: str) -> str:
    """`7.8`, `pr 7.8` and `PR-7.8` are `PR-7.8`; anything else comes back in capitals."""
    match = _ID.match(text[:40])
    if match is None:
        return text.strip().upper()
    section, number = match.groups()
    return f"PR-{section}.{number}" if number else f"PR-{section}"


def find_rule(text: str) -> Rule:
    """The rule of this ID, or the nearest one by number, else by the words of its title."""
    rules, wanted = _by_id(), normal_id(text)
    if wanted in rules:
        return rules[wanted]
    match = _ID.match(text[:40])
    if match is not None:
        section, number = int(match.group(1)), int(match.group(2) or 1)
        return min(rules.values(), key=lambda rule: (abs(rule.section - section), abs(int(rule.id.partition(".")[2]) - number)))
    titles = {rule.id: rule.title.casefold() for rule in rules.values()}
    best = process.extractOne(text.strip()[:80].casefold(), titles)
    return rules[best[2]]


def section_of(rule: Rule) -> tuple[Rule, ...]:
    """All rules of the same section."""
    return next(section.rules for section in sections() if section.number == rule.section)


def guide() -> str:
    """The rules guide for players as Markdown, with the IDs as anchors: what `docs/rules.md` holds."""
    return environments()[1].get_template("protectors/guide.md.j2").render(sections=sections()).strip() + "\n"

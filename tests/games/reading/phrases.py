"""Phrases of all games in their positions: those that are kept, and those of people who had seen no
reader.

A file of kept phrases holds a position and, under the names of sets, rows of what was written there:
`who | text | answer`. An answer is `order & order ! code code`, or `nothing`; further answers that
are right too follow behind it, and last the orders that may stand or not (`refused: order & order`).
In a text `\\n` is a new line, `\\t` a tab and `\\|` a bar.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from engine.ruleset import Standing, known_state
from pbem.cases.document import Document, parse_case
from pbem.cases.runner import Prepared, prepare, problem_codes
from pbem.grammar.house.parsing import hear
from pbem.grammar.house.reading import read_alone
from pbem.grammar.kit.reading import Reading
from tests.played import GAMES
from tests.rings import some_of

HERE = Path(__file__).parent.parent
FOLDERS = {
    path.parent.parent.name: path
    for path in sorted(HERE.glob("*/reading/phrases"))
    if path.is_dir()
}
"""Where the phrases of each game are kept."""
Told = tuple[tuple[str, ...], tuple[str, ...]]
"""Orders that stand of a text, and the codes of what does not and of warnings."""
_REFUSED = "refused: "


@dataclass(frozen=True)
class Phrase:
    """What somebody wrote, with the table that it was said at and what it may come to; `told`: what
    a stranger meant, in the words of their file.
    """

    at: Prepared
    name: str
    who: str
    text: str
    answers: Sequence[Told] = ()
    refused: tuple[str, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)

    @property
    def player(self) -> int:
        return self.at.cases.names_of(self.at.state)[self.who]

    @property
    def standing(self) -> Standing[Any]:
        """What stands of its player already."""
        return self.at.standings.get(self.player, Standing())

    @property
    def means(self) -> tuple[str, ...]:
        """What its writer meant, in order."""
        return tuple(sorted(self.answers[0][0]))

    @property
    def known(self) -> Any:
        """The state that its reader gets."""
        return known_state(self.at.rules, self.at.state, self.player)

    def read(self) -> Reading:
        """As its game answers it, with what is offered."""
        return read_alone(self.at.game.read, self.known, self.player, self.standing, self.text)

    def reading(self, text: str) -> Reading:
        """What a text comes to that is said in its place."""
        reading = self.at.cases.read(self.known, self.player, self.standing, hear(text))
        assert isinstance(reading, Reading)
        return reading

    def outcome(self, text: str) -> Told:
        """What stands of a text that is said in its place, in order, and the codes of the rest."""
        return self.outcome_of(self.reading(text))

    def outcome_of(self, reading: Reading) -> Told:
        """What stands of what was read, in order, and the codes of the rest."""
        accepted = reading.checked.accepted if reading.checked is not None else ()
        means = sorted(self.at.rules.format_order(self.at.state, order) for order in accepted)
        refused, warned = problem_codes(reading)
        return tuple(means), tuple(dict.fromkeys((*refused, *warned)))

    @property
    def is_to_be_clear(self) -> bool:
        """It is to be recorded without a question, whether it is or not."""
        means, problems = self.answers[0]
        return bool(means) and not problems

    @property
    def is_clear(self) -> bool:
        return self.is_to_be_clear and self.outcome(self.text) == (self.means, ())


def kept_phrases(folder: Path, least: int | None = None) -> Iterator[Phrase]:
    """Of a folder and those in it, by the names of their sets: all, or with `make phrases` all and
    else at least so many of each set.
    """
    sets = [
        (file.parent, name, _prepared(file, kept), rows.splitlines())
        for file in folder.rglob("*.yaml")
        for kept in [yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)]
        for name, rows in kept["read"].items()
    ]
    for _, name, at, rows in sorted(sets, key=lambda one: one[:2]):
        numbered = list(enumerate(rows, 1))
        for number, row in numbered if least is None else some_of(numbered, least):
            yield _phrase(at, f"{name}.{number}", row)


def phrases_of(game: str) -> Iterator[Phrase]:
    """All of a game that are to be recorded without a question, whether they are or not."""
    return (one for one in kept_phrases(FOLDERS[game]) if one.is_to_be_clear)


def _phrase(at: Prepared, name: str, row: str) -> Phrase:
    who, text, *cells = row.split(" | ")
    refused = cells.pop().removeprefix(_REFUSED) if cells[-1].startswith(_REFUSED) else ""
    text = text.replace("\\n", "\n").replace("\\t", "\t").replace("\\|", "|")
    return Phrase(at, name, who, text, [*map(_answer, cells)], _orders(refused))


def _answer(cell: str) -> Told:
    orders, _, codes = f" {cell}".partition(" ! ")
    return _orders(orders.strip()), tuple(codes.split())


def _orders(told: str) -> tuple[str, ...]:
    return tuple(told.split(" & ")) if told not in ("", "nothing") else ()


def _prepared(file: Path, kept: Mapping[str, Any]) -> Prepared:
    """The position that a file's phrases are said in."""
    game = file.relative_to(HERE).parts[0].replace("_", "-")
    return _table(file.stem, game, kept)


def _table(name: str, game: str, kept: Mapping[str, Any]) -> Prepared:
    case = {
        "id": name,
        "ruleset": game,
        "options": kept.get("options", {}),
        "position": kept["position"],
        "read": [],
    }
    return prepare(parse_case(Document("phrases", 1, case, {})), GAMES)


def strangers(folder: Path) -> Iterator[Phrase]:
    """Phrases of people who had seen no reader."""
    kept = _kept_of_strangers(folder)
    for told in kept["phrases"]:
        name, place = told.get("as", kept["as"]), told.get("at", kept["at"])
        yield Phrase(_place(folder, place), place, name, told["text"], told=told)


def read_at(folder: Path, place: str, name: str, text: str) -> Reading:
    """What a text comes to in a position of the strangers."""
    return Phrase(_place(folder, place), place, name, text).read()


@cache
def _kept_of_strangers(folder: Path) -> Mapping[str, Any]:
    kept: Mapping[str, Any] = yaml.load(
        (folder / "strangers.yaml").read_text("utf-8"), yaml.CSafeLoader
    )
    return kept


@cache
def _place(folder: Path, place: str) -> Prepared:
    kept = _kept_of_strangers(folder)
    return _table(place, kept["ruleset"], kept["positions"][place])


def shown_of(reading: Reading) -> tuple[list[str], list[str]]:
    """What is offered, and the lines to copy."""
    items = reading.items
    offered = [item.suggestion.text for item in items if item.suggestion is not None]
    return offered, [item.example for item in items if item.example]

"""Readings of phrases against what their writers, who never saw the reader, would have understood.

`right`: one of their answers. `asked`: nothing wrong is read, but a clear order is asked back.
`codes`: the orders are right, the codes of problems are others. `lost`: an order is left out
without a word. `misread`: an order stands that nobody gave.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from engine.ruleset import Checked, Problem, Standing
from pbem.cases.runner import problem_codes
from pbem.grammar.addressees import Member, Roll
from pbem.grammar.house.message import Context, read_message
from pbem.grammar.house.reading import read_alone, read_orders
from pbem.grammar.house.statements import Press, left_of
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.press import Press as Sent
from tests.games.reading.phrases import Phrase, kept_phrases

EMPTY: Standing[Any] = Standing()
Read = Callable[..., Reading]


def accept(
    state: Any, player: int, standing: Standing[Any], orders: Sequence[Any], **_more: object
) -> Checked[Any]:
    """An engine to which everything is right."""
    return Checked(tuple(orders), Standing(orders=tuple(orders)))


def read_at_table(
    read: Read,
    seats: Iterable[tuple[int, str]],
    state: Any,
    player: int,
    text: str,
    standing: Standing[Any] = EMPTY,
) -> Reading:
    """As a table hears it: press is cut out, and the rest is the game's; press that is held is asked
    about.
    """

    def hear(words: str) -> Reading:
        return read_alone(read, state, player, standing, words)

    roll = Roll(tuple(Member(*seat) for seat in seats), player)
    statements = read_message(text, Context(roll, hear))
    press = [one for one in statements if isinstance(one, Press)]
    held = [Item(quote=text, problems=(Problem("not-understood"),))] * any(
        not isinstance(one.piece, Sent) for one in press
    )
    left = left_of(text, statements)
    if press and not left.text.strip():
        return Reading(items=tuple(held) or (Item(text, problems=(Problem("no-order"),)),))
    reading = read_orders(read, state, player, standing, left)
    return msgspec.structs.replace(reading, items=(*reading.items, *held))


@dataclass(frozen=True)
class Scale:
    """What phrases of a game are weighed with: `tell` is the one spelling of an order, `bare` what
    of a spelling counts, `alike` codes that count as another.
    """

    folder: Path
    parse: Callable[[Any, Any, str], Any]
    names: Callable[[Any], Mapping[str, int]]
    seats: Callable[[Any], Iterable[tuple[int, str]]]
    read: Read
    tell: Callable[[Any, Any], str]
    bare: Callable[[Any, str], str] = lambda _, text: text
    alike: Mapping[str, str] = field(default_factory=dict)

    def score(self, phrase: Phrase) -> str:
        """What the reading of a phrase comes to."""
        return self.verdict(phrase, *self.outcome(phrase.at.state, phrase.who, phrase.text))

    def outcome(self, state: Any, name: str, text: str) -> tuple[list[str], tuple[str, ...]]:
        """What stands of a text, and the codes of what does not and of warnings; a question that
        the house answers is none.
        """
        player = self.names(state)[name]
        reading = read_at_table(self.read, self.seats(state), state, player, text)
        accepted = reading.checked.accepted if reading.checked is not None else ()
        refused, warned = problem_codes(reading)
        codes = tuple(dict.fromkeys((*refused, *warned)))
        if (reading.commands or reading.wants_out) and not reading.items:
            codes = ("no-order",)
        return [self.tell(state, order) for order in accepted], codes

    def verdict(self, phrase: Phrase, means: Sequence[str], codes: Iterable[str]) -> str:
        """How a reading compares with the answers."""
        state = phrase.at.state
        answers = [
            (self._counted(state, orders), self._codes(problems))
            for orders, problems in phrase.answers
        ]
        have = self._counted(state, means)
        if (have, self._codes(codes)) in answers:
            return "right"
        if not any(have <= texts for texts, _ in answers):
            return "misread"
        if any(have == texts for texts, _ in answers):
            return "codes"
        return "asked" if {*codes} - {"no-order"} else "lost"

    def _counted(self, state: Any, texts: Sequence[str]) -> Counter[str]:
        return Counter(self.bare(state, text) for text in texts)

    def _codes(self, codes: Iterable[str]) -> set[str]:
        return {self.alike.get(code, code) for code in codes}

    def hold(
        self, least: int, most: Mapping[str, int], disputed: Mapping[str, str] | None = None
    ) -> None:
        """Of all phrases, of which there are so many, none is misread and none is lost but for those
        that are `disputed`, with why; and no more than so many are asked back, or told in other
        codes.
        """
        told = {phrase.name: self.score(phrase) for phrase in kept_phrases(self.folder)}
        assert len(told) >= least
        wrong = {name: came for name, came in told.items() if came in {"misread", "lost"}}
        assert wrong.keys() == (disputed or {}).keys(), wrong
        counted = Counter(told.values())
        assert all(counted[come] <= limit for come, limit in most.items()), counted


@dataclass(frozen=True)
class Tables:
    """Positions by their names, and what a text comes to in them."""

    scale: Scale
    positions: Mapping[str, Mapping[str, object]]

    def __hash__(self) -> int:
        return id(self)

    @lru_cache(maxsize=32)  # noqa: B019 - there is one a game
    def table(self, name: str) -> Any:
        return self.scale.parse(self.positions[name], {}, name)

    def read(self, text: str, name: str, who: str) -> tuple[list[str], tuple[str, ...]]:
        """What stands of a text, and the codes of the rest."""
        return self.scale.outcome(self.table(name), who, text)

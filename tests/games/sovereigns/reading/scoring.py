"""Readings of phrases against what their writers, who never saw the reader, would have understood.

`right`: one of their answers. `asked`: nothing wrong is read, but a clear order is asked back.
`codes`: the orders are right, the codes of problems are others. `lost`: an order is left out
without a word. `misread`: an order stands that nobody gave.

python -m tests.games.sovereigns.reading.scoring [FOLDER] counts the phrases of a folder.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from engine.ruleset import Problem, Standing
from engine.sovereigns import orders as o
from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.positions.position_words import names_of
from engine.sovereigns.state import State
from engine.sovereigns.wording import format_order
from pbem.cases.runner import problem_codes
from pbem.games.sovereigns.reading.reader import SovereignsReader
from pbem.grammar.addressees import Member, Roll
from pbem.grammar.house.message import Context, read_message
from pbem.grammar.house.reading import read_alone, read_orders
from pbem.grammar.house.statements import Press, left_of
from pbem.grammar.kit.reading import Item, Reading
from pbem.grammar.press import Press as Sent

PHRASES = Path(__file__).parent / "phrases"
READ = SovereignsReader(suggests=False).read
EMPTY: Standing[o.Order] = Standing()
_QUOTED = re.compile(r'"[^"]*"')


def states_of(folder: Path) -> Iterator[tuple[dict[str, Any], State]]:
    """The files of a folder, each with its position."""
    for file in sorted(folder.rglob("*.yaml")):
        case = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)
        yield case, parse_position(case["position"], case["options"], case["id"])


def scores(folder: Path = PHRASES) -> Iterator[tuple[str, str, Sequence[str], Sequence[str]]]:
    """Each phrase: its name, what its reading comes to, what stands and the codes of the rest."""
    for case, state in states_of(folder):
        for i, told in enumerate(case["read"], 1):
            reading = read_at_table(state, names_of(state)[told["as"]], told["text"])
            means, codes = outcome_of(state, reading)
            yield f"{case['id']}.{i}", verdict(state, told, means, codes), means, codes


def outcome_of(state: State, reading: Reading) -> tuple[list[str], tuple[str, ...]]:
    """What stands, and the codes of what does not and of warnings; a question that the house
    answers is none.
    """
    accepted = reading.checked.accepted if reading.checked is not None else ()
    refused, warned = problem_codes(reading)
    codes = tuple(dict.fromkeys((*refused, *warned)))
    if (reading.commands or reading.wants_out) and not reading.items:
        codes = ("no-order",)
    return [format_order(state, order) for order in accepted], codes


def read_at_table(state: State, player: int, text: str) -> Reading:
    """As a table hears it: press is cut out, and the rest is the game's; press that is held is asked
    about.
    """

    def read(words: str) -> Reading:
        return read_alone(READ, state, player, EMPTY, words)

    seats = tuple(Member(one.number, one.ruler) for one in state.kingdoms)
    statements = read_message(text, Context(Roll(seats, player), read))
    press = [one for one in statements if isinstance(one, Press)]
    held = [Item(quote=text, problems=(Problem("not-understood"),))] * any(
        not isinstance(one.piece, Sent) for one in press
    )
    left = left_of(text, statements)
    if press and not left.text.strip():
        return Reading(items=tuple(held) or (Item(text, problems=(Problem("no-order"),)),))
    reading = read_orders(READ, state, player, EMPTY, left)
    return msgspec.structs.replace(reading, items=(*reading.items, *held))


def verdict(
    state: State, told: Mapping[str, Any], means: Sequence[str], codes: Sequence[str]
) -> str:
    """How a reading compares with the answers; the words of a free-form action are free."""
    answers = [
        (_bare(state, answer["means"]), set(answer["problems"]))
        for answer in (told, *told.get("or", ()))
    ]
    have = _bare(state, means)
    if any(have == texts and _like(codes) == _like(told) for texts, told in answers):
        return "right"
    if not any(have <= texts for texts, _ in answers):
        return "misread"
    if any(have == texts for texts, _ in answers):
        return "codes"
    return "asked" if set(codes) - {"no-order"} else "lost"


def _like(codes: "Sequence[str] | set[str]") -> set[str]:
    """An ambiguous word is asked about as one that is not understood."""
    return {"not-understood" if code == "ambiguous" else code for code in codes}


def _bare(state: State, texts: Sequence[str]) -> Counter[str]:
    """Texts with kingdoms by their rulers, terms told, and no words of free-form actions."""
    read = SovereignsReader().read_canonical
    return Counter(_QUOTED.sub('""', format_order(state, read(state, text))) for text in texts)


if __name__ == "__main__":
    folder = PHRASES / sys.argv[1] if len(sys.argv) > 1 else PHRASES
    sys.stdout.write(f"{dict(Counter(come for _, come, *_ in scores(folder)))}\n")

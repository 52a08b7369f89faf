"""`docs/games/sovereigns/cases.md` names every key, code, event, command and canonical text there
is.
"""

import re
from pathlib import Path
from typing import get_args

import yaml

from engine.chance import Chance
from engine.sovereigns.codes import COSTS
from engine.sovereigns.events import AnyFacts, Reason, Result
from engine.sovereigns.gm_wording import parse_command
from engine.sovereigns.orders import Order
from engine.sovereigns.positions.position import STAGES, parse_position
from engine.sovereigns.positions.position_words import KINGDOM_KEYS, NEXT_KEYS, POSITION_KEYS
from engine.sovereigns.state import SEASONS, SUPPORTS, Options
from engine.sovereigns.wording import format_order, parse_order
from tests.games.sovereigns.engine.playing import SEED, Play, run_step, table

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "games" / "sovereigns" / "cases.md").read_text("utf-8")
STATE = table({"Anna": {}, "Ben": {}, "Cleo": {}})


def section(title: str) -> str:
    return TEXT.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def rows(text: str) -> list[str]:
    """The words in the first column of a table."""
    cells = re.findall(r"^\| (`.+?`) \|", text, re.MULTILINE)
    return [word for cell in cells for word in re.findall(r"`([^`]+)`", cell)]


def canonical() -> list[str]:
    return re.findall(r"`([A-Z][^`]+)`", section("Canonical texts").partition("\n\nCodes")[0])


def test_every_key_of_a_position_has_its_row() -> None:
    assert rows(section("The position")) == [*POSITION_KEYS, *KINGDOM_KEYS]
    for word in (*STAGES, *SEASONS, *SUPPORTS, *NEXT_KEYS):
        assert f"`{word}`" in section("The position"), word
    assert all(f"`{option}`" in TEXT for option in Options.__struct_fields__)


def test_every_problem_code_is_listed() -> None:
    engine = ROOT / "engine" / "sovereigns"
    messages = (engine / "checking" / "messages.py").read_text("utf-8")
    source = "\n".join(path.read_text("utf-8") for path in engine.rglob("*.py"))
    told = rows(section("Problem codes").partition("In questions")[0])
    assert len(told) == len(set(told))
    given = set(re.findall(r"\"([a-z-]+)\": \"SS-", messages))
    given |= set(re.findall(r"Refused\(\"([a-z-]+)\"\)", source))
    assert given <= set(told)
    assert set(told) - given == {"points-missing", "bad-name", "no-order", "ambiguous"}, (
        "the reader's"
    )


def test_every_problem_code_of_a_question_is_listed() -> None:
    folder = ROOT / "pbem" / "games" / "sovereigns" / "reading"
    kit = ROOT / "pbem" / "grammar" / "kit"
    files = [*folder.glob("*.py"), kit / "answers.py", kit / "reading.py"]
    source = "\n".join(path.read_text("utf-8") for path in files)
    orders, _, questions = section("Problem codes").partition("In questions")
    given = set(re.findall(r"(?:Unclear|Problem)\(\s*\"([a-z-]+)\"", source))
    assert given <= {*rows(orders), *rows(questions)}
    assert set(rows(questions)) == given - set(rows(orders))


def test_every_kind_of_event_is_listed() -> None:
    text = section("Kinds of events")
    listed = re.findall(r"`([a-z-]+)`", text.partition("\n\n")[0])
    assert sorted(listed) == sorted(str(kind.__struct_config__.tag) for kind in get_args(AnyFacts))
    assert all(f"`{word}`" in text for word in (*get_args(Result), *get_args(Reason)))


def test_the_canonical_texts_shown_are_canonical_and_none_is_missing() -> None:
    shown = [parse_order(STATE, text) for text in canonical()]
    assert [format_order(STATE, order) for order in shown] == canonical()
    assert {type(order) for order in shown} == set(get_args(Order))


def test_the_commands_shown_are_commands() -> None:
    text = section("What the game master writes")
    standing = {1: (parse_order(STATE, 'Try: 2R against Ben for -1 "dig"'),)}
    acts = [
        parse_command(STATE, shown, standing)["act"] for shown in re.findall("`(gm .+?)`", text)
    ]
    assert set(acts) == {"rule", "tech", "verdict", "rollback", "set", "mod", "give", "end"}


def test_the_example_comes_out_as_it_says() -> None:
    (example,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    case = yaml.safe_load(example)
    game = Play(parse_position(case["position"], {}, case["id"]), Chance(SEED))
    assert [told for step in (case, *case["then"]) for told in run_step(game, step)] == []


def test_the_buildings_and_their_costs_are_those_of_the_orders_page() -> None:
    page = (ROOT / "docs" / "games" / "sovereigns" / "orders.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(BLD-[A-Z]+)(?: a)?` \| (\d) \|", page, re.MULTILINE))
    assert told == {code.split()[0]: str(cost) for code, cost in COSTS.items()}

"""F-103: each deliberate fault in a copy of a plug-in is named, with what to do; the plug-in as it
is has none.
"""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, invalidate_caches
from itertools import count
from pathlib import Path

import pytest

from pbem.conformance.examination import Pace, check_game
from pbem.findings import Finding, Grade
from pbem.game import Game
from tests.rings import sampled

PLUGIN = Path(__file__).parents[1] / "plugin" / "sealed_lots"
DICE = Path(__file__).parents[1] / "plugin_dice" / "liars_dice"
PACE = Pace(games=1, phases=80, twins=20, letters=3, boards=9)
NUMBERS = count()


@dataclass(frozen=True, slots=True)
class Fault:
    """In this file of a plug-in `new` stands for `old`; some words of the finding, and of what to
    do.
    """

    file: str
    old: str
    new: str
    seen: str
    mend: str
    plugin: Path = PLUGIN


FAULTS = (
    # words and grammar
    Fault("orders.words", "PASS: pass", "PASS: offer, pass", "orders.words:", "fix it where"),
    Fault("orders.lark", "start: amount", "start: amounts", "orders.lark", "fix it where"),
    Fault("orders.lark", 'PASS: "pass"', 'PASS "pass"', "orders.lark", "fix it where"),
    Fault("orders.words", "BID: bid, ", "BID: ", '"Bid', "read every canonical text"),
    Fault("orders.words", "SLIPS:", "AHOY: ahoy\nSLIPS:", "`AHOY` (ahoy)", "in a rule"),
    Fault("orders.words", "PASS: pass", "# PASS: pass", "the kind `PASS`", "add its words"),
    Fault(
        "rules.py",
        "Bid {coins:count}",
        "Bid {coins:count} on it",
        'it stops at "on", IN',
        "the kinds of small words",
    ),
    Fault("game.py", "(*COLOURS, *SYMBOLS,", "(*SYMBOLS,", "called red", "reserved_words"),
    Fault("game.py", "colours=COLOURS,", "colours=COLOURS[:2],", "2 colours", "Game.colours"),
    # the book and the sentences
    Fault("rules.yaml", "    SL-3.2:", "    SL-3.9:", "SL-3.2 is cited", "rules.yaml"),
    Fault("templates/events.j2", "macro offered(", "macro offers(", "`offered`", "events.j2"),
    Fault("templates/problems.j2", "macro purse(", "macro purses(", "`purse`", "problems.j2"),
    # states and events
    Fault("rules.py", "    | LotOffered\n", "", "`offered`", "union of facts"),
    Fault(
        "rules.py",
        "state.deck:\n        yield",
        "len(state.deck) > 5:\n        yield",
        "impossible",
        "faults_of",
    ),
    Fault("rules.py", '{"bid": 24}', '{"bid": 0}', "lasts no time", "at least an hour"),
    Fault(
        "rules.py",
        'Phase("bid", state.round',
        'Phase("bids", state.round',
        "`bids`",
        "Ruleset.windows",
    ),
    Fault(
        "rules.py",
        "state.round == ROUNDS:",
        "state.round == ROUNDS + 9:",
        "IndexError",
        "fix it where",
    ),
    Fault(
        "rules.py",
        "player.number in state.winners,\n                player.score",
        "player.number not in state.winners,\n                player.score",
        "other winners",
        "same winners",
    ),
    Fault(
        "rules.py",
        "if player in self.phase(state).asked:",
        "if player:",
        "after the end",
        "yield nothing",
    ),
    Fault(
        "rules.py",
        "or (Bid(0),)",
        "or (Bid(99),)",
        'phase `bid` who sends nothing is taken to order "Bid 99"',
        "let `legal` yield it",
    ),
    Fault(
        "rules.py",
        "player.coins - bids[winner]",
        "player.coins - 2 * bids[winner]",
        "(player 1: Bid",
        "play that step again",
    ),
    # what a game master does
    Fault(
        "rules.py",
        'return self._over(state, "agreement", winners)',
        "return Outcome(state, ())",
        "not over",
        "let `end`",
    ),
    Fault("rules.py", "gone=True", "gone=False", "still in the game", "let `remove`"),
    # orders
    Fault(
        "rules.py",
        ".coins + 1))",
        ".coins + 3))",
        "`check` refuses it (purse)",
        "the same function",
    ),
    Fault(
        "rules.py",
        '    form: ClassVar[str] = "Bid {coins:count}"',
        '    form: ClassVar[str] = "Bid {coins:count}"\n\n    def __eq__(self, other: object) -> bool:\n        return self is other',
        "does not come back",
        "`Codec`",
    ),
    # secrets
    Fault(
        "rules.py",
        "if state.how or other.number == player",
        "if True",
        "players[].wants",
        "hide it in `view`",
    ),
    Fault(
        "rules.py",
        "else state.deck[0],",
        "else state.deck[0] + ' ' * LOTS.index(state.deck[1 % len(state.deck)]),",
        "comes out only later",
        "hide it in `view`",
    ),
    Fault(
        "rules.py", '("SL-1.4",), (player.number,))', '("SL-1.4",))', "`commission`", "its audience"
    ),
    Fault(
        "rules.py",
        'Event(Rolled(one.number, one.dice), ("LD-1.3",), (one.number,))',
        'Event(Rolled(one.number, one.dice), ("LD-1.3",), None if state.round else (one.number,))',
        "the event `rolled` tells the public what the view hides",
        "give the event its audience",
        DICE,
    ),
    Fault(
        "rules.py",
        "Event(BidMade(player, order.count, order.face), rules)",
        "Event(BidMade(player, order.count + sum(map(sum, (one.dice for one in state.players))), order.face), rules)",
        "the event `bid-made` tells the public what is made of something that the view hides",
        "leave it out",
        DICE,
    ),
    Fault(
        "rules.py",
        "LotOffered(after.round, after.deck[0])",
        "LotOffered(after.round + sum(one.wants == after.deck[0][:-2] for one in players), after.deck[0])",
        "the event `offered` tells the public what is made of something that the view hides",
        "leave it out",
    ),
    Fault(
        "rules.py",
        "            for one in players\n            if one.dice\n        )",
        "            for one in players\n            if one.dice\n        )\n        if told and told[0].kind == 'challenged':\n            facts = replace(told[0].facts, found=max(map(max, (one.dice for one in players if one.dice))))\n            told = (Event(facts, told[0].rules), *told[1:])",
        "the event `challenged` tells the public what is made of something that the view hides",
        "leave it out",
        DICE,
    ),
    Fault("rules.py", "view.lot else ()", "view.round else ()", "AttributeError", "fix it where"),
    Fault(
        "rules.py",
        "State(view.players, deck, view.turn,",
        "State(view.players, deck, 1,",
        "has another view",
        "that `assume` makes",
    ),
    Fault(
        "rules.py",
        "if 0 <= order.coins <= coins:",
        "if 0 <= order.coins <= coins and len(state.deck) != 5:",
        "refuses it",
        "the same function",
    ),
    Fault(
        "rules.py",
        ".coins + 1))",
        ".coins + (len(state.deck) > 1)))",
        "something hidden",
        "let `legal`",
    ),
    # letters
    Fault(
        "templates/events.j2",
        "{{ f.lot|b }}.{% endmacro %}\n{% macro comm",
        "{{ f.lots|b }}.{% endmacro %}\n{% macro comm",
        "has no attribute 'lots'",
        "fix the template",
    ),
    Fault(
        "templates/words.j2",
        "view.own.wants|b",
        "view.own.want|b",
        "has no attribute 'want'",
        "fix the template",
    ),
    Fault(
        "news.py",
        'told = cut(phrase(TEMPLATE, "sold", facts, cast), MOST_SENTENCE)',
        'told = phrase(TEMPLATE, "sold", facts, cast) * 4',
        "more than 140",
        "with `cut`",
    ),
    Fault(
        "pages.py",
        "half = view.own.coins // 2",
        "half = view.players[-view.own.number].coins + 1",
        'a letter of the phase `bid` suggests "Bid 21", which its reader cannot order (purse)',
        "suggest only",
    ),
    Fault(
        "pages.py",
        'Gap("your bid", line="Pass")',
        'Gap("your bid", line="Yield")',
        'a letter of the phase `bid` suggests "Yield"',
        "in words that are read",
    ),
    Fault(
        "pages.py",
        'MENU = UsualMenu(PAGES, "Bid...")',
        'MENU = type("Wide", (UsualMenu,), {"buttons": lambda self, texts, *_: UsualMenu.buttons(self, ["Bid 99", *texts], *_)})(PAGES, "Bid...")',
        'a button of the phase `bid` suggests "Bid 99"',
        "suggest only",
    ),
    # boards
    Fault(
        "templates/board/board.svg.j2",
        "<rect width=",
        '<image href="x"/><rect width=',
        "image",
        "fix `stage`",
    ),
    Fault(
        "templates/board/board.svg.j2",
        "shapes.whose(c.colour, c.key)",
        "shapes.whose(c.colour)",
        "amber-3",
        "macro `whose`",
    ),
    Fault(
        "board.py", 'TEMPLATES.text("alt.txt.j2", scene=scene)', '""', "says nothing", "Drawing.alt"
    ),
    Fault(
        "board.py",
        "    return Drawing(svg,",
        '    return Drawing(svg + " " * len(KEPT.append(1) or KEPT),',
        "in two ways",
        "scene alone",
    ),
    Fault("board.py", "24, GILT)", "8, GILT)", "px high", "larger words"),
    # reading
    Fault(
        "game.py",
        "read=READER.read,",
        "read=lambda *a: [READER.read(*a) for _ in range(len(a[3].text) // 200 + 1)][-1],",
        "times as much work",
        "each sentence once",
    ),
)


@contextmanager
def copied(folder: Path, *faults: Fault) -> Iterator[Game]:
    """A plug-in under another name, with these faults."""
    plugin = faults[0].plugin if faults else PLUGIN
    name = f"faulty_game_{next(NUMBERS)}"
    package = folder / name
    shutil.copytree(plugin, package, ignore=shutil.ignore_patterns("__pycache__"))
    for fault in faults:
        file = package / fault.file
        text = file.read_text("utf-8")
        assert fault.old in text, fault
        file.write_text(text.replace(fault.old, fault.new, 1), "utf-8")
    for file in (*package.rglob("*.py"), *package.rglob("*.j2")):
        file.write_text(file.read_text("utf-8").replace(plugin.name, name), "utf-8")
    board = package / "board.py"
    board.write_text(board.read_text("utf-8") + "\n\nKEPT: list[int] = []\n", "utf-8")
    sys.path.insert(0, str(folder))
    invalidate_caches()
    try:
        yield import_module(f"{name}.game").GAME
    finally:
        sys.path.remove(str(folder))
        for module in [one for one in sys.modules if one.partition(".")[0] == name]:
            del sys.modules[module]


def bad(game: Game) -> Iterator[Finding]:
    return (one for one in check_game(game, PACE) if one.grade is not Grade.OK)


@pytest.mark.parametrize("fault", sampled(FAULTS, 6), ids=lambda fault: fault.seen)
def test_f103_a_fault_is_named_with_what_to_do(fault: Fault, tmp_path: Path) -> None:
    with copied(tmp_path, fault) as game:
        found = next(bad(game), None)
    assert found is not None
    assert fault.seen in found.words
    assert fault.mend in found.mend


def test_the_plug_in_has_no_fault(tmp_path: Path) -> None:
    with copied(tmp_path) as game:
        assert list(bad(game)) == []

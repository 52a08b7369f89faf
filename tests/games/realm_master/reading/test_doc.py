"""docs/games/realm-master/orders.md is true: every example is read as its row says, and no form of
order is missing.
"""

import re
from pathlib import Path
from typing import Any

from engine.realm_master import orders as o
from engine.realm_master.cards import all_heroes
from engine.realm_master.state import State
from engine.realm_master.wording import format_order
from engine.ruleset import Standing
from pbem.games.realm_master.reading.corrections import FORMS, read_correction
from pbem.games.realm_master.reading.reader import READER
from pbem.grammar.house.reading import read_alone
from tests.games.realm_master.engine.playing import close, new_game, table
from tests.rows import each_row

PAGE = (Path(__file__).parents[4] / "docs" / "games" / "realm-master" / "orders.md").read_text(
    "utf-8"
)
NAMES = ("Anna", "Ben", "Chloé", "Dora")
PLAYERS: dict[str, dict[str, Any]] = {
    "Anna": {
        "hero": "elf",
        "hgb": "7/9/0",
        "cards": ["B08", "B09", "B11", "B13", "B16", "B17"],
        "plan": ["Enter: Arub"],
    },
    "Ben": {"hero": "barbarian", "hgb": "7/0/0", "at": "SAL", "cards": ["B10"]},
    "Chloé": {"hero": "dwarf", "hgb": "9/3/0"},
    "Dora": {"hero": "wizard", "hgb": "7/4/0"},
}
LANDS = {"SAL": "2/1/0", "ARU": "0/3/1", "JER": "1/1/2", "MER": "1/2/2"}
CARD_OF = {"exchange": "T08", "second": "T17", "tribute": "T04", "ultimatum": "T09"}


def _examples() -> list[tuple[str, str, str, str]]:
    """The rows below a comment that names their phase, up to the next heading or paragraph."""
    found, phase = [], ""
    for line in PAGE.splitlines():
        marked = re.fullmatch(r"<!-- phase: (.+) -->", line)
        row = re.fullmatch(r"\| (?:(\w+): )?`(.+?)` \| (.+?) \|", line)
        if marked:
            phase = marked[1]
        elif line and not line.startswith("|"):
            phase = ""
        elif row and phase:
            found.append((phase, row[1] or "Anna", row[2], row[3]))
    return found


EXAMPLES = _examples()


def table_of(phase: str) -> State:
    kind, *more = phase.split(", ")
    if kind == "heroes":
        return new_game(4)
    told: dict[str, Any] = {"row": ["B01", "B02", "B12"], "lands": LANDS}
    for word in more:
        told |= {"card": CARD_OF[word]} if word in CARD_OF else {"turns": 3}
    if kind == "round":
        state = table(PLAYERS, **told)
        return close(state).state if "played" in more else state
    players, turn = dict(PLAYERS), {"player": "Anna", "rolled": "sRc-b"}
    if kind not in ("reroll", "faces"):
        turn["faces"] = "sscbb"
    if kind == "hit":
        told["hit"] = {"Ben": 3}
    if kind == "place":
        told["revealed"] = "B05"
    if kind == "realm":
        players |= {"Anna": PLAYERS["Anna"] | {"at": "JER"}, "Ben": PLAYERS["Ben"] | {"at": "out"}}
    return table(
        players,
        options={"mode": "interactive"},
        phase=kind,
        turn=turn | ({"inside": True} if kind == "realm" else {}),
        **told,
    )


@each_row(("phase", "who", "written", "meant"), EXAMPLES)
def test_every_example_of_the_page_is_read_as_it_says(
    phase: str, who: str, written: str, meant: str
) -> None:
    reading = read_alone(READER.read, table_of(phase), NAMES.index(who) + 1, Standing(), written)
    stands = (
        [format_order(order) for order in reading.checked.accepted]
        if reading.checked is not None
        else []
    )
    assert stands == ([] if meant.startswith("nothing") else meant.split("; "))


def test_every_form_of_order_has_an_example() -> None:
    meant = "\n".join(said for _, _, _, said in EXAMPLES)
    for words in (
        *o.KEY_WORDS.values(),
        *("Auto on", "Auto off", "Forget", "Object to turn", "Take the revealed card", "Cover"),
        "Go on",
    ):
        assert words in meant
    for words in (
        *("Reveal a card now", "Concede", "Buy Iron Shield now"),
        *("Play Bolt of Fire on the barbarian now", "for life now"),
    ):
        assert words in meant
    assert "`wait`" in PAGE
    assert len(EXAMPLES) > 60


def test_every_hero_is_told_with_what_he_starts_with() -> None:
    for hero in all_heroes().values():
        row = next(
            line for line in PAGE.splitlines() if line.startswith(f"| {hero.title} ({hero.name}) |")
        )
        banners = f", {hero.start.banners} banner" if hero.start.banners else ""
        assert f"| {hero.start.hearts} hearts, {hero.start.gold} gold{banners} |" in row


def test_every_correction_of_the_page_is_read_and_every_kind_is_on_it() -> None:
    shown = re.findall(r"`correct (.+?) because \.\.\.`", PAGE)
    state = table_of("round")
    kinds = {read_correction(state, text).act["act"] for text in shown}
    assert kinds == {read_correction(state, form).act["act"] for form in FORMS}

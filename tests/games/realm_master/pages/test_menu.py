"""The menu of Realm-Master: whatever can be tapped is an order that is taken, and every screen can
be reached and left.
"""

from engine.realm_master.orders import Order
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.realm_master.wording import parse_order
from engine.ruleset import Standing
from pbem.games.realm_master.pages.menu import MENU
from pbem.pages.menu import MenuStep, NamesDefault, Path
from pbem.pages.page import Reader
from pbem.play import Seen
from tests.games.realm_master.pages.sample import (
    PLAYERS,
    READER,
    live,
    standing,
    state,
    table,
    view,
)
from tests.games.realm_master.pages.test_pages import QUESTIONS
from tests.pages.chat import check_form
from tests.pages.tapping import steps_of, taken_in, texts_of
from tests.rows import each_row

MOST_STEPS = 60
NOTHING: Standing[Order] = Standing()


def step(shown: State, path: Path = (), sent: Standing[Order] = NOTHING) -> MenuStep:
    return MENU.step(table(), READER, view(shown), tuple(REALM_MASTER.legal(shown, 1)), sent, path)


def texts(shown: State, path: Path) -> list[str]:
    return texts_of(step(shown, path))


def taken(shown: State, path: Path) -> list[str]:
    return taken_in(step(shown, path))


@each_row("name", QUESTIONS)
def test_everything_that_can_be_tapped_is_taken(name: str) -> None:
    shown = QUESTIONS[name]()
    seen = Seen(1, view(shown), tuple(REALM_MASTER.legal(shown, 1)))
    said = {*taken_in(*steps_of(MENU, seen, NOTHING, MOST_STEPS).values())}
    for text in said:
        order = parse_order(text.removesuffix(" for good"))
        checked = REALM_MASTER.check(shown, 1, NOTHING, (order,))
        assert not [problem for problem in checked.problems if not problem.warning], text
    assert said, "nothing can be ordered by tapping"


def test_dice_are_toggles_and_then_thrown_or_kept() -> None:
    shown = live("reroll")
    assert texts(shown, ("dice",))[:5] == ["⚔", "R", "□", "½", "R"]
    assert texts(shown, ("dice", "3"))[:7] == [
        *("⚔", "R", "↻ □", "½", "R", "Reroll 1", "Keep all"),
    ]
    assert taken(shown, ("dice", "3", "4")) == [
        "Reroll: reroll die 3, reroll die 4, keep the rest",
        "Reroll: keep the rest",
    ]
    toggled = {button.path for button in step(shown, ("dice", "3")).lines[0]}
    assert ("dice",) in toggled
    assert ("dice", "1", "3") in toggled


def test_one_die_at_most_for_the_knuckle() -> None:
    shown = QUESTIONS["knuckle"]()
    assert taken(shown, ("dice", "3", "4"))[0] == "Second reroll: reroll die 4, keep the rest"


def test_each_r_gets_its_face_one_after_the_other() -> None:
    shown = live("faces")
    assert taken(shown, ("faces",)) == []
    assert taken(shown, ("faces", "c"))[:2] == [
        "R: 1 as sword, 1 as coin",
        "R: 1 as coin, 1 as coin",
    ]


def test_stay_and_leave_are_two_buttons() -> None:
    shown = QUESTIONS["hit"]()
    entries = MENU.entries(view(shown), tuple(REALM_MASTER.legal(shown, 1)), NOTHING)
    assert [(button.text, button.takes) for button in entries[:2]] == [
        ("Stay", "When hit: stay"),
        ("Leave", "When hit: leave"),
    ]
    assert taken(shown, entries[0].path) == ["When hit: stay"]


def test_lands_tell_what_they_cost_and_cards_their_price() -> None:
    assert texts(QUESTIONS["enter"](), ("question",))[:2] == ["Kurull, 1 gold", "Jerum, 2 gold"]
    assert "Buy Gambler's Knuckle, 3" in texts(QUESTIONS["place"](), ("question",))
    assert (
        taken(
            live(
                "attack",
                row=["B08", "B17", "B11"],
                players={
                    "Anna": {"hero": "elf", "hgb": "7/4/3"},
                    "Bartek": {"hero": "dwarf", "at": "KUR"},
                },
            ),
            ("shop",),
        )[0]
        == "Buy Healing Draught now"
    )


def test_heroes_are_tapped_in_the_order_of_liking() -> None:
    shown = QUESTIONS["heroes"]()
    assert taken(shown, ("heroes", "elf", "dwarf")) == ["Hero: elf, dwarf"]
    assert "<b>Elf, Ryllae</b>" in step(shown, ("heroes", "elf")).chat


def test_a_tribute_is_paid_token_by_token() -> None:
    shown = QUESTIONS["tribute"]()
    assert taken(shown, ("tribute",)) == []
    assert "Tribute: gold to Kurull, gold to Jerum" in taken(shown, ("tribute", "KUR"))


def test_each_token_of_a_tribute_is_asked_for_by_its_number_and_room_is_taken() -> None:
    shown = QUESTIONS["tribute"]()
    first, second = step(shown, ("tribute",)), step(shown, ("tribute", "KUR"))
    assert "Token 1 of 2: 1\N{NO-BREAK SPACE}gold to which land?" in first.chat
    assert "1\N{NO-BREAK SPACE}gold to <b>Kurull</b>." in second.chat
    assert "Token 2 of 2:" in second.chat
    assert texts(shown, ("tribute",))[0] == "Kurull, room 1"
    assert not [text for text in texts(shown, ("tribute", "KUR")) if text.startswith("Kurull")]


def test_a_hero_is_asked_for_no_token_that_is_not_there() -> None:
    poor = PLAYERS | {"Anna": {"hero": "elf", "hgb": "7/1/0"}}
    for card in ("T04", "T05"):
        shown = state(
            phase="tribute",
            card=card,
            options={"mode": "interactive"},
            asked=["Anna"],
            players=poor,
        )
        assert "1\N{NO-BREAK SPACE}gold to which land?" in step(shown, ("tribute",)).chat
        assert "Tribute: gold to Jerum" in taken(shown, ("tribute",))
    spared = PLAYERS | {"Anna": {"hero": "elf", "hgb": "1/0/0"}}
    assert (
        taken(
            state(
                phase="tribute",
                card="T06",
                options={"mode": "interactive"},
                asked=["Anna"],
                players=spared,
            ),
            ("tribute",),
        )
        == []
    )


def test_half_of_the_cards_of_the_dead_are_chosen() -> None:
    shown = QUESTIONS["loot"]()
    assert taken(shown, ("loot", "B07")) == []
    assert taken(shown, ("loot", "B07", "B11")) == ["Loot: Standard Pole, Cutpurse"]


def test_lines_of_a_plan_are_tapped_by_their_key_and_can_be_made_to_stay() -> None:
    shown = state()
    assert "✓ Reroll" in texts(shown, ("plan",))
    assert "Attack: no" in taken(shown, ("plan", "attack"))
    assert "Attack: no (always)" in taken(shown, ("plan", "attack", "always"))
    assert "Forget Attack" in taken(shown, ("plan", "attack"))


def test_a_path_that_leads_nowhere_any_more_shows_the_beginning() -> None:
    beginning = step(live("attack"))
    for path in (
        ("dice", "1"),
        ("loot", "B01"),
        ("plan", "hero"),
        ("sure", "Concede now"),
        ("nonsense",),
        ("faces",),
    ):
        assert step(live("attack"), path) == beginning


def test_the_beginning_shows_what_stands() -> None:
    look = step(state(), (), standing("Enter: Arub"))
    assert "<code>Enter: Arub</code>" in look.chat
    assert "<code>Attack: yes</code>" in look.chat


def test_what_is_left_to_the_rules_or_to_the_plan_is_named() -> None:
    assert isinstance(MENU, NamesDefault)
    assert MENU.default_label(view(live("faces"))) == "Let the rules decide"
    assert MENU.default_label(view(live("attack"))) == "Let the plan decide"


def test_who_is_not_asked_finds_the_plan_alone() -> None:
    shown = live("attack")
    look = MENU.step(
        table(),
        Reader(2, "Bartek", "UTC"),
        view(shown, 2),
        tuple(REALM_MASTER.legal(shown, 2)),
        NOTHING,
        (),
    )
    assert [button.text for line in look.lines for button in line] == ["Your plan", "More"]


@each_row("name", QUESTIONS)
def test_every_look_is_well_formed_for_telegram(name: str) -> None:
    class Shown:
        chat = step(QUESTIONS[name]()).chat

    check_form(name, Shown())  # type: ignore[arg-type]  # only the words for a chat are looked at

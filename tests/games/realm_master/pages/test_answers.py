"""What a letter offers who is asked live for a land to enter."""

from engine.realm_master.state import State
from engine.realm_master.view_of import view_of
from pbem.games.realm_master.pages.answers import answers
from pbem.games.realm_master.pages.cast import cast_of
from tests.games.realm_master.engine.playing import close, table


def asked(hgb: str, rolled: str, row: list[str], cards: list[str]) -> State:
    start = table(
        {
            "P1": {"hero": "elf", "hgb": hgb, "cards": cards},
            "P2": {"hero": "dwarf", "hgb": "9/3/0"},
        },
        options={"mode": "interactive"},
        phase="reroll",
        turn={"player": "P1", "rolled": rolled},
        lands={"JER": "1/1/2", "MER": "0/0/0", "KUR": "0/0/0", "BAR": "0/0/0"},
        row=row,
    )
    state = close(start, {"P1": "Reroll: keep the rest"}).state
    assert state.stage == "enter"
    return state


def offered(state: State) -> tuple[list[str], str]:
    view = view_of(state, 1)
    found = answers(view, cast_of(view, 1))
    return [text for one in found for text in one.texts], found[0].why.text


def test_lands_that_can_be_entered_are_offered() -> None:
    texts, _ = offered(asked("7/2/0", "ss---", ["B01", "B02", "B12"], []))
    assert texts == ["Enter: Jerum", "Enter: Kurull", "Enter: Barrows", "Enter: nothing"]


def test_where_no_land_is_in_reach_yet_what_can_be_bought_is_offered() -> None:
    """F-84: a Cutpurse in hand, or the Gate Rune for who has no sword."""
    texts, why = offered(asked("7/0/0", "ss---", ["B01", "B02", "B12"], ["B11"]))
    assert texts == ["Enter: nothing"]
    assert "buy or play a card first" in why
    texts, why = offered(asked("7/7/0", "-----", ["B18", "B01", "B02"], []))
    assert texts == [
        *("Enter: nothing", "Buy Gate Rune now", "Buy Iron Shield now", "Buy Whetted Blade now"),
    ]
    assert "buy or play a card first" in why

"""What was done earlier in the year is still to be seen: threads on the table, and seasons by their
names (F.10).
"""

from typing import Any

from engine.sovereigns.events import ActionResolved
from pbem.board.board import TableFacts
from pbem.games.sovereigns.board.drawing import lay_board
from pbem.games.sovereigns.board.scene import Trace
from pbem.games.sovereigns.board.scene_of import build_scene
from tests.games.sovereigns.board.positions import five, kingdom, scene
from tests.moments import Moment, whole

WHOLE = ("sovereigns", 5, 5, 60)


def done_to_others(moment: Moment) -> list[tuple[int, int]]:
    facts = [event.facts for event in moment.public]
    return [
        (one.kingdom, one.target)
        for one in facts
        if isinstance(one, ActionResolved) and one.target is not None
    ]


def test_each_season_shows_what_was_done_to_others_in_the_seasons_of_its_year_before_it() -> None:
    table = whole(*WHOLE)
    year: list[tuple[int, int]] = []
    compared = 0
    for place, moment in enumerate(table.moments):
        view: Any = table.game.ruleset.view(moment.state, None)
        lately = table.moments[max(0, place - table.game.pictured) : place + 1]
        events = [event for one in lately for event in one.public]
        shown = build_scene(view, events, TableFacts("Heron", view.stage))
        if moment.kind == "season" and lately[-2].kind == "year-start":
            year = []
        if moment.kind in ("season", "year-start"):
            seats = view.seating
            assert [(seats[one.kingdom], seats[one.target]) for one in shown.traces] == year
            compared += len(year)
        year += done_to_others(moment)
    assert compared > 20


def test_a_thread_leads_from_one_kingdom_to_the_other_beside_the_ribbon_of_now() -> None:
    before = lay_board(five())
    board = lay_board(five(traces=(Trace(0, 1, "success"), Trace(1, 0, "failure"))))
    assert [thread.of for thread in board.traces] == [0, 1]
    assert len({thread.path for thread in board.traces}) == 2
    assert board.ribbons == before.ribbons
    assert not before.traces


def test_a_fallen_kingdom_is_a_banner_with_a_notched_edge() -> None:
    fallen = kingdom(1, alive=False, fell=1)
    charters = lay_board(scene((kingdom(0), fallen, kingdom(2)))).charters
    assert [max(box.tail for box in charter.boxes) > 0 for charter in charters] == [
        False,
        True,
        False,
    ]


def test_captions_of_an_archive_name_the_season() -> None:
    table = whole(*WHOLE)
    pages = table.game.pages
    seasons = [pages.step_name(close) for close in table.closes if close.kind == "season"]
    names = ["Spring actions", "Summer actions", "Autumn actions", "Winter actions"]
    assert seasons == [names[place % 4] for place in range(len(seasons))]

"""What stands is a list that words edit (F-78), the same in every game: by the numbers of the
receipt, by what a line says, in a returned list. What is not certain takes nothing back.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.reading.unused import read
from tests.rows import each_row

STANDING = {
    "protectors": ("March! 1 from P1 to P2", "Fortify! P2", "Work, work! P4"),
    "realm-master": ("Reroll: reroll blanks", "R: sword", "Attack: yes", "Enter: Arub"),
    "fortresses": (
        "Attack Syria with 2L from Egypt",
        "Attack Lombardy with 3K from Aquitaine",
        "Attack Saxony with 1L from France",
    ),
    "sovereigns": ("Attack Ben: 2M", "Build BLD-HOSPITAL", "Every season: Expedition: 1M"),
}
DROPS = (
    *("cancel {}", "scrap no. {}", "Please drop line {}.", "take back number {}, the rest stays"),
    *("no. {} is off", "could you remove order {} please?", "Delete {}, keep the others."),
    "take {} back",
)
TURNED = (
    *("cancel {} if Ben attacks", "should I drop {}?", "don't cancel {}", "maybe scrap {}"),
    *("cancel {}. No wait, keep it.", "Ben told me to cancel {}", "cancel {} or not"),
    "Ben wrote:\ncancel {}",
)
GAMES = sorted(STANDING)
NTH = ("first", "second", "third", "fourth")


def without(lines: tuple[str, ...], *places: int) -> list[str]:
    return [line for place, line in enumerate(lines) if place not in places]


@given(game=st.sampled_from(GAMES), place=st.integers(0, 3), form=st.sampled_from(DROPS))
@settings(deadline=None, max_examples=40)
def test_f78_an_edit_by_number_takes_that_line_alone(game: str, place: int, form: str) -> None:
    """F-78: `scrap no. 3` takes line 3, and all others stand as before, in their order."""
    lines = STANDING[game]
    place %= len(lines)
    reading, after = read(game, form.format(place + 1), lines)
    assert after == without(lines, place)
    assert [text for item in reading.items for text in item.dropped] == [lines[place]]
    assert not [problem for item in reading.items for problem in item.problems]


@given(
    game=st.sampled_from(GAMES),
    places=st.sets(st.integers(0, 3), min_size=1, max_size=3),
    join=st.sampled_from((", ", " and ", " & ")),
)
@settings(deadline=None, max_examples=30)
def test_f78_several_numbers_take_just_those_lines(game: str, places: set[int], join: str) -> None:
    lines = STANDING[game]
    gone = sorted({place % len(lines) for place in places})
    _, after = read(game, f"cancel {join.join(str(place + 1) for place in gone)}", lines)
    assert after == without(lines, *gone)


@given(
    game=st.sampled_from(GAMES),
    places=st.sets(st.integers(0, 3), min_size=1, max_size=2),
    form=st.sampled_from(
        (
            *("keep only {}", "keep {}, drop the rest", "drop everything but {}"),
            *("cancel everything except {}", "everything cancelled, only {} stays"),
        )
    ),
)
@settings(deadline=None, max_examples=30)
def test_f78_what_is_kept_stays_and_the_rest_goes(game: str, places: set[int], form: str) -> None:
    lines = STANDING[game]
    kept = sorted({place % len(lines) for place in places})
    text = form.format(" and ".join(str(place + 1) for place in kept))
    _, after = read(game, text, lines)
    assert after == [lines[place] for place in kept]


@given(game=st.sampled_from(GAMES), place=st.integers(0, 3), form=st.sampled_from(TURNED))
@settings(deadline=None, max_examples=40)
def test_f78_what_is_not_certain_takes_nothing_back(game: str, place: int, form: str) -> None:
    """F-78: a condition, a question, a denial, or an undo: each line stands as before."""
    lines = STANDING[game]
    _, after = read(game, form.format(place % len(lines) + 1), lines)
    assert after == list(lines)


@given(
    game=st.sampled_from(GAMES),
    place=st.integers(0, 3),
    mark=st.sampled_from(
        ("<- drop this", "<-- cancel", "← out", "(drop this one)", "<- not this one, please")
    ),
)
@settings(deadline=None, max_examples=30)
def test_f78_the_marked_line_of_a_returned_list_goes(game: str, place: int, mark: str) -> None:
    lines = STANDING[game]
    place %= len(lines)
    told = (f"{i + 1}. {line}" + f" {mark}" * (i == place) for i, line in enumerate(lines))
    _, after = read(game, "\n".join(told), lines)
    assert after == without(lines, place)


REPLACED = {
    "protectors": (2, "fortify", "Fortify! P4"),
    "realm-master": (1, "coin", "R: coin"),
    "fortresses": (0, "one legion", "Attack Syria with 1L from Egypt"),
    "sovereigns": (0, "3 military", "Attack Ben: 3M"),
}
CHANGES = (
    *("change line {0} to {1}", "replace no. {0} with {1}"),
    *("Number {0} should be {1} instead, the rest is fine.", "instead of number {0}: {1}"),
    *("change the {2} to {1}", "make line {0} {1}, keep the rest"),
)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("form", CHANGES)
def test_f78_a_line_is_replaced_where_it_stands(game: str, form: str) -> None:
    """F-78: the words may be a part of the order; the other lines and their numbers stay."""
    lines = list(STANDING[game])
    place, words, new = REPLACED[game]
    _, after = read(game, form.format(place + 1, words, NTH[place]), lines)
    lines[place] = new
    assert after == lines


@pytest.mark.parametrize("game", GAMES)
def test_f78_all_goes_and_a_new_plan_comes(game: str) -> None:
    place, _, _ = REPLACED[game]
    lines = STANDING[game]
    _, after = read(game, f"Scrap all that. New plan: {lines[place]}", lines)
    assert after == [lines[place]]


@pytest.mark.parametrize("game", GAMES)
def test_f78_a_line_that_is_said_again_changes_nothing(game: str) -> None:
    """F-78: neither refused for what it takes itself nor doubled."""
    lines = STANDING[game]
    for said in (lines, lines[1:], lines[:1], tuple(reversed(lines))):
        reading, after = read(game, "\n".join(said), lines)
        assert after == list(lines)
        assert not [one for item in reading.items for one in item.problems if not one.warning]


@each_row(
    ("game", "text", "gone"),
    [
        ("protectors", "no march from P1 after all", (0,)),
        ("protectors", "drop everything in P4", (2,)),
        ("realm-master", "drop entering Arub, keep the rest", (3,)),
        ("fortresses", "cancel the Syria attack", (0,)),
        ("fortresses", "same as before but without Saxony", (2,)),
        ("fortresses", "everything out of France is cancelled", (2,)),
        ("fortresses", "cancel my attacks", (0, 1, 2)),
        ("sovereigns", "drop the hospital", (1,)),
        ("sovereigns", "no attack on Ben after all", (0,)),
    ],
)
def test_f78_a_line_is_named_by_what_it_says(game: str, text: str, gone: tuple[int, ...]) -> None:
    """F-78: by its place, unit, player or verb."""
    _, after = read(game, text, STANDING[game])
    assert after == without(STANDING[game], *gone)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("fortresses", "cancel the attack"),
        ("sovereigns", "cancel the attack on Ben, please"),
        ("protectors", "cancel 2"),
    ],
)
def test_f78_where_several_lines_fit_it_is_asked_which(game: str, text: str) -> None:
    """F-78: nothing is guessed; `2` may be line 2, or P2 in another line."""
    lines = STANDING[game]
    if game == "sovereigns":
        lines = ("Attack Ben: 2M", "Attack Ben: 3M")
    if game == "protectors":
        lines = ("Work, work! P2", "March! 1 from P1 to P2", "Fortify! P4")
    reading, after = read(game, text, lines)
    assert after == list(lines)
    (problem,) = (one for item in reading.items for one in item.problems)
    assert problem.code == "which-line"
    assert {"cancel 1", "cancel 2"} <= {*problem.facts["ways"]}  # type: ignore[misc]


@each_row(
    ("game", "text"),
    [
        ("fortresses", "drop the knight"),
        ("fortresses", "take back Saxony"),
        ("realm-master", "keep the swords, drop the rest"),
        ("protectors", "drop the gold"),
        ("realm-master", "drop the sword"),
        ("sovereigns", "drop a point"),
    ],
)
def test_f78_a_part_of_a_line_is_not_the_line(game: str, text: str) -> None:
    lines = {
        "fortresses": ("Attack Saxony with 1L 1K from France",),
        "protectors": ("Golden Fortify! P1", "Fortify! P2"),
        "realm-master": ("Reroll: keep swords, reroll the rest", "Attack: yes"),
        "sovereigns": ("Attack Ben: 2M",),
    }[game]
    _, after = read(game, text, lines)
    assert after == list(lines)


@pytest.mark.parametrize("game", GAMES)
def test_f78_what_stays_beside_what_goes_is_no_order(game: str) -> None:
    """F-78: `1 stays` is about line 1, also where a province has that number."""
    lines = STANDING[game]
    reading, after = read(game, "1 stays, 2 and 3 are off", lines)
    assert after == without(lines, 1, 2)
    assert not [problem for item in reading.items for problem in item.problems]


@pytest.mark.parametrize("game", GAMES)
def test_f78_a_number_that_no_line_has_is_told(game: str) -> None:
    lines = STANDING[game]
    reading, after = read(game, "cancel no. 9", lines)
    assert after == list(lines)
    (told,) = [one for item in reading.items for one in item.problems]
    assert told.code == ("out-of-range" if game == "fortresses" else "no-such-line")
    assert (told.facts["number"], told.facts["count"]) == (9, len(lines))


@pytest.mark.parametrize("stands", [True, False])
@pytest.mark.parametrize("game", GAMES)
def test_f78_what_is_quoted_is_not_stored_as_new(game: str, stands: bool) -> None:
    """F-78: below `You wrote:`, and behind `>`, are our own lines."""
    lines = STANDING[game]
    told = "\n".join(f"  {line}" for line in lines)
    _, after = read(game, f"You wrote:\n{told}\nThanks!", lines if stands else ())
    assert after == (list(lines) if stands else [])
    told = "\n".join(f"> {i}. {line}" for i, line in enumerate(lines, 1))
    _, after = read(game, f"{told}\n\nscrap no. 2, the rest is fine", lines)
    assert after == without(lines, 1)


@pytest.mark.parametrize("game", GAMES)
def test_f78_what_stands_beside_an_edit_is_read(game: str) -> None:
    place, _, new = REPLACED[game]
    lines = STANDING[game]
    other = (place + 1) % len(lines)
    if game == "fortresses":
        place, new = 3, "Attack Saxony with 1K from France"
    _, after = read(game, f"Hi! Cancel no. {other + 1}, please. Thanks.\n{new}", lines)
    assert sorted(after) == sorted([*without(lines, place, other), new])

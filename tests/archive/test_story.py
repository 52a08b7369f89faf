"""The story of a game: short paragraphs of what happened, and the moments that decided it."""

from dataclasses import replace
from itertools import groupby

import pytest

from pbem.archive.story import (
    MOST_WORDS,
    count_words,
    paragraphs_of,
    points_of,
    render_story,
    tell_turn,
)
from pbem.pages.news import ATTACK, BATTLE, OUT, OVER, SMALL, TAKEN, TURNING_POINT, Mark, News
from tests.archive.markup import read_markup
from tests.archive.played import played

SEEDS = (1, 2, 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_paragraph_a_turn_of_at_most_sixty_words_and_no_sentence_twice(seed: int) -> None:
    archive = played(seed)
    paragraphs = paragraphs_of(archive)
    assert [one.turn for one in paragraphs] == [
        turn for turn, _ in groupby(archive.steps, key=lambda step: step.turn)
    ]
    for one in paragraphs:
        assert 0 < count_words(one.text) <= MOST_WORDS
        sentences = one.text.split(". ")
        told = [sentence for sentence in sentences if count_words(sentence) > 3]
        assert len(told) == len(set(told))
    assert paragraphs[-1].text.endswith(archive.lead.sentence)


@pytest.mark.parametrize("seed", SEEDS)
def test_at_most_five_turning_points_in_order_each_leading_to_its_step(seed: int) -> None:
    archive = played(seed)
    points = points_of(archive)
    assert 1 <= len(points) <= 5
    places = [archive.steps.index(point.step) for point in points]
    assert places == sorted(set(places))
    found = read_markup(render_story(archive))
    assert found.faults == []
    links = [given["href"] for given in found.all("a")]
    assert [f"index.html#{point.step.key}" for point in points] == [
        link for link in links if link.startswith("index.html#")
    ]
    for image in found.all("img"):
        assert image["width"]
        assert image["height"]
        assert len(image["alt"]) > 40
    for point in points:
        assert max(one.weight for one in point.step.news) >= TURNING_POINT


def news(told: str, weight: int, mark: Mark = "") -> News:
    return News("x", weight, told, told, mark=mark)


def test_what_a_timeline_marks_comes_before_what_is_only_coming_and_all_in_its_order() -> None:
    coming = " ".join(["coming"] * 50)
    told = [news(coming, ATTACK), news("A wins.", BATTLE, "battle"), news("B is out.", OUT, "out")]
    text = tell_turn(told, ())
    assert text == f"{coming} A wins. B is out."
    told[1] = news("long " * 20, TAKEN, "taken")
    text = tell_turn(told, ())
    assert text == f"{'long ' * 20} B is out."


def test_what_only_a_quiet_turn_tells_is_told_in_a_quiet_turn_alone() -> None:
    quiet, loud = news("Calm.", SMALL), news("A takes P1.", TAKEN, "taken")
    assert tell_turn([quiet], ()) == "Calm."
    assert tell_turn([quiet, loud], ()) == "A takes P1."


def test_a_single_sentence_that_is_too_long_is_cut() -> None:
    assert count_words(tell_turn([news("word " * 90, TAKEN)], ())) == MOST_WORDS


def test_the_end_is_told_once() -> None:
    """THIRD A3: the sentence of the end stands alone, whatever the news of the end say."""
    end = News("won", OVER, "A wins", "A wins with 10 banners.", mark="end")
    told = tell_turn([news("B is out.", OUT, "out"), end], (), ("A wins with 11 banners.",))
    assert told == "B is out. A wins with 11 banners."


def test_what_a_close_tells_of_the_next_turn_is_told_there() -> None:
    """THIRD A16: a bid belongs to the turn that it ranks."""
    archive = played(1)
    first = next(place for place, step in enumerate(archive.steps) if step.turn == 1)
    bid = News("leads", BATTLE, "A leads", "A bids 5 and leads.", turn=2)
    steps = [
        replace(step, news=(bid,) if place == first else ())
        for place, step in enumerate(archive.steps)
    ]
    told = {one.turn: one.text for one in paragraphs_of(replace(archive, steps=tuple(steps)))}
    assert bid.told not in told[1]
    assert bid.told in told[2]

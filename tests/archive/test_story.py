"""The story of a game: short paragraphs of what happened, and the moments that decided it."""

from dataclasses import replace
from itertools import groupby, pairwise

import pytest

from pbem.archive.story import paragraphs_of, points_of, render_story
from pbem.pages.kit.course import WAYS
from pbem.pages.kit.narrator import Ways
from pbem.pages.news import TURNING_POINT
from tests.archive.markup import read_markup
from tests.archive.played import played

SEEDS = (1, 2, 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_paragraph_a_turn_and_no_sentence_twice(seed: int) -> None:
    archive = played(seed)
    paragraphs = paragraphs_of(archive)
    assert [one.turn for one in paragraphs] == [
        turn for turn, _ in groupby(archive.steps, key=lambda step: step.turn)
    ]
    for one in paragraphs:
        told = one.text.split(". ")
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


def test_the_end_stands_last_and_once() -> None:
    """THIRD A3: the headline of the game ends the last paragraph, whatever its news say."""
    archive = replace(played(1), turns={10: "B fell."})
    last = paragraphs_of(archive)[-1].text
    assert last.endswith(archive.lead.sentence)
    assert last.count(archive.lead.sentence) == 1


def test_a_turn_of_which_nothing_is_told_has_the_sentences_of_its_steps() -> None:
    archive = replace(played(1), turns={})
    first = next(step for step in archive.steps if step.turn == 1)
    (text,) = [one.text for one in paragraphs_of(archive) if one.turn == 1]
    assert text.startswith(first.lead.sentence)


def test_a_way_of_telling_is_used_once_a_game_and_in_the_turns_never_twice_running() -> None:
    """F.5: three ways each kind of thing, chosen by the seed."""
    for seed in ("a", "b", "c", "d"):
        once, turns = Ways(seed), Ways(seed, round=True)
        first = [once.next("taken") for _ in range(WAYS)]
        assert set(first) == set(range(WAYS))
        assert once.next("taken") is None
        found = [turns.next("taken") for _ in range(9)]
        assert all(one != other for one, other in pairwise(found))
    assert len({Ways(seed).next("taken") for seed in "abcdefgh"}) > 1

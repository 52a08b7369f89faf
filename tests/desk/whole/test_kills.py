"""The process is really killed, at many steps, and started again: nothing is lost, nothing happens
twice. At some of them it is not killed, and what it does is broken off, as by a stop.

Here at the first step of every name; with RING=full at sixty steps at least, spread over the whole
script. `PBEM_KILLS=1000` kills at so many, and `PBEM_KILLS=all` at each and every time goes on to
the end, which takes hours.
"""

import os
import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from multiprocessing import get_context

import pytest

from tests.desk.killing import Kill, Line, Outcome, run_campaign
from tests.rings import at_length

ASKED = os.environ.get("PBEM_KILLS", str(at_length(12, 60)))
EVERY_AGAIN, EVERY_TO_THE_END, EVERY_GENTLY = 20, 120, 4
"""Of so many points one is followed by a second kill, one goes on to the end of the script, and at
one a stop breaks off what is done.
"""

_PROCESSES = get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.desk.killing", "tests.desk.forked"])


def every_point(lines: list[Line]) -> list[Kill]:
    """Each step of the script."""
    return [
        Kill(number, step)
        for number, line in enumerate(lines)
        for step in range(1, len(line.steps) + 1)
    ]


def plan_all(lines: list[Line]) -> list[Kill]:
    return [
        Kill(at.line, at.step, again=index % 11 + 1 if index % 3 == 0 else 0, to_the_end=True)
        for index, at in enumerate(every_point(lines))
    ]


def plan_some(lines: list[Line]) -> list[Kill]:
    """The first step of every name, and as many others as there is time for, evenly spread."""
    points = every_point(lines)
    first: dict[str, Kill] = {}
    for at in points:
        first.setdefault(lines[at.line].steps[at.step - 1], at)
    others = [at for at in points if at not in first.values()]
    more = min(max(int(ASKED) - len(first), 1), len(others))
    spread = [others[index * len(others) // more] for index in range(more)]
    chosen = sorted([*first.values(), *spread], key=lambda at: (at.line, at.step))
    killed = [
        Kill(
            at.line,
            at.step,
            again=index % 7 + 1 if index % EVERY_AGAIN == 0 else 0,
            to_the_end=index % EVERY_TO_THE_END == 50,
        )
        for index, at in enumerate(chosen)
    ]
    return killed + [replace(at, gently=True) for at in chosen[::EVERY_GENTLY]]


pytestmark = pytest.mark.long(
    held_by="tests/desk/whole/test_twice.py (every job done again),"
    " tests/trouble/test_database_trouble.py (every unit of work ended half-way)"
)

Campaign = tuple[list[tuple[str, ...]], list[Kill], list[Outcome]]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    answer = tmp_path_factory.mktemp("campaign") / "answer"
    plan = plan_all if ASKED == "all" else plan_some
    process = _PROCESSES.Process(target=run_campaign, args=(plan, answer))
    process.start()
    process.join()
    assert process.exitcode == 0
    found: Campaign = pickle.loads(answer.read_bytes())  # noqa: S301 - written by our own process
    return found


def test_a_killed_service_goes_on_where_it_stood(
    campaign: Campaign, record_property: Callable[[str, object], None]
) -> None:
    steps, plans, outcomes = campaign
    differing = [
        (plan, outcome)
        for plan, outcome in zip(plans, outcomes, strict=True)
        if outcome.differences
    ]
    points = {(plan.line, plan.step) for plan in plans}
    repeated = sum(outcome.repeated for outcome in outcomes)
    record_property(
        "figures",
        f"kill campaign: {len(points)} of {sum(map(len, steps))} steps, {sum(outcome.lives for outcome in outcomes) - len(plans)} kills, "
        f"{sum(plan.again > 0 for plan in plans)} points killed at twice, {sum(plan.to_the_end for plan in plans)} followed to the end of the script; "
        f"differences: {len(differing)}; letters repeated: {repeated}, "
        f"in the window between answer and record: {sum(outcome.in_window for outcome in outcomes)}",
    )
    assert differing == []
    assert len(points) >= (60 if ASKED == "all" else int(ASKED))
    assert repeated > 0, "the window was never hit"


def test_every_step_that_is_reached_is_one_that_kills(campaign: Campaign) -> None:
    steps, _plans, outcomes = campaign
    assert {outcome.label for outcome in outcomes} == {label for line in steps for label in line}


def test_letters_are_repeated_by_kills_between_the_answer_and_its_record_alone(
    campaign: Campaign,
) -> None:
    _steps, plans, outcomes = campaign
    at = Counter(
        outcome.label
        for plan, outcome in zip(plans, outcomes, strict=True)
        if outcome.repeated and not plan.again and not plan.gently
    )
    assert set(at) <= {"deliver.answered", "deliver._write unkept"}
    assert at["deliver.answered"] > 0

"""Of how much a picture tells: the last phases, of which those that make one whole count as one."""

from pbem.desk.phases.past import count_pictured


def test_phases_of_one_span_count_as_one() -> None:
    assert count_pictured([], 4) == 0
    assert count_pictured(["", "", "", "", ""], 4) == 4
    assert count_pictured(["", "turn 1", "turn 1", "turn 1", "turn 2", "turn 2"], 2) == 5
    assert count_pictured(["turn 1", "turn 1", "turn 2", "", ""], 3) == 3
    assert count_pictured(["turn 1", "", "turn 1"], 2) == 2

"""Every game that can be shown fills the same port, under the name of its ruleset."""

import pytest

from pbem.play.port import Play
from pbem.demo.plays import find_play, list_plays
from pbem.games.protectors.play import PLAY as PROTECTORS
from pbem.games.realm_master.play import PLAY as REALM_MASTER

PLAYS: tuple[Play, ...] = (PROTECTORS, REALM_MASTER)


def test_each_is_found_by_its_rulesets_name() -> None:
    assert {play.ruleset for play in PLAYS} == set(list_plays())
    for play in PLAYS:
        assert find_play(play.ruleset) is play
        assert play.title


def test_what_there_is_none_of_is_told_with_what_there_is() -> None:
    with pytest.raises(LookupError, match="protectors"):
        find_play("chess")

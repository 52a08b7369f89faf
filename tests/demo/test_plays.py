"""Every game that can be shown fills the same port."""

from dataclasses import replace

import pytest

from pbem.demo.stage import play_of
from pbem.game import Game
from pbem.registry import default_game, load_games


@pytest.mark.parametrize("game", load_games().values(), ids=load_games())
def test_each_game_of_the_house_can_be_shown(game: Game) -> None:
    assert play_of(game) is game.play
    assert play_of(game).usual_players >= 2


def test_what_cannot_be_shown_is_told() -> None:
    with pytest.raises(LookupError, match="no scripted players"):
        play_of(replace(default_game(load_games()), play=None))

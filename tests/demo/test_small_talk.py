"""What the cast says beside the game: who says it."""

from pbem.demo.cast import small_talk, whole_cast
from pbem.demo.gm_script import NAME as HOSTESS

TALK = small_talk()


def test_only_people_of_the_cast_and_the_game_master_say_something() -> None:
    names = {person.name for person in whole_cast()}
    assert {said.by for said in TALK.press} | {said.to for said in TALK.press} <= names | {"all"}
    assert set(TALK.group) <= names | {HOSTESS}

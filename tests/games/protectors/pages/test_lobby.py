"""How players are told of a table of this game: the invitation and the welcome."""

import dataclasses
from collections.abc import Callable

import msgspec

from engine.protectors.events import OptionVoted
from engine.ruleset import Event
from pbem.games.protectors.pages.letters import PAGES
from pbem.mail.tokens import CODE_LINE
from pbem.pages.page import Page
from tests.games.protectors.pages.sample import table, view
from tests.pages import test_lobby
from tests.pages.sample import reader
from tests.pages.test_lobby import OPEN, flat

BEFORE = dataclasses.replace(test_lobby.BEFORE, game_title=PAGES.title)
MAILS: dict[str, Callable[[], Page]] = {
    "invitation": lambda: PAGES.invitation(BEFORE, reader(), "Gerda", ["Bartek"], OPEN)
}


def test_nobody_sees_what_another_has_voted() -> None:
    assert "you: grand" not in MAILS["invitation"]().text


def test_the_code_of_a_letter_is_never_torn_from_its_word() -> None:
    text = MAILS["invitation"]().text
    assert ("Code" in text) == (CODE_LINE.search(text) is not None)


def test_the_welcome_tells_what_the_vote_came_to() -> None:
    voted = Event(
        OptionVoted("version", "grand", (("normal", 2), ("grand", 2)), by_coin=True), ("PR-1.4",)
    )
    text = flat(PAGES.welcome(table(), reader(), view(), "ab" * 32, (voted,)).text)
    assert (
        "WHAT YOU VOTED FOR Vote The players vote for version grand (normal 2, grand 2; the coin decided). [PR-1.4]"
        in text
    )
    assert "VOTED" not in PAGES.welcome(table(), reader(), view(), "ab" * 32).text


def test_the_end_names_where_the_whole_game_stands() -> None:
    url = "https://play.house.example/heron/"
    over = msgspec.structs.replace(view(), stage="over", winners=(1,), ended_by="times-up")
    published, private = (
        PAGES.ending(table(archive_url=at), over, (), "12" * 32, "ab" * 32) for at in (url, "")
    )
    assert url in published.text
    assert url in published.html
    assert url in published.chat
    assert "on the web" not in private.text

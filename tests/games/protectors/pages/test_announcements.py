"""Mails that tell of a game master's commands in the words of this game: what each must say."""

from engine.protectors import events as e
from engine.protectors.ability_events import Corrected
from engine.ruleset import Event
from pbem.games.protectors.pages.letters import PAGES
from pbem.pages import announcements
from pbem.pages.notice import notice_page
from pbem.pages.page import Page, PastPhase, RollBack
from tests.games.protectors.pages.sample import table, view
from tests.pages.sample import reader

SEEN = (
    Event(e.CardRevealed("event", "Deep Snow", 0, 1, 0, 6, 10), ("PR-4.2",)),
    Event(e.CardRevealed("event", "Black Swan", 0, 1, 0, 7, 10), ("PR-4.7",)),
    Event(e.DeckRenewed("event", "black-swan"), ("PR-4.7",)),
    Event(e.CardRevealed("event", "Flood!", 0, 1, 0, 8, 10), ("PR-4.2",)),
    Event(e.CardRevealed("sea", "Ferry!", 0, 1, 0, 9, 10), ("PR-4.2",)),
)
CORRECTED = (
    Event(Corrected("restored", None, 3, None, 5), ()),
    Event(Corrected("owner", 3, None, None, 3), ()),
    Event(Corrected("units", 3, None, 0, 2), ()),
)
PAST = (
    PastPhase(5, "orders", ("Bids: Anna 17, Bartek 12.", "P2: Anna takes P2 from Emil.")),
    PastPhase(6, "consolidation", (), is_undone=True),
)
MAILS = {
    "takeover": lambda: PAGES.takeover(table(), reader(), view(), PAST, "ab" * 32),
    "rolled-back": lambda: PAGES.rolled_back(
        table(code=""),
        view(None),
        RollBack(
            ((6, "orders"), (6, "consolidation")),
            SEEN,
            reshuffled=False,
            was_paused=True,
            by="Gerda",
        ),
    ),
    "corrected": lambda: notice_page(
        announcements.Corrected(
            PAGES.corrections(view(), CORRECTED),
            "I mistyped the order of Anna, and nobody saw it in time.",
            "Gerda",
        ),
        table(),
        reader(),
    ),
}


def flat(page: Page) -> str:
    return " ".join(page.text.split())


def test_cards_are_known_up_to_the_first_shuffle_of_their_deck() -> None:
    text = MAILS["rolled-back"]().text
    assert "Deep Snow, Black Swan\n" in text
    assert "Flood!" not in text.partition("THE REALM")[0]
    assert "Ferry!" in text.partition("THE REALM")[0]


def test_after_a_reshuffle_no_order_of_cards_is_told() -> None:
    facts = RollBack(((6, "orders"),), SEEN, reshuffled=True, was_paused=False, by="Gerda")
    head = PAGES.rolled_back(table(code=""), view(None), facts).text.partition("THE REALM")[0]
    assert "The game master shuffled the cards still to come" in " ".join(head.split())
    assert "Black Swan" not in head


def test_a_paused_table_names_no_deadline() -> None:
    text = flat(
        PAGES.takeover(table(deadline=None, is_paused=True), reader(), view(), (), "ab" * 32)
    )
    assert "The game is paused: the clock stands still." in text
    assert "23 November" not in text
    assert "Nothing yet: the game has just begun." in text


def test_who_holds_the_money_reads_how_much_and_the_others_that_it_was_corrected() -> None:
    events = (
        Event(Corrected("money", None, 1, None, None), ("PR-1.9",)),
        Event(Corrected("money", None, 1, 132, 90), ("PR-1.9",), (1,)),
    )
    assert PAGES.corrections(view(1), events) == ("You hold 90 $Realm, not 132.",)
    assert PAGES.corrections(view(2), events[:1]) == (
        "What Anna holds is changed; the amount is told to Anna alone.",
    )


def test_who_comes_back_without_a_province_is_said_to_fall_again_and_what_could_go_along() -> None:
    event = Event(Corrected("restored", None, 6, None, 4), ("PR-8.4",))
    seen = view()
    assert not seen.player(6).provinces
    free = next(p.number for p in seen.provinces if p.owner is None)
    back, warning = PAGES.corrections(seen, (event,))
    assert back == f"{seen.player(6).name} is back in the game, at place 4 of the ranking."
    assert "a player with no province at the next Consolidation is out again" in warning
    assert f"restore {seen.player(6).name} in P{free} with 1" in warning
    assert len(PAGES.corrections(seen, (Event(Corrected("restored", None, 1, None, 4), ()),))) == 1

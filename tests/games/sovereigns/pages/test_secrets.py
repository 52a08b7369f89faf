"""What a ruler alone knows stands in no letter of anybody else (SS-1.9): two tables that differ in
another's private part give the same pages, byte for byte, and canaries are found where they belong.
"""

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from engine.ruleset import Event, Standing
from engine.sovereigns import events as e
from engine.sovereigns import orders as o
from engine.sovereigns.questions import Question
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import Loan, Next, OpenOffer, Points, State
from engine.sovereigns.wording import parse_order
from pbem.games.sovereigns.pages.letters import PAGES
from pbem.games.sovereigns.pages.menu import MENU
from pbem.games.sovereigns.reading.reader import READER as READER_OF_ORDERS
from pbem.grammar.house.parsing import hear
from pbem.pages.page import PhaseEvents
from tests.games.sovereigns.engine.dealing import READER, SECRET, Deal, deal_all, first_season
from tests.games.sovereigns.engine.playing import table as position
from tests.games.sovereigns.pages.played import Step, letters, other_pages, play, reader, table

KINGDOMS = {
    "Ann": {"name": "Aldermark", "R": 9, "M": 9, "H": 9},
    "Ben": {"name": "Borland", "R": 9, "M": 9, "H": 9, "bld": ["BLD-HOSPITAL", "BLD-VAULT"]},
    "Cara": {"name": "Cyrene", "R": 9, "M": 9, "H": 9},
}


def with_secrets(state: State) -> State:
    """The same for the public and for Ann: Ben has used points up, and deals with Cara."""
    year, season = (parse_order(state, text) for text in ("Harmony: 474H", "Expedition: 7M"))
    assert isinstance(year, o.Year)
    assert isinstance(season, o.Do)
    ben = replace(
        state.kingdom(2),
        ex=Points(3, 4, 5),
        depleted=2,
        used=("BLD-HOSPITAL",),
        boons=("dice",),
        next=Next(research=-1, M=2, defence={1: 1}),
        every_year=year,
        every_season=season,
        year_order=year if state.season == "Winter" else None,
        abdicating=True,
        missed=3,
    )
    gives, wants = (o.OfferItem(471, "R"),), (o.OfferItem(472, "M", "seasons", 3),)
    return replace(
        state,
        kingdoms=(state.kingdom(1), ben, state.kingdom(3)),
        loans=(*state.loans, Loan(2, 3, "R", 473)),
        offers=(*state.offers, OpenOffer(8, 2, 3, gives, wants, 17)),
    )


def pages_of(state: State, player: int) -> Iterator[tuple[str, str]]:
    step = Step(state, ())
    own = Standing[o.Order]()
    view = step.view(player)
    yield "turn", PAGES.turn(table(), reader(player), view, (), own).text
    for name, page in (*letters(step), *other_pages(step, player)):
        if name.split()[-1] in ("2", "3"):
            continue  # letters of the others
        yield name, f"{page.subject}\n{page.text}\n{page.html}\n{page.chat}"


@pytest.mark.parametrize("phase", ["year-start", "season"])
def test_letters_hang_on_no_secret_of_another(phase: str) -> None:
    state = position(KINGDOMS, phase=phase, season="Winter")
    assert dict(pages_of(state, 1)) == dict(pages_of(with_secrets(state), 1))


def test_their_owners_are_told_of_them() -> None:
    state = with_secrets(position(KINGDOMS))
    status = PAGES.status(table(), reader(2), Step(state, ()).view(2), Standing()).text
    told = " ".join(status.replace("\xa0", " ").split())
    for words in (
        *("Resources 9 3 (2 depleted) 6", "473 Resources to Cyrene"),
        "you give 471 Resources until the year ends and get 472 Military for 3 seasons",
        *("17 hours left", "two dice more on one roll"),
        "−1 on your next Research; +2 on your next Military roll",
        *("+1 on your next defence against Aldermark", "every year, Harmony: 474H"),
        *("every season, Expedition: 7M", "Used this year hospital", "you abdicate"),
    ):
        assert words in told, words


def test_the_taker_of_an_offer_sees_it_and_nobody_else() -> None:
    state = with_secrets(position(KINGDOMS))
    event = Event(e.OfferMade(8, 2, 3), ("SS-5.4",), (2, 3))
    step = Step(state, (event,))
    page = PAGES.happened(table(), reader(3), step.view(3), step.told(3))
    text = " ".join(page.text.replace("\xa0", " ").split())
    assert page.subject == "[Heron] Borland offers you a trade"
    assert "you get 471 Resources until the year ends and give 472 Military" in text
    assert 'Answer "Accept offer 8" or "Decline offer 8"' in text
    assert "<code>Accept offer 8</code>" in page.chat
    ann = PAGES.happened(table(), reader(1), step.view(1), step.told(1))
    assert "471" not in ann.text + ann.html + ann.chat + ann.subject


@pytest.mark.parametrize("seed", [11, 12])
def test_letters_of_whole_games_name_no_deal_of_others(seed: int) -> None:
    """A trade is known to two: a letter names no offer but those that its reader knows."""
    for step in play(4, seed, 8):
        for number in step.view(None).asked:
            own = step.view(number).you
            page = PAGES.turn(
                table(), reader(number), step.view(number), step.told(number), Standing()
            )
            known = {offer.id for offer in own.offers} if own is not None else set()
            known |= {
                e.number_of_offer(event.facts, number)
                for event in step.told(number)
                if isinstance(event.facts, e.OfferFacts)
            }
            assert {int(n) for n in re.findall(r"ffer (\d+)[):]", page.text + page.chat)} <= known


def pages_after(wanted: list[Deal]) -> dict[str, str]:
    """All that Ben reads and can tap after these deals, and the words of his questions about them;
    his letters come once after each, as they do on the way.
    """
    state, events = deal_all(first_season(), wanted)
    step = Step(state, tuple(events))
    view, legal = step.view(READER), tuple(SOVEREIGNS.legal(state, READER))
    pages = [*letters(step), *other_pages(step, READER)]
    found = {
        name: f"{page.subject}\n{page.text}\n{page.html}\n{page.chat}"
        for name, page in pages
        if name.split()[-1] not in ("1", "3", "4")  # letters of the others
    }
    numbers = {str(offer.id) for offer in view.you.offers} if view.you is not None else set()
    for path in ((), ("trade",), *(("offer", number) for number in sorted(numbers))):
        shown = MENU.step(table(), reader(READER), view, legal, Standing(), path)
        found[f"menu {path}"] = repr(shown)
    past = (PhaseEvents(1, 1, "season", step.told(READER)),)
    for number in range(1, 12):
        asked = Question("trade", number=number)
        found[f"why {number}"] = PAGES.why(table(), reader(READER), view, asked, past).text
        read = READER_OF_ORDERS.read(state, READER, Standing(), hear(f"Accept offer {number}"))
        found[f"answer {number}"] = repr(read)
    return found


OWN = [Deal(1, READER), Deal(READER, 4, "Withdraw"), Deal(3, READER, "Accept"), Deal(READER, 3)]


@pytest.mark.parametrize("at", range(len(OWN) + 1))
def test_f107_no_page_tells_of_a_trade_among_others(at: int) -> None:
    """F-107: whenever the others deal in secret, Ben's letters, menus, answers to his questions and
    receipts are the same, and his offers are numbered from 1.
    """
    alone, among = pages_after(OWN), pages_after([*OWN[:at], *SECRET, *OWN[at:]])
    assert among == alone
    assert "Offer 1" in among["status"]
    assert "Accept offer 1" in among["menu ()"]
    assert "offer 4" in among["why 4"]
    assert "No trade that you may know of" in among["why 5"]

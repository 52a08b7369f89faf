"""How many words the letters of whole games have: a player in a hurry reads a sentence of news and
the question (READING-3, READING-18, READING-26, THIRD-C).
"""

import random
import statistics
from collections import defaultdict
from functools import cache

import pytest

from engine.chance import Chance
from engine.protectors.colours import COLOURS
from engine.protectors.ruleset import PROTECTORS
from engine.protectors.view_of import view_of
from engine.ruleset import Event, Seat, Standing
from pbem.games.protectors.pages.letters import PAGES
from pbem.games.protectors.play.sight import sight_of
from pbem.games.protectors.play.strategy import plan
from pbem.pages.archive import Close
from pbem.pages.chatting import CAPTION_UNITS, units
from pbem.pages.news import own_headline
from pbem.pages.page import Reader, ReceiptItem, RecordFacts
from pbem.play import Seen, Temper
from tests.games.protectors.pages.sample import receipt_facts, table
from tests.pages.counting import hold_subject, words_of
from tests.rings import sampled

NAMES = ("Anna", "Bartek", "Chloé", "Dmytro", "Emil", "Fenna", "Mei", "Priya")
TEMPERS = (Temper(0.9, 0.5, 0.2), Temper(0.2, 0.9, 0.9), Temper(0.5, 0.5, 0.8))
Words = dict[str, list[int]]


def words(text: str) -> int:
    return len(text.split())


@cache
def counted(seed: int, players: int, teams: int = 0) -> tuple[Words, tuple[str, ...]]:
    """Words of the letters of a game, by what they are, and the chats of its turns."""
    found: Words = defaultdict(list)
    chats: list[str] = []
    chance, luck = Chance(bytes([seed]) * 32), random.Random(seed)
    seats = [Seat(n, NAMES[n - 1], COLOURS[n - 1]) for n in range(1, players + 1)]
    outcome = PROTECTORS.setup({"teams": teams}, seats, chance)
    past = [Close(0, 0, "start", view_of(outcome.state, None), outcome.events)]
    untold: dict[int, tuple[Event, ...]] = dict.fromkeys(range(1, players + 1), outcome.events)
    while (state := outcome.state).stage != "over":
        given = {}
        for number in PROTECTORS.phase(state).asked:
            shown = view_of(state, number)
            reader = Reader(number, shown.player(number).name, "Europe/Berlin")
            known = tuple(event for event in untold[number] if event.is_for(number))
            turn = PAGES.turn(table(), reader, shown, known, Standing())
            untold[number] = ()
            chats.append(turn.chat)
            found["turn"].append(words_of(turn))
            hold_subject(turn, own_headline(PAGES.news(shown, known, number), number))
            for facts in (table(), table(is_last_call=True)):
                found["reminder"].append(words_of(PAGES.reminder(facts, reader, shown, Standing())))
            seen = Seen(number, shown, tuple(PROTECTORS.legal(state, number)))
            wanted = plan(sight_of(seen), TEMPERS[number % len(TEMPERS)], luck)
            orders = PROTECTORS.check(state, number, Standing(), wanted).standing.orders
            texts = tuple(PAGES.format_order(shown, order) for order in orders)
            received = receipt_facts(
                *(ReceiptItem(i, text, None, (text,)) for i, text in enumerate(texts, start=1)),
                standing=texts,
                standing_orders=orders,
                offered=(),
            )
            receipt = PAGES.receipt(table(), reader, shown, received)
            found["receipt"].append(words_of(receipt) - sum(map(words, texts)))
            given[number] = orders
        turn_number, kind = state.turn, state.stage
        outcome = PROTECTORS.adjudicate(state, given, chance)
        public = tuple(event for event in outcome.events if event.is_for(None))
        shown = view_of(outcome.state, None)
        past.append(Close(len(past), turn_number, kind, shown, public))
        for number in untold:
            untold[number] += outcome.events
        if outcome.state.stage != "over":
            bulletin = PAGES.bulletin(table(code=""), view_of(outcome.state, None), public)
            found["bulletin"].append(words_of(bulletin))
    record = RecordFacts("heron-record.json", "ab" * 32, tuple(past))
    view = view_of(outcome.state, None)
    ending = PAGES.ending(table(code=""), view, past[-1].events, "12" * 32, "ab" * 32, record)
    found["ending"].append(words_of(ending))
    return found, tuple(chats)


GAMES = sampled([(1, 7), (2, 5), (3, 4)], 1)


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_a_letter_tells_the_question_and_little_else(seed: int, players: int) -> None:
    found, _ = counted(seed, players)
    assert statistics.median(found["turn"]) <= 180
    assert max(found["turn"]) <= 260
    assert statistics.median(found["bulletin"]) <= 400


@pytest.mark.sample(1)
@pytest.mark.parametrize(("seed", "players", "teams"), [(1, 8, 2), (2, 6, 2), (3, 6, 3)])
def test_a_letter_of_a_team_game_has_little_more(seed: int, players: int, teams: int) -> None:
    found, _ = counted(seed, players, teams)
    assert statistics.median(found["turn"]) <= 220
    assert statistics.median(found["reminder"]) <= 60
    assert statistics.median(found["receipt"]) <= 60


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_reminders_receipts_and_the_end_are_short(seed: int, players: int) -> None:
    found, _ = counted(seed, players)
    assert statistics.median(found["reminder"]) <= 50
    assert max(found["reminder"]) <= 80
    assert statistics.median(found["receipt"]) <= 45  # without the orders themselves
    assert max(found["ending"]) <= 320


@pytest.mark.parametrize(("seed", "players"), GAMES)
def test_a_chat_begins_with_the_news_and_then_the_question(seed: int, players: int) -> None:
    _, chats = counted(seed, players)
    for chat in chats:
        assert units(chat) <= CAPTION_UNITS
        first, *others = chat.splitlines()
        assert first.startswith("<b>Heron · ")
        assert any(line.startswith("<b>") and "Mon 23 Nov, 18:00" in line for line in others)

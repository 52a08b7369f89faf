"""How many words the letters of whole games have: a player in a hurry reads the question, and what
happened in a line a hero (READING-19; READING-18, READING-26).
"""

import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache

import pytest

from engine.realm_master.view_of import view_of
from engine.ruleset import Event, Standing
from pbem.games.realm_master.pages.letters import PAGES
from pbem.pages.chatting import CAPTION_UNITS, units
from pbem.pages.page import Reader, ReceiptItem, RecordFacts
from tests.games.realm_master.pages.played import closes_of, game, public
from tests.games.realm_master.pages.sample import COMMITMENT, SEED, receipt_facts, table
from tests.pages.counting import hold_subject, words_of
from tests.rings import sampled


@dataclass(frozen=True, slots=True)
class Counted:
    """Words of the letters of a game, by what they are; the chats of its turns as they are."""

    words: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    chats: list[str] = field(default_factory=list)
    turns: list[str] = field(default_factory=list)

    def middle(self, kind: str) -> float:
        return statistics.median(self.words[kind])

    def most(self, kind: str) -> int:
        return max(self.words[kind])


def words(text: str) -> int:
    return len(text.split())


@cache
def counted(seed: int, players: int, mode: str) -> Counted:
    found, played = Counted(), game(seed, players, mode)
    untold: dict[int, tuple[Event, ...]] = dict.fromkeys(range(1, players + 1), ())
    for closed in played:
        for number, orders in closed.orders.items():
            shown = view_of(closed.before, number)
            reader = Reader(number, shown.player(number).name, "Europe/Berlin")
            turn = PAGES.turn(table(), reader, shown, untold[number], Standing())
            untold[number] = ()
            found.turns.append(turn.text)
            found.chats.append(turn.chat)
            kind = "heroes" if closed.before.stage == "heroes" else "turn"
            found.words[kind].append(words_of(turn))
            hold_subject(turn, "")
            for told in (table(), table(is_last_call=True)):
                reminder = PAGES.reminder(told, reader, shown, Standing())
                found.words["reminder"].append(words_of(reminder))
            texts = tuple(PAGES.format_order(shown, order) for order in orders)
            facts = receipt_facts(
                items=tuple(ReceiptItem(i, text, None, (text,)) for i, text in enumerate(texts)),
                offered=(),
                dropped_replaced=(),
                standing=texts,
                standing_orders=orders,
            )
            receipt = PAGES.receipt(table(), reader, shown, facts)
            found.words["receipt"].append(words_of(receipt) - sum(map(words, texts)))
        for number in untold:
            untold[number] += closed.told(number)
        page = PAGES.bulletin(table(code=""), public(closed.after), closed.told(None))
        found.words["bulletin"].append(words_of(page))
    last, closes = played[-1], closes_of(played)
    record = RecordFacts("heron.json", "ab12", closes)
    ending = PAGES.ending(
        table(code=""), public(last.after), last.told(None), SEED, COMMITMENT, record
    )
    found.words["ending"].append(words_of(ending))
    return found


GAMES = sampled([(7, 4, "standing"), (1, 4, "standing"), (2, 6, "standing"), (5, 3, "standing")], 2)
"""The first is over after six rounds."""
LIVE = (4, 3, "interactive")


@pytest.mark.parametrize(("seed", "players", "mode"), GAMES)
def test_a_letter_of_a_round_tells_the_question_and_little_else(
    seed: int, players: int, mode: str
) -> None:
    found = counted(seed, players, mode)
    assert statistics.median((*found.words["turn"], *found.words["heroes"])) <= 180
    assert found.most("turn") <= 380
    assert found.most("heroes") <= 370


def test_a_question_of_live_play_is_short() -> None:
    found = counted(*LIVE)
    assert found.middle("turn") <= 145


@pytest.mark.parametrize(("seed", "players", "mode"), [*GAMES, LIVE])
def test_reminders_receipts_and_the_end_are_short(seed: int, players: int, mode: str) -> None:
    found = counted(seed, players, mode)
    assert found.middle("reminder") <= 50
    assert found.most("reminder") <= 70
    assert found.middle("receipt") <= 45  # without the orders themselves, with their numbers
    assert found.most("receipt") <= 60
    assert found.most("bulletin") <= 250 + 40 * players
    assert found.most("ending") <= 300


@pytest.mark.parametrize(("seed", "players", "mode"), GAMES)
def test_legends_stand_in_the_first_round_alone(seed: int, players: int, mode: str) -> None:
    for text in counted(seed, players, mode).turns:
        is_first = "Round 1:" in text or "FOR ROUND 1," in text
        assert ("a face of your choice" in " ".join(text.split())) == is_first
        assert ("THE FIRST ROUND" in text) == is_first


@pytest.mark.parametrize(("seed", "players", "mode"), [*GAMES, LIVE])
def test_a_chat_begins_with_the_news_and_then_the_question(
    seed: int, players: int, mode: str
) -> None:
    for chat in counted(seed, players, mode).chats:
        assert units(chat) <= CAPTION_UNITS
        first, *others = chat.splitlines()
        if " · " in first:
            assert first.startswith("<b>Heron · Round ")
            assert any(line.startswith("<b>Player ") for line in others)
        else:
            assert first.startswith("<b>Heron")

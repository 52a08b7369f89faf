"""Sealed Lots by itself: its rules by their IDs, what is read, what is shown and to whom."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from importlib.metadata import EntryPoint
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace
from sealed_lots.board import draw, key_of, stage
from sealed_lots.game import GAME
from sealed_lots.pages import MENU, PAGES
from sealed_lots.reading import READER, read_correction
from sealed_lots.rules import KINDS, LOTS, ROUNDS, RULES, Bid, State

from engine.chance import Chance
from engine.ruleset import Event, NotSupposable, Outcome, Seat, Standing, encode_sound_state
from engine.usual import WhichTurn
from pbem.archive.layers import layers_of
from pbem.board.board import TableFacts
from pbem.board.easel import Sheet
from pbem.cases.runner import run_files
from pbem.grammar.gm.commands import Unread
from pbem.grammar.house.reading import read_alone
from pbem.pages.archive import Close, Dots, Holdings
from pbem.pages.kit.rules import guide, sections
from pbem.pages.kit.usual import Cast
from pbem.pages.news import MOST_CLAUSE, MOST_SENTENCE
from pbem.pages.page import (
    Page,
    PastPhase,
    PhaseEvents,
    Reader,
    ReceiptFacts,
    ReceiptItem,
    RollBack,
    StoredVersion,
    SuppositionFacts,
    Table,
)
from pbem.registry import list_games
from tests.rows import each_row

HERE = Path(__file__).parent
NOW = datetime(2026, 11, 23, 7, tzinfo=UTC)
ANNA = Reader(1, "Anna", "Europe/Berlin")
TABLE = Table(
    "Heron",
    "heron",
    "Sealed Lots",
    NOW,
    NOW + timedelta(hours=24),
    2,
    "Greta",
    "CODE",
    "UTC",
    early_close=True,
    finality="confirm",
    has_picture=True,
    hours=24,
)


def dealt(players: int = 3) -> Outcome[State]:
    names = ("Anna", "Ben", "Cleo", "Dora", "Emil")[:players]
    colours = ("red", "blue", "yellow", "green", "black")
    seats = [Seat(n, name, colours[n - 1]) for n, name in enumerate(names, start=1)]
    return RULES.setup({}, seats, Chance(b"seed"))


def bid(state: State, *coins: int) -> Outcome[State]:
    orders = {number: (Bid(each),) for number, each in enumerate(coins, start=1)}
    return RULES.adjudicate(state, orders, Chance(b"seed", 2))


def kinds(events: tuple[Event, ...]) -> list[str]:
    return [event.kind for event in events]


def test_the_house_takes_it() -> None:
    entry = EntryPoint("sealed-lots", "sealed_lots.game:GAME", "pbem.games")
    (found,) = list_games(entries=[entry])
    assert found.game is GAME
    assert found.fault is None


def test_its_cases_pass() -> None:
    said = StringIO()
    code = run_files([HERE / "cases" / "lots.yaml"], {"sealed-lots": GAME}, json=False, out=said)
    assert (code, said.getvalue().splitlines()[-1]) == (0, "4 passed, 0 failed")


def test_the_start() -> None:
    """SL-1.1 to SL-1.4."""
    state, events = dealt(5).state, dealt(5).events
    assert [player.coins for player in state.players] == [20] * 5
    assert sorted(state.deck) == sorted(LOTS)
    assert {player.wants for player in state.players} == set(KINDS)
    assert [event.audience for event in events] == [None, (1,), (2,), (3,), (4,), (5,)]
    for wrong in (1, 6):
        with pytest.raises(ValueError, match="2 to 5 can play"):
            RULES.check_players({}, wrong)
    RULES.check_options({"early_close": False})
    with pytest.raises(ValueError, match="the options are early_close, yes or no"):
        RULES.check_options({"island": True})


@pytest.mark.parametrize(
    ("bids", "winner", "paid"),
    [
        ((5, 4, 3), 1, 5),  # SL-3.1
        ((5, 5, 3), 3, 3),  # SL-3.2
        ((5, 5, 0), None, 0),  # SL-3.3
        ((), None, 0),  # SL-2.2
    ],
)
def test_who_takes_the_lot(bids: tuple[int, ...], winner: int | None, paid: int) -> None:
    before = dealt().state
    after = bid(before, *bids).state
    assert [n for n, player in enumerate(after.players, 1) if player.lots] == (
        [winner] if winner else []
    )
    assert sum(player.coins for player in after.players) == 60 - paid
    assert after.deck == before.deck[1:]


def test_eight_rounds_and_the_end() -> None:
    """SL-4.1 to SL-4.3; what is kept comes back from its bytes at every step."""
    state = dealt().state
    for _ in range(ROUNDS):
        assert RULES.phase(state).over is None
        outcome = bid(state, 2, 1)
        for event in outcome.events:
            assert RULES.decode_event(RULES.encode_event(event)) == event
        encode_sound_state(RULES, outcome.state)
        state = outcome.state
    over = RULES.phase(state).over
    assert over is not None
    assert (over.winners, over.how) == ((1,), "rounds")
    assert state.players[0].coins == 20 - 2 * ROUNDS
    assert next(iter(RULES.placings(state))).place == 1
    assert list(RULES.legal(state, 1)) == []
    with pytest.raises(ValueError, match="the game is over"):
        RULES.act(state, "gm", {"act": "reshuffle"}, Chance(b""))


def test_giving_up_and_agreeing() -> None:
    """SL-4.4."""
    state = dealt().state
    gone = RULES.act(state, "gm", {"act": "remove", "player": 2}, Chance(b"")).state
    assert RULES.phase(gone).asked == (1, 3)
    alone = RULES.act(gone, "gm", {"act": "remove", "player": 3}, Chance(b""))
    assert kinds(alone.events) == ["left", "game-over"]
    assert alone.state.winners == (1,)
    agreed = RULES.act(state, "gm", {"act": "agree", "winners": []}, Chance(b"")).state
    assert agreed.winners == (1, 2, 3)
    assert RULES.act(state, "gm", {"act": "end", "winner": 2}, Chance(b"")).state.winners == (2,)
    with pytest.raises(ValueError, match="no such act"):
        RULES.act(state, "gm", {"act": "fly"}, Chance(b""))
    with pytest.raises(ValueError, match="only the game master"):
        RULES.act(state, 1, {"act": "reshuffle"}, Chance(b""))
    with pytest.raises(NotSupposable):
        RULES.suppose(state, 1, {})


def test_nobody_sees_the_deck_or_another_commission() -> None:
    state = dealt().state
    players = list(state.players)
    others = [replace(player, wants=players[i - 1].wants) for i, player in enumerate(players)]
    other = replace(
        state, deck=(state.deck[0], *reversed(state.deck[1:])), players=(players[0], *others[1:])
    )
    assert other != state
    assert RULES.view(other, 1) == RULES.view(state, 1)
    assert all(player.wants == "" for player in RULES.view(state, None).players)
    reshuffled = RULES.act(state, "gm", {"act": "reshuffle"}, Chance(b"other")).state
    assert reshuffled.deck[0] == state.deck[0]
    assert sorted(reshuffled.deck) == sorted(state.deck)


def test_canonical_texts_come_back() -> None:
    state = dealt().state
    for order in RULES.legal(state, 1):
        text = RULES.format_order(state, order)
        assert READER.read_canonical(state, text) == order
        assert read_alone(GAME.read, state, 1, Standing(), text).items[0].texts == (text,)
    for wrong in ("bid 7", "Bid 7 please", "Bid 7. Bid 8", "hello"):
        with pytest.raises(ValueError, match="no canonical text"):
            READER.read_canonical(state, wrong)


@each_row(
    ("text", "texts", "codes", "suggested"),
    [
        ("7", ["Bid 7"], [], None),
        ("Pass, please.", ["Bid 0"], [], None),
        ("bid my whole purse", [], ["not-understood"], None),
        ("bid sevn 7", [], ["not-understood"], None),
        ("bid 77", [], ["purse"], None),
        ("do not bid 7", [], ["not-understood"], None),
        ("See you at the fair.\nBid 4", ["Bid 4"], [], None),
        ("What a week!", [], ["no-order"], None),
        ("Hi there.\nBidd 7\nAnna", [], ["not-understood"], "Bid 7"),
        ("Bid 7. Never mind.", [], ["taken-back"], None),
        ("Bid 7. No wait. Bid 8.", ["Bid 8"], ["taken-back"], None),
        ("Bid 7 if Ben bids 8", [], ["not-understood"], None),
    ],
)
def test_words(text: str, texts: list[str], codes: list[str], suggested: str | None) -> None:
    items = read_alone(GAME.read, dealt().state, 1, Standing(), text).items
    assert [found for item in items for found in item.texts] == texts
    assert [problem.code for item in items for problem in item.problems] == codes
    offered = [item.suggestion.text for item in items if item.suggestion is not None]
    assert offered == ([suggested] if suggested else [])


def test_corrections() -> None:
    state = dealt().state
    correction = read_correction(state, "ben: 12 coins")
    assert correction.text == "Ben 12 coins"
    outcome = RULES.act(state, "gm", correction.act, Chance(b""))
    assert outcome.state.players[1].coins == 12
    told = PAGES.corrections(RULES.view(outcome.state, None), outcome.events)
    assert told == ("Ben has 12 coins: set right by the game master.",)
    ruling = read_correction(state, "rule: level is level")
    assert ruling.is_said
    assert kinds(RULES.act(state, "gm", ruling.act, Chance(b"")).events) == ["ruling"]
    for wrong in ("Zoe 3 coins", "the deck"):
        with pytest.raises(Unread):
            read_correction(state, wrong)


def every_page() -> Mapping[str, Page]:
    start, sale = dealt(), bid(dealt().state, 5, 5, 2)
    view, public = RULES.view(sale.state, 1), RULES.view(sale.state, None)
    end = RULES.act(sale.state, "gm", {"act": "agree", "winners": [3]}, Chance(b""))
    standing = Standing((Bid(4),))
    read = read_alone(GAME.read, sale.state, 1, Standing(), "Bid 4\nbid 99\nbid sevn 7")
    items = tuple(
        ReceiptItem(
            i,
            item.quote,
            item.caret,
            item.texts,
            item.problems,
            item.suggestion.text if item.suggestion else None,
        )
        for i, item in enumerate(read.items, start=1)
    )
    facts = ReceiptFacts(
        items,
        ("Bid 4",),
        (Bid(4),),
        final=False,
        version=1,
        received_at=NOW,
        offered=((1, "Bid 7"),),
    )
    past = (PhaseEvents(0, 0, "start", start.events), PhaseEvents(1, 1, "bid", sale.events))
    lines = (PastPhase(1, "bid", ("Silk was sold.",)),)
    question: Any = GAME.read_question
    return {
        "invitation": PAGES.invitation(TABLE, ANNA, "Greta", ["Ben"]),
        "welcome": PAGES.welcome(TABLE, ANNA, view, "c0ffee"),
        "turn": PAGES.turn(TABLE, ANNA, view, sale.events, Standing()),
        "turn again": PAGES.turn(TABLE, ANNA, view, sale.events, standing),
        "happened": PAGES.happened(TABLE, ANNA, view, sale.events),
        "receipt": PAGES.receipt(TABLE, ANNA, view, facts),
        "reminder": PAGES.reminder(TABLE, ANNA, view, Standing()),
        "bulletin": PAGES.bulletin(TABLE, public, sale.events),
        "ending": PAGES.ending(TABLE, RULES.view(end.state, None), end.events, "5eed", "c0ffee"),
        "rolled back": PAGES.rolled_back(
            TABLE, public, RollBack(((1, "bid"),), sale.events, False, False, "Greta")
        ),
        "takeover": PAGES.takeover(TABLE, ANNA, view, lines, "c0ffee"),
        "status": PAGES.status(TABLE, ANNA, view, standing),
        "orders": PAGES.orders(TABLE, ANNA, view, standing, (StoredVersion(1, NOW, ("Bid 4",)),)),
        "history": PAGES.history(TABLE, ANNA, lines),
        "map": PAGES.map_page(TABLE, ANNA, view),
        "text board": PAGES.board_text(TABLE, ANNA, view),
        "help": PAGES.help(TABLE, ANNA, view),
        "whole help": PAGES.help(TABLE, ANNA, view, whole=True),
        "rule": PAGES.rule(TABLE, ANNA, "3.2"),
        "why": PAGES.why(TABLE, ANNA, view, WhichTurn(1), past),
        "why nothing": PAGES.why(TABLE, ANNA, view, question(view, 1, "the sky"), past),
        "supposition": PAGES.supposition(TABLE, ANNA, view, SuppositionFacts("what if", False, 5)),
    }


WORDS = {
    "invitation": "Secret bids for ten lots",
    "welcome": "The rules in short",
    "turn": "If you send nothing, you bid nothing",
    "turn again": "Bid 4",
    "happened": "goes to Cleo for 2 coins",
    "receipt": "You have 20 coins; you cannot bid 99.",
    "reminder": "Missing: your bid.",
    "bulletin": "The bids of Anna and Ben cancel each other.",
    "ending": "Cleo wins",
    "rolled back": "Dice are rolled again.",
    "takeover": "You play Anna in Heron",
    "status": "You have sent",
    "orders": "Version 1",
    "history": "Silk was sold.",
    "map": "on offer",
    "text board": "Lots",
    "help": "plain words",
    "whole help": "your whole purse",
    "rule": "Bids that are level cancel each other",
    "why": "Bids: Anna 5, Ben 5, Cleo 2.",
    "why nothing": "We do not know what you are asking about.",
    "supposition": "This game has no what-if questions.",
}


def plain(text: str) -> str:
    for tag in ("<b>", "</b>", "<i>", "</i>"):
        text = text.replace(tag, "")
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split()).casefold()


@each_row("name", WORDS)
def test_each_page_says_the_same_in_all_dresses(name: str) -> None:
    page = every_page()[name]
    dresses = (
        (page.text, page.html)
        if name in ("map", "turn", "help")
        else (page.text, page.html, page.chat)
    )
    assert page.chat
    assert all(WORDS[name].casefold() in plain(dress) for dress in dresses), name


def test_no_page_tells_another_commission_before_the_end() -> None:
    state = dealt().state
    secrets = {f"commission is {player.wants}" for player in state.players[1:]}
    for name, page in every_page().items():
        if name != "ending":
            said = plain(page.text + page.html + page.chat)
            assert not any(secret in said for secret in secrets), name


def closes(*bids: tuple[int, ...]) -> list[Close]:
    """The start and a close for each bids, as the public knows them."""
    outcomes = [dealt()]
    for coins in bids:
        outcomes.append(bid(outcomes[-1].state, *coins))
    return [
        Close(
            number,
            number,
            "bid" if number else "start",
            RULES.view(outcome.state, None),
            tuple(event for event in outcome.events if event.is_for(None)),
        )
        for number, outcome in enumerate(outcomes)
    ]


def test_a_sale_is_the_news_of_its_round() -> None:
    """The view is already in the next round (READING-4)."""
    _, sale = closes((5, 5, 2))
    lot = sale.view.players[2].lots[0]
    lead = PAGES.lead(sale.view, sale.events)
    assert lead.headline == f"Round 1: Cleo takes {lot} for 2 coins"
    assert lead.sentence == f"Cleo takes {lot} for 2 coins. Level bids cancel: Anna 5, Ben 5."
    (news,) = PAGES.news(sale.view, sale.events, 3)
    assert news.told.startswith(f"You take {lot}")
    assert (news.players, news.area, news.mark) == ((3, 1, 2), key_of(lot), "taken")
    assert news.why == ("Bids: Anna 5, Ben 5, you 2.",)
    _, unsold = closes((0, 0, 0))
    (news,) = PAGES.news(unsold.view, unsold.events)
    assert (news.told, news.players) == (f"Nobody takes {dealt().state.deck[0]}.", ())
    left = RULES.act(dealt().state, "gm", {"act": "remove", "player": 2}, Chance(b""))
    lead = PAGES.lead(RULES.view(left.state, None), left.events)
    assert lead.headline == "Round 1: Ben gives up"


def test_the_headline_of_the_end_says_by_how_much() -> None:
    end = closes(*[(2, 1, 0)] * ROUNDS)[-1]
    first, second = (player.score for player in PAGES.ranked(end.view)[:2])
    told = f"Anna wins with {first} points, {first - second} ahead of Ben"
    assert PAGES.lead(end.view, end.events).headline == told
    assert PAGES.news(end.view, end.events)[-1].told == f"{told}."


def test_news_is_short_whatever_players_are_called() -> None:
    _, sale = closes((5, 5, 2))
    named = tuple(replace(player, name="Maximiliane " * 5) for player in sale.view.players)
    for you in (None, 1, 3):
        (news,) = PAGES.news(replace(sale.view, players=named), sale.events, you)
        assert len(news.short) <= MOST_CLAUSE
        assert len(news.told) <= MOST_SENTENCE


def test_an_archive_shows_lots_purses_and_bids() -> None:
    course = closes((5, 5, 2), (3, 0, 4))
    first, second, third = dealt().state.deck[:3]
    last = course[-1].view
    told = {area.name: (area.holder, area.words) for area in PAGES.areas(last)}
    assert told == dict.fromkeys(LOTS, (None, "not sold")) | {
        first: (3, "bought by Cleo"),
        second: (3, "bought by Cleo"),
        third: (None, "on offer"),
    }
    assert [chip.figures for chip in PAGES.chips(last)][2] == (("coins", "14"), ("lots", "2"))
    assert PAGES.ordered(last, course[-1].events) == [
        (3, ("Bid 4",)),
        (1, ("Bid 3",)),
        (2, ("Bid 0",)),
    ]
    assert PAGES.ordered(course[0].view, course[0].events) == []
    held, bids = PAGES.plots(course)
    assert isinstance(held, Holdings)
    assert [key for key, _ in held.rows] == list(map(key_of, LOTS))
    assert [cell.holder for cell in dict(held.rows)[key_of(first)]] == [None, 3, 3]
    assert isinstance(bids, Dots)
    assert [(dot.turn, dot.player, dot.value) for dot in bids.dots if dot.is_best] == [
        (1, 3, 2),
        (2, 3, 4),
    ]


def test_what_is_missing_can_be_copied() -> None:
    """READING-23."""
    state = dealt().state
    (gap,) = PAGES.gaps(RULES.view(state, 1), Cast(("Anna", "Ben", "Cleo"), 1), ())
    assert read_alone(GAME.read, state, 1, Standing(), gap.line).items[0].texts == ("Bid 0",)
    receipt = every_page()["receipt"]
    assert receipt.subject == "[Heron] Round 2: 1 bid in, 2 need you"


def test_the_menu_takes_bids() -> None:
    state = bid(dealt().state, 18).state
    view, legal = RULES.view(state, 1), tuple(RULES.legal(state, 1))
    step = MENU.step(TABLE, ANNA, view, legal, Standing(), ())
    assert [button.takes for line in step.lines for button in line] == ["Bid 0", "Bid 1", "Bid 2"]
    assert "your bid, please" in step.chat
    assert [button.text for button in MENU.entries(view, legal, Standing())] == ["Bid..."]


def test_the_picture_says_what_it_shows() -> None:
    state = bid(dealt(5).state, 5, 5, 2).state
    scene = stage(RULES.view(state, None), (), TableFacts("Heron", "bid"))
    drawing = draw(scene, b"")
    sold = state.players[2].lots[0]
    assert f"Cleo (yellow): 18 coins, {sold}." in drawing.alt
    assert f'data-area="{key_of(sold)}"' in drawing.svg
    assert drawing == draw(scene, b"")


def test_the_picture_names_every_lot_and_whose_it_is() -> None:
    """What an archive finds by `areas` can be pointed at."""
    view = closes((5, 5, 2))[-1].view
    drawing = draw(stage(view, (), TableFacts("Heron", "bid")), b"")
    (layers,) = layers_of([drawing]).steps
    names = [layer.name for layer in layers_of([drawing]).layers]
    assert [names[layer] for layer in layers] == ["ground", "lands", "pieces", "margins"]
    groups = {
        group.attrib["data-area"]: group.get("data-colour")
        for group in ET.fromstring(drawing.svg).iter()  # noqa: S314 - our own template wrote it
        if "data-area" in group.attrib
    }
    colours = {player.number: player.colour for player in view.players}
    assert groups == {
        area.key: None if area.holder is None else colours[area.holder]
        for area in PAGES.areas(view)
    }
    assert Sheet.of(drawing.svg).drawn().shape == (462, 800, 4)


def test_the_guide_has_every_rule_the_code_names() -> None:
    known = {rule.id for section in sections(GAME.book) for rule in section.rules}
    code = "".join(path.read_text("utf-8") for path in (HERE / "sealed_lots").glob("*.py"))
    assert all(f'"{rule}"' in code or rule in guide(GAME.book) for rule in known)
    named = {word.strip('"(),') for word in code.split() if word.strip('"(),').startswith("SL-")}
    assert {name.rstrip(".):") for name in named} <= known


def test_f77_a_bid_that_a_later_one_replaces_is_not_called_final() -> None:
    state = dealt().state
    first = RULES.check(state, 1, Standing(), (Bid(4),)).standing
    assert first.final
    assert not RULES.final_locks
    assert RULES.check(state, 1, first, (Bid(5),)).standing.orders == (Bid(5),)
    item = ReceiptItem(1, "bid 4", (0, 5), ("Bid 4",))
    facts = ReceiptFacts((item,), ("Bid 4",), first.orders, final=True, version=1, received_at=NOW)
    told = " ".join(PAGES.receipt(TABLE, ANNA, RULES.view(state, 1), facts).text.split())
    assert "You can change it until" in told
    assert "nly the game master" not in told

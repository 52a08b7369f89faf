"""The pages of Fortresses: every kind of event and every refusal in words, letters of whole games in
every dress, and what a letter says can be answered.
"""

import re
from pathlib import Path
from typing import get_args

import pytest

import templates
from engine.chance import Chance
from engine.fortresses import event_kinds as e
from engine.fortresses.event_kinds import AnyFacts
from engine.fortresses.odds import Odds
from engine.fortresses.orders import format_order, parse_order
from engine.fortresses.refusals import RULES
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.view import state_of, view_of
from engine.ruleset import Event, Problem, Standing
from engine.usual import RulingGiven
from pbem.games.fortresses.pages.battles import tales
from pbem.games.fortresses.pages.cast import Cast
from pbem.games.fortresses.pages.events import event_line, lines_of
from pbem.games.fortresses.pages.facts import rooms
from pbem.games.fortresses.pages.letters import PAGES
from pbem.games.fortresses.reading.questions import parse_question
from pbem.games.fortresses.reading.reader import CONFIRM, READER
from pbem.grammar.house.statements import Said
from pbem.pages.chatting import CAPTION_UNITS, units
from pbem.pages.page import Page
from pbem.pages.rendering import has_macro, twin
from tests.games.fortresses.pages.played import (
    Step,
    letters,
    other_pages,
    play,
    reader,
    said,
    table,
)
from tests.pages.english import NOT_TO_BE_USED, broken, check_words
from tests.rings import at_length
from tests.rows import each_row

TEMPLATES = Path(templates.__file__).parent / "fortresses"
CAST = Cast(("Ann", "Ben", "Cara"), 1, (1, 2, 3, 1))
EVERY_KIND: tuple[AnyFacts, ...] = (
    e.SeatsDealt((("silver", 1), ("red", 2), ("blue", 3), ("gold", 1))),
    e.TurnBegan(3, "red"),
    e.TurnSkipped(3, "red"),
    e.WindowOpened("attack", "red", (2,), 48),
    e.OrdersGiven("red", "attack", ("Attack Syria with 2L 1K from Egypt", "Done")),
    e.LineRefused(1, "Buy 3W in Kiev", "cannot-afford"),
    e.RoundFought("Syria", 1, (6, 2, 8), (3, 6), "2L 1K", "gold 1L, silver 1L"),
    e.RoundLost("Syria", 1, (e.Losses("gold", "1L"),), 1),
    e.FliersRetreated("Syria", "1D"),
    e.PassengerDrowned("Black Sea", "K", "Bulgaria", "blue"),
    e.BattleEnded("Syria", 2, "conquered"),
    e.ChancesTold("Syria", "red", "gold", "2L 1K", "gold 2L", 1, 620, 300, 80, 0, 21, 50, 18, 36),
    e.LandConquered("Syria", "red", "gold"),
    e.IncomeCollected("red", 12),
    e.UnitsBought("red", "Andalusia", "3L 1W"),
    e.DefaultPurchase("red", "Andalusia", "6L"),
    e.FliersHome("gold", "1D", "Black Sea", "Bulgaria"),
    e.GoldLeft("red", 3),
    e.TurnMissed(1, "silver"),
    e.PlayerAbsent(2),
    e.CommandTaken(1, "gold"),
    e.CommandReturned(1, "gold"),
    e.Agreed(1, "draw"),
    e.ProposalLapsed("concede"),
    e.PlayerResigned(3),
    e.GameOver("silver_gold", "year-limit"),
    e.Corrected("units", "2L", "3L", "Syria", "gold", "the dice were read wrongly"),
    RulingGiven("A Bridge is a border."),
)
FACTS: dict[str, dict[str, object]] = {
    "unknown-zone": {"zone": "Avalon", "near": ("Aragon", "Anatolia")},
    "ambiguous": {"what": "zone", "choices": ("Baltic Sea", "Balearic Sea")},
    "not-your-turn": {"kingdom": "gold", "active": "red"},
    "not-now": {"phase": "reinforce"},
    "truce": {"zone": "Saxony"},
    "not-yours": {"unit": "L", "zone": "Egypt", "owner": "red"},
    "capacity": {"sea": "North Sea", "units": "2L"},
    "too-few-units": {"unit": "L", "zone": "Egypt", "free": 2, "wanted": 5},
    "already-moved": {"unit": "L", "zone": "Egypt", "free": 0, "wanted": 1},
    "friendly": {"zone": "Greece"},
    "hostile": {"zone": "Bulgaria"},
    "no-coast": {"sea": "Black Sea", "land": "Hungary"},
    "too-far": {"unit": "L", "origin": "Normandy", "target": "Saxony", "move": 1, "distance": 2},
    "blocked": {"unit": "K", "origin": "Aquitaine", "target": "Lombardy", "by": ("Provence",)},
    "wrong-element": {"unit": "G", "zone": "Syria"},
    "air-empty": {"zone": "Castile"},
    "no-battle": {"zone": "Ionian Sea"},
    "no-landing": {"zone": "Black Sea"},
    "enemy-sea": {"zone": "Black Sea"},
    "placement-limit": {"zone": "England", "room": 1},
    "supply-limit": {"unit": "D", "left": 1, "wanted": 2},
    "cannot-afford": {"cost": 20, "gold": 12},
    "unspent": {"gold": 12},
    "out-of-range": {"hits": 2, "attackers": "3L 1D"},
}
BROKEN = broken("Legions", "Knights", "units", "hits", "rounds")


def plain(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ")


def check_page(name: str, page: Page) -> None:
    check_words(name, page, BROKEN)


# ------------------------------------------------------------------------ every kind, every refusal
def test_there_is_a_sample_of_every_kind() -> None:
    kinds = {kind.__struct_config__.tag for kind in get_args(AnyFacts)}
    assert {facts.__struct_config__.tag for facts in EVERY_KIND} == kinds


@pytest.mark.parametrize("facts", EVERY_KIND, ids=lambda facts: str(facts.__struct_config__.tag))
def test_every_event_is_a_sentence_in_every_dress(facts: AnyFacts) -> None:
    body = event_line(Event(facts, ("FW-1.8",)), CAST).body
    if isinstance(facts, e.WindowOpened):
        assert not body.text
        return
    for text in (body.text, body.html.striptags(), body.chat.striptags()):
        assert re.search(r"[.!]$", text.strip()), text
        assert not BROKEN.search(text), text


@each_row("code", [*RULES, CONFIRM])
def test_every_refusal_is_a_sentence_with_facts_and_without(code: str) -> None:
    macro = code.replace("-", "_")
    ours = has_macro("fortresses/problems.j2", macro)
    template = "fortresses/problems.j2" if ours else "game/problems.j2"
    assert has_macro(template, macro), code
    for facts in (FACTS.get(code, {}), {}):
        body = twin(template, macro, facts, CAST)
        for text in (body.text, body.html.striptags(), body.chat.striptags()):
            assert text.strip().endswith("."), (code, text)
            assert not BROKEN.search(text), text


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.j2")), ids=lambda path: str(path.stem))
def test_no_word_stands_in_the_templates_that_is_not_to_be_used(path: Path) -> None:
    source = re.sub(r"\{#.*?#\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not (bad := NOT_TO_BE_USED.search(source)), bad


def test_a_refusal_tells_the_facts_and_what_to_do() -> None:
    problem = Problem("too-few-units", ("FW-11.6",), FACTS["too-few-units"])  # type: ignore[arg-type]
    told = PAGES._reason(problem, CAST).body.text
    assert "Only 2 of the Legions in Egypt" in told
    assert "needs 5" in told


# ------------------------------------------------------------------------------------------- battles
def events(*facts: AnyFacts) -> tuple[Event, ...]:
    return tuple(Event(one, ("FW-7.5",)) for one in facts)


BATTLE = events(
    e.OrdersGiven("red", "attack", ("Attack Syria with 3L 1K from Egypt", "Done")),
    e.RoundFought("Syria", 1, (6, 2, 1, 8), (3, 6, 7), "3L 1K", "silver 1L, gold 1L 1K"),
    e.RoundLost("Syria", 1, (e.Losses("gold", "1L"),), 1),
    e.RoundLost("Syria", 1, (e.Losses("red", "2L"),)),
    e.RoundFought("Syria", 2, (1, 7), (1, 1), "1L 1K", "silver 1L, gold 1K"),
    e.RoundLost("Syria", 2, (e.Losses("silver", "1L"),)),
    e.RoundFought("Syria", 3, (6, 7), (12,), "1L 1K", "gold 1K"),
    e.RoundLost("Syria", 3, (e.Losses("gold", "1K"),)),
    e.RoundLost("Syria", 3, (e.Losses("red", "1L"),)),
    e.BattleEnded("Syria", 3, "conquered"),
    e.LandConquered("Syria", "red", "gold"),
    e.IncomeCollected("red", 14),
)


def test_the_dice_of_allies_are_told_apart_as_they_were_rolled() -> None:
    """FW-7.18: type by type, and within a type kingdom by kingdom."""
    (tale,) = tales(BATTLE)
    silver, gold = tale.rounds[0].defence
    assert [(roll.code, roll.dice) for roll in silver.rolls] == [("L", ((3, False),))]
    assert [(roll.code, roll.dice) for roll in gold.rolls] == [
        ("L", ((6, True),)),
        ("K", ((7, True),)),
    ]


def test_a_battle_is_told_with_what_each_lost() -> None:
    (tale,) = tales(BATTLE)
    assert (tale.attacker, tale.result, tale.taken_from) == ("red", "conquered", "gold")
    assert tale.lost == (("red", "3L"), ("gold", "1L 1K"), ("silver", "1L"))
    texts = [plain(line.body.text) for line in lines_of(BATTLE, CAST, tales(BATTLE))]
    assert texts[1].startswith("Red (Ben) takes Syria from Gold (Ann) after 3 rounds.")
    assert "Red 3 Legions (6 gold)" in texts[1]


def test_a_battle_that_waits_for_an_answer_goes_on_in_the_next_letter() -> None:
    (first,) = tales(BATTLE[:4])
    (second,) = tales(BATTLE[4:], "red")
    assert (first.result, [fought.number for fought in first.rounds]) == ("", [1])
    assert (second.result, [fought.number for fought in second.rounds]) == ("conquered", [2, 3])
    assert second.points == 0


def test_a_passenger_that_drowns_and_a_landing_called_off_are_told() -> None:
    told = events(
        e.OrdersGiven("gold", "attack", ()),
        e.RoundFought("Levantine Sea", 1, (3,), (6,), "1G", "red 1G"),
        e.PassengerDrowned("Levantine Sea", "L", "Egypt", "gold"),
        e.RoundLost("Levantine Sea", 1, (e.Losses("gold", "1G"),)),
        e.BattleEnded("Levantine Sea", 1, "held"),
        e.BattleEnded("Egypt", 0, "cancelled"),
    )
    sea, land = tales(told)
    assert sea.rounds[0].drowned == [("L", "Egypt")]
    text = " ".join(line.body.text for line in lines_of(told, CAST, (sea, land)))
    assert "The Legion that had landed in Egypt drowns with its ship." in text
    assert "No battle in Egypt" in text


def test_empty_land_falls_without_a_fight() -> None:
    told = events(
        e.OrdersGiven("red", "attack", ()),
        e.BattleEnded("Syria", 0, "conquered"),
        e.LandConquered("Syria", "red", "gold"),
    )
    (line,) = lines_of(told[1:], CAST, tales(told))
    assert "takes Syria from Gold (Ann) without a fight" in line.body.text


# --------------------------------------------------------------------------------------- whole games
@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("players", "seed", "closes"),
    [(2, 1, 60), (3, 2, at_length(20, 60)), (4, 3, at_length(20, 60))],
)
def test_every_page_of_a_game_can_be_made(players: int, seed: int, closes: int) -> None:
    kinds = set()
    for number, step in enumerate(play(players, seed, closes, {"year_limit": 6})):
        pages = [*letters(step)]
        if number % 7 == 0 or step.state.stage in ("battle", "over"):
            pages += [
                page for player in range(1, players + 1) for page in other_pages(step, player)
            ]
        for kind, page in pages:
            kinds.add(kind)
            check_page(f"{number} {kind}", page)
            if kind in ("bulletin", "attack", "battle", "reinforce"):
                assert units(page.chat) <= CAPTION_UNITS, (number, kind)
    assert {"attack", "reinforce", "bulletin", "receipt"} <= kinds


def step_of(stage: str, players: int = 2, seed: int = 1) -> Step:
    return next(step for step in play(players, seed) if step.state.stage == stage)


@pytest.mark.parametrize("stage", ["attack", "battle", "reinforce"])
def test_what_a_letter_says_can_be_answered_is_taken_as_it_stands(stage: str) -> None:
    steps = [step for step in play(2, 1, 60) if step.state.stage == stage][:8]
    for step in steps:
        asked = step.view(None).asked[0]
        for text, _ in PAGES.answers(step.view(asked)):
            assert not re.search(r"\d[LKWGD]", text), text  # THIRD-13: no code is suggested
            reading = READER.read(step.state, asked, Standing(), Said(text))
            assert not [problem for item in reading.items for problem in item.problems], text
            assert reading.checked is not None
            said = ". ".join(map(format_order, reading.checked.accepted))
            assert PAGES.spoken(step.view(asked), said) == text


@pytest.mark.parametrize("stage", ["attack", "battle", "reinforce"])
def test_third13_what_a_receipt_shows_is_in_words_and_read_as_the_same(stage: str) -> None:
    """So a player may send it back; what dies first, too."""
    steps = [step for step in play(3, 2, 60) if step.state.stage == stage][:12]
    for step in steps:
        asked = step.view(None).asked[0]
        texts = [*map(format_order, said(step, asked)), "Always: Lose L then K then W"]
        for text in texts:
            shown = PAGES.spoken(step.view(asked), text)
            assert not re.search(r"\b\d*[LKWGD]\b", shown), shown
            meant, read = (
                [order for item in reading.items for order in item.orders]
                for reading in (
                    READER.read(step.state, asked, Standing(), Said(words))
                    for words in (text, shown)
                )
            )
            assert read == meant, shown


def test_a_view_tells_the_state() -> None:
    """FW-1.8: nothing is hidden."""
    for step in play(4, 5, 30):
        view = view_of(step.state, 2)
        assert view_of(state_of(view), 2) == view


def test_what_happens_if_nobody_answers_is_named_as_it_then_happens() -> None:
    """FW-8.15."""
    step = step_of("reinforce")
    asked = step.view(None).asked[0]
    page = dict(letters(step))["reinforce"]
    told = FORTRESSES.adjudicate(step.state, {}, Chance(b"1")).events
    (bought,) = [one.facts for one in told if isinstance(one.facts, e.DefaultPurchase)]
    legions = bought.units.removesuffix("L")
    assert f"you get {legions} Legions in {bought.zone}" in " ".join(page.text.split())
    assert step.view(asked).default


def test_a_human_with_two_kingdoms_is_told_which_is_asked() -> None:
    """FW-4.14."""
    step = step_of("attack")
    text = " ".join(dict(letters(step))["attack"].text.split())
    assert "You also play Blue, but this is about Red alone." in text


def test_a_partner_is_named() -> None:
    step = step_of("attack", players=4)
    view = step.view(None)
    ally = next(realm for realm in view.kingdoms if realm.kingdom == "blue")
    name = view.players[ally.commander - 1].name
    assert f"Your ally is Blue ({name})." in " ".join(dict(letters(step))["attack"].text.split())


def test_who_is_not_asked_gets_no_answers() -> None:
    step = step_of("attack")
    other = next(number for number in (1, 2) if number not in step.view(None).asked)
    page = PAGES.status(table(), reader(other), step.view(other), Standing())
    assert "You have nothing to answer now." in page.text


def test_the_news_is_the_headline() -> None:
    """READING-4: of a bulletin, of the first line of a chat, and of the preheader of a letter."""
    step = next(
        step
        for step in play(2, 1, 60)
        if any(event.kind == "conquered" for event in step.events)
        and step.state.stage == "reinforce"
    )
    pages = dict(letters(step))
    (taken, *_) = [one.facts for one in step.events if isinstance(one.facts, e.LandConquered)]
    headline = PAGES.lead(step.view(None), step.events).headline
    assert f"{taken.kingdom.capitalize()} takes " in headline
    assert pages["bulletin"].subject == f"[Heron] {headline}"
    assert headline in pages["reinforce"].chat.splitlines()[0]
    assert headline.partition(": ")[2].partition(",")[0] in pages["reinforce"].subject
    assert "Your Red takes" in pages["reinforce"].html.partition("<h1")[0]


def test_the_end_names_both_winners() -> None:
    """FW-1.2."""
    *_, last = play(4, 3, 400, {"year_limit": 3})
    view = last.view(None)
    assert view.stage == "over"
    if view.winner == "draw":
        assert PAGES.outcome(view) == "The game is a draw."
    else:
        names = [view.players[number - 1].name for number in view.winners]
        assert PAGES.outcome(view).startswith(f"{names[0]} and {names[1]} win with ")
        assert {card.name for card in PAGES.players(view)[:2]} == set(names)


def test_the_state_of_who_is_asked_is_not_needed_for_the_public() -> None:
    step = step_of("reinforce")
    assert PAGES.bulletin(table(), step.view(None), step.events).text
    assert PAGES.corrections(
        step.view(None), events(EVERY_KIND[-1], EVERY_KIND[-2], EVERY_KIND[0])
    ) == (
        "The game master rules: A Bridge is a border.",
        (
            "The game master corrects the units of Gold in Syria: 3L instead of 2L (the dice were"
            " read wrongly)."
        ),
    )


@each_row("phrase", [words for words, _ in PAGES.phrases])
def test_what_the_help_says_is_read(phrase: str) -> None:
    """Possible or not in this position: it is understood."""
    if phrase.startswith("Odds"):
        assert isinstance(parse_question(step_of("attack").view(1), 1, phrase), Odds)
        return
    for stage in ("attack", "reinforce"):
        step = step_of(stage)
        asked = step.view(None).asked[0]
        reading = READER.read(step.state, asked, Standing(), Said(phrase))
        codes = {problem.code for item in reading.items for problem in item.problems}
        assert reading.items, phrase
        assert not codes & {"not-understood", "unknown-zone", "ambiguous", "loose-question"}, codes


def test_a_kept_line_that_could_not_be_carried_out_stands_above_the_question() -> None:
    """FW-4.8."""
    step = step_of("reinforce")
    asked = step.view(None).asked[0]
    refused = events(e.LineRefused(asked, "Buy 9W in Kiev", "cannot-afford"))
    told = Step(step.state, (*step.events, *refused))
    text = dict(letters(told))["reinforce"].text
    assert "! Your line had no effect, because there is too little gold" in text
    assert text.index("! Your line") < text.index("WHAT YOU CAN REPLY")


# ------------------------------------------------------------------------- what was found in letters
def test_kingdoms_have_the_signs_of_their_banners_in_a_chat() -> None:
    """READING-15."""
    step = step_of("attack")
    pages = dict(letters(step))
    for page in (pages["attack"], pages["bulletin"]):
        for sign, kingdom in (("⚜️", "Silver"), ("🌹", "Red"), ("🐺", "Blue"), ("☀️", "Gold")):
            assert re.search(rf"{sign} (<b>)?{kingdom}(</b>)?, \w+: ", page.chat)


def test_the_link_to_telegram_and_the_legend_come_in_the_first_year_alone() -> None:
    """READING-18, READING-19."""
    for step in play(2, 1, 30):
        if step.state.stage == "over":
            break
        asked = step.view(None).asked[0]
        at = table(telegram="https://t.me/bot?start=abc")
        text = PAGES.turn(at, reader(asked), step.view(asked), step.events, Standing()).text
        board = PAGES.status(at, reader(asked), step.view(asked), Standing()).text
        is_first = step.state.year == 1
        assert ("t.me/bot" in text) == is_first
        assert ("** Fortress" in board) == is_first


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ((), ()),
        (("Buy 1L in {}",), ("a use for gold", "the word done")),
        (("Buy nothing",), ("the word done",)),
        (("Move 1L from England to Scotland",), ("purchases", "the word done")),
    ],
)
def test_a_message_is_told_what_it_leaves_open(
    lines: tuple[str, ...], names: tuple[str, ...]
) -> None:
    """READING-23: with a line that closes it."""
    step = step_of("reinforce")
    asked = step.view(None).asked[0]
    view = step.view(asked)
    orders = tuple(parse_order(line.format(rooms(view)[0].land)) for line in lines)
    gaps = PAGES.gaps(view, PAGES._cast(view, asked), orders)
    assert tuple(re.sub(r"\d+ ", "", gap.name) for gap in gaps) == names
    assert all(gap.effect.endswith(".") for gap in gaps)
    sent = tuple(parse_order(gap.line) for gap in gaps if gap.line)
    told = FORTRESSES.check(step.state, asked, Standing(orders), sent)
    assert not told.problems
    assert told.complete == bool(gaps)


def test_what_nobody_bought_is_named_with_the_line_that_prevents_it() -> None:
    """READING-23."""
    step = step_of("reinforce")
    asked = step.view(None).asked[0]
    view = step.view(asked)
    stored = Standing((parse_order("Move 1L from England to Scotland"),))
    text = " ".join(PAGES.reminder(table(), reader(asked), view, stored).text.split())
    assert "Missing: purchases. So far the rules buy 6 Legions in Normandy." in text
    assert "You can send: Buy nothing" in text


def test_what_happened_in_a_battle_has_all_its_dice() -> None:
    """FW-4.10."""
    checked = 0
    for step in play(2, 1, 40):
        rolled = [event.facts for event in step.events if isinstance(event.facts, e.RoundFought)]
        if not rolled or step.state.stage == "over":
            continue
        asked = step.view(None).asked[0]
        page = PAGES.happened(table(), reader(asked), step.view(asked), step.events)
        _, _, dice = page.text.partition("Round by round:")
        dice, _, _ = re.sub(r"\[[^\]]*\]", "", dice).partition("\n-- \n")
        shown = sorted(map(int, re.findall(r"\b\d+\b", dice)))
        assert shown == sorted(die for facts in rolled for die in (*facts.attack, *facts.defence))
        checked += 1
    assert checked > 5

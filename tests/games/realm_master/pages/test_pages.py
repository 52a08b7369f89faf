"""The pages of Realm-Master: five of them as they were approved, all of them in every dress."""

import dataclasses
import os
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from engine.realm_master.event_kinds import AnyFacts
from engine.realm_master.events import Corrected, GameWon, RoundBegan, TributePaid, TurnBegan
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.realm_master.view_of import view_of
from engine.ruleset import Event, Problem, Standing
from pbem.games.realm_master.pages.answers import answers
from pbem.games.realm_master.pages.cast import BOOK, cast_of
from pbem.games.realm_master.pages.events import TEMPLATE, chapters, event_lines
from pbem.games.realm_master.pages.letters import PAGES
from pbem.games.realm_master.pages.plan import plan_facts
from pbem.games.realm_master.pages.receipt import PROBLEMS, reason_of
from pbem.games.realm_master.pages.tales import tales
from pbem.games.realm_master.reading.reader import READER as GRAMMAR
from pbem.grammar.house.statements import Said
from pbem.pages.chatting import CAPTION_UNITS, units
from pbem.pages.kit.columns import WIDTH, columns
from pbem.pages.kit.rules import find_rule, guide, normal_id
from pbem.pages.page import Page, PeopleFacts, Reader, RecordFacts, SuppositionFacts
from pbem.pages.rendering import has_macro, modules, twin
from tests.games.realm_master.engine.playing import close, new_game
from tests.games.realm_master.pages.sample import (
    COMMITMENT,
    EVERY_KIND,
    HAPPENED,
    LANDS,
    NOW,
    PAST,
    PLAN,
    PLAYERS,
    PUBLIC,
    READER,
    REST,
    ROLLED_BACK,
    SEED,
    VERSIONS,
    happened,
    live,
    receipt_facts,
    standing,
    state,
    table,
    view,
)
from tests.pages.approved import hold_approved
from tests.pages.chat import check_form
from tests.pages.english import check_columns
from tests.pages.test_lobby import OPEN
from tests.rows import each_row

APPROVED = ("turn", "receipt", "bulletin", "ending", "status")
ROOT = Path(__file__).parents[4]
LEAKS = re.compile(r"\{\{|\}\}|\{%|None|Undefined|\[\]|\(\)|<bound|object at|  |\s[.,;]")
NO_HEROES: dict[str, dict[str, object]] = {name: {} for name in PLAYERS}
OVER = (GameWon((1,), "banners", ((1, 10, 7, 4, 2), (2, 5, 6, 1, 1), (3, 2, 5, 6, 0))),)


def over() -> State:
    players = PLAYERS | {
        "Anna": {"hero": "elf", "hgb": "7/4/10"},
        "Dmytro": {"hero": "dwarf", "alive": False, "fell_to": "Anna"},
    }
    return state(
        phase="over", players=players, winner="Anna", ended_by="banners", round=9, turns=33
    )


def turn(
    shown: State, *, sent: str = "", events: tuple[Event, ...] = (), **changes: object
) -> Page:
    return PAGES.turn(table(**changes), READER, view(shown), events, standing(sent))


MAILS: dict[str, Callable[[], Page]] = {
    "turn": lambda: turn(state(), events=HAPPENED),
    "turn-sent": lambda: turn(state(), sent=PLAN, away=("Bartek",), has_picture=False),
    "turn-heroes": lambda: turn(
        state(phase="heroes", players=NO_HEROES, card=None, round=0, turns=0),
        telegram="https://t.me/heron_bot?start=abc",
    ),
    "turn-reroll": lambda: turn(live("reroll"), has_picture=False),
    "turn-faces": lambda: turn(live("faces")),
    "turn-attack": lambda: turn(live("attack")),
    "turn-enter": lambda: turn(
        live("enter", players=PLAYERS | {"Bartek": {"hero": "barbarian", "hgb": "6/1/5"}})
    ),
    "turn-hit": lambda: turn(
        live(
            "hit",
            players=PLAYERS
            | {
                "Anna": {"hero": "elf", "hgb": "3/4/3", "at": "KUR"},
                "Bartek": {"hero": "barbarian", "hgb": "6/1/5"},
            },
            hit={"Anna": 4},
            turn={"player": "Bartek"},
        ),
        events=REST,
    ),
    "receipt": lambda: PAGES.receipt(table(), READER, view(), receipt_facts()),
    "receipt-taken": lambda: PAGES.receipt(
        table(), READER, view(), receipt_facts(items=receipt_facts().items[:2], offered=())
    ),
    "receipt-answer": lambda: PAGES.receipt(
        table(),
        READER,
        view(live("attack")),
        receipt_facts(
            items=(
                dataclasses.replace(
                    receipt_facts().items[0], quote="hit them", texts=("Attack: yes",)
                ),
            ),
            offered=(),
            dropped_replaced=(),
            standing=("Attack: yes",),
            standing_orders=standing("Attack: yes").orders,
        ),
    ),
    "reminder": lambda: PAGES.reminder(table(), READER, view(), Standing()),
    "bulletin": lambda: PAGES.bulletin(table(code=""), view(None, None), PUBLIC),
    "ending": lambda: PAGES.ending(
        table(code=""),
        view(over(), None),
        happened(*OVER),
        SEED,
        COMMITMENT,
        RecordFacts("heron.json", "ab12"),
    ),
    "rolled-back": lambda: PAGES.rolled_back(table(code=""), view(None, None), ROLLED_BACK),
    "takeover": lambda: PAGES.takeover(table(), READER, view(), PAST, COMMITMENT),
    "status": lambda: PAGES.status(
        table(rhythm="weekdays at 18:00"), READER, view(), standing(PLAN)
    ),
    "status-observer": lambda: PAGES.status(
        table(), Reader(None, "Olga", "UTC", looks_on=True), view(None, None), Standing()
    ),
    "orders": lambda: PAGES.orders(table(), READER, view(), standing(PLAN), VERSIONS),
    "history": lambda: PAGES.history(table(), READER, PAST),
    "map": lambda: PAGES.map_page(table(), READER, view()),
    "board": lambda: PAGES.board_text(table(), READER, view()),
    "help": lambda: PAGES.help(table(), READER, view()),
    "help-orders": lambda: PAGES.help(table(), READER, view(), whole=True),
    "rule": lambda: PAGES.rule(table(), READER, "b7"),
    "welcome": lambda: PAGES.welcome(
        table(),
        READER,
        view(state(phase="heroes", players=NO_HEROES, card=None, round=0, turns=0)),
        COMMITMENT,
        happened(EVERY_KIND[2]),
    ),
    "invitation": lambda: PAGES.invitation(table(), READER, "Gerda", ("Bartek",)),
    "supposition": lambda: PAGES.supposition(
        table(),
        READER,
        view(),
        SuppositionFacts(
            "I attack and keep three swords", is_preview=False, most=3, refused="by-chance"
        ),
    ),
    "happened": lambda: PAGES.happened(table(), READER, view(), HAPPENED),
}
CAPTIONS = [name for name in MAILS if name.startswith("turn") or name in ("bulletin", "map")]


@pytest.mark.parametrize("name", APPROVED)
def test_a_page_reads_as_it_was_approved(name: str) -> None:
    hold_approved(__file__, name, MAILS[name]())


@each_row("name", MAILS)
def test_a_page_is_well_formed_in_every_dress(name: str) -> None:
    page = MAILS[name]()
    check_form(name, page)
    check_columns(name, page)
    assert all(columns(line) <= WIDTH for line in page.text.splitlines()), name
    assert not re.search(r"\{\{|\{%|Undefined|None\b", page.text + page.html + page.chat)
    assert "this mail" not in page.chat


@each_row("name", MAILS)
def test_nothing_of_a_mail_stands_between_the_rows_of_its_card(name: str) -> None:
    assert not re.search(r"</td></tr>\s*<(?!tr|/table|!)", MAILS[name]().html)


@each_row("name", CAPTIONS)
def test_what_stands_below_a_picture_fits_a_caption(name: str) -> None:
    assert units(MAILS[name]().chat) <= CAPTION_UNITS


def test_a_caption_fits_with_six_players_of_long_names_and_many_lines() -> None:
    heroes = ("elf", "barbarian", "wizard", "dwarf", "squire", "princess")
    players = {
        f"{hero.title()} {'the Longnamed' * 3}": {
            "hero": hero,
            "hgb": "9/12/9",
            "cards": ["B01"] if not i else [],
        }
        for i, hero in enumerate(heroes)
    }
    shown = state(players=players)
    page = PAGES.turn(
        table(), Reader(1, next(iter(players)), "UTC"), view(shown), HAPPENED, standing(PLAN)
    )
    assert units(page.chat) <= CAPTION_UNITS
    assert (
        units(PAGES.bulletin(table(), view(shown, None), happened(*EVERY_KIND[20:])).chat)
        <= CAPTION_UNITS
    )
    check_form("six", page)


# --------------------------------------------------------------------------- every kind, every code
def test_there_is_a_sample_and_a_label_of_every_kind() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(AnyFacts)}
    assert {str(facts.__struct_config__.tag) for facts in EVERY_KIND} == kinds
    assert set(vars(modules(TEMPLATE)[1])["LABELS"]) == kinds


@each_row("facts", EVERY_KIND)
def test_every_event_reads_as_sentences_in_every_dress(facts: AnyFacts) -> None:
    for you in (None, 1, 3):
        for line in event_lines(Event(facts, ("RM-4.4",)), cast_of(view(), you)):
            text = line.body.text.replace("[\N{NO-BREAK SPACE}]", "[-]")
            assert len(text) > 5
            assert not LEAKS.search(text.strip()), text
            assert not re.search(r"\{\{|None|Undefined", line.body.html + line.body.chat)
            assert text.rstrip().endswith((".", "!", '"')), text
        assert "\n" not in PAGES.describe_event(Event(facts, ("RM-4.4",)), view())


def test_every_kind_stands_in_some_chapter_but_the_window() -> None:
    told = [
        line
        for chapter in chapters(happened(*EVERY_KIND), cast_of(view(), 1))
        for line in chapter.lines
    ]
    assert all(chapter.heading for chapter in chapters(happened(*EVERY_KIND), cast_of(view(), 1)))
    assert len(told) > len(EVERY_KIND) // 2


def test_a_turn_is_told_under_the_name_of_its_hero_and_in_its_order() -> None:
    told = chapters(HAPPENED, cast_of(view(), 1))
    assert [chapter.heading for chapter in told] == [
        "What happened",
        "Turn 9: Anna, the Elf, outside the Realm",
        "Turn 10: Bartek, the Barbarian, outside the Realm",
        "Round 4",
    ]
    assert [line.label for line in told[1].lines if line.label] == [
        *("Turn", "Dice", "Takes", "Buys", "Attack", "Choice", "Outside", "Skipped", "Plan"),
    ]
    blow = next(
        line
        for line in told[1].lines
        if "Chloé in Jerum" in line.body.text.replace("\N{NO-BREAK SPACE}", " ")
    )
    assert blow.body.text.replace("\N{NO-BREAK SPACE}", " ") == (
        "Chloé in Jerum: 3 swords + 1 (turn card) − 1 (Iron Shield) = 3. 3 hearts lost, 5 left."
    )
    assert blow.rules == ("RM-4.4", "RM-T01", "RM-B01")


def codes() -> set[str]:
    """Every problem code that the engine and the grammar of the game name, and those that all games
    share.
    """
    sources = [
        *(ROOT / "engine/realm_master/checking").glob("*.py"),
        *(ROOT / "pbem/games/realm_master/reading").glob("*.py"),
    ]
    text = "\n".join(source.read_text(encoding="utf-8") for source in sources) + (
        ROOT / "engine/realm_master/turns/plays.py"
    ).read_text(encoding="utf-8")
    found = set(
        re.findall(
            r'(?:refuse|_warn|Problem|NotRead|return|code =)\(?\s*\(?"([a-z]+(?:-[a-z0-9]+)+|dead)"',
            text,
        )
    )
    return found | {
        *("already-final", "final-held", "loose-question", "beside-question", "ambiguous-player"),
        *("condition-unknown", "not-now"),
    }


def test_every_problem_has_a_sentence() -> None:
    assert len(codes()) > 30
    assert {code for code in codes() if not has_macro(PROBLEMS, code.replace("-", "_"))} == set()


@each_row("code", sorted(codes()))
def test_a_problem_reads_well_with_facts_and_without(code: str) -> None:
    facts: dict[str, object] = {
        "card": "B16",
        "row": ("B02",),
        "land": "JER",
        "lands": tuple(LANDS),
        "cost": 5,
        "gold": 4,
        "hero": "elf",
        "heroes": ("elf",),
        "free": ("dwarf", "squire"),
        "phase": "round",
        "word": "dragons",
        "told": "Rivendell",
        "most": 3,
        "turns": (3, 4),
        "number": 7,
        "stands": "Attack: yes",
        "cards": ("B01",),
        "side": "inside",
    }
    for told in ({}, facts):
        for warning in (False, True):
            problem = Problem(code, ("RM-4.4",), told, warning)  # type: ignore[arg-type]
            said = reason_of(problem, cast_of(view(), 1)).body.text.strip()
            assert not LEAKS.search(said), said
            assert said.endswith((".", '"')), said


# -------------------------------------------------------------------------------- answers and plans
QUESTIONS: dict[str, Callable[[], State]] = {
    "heroes": lambda: state(phase="heroes", players=NO_HEROES, card=None, round=0, turns=0),
    "round": state,
    "round-inside": lambda: state(
        players=PLAYERS
        | {"Anna": {"hero": "elf", "hgb": "7/4/3", "at": "KUR"}, "Bartek": {"hero": "squire"}},
        card="T09",
    ),
    "round-tribute": lambda: state(card="T04"),
    "tribute": lambda: state(
        phase="tribute", card="T05", options={"mode": "interactive"}, asked=["Anna"]
    ),
    "ultimatum": lambda: state(
        phase="ultimatum",
        card="T09",
        options={"mode": "interactive"},
        asked=["Anna"],
        players=PLAYERS
        | {"Anna": {"hero": "elf", "hgb": "7/4/3", "at": "KUR"}, "Bartek": {"hero": "squire"}},
    ),
    **{name: partial(live, name) for name in ("reroll", "faces", "attack", "last")},
    "second": lambda: live("second", card="T17"),
    "knuckle": lambda: live(
        "knuckle", players=PLAYERS | {"Anna": {"hero": "elf", "hgb": "7/4/3", "cards": ["B03"]}}
    ),
    "enter": lambda: live(
        "enter", players=PLAYERS | {"Bartek": {"hero": "barbarian", "hgb": "6/1/5"}}
    ),
    "realm": lambda: live(
        "realm",
        players=PLAYERS
        | {"Anna": {"hero": "elf", "hgb": "7/4/3", "at": "KUR"}, "Bartek": {"hero": "squire"}},
        turn={"inside": True},
    ),
    "smoke": lambda: live(
        "smoke",
        turn={"player": "Bartek"},
        asked=["Anna"],
        players=PLAYERS
        | {
            "Anna": {"hero": "elf", "hgb": "3/4/3", "at": "KUR", "cards": ["B10"]},
            "Bartek": {"hero": "barbarian", "hgb": "6/1/5"},
        },
    ),
    "hit": lambda: live(
        "hit",
        hit={"Anna": 4},
        turn={"player": "Bartek"},
        players=PLAYERS
        | {
            "Anna": {"hero": "elf", "hgb": "3/4/3", "at": "KUR"},
            "Bartek": {"hero": "barbarian", "hgb": "6/1/5"},
        },
    ),
    "loot": lambda: live(
        "loot",
        loot={"victim": "Dmytro", "killer": "Anna", "cause": "attack"},
        players=PLAYERS
        | {"Dmytro": {"hero": "dwarf", "hgb": "0/3/1", "cards": ["B07", "B09", "B11", "B13"]}},
    ),
    "place": lambda: live("place", revealed="B03"),
}


@each_row("name", QUESTIONS)
def test_what_a_page_says_can_be_answered_is_taken_as_it_stands(name: str) -> None:
    shown = QUESTIONS[name]()
    found = answers(view(shown), cast_of(view(shown), 1))
    assert found
    for answer in found:
        reading = GRAMMAR.read(shown, 1, Standing(), Said("\n".join(answer.texts)))
        problems = [problem for item in reading.items for problem in item.problems]
        assert not [problem for problem in problems if not problem.warning], answer.texts
        assert [order for item in reading.items for order in item.orders], answer.texts
        assert not LEAKS.search(answer.why.text.replace("[\N{NO-BREAK SPACE}]", "[-]")), (
            answer.why.text
        )
    page = turn(shown)
    check_form(name, page)
    assert units(page.chat) <= CAPTION_UNITS
    PAGES.reminder(table(), READER, view(shown), Standing())
    PAGES.status(table(), READER, view(shown), Standing())


def test_nobody_who_is_not_asked_is_told_what_to_answer() -> None:
    assert answers(view(live("attack"), 2), cast_of(view(), 2)) == ()
    assert answers(view(None, None), cast_of(view(), None)) == ()


def test_a_plan_tells_what_is_kept_what_is_new_and_what_the_rules_do() -> None:
    plan = plan_facts(view(), standing("Attack: no; Enter: Arub"))
    assert [(row.text, row.kept, row.stays) for row in plan.rows] == [
        ("Reroll: reroll blanks (always)", True, True),
        ("Attack: no", False, True),
        ("Enter: Arub", False, False),
    ]
    assert [words for words, _ in plan.silent] == ["R", "When hit", "Smoke Pot", "Buy"]


def test_an_answer_of_live_play_is_no_line_of_the_plan() -> None:
    text = MAILS["receipt-answer"]().text
    assert "1 LINE IN, ALL FINE" in text
    assert "Change it until" not in text + MAILS["receipt-answer"]().chat
    assert text.count("Attack: yes") == 1
    assert "Reroll" not in text


def test_a_wish_for_a_card_that_is_not_on_offer_is_asked_about_and_not_taken() -> None:
    text = MAILS["receipt"]().text
    assert 'Did you mean "Buy: hope for Bolt of Fire"? Then answer yes.' in " ".join(text.split())
    assert "The lands in play are Kurull, Jerum, Mertle and Arub." in " ".join(text.split())
    assert (
        "Buy: hope for Bolt of Fire"
        not in text.partition("YOUR ORDERS")[2].partition("NOT UNDERSTOOD")[0]
    )


def test_a_later_deadline_names_who_is_away() -> None:
    assert "later because Bartek is away" in MAILS["turn-sent"]().text
    assert "later because Bartek is away" in MAILS["turn-sent"]().chat


def test_what_a_table_says_about_its_people_stands_with_the_invitation_and_the_status() -> None:
    at = table(people=PeopleFacts(nmr_count=2, nmr_then="substitute"))
    for page in (
        PAGES.invitation(at, READER, "Gerda", (), OPEN),
        PAGES.status(at, READER, view(), Standing()),
    ):
        assert "If a player misses 2 phases in a row" in " ".join(page.text.split())


# --------------------------------------------------------------------------- what only one may know
def test_the_lines_of_a_plan_that_decided_are_told_to_their_owner_alone() -> None:
    assert '"Buy: Iron Shield": you had too little gold' in flat(MAILS["turn"]().text)
    assert "lines of yours decided" in MAILS["happened"]().text
    assert "too little gold" not in MAILS["bulletin"]().text
    other = PAGES.turn(table(), Reader(2, "Bartek", "UTC"), view(None, 2), PUBLIC, Standing())
    assert "Reroll: reroll blanks (always)" not in other.text + other.html + other.chat


def test_the_bulletin_and_the_end_need_no_seat() -> None:
    assert "Your plan" not in MAILS["bulletin"]().text
    end = MAILS["ending"]()
    assert end.subject == "[Heron] Anna wins with 10 banners, 5 ahead of Bartek"
    assert "In round 9." in end.text
    assert [card.name for card in PAGES.players(view(over(), None))] == [
        *("Anna", "Bartek", "Chloé", "Dmytro"),
    ]
    assert PAGES.outcome(view(None, None)) == "Round 4 of 6; Bartek leads."


# ---------------------------------------------------------------------------------------- the rules
@pytest.mark.parametrize("text", ["RM-B07", "b7", "rm b07", " B7 "])
def test_the_rule_of_a_card_is_found_by_its_key(text: str) -> None:
    assert normal_id(text, BOOK) == "RM-B07"
    assert find_rule(text, BOOK).title == "Standard Pole"


@pytest.mark.parametrize(
    ("text", "nearest"),
    [("RM-5.9", "RM-5.9"), ("5.99", "RM-5.13"), ("phoenix", "RM-B19"), ("T99", "RM-T17")],
)
def test_another_rule_is_answered_with_the_nearest(text: str, nearest: str) -> None:
    assert find_rule(text, BOOK).id == nearest


def test_the_guide_in_the_docs_is_the_one_the_mails_quote() -> None:
    path = ROOT / "docs" / "games" / "realm-master" / "rules.md"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(guide(BOOK), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == guide(BOOK)


def test_every_rule_that_an_event_names_is_in_the_guide() -> None:
    for event in (*HAPPENED, *happened(*EVERY_KIND)):
        assert all(find_rule(rule, BOOK).id == rule for rule in event.rules)


def test_a_deadline_is_told_in_the_reader_s_zone() -> None:
    page = PAGES.turn(
        table(deadline=NOW + timedelta(hours=5)),
        Reader(1, "Anna", "Asia/Tokyo"),
        view(),
        (),
        Standing(),
    )
    assert "07:00" in page.text


# ------------------------------------------------------------------------------ turns told in parts
def bulletin_of(events: tuple[Event, ...], stage: str = "reroll", **turn: object) -> Page:
    shown = view(live(stage, turn={"player": "Bartek"} | turn), None)
    return PAGES.bulletin(table(code=""), shown, events)


LIVE = view(live("reroll", turn={"player": "Bartek"}), None)


def story_of(page: Page) -> list[str]:
    """The lines of what happened."""
    told = page.text.partition("WHAT HAPPENED")[2].partition("\n\n")[0]
    return told.splitlines()[1:]


def test_a_turn_that_goes_on_stands_under_its_own_name_and_so_does_the_one_that_begins() -> None:
    page = bulletin_of(REST[:8])
    assert page.subject == "[Heron] Round 4, turn 11: Anna drives Chloé out of Jerum"
    text = flat(page.text)
    assert (
        text.index("Anna gains 1 heart and hits Chloé")
        < text.index("Chloé leaves Jerum. Anna enters Kurull")
        < text.index("Bartek rolls")
    )
    headings = [chapter.heading for chapter in chapters(REST[:8], cast_of(view(), None), LIVE)]
    assert headings == [
        "Turn 11, continued: Anna, the Elf",
        "Turn 12: Bartek, the Barbarian, outside the Realm",
    ]


def test_the_last_turn_of_a_round_is_not_called_by_the_first_of_the_next() -> None:
    begun = happened(RoundBegan(4, "T01", "Attack +1", final=False))
    events = (*REST[:6], *begun, *REST[6:8])
    page = bulletin_of(events)
    assert page.subject == "[Heron] Round 3, turn 11: Anna drives Chloé out of Jerum"
    assert "WHAT HAPPENED IN ROUND 3" in page.text
    assert [chapter.heading for chapter in chapters(events, cast_of(view(), None), LIVE)] == [
        "Turn 11, continued: Anna, the Elf",
        "Round 4",
        "Turn 12: Bartek, the Barbarian, outside the Realm",
    ]


def test_a_bulletin_of_what_comes_before_the_turns_is_called_so() -> None:
    paid = happened(TributePaid(1, (("gold", "JER"),), (), ()))
    page = bulletin_of((*paid, *REST[6:8]))
    assert page.subject == "[Heron] Round 4: the tribute is paid"
    assert "Tribute Anna pays 1 gold to Jerum." in flat(page.text)
    begins = bulletin_of((*happened(RoundBegan(4, "T01", "Attack +1", final=False)), *REST[6:8]))
    assert begins.subject == "[Heron] Round 4: Bartek rolls the dice"


def test_the_story_for_a_chat_says_who_hit_whom_for_how_much_and_who_left() -> None:
    """THIRD C5: in words; `why` has the dice."""
    told = " ".join(bulletin_of(REST).chat.replace("\N{NO-BREAK SPACE}", " ").split())
    assert (
        "❤️ <b>Anna</b> gains 1♥ and hits Chloé for 3 (5 left). Chloé leaves Jerum."
        " Anna enters Kurull for 1● (+2♥) (+1♥ 2● 1⚑)."
    ) in told
    assert "🌊 <b>Bartek</b> gains 1⚑ and hits Anna for 4 (3 left)." in told
    question = turn(state(), events=HAPPENED).chat
    assert "hit Chloé for 3 (5 left)" in question


def test_every_kind_of_event_has_its_words_in_the_story_of_a_chat() -> None:
    shown = view(state(), None)
    for facts in EVERY_KIND:
        for short in (0, 2):
            found = tales(
                happened(TurnBegan(13, 1, None, 0, 0), facts), cast_of(shown, None), shown
            )
            words = "".join(
                twin("realm_master/tales.j2", "tale", tale, cast_of(shown, None), short).chat
                for tale in found
            )
            assert not re.search(r"\{\{|None|Undefined|: ;|; ;|;\s*[.]|\(\)", words), words


# ------------------------------------------------------------------------ what a receipt says is so
def answered(shown: State, text: str, *problems: Problem, texts: tuple[str, ...] = ()) -> Page:
    item = dataclasses.replace(
        receipt_facts().items[0],
        quote=text,
        texts=texts,
        problems=problems,
        note=None,
        suggestion=None,
    )
    facts = receipt_facts(
        items=(item,),
        offered=(),
        dropped_replaced=(),
        slips=(),
        standing=texts,
        standing_orders=standing("; ".join(texts)).orders,
    )
    return PAGES.receipt(table(phase_number=2), READER, view(shown), facts)


def test_a_live_answer_is_not_called_secret_and_a_plan_is() -> None:
    at_once, plan = (
        answered(live("attack"), "hit them", texts=("Attack: yes",)),
        answered(state(), "attack", texts=("Attack: yes",)),
    )
    for page in (at_once, plan):
        for words in (flat(page.text), flat(page.chat)):
            assert ("Everybody sees your decision at once." in words) == (page is at_once)
            assert ("Nobody else sees your plan." in words) == (page is plan)


def test_of_several_who_decide_the_answers_are_told_together() -> None:
    inside = PLAYERS | {
        "Anna": {"hero": "elf", "hgb": "5/4/3", "at": "KUR"},
        "Bartek": {"hero": "barbarian", "hgb": "6/1/5"},
    }
    inside |= {"Chloé": {"hero": "wizard", "hgb": "5/6/2", "at": "JER"}}
    shown = live("hit", players=inside, hit={"Anna": 2, "Chloé": 2}, turn={"player": "Bartek"})
    page = answered(shown, "I stay", texts=("When hit: stay",))
    assert "Everybody sees your decision once all have answered." in flat(page.chat)


def test_who_is_asked_nothing_is_not_told_what_becomes_of_the_question_to_another() -> None:
    shown = live(
        "enter",
        turn={"player": "Bartek"},
        players=PLAYERS | {"Bartek": {"hero": "barbarian", "hgb": "6/1/5"}},
    )
    page = answered(
        shown, "I run", Problem("not-inside", ("RM-4.7",)), Problem("not-inside", ("RM-5.10",))
    )
    for words in (flat(page.text), flat(page.chat)):
        assert words.count("You are not in the Realm.") == 1
        assert "4.7" in words
        assert "If you send nothing" not in words
    assert "[RM-4.7 5.10]" in page.text


def flat(text: str) -> str:
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


def test_a_turn_that_something_was_set_right_in_goes_on_under_its_name() -> None:
    right = happened(Corrected("place", player=3, before=None, after="JER", reason="a slip"))
    page = bulletin_of((*right, *REST[:2], *right, *REST[2:8]))
    labels = [line.split()[0] for line in story_of(page) if line[2:3].strip()]
    assert labels == ["Right", "Anna", "Right", "Anna", "Bartek"]
    assert page.subject == "[Heron] Round 4, turn 11: Anna drives Chloé out of Jerum"
    assert "hits Chloé for 3" in page.chat
    alone = bulletin_of((*right, *REST[:1]), "reroll", player="Anna")
    assert [line.split()[0] for line in story_of(alone) if line[2:3].strip()] == ["Right", "Anna"]


def test_a_throw_that_may_still_change_is_called_one() -> None:
    told = " ".join(bulletin_of(REST[:8]).chat.replace("\N{NO-BREAK SPACE}", " ").split())
    assert "🌊 <b>Bartek</b> rolls [⚔][R][ ][½][R]." in told
    assert "Anna enters Kurull" in told


def test_what_came_before_the_turns_is_told_once_to_whom_it_asks() -> None:
    paid = happened(TributePaid(2, (("gold", "JER"),), ("gold",), ()))
    page = PAGES.turn(table(), READER, view(QUESTIONS["tribute"]()), paid, Standing())
    assert flat(page.chat).count("pays 1 gold to Jerum (no gold left).") == 1


def test_every_page_of_a_live_game_can_be_made_and_every_turn_is_told_under_its_name() -> None:
    shown = new_game(3, mode="interactive")
    untold: tuple[Event, ...] = ()
    for _ in range(40):
        outcome, before = close(shown), REALM_MASTER.phase(shown).span
        shown, untold = outcome.state, (*untold, *outcome.events)
        public, seen = tuple(event for event in untold if event.is_for(None)), view_of(shown, None)
        told = chapters(public, cast_of(seen, None), seen)
        assert all(
            {line.label for line in chapter.lines} <= {"Late", ""}
            for chapter in told
            if chapter.heading == "What happened"
        )
        page = PAGES.bulletin(table(code=""), seen, public)
        assert units(page.chat) <= CAPTION_UNITS
        asked = shown.asked[0]
        question = PAGES.turn(
            table(), Reader(asked, "Anna", "UTC"), view_of(shown, asked), untold, Standing()
        )
        assert units(question.chat) <= CAPTION_UNITS
        untold = untold if before == REALM_MASTER.phase(shown).span else ()

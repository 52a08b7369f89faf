"""Why: every kind of event is explained, every number agrees with the game, and nothing is told
that is not for the reader.
"""

import dataclasses
import re
from collections.abc import Sequence
from typing import get_args

import msgspec
import pytest

from engine.protectors import ability_events as a
from engine.protectors import events as e
from engine.protectors import orders as o
from engine.protectors.event_kinds import AnyFacts
from engine.protectors.phases.ending import scores
from engine.protectors.questions import TOPICS, Question
from engine.protectors.view_of import view_of
from engine.ruleset import Event, Problem
from pbem.games.protectors.pages.cast import cast_of
from pbem.games.protectors.pages.events import event_lines
from pbem.games.protectors.pages.letters import PAGES
from pbem.games.protectors.pages.why_account import account, entries_of
from pbem.games.protectors.pages.why_story import tell_story
from pbem.games.protectors.pages.why_sums import score_now, threshold
from pbem.pages.kit.columns import WIDTH, columns
from pbem.pages.page import Page, PhaseEvents
from tests.games.protectors.pages.played import NAMES, Played, play
from tests.games.protectors.pages.sample import EVERY_KIND, table, view
from tests.games.protectors.pages.test_events import tag
from tests.games.protectors.pages.test_pages import LEAKS, shown, skeleton
from tests.games.protectors.pages.test_whole_game import RAW
from tests.pages.sample import reader
from tests.rings import sampled

KINDS: list[type] = sorted({type(facts) for facts in EVERY_KIND}, key=lambda kind: tag(kind))
UNEXPLAINED = {
    "window": "that something is asked is no outcome",
    "turn": "it only says which turn the rest is of",
    "option-voted": "the welcome tells the vote with its counts, and it is over before the game begins",
}
"""Kinds of events that no question asks about, and why not."""


def past_of(*events: Event, turn: int = 6, kind: str = "orders") -> tuple[PhaseEvents, ...]:
    return (PhaseEvents(1, turn, kind, events),)


def ask(
    question: Question | Problem,
    past: Sequence[PhaseEvents],
    player: int | None = 1,
    **changes: object,
) -> Page:
    return PAGES.why(
        table(),
        reader(player, NAMES[player - 1] if player else ""),
        view(player, **changes),
        question,
        past,
    )


def questions(provinces: int, players: int = 3) -> list[Question]:
    """Everything that can be asked, of every province and a few players."""
    asked = [
        Question(topic, player=player)
        for topic in TOPICS
        if topic != "province"
        for player in (None, *range(1, players + 1))
    ]
    return asked + [
        Question(topic, province)
        for topic in ("province", "orders")
        for province in range(1, provinces + 1)
    ]


# -------------------------------------------------------------------------------- what is explained
def test_the_kinds_that_no_question_asks_about_are_kinds() -> None:
    assert UNEXPLAINED.keys() < {kind.__struct_config__.tag for kind in get_args(AnyFacts)}


@pytest.mark.parametrize("kind", sampled(KINDS, 12), ids=tag)
def test_every_kind_of_event_is_explained_by_some_question(kind: type) -> None:
    events = [Event(facts, ("PR-1.1",)) for facts in EVERY_KIND if isinstance(facts, kind)]
    pages = [ask(question, past_of(event)) for event in events for question in questions(7)]
    told = [page.subject for page in pages if "turn 6" in page.subject or "ended" in page.subject]
    assert bool(told) != (events[0].kind in UNEXPLAINED), told


def test_every_number_of_a_battle_stands_on_a_line_of_its_own_with_its_rule() -> None:
    battle = next(facts for facts in EVERY_KIND if isinstance(facts, e.BattleFought))
    text = ask(Question("province", 2), past_of(Event(battle, ("PR-7.7",)))).text
    for line in (
        *("       2  units [PR-7.6]", "     + 1  golden March [PR-6.6]"),
        "     + 1  Support from Bartek in P3 (2 − 1 for the rain) [PR-6.9 4.10]",
        *("     = 4  in all", "     − 1  for the snow [PR-4.9]"),
        *("     + 3  golden Support from Anna in P1 (2 + 1 gold) [PR-6.12]", "     = 3  in all"),
        "  4 against 3: Anna wins and loses nobody. Emil loses all 2 units. Anna's",
    ):
        assert line in text, text


def test_links_lead_to_each_rule_where_a_place_for_them_is_configured() -> None:
    battle = next(facts for facts in EVERY_KIND if isinstance(facts, e.BattleFought))
    past = past_of(Event(battle, ("PR-7.7",)))
    linked = PAGES.why(
        table(rules_url="https://rules.example/guide"),
        reader(),
        view(),
        Question("province", 2),
        past,
    )
    assert 'href="https://rules.example/guide#PR-4.10"' in linked.html
    assert "<a " not in PAGES.why(table(), reader(), view(), Question("province", 2), past).html


def test_several_battles_for_one_province_are_headed_each_the_newest_last() -> None:
    first = next(facts for facts in EVERY_KIND if isinstance(facts, e.BattleFought))
    second = msgspec.structs.replace(first, stage="delayed")
    text = ask(Question("province", 2), past_of(Event(first, ()), Event(second, ()))).text
    assert text.index("THE BATTLE FOR P2\n") < text.index(
        "THE BATTLE FOR P2 AFTER THE DELAYED MARCHES\n"
    )


@pytest.mark.parametrize(
    ("turn", "undone", "words"),
    [
        (9, (), "Turn 9 has not come yet"),
        (9, (9,), "The game master has rolled turn 9 back: it has not happened."),
        (4, (), "In turn 4 nothing happened in P2."),
        (4, (4,), "The game master has rolled back some of turn 4; only what counts is told."),
    ],
)
def test_turns_without_an_answer_say_so(turn: int, undone: Sequence[int], words: str) -> None:
    battle = next(facts for facts in EVERY_KIND if isinstance(facts, e.BattleFought))
    past = (
        *past_of(Event(battle, ()), turn=3),
        *(PhaseEvents(2, number, "orders", (), is_undone=True) for number in undone),
    )
    text = " ".join(ask(Question("province", 2, turn=turn), past).text.split())
    assert words in text
    assert 'Ask for one: "why P2 turn 3".' in text


def test_a_question_about_somebody_means_the_turn_in_which_they_were_concerned() -> None:
    taken = [
        Event(e.ProvinceTaken(2, by, before, burnt=False), ("PR-8.3",))
        for by, before in ((1, 3), (2, 1), (4, 2))
    ]
    past = tuple(
        PhaseEvents(number, number, "orders", (event,))
        for number, event in enumerate(taken, start=1)
    )
    assert "P2 in turn 2" in ask(Question("province", 2, player=1), past).subject
    assert "P2 in turn 3" in ask(Question("province", 2), past).subject


def test_bids_shown_to_the_bank_are_of_the_ranking_they_were_made_for() -> None:
    shown_first = Event(e.BidsRevealed(((1, 9, 9, 9), (2, 4, 4, 4)), rebid=False), ("PR-3.1",))
    answer = (
        Event(e.TurnBegan(6), ()),
        Event(e.BidsRevealed(((4, 25, 10, 10),), rebid=False), ()),
        Event(e.RankingSet((4, 1, 2), (1, 1, 1)), ()),
    )
    past = (PhaseEvents(1, 5, "consolidation", (shown_first,)), PhaseEvents(2, 5, "bank", answer))
    text = ask(Question("bid"), past).text
    assert "THE BIDS FOR TURN 6" in text
    assert re.search(
        r"25 +Chloé: 10 \+ 15 for 1 province, knowing the others' bids.*9 +Anna.*4 +Bartek",
        text,
        re.DOTALL,
    )


def test_who_bids_the_same_again_is_told_apart_from_the_first_time() -> None:
    past = past_of(
        Event(e.BidsRevealed(((1, 10, 10, 10), (2, 10, 10, 10)), rebid=False), ("PR-3.1",)),
        Event(e.TieAsked((1, 2), 1), ("PR-3.3",)),
        Event(e.BidsRevealed(((1, 10, 10, 10), (2, 4, -1, 4)), rebid=True), ("PR-3.3",)),
    )
    text = ask(Question("bid"), past).text
    rows = (
        *("The first bids", "10 Anna.", "10 Bartek.", "The second bids of the tied players"),
        *("10 Anna again.", "4 Bartek again: no bid, so 4."),
    )
    found = [" ".join(text.split()).index(row) for row in rows]
    assert found == sorted(found), text


# ---------------------------------------------------------------------- what a question presupposes
def told(page: Page) -> str:
    return " ".join(page.text.split())


def test_a_lost_attack_that_drops_one_and_eliminates_another_tells_both_with_their_rules() -> None:
    attack = next(
        facts for facts in EVERY_KIND if isinstance(facts, e.DragonAttacked) and not facts.won
    )
    fates = {1: "dropped", 2: "no-quarter"}
    whole = next(share for share in attack.shares)
    shares = tuple(
        msgspec.structs.replace(whole, player=player, fate=fate, met=False)
        for player, fate in fates.items()
    )
    past = past_of(
        Event(msgspec.structs.replace(attack, shares=shares), ("PR-9.10", "PR-9.11")),
        Event(e.PlayerEliminated(2, (0,), "no-quarter", (), 10, ()), ("PR-9.11",)),
        Event(e.RankingChanged((4, 1), (1, 1), "eliminated"), ("PR-9.11", "PR-3.8")),
    )
    text = told(ask(Question("ranking"), past))
    assert "Anna fell short against the Dragon and drops to the bottom. [PR-9.11]" in text
    assert "Bartek is out and leaves the ranking; all below move up. [PR-3.8]" in text
    assert text.index("fell short") < text.index("is out")


def _march(won: bool, *, units: int = 2) -> tuple[PhaseEvents, ...]:
    battle = next(facts for facts in EVERY_KIND if isinstance(facts, e.BattleFought))
    mine = msgspec.structs.replace(
        battle.winner if won else battle.loser, player=1, role="attacker"
    )
    other = msgspec.structs.replace(
        battle.loser if won else battle.winner, player=2, role="defender"
    )
    battle = msgspec.structs.replace(
        battle,
        stage="march",
        winner=mine if won else other,
        loser=other if won else mine,
        tie=False,
    )
    place = battle.province
    return past_of(
        Event(e.OrdersRevealed(((1, (o.March(2, 1, place),)),), ()), ("PR-6.1",)),
        Event(e.MarchMade(1, 1, place, 2, units, golden=False, delayed=False), ("PR-7.2",)),
        Event(battle, ("PR-7.7",)),
    )


def test_a_march_that_was_beaten_is_told_as_lost_with_its_sum_and_where_the_rest_stands() -> None:
    text = told(ask(Question("orders", None, 1), _march(False)))
    assert "It was carried out, and the battle it was for was lost." in text
    assert "2 units march." in text
    assert 'Lost in P2 against Bartek, 3 against 4. The sum: "why P2". [PR-7.7]' in text


def test_a_march_that_won_is_told_as_won() -> None:
    text = told(ask(Question("orders", None, 1), _march(True)))
    assert "It was carried out." in text
    assert "Won in P2 against Bartek, 4 against 3." in text


def _with_king(won: bool, *, tie: bool = False) -> tuple[PhaseEvents, ...]:
    """Anna's march won, and then Bartek's Mountain King came."""
    (phase,) = _march(True)
    king = a.KingFought(2, 2, 1, 4 if won else 1, 2, 1 if tie else 3, False, 1, False, won, tie, 1)
    return (dataclasses.replace(phase, events=(*phase.events, Event(king, ("PR-11.4",)))),)


def test_whoever_won_and_met_the_mountain_king_is_told_so_and_who_holds_the_province() -> None:
    text = told(ask(Question("province", 2), _with_king(True)))
    assert text.index(
        "Bartek keeps it: the Mountain King beats Anna there, 4 against 3."
    ) < text.index("THE BATTLE FOR P2")
    text = told(ask(Question("orders", None, 1), _with_king(True)))
    assert "It was carried out, and the battle it was for was lost." in text
    assert (
        'The Mountain King comes to P2 for Bartek and beats Anna, 4 against 3. The sum: "why P2". [PR-11.4]'
        in text
    )


def test_a_mountain_king_who_was_beaten_saves_nothing() -> None:
    text = told(ask(Question("province", 2), _with_king(False, tie=True)))
    assert (
        "Anna wins there: the Mountain King of Bartek is beaten, 1 against 1, by the higher rank."
        in text
    )
    text = told(ask(Question("orders", None, 1), _with_king(False)))
    assert "It was carried out." in text
    assert "is beaten by Anna, 1 against 3." in text


def test_a_kind_of_order_that_is_asked_about_is_answered_alone_or_said_to_be_missing() -> None:
    text = told(ask(Question("orders", None, 1, order="support"), _march(True)))
    assert "You had no Support that was carried out; these are the orders that stood." in text
    assert "March! 2 from P1 to P2" in text
    assert "What was refused when it came stands in its receipt" in text
    (phase,) = _march(True)
    revealed = Event(e.OrdersRevealed(((1, (o.March(2, 1, 2), o.Fortify(3))),), ()), ("PR-6.1",))
    text = told(
        ask(
            Question("orders", None, 1, order="march"),
            (dataclasses.replace(phase, events=(revealed, *phase.events[1:])),),
        )
    )
    assert "It was carried out." in text
    assert "Fortify! P3" not in text


def test_a_march_for_which_nobody_was_left_has_no_battle_of_its_own() -> None:
    assert "against Bartek" not in told(ask(Question("orders", None, 1), _march(False, units=0)))


@pytest.mark.parametrize(
    ("player", "title"), [(1, "You are in the game"), (2, "Bartek is in the game")]
)
def test_who_is_asked_about_as_out_and_is_in_is_told_so(player: int, title: str) -> None:
    gone = Event(e.PlayerEliminated(5, (1,), "captured", (), 0, ()), ("PR-8.4",))
    page = ask(Question("elimination", None, player), past_of(gone))
    assert title in page.subject
    assert "WHO IS OUT" in page.text
    assert "is in the game" not in told(ask(Question("elimination", None, 5), past_of(gone)))
    assert "out of the game" not in page.text.lower()


def test_while_nobody_has_won_the_score_so_far_answers() -> None:
    text = told(ask(Question("end", None, 1), past_of(Event(e.RankingSet((1, 2), (1, 1)), ()))))
    assert "Nobody has won yet." in text
    assert "THE SCORE SO FAR" in text
    assert "for provinces: 2, 3, 4 or 6 by level [PR-14.3]" in text
    assert "$Realm, ranked" not in text, "what somebody holds is secret"


def test_the_score_so_far_is_the_one_that_the_end_would_count() -> None:
    for game in play(25, 5, island=True):
        seen = view_of(game.state, 1)
        rows = [
            row
            for matter in score_now(seen, cast_of(seen, 1))
            for row in matter.rows
            if row.kind == "sum"
        ]
        assert sorted(row.amount for row in rows) == sorted(
            score[4] for score in scores(game.state)
        )


REASON = "I miscounted <b>the</b> cards"


@pytest.mark.parametrize(
    ("question", "facts", "line"),
    [
        (
            Question("province", 3),
            a.Corrected("units", 3, None, 1, 2, REASON),
            "P3 has 2 units, not 1. The reason given:",
        ),
        (
            Question("dragon"),
            a.Corrected("dpl", None, None, 8, 9, REASON),
            "corrected by the game master:",
        ),
        (
            Question("money", None, 1),
            a.Corrected("money", None, 1, 132, 90, REASON),
            "corrected by the game master:",
        ),
        (
            Question("cards"),
            a.Corrected("card", None, None, "Flood!", "Deep Snow", REASON),
            "not Flood!, is the card in play. The reason given:",
        ),
        (
            Question("elimination", None, 3),
            a.Corrected("restored", None, 3, None, 5, REASON),
            "at place 5 of the ranking. The reason given:",
        ),
    ],
    ids=lambda value: value.topic if isinstance(value, Question) else "",
)
def test_what_was_corrected_is_told_with_the_reason_that_was_announced(
    question: Question, facts: a.Corrected, line: str
) -> None:
    past = past_of(
        Event(e.PlayerEliminated(3, (1,), "captured", (), 0, ()), ()), Event(facts, ()), turn=6
    )
    page = ask(question, past)
    assert line in told(page)
    assert REASON in told(page)
    assert "<b>the</b>" not in page.html


def test_bids_for_a_turn_that_has_not_begun_are_not_denied() -> None:
    early = Event(e.BidsRevealed(((1, 9, 9, 9),), rebid=False), ("PR-3.1",))
    turn = view().turn + 1
    text = told(
        ask(Question("bid", turn=turn), (PhaseEvents(1, turn - 1, "consolidation", (early,)),))
    )
    assert f"THE BIDS FOR TURN {turn}" in text
    assert "has not come yet" not in text


def test_the_purse_of_another_is_headed_with_the_name() -> None:
    assert "Bartek's $Realm" in ask(Question("money", None, 2), ()).subject


# -------------------------------------------------------------------------------------- whole games
def pages_of(
    game: Played, player: int | None, past: Sequence[PhaseEvents]
) -> list[tuple[Question, Page]]:
    seen = view_of(game.state, player)
    who = reader(player, NAMES[player - 1] if player else "")
    return [
        (question, PAGES.why(table(), who, seen, question, past))
        for question in questions(len(seen.provinces), 2)
    ]


GAMES = [
    (25, 5, {}),
    (19, 5, {}),
    (14, 6, {"factions": "choice", "island": True, "teams": 2}),
    (9, 4, {"factions": "chance", "island": True}),
]


@pytest.mark.parametrize(("seed", "players", "options"), GAMES)
def test_in_whole_games_every_answer_is_whole_and_every_sum_comes_out(
    seed: int, players: int, options: dict[str, object]
) -> None:
    for step, game in enumerate(play(seed, players, **options)):
        for player in range(1, players + 1):
            cast = cast_of(view_of(game.state, player), player)
            entries = entries_of(tell_story(game.past(player), player), player, cast)
            assert sum(entry.amount for entry in entries) == game.state.players[player - 1].realm
        story = tell_story(game.past(None), None)
        for happening in story.happenings:
            if isinstance(happening.facts, e.CardRevealed | e.DragonCame):
                assert threshold(happening, happening.facts.threshold, view_of(game.state, None)), (
                    "the threshold is explained"
                )
        if step % 5 and game.state.stage != "over":
            continue
        for question, page in pages_of(game, 1 + step % players, game.past(1 + step % players)):
            assert not LEAKS.search(page.text), (question, LEAKS.search(page.text), page.text)
            assert not RAW.search(page.text), (question, RAW.search(page.text), page.text)
            assert not LEAKS.search(shown(page.html)), question
            assert all(columns(line) <= WIDTH for line in page.text.splitlines()), page.text
            assert skeleton(page.html).tags.count("h1") == 1
            for numbers in re.findall(
                r"((?:^ +[−+]? ?\d+  .*\n(?: {10}.*\n)*)+)^ +(= −?\d+)  ", page.text, re.MULTILINE
            ):
                parts = [
                    int(n.replace(" ", "").replace("−", "-"))
                    for n in re.findall(r"^ +([−+]? ?\d+)  ", numbers[0], re.MULTILINE)
                ]
                assert sum(parts) == int(numbers[1].removeprefix("= ").replace("−", "-")), page.text


@pytest.mark.parametrize(("seed", "players", "options"), GAMES[1:3])
def test_no_answer_holds_what_is_not_for_its_reader(
    seed: int, players: int, options: dict[str, object]
) -> None:
    """The same game once with others' private events as they were, once with others in their place,
    once without.
    """
    *_, game = play(seed, players, **options)
    for player in (None, 1, players):
        hidden = [event for event in game.events if not event.is_for(player)]
        assert hidden, "the game has secrets"
        whole = [PhaseEvents(n, turn, kind, events) for n, turn, kind, events in game.phases]
        forged = [
            dataclasses.replace(
                phase, events=tuple(_forged(event, player) for event in phase.events)
            )
            for phase in whole
        ]
        pages = pages_of(game, player, game.past(player))
        assert pages_of(game, player, whole) == pages
        assert pages_of(game, player, forged) == pages
        text = "\n".join(page.text for _, page in pages)
        for event in hidden:
            if isinstance(event.facts, e.RealmProduced) and event.facts.total:
                assert (
                    event_lines(event, cast_of(view_of(game.state, player), player))[0].body.text
                    not in text
                )


def _forged(event: Event, player: int | None) -> Event:
    """An event that is not for this player, with other numbers in it."""
    if event.is_for(player):
        return event
    numbers = {
        name: value + 1000
        for name, value in msgspec.structs.asdict(event.facts).items()
        if type(value) is int and name not in ("player", "mate")
    }
    return msgspec.structs.replace(event, facts=msgspec.structs.replace(event.facts, **numbers))


def test_what_others_hold_is_told_to_nobody() -> None:
    past = past_of(Event(e.RealmProduced(2, (), 0), (), (2,)))
    for player in (None, 1):
        assert "is secret" in ask(Question("money", player=2), past, player).text
    assert "is secret" in ask(Question("money"), past, None).text


def test_an_account_goes_on_from_turn_to_turn() -> None:
    start = PhaseEvents(0, 0, "start", (Event(e.GameSetUp(((1, 1),), 7), ()),))
    first = PhaseEvents(
        1, 1, "bidding", (Event(e.BidsRevealed(((1, 20, 30, 20),), rebid=False), ()),)
    )
    second = PhaseEvents(
        2,
        2,
        "orders",
        (Event(e.RealmProduced(1, (e.ProvinceIncome(1, 100, "level"),), 100), ("PR-8.5",), (1,)),),
    )
    entries = entries_of(tell_story((start, first, second), 1), 1, cast_of(view(), 1))
    assert [row.amount for row in account(entries, 1, open_turn=False).rows] == [50, -20, 30]
    assert [row.amount for row in account(entries, 2, open_turn=True).rows] == [30, 100, 130]

"""The news of Realm-Master: what of a close makes a headline, and how it is told to whom it
concerns (READING-4).
"""

import re

import pytest

from engine.realm_master import events as e
from engine.realm_master.event_kinds import AnyFacts
from pbem.games.realm_master.pages.cast import cast_of
from pbem.games.realm_master.pages.letters import PAGES
from pbem.games.realm_master.pages.news import banners_after, banners_before, news_of
from pbem.pages import news as w
from pbem.pages.news import MOST_CLAUSE, MOST_HEADLINE, MOST_SENTENCE, News, ordered
from tests.games.realm_master.pages.played import closes_of, game, public
from tests.games.realm_master.pages.sample import (
    EVERY_KIND,
    NONE,
    REST,
    TERMS,
    happened,
    live,
    state,
    view,
)
from tests.rows import each_row

BANNERS = {1: 3, 2: 5, 3: 2, 4: 1}
GAMES = [(1, 4, "standing"), (2, 6, "standing"), (4, 3, "interactive")]


def news(*facts: AnyFacts, you: int | None = None, **banners: int) -> list[News]:
    before = BANNERS | {int(name.removeprefix("p")): held for name, held in banners.items()}
    return ordered(news_of(happened(*facts), cast_of(view(), you), before))


TURN = e.TurnBegan(9, 1, None, 0, 0)
BLOW = e.AttackMade(9, 1, False, 3, (e.Blow(3, "JER", TERMS, 3, 3, 5),))
LEAVES = (e.ChoiceMade(3, "JER", "leave", 3), e.LandLeft(3, "JER", "hit"))
ENTERS = (
    e.LandEntered(1, "JER", e.Gain(gold=2), NONE, None, 0),
    e.Collected(1, "JER", e.Gain(1, 1, 1), 0),
)


# ------------------------------------------------------------------------------------ what is news
def test_a_land_taken_from_somebody_is_one_news_with_its_sum() -> None:
    (one,) = news(TURN, BLOW, *LEAVES, *ENTERS)
    assert (one.weight, one.short) == (w.TAKEN, "Anna takes Jerum from Chloé")
    assert one.told == (
        "Anna hits Chloé in Jerum for 3 (3 swords + 1 turn card − 1 Iron Shield)."
        " Chloé leaves with 5 hearts. Anna enters Jerum."
    )
    assert (one.players, one.area, one.mark, one.size) == ((1, 3), "Jerum", "taken", 3)
    (why,) = one.why
    assert why.replace("\N{NO-BREAK SPACE}", " ") == (
        "Chloé in Jerum: 3 swords + 1 (turn card) − 1 (Iron Shield) = 3. 3 hearts lost, 5 left."
    )


def test_who_stays_after_a_blow_is_told_so_and_who_is_driven_out() -> None:
    assert news(TURN, BLOW, *LEAVES)[0].short == "Anna drives Chloé out of Jerum"
    (stays,) = news(TURN, BLOW, e.ChoiceMade(3, "JER", "stay", 3))
    assert (stays.weight, stays.short) == (w.BATTLE, "Anna hits Chloé for 3")
    assert stays.told.endswith("Chloé stays with 5 hearts.")


def test_what_left_one_heart_hung_by_one() -> None:
    hit = e.AttackMade(9, 1, True, 3, (e.Blow(3, None, TERMS[:1], 3, 3, 1),))
    assert news(TURN, hit)[0].weight == w.CLOSE_CALL


def test_equal_blows_are_told_once() -> None:
    blows = tuple(e.Blow(player, None, TERMS[:2], 4, 4, 3) for player in (2, 3, 4))
    (one,) = news(TURN, e.AttackMade(9, 1, True, 3, blows))
    assert one.short == "Anna hits 3 heroes for 4"
    assert one.told == "Anna hits Bartek, Chloé and Dmytro for 4 each (3 swords + 1 turn card)."


def test_a_death_outweighs_all_but_the_end_and_its_blow_is_not_the_headline() -> None:
    dead = e.AttackMade(9, 1, False, 3, (e.Blow(3, "JER", TERMS, 9, 5, 0),))
    died = e.HeroDied(3, 1, "attack", "JER", e.Gain(0, 2, 1), ("B02",), NONE, NONE, ())
    told = news(TURN, dead, died, *ENTERS)
    assert [(one.weight, one.short) for one in told[:2]] == [
        (w.OUT, "Anna kills Chloé"),
        (w.BATTLE, "Anna hits Chloé for 9"),
    ]
    assert told[0].told == "Anna kills Chloé and takes 2 gold and 1 banner, with Whetted Blade."
    assert told[0].mark == "out"


def test_all_purchases_are_one_line() -> None:
    bought = [
        e.CardBought(player, card, 3, 1, None, None)
        for player, card in ((1, "B10"), (2, "B01"), (1, "B02"))
    ]
    (one,) = news(*bought)
    assert one.short == "2 heroes buy cards"
    assert one.told == "Bought: Anna Smoke Pot and Whetted Blade, Bartek Iron Shield."
    assert news(bought[0])[0].told == "Anna buys Smoke Pot."


def test_a_new_leader_is_news_and_who_needs_few_banners_more_is_greater() -> None:
    gain = e.DiceResolved(9, 1, ("b",) * 5, e.Gain(banners=3), 0, "", 0)
    leads = news(TURN, gain)[0]
    assert (leads.weight, leads.told) == (
        w.LEAD_CHANGED,
        "Anna leads with 6 banners, 1 ahead of Bartek.",
    )
    nearly = news(TURN, gain, p1=6)[0]
    assert (nearly.weight, nearly.short) == (w.ATTACK, "Anna needs 1 more banner")
    assert nearly.told == "Anna has 9 banners, 4 ahead of Bartek; 10 win the game."


def test_who_went_in_and_was_driven_out_again_has_not_entered_in_a_headline() -> None:
    out = (e.TurnBegan(10, 2, None, 0, 0), e.LandLeft(1, "JER", "hit"))
    stays, gone = news(TURN, *ENTERS)[0], news(TURN, *ENTERS, *out)
    assert stays.weight == w.BATTLE
    assert next(one for one in gone if one.kind == "entered").weight == w.SMALL


def test_a_round_in_which_nobody_does_anything_is_quiet_and_a_single_turn_tells_its_end() -> None:
    outside = [
        facts
        for player in (1, 2)
        for facts in (e.TurnBegan(8 + player, player, None, 0, 0), e.StayedOutside(player, "wish"))
    ]
    assert news(*outside) == []
    assert PAGES.lead(view(None, None), happened(*outside)).headline == "Round 4: a quiet round"
    assert news(*outside[:2])[0].told == "Anna stays outside."


# ------------------------------------------------------------------------------------ to whom it is
def test_the_reader_is_told_in_the_second_person() -> None:
    events = (TURN, BLOW, *LEAVES, *ENTERS)
    assert news(*events, you=3)[0].told == (
        "Anna hits you in Jerum for 3 (3 swords + 1 turn card − 1 Iron Shield)."
        " You leave with 5 hearts. Anna enters Jerum."
    )
    assert news(*events, you=1)[0].told.startswith("You hit Chloé in Jerum for 3")
    assert news(*events, you=1)[0].told.endswith("You enter Jerum.")
    assert news(*events, you=4)[0].told == news(*events)[0].told


@each_row("facts", EVERY_KIND)
def test_every_kind_that_is_news_reads_well_to_everybody(facts: AnyFacts) -> None:
    for you in (None, 1, 2, 3):
        for one in news(TURN, facts, you=you):
            assert 0 < len(one.short) <= MOST_CLAUSE, one
            assert one.short[0].islower() or one.short.startswith(
                ("Anna", "Bartek", "Chloé", "Dmytro", "You")
            ), one
            assert len(one.told) <= MOST_SENTENCE, one
            assert one.told[0].isupper(), one
            assert one.told.endswith((".", '"', "…")), one
            assert not re.search(r"\{\{|None|Undefined|  |\s[.,;]|\(\)", one.told + one.short), one
            assert not re.search(r"\b[Yy]ou (is|has|\w+s)\b(?<!yours)", one.told + one.short), one


# ----------------------------------------------------------------------------- over a whole game
@pytest.mark.parametrize(("seed", "players", "mode"), GAMES)
def test_every_lead_of_a_game_fits_and_names_when(seed: int, players: int, mode: str) -> None:
    for closed in game(seed, players, mode):
        lead = PAGES.lead(public(closed.after), closed.told(None))
        assert len(lead.headline) <= MOST_HEADLINE
        assert len(lead.sentence) <= MOST_SENTENCE
        assert lead.headline.startswith("Round ") or closed.after.stage == "over"
        assert "what happened" not in lead.headline


@pytest.mark.parametrize(("seed", "players", "mode"), GAMES)
def test_the_banners_that_news_count_are_those_of_the_table(
    seed: int, players: int, mode: str
) -> None:
    held = dict.fromkeys(range(1, players + 1), 0)
    for closed in game(seed, players, mode):
        events = closed.told(None)
        found = banners_after(events, held)
        alive = {
            player.number: player.banners for player in public(closed.after).players if player.alive
        }
        assert found == alive
        assert {p: n for p, n in banners_before(events, alive).items() if p in held} == held
        held = found


def test_the_end_says_who_won_and_by_how_much() -> None:
    told = [
        PAGES.lead(public(played[-1].after), played[-1].told(None))
        for played in (game(seed, players, mode) for seed, players, mode in GAMES)
    ]
    assert all(" wins" in lead.headline and lead.sentence.endswith(".") for lead in told)
    won = state(
        phase="over",
        players={
            "Anna": {"hero": "elf", "hgb": "7/4/10"},
            "Bartek": {"hero": "dwarf", "hgb": "6/1/7"},
            "Chloé": {"hero": "squire", "alive": False, "fell_to": "Anna"},
        },
        winner="Anna",
        ended_by="banners",
        round=9,
        turns=33,
    )
    over = happened(e.GameWon((1,), "banners", ()))
    lead = PAGES.lead(view(won, None), over)
    assert lead.headline == "Anna wins with 10 banners, 3 ahead of Bartek"
    assert lead.sentence == "Anna wins with 10 banners, 3 ahead of Bartek, in round 9."


def test_nobody_is_ahead_by_less_than_nothing_where_a_game_master_names_the_winner() -> None:
    named = state(
        phase="over",
        players={
            "Anna": {"hero": "elf", "hgb": "7/4/1"},
            "Bartek": {"hero": "dwarf", "hgb": "6/1/3"},
        },
        winner="Anna",
        ended_by="gm",
        round=2,
        turns=5,
    )
    lead = PAGES.lead(view(named, None), happened(e.GameWon((1,), "gm", ())))
    assert lead.headline == "Anna wins with 1 banner"


def test_the_story_of_a_game_is_told_by_rounds_in_a_few_sentences() -> None:
    played = game(1, 4)
    closes = closes_of(played)
    points = PAGES.turning_points(closes, "seed")
    assert 3 <= len(points) <= 5
    assert [one.place for one in points] == sorted(one.place for one in points)
    assert any(one.news.kind == "died" for one in points)


def test_a_question_of_live_play_is_called_by_its_turn() -> None:
    shown = view(live("reroll", turn={"player": "Bartek"}), None)
    rolls = happened(
        e.TurnBegan(12, 2, None, 0, 0),
        e.DiceRolled(12, 2, "roll", (1, 2, 3, 4, 5), ("s", "R", "-", "b", "R")),
    )
    assert PAGES.lead(shown, rolls).headline == "Round 4: Bartek rolls the dice"
    assert PAGES.when(shown, REST[:8]) == "Round 4, turn 11"

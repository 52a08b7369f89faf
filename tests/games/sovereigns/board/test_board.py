"""A picture of the court says what everybody may know and nothing else, in a small picture and in
words; it is the same every time.
"""

from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from engine.chance import Chance
from engine.ruleset import Event, Seat, Standing
from engine.sovereigns import events as e
from engine.sovereigns.orders import Do, Order, Split, Year
from engine.sovereigns.positions.position import parse_position
from engine.sovereigns.ruleset import SOVEREIGNS
from engine.sovereigns.state import Loan, Next, OpenOffer, Points, State
from engine.sovereigns.view import view_of
from pbem.board.board import Board, TableFacts
from pbem.board.painting import image_of, render
from pbem.board.palette import COLOURS as PALETTE
from pbem.board.palette import CREAM, INK
from pbem.board.raster import Rasteriser
from pbem.games.sovereigns.board.charters import SUPPORT_COLOURS
from pbem.games.sovereigns.board.drawing import describe, draw, draw_svg, lay_board
from pbem.games.sovereigns.board.emblems import emblems_of
from pbem.games.sovereigns.board.scene import Scene
from pbem.games.sovereigns.board.scene_of import build_scene
from tests.board.colours import contrast
from tests.board.likeness import LIKE_ENOUGH, likeness
from tests.board.parts import FULLEST_BYTES, areas_of, colours_of, is_whole
from tests.games.sovereigns.board.positions import (
    RULERS,
    by_lot,
    duel,
    end,
    five,
    kingdom,
    owned,
    samples,
    scene,
    set_up,
    three,
    twelve,
    year_start,
)
from tests.games.sovereigns.engine.playing import CASES, Play, play, run_step
from tests.rings import sampled

FACTS = TableFacts("Heron", "season", datetime(2026, 11, 23, 17, 0, tzinfo=UTC), "Europe/Berlin")


def coloured(state: State) -> State:
    return replace(
        state,
        kingdoms=tuple(
            replace(held, colour=colour)
            for held, colour in zip(state.kingdoms, PALETTE, strict=False)
        ),
    )


def shown(game: Play, facts: TableFacts = FACTS, player: int | None = None) -> Scene:
    return build_scene(view_of(coloured(game.state), player), game.events, facts)


# -------------------------------------------------------------------------------------- the picture
@pytest.mark.sample(5)
@pytest.mark.parametrize("of", [*samples().values(), by_lot(10), by_lot(43)])
def test_a_picture_is_small_and_of_the_size_of_its_board(of: Scene) -> None:
    board, png = lay_board(of), render(draw_svg(of))
    assert len(png) < FULLEST_BYTES
    assert is_whole(png, board.width, board.height)
    assert board.width == 1080


@pytest.mark.parametrize("lot", sampled(range(20), 1))
def test_a_picture_is_like_the_reference_rendering(lot: int) -> None:
    """#16: no faster painter may make it worse."""
    svg = draw_svg(by_lot(lot))
    assert likeness(image_of(svg), svg) > LIKE_ENOUGH
    assert len(render(svg)) < FULLEST_BYTES


def test_the_same_scene_is_the_same_picture_byte_for_byte() -> None:
    assert draw_svg(twelve()) == draw_svg(twelve())


async def test_a_scene_is_painted_in_a_process_of_its_own() -> None:
    async with Rasteriser() as rasteriser:
        picture = await rasteriser.board(
            Board(lambda view, events, facts: view, draw), five(), (), b"", FACTS
        )
    assert picture.png == render(draw_svg(five()))
    assert picture.alt == describe(five())


def test_every_sign_that_is_used_is_drawn() -> None:
    for of in (*samples().values(), *map(by_lot, range(20))):
        svg = draw_svg(of)
        used = {part.split('"', 1)[0] for part in svg.split('href="#')[1:]}
        assert not [name for name in used if f'id="{name}"' not in svg]


def test_the_words_on_every_support_bar_can_be_read() -> None:
    assert all(contrast(CREAM, colour) > 4.5 for colour in SUPPORT_COLOURS.values())
    assert contrast(INK, "#c9c0ae") > 7


def test_what_is_supposed_looks_like_nothing_that_happened() -> None:
    supposed = five(hypothesis=True)
    assert "What if?" in draw_svg(supposed)
    assert describe(supposed).startswith("What if? This is only a test")


def test_names_are_text_and_a_name_that_no_font_can_write_becomes_the_seat() -> None:
    strange = scene(
        (kingdom(0, name="<b>&Co", ruler="<i>"), kingdom(1, name="李雷 🀄", ruler="李雷 🀄"))
    )
    svg = draw_svg(strange)
    assert "&lt;b&gt;&amp;Co" in svg
    assert "<b>" not in svg
    assert "Kingdom 2" in svg
    assert "seat 2" in svg
    assert "李雷 🀄 (李雷 🀄; blue, waves)" in describe(strange)


def test_what_a_kingdom_is_good_at_is_told_in_sum_and_within_the_cap() -> None:
    """SS-3.10, and section 8 of the style page."""
    good = kingdom(
        0,
        tech=owned(
            "STAT-ROLL M", "STAT-ROLL M", "STAT-ACT Attack", "STAT-ACT Attack", "BLD-WALL",
            "ANA-DOUBLE STAT-CALM + STAT-DEF H", "ANA-DIE R", "ANA-CHEAP BLD-WONDER",
        ),
    )  # fmt: skip
    told = [(emblem.frame, emblem.sign, emblem.inside, emblem.says) for emblem in emblems_of(good)]
    assert told == [
        ("skill", "M", "", "+2"),
        ("skill", "Attack", "", "+3"),
        ("skill", "CALM", "", ""),
        ("skill", "defence", "H", "+2"),
        ("skill", "R", "", "+1 die"),
        ("plan", "WALL", "", ""),
        ("plan", "WONDER", "", ""),
    ]


# ------------------------------------------------------------------------------- what is to be known
def test_the_words_suffice_to_play_by() -> None:
    words = describe(five(next_expedition=9))
    for part in (
        "Table of Heron, Year 3, Autumn orders. Orders due Mon 23 Nov 18:00 CET.",
        "The next expedition needs 9.",
        "Aldermark (Anna; red, heart): 4 Resources, 5 Military, 2 Harmony; support: Support",
        "5 Harmony; support: Full Support (+1 die on all rolls).",
        "Technologies: invention 1 (+1 on all Military rolls), invention 2 (+2 on attack).",
        "Buildings: wall (+1 die when Military defends), works for Military",
        "Converted by Estmere.",
        "Security detail: +2 on defence rolls this year.",
        "Has a faith (+1 on its year-start roll).",
        "−1 on all its rolls for now.",
        "A discovery waits for a proposal.",
        "Summer, in the order drawn: 11. Cyrene, Research: 6 5 4, +1 = 16, needs 7, margin +9:",
        "great success. 12. Aldermark, Attack against Borland: 5 4 3, +2 = 14 against 2 6 = 8, margin",
        "13. Dunholm, Theft against Cyrene: 2 1 = 3 against 4 = 4, margin −1: failure.",
    ):
        assert part in words, part


def test_words_of_a_year_start_tell_support_fear_rebellion_and_coup() -> None:
    words = describe(year_start())
    assert "The year's support, in the order drawn: Aldermark, support: 6 6 6 = 18" in words
    assert "Fairhaven, rebellion: 3 1 = 4, needs 5, margin −1: failure." in words
    assert "Gothmar, support: no dice = 0: Coup." in words
    assert "Highmoor rules by fear: Full Support." in words
    assert lay_board(year_start()).ribbons == ()


def test_words_of_the_end_tell_who_won_and_who_fell() -> None:
    assert "Aldermark (Anna) wins, the last one standing." in describe(end())
    assert "Dunholm (Dmytro): third to fall." in describe(end())
    assert "Borland (Bartek) and Cyrene (Chloé) win, by the year limit." in describe(end((1, 2)))
    assert "Nobody wins." in describe(end(()))


def test_ss_1_4_a_charter_is_sealed_until_all_are_revealed() -> None:
    state = SOVEREIGNS.setup(
        {},
        [Seat(n, name, PALETTE[n - 1]) for n, name in ((1, "Ann"), (2, "Ben"))],
        Chance(bytes(32)),
    ).state
    chosen = SOVEREIGNS.check(state, 1, Standing(), [*SOVEREIGNS.legal(state, 1)][:1])
    assert chosen.accepted
    sealed = build_scene(view_of(state, None), (), replace(FACTS, phase="setup"))
    words = describe(sealed)
    assert "Set-up. Splits due" in words
    assert "The charters are still sealed." in words
    assert "Harmony" not in words
    assert 'id="seal-0"' in draw_svg(sealed)
    assert "sealed" in draw_svg(set_up(3))


def test_more_than_nine_dice_are_told_in_words() -> None:
    many = replace(duel().rolls[0], dice=(3,) * 12, total=36)
    (_, row, _) = lay_board(duel(rolls=(many, duel().rolls[1]))).rolls
    assert "12 dice" in [words.text for words in row.texts]
    assert len(row.dice) == 3


def test_an_action_that_came_to_nothing_has_a_row_and_no_token() -> None:
    board = lay_board(three())
    assert "its target had fallen" in [words.text for words in board.rolls[3].texts]
    assert {layer.where for layer in board.alone} == {"token 1"}


# --------------------------------------------------------------------------------- of games as played
def game(**more: Any) -> Play:
    kingdoms = {
        "A": {"R": 3, "M": 4, "H": 3, "faith": 1},
        "B": {"R": 3, "M": 3, "H": 3, "converted_by": ["A"]},
        "C": {"R": 3, "M": 3, "H": 3},
    }
    return play(kingdoms, season="Spring", **more)


def test_a_season_as_it_was_played() -> None:
    """SS-9.1: in the order drawn, with dice on both sides; what nobody did is not there."""
    of = game(chance=[["C", "A"], 4, 3, 5, 5, 5, 1, 1, 1])
    of.say("A", "Attack B: 3M")
    of.say("C", "Increase M: 2R")
    of.close()
    told = shown(of)
    assert (told.season, told.told) == ("Summer", "Spring")
    assert [(roll.n, roll.kingdom, roll.action) for roll in told.rolls] == [
        (1, 2, "Increase"),
        (2, 0, "Attack"),
    ]
    attack = told.rolls[1]
    assert (attack.dice, attack.against, attack.difficulty) == ((5, 5, 5), (1, 1, 1), 3)
    assert (attack.target, attack.contested, attack.result) == (1, True, "great")
    assert "Spring, in the order drawn: 1. C, Increase Military: 4 3 = 7, needs 10" in describe(
        told
    )
    assert "2. A, Attack against B: 5 5 5 = 15 against 1 1 1 = 3, margin +12" in describe(told)


def test_a_season_in_which_nobody_acted_does_not_show_the_one_before() -> None:
    of = game(chance=[5, 5])
    of.say("A", "Research: 2R")
    of.close()
    assert [roll.n for roll in shown(of).rolls] == [1]
    of.close()
    told = shown(of)
    assert (told.rolls, told.told) == ((), "Summer")
    assert "Nothing was rolled in Summer." in describe(told)


def test_what_is_increased_is_told_when_the_point_was_got() -> None:
    of = game(chance=[6, 6])
    of.say("A", "Increase H: 2R")
    of.close()
    assert "1. A, Increase Harmony: 6 6 = 12, needs 10" in describe(shown(of))


def test_ss_10_5_an_action_taken_back_waits_and_is_shown_done_again() -> None:
    of = game(chance=[["A", "C"], 5, 5, 6, 6, 6])
    of.say("A", "Research: 2R")
    of.say("C", "Expedition: 1M")
    of.close()
    of.say("B", "Object to action 1: a cake")
    (notice,) = shown(of).notices
    assert (notice.kind, notice.number, notice.kingdom, notice.hours) == ("objection", 1, 1, 24)
    assert "B objects to action 1 (“a cake”): the verdict is open for 24 more hours." in describe(
        shown(of)
    )
    of.say("GM", "gm verdict 1 uphold")
    waiting = shown(of)
    assert [roll.is_undone for roll in waiting.rolls] == [True, True]
    assert "Action 1 of A is taken back: another order is awaited" in describe(waiting)
    of.say("A", "Redo: Security: 2M")
    redone = shown(of)
    assert [(roll.action, roll.is_again) for roll in redone.rolls] == [
        ("Security", True),
        ("Expedition", True),
    ]
    assert redone.notices == ()
    assert redone.told == "Spring"


def test_ss_11_5_an_open_ballot_hangs_in_the_hall_and_nobodys_vote_does() -> None:
    of = game()
    of.say("A", "Claim victory")
    before = shown(of)
    of.say("B", "Vote yes on A")
    assert shown(of) == before
    assert "A claims victory: the ballot is open for 48 more hours." in describe(before)
    assert "A claims victory" in draw_svg(before)


def test_a_proposal_and_a_word_of_the_game_master_hang_in_the_hall() -> None:
    of = game(chance=[5, 5])
    of.say("A", "Research: 2R, steel = STAT-ROLL M")
    of.close()
    of.act("gm", {"act": "rule", "text": "A cake hides nobody."})
    assert [notice.kind for notice in shown(of).notices] == ["proposal", "ruling"]
    words = describe(shown(of))
    assert "A proposes steel (+1 on all Military rolls): it stands in 24 hours" in words
    assert "The game master rules: “A cake hides nobody.”" in words
    of.close()
    assert shown(of).notices == (), "they hang there until the season closes"


def test_ss_4_6_a_fall_at_the_year_start_is_told_with_its_rolls() -> None:
    of = play(
        {"A": {"R": 5, "M": 1, "H": 0}, "B": {}, "C": {}},
        [["A", "B", "C"], 6, 4, 4, 4, 5, 5, 5],
        phase="year-start",
    )
    of.close()
    told = shown(of)
    assert told.told == "year-start"
    assert [roll.sort for roll in told.rolls] == ["support", "coup", "support", "support"]
    assert not told.kingdoms[0].alive
    assert "A (A): first to fall, in a coup." in describe(told)
    assert "A, coup: 6 = 6, needs 10, margin −4: failure." in describe(told)


def test_a_year_start_question_shows_the_winter_before_it() -> None:
    of = play({"A": {}, "B": {}}, [6, 6], season="Winter")
    of.say("A", "Research: 2R")
    of.close()
    told = shown(of, replace(FACTS, phase="year-start"))
    assert (told.stage, told.told, told.year, len(told.rolls)) == ("year-start", "Winter", 2, 1)
    assert "Not rolled yet" in draw_svg(told)


def test_the_last_attack_of_a_game_is_drawn_with_both_pegs() -> None:
    of = play({"A": {"M": 4}, "B": {"M": 0}}, [1], season="Autumn")
    of.say("A", "Attack B: 1M")
    of.close()
    told = shown(of, replace(FACTS, phase="over", deadline=None))
    assert (told.stage, told.told) == ("over", "Autumn")
    assert [held.winner for held in told.kingdoms] == [True, False]
    assert lay_board(told).pegs == (0, 1)
    assert "A (A) wins, the last one standing." in describe(told)


def test_every_step_of_every_case_has_a_picture_in_words_with_all_its_kingdoms() -> None:
    stages = set()
    for path in sorted(CASES.glob("*.yaml")):
        for case in yaml.safe_load_all(path.read_text()):
            of = Play(parse_position(case["position"], case.get("options", {}), case["id"]))
            for step in (case, *case.get("then", ())):
                run_step(of, step)
                told = shown(of)
                words = describe(told)
                stages.add((told.stage, told.told))
                assert all((held.name or held.ruler) in words for held in told.kingdoms)
                assert draw_svg(told).endswith("</svg>")
    assert {stage for stage, _ in stages} == {"year-start", "season", "over"}
    assert {of for _, of in stages} >= {"", "year-start", "Winter", "Spring"}


@pytest.mark.parametrize("count", [2, 5, 12])
def test_a_whole_game_can_be_pictured_at_every_close(count: int) -> None:
    rng, chance = Random(count), Chance(bytes([count] * 32))
    seats = [Seat(n + 1, RULERS[n], PALETTE[n]) for n in range(count)]
    outcome = SOVEREIGNS.setup({"max_years": 3}, seats, chance)
    events: tuple[Event, ...] = outcome.events
    drawn = 0
    while True:
        state, phase = outcome.state, SOVEREIGNS.phase(outcome.state)
        told = build_scene(view_of(state, None), events, replace(FACTS, phase=phase.kind))
        board = lay_board(told)
        assert len(board.ribbons) + len(board.alone) == sum(
            roll.sort == "action" for roll in told.rolls
        )
        drawn += len(board.ribbons)
        if phase.over is not None:
            break
        orders = {
            number: [order] for number in phase.asked if (order := _any_order(rng, state, number))
        }
        events = outcome.events
        outcome = SOVEREIGNS.adjudicate(state, orders, chance)
        events += outcome.events
    assert drawn > 0


def _any_order(rng: Random, state: State, number: int) -> Order | None:
    """What would be done at the close: an action, a split or a year's answer."""
    legal = [
        order for order in SOVEREIGNS.legal(state, number) if isinstance(order, Do | Year | Split)
    ]
    if state.stage == "season":
        legal = [order for order in legal if isinstance(order, Do)]
    return rng.choice(legal) if legal else None


# ------------------------------------------------------------------------------------- and no secrets
def secretly(state: State) -> State:
    """The same to everybody's eyes: other points expended, loans, offers, boons, orders, votes."""
    first = replace(
        state.kingdoms[0],
        ex=Points(2, 1, 3),
        depleted=1,
        used=("BLD-CAMP",),
        boons=("dice",),
        next=Next(roll=-2),
        missed=3,
        abdicating=True,
    )
    return replace(
        state,
        kingdoms=(first, *state.kingdoms[1:]),
        loans=(Loan(1, 2, "R", 1),),
        offers=(OpenOffer(7, 1, 2, (), (), 40),),
        offered=7,
    )


def test_ss_1_9_two_states_that_look_the_same_to_everybody_have_the_same_picture() -> None:
    of = game(chance=[5, 5])
    of.say("A", "Research: 2R, steel = STAT-ROLL M")
    of.close()
    state = coloured(of.state)
    assert secretly(state) != state
    first = draw(build_scene(view_of(state, None), of.events, FACTS), b"")
    other = draw(build_scene(view_of(secretly(state), None), of.events, FACTS), b"")
    assert first == other
    for player in (1, 2, 3):
        view = view_of(secretly(state), player)
        assert draw(build_scene(view, of.events, FACTS), b"") == first


SECRETS = (
    e.Traded(3, 1, 2),
    e.OfferMade(3, 1, 2),
    e.LoanReturned(1, 2, "R", 1),
    e.Reported(1, 2, 9, 9, 9, (), ("BLD-CAMP",)),
    e.ActionResolved(9, 1, "Theft", "M", 2, 1, 0, (6,), (), (), (), 6, 0, 6, "success", "canary"),
    e.Fallen(2, "coup"),
    e.RulingGiven(1, 19, contest=False, attribute=None, effect="canary", repercussion=None),
)


@pytest.mark.parametrize("secret", SECRETS, ids=lambda facts: type(facts).__name__)
def test_ss_5_4_what_only_some_are_told_is_in_no_picture(secret: Any) -> None:
    of = game(chance=[5, 5])
    of.say("A", "Research: 2R")
    of.close()
    before = shown(of)
    of.events.append(Event(secret, ("SS-5.4",), (1, 2)))
    assert shown(of) == before


@pytest.mark.parametrize("of", samples().values(), ids=samples())
def test_the_picture_says_what_its_parts_are(of: Scene) -> None:
    svg, board = draw_svg(of), lay_board(of)
    seats = {str(seat) for seat, _ in enumerate(of.kingdoms, start=1)}
    colours = [kingdom.colour for kingdom in of.kingdoms]
    assert areas_of(svg, "lands") == seats
    assert colours_of(svg, "lands") == colours
    cast = [layer.of for layer in board.cast if layer.of is not None]
    assert colours_of(svg, "pieces") == [colours[place] for place in (*board.pegs, *cast)]
    assert colours_of(svg, "battles") == [colours[roll.kingdom] for roll in of.rolls]
    acting = {colours[roll.kingdom] for roll in of.rolls if roll.sort == "action"}
    assert set(colours_of(svg, "orders")) == acting

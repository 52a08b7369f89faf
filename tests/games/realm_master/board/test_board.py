"""A board of Realm-Master can be read, says what lies on the table and nothing else, is small, and
is the same every time.
"""

from datetime import UTC, datetime
from itertools import combinations

import msgspec
import pytest

from engine.chance import Chance
from engine.realm_master.cards import all_buy_cards, all_heroes, all_lands, all_turn_cards
from engine.realm_master.conditions import land_name
from engine.realm_master.events import DiceRolled, Gain, LandsFilled, RoundBegan
from engine.realm_master.ruleset import REALM_MASTER
from engine.realm_master.state import State
from engine.realm_master.view_of import view_of
from engine.ruleset import Event
from pbem.board.board import Board, TableFacts
from pbem.board.painting import image_of, render
from pbem.board.palette import INK
from pbem.board.raster import Rasteriser
from pbem.games.realm_master.board.drawing import (
    GROUNDS,
    describe,
    draw,
    draw_svg,
    lay_board,
    texts_of,
)
from pbem.games.realm_master.board.drawing import Board as Laid
from pbem.games.realm_master.board.isle import isle
from pbem.games.realm_master.board.pieces import LEAST, LEAST_ON_CARD, TEXT, Layer, Placed, together
from pbem.games.realm_master.board.scene import Blow, Card, Die, Pile, Roll, Scene, TurnCard
from pbem.games.realm_master.board.scene_of import build_scene
from tests.board.colours import contrast
from tests.board.likeness import LIKE_ENOUGH, likeness
from tests.board.parts import FULLEST_BYTES, areas_of, colours_of, is_whole
from tests.games.realm_master.board.positions import CARDS, NAMES, crowded
from tests.games.realm_master.engine.playing import close, new_game, table
from tests.rings import sampled

FACTS = TableFacts("Heron", "round", datetime(2026, 11, 23, 17, 0, tzinfo=UTC), "Europe/Berlin")
SCENES = [
    crowded(players, lot, hypothesis=lot == 3) for players in range(2, 7) for lot in (1, 2, 3)
]


def scene_of(state: State, events: tuple[Event, ...] = (), facts: TableFacts = FACTS) -> Scene:
    return build_scene(view_of(state, None), events, facts)


def layer_of(board: Laid) -> Layer:
    return together([part.layer for part in board.parts])


def least_of(placed: Placed) -> float:
    """READING-22: 30 px (10 at 360) where there is room, on cards and panels what they can hold."""
    if placed.where == "header":
        return TEXT
    return LEAST_ON_CARD if placed.where.startswith("offer") else LEAST


def overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# --------------------------------------------------------------------------------- what can be read
@pytest.mark.parametrize(
    "scene", SCENES, ids=lambda scene: f"{len(scene.heroes)} heroes, round {scene.round}"
)
def test_no_text_leaves_its_room_or_the_picture_or_touches_another(scene: Scene) -> None:
    board = lay_board(scene)
    for placed in texts_of(board):
        left, top, right, bottom = placed.words.box
        room = placed.room
        overhang = 0.16 * placed.words.size
        assert room[0] - overhang <= left <= right <= room[2] + 2, placed
        assert 18 <= left <= right <= board.width - 18, placed
        assert 18 <= top <= bottom <= board.height, placed
        assert placed.words.size >= least_of(placed), placed
    for a, b in combinations(texts_of(board), 2):
        assert not overlap(a.words.box, b.words.box), (a, b)


@pytest.mark.parametrize(
    "scene", SCENES, ids=lambda scene: f"{len(scene.heroes)} heroes, round {scene.round}"
)
def test_no_token_covers_a_text(scene: Scene) -> None:
    board = lay_board(scene)
    for disc in layer_of(board).discs:
        half = disc.radius * (1.0 if disc.small else 0.72)
        box = (disc.x - half, disc.y - half, disc.x + half, disc.y + half)
        for placed in texts_of(board):
            assert not overlap(box, placed.words.box), (disc, placed)


def test_a_crown_covers_no_word_of_the_shore() -> None:
    for players in range(2, 7):
        for seat in range(players):
            scene = crowded(players)
            heroes = [
                msgspec.structs.replace(hero, at="", alive=True, active=False, winner=other == seat)
                for other, hero in enumerate(scene.heroes)
            ]
            board = lay_board(msgspec.structs.replace(scene, heroes=tuple(heroes), over=True))
            (crowned,) = [
                disc for disc in layer_of(board).discs if disc.winner and disc.radius == 43
            ]
            ring, crown = 53 * crowned.k, (48 + 9 * 1.35) * crowned.k
            for placed in texts_of(board):
                words = placed.words
                ascent = (words.box[0], words.y - 0.74 * words.size, words.box[2], words.y)
                assert not overlap(
                    (crowned.x - 15, crowned.y - crown, crowned.x + 15, crowned.y), ascent
                ), placed
                assert not overlap(
                    (crowned.x - 15, crowned.y, crowned.x + 15, crowned.y + ring), ascent
                ), placed


@pytest.mark.parametrize("hits", range(1, 6))
@pytest.mark.parametrize("damage", [1, 12])
def test_those_who_were_hit_fit_their_panel_or_are_counted(hits: int, damage: int) -> None:
    scene = crowded(6)
    roll = Roll(
        60,
        tuple(Die("s") for _ in range(5)),
        tuple(Blow(other, damage) for other in range(1, 1 + hits)),
    )
    board = lay_board(
        msgspec.structs.replace(
            scene, heroes=(msgspec.structs.replace(scene.heroes[0], roll=roll), *scene.heroes[1:])
        )
    )
    shown = [
        disc
        for disc in layer_of(board).discs
        if disc.small
        and disc.x < 540
        and disc.y < min(d.y for d in layer_of(board).discs if d.small) + 1
    ]
    texts = [
        placed
        for placed in texts_of(board)
        if placed.where == "hero 0" and placed.words.text in (str(damage), f"+{hits - len(shown)}")
    ]
    assert shown
    assert len(texts) == len(shown) + (len(shown) < hits)
    assert all(placed.words.box[2] <= 18 + 516 - 16 + 2 for placed in texts)
    assert all("…" not in placed.words.text for placed in texts)


def test_whatever_card_land_and_hero_has_an_emblem_and_a_name_that_fits() -> None:
    plain = draw_svg(crowded(2))
    for key in all_lands():
        assert key in GROUNDS
        assert contrast(INK, GROUNDS[key]) > 7
    for card in CARDS:
        scene = crowded(2, row=(Pile(card, 12, (card, card)),) * 3)
        texts = [
            placed.words.text for placed in texts_of(lay_board(scene)) if placed.where == "offer 1"
        ]
        assert card.name in texts, "the name of a card is never cut"
        assert draw_svg(scene) != plain
    for turn_card in all_turn_cards().values():
        scene = crowded(2, card=TurnCard(turn_card.key, turn_card.name, turn_card.kind))
        assert [
            placed
            for placed in texts_of(lay_board(scene))
            if placed.where == "turn card" and "…" in placed.words.text
        ] == []
    for hero in all_heroes():
        with_hero = msgspec.structs.replace(crowded(2).heroes[0], hero=hero)
        assert len(draw_svg(crowded(2, heroes=(with_hero, crowded(2).heroes[1])))) > 50_000


def test_long_names_are_cut_and_names_no_font_can_write_become_the_colour() -> None:
    scene = crowded(6)
    strange = msgspec.structs.replace(scene.heroes[2], name="李雷 🀄")
    board = lay_board(
        msgspec.structs.replace(scene, heroes=(*scene.heroes[:2], strange, *scene.heroes[3:]))
    )
    texts = [placed.words.text for placed in texts_of(board)]
    assert "Yellow" in texts
    assert any(text.startswith("Maximil") and text.endswith("…") for text in texts)


def test_markup_in_a_name_is_text() -> None:
    scene = crowded(2)
    rude = msgspec.structs.replace(scene.heroes[0], name="<g>&")
    svg = draw_svg(msgspec.structs.replace(scene, heroes=(rude, scene.heroes[1])))
    assert "&lt;g&gt;&amp;" in svg
    assert "<g>&" not in svg


# -------------------------------------------------------------------------------------- the picture
@pytest.mark.parametrize("lot", sampled(range(20), 1))
def test_a_picture_is_like_the_reference_rendering(lot: int) -> None:
    """#16: no faster painter may make it worse."""
    svg = draw_svg(crowded(2 + lot % 5, lot))
    assert likeness(image_of(svg), svg) > LIKE_ENOUGH
    assert len(render(svg)) < FULLEST_BYTES


@pytest.mark.parametrize("players", [2, 6])
def test_a_picture_is_small_and_of_the_size_of_its_board(players: int) -> None:
    scene = crowded(players, hypothesis=players == 6)
    png = render(draw_svg(scene))
    assert len(png) < FULLEST_BYTES
    board = lay_board(scene)
    assert board.width == 1080
    assert is_whole(png, board.width, board.height)
    assert board.height < 2000


def test_the_same_scene_is_the_same_picture_byte_for_byte() -> None:
    first = draw_svg(crowded(4))
    isle.cache_clear()
    assert draw_svg(crowded(4)) == first


async def test_a_scene_is_painted_in_a_process_of_its_own() -> None:
    scene = crowded(3)
    async with Rasteriser() as rasteriser:
        picture = await rasteriser.board(
            Board(lambda view, events, facts: view, draw), scene, (), b"", FACTS
        )
    assert picture.png == render(draw_svg(scene))
    assert picture.alt == describe(scene)


def test_what_is_supposed_looks_like_nothing_that_happened() -> None:
    scene = crowded(3)
    supposed = msgspec.structs.replace(scene, hypothesis=True)
    assert lay_board(supposed).height > lay_board(scene).height
    assert "What if?" in draw_svg(supposed)
    assert describe(supposed).startswith("What if? This is only a test")


# ----------------------------------------------------------------------- from the view to the scene
def test_the_start_has_four_lands_in_row_order_and_everybody_outside_in_seat_order() -> None:
    state = new_game(4)
    scene = scene_of(state, facts=msgspec.structs.replace(FACTS, phase="heroes"))
    assert [land.key for land in scene.lands] == [land.key for land in state.lands]
    assert [hero.name for hero in scene.heroes] == [f"Player {number}" for number in state.seating]
    assert all(not hero.hero and not hero.at and hero.roll is None for hero in scene.heroes)
    assert (scene.round, scene.card, len(scene.row), scene.deck) == (0, None, 3, 17)
    assert scene.due == ("Heroes due", "Mon 23 Nov", "18:00 CET")
    assert "Set-up" in draw_svg(scene)


def test_a_round_shows_the_dice_as_they_counted_and_who_was_hit() -> None:
    state = table(
        {
            "Anna": {
                "hero": "barbarian",
                "hgb": "8/0/0",
                "at": "out",
                "plan": ["Reroll: keep the rest", "R: sword", "Enter: Arub"],
            },
            "Ben": {"hero": "elf", "hgb": "10/0/0", "at": "SAL", "cards": ["B01"]},
        }
    )
    chance = (3, 3, 6, 1, 2, *([1] * 10))
    outcome = close(state, {}, chance)
    scene = scene_of(outcome.state, outcome.events)
    anna, ben = scene.heroes
    assert anna.roll is not None
    assert anna.roll.dice == (Die("s"), Die("s"), Die("s", wild=True), Die("-"), Die("b"))
    assert anna.roll.blows == (Blow(1, 2),), "three swords and an Iron Shield"
    assert ben.cards == (Card("B01", "Iron Shield", keep=True),)
    assert scene.lands[[land.key for land in scene.lands].index("SAL")].occupant == (
        1 if ben.at else None
    )
    assert "Turn 1: sword, sword, sword (R), blank, half banner. Hit Ben for 2." in describe(scene)


def test_dice_rolled_for_lands_lie_on_them_until_the_next_round() -> None:
    state = new_game(2)
    filled = LandsFilled(
        "T13", tuple((land.key, Gain()) for land in state.lands), (("h", "h", "c", "R", "b"),) * 4
    )
    events = (Event(RoundBegan(1, "T13", "Resources: dice", False), ()), Event(filled, ()))
    facts = msgspec.structs.replace(FACTS, phase="heroes")
    assert [die.face for die in scene_of(state, events, facts).lands[3].dice] == [
        *("h", "h", "c", "R", "b"),
    ]
    later = (*events, Event(RoundBegan(2, "T01", "Attack +1", False), ()))
    assert scene_of(state, later, facts).lands[3].dice == ()


def test_events_for_some_and_plans_of_one_are_in_no_picture() -> None:
    state = new_game(3)
    facts = msgspec.structs.replace(FACTS, phase="heroes")
    secret = Event(DiceRolled(1, 1, "roll", (1, 2, 3, 4, 5), ("s",) * 5), (), audience=(1,))
    assert scene_of(state, (secret,), facts) == scene_of(state, (), facts)
    for player in (1, 2, 3):
        assert build_scene(view_of(state, player), (), facts) == scene_of(state, (), facts)


def test_a_live_turn_shows_whose_it_is_and_the_dice_as_they_lie() -> None:
    state = new_game(2, mode="interactive")
    while REALM_MASTER.phase(state).kind != "reroll":
        state = REALM_MASTER.adjudicate(state, {}, Chance(bytes(32))).state
    scene = scene_of(state, facts=msgspec.structs.replace(FACTS, phase="reroll"))
    active = [hero for hero in scene.heroes if hero.active]
    assert len(active) == 1
    assert active[0].roll is not None
    assert len(active[0].roll.dice) == 5
    assert f"It is the turn of {active[0].name}." in describe(scene)
    assert scene.due[0] == "Answer due"


def test_a_whole_game_can_be_pictured_at_every_step_with_every_phase() -> None:
    stages = set()
    for mode in ("standing", "interactive"):
        state, chance = new_game(3, mode=mode), Chance(b"pictures")
        events: tuple[Event, ...] = ()
        for _ in range(60):
            phase = REALM_MASTER.phase(state)
            stages.add(phase.kind)
            scene = scene_of(state, events, TableFacts("Heron", phase.kind))
            assert texts_of(lay_board(scene))
            if phase.over is not None:
                said, winner, banners = scene.due
                (won,) = (hero for hero in scene.heroes if hero.winner)
                assert said == "Victory"
                assert winner == won.name
                assert banners == f"{won.tokens.banners} banners"
                break
            assert scene.due[1:] == ("", "")
            outcome = REALM_MASTER.adjudicate(state, {}, chance)
            state, events = outcome.state, outcome.events
    assert {"heroes", "round", "reroll"} <= stages


def test_the_words_of_a_picture_list_every_land_hero_card_and_die() -> None:
    for scene in (crowded(6), crowded(4, 2)):
        text = describe(scene)
        assert "\n" not in text
        for land in scene.lands:
            assert f"{land.name}: " in text
        for hero in scene.heroes:
            assert f"{hero.name} ({hero.colour}, " in text
            if hero.alive:
                assert (
                    f"{hero.tokens.hearts} of {hero.maximum} hearts, {hero.tokens.gold} gold"
                    in text
                )
                assert all(card.name in text for card in hero.cards)
        assert f"fell in round 7 to {NAMES[1]}." in text
        for pile in scene.row:
            assert f"{pile.card.name} for {pile.price}" in text
            assert all(card.name in text for card in pile.covers)
        assert text.count(" Hit ") == sum(
            len(hero.roll.blows) for hero in scene.heroes if hero.roll
        )


def test_every_buy_card_is_named_as_the_rules_name_it() -> None:
    assert {card.name for card in CARDS} == {card.name for card in all_buy_cards().values()}


def test_the_picture_says_what_its_parts_are() -> None:
    scene = crowded(4, 3)
    svg = draw_svg(scene)
    lands = {land_name(land.key) for land in scene.lands}
    assert areas_of(svg, "lands") == areas_of(svg, "pieces") == lands
    inside = [scene.heroes[land.occupant] for land in scene.lands if land.occupant is not None]
    assert colours_of(svg, "lands") == [hero.colour for hero in inside]
    heroes = {hero.colour for hero in scene.heroes}
    assert set(colours_of(svg, "pieces")) == heroes
    thrown = [hero.colour for hero in scene.heroes if hero.alive and hero.roll]
    assert colours_of(svg, "battles") == thrown

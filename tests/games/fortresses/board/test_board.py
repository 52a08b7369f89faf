"""A board of Fortresses says what lies on the table and nothing else, in a small picture and in
words; it is the same every time.
"""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from engine.chance import Chance
from engine.fortresses.atlas import KINGDOMS, zones
from engine.fortresses.event_kinds import RoundLost
from engine.fortresses.orders import Move
from engine.fortresses.ruleset import FORTRESSES
from engine.fortresses.setup import set_up
from engine.fortresses.state import State
from engine.fortresses.units import Units
from engine.fortresses.view import view_of
from engine.ruleset import Event, Seat
from pbem.board.board import Board, TableFacts
from pbem.board.painting import image_of, render
from pbem.board.raster import Rasteriser
from pbem.games.fortresses.board.banners import BANNERS
from pbem.games.fortresses.board.drawing import describe, draw, draw_svg, lay_board, texts_of
from pbem.games.fortresses.board.ground import ground
from pbem.games.fortresses.board.scene import Battle, Landing, March, Scene
from pbem.games.fortresses.board.scene_of import build_scene
from tests.board.colours import contrast
from tests.board.likeness import LIKE_ENOUGH, likeness
from tests.board.parts import FULLEST_BYTES, areas_of, colours_of, is_whole
from tests.games.fortresses.board.positions import battles, by_lot, counts, crowded, end, scene
from tests.games.fortresses.engine.playing import CASES, Reached, load, run_case, seats, step, table
from tests.rings import sampled

FACTS = TableFacts("Heron", "reinforce", datetime(2026, 11, 23, 17, 0, tzinfo=UTC), "Europe/Berlin")
NAMES = ("<b>&Co", "N" * 40, "שלום עולם", "李雷 🀄")


def scene_of(state: State, events: tuple[Event, ...] = (), facts: TableFacts = FACTS) -> Scene:
    return build_scene(view_of(state, None), events, facts)


def told(reached: Reached) -> Scene:
    return scene_of(reached.state, tuple(reached.raw))


# -------------------------------------------------------------------------------------- the picture
@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "of",
    [
        scene(),
        battles(),
        end(),
        by_lot(1),
        by_lot(4),
        crowded("Flanders"),
        battles(hypothesis=True),
    ],
    ids=["start", "battles", "end", "lot 1", "lot 4", "crowded", "supposed"],
)
def test_a_picture_is_small_and_of_the_size_of_its_board(of: Scene) -> None:
    board, png = lay_board(of), render(draw_svg(of))
    assert len(png) < FULLEST_BYTES
    assert (board.width, board.height) == (1080, 1462 + 76 * of.hypothesis)
    assert is_whole(png, board.width, board.height)


@pytest.mark.parametrize("lot", sampled(range(20), 1))
def test_a_picture_is_like_the_reference_rendering(lot: int) -> None:
    """#16: no faster painter may make it worse."""
    svg = draw_svg(by_lot(lot))
    assert likeness(image_of(svg), svg) > LIKE_ENOUGH
    assert len(render(svg)) < FULLEST_BYTES


def test_the_same_scene_is_the_same_picture_byte_for_byte() -> None:
    first = draw_svg(battles())
    ground.cache_clear()
    assert draw_svg(battles()) == first


async def test_a_scene_is_painted_in_a_process_of_its_own() -> None:
    async with Rasteriser() as rasteriser:
        picture = await rasteriser.board(
            Board(lambda view, events, facts: view, draw), scene(), (), b"", FACTS
        )
    assert picture.png == render(draw_svg(scene()))
    assert picture.alt == describe(scene())


def test_ink_can_be_read_on_every_kingdoms_colours() -> None:
    for banner in BANNERS.values():
        assert contrast(banner.on, banner.full) > 7
        assert contrast("#1c140d", banner.tint) > 7


def test_every_unit_structure_and_kingdom_has_a_sign_of_its_own() -> None:
    svg = draw_svg(battles())
    for sign in (*"LKWGD", "fortress", "castle", "city", *(f"shield-{key}" for key in KINGDOMS)):
        assert f'id="{sign}"' in svg
        assert f'href="#{sign}"' in svg
    assert len({banner.charge for banner in BANNERS.values()}) == 4
    assert 'id="band-red"' in svg


def test_what_is_supposed_looks_like_nothing_that_happened() -> None:
    supposed = battles(hypothesis=True)
    assert "What if?" in draw_svg(supposed)
    assert describe(supposed).startswith("What if? This is only a test")


def test_names_are_text_are_cut_and_become_the_kingdom_where_no_font_can_write_them() -> None:
    realms = tuple(
        msgspec.structs.replace(realm, player=name)
        for realm, name in zip(scene().realms, NAMES, strict=True)
    )
    strange = scene(realms=realms, table=NAMES[1])
    svg = draw_svg(strange)
    assert "&lt;b&gt;&amp;Co" in svg
    assert "<b>" not in svg
    texts = [words for where, words in texts_of(lay_board(strange)) if where == "strip"]
    assert any(words.text.startswith("NNN") and words.text.endswith("…") for words in texts)
    assert [words.text for words in texts].count("Gold") == 2, "the name and the kingdom below it"
    assert all(words.box[2] < 1080 - 18 for words in texts)


# ------------------------------------------------------------------------------- what is to be known
def test_the_words_tell_all_of_the_start() -> None:
    seats_of_four = [
        Seat(i + 1, name, colour, faction=kingdom)
        for i, (name, colour, kingdom) in enumerate(
            zip(
                ("Anna", "Ben", "Cara", "Dora"),
                ("green", "black", "pink", "teal"),
                KINGDOMS,
                strict=True,
            )
        )
    ]
    state = set_up({}, seats_of_four, Chance(bytes(32))).state
    words = describe(scene_of(state))
    for name, zone in zones().items():
        assert name in words
        if zone.start_kingdom:
            assert zone.start.text in words
        if zone.great_city:
            assert f"Great City {zone.great_city}" in words
    assert "Table of Heron, Year 1." in words
    assert "It is the turn of Silver (Anna): Reinforce. Orders due Mon 23 Nov 18:00 CET." in words
    assert "Silver (Anna): 12 gold in hand, income 12, 9 Lands, in supply 10L 8K 8W 6G 3D." in words
    assert "Silver & Gold hold 2 Fortresses. Red & Blue hold 2 Fortresses." in words
    assert "Normandy, Fortress, Great City Rouen, 3L 1K 1W 1D;" in words
    assert "Irish Sea, empty;" in words


def test_a_conquest_is_told_with_its_strokes_its_losses_and_its_new_owner() -> None:
    state = table(
        owners={"Saxony": "blue"},
        units={
            "France": "silver 3L 1K",
            "Saxony": "blue 1L",
            "Flanders": "silver 2L",
            "Kiev": "blue 1L",
        },
    )
    reached = step(
        state,
        "Attack Saxony with 2L 1K from France; 1L from Flanders",
        dice=[6] * 4 + [6],
    )
    shown = told(reached)
    assert shown.attacker == "silver"
    assert {(march.origin, march.target) for march in shown.marches} == {
        ("France", "Saxony"),
        ("Flanders", "Saxony"),
    }
    (battle,) = shown.battles
    assert (battle.zone, battle.winner, battle.result) == ("Saxony", "silver", "conquered")
    assert battle.conquered_from == "blue"
    assert "conquered by Silver from Blue" in describe(shown)


def test_fw_7_4_an_empty_land_is_taken_without_a_seal() -> None:
    state = table(owners={"Saxony": "blue"}, units={"France": "silver 3L", "Kiev": "blue 1L"})
    shown = told(step(state, "Attack Saxony with 2L from France"))
    assert [battle.rounds for battle in shown.battles] == [0]
    assert lay_board(shown).seals == ()
    assert "Battle of Saxony: conquered by Silver from Blue, without a fight." in describe(shown)


def test_fw_4_10_no_stored_line_and_nothing_of_one_reader_is_in_a_picture() -> None:
    state = table(units={"France": "silver 3L", "Kiev": "blue 1L"})
    stored = msgspec.structs.replace(
        state, held=(Move(Units(L=1), "France", "Normandy"),), answered=True
    )
    assert scene_of(stored) == scene_of(state)
    for player in range(1, len(state.players) + 1):
        assert build_scene(view_of(state, player), (), FACTS) == scene_of(state)
    secret = Event(RoundLost("Saxony", 1, (), 1), (), audience=(1,))
    assert scene_of(state, (secret,)) == scene_of(state)


def test_a_long_way_is_drawn_as_its_last_leg_with_the_code_of_where_it_began() -> None:
    shown = battles(
        marches=(March("red", "Andalusia", "Castile", "Bay of Biscay", counts("1D")),), landings=()
    )
    (stroke,) = lay_board(shown).strokes
    assert stroke.capsule is not None
    assert [words.text for words in stroke.capsule.words] == ["1", "AND"]
    assert "1D from Andalusia by way of Castile into Bay of Biscay." in describe(shown)


def test_fw_6_15_a_drowned_passenger_is_struck_out() -> None:
    landing = Landing(
        "red", "Tripoli", "Tripoli", "Ionian Sea", "Greece", counts("1L"), drowned=True
    )
    shown = scene(landings=(landing,), attacker="red")
    (stroke,) = lay_board(shown).strokes
    assert stroke.ship is not None
    assert stroke.ship.drowned
    assert "by Galleon over the Ionian Sea to Greece, drowned on the way." in describe(shown)


def test_a_battle_that_goes_on_and_one_that_waits_have_seals_without_a_winner() -> None:
    shown = scene(
        attacker="red",
        battles=(
            Battle("Kiev", "red", 1, 2, 2, state="fought"),
            Battle("Syria", "red", state="waiting"),
        ),
    )
    first, second = sorted(lay_board(shown).seals, key=lambda seal: seal.zone)
    assert first.words is not None
    assert first.words.text == "1:2…"
    assert second.words is None
    assert "Battle of Syria: still to be fought." in describe(shown)


def test_every_step_of_every_case_has_a_picture_in_words_with_all_its_units() -> None:
    stages = set()
    for path in sorted(Path(CASES).glob("*.yaml"))[:8]:
        for case in load(path):
            if case.get("expect", {}).get("refused"):
                continue
            for _, reached in run_case(case):
                shown = told(reached)
                words = describe(shown)
                stages.add(shown.stage)
                for zone in shown.zones:
                    assert zone.name in words
                for battle in shown.battles:
                    assert f"Battle of {battle.zone}:" in words
    assert {"attack", "reinforce"} <= stages


def test_a_whole_game_can_be_pictured_at_every_close() -> None:
    state = set_up({"year_limit": 2}, seats(4), Chance(bytes(32))).state
    events: tuple[Event, ...] = ()
    while state.stage != "over":
        outcome = FORTRESSES.adjudicate(state, {}, Chance(bytes(32)))
        state, events = outcome.state, outcome.events
        assert lay_board(scene_of(state, events)).left_out == 0
    shown = scene_of(state, events, msgspec.structs.replace(FACTS, phase="over", deadline=None))
    assert shown.active is None
    assert "The end" in [
        words.text for where, words in texts_of(lay_board(shown)) if where == "corner"
    ]
    assert "Draw" in describe(shown) or "Victory" in describe(shown)


def test_the_picture_says_what_its_parts_are() -> None:
    of = battles()
    svg, board = draw_svg(of), lay_board(of)
    assert areas_of(svg, "lands") == {zone.code for zone in of.zones}
    assert areas_of(svg, "pieces") == {piece.code for piece in board.pieces}
    assert areas_of(svg, "battles") == {seal.code for seal in board.seals}
    owners = [zone.owner for zone in of.zones if zone.owner]
    assert colours_of(svg, "lands") == owners
    assert set(colours_of(svg, "orders")) == {stroke.kingdom for stroke in board.strokes}
    assert sorted(colours_of(svg, "margins")) == sorted(realm.kingdom for realm in of.realms)

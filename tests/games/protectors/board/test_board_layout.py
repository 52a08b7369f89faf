"""What is written on a board can be read: inside its province, beside all else, measured with the
fonts that draw it.
"""

from itertools import combinations

import msgspec
import pytest
from shapely.geometry import Polygon, box

from pbem.board.faces import fit, has_letter, legible, width
from pbem.board.lines import SIDE
from pbem.board.palette import (
    ARMS,
    ASH,
    COLOURS,
    CREAM,
    GOLD,
    HOT,
    INK,
    LAND,
    OCEAN,
    WALNUT,
    arms_of,
)
from pbem.games.protectors.board.blocks import label_block
from pbem.games.protectors.board.choosing import MANY, choose_marks
from pbem.games.protectors.board.drawing import Board, draw, draw_board, lay_board, texts_of
from pbem.games.protectors.board.land import Land
from pbem.games.protectors.board.mapdrawing import draw_map
from pbem.games.protectors.board.mapfile import parse_map
from pbem.games.protectors.board.margins import STRIP
from pbem.games.protectors.board.scene import (
    Battle,
    Fight,
    March,
    OrderMark,
    Province,
    Scene,
    Seat,
    Support,
)
from tests.board.colours import contrast
from tests.games.protectors.board.positions import busy_scene, land_of
from tests.rings import sampled

SIZES = [*((n, n) for n in (2, 3, 5, 7, 12, 16)), (2, 4), (9, 18), (8, 40), (4, 52), (13, 52)]
Box = tuple[float, float, float, float]


def overlap(a: Box, b: Box, slack: float = 0.0) -> bool:
    return (
        a[0] + slack < b[2] and b[0] + slack < a[2] and a[1] + slack < b[3] and b[1] + slack < a[3]
    )


def boxes(board: Board) -> dict[str, list[Box]]:
    """Boxes of ink by what they belong to; the texts of one label are one box."""
    found: dict[str, list[Box]] = {}
    for what, words in texts_of(board):
        found.setdefault(what, []).append(words.box)
    return found


@pytest.mark.parametrize(("players", "provinces"), sampled(SIZES, 5))
def test_every_number_stands_inside_its_province_in_every_state(
    players: int, provinces: int
) -> None:
    land = land_of(players, provinces)
    owner = COLOURS[4]
    states: list[dict[str, object]] = [
        {},
        {"owner": owner, "units": 3, "level": 3},
        {"owner": owner},
        {"burnt": True},
        {"owner": owner, "units": 6, "start": True},
    ]
    for state in states:
        for number in range(1, provinces + 1):
            province = msgspec.convert(state | {"number": number}, Province)
            block = label_block(province, land.label(number))
            shape = Polygon(land.outline(number))
            for words in block.words[:2]:
                assert shape.contains(box(*words.box)), f"P{number} as {state}"


@pytest.mark.parametrize(("players", "provinces"), SIZES)
def test_a_number_never_moves_sideways_out_of_its_label_and_keeps_its_size(
    players: int, provinces: int
) -> None:
    land = land_of(players, provinces)
    for number in (1, provinces):
        label = land.label(number)
        empty = label_block(Province(number), label)
        full = label_block(Province(number, "red", 3, 3, start=True), label)
        assert empty.words[1].size == full.words[1].size
        assert abs(empty.words[1].x - full.words[1].x) < 40 * label.scale


@pytest.mark.parametrize("lot", [1, 2])
@pytest.mark.parametrize(("players", "provinces"), SIZES)
def test_labels_corners_and_ranking_do_not_overlap_each_other(
    players: int, provinces: int, lot: int
) -> None:
    board = lay_board(busy_scene(players, provinces, lot), land_of(players, provinces))
    found = boxes(board)
    labels = [
        (what, each) for what, many in found.items() if what.startswith("P") for each in many[1:2]
    ]
    margins = [("corner", each) for each in found["corner"]] + [
        ("ranking", each) for each in found["ranking"]
    ]
    clashes = [
        (a, b) for (a, one), (b, two) in combinations([*labels, *margins], 2) if overlap(one, two)
    ]
    assert clashes == []
    assert all(
        x0 >= 0 and x1 <= SIDE and y0 >= 0 and y1 <= SIDE + STRIP for _, (x0, y0, x1, y1) in margins
    )
    assert all(x0 > 24 and x1 < SIDE - 24 for x0, _, x1, _ in found["corner"])


@pytest.mark.parametrize(("players", "provinces"), SIZES)
def test_no_figure_of_an_arrow_or_battle_covers_a_number(players: int, provinces: int) -> None:
    found = boxes(lay_board(busy_scene(players, provinces, 3), land_of(players, provinces)))
    numbers = [each for what, many in found.items() if what.startswith("P") for each in many[:2]]
    figures = [*found.get("arrow", []), *found.get("battle", [])]
    assert [
        figure for figure in figures if any(overlap(figure, number) for number in numbers)
    ] == []
    assert [pair for pair in combinations(figures, 2) if overlap(*pair)] == []


@pytest.mark.parametrize(("players", "provinces"), SIZES)
def test_figures_are_large_enough_to_be_read_on_a_phone(players: int, provinces: int) -> None:
    """360 px are a third of the board: the number of a province at least 8.5 px there, any other
    figure 6.
    """
    for what, words in texts_of(
        lay_board(busy_scene(players, provinces, 3), land_of(players, provinces))
    ):
        least = {"battle": 16.5, "arrow": 17, "corner": 20, "ranking": 22.9}.get(what, 14)
        assert words.size >= least, (what, words.text)


@pytest.mark.parametrize(("players", "provinces"), [(7, 7), (16, 16), (8, 40)])
def test_arrows_begin_in_their_province_and_end_in_the_next(players: int, provinces: int) -> None:
    land, scene = land_of(players, provinces), busy_scene(players, provinces, 5, marks=0.6)
    chosen = choose_marks(scene).orders
    marches = [order for order in chosen if isinstance(order, March)]
    board = lay_board(scene, land)
    assert len(board.arrows) == len(marches)
    for arrow, march in zip(board.arrows, marches, strict=True):
        assert (
            Polygon(land.outline(march.origin))
            .buffer(14)
            .contains(box(arrow.x, arrow.y, arrow.x, arrow.y).centroid)
        )


def with_fight(share_of_land: float) -> str:
    from pbem.games.protectors.board.marks import battle_mark

    mark = battle_mark(Battle(12, (Fight("red", "blue", 4, -2),)), 100, 100, 1, share_of_land)
    return mark.words[0].text


def test_a_battle_that_lies_half_outside_names_its_province() -> None:
    assert with_fight(0.8) == "4:−2"
    assert with_fight(0.3) == "P12 4:−2"


def test_several_fights_in_one_province_are_one_mark_with_a_ribbon_each() -> None:
    scene = msgspec.structs.replace(
        busy_scene(7, 7),
        battles=(Battle(3, (Fight("red", "blue", 3, 1), Fight("red", "green", 2, 2))),),
    )
    (mark,) = lay_board(scene, land_of(7, 7)).battles
    assert [words.text.split()[-1] for words in mark.words] == ["3:1", "2:2"]
    assert not overlap(mark.words[0].box, mark.words[1].box)


def many(count: int, **marks: bool) -> tuple[March, ...]:
    return tuple(March("red", 1 + i % 40, 1 + (i + 1) % 40, 1, **marks) for i in range(count))


def test_up_to_fifteen_arrows_are_all_shown() -> None:
    scene = msgspec.structs.replace(busy_scene(8, 40), marches=many(MANY), supports=())
    chosen = choose_marks(scene)
    assert (chosen.optional, chosen.left_out, len(chosen.orders)) == (MANY, 0, MANY)


def test_above_fifteen_battles_come_first_then_gold_then_the_rest() -> None:
    marches = (*many(14), *many(2, golden=True), *many(3, fought=True))
    scene = msgspec.structs.replace(
        busy_scene(8, 40), marches=marches, supports=(Support("blue", 1, 2, fought=True),)
    )
    chosen = choose_marks(scene)
    assert [(order.fought, order.golden) for order in chosen.orders[:6]] == [(True, False)] * 4 + [
        (False, True)
    ] * 2
    assert chosen.optional == 4


def test_the_corner_says_when_not_all_arrows_are_shown() -> None:
    plan = land_of(8, 40).plan
    marches = tuple(March("red", a, b, 1) for a, b in plan.borders[:40])
    board = lay_board(
        msgspec.structs.replace(busy_scene(8, 40), marches=marches, supports=()), land_of(8, 40)
    )
    assert len(board.arrows) < 40
    assert "Main arrows" in [words.text for words in board.corners.words]


def test_extended_support_is_dotted_and_gold() -> None:
    scene = msgspec.structs.replace(
        busy_scene(7, 7),
        marches=(),
        supports=(Support("red", 1, 3, golden=True, extended=True), Support("red", 1, 2)),
    )
    far, near = lay_board(scene, land_of(7, 7)).hooks
    assert far.dots
    assert far.fill == GOLD
    assert not near.dots
    assert near.fill == arms_of("red").full


def test_work_and_fortify_are_marked_beside_the_arms_gold_when_golden() -> None:
    label = land_of(7, 7).label(1)
    work = label_block(Province(1, "blue", 2, order=OrderMark("work", "blue")), label).badge
    wall = label_block(
        Province(1, "blue", 2, order=OrderMark("fortify", "red", golden=True)), label
    ).badge
    assert work is not None
    assert wall is not None
    assert (work.kind, work.fill, work.ring) == ("work", CREAM, arms_of("blue").full)
    assert (wall.kind, wall.fill, wall.ring) == ("fortify", GOLD, arms_of("red").full)


def test_units_above_three_are_one_man_and_a_number() -> None:
    block = label_block(Province(1, "blue", 5), land_of(7, 7).label(1))
    assert len(block.men) == 1
    assert [words.text for words in block.words] == ["P", "1", "×5"]
    assert len(label_block(Province(1, "blue", 3), land_of(7, 7).label(1)).men) == 3


def test_every_symbol_is_drawn_and_every_colour_is_known() -> None:
    scene = busy_scene(16, 16)
    svg = draw(scene, land_of(16, 16))
    assert all(arms.path in svg for arms in ARMS)
    assert len({arms.symbol for arms in ARMS}) == len({arms.full for arms in ARMS}) == 16
    assert arms_of("Red") is ARMS[0]
    with pytest.raises(ValueError, match="mauve"):
        arms_of("mauve")


def test_what_is_written_stands_out_from_its_ground() -> None:
    pairs = [(INK, LAND), (CREAM, ASH), (INK, OCEAN), (HOT, OCEAN), (CREAM, WALNUT)]
    pairs += [(arms.on, arms.full) for arms in ARMS] + [(INK, arms.tint) for arms in ARMS]
    assert [pair for pair in pairs if contrast(*pair) < 4.5] == []


def test_names_are_escaped_and_cannot_reach_into_the_markup() -> None:
    scene = busy_scene(3, 3)
    seats = tuple((Seat('</text><script>"&', seat[0].colour, 1, 1, 1),) for seat in scene.ranking)
    svg = draw(msgspec.structs.replace(scene, ranking=seats, table="<b>&"), land_of(3, 3))
    assert "<script" not in svg
    assert "<b>" not in svg
    assert "&lt;b&gt;&amp;" in svg


@pytest.mark.parametrize(
    "name", ["Maximilian-Alexander von und zu Hohenstein", "W" * 300, "Ξενοφών Παπαδημητρακόπουλος"]
)
def test_a_long_name_is_cut_to_its_column(name: str) -> None:
    scene = busy_scene(16, 16)
    ranking = tuple(
        tuple(msgspec.structs.replace(seat, name=name, vp=128) for seat in bracket)
        for bracket in scene.ranking
    )
    board = lay_board(msgspec.structs.replace(scene, ranking=ranking, table=name), land_of(16, 16))
    found = boxes(board)
    assert [pair for pair in combinations(found["ranking"], 2) if overlap(*pair)] == []
    assert [pair for pair in combinations(found["corner"], 2) if overlap(*pair)] == []


def test_a_long_card_list_is_counted() -> None:
    scene = msgspec.structs.replace(
        busy_scene(7, 7), cards=("A", "B", "C"), staying=("D", "E", "F")
    )
    texts = [words.text for words in lay_board(scene, land_of(7, 7)).corners.words]
    assert "+ 3 staying" in texts
    crowded = msgspec.structs.replace(scene, cards=tuple("ABCDEF"), staying=())
    assert "+ 3 more" in [words.text for words in lay_board(crowded, land_of(7, 7)).corners.words]


def test_letters_no_font_has_give_way_to_the_colour_word() -> None:
    assert legible("李雷", "Pink") == "Pink"
    assert legible("Mei 李", "Pink") == "Mei"
    assert legible("🐉", "Red") == "Red"
    assert legible("Łukasz Ζωή Жук", "Red") == "Łukasz Ζωή Жук"
    assert not has_letter("\u202e")
    assert fit("Consolidation", 30, 60, 24)[0].endswith("…")
    assert width(*("Anna", "sans"), 20) == pytest.approx(2 * width("Anna", "sans", 10))


def test_the_same_scene_is_the_same_svg_and_another_scene_another() -> None:
    scene, land = busy_scene(9, 18), land_of(9, 18)
    assert draw(scene, land) == draw(scene, land)
    assert draw(scene, land) != draw(busy_scene(9, 18, 2), land)


def test_a_scene_of_another_land_is_refused() -> None:
    with pytest.raises(ValueError, match="provinces"):
        draw(busy_scene(7, 7), land_of(3, 3))


def test_marches_over_the_sea_and_to_the_island_are_drawn(
    own_island: Land, island_scene: Scene
) -> None:
    board = lay_board(island_scene, own_island)
    assert len(board.arrows) == 2
    assert board.island is not None
    assert "Island" in [words.text for words in board.island.words]
    assert board.arrows[0].rider is not None, "the tail's province has changed hands"
    draw_board(board)


@pytest.fixture(scope="module")
def own_island(crescent: str) -> Land:
    return draw_map(parse_map(crescent), 3, island=True)


@pytest.fixture
def island_scene() -> Scene:
    scene = busy_scene(3, 6)
    marches = (March("coral", 1, 4, 2), March("red", 4, 0, 1))
    return msgspec.structs.replace(
        scene, marches=marches, supports=(), battles=(), island=Province(0, "red", 1)
    )
